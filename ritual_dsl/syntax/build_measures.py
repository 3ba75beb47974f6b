"""Lark's tree to nodes, for measures: a part of `build`.

In: the tree of a `measure`. Out: its node.
"""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

Children = list[Any]


class By(tuple[Any, Any]):
    """The key of a measure, and the seat from which places are counted."""


@v_args(meta=True)
class MeasureBuilder(Transformer[Token, Any]):
    def span(self, meta: Meta) -> Span:
        raise NotImplementedError

    def atom(self, child: Any) -> n.Expr:
        raise NotImplementedError

    def measure(self, meta: Meta, c: Children) -> n.MeasureDecl:
        name, procedure, measured, *sample, eol = c
        variable, group, condition = measured or (None, None, None)
        value = sample[0] if sample and not isinstance(sample[0], By) else None
        key, start = next((part for part in sample if isinstance(part, By)), (None, None))
        return n.MeasureDecl(
            self.span(meta),
            str(name),
            str(procedure),
            variable,
            group,
            condition,
            self.counted(value),
            self.counted(key),
            self.atom(start) if start is not None else None,
            tuple(str(eol).split()),
        )

    def counted(self, child: Any) -> n.Expr | n.Amount | None:
        return child if child is None or isinstance(child, n.Amount) else self.atom(child)

    def measured(self, meta: Meta, c: Children) -> tuple[str, n.Expr, n.Expr | None]:
        variable, group, condition = c
        return str(variable), self.atom(group), self.atom(condition) if condition is not None else None

    def by(self, meta: Meta, c: Children) -> By:
        return By((c[0], c[1]))

    def amount(self, meta: Meta, c: Children) -> n.Amount:
        return n.Amount(self.span(meta), str(c[0]), str(c[1]))
