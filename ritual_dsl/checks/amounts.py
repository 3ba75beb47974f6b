"""Amounts that may be negative, and numbers that may grow without bound.

Bounds are worked out by running every expression on intervals: a rule's for the inputs it is
asked with. Since calls are not circular, this ends; what was worked out is remembered.
"""

from __future__ import annotations

from typing import assert_never

from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.model import ir
from ritual_dsl.model.game import Entry, Game, Procedure, Rule
from ritual_dsl.model.types import Type
from ritual_dsl.model.walk import walk

LARGEST = 1_000_000_000
Bounds = tuple[int, int]
Inputs = tuple[Bounds | None, ...]
UNBOUNDED: Bounds = (-LARGEST, LARGEST)


def negative_amounts(game: Game, found: Findings) -> None:
    intervals = Intervals(game, found)
    for rule in game.rules.values():
        intervals.rule(rule, tuple(declared(t) for _, t in rule.params))
    for procedure in game.procedures.values():
        intervals.procedure(procedure)
    empty_divisors(game, found)


def empty_divisors(game: Game, found: Findings) -> None:
    """Remainders of a division by 0 in what tools count and report."""
    intervals = Intervals(game, Findings())  # their numbers are no amounts of the game: nothing else is said of them
    for part in walk((*game.measures.values(), *game.odds)):
        if isinstance(part, ir.Arithmetic) and part.operator == "mod" and intervals.of(part.right, {}) == (0, 0):
            found.say("RIT354", "there is no remainder of a division by 0", part.span)


def declared(type: Type) -> Bounds | None:
    if type.kind != "number" or type.is_set:
        return None
    return (0, 999) if type.low is None or type.high is None else (type.low, type.high)


