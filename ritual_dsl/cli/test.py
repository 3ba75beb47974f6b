"""`ritual test`: run scenario files.

In: files, folders, or games. Out: what failed, as differences, and a closing count.
"""

from __future__ import annotations

import argparse

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS
from ritual_dsl.loading.reference import shipped_games

HELP = """
A path may be a *.scenario.yaml file, a folder of them, or the name of a shipped game.
Without any, the scenarios of all shipped games are run.
Exit code: 0 all passed, 1 something failed, 2 could not run.

example: ritual test ./house.scenario.yaml
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what to run; default: all shipped games")


def run(args: argparse.Namespace) -> int:
    report = ritual_dsl.test(args.paths or shipped_games())
    print(report.text())
    return FAULTS if report.failed or not report.results else CLEAN
