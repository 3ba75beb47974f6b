"""Measures: what the rules say is worth counting.

In: the declarations of all texts, and the resolver of expressions. Out: resolved measures by name.
"""

from __future__ import annotations

from collections.abc import Iterable

from ritual_dsl.diagnostics import near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.model import ir
from ritual_dsl.model.expressions import Expressions
from ritual_dsl.model.game import Measure
from ritual_dsl.model.names import Scope, open_scope
from ritual_dsl.model.patches import Text
from ritual_dsl.model.types import NUMBER, SEAT, TRUTH, Type, fits
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

MOST_KEYS = 200  # different numbers by which a measure can be split


def resolve_measures(texts: Iterable[Text], expressions: Expressions) -> dict[str, Measure]:
    resolver = _Measures(expressions)
    found: dict[str, Measure] = {}
    for text in texts:
        for item in text.items:
            if isinstance(item, n.MeasureDecl) and text.card is None and item.name not in found:
                measure = resolver.measure(item)
                if measure is not None:
                    found[item.name] = measure
    return found


class _Measures:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.names = expressions.names
        self.found = expressions.found

    def measure(self, item: n.MeasureDecl) -> Measure | None:
        if not self.known(item.procedure, self.names.procedures, "procedure", item.span):
            return None
        scope = open_scope((), None, item.procedure)
        group, slot, condition = None, None, None
        if item.variable is not None and item.group is not None:
            group, scope, slot = self.expressions.bind(item.variable, item.group, scope, item.span)
            condition = self.expressions.truth(item.condition, scope) if item.condition is not None else None
        value = self.value(item.value, scope)
        key = self.key(item.key, scope)
        start = self.expressions.resolve(item.start, scope, SEAT) if item.start is not None else None
        if start is not None and (key is None or isinstance(key, ir.Amount) or not fits(key.type, SEAT)):
            self.found.say("RIT690", "only players and seats are counted clockwise", item.span)
        return Measure(
            item.name,
            item.procedure,
            slot,
            group,
            condition,
            value,
            key,
            start,
            scope.slots.used,
            item.cites,
            item.span,
        )

    def known(self, name: str, names: Iterable[str], what: str, span: Span) -> bool:
        names = list(names)
        if name in names:
            return True
        hint = near_miss(name, names) or f"known: {listing(names)}"
        self.found.say("RIT691", f"there is no {what} `{name}` to measure", span, help=hint)
        return False

    def amount(self, node: n.Amount) -> ir.Amount:
        if node.kind == "runs":
            self.known(node.name, self.names.procedures, "procedure", node.span)
            return ir.Amount(node.span, node.kind, node.name, None)
        known = self.known(node.name, self.names.counters, "counter", node.span)
        return ir.Amount(node.span, node.kind, None, self.names.counters[node.name].cell if known else 0)

    def value(self, node: n.Expr | n.Amount | None, scope: Scope) -> ir.Expr | ir.Amount | None:
        if node is None:
            return None
        if isinstance(node, n.Amount):
            return self.amount(node)
        value = self.expressions.resolve(node, scope)
        if value.type.kind != "unknown" and not (fits(value.type, TRUTH) or fits(value.type, NUMBER)):
            help = "write `by` in front of it to count how often each value occurs"
            message = f"a measure is a number or a truth; this is a {value.type}"
            self.found.say("RIT690", message, node.span, help=help)
        return value

    def key(self, node: n.Expr | n.Amount | None, scope: Scope) -> ir.Expr | ir.Amount | None:
        if node is None:
            return None
        if isinstance(node, n.Amount):
            if node.kind != "runs":
                self.found.say("RIT690", "a measure is not split by an amount; `by runs of …` is possible", node.span)
            return self.amount(node)
        key = self.expressions.resolve(node, scope)
        if not can_split(key.type):
            message = f"a measure cannot be split by a {key.type}"
            help = f"by a card, seat, truth or name of an enum, or by a number declared within {MOST_KEYS} values"
            self.found.say("RIT690", message, node.span, help=help)
        return key


def can_split(type: Type) -> bool:
    if type.is_set or type.kind == "pile":
        return False
    if type.kind == "number":
        return type.low is not None and type.high is not None and type.high - type.low < MOST_KEYS
    return True
