"""Whether what may happen at any time may happen now, and if not, which clauses say so.

In: a run, a procedure with a condition, its inputs. Out: nothing, or a refusal; or who may do it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ritual_dsl.diagnostics import Diagnostic, Related, RitualError, fail
from ritual_dsl.engine.evaluate import Evaluator, Locals
from ritual_dsl.engine.state import State
from ritual_dsl.engine.trace import Trace
from ritual_dsl.model import ir
from ritual_dsl.model.game import Procedure

if TYPE_CHECKING:
    from ritual_dsl.engine.run import Run


def names_for(procedure: Procedure, args: tuple[Any, ...]) -> Locals:
    """The inputs, and room for the names of its own."""
    return [*args, *(None,) * (procedure.slots - len(args))]


def doers(by: ir.Expr, evaluator: Evaluator, state: State, local: Locals) -> frozenset[int]:
    """Who may do it now."""
    who = evaluator.value(by, state, local)
    return frozenset(who) if by.type.is_set else frozenset() if who is None else frozenset((who,))


def require(run: Run, procedure: Procedure, args: tuple[Any, ...]) -> None:
    """Refuse it where nobody may do it, or its condition does not hold. Who does it is not asked."""
    evaluator, local = run.machine.evaluator, names_for(procedure, args)
    by, condition = procedure.by, procedure.only_when
    if by is not None and not doers(by, evaluator, run.state, local):
        why = f"nobody may do it: `{by.span.quoted()}` is {'empty' if by.type.is_set else 'none'}"
        raise fail("RIT512", f"`{called(run, procedure, args)}` cannot happen now, {why}", by.span)
    if condition is None or evaluator.applies(condition, run.state, local):
        return
    reasons = list(Reasons(run, local).of(condition, False))
    message = f"`{called(run, procedure, args)}` cannot happen now: {' and '.join(r.message for r in reasons)}"
    related = tuple(reason for reason in reasons if reason.span != condition.span)
    raise RitualError([Diagnostic("RIT512", message, condition.span, None, related)])


def called(run: Run, procedure: Procedure, args: tuple[Any, ...]) -> str:
    """It and its inputs, in words."""
    given = ", ".join(f"{name}: {run.show(a, type)}" for a, (name, type) in zip(args, procedure.params, strict=True))
    return f"{procedure.name}({given})" if given else procedure.name


class Reasons:
    """What makes a condition true or false: the clauses of the rules it asks, or its own words."""

    def __init__(self, run: Run, local: Locals) -> None:
        self.state = run.state
        self.local = local
        self.trace = Trace()
        self.evaluator = Evaluator(run.game, self.trace)

    def of(self, e: ir.Expr, value: bool) -> Iterator[Related]:
        match e:
            case ir.Not(operand=ir.Not() | ir.And() | ir.Or() | ir.CallRule() as operand):
                yield from self.of(operand, not value)
            case ir.And(left=left, right=right) | ir.Or(left=left, right=right):
                settles = isinstance(e, ir.Or)  # a true left side settles an `or`, a false one an `and`
                first = bool(self.evaluator.value(left, self.state, self.local))
                if first is value:
                    yield from self.of(left, value)
                if first is not settles:
                    yield from self.of(right, value)
            case ir.CallRule():
                yield from self.clauses(e, value)
            case _:
                yield Related(said(e.span.quoted(), value), e.span)

    def clauses(self, e: ir.CallRule, value: bool) -> Iterator[Related]:
        self.evaluator.value(e, self.state, self.local)
        decided = [d for d in self.trace.top[-1].decided if d.decides]
        for clause in decided:
            yield Related(said(clause.name, value), clause.entry.span)
        if not decided:
            yield Related(said(e.span.quoted(), value), e.span)


def said(what: str, value: bool) -> str:
    return f"`{what}` {'holds' if value else 'does not hold'}"
