"""Everything in the rules that a scenario can exercise.

In: the parts of a game. Out: `Site`s: clauses, patches, steps and options that can be reached, and
branches that can go more than one way. The engine's `Witness` notes the same stretches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from ritual_dsl.engine.witness import ABSENT, FALSE, PRESENT, RAN, TAKEN, TRUE, Hit, hit
from ritual_dsl.scenarios.parts import Part
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.walk import children

KINDS = ("clause", "patch", "step", "option", "branch")


@dataclass(frozen=True)
class Site:
    """One thing to exercise, and what must come of it."""

    kind: str
    span: Span
    outcome: str

    @property
    def hit(self) -> Hit:
        return hit(self.span, self.outcome)

    @property
    def words(self) -> str:
        """What is missing, if it is."""
        return NEVER[self.outcome].format(kind=self.kind)


NEVER = {
    RAN: "this {kind} was never reached",
    TRUE: "never true",
    FALSE: "never false",
    TAKEN: "this case was never taken",
    PRESENT: "always absent",
    ABSENT: "never absent",
}


def sites_of(parts: Iterable[Part]) -> dict[Part, tuple[Site, ...]]:
    listed = list(parts)
    truths = {name for part in listed for name in truth_rules(part)}
    return {part: tuple(s for item in part.items for s in item_sites(item, part.card, truths)) for part in listed}


def truth_rules(part: Part) -> Iterator[str]:
    """The names of rules that are true or false; a card's own with the card before it."""
    for item in part.items:
        if isinstance(item, n.RuleDecl) and (item.type is None or item.type.name == "truth"):
            yield f"{part.card}.{item.name}" if part.card else item.name


def both(node: n.Expr | None) -> Iterator[Site]:
    """A condition, which goes one way and the other; not where it is written as a constant."""
    if node is not None:
        if not isinstance(node, n.Truth):
            yield Site("branch", node.span, TRUE)
            yield Site("branch", node.span, FALSE)
        yield from inner(node)


def item_sites(item: n.Item, card: str | None, truths: set[str]) -> Iterator[Site]:
    match item:
        case n.RuleDecl():
            for clause in item.clauses:
                yield Site("clause", clause.span, RAN)
                yield from body_sites(clause.body, clause.span, item.type is None or item.type.name == "truth")
        case n.ProcedureDecl():
            yield from inner(item.by) if item.by is not None else ()
            yield from both(item.only_when)
            yield from both(item.as_soon)
            yield from step_sites(item.steps)
        case n.Handler():
            yield Site("clause", item.span, RAN)
            yield from both(item.condition)
            yield from step_sites(item.steps)
        case n.ClausePatch():
            yield Site("patch", item.span, RAN)
            rule = ".".join(item.path[:-1])
            truth = item.kind == "add" or rule in truths or f"{card}.{rule}" in truths
            yield from body_sites(item.body, item.span, truth)
            yield from both(item.condition)
        case n.StepPatch():
            yield Site("patch", item.span, RAN)
            yield from both(item.condition)
            yield from step_sites(item.steps)
        case n.Guarded():
            for patch in item.patches:
                yield from item_sites(patch, card, truths)
        case (
            n.EnumDecl() | n.AttributesDecl() | n.PlayersDecl() | n.SeatsDecl() | n.ZoneDecl() | n.CounterDecl()
            | n.VariableDecl() | n.SignalDecl() | n.OddsDecl() | n.MeasureDecl() | n.AssumeDecl()
        ):  # fmt: skip
            pass
        case _:
            assert_never(item)


def body_sites(body: n.Expr | None, whole: Span, truth: bool) -> Iterator[Site]:
    if body is not None:
        if truth and not isinstance(body, n.Truth):
            yield Site("branch", whole, TRUE)
            yield Site("branch", whole, FALSE)
        yield from inner(body)


def step_sites(steps: tuple[n.Step, ...]) -> Iterator[Site]:
    for step in steps:
        yield Site("step", step.span, RAN)
        yield from inner(step.statement)


def inner(node: n.Node) -> Iterator[Site]:
    """The sites in a statement or an expression. Whatever has a condition goes both ways."""
    conditions = [] if isinstance(node, n.Case) else [getattr(node, name, None) for name in ("condition", "until")]
    for condition in conditions:
        yield from both(condition)
    if isinstance(node, n.Cases):
        for value in (*(row.value for row in node.rows), node.otherwise):
            if value is not None:
                yield Site("branch", value.span, TAKEN)
    elif isinstance(node, n.OrElse):
        yield Site("branch", node.value.span, PRESENT)
        yield Site("branch", node.value.span, ABSENT)
    for child in children(node):
        if isinstance(child, n.Option):
            yield Site("option", child.span, RAN)
        if isinstance(child, n.Step):
            yield from step_sites((child,))
        elif all(child is not condition for condition in conditions):
            yield from inner(child)
