"""`ritual compile`: the flat code of a game.

In: a game reference. Out: whether there is flat code, and with --show its text.
"""

from __future__ import annotations

import argparse

from ritual_dsl import load
from ritual_dsl.cli import CLEAN
from ritual_dsl.compiler.cache import fingerprint
from ritual_dsl.compiler.flat import FORMS, compile_game
from ritual_dsl.simulation.series import read_players

HELP = """
Everything chosen is baked in: modules, rulings, house rules, the number of players. Comments name the
part of the rules that the lines below them come from.

example: ritual compile my_game --players 4 --show
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game reference")
    parser.add_argument("--players", metavar="N", help="a number, or a range such as 3-5 (default: 5, if possible)")
    parser.add_argument("--form", choices=FORMS, default="python", help="who draws for the bots (default: python)")
    parser.add_argument("--show", action="store_true", help="print the code")


def run(args: argparse.Namespace) -> int:
    game = load(args.game)
    for players in read_players(args.players, game):
        flat = compile_game(game, players, args.form)
        if args.show:
            print(flat.shown)
        else:
            lines = len(flat.source.splitlines())
            print(f"{game.reference}, {players} players: {lines:,} lines, fingerprint {fingerprint(flat.source)}")
    return CLEAN
