"""`ritual test`: run scenario files.

In: files, folders, or games. Out: what failed, as differences, and a closing count; on demand what the scenarios
exercised, and which changes of the rules they do not notice; or a report for machines.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS, reporting, status_of
from ritual_dsl.diagnostics import RitualError, has_errors
from ritual_dsl.diagnostics.human import report
from ritual_dsl.diagnostics.report import Report
from ritual_dsl.loading.reference import shipped_games
from ritual_dsl.scenarios import TestReport
from ritual_dsl.scenarios.coverage import Coverage, Share

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
    parser.add_argument("--mutate", action="store_true", help="change one thing at a time; list what nobody notices")
    parser.add_argument("--workers", metavar="N", type=positive, help="processes for --mutate; default: one a core")
    parser.add_argument("--fail-under", metavar="PERCENT", type=percentage, help="fail if less is exercised or noticed")
    reporting.arguments(parser)


def percentage(word: str) -> float:
    number = float(word)
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError("a percentage is from 0 to 100")
    return number


def positive(word: str) -> int:
    number = int(word)
    if not 1 <= number <= 256:
        raise argparse.ArgumentTypeError("a number from 1 to 256")
    return number


def run(args: argparse.Namespace) -> int:
    names = args.paths or shipped_games()
    wanted = args.coverage or args.coverage_html or (args.fail_under is not None and not args.mutate)
    coverage = Coverage() if wanted else None
    extra: dict[str, Any] = {}
    texts: list[str] = []
    try:
        tested = ritual_dsl.test(names, coverage)
        texts.append(tested.text())
        status = FAULTS if tested.failed else CLEAN
        if coverage is not None:
            status = max(status, measure(coverage, args, texts, extra))
        if args.mutate:
            status = max(status, mutate(names, tested, args, texts, extra))
    except RitualError as error:
        tested = TestReport(diagnostics=list(error.diagnostics))
        texts = [report(tested.diagnostics)]
        status = status_of(error.diagnostics)
    if args.format != "human":
        found = Report("test", tested.cases, status, root=reporting.root_for(args.format), extra=extra)
        reporting.emit(found, args.format)
    else:
        print("\n\n".join(texts), file=sys.stdout if tested.results or status == FAULTS else sys.stderr)
    return status


def measure(coverage: Coverage, args: argparse.Namespace, texts: list[str], extra: dict[str, Any]) -> int:
    """What the scenarios exercised, as far as it was asked for."""
    from ritual_dsl.scenarios.coverage_report import data, html, table
    from ritual_dsl.sheets.files import write_all

    if args.coverage_html is not None:
        write_all(args.coverage_html.parent, {args.coverage_html.name: html(coverage).encode("utf-8")})
    if args.coverage:
        texts.append(table(coverage))
        extra["coverage"] = data(coverage)
    return verdict(coverage.share(), "exercised", args.fail_under)


def mutate(
    names: list[str], tested: TestReport, args: argparse.Namespace, texts: list[str], extra: dict[str, Any]
) -> int:
    """Which changes the scenarios do not notice; findings about excused ones join those of the files."""
    from ritual_dsl.scenarios.mutation_report import data, text

    mutation, found = ritual_dsl.mutate(names, args.workers, progress if sys.stderr.isatty() else None)
    tested.diagnostics += found
    texts += [report(found)] if found else []
    texts.append(text(mutation))
    extra["mutation"] = data(mutation)
    return max(FAULTS if has_errors(found) else CLEAN, verdict(mutation.share, "noticed", args.fail_under))


def progress(done: int, of: int, unnoticed: int) -> None:
    end = "\n" if done == of else ""
    print(f"\r{done} of {of} changes tried, {unnoticed} unnoticed", end=end, file=sys.stderr, flush=True)


def verdict(share: Share, what: str, wanted: float | None) -> int:
    from ritual_dsl.scenarios.coverage_report import percent

    if wanted is None or share.percent >= wanted:
        return CLEAN
    print(f"{percent(share)} {what}, less than the {wanted:g} % asked for", file=sys.stderr)
    return FAULTS
