"""`ritual explain`: what a diagnostic means.

In: a code, or nothing. Out: its entry of the table, or the list of all codes.
"""

from __future__ import annotations

import argparse
import sys

from ritual_dsl.cli import CLEAN, COULD_NOT_RUN
from ritual_dsl.diagnostics.codes import CODES
from ritual_dsl.diagnostics.codes.page import text
from ritual_dsl.diagnostics.suggest import near_miss

HELP = """
Without a code, all codes are listed.

example: ritual explain RIT312
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="a code such as RIT312")


def run(args: argparse.Namespace) -> int:
    if args.code is None:
        print("\n".join(f"{c.code}  {c.severity:<7}  {c.title}" for c in CODES.values()))
        return CLEAN
    wanted = args.code.strip().upper()
    known = CODES.get(wanted) or CODES.get(f"RIT{wanted}")
    if known is None:
        hint = near_miss(wanted, CODES) or "`ritual explain` lists all codes"
        print(f"there is no code `{args.code}`: {hint}", file=sys.stderr)
        return COULD_NOT_RUN
    print(text(known))
    return CLEAN
