"""A game as what a sheet shows: phrases, numbered sections, the rules that cite them, groups of cards.

In: a `Game` and a language. Out: `View`, plain data for a template.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass

from ritual_dsl.loading.game_files import LANGUAGE
from ritual_dsl.loading.parts import Module
from ritual_dsl.loading.shape import Texts
from ritual_dsl.model.game import Card, Game
from ritual_dsl.source import Source, Span
from ritual_dsl.syntax import nodes as n

FINGERPRINT = 10


@dataclass(frozen=True)
class Phrase:
    """Words in the language asked for, or visibly in another."""

    text: str
    lang: str
    missing: bool = False


@dataclass(frozen=True)
class RuleView:
    anchor: str
    name: str
    cites: tuple[str, ...]
    module: str
    lines: str


@dataclass(frozen=True)
class SectionView:
    cite: str
    level: int
    title: Phrase
    text: Phrase
    rules: tuple[RuleView, ...]
    see: tuple[RuleView, ...]


@dataclass(frozen=True)
class CardView:
    id: str
    name: Phrase
    text: Phrase
    copies: int
    attributes: tuple[tuple[str, str], ...]
    slot: str | None
    cites: tuple[str, ...]
    rules: tuple[str, ...]
    changed_by: tuple[str, ...]
    alternate: bool


@dataclass(frozen=True)
class GroupView:
    attribute: str
    value: str
    cards: tuple[CardView, ...]


@dataclass(frozen=True)
class ModuleView:
    reference: str
    kind: str
    name: Phrase
    text: Phrase
    cites: tuple[str, ...]


@dataclass(frozen=True)
class OptionView:
    id: str
    text: Phrase
    chosen: bool
    default: bool


@dataclass(frozen=True)
class RulingView:
    id: str
    question: Phrase
    why: Phrase
    cites: tuple[str, ...]
    options: tuple[OptionView, ...]


@dataclass(frozen=True)
class ErratumView:
    lang: str
    cites: tuple[str, ...]
    printed: Phrase
    meant: Phrase


@dataclass(frozen=True)
class View:
    lang: str
    title: Phrase
    about: Phrase
    players: tuple[int, int]
    modules: tuple[ModuleView, ...]
    sections: tuple[SectionView, ...]
    other: tuple[RuleView, ...]
    groups: tuple[GroupView, ...]
    rulings: tuple[RulingView, ...]
    errata: tuple[ErratumView, ...]
    version: str
    language: int
    fingerprint: str


def view(game: Game, lang: str) -> View:
    return _Viewer(game, lang).view()


class _Viewer:
    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self.manifest = game.files.manifest
        self.options = {m.id: m.option for m in game.modules if m.layer == "ruling"}

    def view(self) -> View:
        sections, other = self.sections()
        return View(
            lang=self.lang,
            title=self.say(self.manifest.name, self.manifest.id),
            about=self.say(self.manifest.about),
            players=self.game.players,
            modules=(*self.modules(), *self.swapped()),
            sections=sections,
            other=other,
            groups=self.groups(),
            rulings=self.rulings(),
            errata=tuple(
                ErratumView(e.lang, e.cites, self.say(e.printed), self.say(e.meant))
                for e in self.game.files.errata.values()
            ),
            version=self.manifest.version,
            language=LANGUAGE,
            fingerprint=fingerprint(self.game),
        )

    def say(self, texts: Texts, instead: str = "") -> Phrase:
        """The text in the sheet's language, else the first there is, marked; else `instead`."""
        for language in (self.lang, *self.game.languages, *texts):
            if language in texts:
                return Phrase(texts[language], language, language != self.lang)
        return Phrase(instead, self.lang)

    # ---- modules

    def modules(self) -> Iterator[ModuleView]:
        """What makes this game another than the rulebook's: no ruling that stays at its default."""
        for module in self.game.modules:
            name, cites = module.name, module.cites
            if module.layer == "ruling":
                ruling = self.game.files.rulings[module.id]
                if module.option == ruling.default:
                    continue
                name, cites = ruling.question, ruling.cites
            yield ModuleView(module.reference, module.layer, self.say(name, module.id), self.say(module.text), cites)

    def swapped(self) -> Iterator[ModuleView]:
        usual = {word.text for word in self.manifest.slots.values()}
        for card in self.game.cards.values():
            if card.slot is not None and card.id in self.game.deck and card.id not in usual:
                yield ModuleView(card.id, "swapped", self.say(card.name, card.id), self.say(card.text), card.cites)

    # ---- sections and rules

    def sections(self) -> tuple[tuple[SectionView, ...], tuple[RuleView, ...]]:
        """Every rule is printed once, with the first section it cites; the others refer to it."""
        homes: dict[str, list[RuleView]] = {cite: [] for cite in self.manifest.sections}
        see: dict[str, list[RuleView]] = {cite: [] for cite in self.manifest.sections}
        other: list[RuleView] = []
        for number, (item, module) in enumerate(self.items(), 1):
            ruling = self.game.files.rulings.get(module.id) if module and module.option else None
            inherited = ruling.cites if ruling else module.cites if module else ()
            cites = tuple(dict.fromkeys((*cited(item), *inherited)))
            name = module.reference if module else ""
            rule = RuleView(f"r-{number}", title(item), cites, name, block(item.span))
            known = [cite for cite in cites if cite in homes]
            (homes[known[0]] if known else other).append(rule)
            for cite in known[1:]:
                see[cite].append(rule)
        shown = tuple(
            SectionView(
                cite,
                min(cite.count("-"), 3) + 3,
                self.say(section.title),
                self.say(section.text),
                tuple(homes[cite]),
                tuple(see[cite]),
            )
            for cite, section in self.manifest.sections.items()
        )
        return shown, tuple(other)

    def items(self) -> Iterator[tuple[n.Item, Module | None]]:
        for item in self.game.files.items:
            yield item, None
        for module in self.game.modules:
            for item in module.items:
                yield item, module

    # ---- cards

    def groups(self) -> tuple[GroupView, ...]:
        """By the first attribute that is an enum, in the order of its values."""
        cards = self.game.cards.values()
        by = next((name for name, type in self.game.attributes.items() if type.kind == "enum"), None)
        if by is None:
            return (GroupView("", "", tuple(map(self.card, cards))),) if cards else ()
        groups: dict[str, list[CardView]] = {v: [] for v in self.game.enums.get(self.game.attributes[by].name, ())}
        for card in cards:
            groups.setdefault(shown_value(card.attributes.get(by)), []).append(self.card(card))
        return tuple(GroupView(by, value, tuple(group)) for value, group in groups.items() if group)

    def card(self, card: Card) -> CardView:
        attributes = tuple((k, shown_value(v)) for k, v in card.attributes.items() if v is not None)
        return CardView(
            id=card.id,
            name=self.say(card.name, card.id),
            text=self.say(card.text),
            copies=card.copies,
            attributes=attributes,
            slot=card.slot,
            cites=card.cites,
            rules=tuple(block(item.span) for item in self.card_items(card.id)),
            changed_by=card.changed_by,
            alternate=card.id not in self.game.deck,
        )

    def card_items(self, name: str) -> Iterator[n.Item]:
        """The card's own rules after the overlays, then what modules patch in its name."""
        yield from self.game.parts[name].items
        for module in self.game.modules:
            for change in module.cards:
                if change.id == name:
                    yield from change.patches

    # ---- rulings

    def rulings(self) -> tuple[RulingView, ...]:
        return tuple(
            RulingView(
                ruling.id,
                self.say(ruling.question, ruling.id),
                self.say(ruling.why),
                ruling.cites,
                tuple(
                    OptionView(
                        name,
                        self.say(option.text),
                        name == self.options.get(ruling.id, ruling.default),
                        name == ruling.default,
                    )
                    for name, option in ruling.options.items()
                ),
            )
            for ruling in self.game.files.rulings.values()
        )


