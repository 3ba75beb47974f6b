"""`ritual new`: a folder for a house rule, ready for pull requests."""

from __future__ import annotations

import argparse
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN
from ritual_dsl.diagnostics.human import printable

HELP = """
Writes a house rule, a scenario, schemas for editors, a workflow for GitHub and a README. They pass check, test and
fmt at once: change one line at a time from there. The folder must not exist yet, or be empty.

example: ritual new ./our_table --extends my_game && ritual test ./our_table
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="where to put it")
    parser.add_argument("--extends", metavar="GAME", required=True, help="the game that the house rule changes")


def run(args: argparse.Namespace) -> int:
    for name in ritual_dsl.new(args.folder, args.extends):
        print(printable(str(args.folder / name)))
    return CLEAN
