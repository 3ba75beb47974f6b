"""`ritual explain`: what a diagnostic means.

In: a code, or nothing. Out: its entry of the table, or the list of all codes.
"""

from __future__ import annotations

import argparse

import ritual_dsl
from ritual_dsl.cli import CLEAN
from ritual_dsl.diagnostics.codes import CODES

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
    print(ritual_dsl.explain(args.code))
    return CLEAN
