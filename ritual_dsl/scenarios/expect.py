"""What must come of a scenario: read before its run, compared after it, in words a designer uses.

In: the `expect` mapping and a run that is set up. Out: `Check`s; each, asked after the run, gives one
`Mismatch` for each difference. A value that cannot be read is a finding, and nothing is compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ritual_dsl.diagnostics import near_miss
from ritual_dsl.diagnostics.codes import CODES
from ritual_dsl.diagnostics.report import Mismatch
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.trace import known_names
from ritual_dsl.loading.shape import head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.model.game import Counter, Rule, Variable, Zone
from ritual_dsl.model.names import ends_type
from ritual_dsl.model.types import Type
from ritual_dsl.scenarios.values import Values

Check = Callable[[], Iterator[Mismatch]]
SEATS = Type("seat", is_set=True)
KEYS = ("because", "asked", "shown", "ended", "error")


class Expectation:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.run = values.run
        self.game = values.game

    def read(self, expect: Mapping) -> list[tuple[str, Check]]:
        """By what is expected. Rules first: `because` may ask for a clause that only an expectation evaluates."""
        checks: list[tuple[str, Check]] = []
        for name in sorted(expect.entries, key=lambda name: name == "because"):
            before = len(self.values.found)
            check = self.entry(name, expect.entries[name].value, expect.entries[name].key)
            if check is not None and len(self.values.found) == before:
                checks.append((name, check))
        return checks

    def entry(self, name: str, node: YamlNode, key: Scalar) -> Check | None:
        declared = self.game.declared(name)
        match name:
            case "because":
                return self.because(node)
            case "asked":
                return self.asked(node)
            case "shown":
                return self.shown(node)
            case "ended":
                return self.ended(node)
            case "error":
                return self.error(node)
            case _ if isinstance(declared, Zone):
                return self.zone(declared, node)
            case _ if isinstance(declared, Counter):
                return self.value(declared, Type("number"), node)
            case _ if isinstance(declared, Variable):
                return self.value(declared, declared.type, node)
            case _ if name in self.game.rules:
                return self.rule(self.game.rules[name], node)
        known = [*self.game.zones, *self.game.counters, *self.game.variables, *self.game.rules, *KEYS]
        self.values.wrong(key, f"there is nothing called `{name}` to expect", "RIT601", near_miss(name, known))
        return None

    def same(self, what: str, wanted: Any, actual: Any, type: Type, node: YamlNode) -> Iterator[Mismatch]:
        if wanted != actual:
            yield Mismatch(what, self.run.show(wanted, type), self.run.show(actual, type), head(node.span))

    # ---- the state

    def zone(self, zone: Zone, node: YamlNode) -> Check:
        shares = self.values.by_owner(node, zone.owner) if zone.owner else {None: node}
        wanted = {owner: (self.values.share(zone, value), value) for owner, value in shares.items()}

        def check() -> Iterator[Mismatch]:
            cell = self.run.state.cells[zone.cell]
            for owner, (cards, value) in wanted.items():
                share = cell if owner is None else cell[owner]
                there = share if not zone.single else [share] if share is not None else []
                if cards != there:
                    what = self.run.share(zone.name, owner)
                    yield Mismatch(what, zone_words(cards), zone_words(there), head(value.span))

        return check

    def value(self, declared: Counter | Variable, type: Type, node: YamlNode) -> Check:
        shares = self.values.by_owner(node, declared.owner) if declared.owner else {None: node}
        wanted = {owner: (self.values.value(value, type), value) for owner, value in shares.items()}

        def check() -> Iterator[Mismatch]:
            cell = self.run.state.cells[declared.cell]
            for owner, (value, place) in wanted.items():
                actual = cell if owner is None else cell[owner]
                yield from self.same(self.run.share(declared.name, owner), value, actual, type, place)

        return check

    # ---- rules

    def rule(self, rule: Rule, node: YamlNode) -> Check | None:
        """A truth rule of one seat: exactly these seats. A value rule of one seat: what is listed. Else the value."""
        kinds = [type.kind for _, type in rule.params]
        if not kinds:
            wanted = self.values.value(node, rule.type)
            return lambda: self.same(rule.name, wanted, self.last(rule, ()), rule.type, node)
        if kinds not in (["seat"], ["player"]):
            self.values.wrong(node, f"`{rule.name}` is no rule of one seat, so it cannot be expected here")
            return None
        if rule.type.kind == "truth":
            seats = self.values.value(node, SEATS)
            count = self.run.state.players if kinds == ["player"] else self.run.state.seats
            return lambda: self.same(rule.name, seats, self.holding(rule, count), SEATS, node)
        owners = self.values.by_owner(node, rule.params[0][1])
        amounts = {seat: (self.values.value(value, rule.type), value) for seat, value in owners.items()}
        return partial(self.amounts, rule, amounts)

    def amounts(self, rule: Rule, wanted: dict[int, tuple[Any, YamlNode]]) -> Iterator[Mismatch]:
        for seat, (value, place) in wanted.items():
            what = f"{rule.name} of {self.run.names[seat]}"
            yield from self.same(what, value, self.last(rule, (seat,)), rule.type, place)

    def holding(self, rule: Rule, count: int) -> frozenset[int]:
        return frozenset(seat for seat in range(count) if self.last(rule, (seat,)))

    def last(self, rule: Rule, args: tuple[Any, ...]) -> Any:
        """As the procedure last evaluated it, or as it would at its end."""
        trace = self.run.trace
        if trace is not None and (rule.name, args) in trace.last:
            return trace.last[rule.name, args].value
        return self.run.ask(rule.name, args)

    def because(self, node: YamlNode) -> Check:
        known = known_names(self.game)
        items = node.items if isinstance(node, Sequence) else (node,)
        wanted: list[Scalar] = []
        for item in items:
            if not isinstance(item, Scalar):
                self.values.wrong(item, "a clause is wanted here: `rule.clause`, or `rule.clause@patch`")
            elif item.text not in known:
                message = f"there is no clause or patch `{item.text}` in this game"
                self.values.wrong(item, message, "RIT601", near_miss(item.text, known))
            else:
                wanted.append(item)
        return partial(self.decided, wanted)

    def decided(self, wanted: list[Scalar]) -> Iterator[Mismatch]:
        assert self.run.trace is not None
        decided = self.run.trace.decided()
        for item in wanted:
            if item.text not in decided:
                rule = item.text.partition("@")[0].rpartition(".")[0]
                near = sorted(d for d in decided if d.startswith(rule + "."))
                yield Mismatch("because", item.text, listing(near) or "nothing of that rule", head(item.span))

    # ---- what happened

    def pairs(self, node: YamlNode, example: str) -> list[tuple[Scalar, YamlNode]]:
        """A list of `{who: what}`."""
        if not isinstance(node, Sequence):
            self.values.wrong(node, f"a list is wanted here: {example}")
            return []
        found: list[tuple[Scalar, YamlNode]] = []
        for item in node.items:
            if isinstance(item, Mapping) and len(item.entries) == 1:
                entry = next(iter(item.entries.values()))
                self.values.chooser(entry.key)
                found.append((entry.key, entry.value))
            else:
                self.values.wrong(item, f"who and what is wanted here: {example}")
        return found

    def asked(self, node: YamlNode) -> Check:
        example = "[{A: [take, pass]}]"
        wanted: list[tuple[str, list[str]]] = []
        for who, what in self.pairs(node, example):
            options = what.items if isinstance(what, Sequence) else (what,)
            if not all(isinstance(option, Scalar) for option in options):
                self.values.wrong(what, f"a list of options is wanted here: {example}")
            wanted.append((who.text, sorted(o.text for o in options if isinstance(o, Scalar))))

        def check() -> Iterator[Mismatch]:
            run = self.run
            actual = [(run.who(c), sorted(run.show(o, c.type) for o in c.options)) for c in run.machine.asked]
            if wanted != actual:
                yield Mismatch("asked", asked_words(wanted), asked_words(actual), head(node.span))

        return check

    def shown(self, node: YamlNode) -> Check:
        """Who was shown which pieces, in order."""
        wanted: list[str] = []
        for who, what in self.pairs(node, "[{A: a card}]"):
            wanted.append(f"{who.text}: {self.values.word(what, list(self.game.cards))}")

        def check() -> Iterator[Mismatch]:
            events = [event for event in self.run.state.log if event.kind == "shown"]
            actual = [f"{self.run.names[event.public[2]]}: {event.faces[0]}" for event in events]
            if wanted != actual:
                yield Mismatch("shown", ", ".join(wanted) or "nothing", ", ".join(actual) or "nothing", head(node.span))

        return check

    def ended(self, node: YamlNode) -> Check:
        can_end = [p.name for p in self.game.procedures.values() if p.ends]
        words = {word for name in can_end for word in self.game.procedures[name].ends}
        if len(can_end) == 1:
            wanted = self.values.value(node, ends_type(can_end[0]))
        else:
            wanted = self.values.word(node, [*sorted(words), "none"])
            wanted = None if wanted == "none" else wanted

        def check() -> Iterator[Mismatch]:
            ended = [self.run.state.ended[p] for p in can_end if p in self.run.state.ended]
            actual = ended[0] if ended else None
            if wanted not in ended and not (wanted is None and not ended):
                yield from self.same("ended", wanted, actual, Type("name"), node)

        return check

    def error(self, node: YamlNode) -> Check:
        code = self.values.word(node, list(CODES))
        return lambda: iter([Mismatch("error", code or "", "no error", head(node.span))])


def zone_words(cards: list[str]) -> str:
    return f"[{', '.join(cards)}]" if len(cards) != 1 else cards[0]


def asked_words(asked: list[tuple[str, list[str]]]) -> str:
    return "; ".join(f"{who}: {', '.join(options)}" for who, options in asked) or "nobody"