class Intervals:
    """The least and the greatest value of every expression of a game."""

    def __init__(self, game: Game, found: Findings) -> None:
        self.game = game
        self.found = found
        self.known: dict[tuple[str, Inputs], Bounds] = {}

    def procedure(self, procedure: Procedure) -> None:
        for part in walk(procedure):
            if isinstance(part, ir.Change):
                for line in part.lines:
                    low, _ = self.of(line.amount, {})
                    if low < 0 and all(d.code != "RIT352" for d in self.found):
                        self.negative(line.amount, low)

    def negative(self, amount: ir.Expr, low: int) -> None:
        """Said of the patch that makes it so, where there is one."""
        help = "a loss is written as a loss, a gain as a gain; `max(0, …)` keeps it from going below"
        patch = self.negative_patch(amount)
        if patch is None:
            self.found.say("RIT351", f"this amount may be negative: as low as {low}", amount.span, help=help)
        else:
            related = [Related("the amount", amount.span)]
            message = f"this patch makes an amount negative: as low as {low}"
            self.found.say("RIT351", message, patch.span, help=help, related=related)

    def negative_patch(self, e: ir.Expr) -> Entry | None:
        """The innermost patch below zero among the rules that an expression asks."""
        for part in walk(e):
            rule = self.game.rules[part.rule] if isinstance(part, ir.CallRule) else None
            inputs = {i: b for i, (_, t) in enumerate(rule.params) if (b := declared(t))} if rule is not None else {}
            for clause in rule.clauses if rule is not None else ():
                for entry in (r for top in (*clause.entries, *clause.limits) for r in (top, *top.overrides)):
                    if entry.body is not None and self.of(entry.body, inputs)[0] < 0:
                        return self.negative_patch(entry.body) or (entry if entry.origin else None)
        return None

    def rule(self, rule: Rule, inputs: Inputs) -> Bounds:
        key = (rule.name, inputs)
        if key not in self.known:
            env = {slot: bounds for slot, bounds in enumerate(inputs) if bounds is not None}
            found = [self.entry(entry, env) for clause in rule.clauses for entry in clause.entries]
            limits = [self.entry(entry, env) for clause in rule.clauses for entry in clause.limits]
            bounds = cover([b for b in [*found, *limits] if b is not None])
            self.known[key] = bounds
        return self.known[key]

    def entry(self, entry: Entry, env: dict[int, Bounds]) -> Bounds | None:
        parts = [self.of(entry.body, env)] if entry.body is not None else []
        parts += [b for b in (self.entry(o, env) for o in entry.overrides) if b is not None]
        return cover(parts) if parts else None

    def of(self, e: ir.Expr, env: dict[int, Bounds]) -> Bounds:
        """The least and the greatest value of an expression; (0, 1) for what is no number."""
        before = len(self.found)
        bounds = self.bounds(e, env)
        if max(abs(bounds[0]), abs(bounds[1])) <= LARGEST:
            return bounds
        if len(self.found) == before:  # else a part of it has been reported
            self.found.say("RIT352", "this number can grow beyond all bounds", e.span)
        return UNBOUNDED

    def bounds(self, e: ir.Expr, env: dict[int, Bounds]) -> Bounds:
        match e:
            case ir.Const(value=value):
                return (value, value) if isinstance(value, int) else (0, 1)
            case ir.Local(slot=slot):
                return env.get(slot) or declared_or_any(e.type)
            case ir.Read():
                return declared_or_any(e.type)
            case ir.CallRule(rule=name, args=args):
                inputs = tuple(self.of(a, env) if a.type.kind == "number" else None for a in args)
                return self.rule(self.game.rules[name], inputs)
            case ir.Attribute():
                return declared_or_any(e.type)
            case ir.Arithmetic(operator="mod", right=right) if self.of(right, env) == (0, 0):
                self.found.say("RIT354", "there is no remainder of a division by 0", e.span)
                return (0, 0)
            case ir.Arithmetic(operator=operator, left=left, right=right):
                return arithmetic(operator, self.of(left, env), self.of(right, env))
            case ir.Builtin(name=name, args=args):
                (a, b), (c, d) = (self.of(arg, env) for arg in args)
                return (min(a, c), min(b, d)) if name == "min" else (max(a, c), max(b, d))
            case ir.Size(group=group):
                return (self.least(group), self.most(group))
            case ir.Aggregate(kind=kind, term=term, group=group):
                low, high = self.of(term, env)
                most = self.most(group)
                if kind == "count":
                    return (0, most)
                if kind == "sum":
                    return (min(0, low * most), max(0, high * most))
                return (min(0, low), max(0, high))
            case ir.Cases(rows=rows, otherwise=otherwise):
                return cover([*(self.of(v, env) for _, v in rows), self.of(otherwise, env)])
            case ir.OrElse(value=value, fallback=fallback):
                return cover([self.of(value, env), self.of(fallback, env)])
            case (
                ir.Spread() | ir.People() | ir.Ended() | ir.Holder() | ir.Not() | ir.And() | ir.Or() | ir.Compare()
                | ir.IsNone() | ir.IsEmpty() | ir.Within() | ir.Top() | ir.Without() | ir.Quantified() | ir.First()
            ):  # fmt: skip
                return (0, 1)
            case _:
                assert_never(e)

    def most(self, group: ir.Expr) -> int:
        """How many members a group can have."""
        match group:
            case ir.People(players_only=only):
                return self.game.players[1] if only else self.game.most_seats
            case ir.Const(value=frozenset() as members):
                return len(members)
            case ir.Without(group=inner):
                return self.most(inner)
        return sum(self.game.deck.values()) if group.type.kind == "pile" else max(self.game.most_seats, 12)

    def least(self, group: ir.Expr) -> int:
        low = self.game.players[0]
        match group:
            case ir.People(players_only=only):
                return low if only else self.game.seats_for(low)
            case ir.Without(group=inner, element=element) if not element.type.is_set:
                return max(0, self.least(inner) - 1)
        return 0


def cover(parts: list[Bounds]) -> Bounds:
    return (min(low for low, _ in parts), max(high for _, high in parts)) if parts else (0, 0)


def declared_or_any(type: Type) -> Bounds:
    if type.kind != "number":
        return (0, 1)
    return (type.low, type.high) if type.low is not None and type.high is not None else UNBOUNDED


def arithmetic(operator: str, left: Bounds, right: Bounds) -> Bounds:
    (a, b), (c, d) = left, right
    if operator == "+":
        return (a + c, b + d)
    if operator == "-":
        return (a - d, b - c)
    if operator == "*":
        corners = (a * c, a * d, b * c, b * d)
        return (min(corners), max(corners))
    return (min(0, c + 1), max(0, d - 1))
