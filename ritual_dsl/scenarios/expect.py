"""Comparing what came out with what was expected, in words a designer uses.

In: a finished run and the `expect` mapping. Out: one `Mismatch` for each difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ritual_dsl.diagnostics import near_miss
from ritual_dsl.diagnostics.report import Mismatch
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.shape import head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.model.game import Counter, Rule, Variable, Zone
from ritual_dsl.model.names import ends_type
from ritual_dsl.model.types import SEAT, Type
from ritual_dsl.scenarios.values import Values


class Expectation:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.run = values.run
        self.game = values.game

    def compare(self, expect: Mapping) -> list[Mismatch]:
        """Rules first: `because` may ask for a clause that only an expectation evaluates."""
        names = sorted(expect.entries, key=lambda name: name == "because")
        return [m for name in names for m in self.entry(name, expect.entries[name].value, expect.entries[name].key)]

    def entry(self, name: str, node: YamlNode, key: Scalar) -> Iterator[Mismatch]:
        declared = self.game.declared(name)
        match name:
            case "because":
                yield from self.because(node)
            case "asked":
                yield from self.asked(node)
            case "shown":
                yield from self.shown(node)
            case "ended":
                yield from self.ended(node)
            case "error":
                if isinstance(node, Scalar):
                    yield Mismatch("error", node.text, "no error", head(node.span))
            case _ if isinstance(declared, Zone):
                yield from self.zone(declared, node)
            case _ if isinstance(declared, Counter):
                yield from self.value(declared, Type("number"), node)
            case _ if isinstance(declared, Variable):
                yield from self.value(declared, declared.type, node)
            case _ if name in self.game.rules:
                yield from self.rule(self.game.rules[name], node)
            case _:
                known = [*self.game.zones, *self.game.counters, *self.game.variables, *self.game.rules]
                hint = near_miss(name, [*known, "because", "asked", "shown", "ended", "error"])
                self.values.wrong(key, f"there is nothing called `{name}` to expect", "RIT601", hint)

    def same(self, what: str, wanted: Any, actual: Any, type: Type, node: YamlNode) -> Iterator[Mismatch]:
        if wanted != actual:
            yield Mismatch(what, self.run.show(wanted, type), self.run.show(actual, type), head(node.span))

    def zone(self, zone: Zone, node: YamlNode) -> Iterator[Mismatch]:
        cell = self.run.state.cells[zone.cell]
        shares = self.values.by_owner(node, zone.owner) if zone.owner else {None: node}
        for owner, value in shares.items():
            share = cell if owner is None else cell[owner]
            there = share if not zone.single else [share] if share is not None else []
            wanted = self.values.share(zone, value)
            if wanted != there:
                what = self.run.share(zone.name, owner)
                yield Mismatch(what, zone_words(wanted), zone_words(there), head(value.span))

    def value(self, declared: Counter | Variable, type: Type, node: YamlNode) -> Iterator[Mismatch]:
        cell = self.run.state.cells[declared.cell]
        shares = self.values.by_owner(node, declared.owner) if declared.owner else {None: node}
        for owner, value in shares.items():
            wanted = self.values.value(value, type)
            actual = cell if owner is None else cell[owner]
            yield from self.same(self.run.share(declared.name, owner), wanted, actual, type, value)

    def rule(self, rule: Rule, node: YamlNode) -> Iterator[Mismatch]:
        """A truth rule of one seat: exactly these seats. A value rule of one seat: what is listed. Else the value."""
        kinds = [type.kind for _, type in rule.params]
        if not kinds:
            wanted = self.values.value(node, rule.type)
            yield from self.same(rule.name, wanted, self.last(rule, ()), rule.type, node)
        elif kinds not in (["seat"], ["player"]):
            self.values.wrong(node, f"`{rule.name}` is no rule of one seat, so it cannot be expected here")
        elif rule.type.kind == "truth":
            count = self.run.state.players if kinds == ["player"] else self.run.state.seats
            wanted = self.values.value(node, Type("seat", is_set=True))
            actual = frozenset(s for s in range(count) if self.last(rule, (s,)))
            yield from self.same(rule.name, wanted, actual, Type("seat", is_set=True), node)
        else:
            for seat, value in self.values.by_owner(node, rule.params[0][1]).items():
                wanted = self.values.value(value, rule.type)
                what = f"{rule.name} of {self.run.names[seat]}"
                yield from self.same(what, wanted, self.last(rule, (seat,)), rule.type, value)

    def last(self, rule: Rule, args: tuple[Any, ...]) -> Any:
        """As the procedure last evaluated it, or as it would at its end."""
        trace = self.run.trace
        if trace is not None and (rule.name, args) in trace.last:
            return trace.last[rule.name, args].value
        return self.run.ask(rule.name, args)

    def because(self, node: YamlNode) -> Iterator[Mismatch]:
        wanted = node.items if isinstance(node, Sequence) else (node,)
        decided: set[str] = set()
        for evaluation in self.run.trace.last.values() if self.run.trace else ():
            for d in evaluation.decided:
                if d.decides:
                    decided |= d.names
        for item in wanted:
            if isinstance(item, Scalar) and item.text not in decided:
                rule = item.text.partition(".")[0]
                near = sorted(d for d in decided if d.startswith(rule + "."))
                yield Mismatch("because", item.text, listing(near) or "nothing of that rule", head(item.span))

    def asked(self, node: YamlNode) -> Iterator[Mismatch]:
        wanted: list[tuple[str, list[str]]] = []
        for item in node.items if isinstance(node, Sequence) else ():
            if isinstance(item, Mapping) and len(item.entries) == 1:
                who, entry = next(iter(item.entries.items()))
                options = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
                wanted.append((who, sorted(o.text for o in options if isinstance(o, Scalar))))
            else:
                self.values.wrong(item, "who was asked, and the options: {A: [take, pass]}")
        run = self.run
        actual = [(run.who(c), sorted(run.show(o, c.type) for o in c.options)) for c in run.machine.asked]
        if wanted != actual:
            yield Mismatch("asked", asked_words(wanted), asked_words(actual), head(node.span))

    def shown(self, node: YamlNode) -> Iterator[Mismatch]:
        """Who was shown which pieces, in order."""
        wanted: list[str] = []
        for item in node.items if isinstance(node, Sequence) else (node,):
            entry = next(iter(item.entries.values())) if isinstance(item, Mapping) and len(item.entries) == 1 else None
            if entry is None or not isinstance(entry.value, Scalar):
                self.values.wrong(item, "who was shown what, in order: [{A: …}, {B: …}]")
            elif self.values.seat(entry.key, player=True) is not None and entry.value.text not in self.game.cards:
                hint = near_miss(entry.value.text, self.game.cards)
                self.values.wrong(entry.value, f"there is no card `{entry.value.text}`", "RIT601", hint)
            else:
                wanted.append(f"{entry.key.text}: {entry.value.text}")
        events = [event for event in self.run.state.log if event.kind == "shown"]
        actual = [f"{self.run.names[event.public[2]]}: {event.faces[0]}" for event in events]
        if wanted != actual:
            yield Mismatch("shown", ", ".join(wanted) or "nothing", ", ".join(actual) or "nothing", head(node.span))

    def ended(self, node: YamlNode) -> Iterator[Mismatch]:
        can_end = [p.name for p in self.game.procedures.values() if p.ends]
        ended = [self.run.state.ended[p] for p in can_end if p in self.run.state.ended]
        type = ends_type(can_end[0]) if len(can_end) == 1 else None
        wanted = self.values.value(node, type) if type else node.text if isinstance(node, Scalar) else None
        actual = ended[0] if ended else None
        if wanted not in ended and not (wanted is None and not ended):
            yield from self.same("ended", wanted, actual, SEAT if wanted is None else Type("enum"), node)


def zone_words(cards: list[str]) -> str:
    return f"[{', '.join(cards)}]" if len(cards) != 1 else cards[0]


def asked_words(asked: list[tuple[str, list[str]]]) -> str:
    return "; ".join(f"{who}: {', '.join(options)}" for who, options in asked) or "nobody"
