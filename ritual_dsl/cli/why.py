"""`ritual why`: run one scenario and explain each outcome.

In: a scenario file, perhaps a scenario's name. Out: every rule asked, with the clauses that decided.
"""

from __future__ import annotations

import argparse

import ritual_dsl
from ritual_dsl.cli import CLEAN

HELP = """
Without a name the first scenario of the file is run. `fails.x@y` names clause and patch.

example: ritual why ./house.scenario.yaml "a loud night"
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="SCENARIO_FILE", help="a *.scenario.yaml file")
    parser.add_argument("name", nargs="?", metavar="NAME", help="which scenario; default: the first")


def run(args: argparse.Namespace) -> int:
    print(ritual_dsl.why(args.file, args.name))
    return CLEAN
