"""Whether conditions can hold together: an answer with a proof, with a state, or none.

In: resolved conditions, each wanted true or false. Out: a `Verdict`. What a condition reads (a card, a counter, a
variable, an input) takes every value its type allows, cards by their real attributes; within a budget, all
combinations are tried. Where none satisfies, there is no such state: a proof, since every real state is among them.
Of a number without bounds only some values are tried, which may give an example but no proof.
Rules asked, and questions about groups, are left open: a state that satisfies whatever they say is an example, and
if there is only one that depends on them, the question is not decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ritual_dsl.checks.amounts import Intervals
from ritual_dsl.diagnostics import Findings
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game
from ritual_dsl.model.types import Type
from ritual_dsl.model.walk import walk
from ritual_dsl.source import Span

BUDGET = 5_000  # combinations tried for one question
WHOLE_BUDGET = 60_000  # and for all questions about a game
LARGEST_DOMAIN = 64
SOME_NUMBERS = range(10)
Wanted = tuple[ir.Expr, bool]


@dataclass(frozen=True)
class Verdict:
    """`never`: proven. `example`: a state in words. Neither: not decided."""

    never: bool = False
    example: str | None = None

    @property
    def decided(self) -> bool:
        return self.never or self.example is not None


class _Open:
    """A value that could be anything."""


OPEN = _Open()
Domain = list[Any]


class _TooMuch(Exception):
    """The question is beyond the budget."""


class Reasoner:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.intervals = Intervals(game, Findings())
        self.known: dict[tuple[Wanted, ...], Verdict] = {}
        self.left = WHOLE_BUDGET
        self.alike: dict[str, list[list[str]]] = {}  # by kind of pieces: those that rules cannot tell apart
        self.open_ends: set[Span] = set()  # questions that were not put as conditions

    @property
    def undecided(self) -> int:
        """How many different questions were not decided."""
        return sum(not verdict.decided for verdict in self.known.values()) + len(self.open_ends)

    def can_hold(self, *wanted: Wanted) -> Verdict:
        """Whether there is a state in which every condition is as wanted."""
        if wanted not in self.known:
            self.known[wanted] = self.judge(wanted)
        return self.known[wanted]

    def judge(self, wanted: tuple[Wanted, ...]) -> Verdict:
        try:
            leaves = Leaves(self, wanted)
            assignments = leaves.assignments(leaves.closed + leaves.open)
            if not any(satisfied(wanted, values, self) for values in assignments):
                return Verdict(never=leaves.exact)
            for values in leaves.assignments(leaves.closed):
                if satisfied(wanted, values, self):
                    return Verdict(example=words(values))
        except _TooMuch:
            pass
        return Verdict()

    def domain(self, leaf: ir.Expr, mentioned: frozenset[Any], seats: int, cards: int) -> Domain:
        """Every value a leaf can have, as far as rules can tell values apart."""
        type = leaf.type
        absent: Domain = [None] if type.optional else []
        if isinstance(leaf, ir.IsEmpty) and self.intervals.least(leaf.operand) > 0:
            return [False]
        if type.kind == "truth":
            return [False, True, *absent]
        if type.is_set or type.kind in ("pile", "unknown", "none"):
            raise _TooMuch
        match type.kind:
            case "enum":
                return [*self.game.values_of(type), *absent]
            case "card":
                return [*self.faces(type, mentioned, cards + 1), *absent]
            case "seat" | "player":
                return [*range(seats + 1), *absent]
            case "number":
                low, high = self.intervals.of(leaf, {})
                return [*(range(low, high + 1) if high - low < LARGEST_DOMAIN else SOME_NUMBERS), *absent]
            case _:
                raise _TooMuch

    def is_exact(self, leaf: ir.Expr) -> bool:
        """Whether the domain of a leaf holds all its values."""
        if leaf.type.kind != "number" or leaf.type.is_set:
            return True
        low, high = self.intervals.of(leaf, {})
        return high - low < LARGEST_DOMAIN

    def faces(self, type: Type, mentioned: frozenset[Any], cards: int) -> list[str]:
        """As many of each sort as there are cards in question, since they may differ; and those that are named."""
        if type.name not in self.alike:
            sorts: dict[Any, list[str]] = {}
            for card in self.game.cards.values():
                if card.piece == type.name:
                    key = tuple(sorted((name, str(value)) for name, value in card.attributes.items()))
                    sorts.setdefault(key, []).append(card.id)
            self.alike[type.name] = list(sorts.values())
        named = [name for name in mentioned if name in self.game.cards and self.game.cards[name].piece == type.name]
        faces = list(dict.fromkeys([*sorted(named), *(c for sort in self.alike[type.name] for c in sort[:cards])]))
        if len(faces) > LARGEST_DOMAIN:
            raise _TooMuch
        return faces


class Leaves:
    """What conditions read: closed where the state says it, open where a rule or a whole group would have to."""

    def __init__(self, reasoner: Reasoner, wanted: tuple[Wanted, ...]) -> None:
        self.reasoner = reasoner
        found = dict.fromkeys(leaf for condition, _ in wanted for leaf in leaves(condition))
        self.closed = [leaf for leaf in found if is_closed(leaf)]
        self.open = [leaf for leaf in found if not is_closed(leaf)]
        constants = (part for condition, _ in wanted for part in walk(condition) if isinstance(part, ir.Const))
        mentioned = frozenset(part.value for part in constants if isinstance(part.value, str))
        seats = sum(leaf.type.kind in ("seat", "player") for leaf in found)
        self.exact = all(reasoner.is_exact(leaf) for leaf in found)
        cards = sum(leaf.type.kind == "card" for leaf in found)
        self.domains = {leaf: reasoner.domain(leaf, mentioned, seats, cards) for leaf in found}

    def assignments(self, chosen: list[ir.Expr]) -> Iterator[dict[ir.Expr, Any]]:
        size = 1
        for leaf in chosen:
            size *= len(self.domains[leaf])
            if size > min(BUDGET, self.reasoner.left):
                raise _TooMuch
        self.reasoner.left -= size
        for values in product(*(self.domains[leaf] for leaf in chosen)):
            yield dict(zip(chosen, values, strict=True))


def is_closed(leaf: ir.Expr) -> bool:
    """Whether the state itself says it: what lies somewhere, who holds a card, how many there are."""
    if isinstance(leaf, ir.IsEmpty | ir.Size | ir.Top):
        inner = leaf.operand if isinstance(leaf, ir.IsEmpty) else leaf.group if isinstance(leaf, ir.Size) else leaf.pile
        return isinstance(inner, ir.Read | ir.Local | ir.People)
    return isinstance(leaf, ir.Local | ir.Read | ir.Ended | ir.Holder)


def leaves(e: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of a condition that are not worked out but read."""
    match e:
        case ir.Const():
            pass
        case ir.Not(operand=a) | ir.IsNone(operand=a) | ir.Attribute(card=a):
            yield from leaves(a)
        case ir.And(left=a, right=b) | ir.Or(left=a, right=b):
            yield from leaves(a)
            yield from leaves(b)
        case ir.Compare(left=a, right=b) | ir.Arithmetic(left=a, right=b) | ir.OrElse(value=a, fallback=b):
            yield from leaves(a)
            yield from leaves(b)
        case ir.Builtin(args=args):
            for arg in args:
                yield from leaves(arg)
        case ir.Cases(rows=rows, otherwise=otherwise):
            for condition, value in rows:
                yield from leaves(condition)
                yield from leaves(value)
            yield from leaves(otherwise)
        case ir.Within(element=a, group=ir.Const()):
            yield from leaves(a)
        case _:
            yield e


