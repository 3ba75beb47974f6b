"""A game's folders to parts.

In: the folder with `game.yaml`. Out: `GameFiles` and every fault found in its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from ritual_dsl.diagnostics import Findings, Related, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.files import display, read_source
from ritual_dsl.loading.parts import CardChange, CardPart, Erratum, GameFiles, Manifest, Module, Ruling, Section
from ritual_dsl.loading.shape import IDENTIFIER, Shape, head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode, read_yaml
from ritual_dsl.source import whole_file
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.parse import parse_file, parse_lines

LANGUAGE = 1
MANIFEST_KEYS = ("language", "id", "version", "name", "about", "languages", "main", "winners", "slots", "sections")
CARD_KEYS = ("name", "copies", "slot", "piece", "cite", "text", "rules")
MODULE_KEYS = ("id", "name", "cite", "text", "cards", "rules")
RULING_KEYS = ("question", "cite", "default", "why", "options")
OPTION_KEYS = ("text", "cards", "rules")
ERRATUM_KEYS = ("cite", "lang", "printed", "meant")
MOST_FILES = 400
T = TypeVar("T")


def cards_folder(folder: Path) -> Path:
    """Cards lie in `cards/` of the game's folder, or beside `rules/` under the game's name."""
    inside = folder / "cards"
    return inside if inside.is_dir() else folder.parent.parent / "cards" / folder.name


def load_game(folder: Path, found: Findings) -> GameFiles | None:
    root = read_mapping(folder / "game.yaml", found)
    if root is None:
        return None
    manifest = read_manifest(root, found)
    if manifest is None:
        return None
    reader = PartReader(found, manifest.languages)
    items: list[n.Item] = []
    for path in files(folder.glob("*.ritual"), found):
        source = read_source(path, found)
        if source is not None:
            items += parse_file(source, found)
    cards = read_each(files(cards_folder(folder).glob("*.yaml"), found), reader.card, "card", found)
    variants: dict[str, Module] = {}
    for path in files((folder / "variants").glob("*.yaml"), found):
        body = read_mapping(path, found)
        module = reader.variant(body) if body else None
        if module:
            variants[module.id] = module
    rulings = read_each(files(folder.glob("rulings.yaml"), found), reader.ruling, "ruling", found)
    errata = read_each(files(folder.glob("errata.yaml"), found), reader.erratum, "erratum", found)
    return GameFiles(manifest, tuple(items), cards, variants, rulings, errata, folder)


def files(paths: Iterable[Path], found: Findings) -> list[Path]:
    """In the order of their names, and not without end."""
    listed = sorted(paths)
    if len(listed) > MOST_FILES:
        found.say("RIT102", f"{display(listed[0].parent)} holds more than {MOST_FILES} files of a kind")
    return listed[:MOST_FILES]


def read_mapping(path: Path, found: Findings) -> Mapping | None:
    """A YAML file whose document is a mapping."""
    source = read_source(path, found)
    if source is None:
        return None
    before = len(found)
    node = read_yaml(source, found)
    if node is None:
        if len(found) == before:
            found.say("RIT106", f"{source.path} holds no data", whole_file(source))
        return None
    return Shape(found).mapping(node, "the file")


def read_each(
    paths: list[Path], read: Callable[[Scalar, YamlNode], T | None], what: str, found: Findings
) -> dict[str, T]:
    """Mappings of id to part, from several files, each id once."""
    parts: dict[str, T] = {}
    places: dict[str, Scalar] = {}
    for path in paths:
        body = read_mapping(path, found)
        for name, entry in body.entries.items() if body else ():
            if not IDENTIFIER.fullmatch(name):
                hint = "ids are written with a-z, 0-9 and _, first a letter"
                found.say("RIT122", f"`{name[:40]}` is not the id of a {what}", entry.key.span, help=hint)
            elif name in places:
                first = Related("first here", places[name].span)
                found.say("RIT116", f"the {what} `{name}` is defined twice", entry.key.span, related=[first])
            else:
                places[name] = entry.key
                part = read(entry.key, entry.value)
                if part is not None:
                    parts[name] = part
    return parts


def read_manifest(root: Mapping, found: Findings) -> Manifest | None:
    shape = Shape(found)
    shape.mapping(root, "the manifest", MANIFEST_KEYS)
    shape.require(root, "the manifest", ("language", "id", "name", "languages", "main"))
    version = shape.integer(root.get("language"), "the version of the language", 1, 999)
    if version is not None and version != LANGUAGE:
        place = root.entries["language"].value.span
        found.say("RIT123", f"this game wants version {version} of the language; known here is {LANGUAGE}", place)
        return None
    languages = shape.words(root.get("languages"), "the languages")
    slots = shape.mapping(root.get("slots"), "the slots")
    game_id = shape.identifier(root.get("id"), "the id")
    if game_id is None or not languages:
        return None
    return Manifest(
        id=game_id,
        version=shape.text(root.get("version"), "the version") or "0",
        name=shape.texts(root.get("name"), "the name", languages),
        about=shape.texts(root.get("about"), "about", languages),
        languages=languages,
        main=scalar(root.get("main")),
        winners=scalar(root.get("winners")),
        slots={k: e.value for k, e in slots.entries.items() if isinstance(e.value, Scalar)} if slots else {},
        sections=read_sections(root.get("sections"), languages, shape),
        span=head(root.span),
    )


def read_sections(node: YamlNode | None, languages: tuple[str, ...], shape: Shape) -> dict[str, Section]:
    table = shape.mapping(node, "the table of sections")
    sections = {}
    for cite, entry in table.entries.items() if table else ():
        body = shape.mapping(entry.value, f"section {cite}", ("title", "text"))
        shape.cites(entry.key)
        if body:
            title = shape.texts(body.get("title"), "the title", languages)
            sections[cite] = Section(cite, title, shape.texts(body.get("text"), "the text", languages))
    return sections


def scalar(node: YamlNode | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None


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
            slot=scalar(body.get("slot")),
            piece=scalar(body.get("piece")),
            cites=self.shape.cites(body.get("cite")),
            attributes=attributes,
            items=self.rules(body.get("rules")),
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
            if isinstance(entry.value, Scalar) and entry.value.text == "remove":
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

    def ruling(self, key: Scalar, node: YamlNode) -> Ruling | None:
        what = f"the ruling `{key.text}`"
        body = self.shape.mapping(node, what, RULING_KEYS)
        options = self.shape.mapping(body.get("options"), "the options") if body else None
        if body is None:
            return None
        self.shape.require(body, what, ("question", "default", "options"))
        default = self.shape.text(body.get("default"), "the default") or ""
        read: dict[str, Module] = {}
        for name, entry in options.entries.items() if options else ():
            option = self.shape.mapping(entry.value, f"the option `{name}`", OPTION_KEYS)
            if option is not None:
                read[name] = self.module(key.text, "ruling", option, name)
        if read and default not in read:
            place = body.entries["default"].value.span if "default" in body.entries else key.span
            self.found.say("RIT125", f"`{default}` is not an option of {what}", place, help=near_miss(default, read))
        question = self.shape.texts(body.get("question"), "the question", self.languages)
        why = self.shape.texts(body.get("why"), "the reason", self.languages)
        return Ruling(key.text, question, why, self.shape.cites(body.get("cite")), default, read, key.span)

    def erratum(self, key: Scalar, node: YamlNode) -> Erratum | None:
        body = self.shape.mapping(node, f"the erratum `{key.text}`", ERRATUM_KEYS)
        if body is None:
            return None
        lang = self.shape.text(body.get("lang"), "the language") or ""
        printed = self.shape.texts(body.get("printed"), "what is printed", self.languages)
        meant = self.shape.texts(body.get("meant"), "what is meant", self.languages)
        return Erratum(key.text, lang, self.shape.cites(body.get("cite")), printed, meant)
