"""`ritual build`: check, test and render a game in one go.

In: a game reference. Out: all sheets below `build/<game id>/` with a page that shows them, one line for each stage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS
from ritual_dsl.diagnostics.human import report

HELP = """
Stops at the first stage that fails: check, test the scenarios of the game or house rule, odds, all sheets.
PDF, PNG and the Tabletop Simulator deck need the extra `ritual-dsl[pdf]`; without it, HTML is written.

example: ritual build ./my_game --out printed
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game reference")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to write; default: build/<game id>")
    parser.add_argument("--force", action="store_true", help="replace files that were not made here")


def run(args: argparse.Namespace) -> int:
    built = ritual_dsl.build(args.game, args.out, args.force, tell)
    if built.warnings:
        print(report(built.warnings), file=sys.stderr)
    if built.tested.failed:
        print(built.tested.text(), file=sys.stderr)
        return FAULTS
    return CLEAN


def tell(line: str) -> None:
    print(line, flush=True)
