"""Mutation for people and programs: the changes that no scenario noticed.

In: a `Mutation`. Out: text, or plain data.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.diagnostics.human import count, frame
from ritual_dsl.scenarios.coverage_report import percent
from ritual_dsl.scenarios.mutants import Mutant
from ritual_dsl.scenarios.mutation import UNREACHED, Mutation, Outcome


def text(mutation: Mutation) -> str:
    """Each survivor with its place, then a closing count."""
    lines = []
    for mutant, outcome in mutation.judged:
        if mutation.survived(mutant, outcome):
            why = "no scenario comes here" if outcome.state == UNREACHED else "no scenario noticed"
            lines += [f"{mutant.span}: {why}: {mutant.where}: {mutant.change}", *frame(mutant.span), ""]
    noticed, all_ = mutation.share.hit, len(mutation.judged)
    refused = len(mutation.outcomes) - all_
    lines.append(
        f"{count(all_, 'change')}: {noticed} noticed, {len(mutation.equivalent)} equivalent, "
        f"{len(mutation.survivors)} unnoticed; {percent(mutation.share)} of those that could be noticed were"
    )
    lines += [f"({refused} more would be refused by the check)"] if refused else []
    return "\n".join(lines)


def data(mutation: Mutation) -> dict[str, Any]:
    """The same as plain data; documented in `docs/coverage.md`."""
    return {
        "version": 1,
        "percent": round(mutation.share.percent, 2),
        "noticed": mutation.share.hit,
        "equivalent": len(mutation.equivalent),
        "unnoticed": len(mutation.survivors),
        "refused": len(mutation.outcomes) - len(mutation.judged),
        "changes": [change_data(mutation, mutant, outcome) for mutant, outcome in mutation.outcomes],
    }


def change_data(mutation: Mutation, mutant: Mutant, outcome: Outcome) -> dict[str, Any]:
    reason = mutation.equivalent.get(mutant.name)
    return {
        "file": mutant.span.path,
        "line": mutant.span.line,
        "column": mutant.span.column,
        "where": mutant.where,
        "change": mutant.change,
        "state": "equivalent" if reason is not None else outcome.state,
        "by": reason if reason is not None else outcome.by,
    }
