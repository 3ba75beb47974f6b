"""Exchanges: one node of the rules for another that says something slightly different.

In: a statement or an expression. Out: the `Exchange`s of this node; those of the nodes in it are their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from ritual_dsl.syntax import nodes as n

OTHER_OPERATORS = {
    "=": ("!=",),
    "!=": ("=",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "and": ("or",),
    "or": ("and",),
    "+": ("-",),
    "-": ("+",),
    "*": ("+",),
    "mod": ("*",),
}
OTHER_WORDS = {
    "some": "every",
    "every": "some",
    "no": "some",
    "highest": "lowest",
    "lowest": "highest",
    "min": "max",
    "max": "min",
    "players": "seats",
    "seats": "players",
}


@dataclass(frozen=True)
class Exchange:
    old: n.Node
    new: n.Node | None
    change: str


@dataclass(frozen=True)
class Words:
    """The values that stand for each other: of an enum, and of how a procedure ends."""

    table: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, items: Iterable[n.Item]) -> Words:
        table: dict[str, tuple[str, ...]] = {}
        for item in items:
            values = item.values if isinstance(item, n.EnumDecl) else ()
            values = item.ends if isinstance(item, n.ProcedureDecl) else values
            for value, following in zip(values, (*values[1:], *values[:1]), strict=True):
                if following != value:
                    table[value] = (*table.get(value, ()), following)
        return cls(table)

    def others(self, word: str) -> tuple[str, ...]:
        """The next value of each list that has this one."""
        return self.table.get(word, ())


def swap(old: n.Node, new: n.Node, before: object, after: object) -> Exchange:
    """One word or sign for another, told with what stands around it."""
    around = old.span.quoted()
    change = f"`{before}` → `{after}`"
    return Exchange(old, new, change if around == str(before) else f"{change} in `{around}`")


def negated(node: Any) -> Iterator[Exchange]:
    """The opposite of a condition. Where the node itself has an opposite, that is an exchange of its own."""
    has_own = isinstance(node, n.Truth | n.Is | n.Within | n.Not) or (
        isinstance(node, n.Binary) and node.operator in ("=", "!=")
    )
    if not has_own:
        yield Exchange(node, n.Not(node.span, node), f"not (`{node.span.quoted()}`)")


def expression_exchanges(node: n.Node, words: Words) -> Iterator[Exchange]:
    match node:
        case n.Number(value=value):
            for other in (value + 1, value - 1):
                if other >= 0:
                    yield Exchange(node, replace(node, value=other), f"`{value}` → `{other}`")
        case n.Truth(value=truth):
            yield Exchange(node, replace(node, value=not truth), "true ↔ false")
        case n.Range(low=low, high=high):
            for new in (replace(node, low=low + 1), replace(node, high=high - 1), replace(node, high=high + 1)):
                if new.low <= new.high:
                    yield swap(node, new, f"{low}..{high}", f"{new.low}..{new.high}")
        case n.Binary(operator=operator):
            for sign in OTHER_OPERATORS.get(operator, ()):
                yield swap(node, replace(node, operator=sign), operator, sign)
        case n.Is(word=word, negated=negative):
            yield Exchange(node, replace(node, negated=not negative), f"not (`{node.span.quoted()}`)")
            for following in words.others(word):
                yield swap(node, replace(node, word=following), word, following)
        case n.Within(negated=negative):
            yield Exchange(node, replace(node, negated=not negative), f"not (`{node.span.quoted()}`)")
        case n.Not(operand=operand):
            yield Exchange(node, operand, f"without the `not` of `{node.span.quoted()}`")
        case n.Name(id=word):
            for following in [OTHER_WORDS[word]] if word in OTHER_WORDS else words.others(word):
                yield swap(node, replace(node, id=following), word, following)
        case n.Apply(name=word) if word in ("min", "max"):
            yield swap(node, replace(node, name=OTHER_WORDS[word]), word, OTHER_WORDS[word])
        case n.Except(group=group):
            yield Exchange(node, group, f"without the exception of `{node.span.quoted()}`")
        case n.Quantified(kind=word) | n.Extreme(kind=word):
            yield swap(node, replace(node, kind=OTHER_WORDS[word]), word, OTHER_WORDS[word])
        case n.First():
            yield from first_exchanges(node)
        case n.Cases(rows=rows, otherwise=otherwise) if otherwise is not None:
            for i, row in enumerate(rows):
                rest = rows[:i] + rows[i + 1 :]
                without = replace(node, rows=rest) if rest else otherwise
                yield Exchange(node, without, f"drop the case of `{row.condition.span.quoted()}`")
        case n.OrElse(value=value, fallback=fallback):
            yield Exchange(node, value, f"without the `otherwise` of `{node.span.quoted()}`")
            yield Exchange(node, fallback, f"only the `otherwise` of `{node.span.quoted()}`")
        case _:
            pass
    yield from conditions(node)


def first_exchanges(node: n.First) -> Iterator[Exchange]:
    before, after = ("from", "after") if node.inclusive else ("after", "from")
    yield swap(node, replace(node, inclusive=not node.inclusive), before, after)
    if node.kind is not None:
        yield swap(node, replace(node, kind=OTHER_WORDS[node.kind]), node.kind, OTHER_WORDS[node.kind])
        yield Exchange(node, replace(node, kind=None, key=None), f"without `with {node.kind}`")


def conditions(node: n.Node) -> Iterator[Exchange]:
    """A condition negated or left out, in whatever has one."""
    for field in fields(node):
        condition = getattr(node, field.name)
        if field.name in ("condition", "until") and isinstance(condition, n.Node):
            yield from negated(condition)
            if not isinstance(node, n.Case | n.When | n.Count | n.Repeat):
                without: Any = {field.name: None}
                yield Exchange(node, replace(node, **without), f"without `{condition.span.quoted()}`")


def statement_exchanges(node: n.Node, words: Words) -> Iterator[Exchange]:
    match node:
        case n.Change(gains=gains) | n.ChangeLine(gains=gains):
            before, after = ("gains", "loses") if gains else ("loses", "gains")
            yield swap(node, replace(node, gains=not gains), before, after)
        case n.ChangeSet(adds=adds):
            before, after = ("add", "remove") if adds else ("remove", "add")
            yield swap(node, replace(node, adds=not adds), before, after)
        case n.End(how=how):
            for following in words.others(how):
                yield swap(node, replace(node, how=following), how, following)
        case n.Move(bottom=True):
            yield swap(node, replace(node, bottom=False), "the bottom", "the top")
        case n.Actor(may=True):
            yield Exchange(node, replace(node, may=False), f"without the `may` of `{node.span.quoted()}`")
        case n.Choose(options=options) if len(options) > 1:
            for i, option in enumerate(options):
                kept = options[:i] + options[i + 1 :]
                yield Exchange(node, replace(node, options=kept), f"drop the option `{option.name}`")
        case _:
            pass
