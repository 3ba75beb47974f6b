"""`ritual deduce`: what a player can know of what they do not see.

In: a game reference and a file that says what was seen. Out: text or JSON.
"""

from __future__ import annotations

import argparse
import json

import ritual_dsl
from ritual_dsl.analysis.deduce_words import as_json, as_text
from ritual_dsl.cli import CLEAN

HELP = """
The file is like a scenario: players, what is given, what was done and what was answered. Pieces may be
`unknown`. What the player does not see is unknown even if the file says it. A file with a seed, shuffles
or draws is a game as it was. What public variables were set to can be told under `seen`.

  players: [A, B, C]
  given:
    hand: {A: unknown, B: lantern, C: rope}
    discard: [map]

Every value is told with its exact weight, each of the others with what rules it out. Assumptions are the
game's own (`assume …` in its rules), and `they chose the most telling play`.

example: ritual deduce my_game --given table.yaml --as A
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--given", metavar="FILE", required=True, help="what was seen and done")
    parser.add_argument("--as", dest="viewer", metavar="PLAYER", help="whose eyes; default: what all see alike")
    parser.add_argument("--assume", action="append", default=[], metavar="TEXT", help="more than the rules say")
    parser.add_argument("--format", choices=("human", "json"), default="human", help="default: human")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="short for --format json")


def run(args: argparse.Namespace) -> int:
    found = ritual_dsl.deduce(args.game, args.given, args.viewer, args.assume)
    print(json.dumps(as_json(found), indent=1, ensure_ascii=False) if args.format == "json" else as_text(found))
    return CLEAN
