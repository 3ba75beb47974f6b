"""Mutants: the rules with one thing changed, to see whether any scenario notices.

In: the parts of a game. Out: `Mutant`s: a clause, patch or step is dropped, a condition is negated or left out, a
number is off by one, a comparison, a value of an enum or a word of the language is another. Who sees what is not
changed: no scenario says it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from ritual_dsl.engine.witness import FALSE, RAN, TRUE, Hit, hit
from ritual_dsl.scenarios.exchanges import Exchange, Words, expression_exchanges, negated, statement_exchanges
from ritual_dsl.scenarios.parts import Part
from ritual_dsl.scenarios.sites import truth_rules
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.walk import children


@dataclass(frozen=True)
class Mutant:
    """One change: where it is made, in words, and the node that takes the place of another."""

    where: str  # the rule and clause, the procedure, or the patch; of a card or module with its name before it
    change: str
    span: Span
    old: n.Node
    new: n.Node | None  # None: gone
    reached_by: frozenset[Hit] | None  # a run that has one of these may notice; None: any run may

    @property
    def name(self) -> tuple[str, str]:
        return self.where, self.change


@dataclass(frozen=True)
class Place:
    """Where mutants are being made."""

    where: str
    reached_by: frozenset[Hit] | None

    def mutant(self, exchange: Exchange) -> Mutant:
        return Mutant(self.where, exchange.change, exchange.old.span, exchange.old, exchange.new, self.reached_by)

    def reached(self, *spans: Span) -> Place:
        """The same place, reached also by runs that came to one of these stretches."""
        hits = frozenset(hit(span, outcome) for span in spans for outcome in (RAN, TRUE, FALSE))
        return replace(self, reached_by=hits)


def mutants_of(parts: Iterable[Part]) -> list[Mutant]:
    """All of them; where two would have one name, the later ones are numbered."""
    listed = list(parts)
    words = Words.of(item for part in listed for item in part.items)
    truths = {name for part in listed for name in truth_rules(part)}
    found: list[Mutant] = []
    seen: dict[tuple[str, str], int] = {}
    for part in listed:
        for mutant in _Maker(part, words, truths).mutants():
            count = seen[mutant.name] = seen.get(mutant.name, 0) + 1
            found.append(mutant if count == 1 else replace(mutant, change=f"{mutant.change} ({count})"))
    return found


class _Maker:
    """Makes the mutants of one part."""

    def __init__(self, part: Part, words: Words, truths: set[str]) -> None:
        self.part = part
        self.words = words
        self.truths = truths

    def mutants(self) -> Iterator[Mutant]:
        for item in self.part.items:
            yield from self.item(item)

    def place(self, name: str, *spans: Span) -> Place:
        where = name if self.part.kind == "rules" else f"{self.part.name}: {name}"
        return Place(where, None).reached(*spans) if spans else Place(where, None)

    def item(self, item: n.Item) -> Iterator[Mutant]:
        match item:
            case n.RuleDecl():
                for clause in item.clauses:
                    yield from self.clause(item, clause)
            case n.ProcedureDecl():
                for condition in (item.only_when, item.as_soon):
                    if condition is not None:
                        yield from self.body(condition, self.place(item.name), True)
                yield from self.steps(item.steps, item.name)
            case n.Handler():
                yield from self.handler(item)
            case n.ClausePatch():
                yield from self.clause_patch(item)
            case n.StepPatch():
                yield from self.step_patch(item)
            case n.Guarded():
                yield from self.guarded(item)
            case n.CounterDecl() | n.PlayersDecl() | n.SeatsDecl():
                yield from self.bounds(item)
            case n.VariableDecl():
                if item.starts is not None:
                    yield from self.inside(item.starts, self.place(item.name))
            case (
                n.EnumDecl() | n.AttributesDecl() | n.ZoneDecl() | n.SignalDecl() | n.OddsDecl() | n.MeasureDecl()
                | n.AssumeDecl()
            ):  # fmt: skip
                pass
            case _:
                assert_never(item)

    # ---- rules

    def clause(self, rule: n.RuleDecl, clause: n.Clause) -> Iterator[Mutant]:
        place = self.place(f"{rule.name}.{clause.label}", clause.span)
        truth = rule.type is None or rule.type.name == "truth"
        empty = nothing_of(rule, clause.span)
        if empty is not None and empty != clause.body:
            yield place.mutant(Exchange(clause, replace(clause, body=empty), "drop the clause"))
        yield from self.body(clause.body, place, truth)

    def body(self, body: n.Expr, place: Place, truth: bool) -> Iterator[Mutant]:
        if truth:
            yield from (place.mutant(e) for e in negated(body))
        yield from self.inside(body, place)

    def inside(self, node: n.Node, place: Place) -> Iterator[Mutant]:
        """The exchanges of an expression and of all expressions in it."""
        yield from (place.mutant(e) for e in expression_exchanges(node, self.words))
        for child in children(node):
            yield from self.inside(child, place)

    # ---- steps

    def steps(self, steps: tuple[n.Step, ...], home: str) -> Iterator[Mutant]:
        for step in steps:
            yield from self.step(step, home)

    def step(self, step: n.Step, home: str) -> Iterator[Mutant]:
        place = self.place(f"{home}.{step.label}" if step.label else home, step.span)
        statement = step.statement
        if not isinstance(statement, n.Nothing | n.Let):
            gone = replace(step, statement=n.Nothing(statement.span))
            yield place.mutant(Exchange(step, gone, f"drop `{statement.span.quoted()}`"))
        yield from self.statement(statement, place, home)

    def statement(self, node: n.Node, place: Place, home: str) -> Iterator[Mutant]:
        yield from (place.mutant(e) for e in statement_exchanges(node, self.words))
        yield from (place.mutant(e) for e in expression_exchanges(node, self.words))
        for child in children(node):
            if isinstance(child, n.Step):
                yield from self.step(child, home)
            else:
                yield from self.statement(child, place, home)

    # ---- what cards and modules add

    def handler(self, item: n.Handler) -> Iterator[Mutant]:
        name = f"when {item.trigger}"
        place = self.place(name, item.span)
        yield place.mutant(Exchange(item, None, "drop it"))
        yield from self.condition(item, item.condition, place)
        yield from self.steps(item.steps, name)

    def clause_patch(self, item: n.ClausePatch) -> Iterator[Mutant]:
        place = self.place(f"{item.kind} {'.'.join(item.path)}", item.span)
        rule = ".".join(item.path[:-1])
        truth = item.kind == "add" or rule in self.truths or f"{self.part.card}.{rule}" in self.truths
        yield place.mutant(Exchange(item, None, "drop the patch"))
        if item.body is not None:
            yield from self.body(item.body, place, truth)
        yield from self.condition(item, item.condition, place)

    def step_patch(self, item: n.StepPatch) -> Iterator[Mutant]:
        name = f"{item.kind} {'.'.join(item.path)}"
        place = self.place(name, item.span)
        yield place.mutant(Exchange(item, None, "drop the patch"))
        yield from self.condition(item, item.condition, place)
        yield from self.steps(item.steps, name)

    def condition(
        self, item: n.Handler | n.ClausePatch | n.StepPatch, condition: n.Expr | None, place: Place
    ) -> Iterator[Mutant]:
        if condition is not None:
            place = place.reached(item.span, condition.span)
            yield place.mutant(Exchange(item, replace(item, condition=None), f"without `{condition.span.quoted()}`"))
            yield from self.body(condition, place, True)

    def guarded(self, item: n.Guarded) -> Iterator[Mutant]:
        """Without its `during`, a patch may count where it did not: any run may notice."""
        if item.during is not None and item.while_rule is not None:
            free = replace(item, during=None)
            yield self.place(f"while {item.while_rule}").mutant(Exchange(item, free, f"without `during {item.during}`"))
        for patch in item.patches:
            yield from self.item(patch)

    # ---- declarations

    def bounds(self, item: n.CounterDecl | n.PlayersDecl | n.SeatsDecl) -> Iterator[Mutant]:
        names = {n.PlayersDecl: "players", n.SeatsDecl: "seats"}
        name = item.name if isinstance(item, n.CounterDecl) else names[type(item)]
        for field in ("low", "high", "starts", "dummies_up_to"):
            value = getattr(item, field, None)
            for other in (value - 1, value + 1) if value is not None else ():
                if other >= 0:
                    new = replace(item, **{field: other})
                    yield self.place(name).mutant(Exchange(item, new, f"{field} {value} → {other}"))


def nothing_of(rule: n.RuleDecl, span: Span) -> n.Expr | None:
    """What a clause says that says nothing: it leaves `any of` and `all of` to the others, and gives no amount."""
    if rule.combination != "value" or rule.type is None:
        return n.Truth(span, rule.combination == "all")
    if rule.type.optional:
        return n.Name(span, "none")
    if rule.type.name == "truth":
        return n.Truth(span, False)
    return n.Number(span, 0) if rule.type.name == "number" else None
