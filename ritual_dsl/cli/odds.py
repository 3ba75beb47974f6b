"""`ritual odds`: exact odds of every card, as the game declares them.

In: a game reference and the number of players. Out: a table or JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import ritual_dsl
from ritual_dsl.analysis.odds_words import as_json, as_text, panels
from ritual_dsl.cli import CLEAN
from ritual_dsl.cli.progress import Line
from ritual_dsl.plots import check_plot, write_plot

HELP = """
What is dealt, run and reported, the rules declare with `odds with … from … after …:`.
All fractions are exact. With --given, what the file says is known already; with --as, what that
player does not see is not. The file holds `players` and `given`, as scenarios do:

  players: [A, B, C]
  given:
    hand: {B: lantern, C: rope}
    discard: [map]

example: ritual odds my_game my_game+./house.yaml --players 4 --plot odds.svg
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="+", metavar="GAME", help="one game, or several to compare")
    parser.add_argument("--players", type=int, metavar="N", help="default: 5, or as near as the game allows")
    parser.add_argument("--given", metavar="FILE", help="what is known already: hands, discards, counters")
    parser.add_argument("--as", dest="viewer", metavar="PLAYER", help="as this player sees it, about their own card")
    parser.add_argument("--plot", metavar="FILE", help="write a bar chart, .svg or .png; of several games side by side")
    parser.add_argument("--format", choices=("human", "json"), default="human", help="default: human")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="short for --format json")


def run(args: argparse.Namespace) -> int:
    if args.plot is not None:
        check_plot(Path(args.plot))
    line = Line()
    results = [ritual_dsl.odds(game, args.players, args.given, args.viewer, line) for game in args.games]
    line.clear()
    if args.format == "json":
        found = [as_json(result) for result in results]
        print(json.dumps(found if len(found) > 1 else found[0], indent=1, ensure_ascii=False))
    else:
        print("\n\n".join(as_text(result) for result in results))
    if args.plot is not None:
        write_plot(Path(args.plot), panels(results))
        print(f"wrote {args.plot}", file=sys.stderr)
    return CLEAN
