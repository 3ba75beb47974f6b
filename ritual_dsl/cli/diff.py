"""`ritual diff`: what a change really does.

In: two game references. Out: what reads differently, what comes out differently, and how the odds move.
"""

from __future__ import annotations

import argparse
import json

import ritual_dsl
from ritual_dsl.analysis.diff_words import as_json, as_markdown, as_text
from ritual_dsl.cli import CLEAN
from ritual_dsl.cli.progress import Line

HELP = """
Deals are compared for every number of players, or for the one given. The smallest state that comes
out differently is printed as a scenario. Markdown is fit for a comment on a pull request.

example: ritual diff my_game my_game+./house.yaml --format markdown
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="GAME", help="a game as it was")
    parser.add_argument("after", metavar="GAME", help="a game as it is")
    parser.add_argument("--players", type=int, metavar="N", help="compare deals for this number only")
    parser.add_argument("--format", choices=("human", "json", "markdown"), default="human", help="default: human")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="short for --format json")


def run(args: argparse.Namespace) -> int:
    line = Line()
    found = ritual_dsl.diff(args.before, args.after, args.players, line)
    line.clear()
    if args.format == "json":
        print(json.dumps(as_json(found), indent=1, ensure_ascii=False))
    else:
        print(as_text(found) if args.format == "human" else as_markdown(found))
    return CLEAN
