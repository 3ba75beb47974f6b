"""Groups: what holds of their members, how many there are, and who comes first.

In: expressions over a group. Out: functions of state and locals; every member looked at counts as work.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.state import State
from ritual_dsl.model import ir

if TYPE_CHECKING:
    from ritual_dsl.engine.evaluate import Evaluator, Function, Locals


@cache
def people(count: int) -> frozenset[int]:
    """So many seats, from the first on."""
    return frozenset(range(count))


def without(e: ir.Without, evaluator: Evaluator) -> Function:
    many, one = evaluator.build(e.group), evaluator.build(e.element)
    whole_set = e.element.type.is_set

    def without(s: State, x: Locals) -> Any:
        left_out = one(s, x)
        members = many(s, x)
        out = left_out if whole_set else (left_out,)
        if isinstance(members, frozenset):
            return members.difference(out)
        return type(members)(m for m in members if m not in out)

    return without


def quantified(e: ir.Quantified, evaluator: Evaluator) -> Function:
    many, body, slot, span = evaluator.members(e.group), evaluator.build(e.body), e.slot, e.span
    stops_at = e.kind != "every"
    at_stop = e.kind == "some"

    def quantified(s: State, x: Locals) -> bool:
        for member in many(s, x):
            s.work += 1
            if s.work > evaluator.work_limit:
                raise evaluator.too_much(span)
            x[slot] = member
            if bool(body(s, x)) is stops_at:
                return at_stop
        return not at_stop

    return quantified


def aggregate(e: ir.Aggregate, evaluator: Evaluator) -> Function:
    many, term, slot, span = evaluator.members(e.group), evaluator.build(e.term), e.slot, e.span
    condition = evaluator.decision(e.condition) if e.condition is not None else None

    def values(s: State, x: Locals) -> list[int]:
        found = []
        for member in many(s, x):
            s.work += 1
            if s.work > evaluator.work_limit:
                raise evaluator.too_much(span)
            x[slot] = member
            if condition is None or condition(s, x):
                found.append(term(s, x))
        return found

    match e.kind:
        case "count" | "sum":
            return lambda s, x: sum(values(s, x))
        case "highest":
            return lambda s, x: max(values(s, x), default=0)
        case _:
            return lambda s, x: min(values(s, x), default=0)


def first(e: ir.First, evaluator: Evaluator) -> Function:
    """The nearest clockwise; with a key, the nearest of those that have the lowest or highest of it."""
    many, start, slot, span = evaluator.members(e.group), evaluator.build(e.start), e.slot, e.span
    key = evaluator.build(e.key) if e.key is not None else None
    sign = -1 if e.kind == "highest" else 1
    nearest = 0 if e.inclusive else 1

    def first(s: State, x: Locals) -> int | None:
        origin = start(s, x)
        if origin is None:
            raise fail("RIT504", "nobody is meant here: the value is absent", e.start.span)
        seats, origin = s.seats, origin + nearest
        best: int | None = None
        result = None
        for member in many(s, x):
            s.work += 1
            if s.work > evaluator.work_limit:
                raise evaluator.too_much(span)
            rank = (member - origin) % seats
            if key is not None:
                x[slot] = member
                rank += sign * key(s, x) * seats
            if best is None or rank < best:
                best, result = rank, member
        return result

    return first
