"""Rules as functions, for runs in which nobody asks what decided.

In: a rule and its evaluator. Out: a function of inputs and state with the value the evaluator's `ask` would give,
which works out no more than it needs. A rule with limits or with patches of patches is left to `ask`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ritual_dsl.engine.state import State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Rule

if TYPE_CHECKING:
    from ritual_dsl.engine.evaluate import Evaluator

Asked = Callable[[tuple[Any, ...], State], Any]
Reader = Callable[[State, list[Any]], Any]
SILENT = object()  # a clause that does not count now


def quick_rule(rule: Rule, evaluator: Evaluator) -> Asked:
    readers = [quick_clause(clause, evaluator) for clause in rule.clauses]
    pad = [None] * (rule.slots - len(rule.params))
    span = rule.span
    if None in readers or (rule.combination == "value" and len(readers) != 1):
        return lambda args, state: evaluator.ask_fully(rule, args, state)
    known = [reader for reader in readers if reader is not None]

    if rule.combination == "value":
        read = known[0]

        def value(args: tuple[Any, ...], state: State) -> Any:
            evaluator.work(state, span)
            found = read(state, [*args, *pad])
            return found if found is not SILENT else evaluator.combine(rule, [], state, [])

        return value

    stops = rule.combination == "any"

    def truth(args: tuple[Any, ...], state: State) -> bool:
        evaluator.work(state, span)
        local = [*args, *pad]
        for reader in known:
            found = reader(state, local)
            if found is not SILENT and bool(found) is stops:
                return stops
        return not stops

    return truth


def quick_clause(clause: Clause, evaluator: Evaluator) -> Reader | None:
    """The topmost entry whose guard holds; None if there is more to it than that."""
    entries = clause.entries
    if clause.limits or len(entries) > 2 or any(entry.overrides for entry in entries):
        return None
    found: list[tuple[ir.Guard | None, Reader]] = []
    for entry in reversed(entries):
        body = evaluator.build(entry.body) if entry.body is not None else silent
        found.append((entry.guard if entry.guard else None, body))
        if not entry.guard:
            break
    if found[0][0] is None:
        return found[0][1]
    holds = evaluator.holds

    def read(state: State, local: list[Any]) -> Any:
        for guard, body in found:
            if guard is None or holds(guard, state):
                return body(state, local)
        return SILENT

    return read


def silent(state: State, local: list[Any]) -> Any:
    return SILENT
