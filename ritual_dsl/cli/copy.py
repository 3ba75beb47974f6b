"""`ritual copy`: the whole game, to edit."""

from __future__ import annotations

import argparse
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN
from ritual_dsl.diagnostics.human import count

HELP = """
The folder must not exist yet, or be empty. The copy is a game: its path works wherever a game does,
and its scenarios are about the copy.

example: ritual copy my_game ./mine && ritual check ./mine
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, perhaps as of a revision, without modules")
    parser.add_argument("folder", metavar="DIR", type=Path, help="where to put it")


def run(args: argparse.Namespace) -> int:
    written = ritual_dsl.copy(args.game, args.folder)
    print(f"{args.folder}: {count(written, 'file')}")
    return CLEAN
