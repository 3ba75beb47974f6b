"""Why a scenario came out as it did: each rule asked, the clauses that decided, their citations.

In: a `Result` with the trace of its run. Out: text.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.engine.run import Run
from ritual_dsl.engine.trace import Decided, Evaluation
from ritual_dsl.model.types import Type
from ritual_dsl.scenarios.run import Result


def explain_result(result: Result) -> str:
    lines = [f"{result.scenario.name}  ({result.scenario.game})"]
    run = result.run
    if run is None or run.trace is None:
        return "\n".join([*lines, *(d.message for d in result.diagnostics)])
    lines += happened(run)
    for evaluation in run.trace.last.values():
        lines.append("")
        lines += evaluated(evaluation, run)
    lines += ["", *(str(m) for m in result.mismatches), *(f"{d.code}: {d.message}" for d in result.diagnostics)]
    lines.append("as expected" if result.passed else "NOT as expected")
    return "\n".join(lines)


def happened(run: Run) -> list[str]:
    """What changed: counters and ends."""
    lines = []
    for event in run.state.log:
        if event.kind == "changed":
            counter, owner, value = event.public
            lines.append(f"  {run.share(counter, owner)} becomes {value}")
        elif event.kind == "ended":
            lines.append(f"  {event.public[0]} ends as {event.public[1]}")
    return lines


def evaluated(evaluation: Evaluation, run: Run) -> list[str]:
    rule = evaluation.rule
    args = ", ".join(run.show(a, t) for a, (_, t) in zip(evaluation.args, rule.params, strict=True))
    cites = " ".join(rule.cites)
    head = f"{rule.name}({args})" if args else rule.name
    lines = [f"{head} = {word(evaluation.value, rule.type, run)}{'  ' + cites if cites else ''}"]
    return lines + [f"  {decided(d, rule.type, run)}" for d in evaluation.decided if d.decides]


def decided(d: Decided, type: Type, run: Run) -> str:
    cites = " ".join(d.entry.cites or d.clause.cites)
    verb = "limits it to" if d.limit else "says"
    where = f"{d.entry.span.path}:{d.entry.span.line}"
    return f"{d.name} {verb} {word(d.value, type, run)}  {cites + '  ' if cites else ''}[{where}]"


def word(value: Any, type: Type, run: Run) -> str:
    return run.show(value, type)
