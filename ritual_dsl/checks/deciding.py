"""Clauses and cases that can never decide: contradictory ones, and those that others make needless."""

from __future__ import annotations

from ritual_dsl.checks.reasoner import Reasoner, leaves
from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Entry, Game, Rule
from ritual_dsl.model.walk import walk


def idle_clauses(game: Game, reasoner: Reasoner, found: Findings) -> None:
    for rule in game.rules.values():
        if rule.type.kind == "truth":
            for clause in rule.clauses:
                for entry in clause.entries:
                    one_sided(rule, clause, entry, reasoner, found)
            if rule.combination != "value":
                needless(rule, reasoner, found)


def one_sided(rule: Rule, clause: Clause, entry: Entry, reasoner: Reasoner, found: Findings) -> None:
    """A clause that never holds does nothing for `any of`, one that always holds nothing for `all of`."""
    body = entry.body
    if body is None or isinstance(body, ir.Const):  # a constant is there to be patched
        return
    wanted = rule.combination != "all"
    if reasoner.can_hold((body, wanted)).never:
        what = "can never hold" if wanted else "always holds"
        found.say("RIT420", f"`{rule.name}.{clause.label}` {what}, so it never decides", entry.span)


def needless(rule: Rule, reasoner: Reasoner, found: Findings) -> None:
    """A clause is shadowed if another one holds (of `all of`: fails) whenever it does."""
    plain = [(clause, only_body(clause)) for clause in rule.clauses]
    bodies = [(clause, body) for clause, body in plain if body is not None and not isinstance(body, ir.Const)]
    wanted = rule.combination == "any"
    shadowed: set[str] = set()
    for clause, body in bodies:
        for other, rival in bodies:
            if clause is other or other.label in shadowed or not shares_leaf(body, rival):
                continue
            alone = reasoner.can_hold((body, wanted), (rival, not wanted))
            if alone.never and not reasoner.can_hold((body, wanted)).never:
                shadowed.add(clause.label)
                verb = "holds" if wanted else "fails"
                message = f"whenever `{rule.name}.{clause.label}` {verb}, `{other.label}` {verb} too"
                found.say("RIT421", message, clause.span, related=[Related("the other clause", other.span)])
                break


def only_body(clause: Clause) -> ir.Expr | None:
    """What a clause of the rulebook always says; None if patches can change it."""
    one = clause.entries[0] if len(clause.entries) == 1 else None
    return one.body if one is not None and not one.origin and not one.overrides else None


def shares_leaf(a: ir.Expr, b: ir.Expr) -> bool:
    """Only conditions that read something in common can imply each other, if neither is one-sided."""
    return not set(leaves(a)).isdisjoint(leaves(b))


def unreachable_cases(game: Game, reasoner: Reasoner, found: Findings) -> None:
    """A case behind others that leave nothing to it."""
    for part in walk((*game.rules.values(), *game.procedures.values())):
        if isinstance(part, ir.Cases):
            before: list[tuple[ir.Expr, bool]] = []
            for condition, value in part.rows:
                if not isinstance(condition, ir.Const) and reasoner.can_hold(*before, (condition, True)).never:
                    why = "the cases before it leave nothing to it" if before else "its condition never holds"
                    found.say("RIT422", f"this case is never taken: {why}", condition.span.to(value.span))
                before.append((condition, False))
