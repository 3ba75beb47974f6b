"""Which clauses are behind a no.

In: a condition that does not hold. Out: the clauses that decided, the most particular ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from ritual_dsl.engine.evaluate import Evaluator, Locals
from ritual_dsl.engine.state import State
from ritual_dsl.engine.trace import Decided, Evaluation, Trace
from ritual_dsl.model import ir

MOST = 6  # clauses that are told


def blamed(condition: ir.Expr, evaluator: Evaluator, state: State, local: Locals) -> list[Decided]:
    """None, if the condition says no by itself; the evaluator is one that traces."""
    trace = evaluator.trace = Trace()
    evaluator.value(condition, state, local)
    found = {d.name: d for evaluation in deciding(trace.top) for d in reasons(evaluation)}
    return list(found.values())[:MOST]


def deciding(asked: Sequence[Evaluation]) -> Sequence[Evaluation]:
    """Of questions asked in a row, those that settled it: the last, if it came out differently, else all."""
    truths = [evaluation for evaluation in asked if isinstance(evaluation.value, bool)]
    if all(evaluation.value is truths[-1].value for evaluation in truths):
        return truths
    return truths[-1:]


def reasons(evaluation: Evaluation) -> list[Decided]:
    """What decided a rule: what the pieces it was asked about say themselves, and what lies behind it."""
    decided = [d for d in evaluation.decided if d.decides]
    own = [d for d in decided if d.entry.origin in evaluation.args]
    behind = [d for inner in deciding(evaluation.inner) for d in reasons(inner)]
    return [*own, *behind] or [d for d in decided if not d.entry.origin]
