"""`ritual render`: the printable reference of a game."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ritual_dsl import load
from ritual_dsl.diagnostics import near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.sheets import FORMATS, SHEETS, render

HELP = "write a printable reference of a game"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, perhaps with modules: game+variant+ruling=option")
    parser.add_argument("--lang", metavar="L", help="only this language (default: one file for each)")
    parser.add_argument("--format", default="html", help="html (default)")
    parser.add_argument("--sheet", default="rules", help="rules (default)")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("build"), help="where to write (default: build)"
    )


def run(args: argparse.Namespace) -> int:
    for what, word, known in (("format", args.format, FORMATS), ("sheet", args.sheet, SHEETS)):
        if word not in known:
            return complain(f"the {what} `{word}` is not available yet; available: {listing(known)}")
    game = load(args.game)
    if args.lang is not None and args.lang not in game.languages:
        hint = near_miss(args.lang, game.languages) or f"languages: {listing(game.languages)}"
        return complain(f"the game has no language `{args.lang}`: {hint}")
    for path in render(game, lang=args.lang, format=args.format, out=args.out):
        print(path)
    return 0


def complain(message: str) -> int:
    print(message, file=sys.stderr)
    return 2
