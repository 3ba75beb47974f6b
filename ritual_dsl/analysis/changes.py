"""What was changed between two games: declarations, clauses, steps and cards, as they are written.

In: two games. Out: `Change`s with both readings side by side, and `CardChange`s. Texts are compared without their
layout, comments and citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Entry, Game, Procedure, Rule
from ritual_dsl.model.walk import walk
from ritual_dsl.source import Span

NOISE = re.compile(r"#.*|§\S+")


@dataclass(frozen=True)
class Reading:
    """A line or block of rules, when it counts, and where it stands."""

    text: str
    when: str  # in words, "" for always
    origin: str  # the module or card, "" for the rulebook
    layer: str
    cites: tuple[str, ...]
    place: str
    cards: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[str, str]:
        return (plain(self.text), self.when)


@dataclass(frozen=True)
class Change:
    """One thing that reads differently."""

    kind: str  # rule, procedure, counter, …
    name: str
    cites: tuple[str, ...]
    before: tuple[Reading, ...]
    after: tuple[Reading, ...]

    def cards(self, *layers: str) -> set[str]:
        """The cards whose rules are among what differs; with layers, of what these say alone."""
        keys = {r.key for r in self.before} ^ {r.key for r in self.after}
        differing = [r for r in (*self.before, *self.after) if r.key in keys and (not layers or r.layer in layers)]
        return {card for r in differing for card in r.cards}


@dataclass(frozen=True)
class CardChange:
    id: str
    kind: str  # added, removed, changed
    fields: tuple[tuple[str, str, str], ...]  # what, before, after
    rules: bool
    stale: tuple[str, ...]  # languages in which the text is the old one although the rules are not


def plain(text: str) -> str:
    return " ".join(word for line in text.splitlines() for word in NOISE.sub(" ", line).split())


def written_lines(span: Span) -> Iterator[tuple[int, str]]:
    """A line of rules with the block below it, without comments and citations, and the numbers of the lines."""
    first = span.source.line(span.line)
    indent = len(first) - len(first.lstrip())
    for number, line in enumerate(span.source.lines[span.line - 1 :], span.line):
        if number > span.line and line.strip() and len(line) - len(line.lstrip()) <= indent:
            return
        bare = NOISE.sub("", line[indent:]).rstrip()
        if bare:
            yield number, bare


def written(span: Span) -> str:
    return "\n".join(line for _, line in written_lines(span))


def place(span: Span) -> str:
    return f"{span.path}:{span.line}"


# ---- rules


def rule_changes(a: Game, b: Game) -> Iterator[Change]:
    for name in dict.fromkeys([*a.rules, *b.rules]):
        before, after = clauses(a.rules.get(name), a), clauses(b.rules.get(name), b)
        for label in dict.fromkeys([*before, *after]):
            old, new = before.get(label, ()), after.get(label, ())
            if [r.key for r in old] != [r.key for r in new]:
                rule = b.rules.get(name) or a.rules[name]
                cites = tuple(dict.fromkeys(cite for r in (*old, *new) for cite in r.cites)) or rule.cites
                yield Change("rule", f"{name}.{label}", cites, old, new)


def clauses(rule: Rule | None, game: Game) -> dict[str, tuple[Reading, ...]]:
    if rule is None:
        return {}
    return {clause.label: tuple(readings(clause, rule, game)) for clause in rule.clauses}


def readings(clause: Clause, rule: Rule, game: Game) -> Iterator[Reading]:
    for entry in (*clause.entries, *clause.limits):
        yield from entry_readings(entry, rule.card, game)


def entry_readings(entry: Entry, card: str | None, game: Game) -> Iterator[Reading]:
    cards = {c for c in (card, entry.origin, entry.guard.card) if c in game.cards}
    yield Reading(
        written(entry.span),
        guard_words(entry.guard),
        entry.origin,
        entry.layer,
        entry.cites,
        place(entry.span),
        frozenset(c for c in cards if c is not None),
    )
    for override in entry.overrides:
        yield from entry_readings(override, card or (entry.origin if entry.origin in game.cards else None), game)


def guard_words(guard: ir.Guard) -> str:
    parts = [f"while {guard.rule}({guard.card})"] if guard.rule is not None else []
    return " ".join([*parts, *(f"during {procedure}" for procedure in guard.during)])


# ---- procedures


def procedure_changes(a: Game, b: Game) -> Iterator[Change]:
    for name in dict.fromkeys([*a.procedures, *b.procedures]):
        one, two = a.procedures.get(name), b.procedures.get(name)
        before, after = steps(one, a), steps(two, b)
        if [r.key for r in before] == [r.key for r in after]:
            continue
        cites = (two or one or a.procedures[name]).cites
        old: list[Reading] = []
        new: list[Reading] = []
        matcher = SequenceMatcher(None, [r.key for r in before], [r.key for r in after], autojunk=False)
        for what, i, j, k, end in matcher.get_opcodes():
            if what != "equal":
                old += before[i:j]
                new += after[k:end]
        yield Change("procedure", name, cites, tuple(old), tuple(new))


def steps(procedure: Procedure | None, game: Game) -> list[Reading]:
    """The lines of a procedure, then what patches put into it."""
    if procedure is None:
        return []
    cards = frozenset([procedure.card]) if procedure.card is not None else frozenset()
    layer = "card" if procedure.card is not None else "rulebook"
    found = []
    for number, line in written_lines(procedure.span):
        where = f"{procedure.span.path}:{number}"
        found.append(Reading(line, "", procedure.card or "", layer, procedure.cites, where, cards))
    for part in walk(procedure):
        if isinstance(part, ir.Block):
            about = frozenset(c for c in (part.origin, part.guard.card) if c in game.cards and c is not None)
            when = guard_words(part.guard)
            text, where = written(part.span), place(part.span)
            found.append(Reading(text, when, part.origin, part.layer, part.cites, where, about))
    return found


# ---- declarations


def declaration_changes(a: Game, b: Game) -> Iterator[Change]:
    before, after = declared(a), declared(b)
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        if (old and old.key) != (new and new.key):
            cites = (new or old or before[key]).cites
            yield Change(key[0], key[1], cites, (old,) if old else (), (new,) if new else ())


def declared(game: Game) -> dict[tuple[str, str], Reading]:
    """Everything declared by name, as it counts after patches."""
    found = {("players", "players"): said(f"{game.players[0]}..{game.players[1]}")}
    found["seats", "dummies"] = said(f"dummies up to {game.dummies_up_to}")
    for name, values in game.enums.items():
        found["enum", name] = said(", ".join(values))
    for piece, attributes in game.pieces.items():
        words = ", ".join(f"{name}: {type}" for name, type in attributes.items())
        found["attributes", piece or "card"] = said(words)
    for zone in game.zones.values():
        found["zone", zone.name] = said(written(zone.span), zone.cites, zone.span)
    for counter in game.counters.values():
        words = f"{counter.low}..{counter.high}, starts at {counter.starts}"
        found["counter", counter.name] = said(words, counter.cites, counter.span)
    for variable in game.variables.values():
        found["variable", variable.name] = said(written(variable.span), variable.cites, variable.span)
    for odds in game.odds:
        found["odds", odds.procedure or "deal"] = said(written(odds.span), odds.cites, odds.span)
    return found


def said(text: str, cites: tuple[str, ...] = (), span: Span | None = None) -> Reading:
    return Reading(text, "", "", "rulebook", cites, place(span) if span else "")


# ---- cards


def card_changes(a: Game, b: Game, changes: list[Change]) -> Iterator[CardChange]:
    touched = {card for change in changes for card in change.cards()}
    reworded = {card for change in changes for card in change.cards("card", "house")}  # other layers have own texts
    for card in dict.fromkeys([*a.cards, *b.cards]):
        if (card in a.deck) is not (card in b.deck) or card not in a.cards or card not in b.cards:
            kind = "added" if card in b.deck or card not in a.cards else "removed"
            yield CardChange(card, kind, (), False, ())
            continue
        before, after = printed(a, card), printed(b, card)
        differing = tuple((key, before.get(key, ""), after.get(key, "")) for key in {**before, **after})
        fields = tuple(f for f in differing if f[1] != f[2])
        same = [lang for lang in b.languages if a.cards[card].text.get(lang) == b.cards[card].text.get(lang)]
        idle = card not in a.deck and text_of(a, card) != text_of(b, card)  # its patches do not count, but have changed
        rules = card in touched or idle
        if fields or rules:
            yield CardChange(card, "changed", fields, rules, tuple(same) if card in reworded or idle else ())


def printed(game: Game, card: str) -> Mapping[str, str]:
    """What a card is and says, by key."""
    it = game.cards[card]
    found = {name: shown(value) for name, value in it.attributes.items()}
    found["copies"] = str(it.copies)
    found |= {f"name ({lang})": text for lang, text in it.name.items()}
    return found | {f"text ({lang})": text for lang, text in it.text.items()}


def text_of(game: Game, card: str) -> object:
    """A card's own rules as they were written."""
    part = game.files.cards.get(card)
    return part.items if part is not None else ()


def shown(value: object) -> str:
    return "none" if value is None else str(value)


def all_changes(a: Game, b: Game) -> list[Change]:
    return [*declaration_changes(a, b), *rule_changes(a, b), *procedure_changes(a, b)]
