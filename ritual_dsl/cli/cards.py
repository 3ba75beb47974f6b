"""`ritual cards`: a game's cards as a spreadsheet, and back as an overlay of what differs.

In: a game reference, or a CSV file. Out: a CSV file, or an overlay.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN, COULD_NOT_RUN
from ritual_dsl.diagnostics.human import count, report

HELP = """
GAME --csv FILE writes one row a card: id, names, copies, slot, citations, attributes, texts.
--from-csv FILE --extends GAME makes an overlay of what differs from the game: changed cells, new rows,
rows that are gone. It is printed, or written to --out. Rules stay in the game's files.

example: ritual cards my_game --csv cards.csv
         ritual cards --from-csv cards.csv --extends my_game --out house.yaml
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="whose cards to write")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="the spreadsheet to write")
    parser.add_argument("--from-csv", metavar="FILE", type=Path, help="the spreadsheet to read")
    parser.add_argument("--extends", metavar="GAME", help="the game to compare it with")
    parser.add_argument("--out", metavar="FILE", type=Path, help="the overlay to write; default: print it")
    parser.add_argument("--id", metavar="ID", help="the id of the overlay; default: after its file")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")


def run(args: argparse.Namespace) -> int:
    if args.game is not None and args.csv is not None and args.from_csv is None:
        cards = ritual_dsl.cards_to_csv(args.game, args.csv, args.force)
        print(f"{args.csv}: {count(cards, 'card')}")
        return CLEAN
    if args.from_csv is not None and args.extends is not None and args.game is None and args.csv is None:
        text, warnings = ritual_dsl.cards_from_csv(args.from_csv, args.extends, args.out, args.id, args.force)
        if warnings:
            print(report(warnings), file=sys.stderr)
        print(text if args.out is None else f"{args.out}: written", end="" if args.out is None else "\n")
        return CLEAN
    print("say GAME --csv FILE, or --from-csv FILE --extends GAME", file=sys.stderr)
    return COULD_NOT_RUN
