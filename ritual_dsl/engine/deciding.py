"""What decides: a rule asked with every clause, patch and limit accounted for.

In: a rule, its evaluator, a state and the rule's own names. Out: the rule's value; in the trace, what decided; at the
witness, what was exercised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ritual_dsl.diagnostics import Diagnostic, Related, RitualError, fail
from ritual_dsl.engine.state import State
from ritual_dsl.engine.trace import Decided
from ritual_dsl.engine.witness import FALSE, RAN, TRUE
from ritual_dsl.model.game import Entry, Rule, rivals

if TYPE_CHECKING:
    from ritual_dsl.engine.evaluate import Evaluator, Locals


def decide(rule: Rule, evaluator: Evaluator, state: State, local: Locals) -> Any:
    """The value of a rule in a state, with its patches."""
    evaluator.work(state, rule.span)
    trace, witness = evaluator.trace, evaluator.witness
    evaluation = trace.begin(rule, tuple(local[: len(rule.params)])) if trace is not None else None
    decided: list[Decided] = []
    for clause in rule.clauses:
        entry = active(clause.entries, evaluator, state)
        if entry is None:
            continue
        if witness is not None:
            witness.note(entry.span, RAN)
        if entry.body is None:
            continue
        found = Decided(rule.name, clause, entry, evaluator.value(entry.body, state, local))
        if trace is not None and entry.guard.rule is not None:
            found.holder = evaluator.holder(entry.guard.rule, entry.guard.card, state)
        decided.append(found)
        if witness is not None and rule.type.kind == "truth":
            witness.note(entry.span, TRUE if found.value else FALSE)
        if trace is None and rule.combination != "value" and found.value is (rule.combination == "any"):
            break
    value = combine(rule, decided, evaluator, state, local)
    if evaluation is not None and trace is not None:
        evaluation.decided = decided
        trace.finish(evaluation, value)
    return value


def combine(rule: Rule, decided: list[Decided], evaluator: Evaluator, state: State, local: Locals) -> Any:
    if rule.combination == "value":
        if not decided:
            raise fail("RIT504", f"`{rule.name}` has no clause that counts now", rule.span)
        return limited(rule, decided, evaluator, state, local)
    values = [d.value for d in decided]
    any_of = rule.combination == "any"
    value = any(values) if any_of else all(values)
    for d in decided:  # the true clauses of a true `any of`, all of a false one; mirrored for `all of`
        d.decides = value is not any_of or d.value is any_of
    return value


def limited(rule: Rule, decided: list[Decided], evaluator: Evaluator, state: State, local: Locals) -> Any:
    """Every limit that counts now applies last, and the smallest wins."""
    value, clause = decided[0].value, decided[0].clause
    lowest: Decided | None = None
    for entry in clause.limits:
        bound = limit(entry, evaluator, state, local)
        if bound is not None and bound < value:
            value = bound
            lowest = Decided(rule.name, clause, entry, bound, limit=True)
    if lowest is not None:
        decided.append(lowest)
    return value


def limit(entry: Entry, evaluator: Evaluator, state: State, local: Locals) -> int | None:
    """How far a limit lets a value go now; None if it does not count."""
    chosen = active((entry,), evaluator, state)
    if chosen is None:
        return None
    if evaluator.witness is not None:
        evaluator.witness.note(chosen.span, RAN)
    if chosen.body is None or (entry.condition is not None and not evaluator.applies(entry.condition, state, local)):
        return None
    bound: int = evaluator.value(chosen.body, state, local)
    return bound


def active(entries: tuple[Entry, ...], evaluator: Evaluator, state: State) -> Entry | None:
    """The topmost entry whose guard holds, as the topmost patch of that patch has it."""
    for position in range(len(entries) - 1, -1, -1):
        entry = entries[position]
        if entry.guard and not evaluator.holds(entry.guard, state):
            continue
        if position and entry.origin and len(entries) > 2:
            refuse_rival(entries[:position], entry, evaluator, state)
        return active(entry.overrides, evaluator, state) or entry if entry.overrides else entry
    return None


def refuse_rival(below: tuple[Entry, ...], entry: Entry, evaluator: Evaluator, state: State) -> None:
    """Two patches of one layer must not hold together, unless they say the same."""
    for other in below:
        if rivals(other, entry) and other.body != entry.body and evaluator.holds(other.guard, state):
            first = Related("the other patch", other.span)
            message = f"`{entry.origin}` and `{other.origin}` both patch this, and both hold now"
            raise RitualError([Diagnostic("RIT508", message, entry.span, None, (first,))])
