"""Rules as functions: what their clauses say together, as patches have them now.

In: a rule and the evaluator of its game. Out: a function of a state and of the rule's own names, which begin with its
inputs. It works out no more than it needs; where somebody asks what decided, `deciding` gives the whole account.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Clause, Rule

if TYPE_CHECKING:
    from ritual_dsl.engine.evaluate import Evaluator, Function, Locals


def plain_rule(rule: Rule, evaluator: Evaluator) -> Function | None:
    """None if there is more to a clause than the topmost entry whose guard holds."""
    if not all(map(is_plain, rule.clauses)):
        return None
    match rule.combination:
        case "any":
            return truth_rule(rule, evaluator, either, lambda s, x: False)
        case "all":
            return truth_rule(rule, evaluator, both, lambda s, x: True)
        case _:
            return value_rule(rule, evaluator) if len(rule.clauses) == 1 else None


def is_plain(clause: Clause) -> bool:
    return not clause.limits and len(clause.entries) <= 2 and not any(entry.overrides for entry in clause.entries)


def either(clauses: list[Function]) -> Function:
    def any_of(s: State, x: Locals) -> bool:
        for holds in clauses:  # noqa: SIM110 - a generator takes longer than many a clause
            if holds(s, x):
                return True
        return False

    return any_of


def both(clauses: list[Function]) -> Function:
    def all_of(s: State, x: Locals) -> bool:
        for holds in clauses:  # noqa: SIM110
            if not holds(s, x):
                return False
        return True

    return all_of


def truth_rule(
    rule: Rule, evaluator: Evaluator, join: Callable[[list[Function]], Function], silent: Function
) -> Function:
    clauses, span = [plain_clause(clause, evaluator, silent) for clause in rule.clauses], rule.span
    holds = clauses[0] if len(clauses) == 1 else join(clauses)

    def truth(state: State, local: Locals) -> bool:
        state.work += 1
        if state.work > evaluator.work_limit:
            raise evaluator.too_much(span)
        return True if holds(state, local) else False  # noqa: SIM210 - to call `bool` takes longer

    return truth


def value_rule(rule: Rule, evaluator: Evaluator) -> Function:
    span = rule.span

    def silent(state: State, local: Locals) -> NoReturn:
        raise fail("RIT504", f"`{rule.name}` has no clause that counts now", span)

    clause = plain_clause(rule.clauses[0], evaluator, silent)

    def value(state: State, local: Locals) -> Any:
        state.work += 1
        if state.work > evaluator.work_limit:
            raise evaluator.too_much(span)
        return clause(state, local)

    return value


def plain_clause(clause: Clause, evaluator: Evaluator, silent: Function) -> Function:
    """The topmost entry whose guard holds; `silent` if there is none, or if it takes the clause away."""
    found = silent
    for entry in clause.entries:
        body = evaluator.build(entry.body) if entry.body is not None else silent
        found = guarded(evaluator.guard(entry.guard), body, found) if entry.guard else body
    return found


def guarded(holds: Callable[[State], bool], body: Function, below: Function) -> Function:
    return lambda s, x: body(s, x) if holds(s) else below(s, x)
