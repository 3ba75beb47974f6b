"""The parts that stand in YAML: cards, variants, rulings, errata and overlays.

In: mappings with their places. Out: parts, and every fault found in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.parts import REMOVE, CardChange, CardPart, Erratum, Module, Origin, Overlay, Ruling, Section
from ritual_dsl.loading.shape import Shape, head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.parse import parse_lines

CARD_KEYS = ("name", "copies", "slot", "piece", "cite", "text", "rules")
MODULE_KEYS = ("id", "name", "cite", "text", "cards", "rules")
RULING_KEYS = ("question", "cite", "default", "why", "options")
OPTION_KEYS = ("text", "cards", "rules")
SECTION_KEYS = ("title", "text")
ERRATUM_KEYS = ("cite", "lang", "printed", "meant", "cards", "rules")
OVERLAY_KEYS = (
    "extends",
    "base_version",
    "version",
    *MODULE_KEYS,
    "languages",
    "about",
    "sections",
    "slots",
    "rulings",
    "scenarios",
)


class PartReader:
    """Readers of the parts that stand in YAML, for a game in certain languages."""

    def __init__(self, found: Findings, languages: tuple[str, ...]) -> None:
        self.found = found
        self.shape = Shape(found)
        self.languages = languages

    def card(self, key: Scalar, node: YamlNode) -> CardPart | None:
        """A card; keys that are not of every card are attributes the rules declare."""
        body = self.shape.mapping(node, f"the card `{key.text}`")
        return self.card_body(key, body) if body else None

    def card_body(self, key: Scalar, body: Mapping, without: tuple[str, ...] = ()) -> CardPart:
        what = f"the card `{key.text}`"
        attributes = {}
        for name, entry in body.entries.items():
            if name in CARD_KEYS or name in without:
                continue
            if isinstance(entry.value, Scalar):
                attributes[name] = Scalar(entry.value.text, entry.key.span.to(entry.value.span))
            else:
                hint = near_miss(name, CARD_KEYS) or f"known here: {listing(CARD_KEYS)} and the attributes of cards"
                self.found.say("RIT120", f"{what} has no key `{name}`", entry.key.span, help=hint)
        copies = self.shape.integer(body.get("copies"), "the number of copies", 0, 99)
        return CardPart(
            id=key.text,
            span=key.span,
            name=self.shape.texts(body.get("name"), "the name", self.languages),
            text=self.shape.texts(body.get("text"), "the text", self.languages),
            copies=1 if copies is None else copies,
            slot=filling(body.get("slot")),
            piece=scalar(body.get("piece")),
            cites=self.shape.cites(body.get("cite")),
            attributes=attributes,
            items=self.rules(body.get("rules")),
            origins=dict(origins(body)),
        )

    def rules(self, node: YamlNode | None) -> tuple[n.Item, ...]:
        """The items of a `rules: |` block."""
        if node is None:
            return ()
        if not isinstance(node, Scalar) or not node.literal:
            self.found.say(
                "RIT124", "rules should be a block", head(node.span), help="write `rules: |`, then the rules"
            )
            return ()
        return parse_lines(node.span.source, node.lines(), self.found)

    def variant(self, body: Mapping) -> Module | None:
        self.shape.mapping(body, "the variant", MODULE_KEYS)
        self.shape.require(body, "the variant", ("id", "name", "text"))
        name = self.shape.identifier(body.get("id"), "the id")
        return self.module(name, "variant", body) if name else None

    def module(self, name: str, layer: str, body: Mapping, option: str | None = None) -> Module:
        return Module(
            id=name,
            layer=layer,
            span=head(body.span),
            option=option,
            name=self.shape.texts(body.get("name"), "the name", self.languages),
            text=self.shape.texts(body.get("text"), "the text", self.languages),
            cites=self.shape.cites(body.get("cite")),
            items=self.rules(body.get("rules")),
            cards=self.card_changes(body.get("cards")),
        )

    def card_changes(self, node: YamlNode | None) -> tuple[CardChange, ...]:
        """`cards:` of a module: per card `patch: |`, keys that replace, or `remove` for the whole card."""
        body = self.shape.mapping(node, "the cards")
        changes = []
        for name, entry in body.entries.items() if body else ():
            if self.shape.id_of(entry.key, "card") is None:
                continue
            if isinstance(entry.value, Scalar) and entry.value.text == REMOVE:
                changes.append(CardChange(name, entry.key.span, removed=True))
                continue
            card = self.shape.mapping(entry.value, f"the card `{name}`")
            if card is None:
                continue
            keys = frozenset(card.entries) - {"patch"}
            part = self.card_body(entry.key, card, without=("patch",)) if keys else None
            patches = self.rules(card.get("patch"))
            changes.append(CardChange(name, entry.key.span, keys=keys, card=part, patches=patches))
        return tuple(changes)

    def ruling(self, key: Scalar, node: YamlNode, base: Ruling | None = None) -> Ruling | None:
        """A ruling; with a base, only what is given is changed."""
        what = f"the ruling `{key.text}`"
        body = self.shape.mapping(node, what, RULING_KEYS)
        options = self.shape.mapping(body.get("options"), "the options") if body else None
        if body is None:
            return None
        if base is None:
            self.shape.require(body, what, ("question", "default", "options"))
            base = Ruling(key.text, {}, {}, (), "", {}, key.span)
        read = dict(base.options)
        for name, entry in options.entries.items() if options else ():
            option = self.shape.mapping(entry.value, f"the option `{name}`", OPTION_KEYS)
            if option is not None:
                read[name] = self.module(key.text, "ruling", option, name)
        default = self.shape.text(body.get("default"), "the default") or base.default
        if read and default not in read:
            place = body.entries["default"].value.span if "default" in body.entries else key.span
            self.found.say("RIT125", f"`{default}` is not an option of {what}", place, help=near_miss(default, read))
        question = self.shape.texts(body.get("question"), "the question", self.languages)
        why = self.shape.texts(body.get("why"), "the reason", self.languages)
        cites = self.shape.cites(body.get("cite")) or base.cites
        texts = {**base.question, **question}, {**base.why, **why}
        return Ruling(key.text, *texts, cites, default, read, key.span)

    def erratum(self, key: Scalar, node: YamlNode) -> Erratum | None:
        body = self.shape.mapping(node, f"the erratum `{key.text}`", ERRATUM_KEYS)
        if body is None:
            return None
        lang = self.shape.text(body.get("lang"), "the language") or ""
        printed = self.shape.texts(body.get("printed"), "what is printed", self.languages)
        meant = self.shape.texts(body.get("meant"), "what is meant", self.languages)
        module = self.module(key.text, "erratum", body)
        return Erratum(key.text, lang, module.cites, printed, meant, module)

    def overlay(self, name: str, body: Mapping, known: dict[str, Ruling], over: frozenset[str]) -> Overlay:
        """The body of a house-rule file, whose base is known by now."""
        rulings = self.shape.mapping(body.get("rulings"), "the rulings")
        choices: dict[str, Scalar] = {}
        changed: dict[str, Ruling] = {}
        for ruling, entry in rulings.entries.items() if rulings else ():
            if isinstance(entry.value, Scalar):
                choices[ruling] = entry.value
            else:
                part = self.ruling(entry.key, entry.value, known.get(ruling))
                if part is not None:
                    changed[ruling] = part
        return Overlay(
            module=replace(self.module(name, "house", body), over=over),
            version=self.shape.text(body.get("version"), "the version"),
            pinned=scalar(body.get("base_version")),
            about=self.shape.texts(body.get("about"), "about", self.languages),
            sections=read_sections(body.get("sections"), self.languages, self.shape),
            slots=read_slots(body.get("slots"), self.shape),
            choices=choices,
            rulings=changed,
        )


def scalar(node: YamlNode | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None


def filling(node: YamlNode | None) -> Scalar | None:
    """The slot of a card; `none` is the same as leaving it out."""
    slot = scalar(node)
    return slot if slot is not None and slot.text != "none" else None


def origins(body: Mapping) -> Iterator[tuple[str, Origin]]:
    """Where each key of a card stands, words language by language."""
    for name, entry in body.entries.items():
        if name in ("name", "text") and isinstance(entry.value, Mapping):
            for language, inner in entry.value.entries.items():
                yield f"{name}.{language}", Origin("rulebook", "", inner.key.span)
        else:
            yield name, Origin("rulebook", "", entry.key.span)


def read_slots(node: YamlNode | None, shape: Shape) -> dict[str, Scalar]:
    """Slots with the card in each, or `none` for an empty one."""
    slots = shape.mapping(node, "the slots")
    read: dict[str, Scalar] = {}
    for name, entry in slots.entries.items() if slots else ():
        if shape.identifier(entry.key, "the slot") and isinstance(entry.value, Scalar):
            read[name] = entry.value
        elif not isinstance(entry.value, Scalar):
            shape.wrong(entry.value, f"the slot `{name}` holds one card")
    return read


def read_sections(node: YamlNode | None, languages: tuple[str, ...], shape: Shape) -> dict[str, Section]:
    table = shape.mapping(node, "the table of sections")
    sections = {}
    for cite, entry in table.entries.items() if table else ():
        body = shape.mapping(entry.value, f"section {cite}", SECTION_KEYS)
        shape.cites(entry.key)
        if body:
            title = shape.texts(body.get("title"), "the title", languages)
            sections[cite] = Section(cite, title, shape.texts(body.get("text"), "the text", languages))
    return sections
