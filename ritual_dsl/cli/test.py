"""`ritual test`: run scenario files.

In: files, folders, or games. Out: what failed, as differences, and a closing count, and on demand what the
scenarios exercised; or a report for machines.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS, reporting, status_of
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.diagnostics.human import report
from ritual_dsl.diagnostics.report import Report
from ritual_dsl.loading.reference import shipped_games
from ritual_dsl.scenarios import TestReport
from ritual_dsl.scenarios.coverage import Coverage

HELP = """
A path may be a *.scenario.yaml file, a folder of them, or the name of a shipped game.
Without any, the scenarios of all shipped games are run.
Exit code: 0 all passed, 1 something failed or is below --fail-under, 2 could not run.

example: ritual test ./house.scenario.yaml --coverage --fail-under 90
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="what to run; default: all shipped games")
    parser.add_argument("--coverage", action="store_true", help="say which clauses and branches were exercised")
    parser.add_argument("--coverage-html", metavar="FILE", type=Path, help="write the same as annotated source")
    parser.add_argument("--fail-under", metavar="N", type=percentage, help="fail if less than N %% was exercised")
    reporting.arguments(parser)


def percentage(word: str) -> float:
    number = float(word)
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError("a percentage is from 0 to 100")
    return number


def run(args: argparse.Namespace) -> int:
    coverage = Coverage() if args.coverage or args.coverage_html or args.fail_under is not None else None
    try:
        tested = ritual_dsl.test(args.paths or shipped_games(), coverage)
        status = FAULTS if tested.failed else CLEAN
    except RitualError as error:
        tested, coverage = TestReport(diagnostics=list(error.diagnostics)), None
        status = status_of(error.diagnostics)
    if coverage is not None and falls_short(coverage, args.fail_under):
        status = FAULTS
    if coverage is not None and args.coverage_html:
        write_page(coverage, args.coverage_html)
    tell(tested, coverage if args.coverage else None, status, args.format)
    return status


def tell(tested: TestReport, coverage: Coverage | None, status: int, format: str) -> None:
    from ritual_dsl.scenarios.coverage_report import data, table

    if format != "human":
        extra = {"coverage": data(coverage)} if coverage is not None else {}
        reporting.emit(Report("test", tested.cases, status, root=reporting.root_for(format), extra=extra), format)
    elif tested.results or status == FAULTS:
        print(tested.text())
        if coverage is not None:
            print("\n" + table(coverage))
    else:
        print(report(tested.diagnostics), file=sys.stderr)


def falls_short(coverage: Coverage, wanted: float | None) -> bool:
    from ritual_dsl.scenarios.coverage_report import percent

    share = coverage.share()
    if wanted is None or share.percent >= wanted:
        return False
    print(f"{percent(share)} exercised, less than the {wanted:g} % asked for", file=sys.stderr)
    return True


def write_page(coverage: Coverage, path: Path) -> None:
    from ritual_dsl.scenarios.coverage_report import html
    from ritual_dsl.sheets import refuse_foreign, write

    refuse_foreign(path)
    write(path, html(coverage))