def shown_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def cited(node: object) -> Iterator[str]:
    """The citations of a node, its own first, then those inside it."""
    yield from getattr(node, "cites", ())
    if isinstance(node, tuple):
        for element in node:
            yield from cited(element)
    elif is_dataclass(node) and not isinstance(node, Span):
        for part in fields(node):
            if part.name not in ("span", "cites"):
                yield from cited(getattr(node, part.name))


def title(item: n.Item) -> str:
    """The kind of an item and what it is about."""
    match item:
        case n.EnumDecl(name=name):
            return f"enum {name}"
        case n.AttributesDecl():
            return "card has"
        case n.PlayersDecl():
            return "players"
        case n.SeatsDecl():
            return "seats"
        case n.ZoneDecl(name=name):
            return f"zone {name}"
        case n.CounterDecl(name=name):
            return f"counter {name}"
        case n.VariableDecl(name=name):
            return f"variable {name}"
        case n.SignalDecl(name=name):
            return f"trigger {name}"
        case n.MeasureDecl(name=name):
            return f"measure {name}"
        case n.RuleDecl(name=name):
            return f"rule {name}"
        case n.ProcedureDecl(name=name):
            return f"procedure {name}"
        case n.Handler(trigger=name):
            return f"when {name}"
        case n.OddsDecl(procedure=name):
            return f"odds after {name}" if name else "odds"
        case n.ClausePatch(kind=kind, path=path) | n.StepPatch(kind=kind, path=path):
            return f"{kind} {'.'.join(path)}"
        case n.Guarded():
            guards = (("while", item.while_rule), ("during", item.during), ("with", item.with_module))
            return " ".join(f"{word} {name}" for word, name in guards if name)


def block(span: Span) -> str:
    """The lines of an item as written: its first line and the deeper ones below, without the common indent."""
    source = span.source
    indent = depth(source.line(span.line))
    lines = [source.line(span.line)]
    waiting: list[str] = []  # blank lines and comments count only if the item goes on behind them
    brackets = opened(lines[0])
    for number in range(span.line + 1, len(source.lines) + 1):
        line = source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            waiting.append(line)
        elif depth(line) > indent or brackets > 0:
            lines += [*waiting, line]
            waiting = []
            brackets += opened(line)
        else:
            break
    return "\n".join(line[min(indent, depth(line)) :].rstrip() for line in lines)


def depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def opened(line: str) -> int:
    code = line.partition("#")[0]
    return sum(code.count(c) for c in "([") - sum(code.count(c) for c in ")]")


def fingerprint(game: Game) -> str:
    """Of the texts of rules and cards; where the files lie does not matter."""
    whole = hashlib.sha256()
    for text in sorted({source.text for source in sources(game)}):
        raw = text.encode("utf-8")
        whole.update(len(raw).to_bytes(8, "big") + raw)
    return whole.hexdigest()[:FINGERPRINT]


def sources(game: Game) -> Iterable[Source]:
    files = game.files
    yield files.manifest.span.source
    parts = (*files.items, *files.cards.values(), *files.variants.values(), *files.rulings.values(), *game.modules)
    for part in parts:
        yield part.span.source
