"""How scenarios came out, as cases of a report.

In: a `TestReport`. Out: one `Case` for each scenario, and one for each file with faults of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ritual_dsl.diagnostics import Diagnostic, has_errors, ordered
from ritual_dsl.diagnostics.human import frame, printable, show
from ritual_dsl.diagnostics.report import Case
from ritual_dsl.scenarios.run import Result


def cases_of(results: Iterable[Result], diagnostics: Iterable[Diagnostic]) -> tuple[Case, ...]:
    return (*files(diagnostics), *(case_of(result) for result in results))


def files(diagnostics: Iterable[Diagnostic]) -> list[Case]:
    """What is to be said about the files themselves, file by file."""
    groups: dict[str, list[Diagnostic]] = {}
    for d in ordered(diagnostics):
        groups.setdefault(d.span.path if d.span else "test", []).append(d)
    return [
        Case(
            name="the file itself",
            group=path,
            passed=not has_errors(found),
            findings=tuple(found),
            text="\n\n".join(show(d) for d in found),
        )
        for path, found in groups.items()
    ]


def case_of(result: Result) -> Case:
    scenario = result.scenario
    return Case(
        name=scenario.name,
        group=scenario.span.path,
        passed=result.passed,
        findings=findings_of(result),
        mismatches=tuple(result.mismatches),
        span=scenario.span,
        game=scenario.game,
        text="" if result.passed else failure(result),
    )


def findings_of(result: Result) -> tuple[Diagnostic, ...]:
    """Differences as findings too; what has no place of its own stands at the scenario."""
    scenario = result.scenario
    found = [replace(d, span=scenario.span) if d.span is None else d for d in result.diagnostics]
    found += [Diagnostic("RIT613", f"{scenario.name}: {m}", m.span) for m in result.mismatches]
    return tuple(ordered(found))


def title(result: Result) -> str:
    return printable(f"FAILED {result.scenario.name}  ({result.scenario.span}, {result.scenario.game})")


def failure(result: Result) -> str:
    """One failed scenario: where, and each difference with the line that expected it."""
    lines = [title(result)]
    for mismatch in result.mismatches:
        words = (f"  {mismatch.what}", f"    expected  {mismatch.expected}", f"    but it is {mismatch.actual}")
        lines += map(printable, words)
        lines += frame(mismatch.span)
    lines += ["  " + line for d in result.diagnostics for line in show(d).splitlines()]
    return "\n".join(lines)