def satisfied(wanted: tuple[Wanted, ...], values: dict[ir.Expr, Any], reasoner: Reasoner) -> bool:
    """Whether every condition is certainly as wanted."""
    return all(value_of(condition, values, reasoner.game) is truth for condition, truth in wanted)


def value_of(e: ir.Expr, values: dict[ir.Expr, Any], game: Game) -> Any:
    """The value under an assignment; OPEN where it depends on something left open."""
    match e:
        case ir.Const(value=value):
            return value
        case ir.Not(operand=a):
            value = value_of(a, values, game)
            return OPEN if value is OPEN else not value
        case ir.And(left=a, right=b) | ir.Or(left=a, right=b):
            stops = isinstance(e, ir.Or)
            both = (value_of(a, values, game), value_of(b, values, game))
            return stops if stops in both else OPEN if OPEN in both else not stops
        case ir.Compare(operator=operator, left=a, right=b):
            return compare(operator, value_of(a, values, game), value_of(b, values, game))
        case ir.IsNone(operand=a):
            value = value_of(a, values, game)
            return OPEN if value is OPEN else value is None
        case ir.Attribute(card=a, name=name):
            card = value_of(a, values, game)
            return card if card is OPEN or card is None else game.cards[card].attributes[name]
        case ir.Arithmetic(operator=operator, left=a, right=b):
            return arithmetic(operator, value_of(a, values, game), value_of(b, values, game))
        case ir.Builtin(name=name, args=args):
            numbers = [value_of(arg, values, game) for arg in args]
            return OPEN if OPEN in numbers or None in numbers else (min if name == "min" else max)(numbers)
        case ir.OrElse(value=a, fallback=b):
            value = value_of(a, values, game)
            return value_of(b, values, game) if value is None else value
        case ir.Cases(rows=rows, otherwise=otherwise):
            for condition, row in rows:
                holds = value_of(condition, values, game)
                if holds is OPEN:
                    return OPEN
                if holds:
                    return value_of(row, values, game)
            return value_of(otherwise, values, game)
        case ir.Within(element=a, group=ir.Const(value=members)):
            value = value_of(a, values, game)
            return OPEN if value is OPEN or not isinstance(members, frozenset) else value in members
        case _:
            return values.get(e, OPEN)


def compare(operator: str, left: Any, right: Any) -> Any:
    """As the engine compares; where it would stop with an error, nothing is known."""
    if left is OPEN or right is OPEN:
        return OPEN
    if operator == "=":
        return left is not None and left == right
    if operator == "!=":
        return left is None or left != right
    if left is None or right is None:
        return OPEN
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def arithmetic(operator: str, left: Any, right: Any) -> Any:
    if left is OPEN or right is OPEN or left is None or right is None or (operator == "mod" and right == 0):
        return OPEN
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left % right


def words(values: dict[ir.Expr, Any]) -> str:
    """An example, as `hand[p] is rope and health[p] is 3`."""
    parts = [f"`{source(leaf.span)}` is {shown(value)}" for leaf, value in values.items()]
    return " and ".join(parts) or "any state"


def shown(value: Any) -> str:
    return "none" if value is None else "yes" if value is True else "no" if value is False else str(value)


def source(span: Span) -> str:
    line = span.source.line(span.line)
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else len(line)].strip()
