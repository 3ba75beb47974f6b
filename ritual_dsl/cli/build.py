"""`ritual build`: check, test and render a game in one go.

In: a game reference. Out: printable sheets below `build/<game id>/`, one line for each stage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS
from ritual_dsl.diagnostics import RitualError, has_errors
from ritual_dsl.diagnostics.human import count, report

HELP = """
Stops at the first stage that fails: check, test the game's own scenarios, render.

example: ritual build ./my_game --out printed
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game reference")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to write; default: build/<game id>")


def run(args: argparse.Namespace) -> int:
    found = ritual_dsl.check(args.game)
    if has_errors(found):
        raise RitualError(found)
    if found:
        print(report(found), file=sys.stderr)
    print(f"check: {count(len(found), 'warning') if found else 'clean'}", flush=True)

    tested = ritual_dsl.test([args.game])
    if tested.failed:
        print(tested.text(), file=sys.stderr)
        print(f"test: {tested.failed} failed, {tested.passed} passed", flush=True)
        return FAULTS
    print(f"test: {count(tested.passed, 'scenario')} passed", flush=True)

    out = args.out or Path("build") / ritual_dsl.load(args.game).files.manifest.id
    written = ritual_dsl.render(args.game, format="html", out=out)
    print(f"render: {count(len(written), 'file')} in {out}")
    for path in written:
        print(f"  {path}")
    return CLEAN
