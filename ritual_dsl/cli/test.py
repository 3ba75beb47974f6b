"""`ritual test`: run scenario files.

In: files, folders, or games. Out: what failed, as differences, and a closing count; or a report for machines.
"""

from __future__ import annotations

import argparse
import sys

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS, reporting, status_of
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.diagnostics.human import report
from ritual_dsl.diagnostics.report import Report
from ritual_dsl.loading.reference import shipped_games
from ritual_dsl.scenarios import TestReport

HELP = """
A path may be a *.scenario.yaml file, a folder of them, or the name of a shipped game.
Without any, the scenarios of all shipped games are run.
Exit code: 0 all passed, 1 something failed, 2 could not run.

example: ritual test ./house.scenario.yaml --format junit > result.xml
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what to run; default: all shipped games")
    reporting.arguments(parser)


def run(args: argparse.Namespace) -> int:
    try:
        tested = ritual_dsl.test(args.paths or shipped_games())
        status = FAULTS if tested.failed else CLEAN
    except RitualError as error:
        tested = TestReport(diagnostics=list(error.diagnostics))
        status = status_of(error.diagnostics)
    if args.format != "human":
        reporting.emit(Report("test", tested.cases, status, root=reporting.root_for(args.format)), args.format)
    elif tested.results or status == FAULTS:
        print(tested.text())
    else:
        print(report(tested.diagnostics), file=sys.stderr)
    return status
