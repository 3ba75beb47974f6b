"""How a game looks on paper, as its `sheets.yaml` says: sizes, colours, drawings, words for values, tokens, player aid.

In: a game's folder. Out: `Look`. A game without the file gets plain defaults. Sizes are in millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.drawing import read_drawing
from ritual_dsl.loading.files import AnyPath
from ritual_dsl.loading.game_files import read_mapping
from ritual_dsl.loading.part_reader import scalar
from ritual_dsl.loading.shape import IDENTIFIER, Shape, Texts
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode

FILE = "sheets.yaml"
KEYS = ("pieces", "colors", "face", "attributes", "values", "pictures", "labels", "back", "tokens", "aid")
PIECE_KEYS = ("width", "height", "corner", "colors", "shape", "edge")
COLOR_KEYS = ("ground", "ink", "accent")
FACE_KEYS = ("colored_by", "grouped_by", "pictured_by", "labelled_by")
ATTRIBUTE_KEYS = ("name", "icon")
VALUE_KEYS = ("name", "text", "icon", "colors", "shape", "edge")
BACK_KEYS = ("colors", "icon", "told_by")
TOKEN_KEYS = (
    *("form", "name", "text", "icon", "colors", "shape", "width", "height"),
    *("label", "copies", "counter", "attribute", "first", "module", "places"),
)
PLACE_KEYS = ("each", "name", "text", "icon", "colors")
PANEL_KEYS = ("title", "lines", "with", "without")
LINE_KEYS = ("text", "icon", "cite", "with", "without")
FIRSTS = ("low", "start")  # of a track: the lowest value of its counter, or the one it starts at
FORMS = ("marker", "track", "board")
SHAPES = ("circle", "diamond", "square", "hexagon")
EDGES = ("line", "zigzag", "dots", "double")
LONGEST_LABEL = 12  # characters
COLOR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class Colors:
    """Ground, the ink on it, and an accent between the two."""

    ground: str = "#e9e4d8"
    ink: str = "#26231d"
    accent: str = "#8a7f68"


@dataclass(frozen=True)
class ValueLook:
    """How one value of an attribute is shown."""

    name: Texts = field(default_factory=dict)
    text: Texts = field(default_factory=dict)
    icon: str = ""
    colors: str = ""
    shape: str = "circle"
    edge: str = "line"


@dataclass(frozen=True)
class AttributeLook:
    """What an attribute is called; with a drawing, a number is shown as so many of it."""

    name: Texts
    icon: str


@dataclass(frozen=True)
class Piece:
    """A kind of pieces: its size, and how it looks where no value says otherwise."""

    width: float = 63
    height: float = 88
    corner: float = 3
    tone: ValueLook = field(default_factory=ValueLook)


@dataclass(frozen=True)
class Place:
    """A spot on a board: one of its own, or one for each value of an attribute."""

    each: Scalar | None
    name: Texts
    text: Texts
    icon: str
    colors: str


@dataclass(frozen=True)
class Token:
    id: str
    form: str
    name: Texts
    text: Texts
    icon: str
    colors: str
    shape: str
    width: float
    height: float
    label: str
    copies: int
    counter: Scalar | None
    attribute: Scalar | None
    first: str
    module: Scalar | None
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Line:
    text: Texts
    icon: str
    cites: tuple[str, ...]
    needs: Scalar | None
    unless: Scalar | None


@dataclass(frozen=True)
class Panel:
    title: Texts
    lines: tuple[Line, ...]
    needs: Scalar | None
    unless: Scalar | None


@dataclass(frozen=True)
class Look:
    pieces: dict[str, Piece] = field(default_factory=dict)
    colors: dict[str, Colors] = field(default_factory=dict)
    face: dict[str, Scalar] = field(default_factory=dict)
    attributes: dict[str, AttributeLook] = field(default_factory=dict)
    values: dict[str, dict[str, ValueLook]] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)  # card -> drawing
    labels: dict[str, str] = field(default_factory=dict)  # card -> a few characters that say it at a glance
    back: ValueLook = field(default_factory=ValueLook)
    told_by: Scalar | None = None  # the attribute whose value the back of a card shows
    tokens: tuple[Token, ...] = ()
    aid: tuple[Panel, ...] = ()
    drawings: dict[str, str] = field(default_factory=dict)  # name -> SVG
    places: tuple[tuple[str, Scalar], ...] = ()  # names of other things, with what they should be

    @property
    def card(self) -> Piece:
        return self.pieces.get("card", Piece())


def look_files(folder: AnyPath) -> list[AnyPath]:
    """What a look is read from, there or not."""
    return [folder / FILE, *sorted((folder / "art").glob("*.svg"))]


def read_look(folder: AnyPath, languages: tuple[str, ...], found: Findings) -> Look:
    if not (folder / FILE).is_file():
        return Look()
    body = read_mapping(folder / FILE, found)
    return _Reader(folder, languages, found).look(body) if body is not None else Look()


class _Reader:
    def __init__(self, folder: AnyPath, languages: tuple[str, ...], found: Findings) -> None:
        self.folder = folder
        self.languages = languages
        self.found = found
        self.shape = Shape(found)
        self.drawings: dict[str, str] = {}
        self.colors: dict[str, Colors] = {}
        self.places: list[tuple[str, Scalar]] = []

    def look(self, body: Mapping) -> Look:
        self.shape.mapping(body, "the look", KEYS)
        self.colors = {name: self.color(node) for name, _, node in self.table(body.get("colors"), "the colors")}
        return Look(
            pieces={name: self.piece(name, node) for name, _, node in self.table(body.get("pieces"), "the pieces")},
            colors=self.colors,
            face=self.face(body.get("face")),
            attributes=self.attribute_looks(body.get("attributes")),
            values={
                name: self.value_looks(name, node) for name, _, node in self.table(body.get("values"), "the values")
            },
            pictures=self.pictures(body.get("pictures")),
            labels=self.labels(body.get("labels")),
            back=self.value_look(body.get("back"), "the back", BACK_KEYS),
            told_by=self.told_by(body.get("back")),
            tokens=tuple(self.token(key, node) for _, key, node in self.table(body.get("tokens"), "the tokens")),
            aid=tuple(self.panel(node) for node in self.shape.sequence(body.get("aid"), "the player aid")),
            drawings=self.drawings,
            places=tuple(self.places),
        )

    def table(self, node: YamlNode | None, what: str) -> Iterable[tuple[str, Scalar, YamlNode]]:
        body = self.shape.mapping(node, what)
        return [(name, entry.key, entry.value) for name, entry in body.entries.items()] if body else []

    def known(self, what: str, node: YamlNode | None) -> Scalar | None:
        """A name of something else, kept with its place for the check against the game."""
        word = scalar(node)
        if word is not None:
            self.places.append((what, word))
        return word

    def one_of(self, node: YamlNode | None, what: str, choices: tuple[str, ...]) -> str:
        word = scalar(node)
        if word is None:
            return choices[0]
        if word.text not in choices:
            hint = near_miss(word.text, choices) or f"known: {listing(choices)}"
            self.found.say("RIT660", f"{what} is `{word.text[:40]}`", word.span, help=hint)
            return choices[0]
        return word.text

    # ---- sizes and colours

    def piece(self, name: str, node: YamlNode) -> Piece:
        body = self.shape.mapping(node, f"the piece `{name}`", PIECE_KEYS)
        if body is None:
            return Piece()
        width, height = (self.length(body.get(key), key, low=10) for key in ("width", "height"))
        corner = self.length(body.get("corner"), "corner", high=20) or 0
        return Piece(width or 63, height or 88, corner, self.tone(body))

    def length(self, node: YamlNode | None, what: str, low: float = 0, high: float = 400) -> float | None:
        text = self.shape.text(node, what)
        if text is None or node is None:
            return None
        if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", text) or not low <= float(text) <= high:
            self.shape.wrong(node, f"`{what}` should be millimetres from {low:g} to {high:g}, not `{text[:40]}`")
            return None
        return float(text)

    def color(self, node: YamlNode) -> Colors:
        body = self.shape.mapping(node, "a color", COLOR_KEYS)
        read = {}
        for key, entry in body.entries.items() if body else ():
            text = self.shape.text(entry.value, key)
            if text is not None and not COLOR.fullmatch(text):
                self.shape.wrong(entry.value, f"`{text[:40]}` is not a colour", "write '#1f5a94', in quotes")
            elif text is not None and key in COLOR_KEYS:
                read[key] = text
        return Colors(**read)

    def color_name(self, node: YamlNode | None) -> str:
        word = scalar(node)
        if word is not None and word.text not in self.colors:
            hint = near_miss(word.text, self.colors) or f"known: {listing(self.colors)}"
            self.found.say("RIT660", f"there are no colors `{word.text[:40]}`", word.span, help=hint)
        return word.text if word is not None else ""

    def icon(self, node: YamlNode | None) -> str:
        """The name of a drawing in `art/`."""
        word = scalar(node)
        if word is None:
            return ""
        if word.text in self.drawings:
            return word.text
        path = self.folder / "art" / f"{word.text}.svg"
        if not IDENTIFIER.fullmatch(word.text) or not path.is_file():
            names = [file.name.removesuffix(".svg") for file in (self.folder / "art").glob("*.svg")]
            hint = near_miss(word.text, names) or f"draw it as art/{word.text[:40]}.svg"
            self.found.say("RIT660", f"there is no drawing `{word.text[:40]}`", word.span, help=hint)
            return ""
        drawing = read_drawing(path, self.found)
        if drawing is None:
            return ""
        self.drawings[word.text] = drawing
        return word.text

    # ---- cards

    def face(self, node: YamlNode | None) -> dict[str, Scalar]:
        body = self.shape.mapping(node, "the face", FACE_KEYS)
        read = {key: self.known("attribute", entry.value) for key, entry in body.entries.items()} if body else {}
        return {key: word for key, word in read.items() if word is not None}

    def told_by(self, node: YamlNode | None) -> Scalar | None:
        return self.known("attribute", node.get("told_by")) if isinstance(node, Mapping) else None

    def attribute_looks(self, node: YamlNode | None) -> dict[str, AttributeLook]:
        looks = {}
        for name, key, value in self.table(node, "the attributes"):
            self.places.append(("attribute", key))
            body = self.shape.mapping(value, f"the attribute `{name}`", ATTRIBUTE_KEYS)
            if body is not None:
                texts = self.shape.texts(body.get("name"), "the name", self.languages)
                looks[name] = AttributeLook(texts, self.icon(body.get("icon")))
        return looks

    def value_looks(self, attribute: str, node: YamlNode) -> dict[str, ValueLook]:
        looks = {}
        for name, key, value in self.table(node, f"the values of `{attribute}`"):
            self.places.append((f"value of {attribute}", key))
            looks[name] = self.value_look(value, f"the value `{name}`", VALUE_KEYS)
        return looks

    def value_look(self, node: YamlNode | None, what: str, keys: tuple[str, ...]) -> ValueLook:
        body = self.shape.mapping(node, what, keys)
        return self.tone(body) if body is not None else ValueLook()

    def tone(self, body: Mapping) -> ValueLook:
        return ValueLook(
            name=self.shape.texts(body.get("name"), "the name", self.languages),
            text=self.shape.texts(body.get("text"), "the text", self.languages),
            icon=self.icon(body.get("icon")),
            colors=self.color_name(body.get("colors")),
            shape=self.one_of(body.get("shape"), "the shape", SHAPES),
            edge=self.one_of(body.get("edge"), "the edge", EDGES),
        )

    def pictures(self, node: YamlNode | None) -> dict[str, str]:
        read = {}
        for name, key, value in self.table(node, "the pictures"):
            self.places.append(("card", key))
            read[name] = self.icon(value)
        return read

    def labels(self, node: YamlNode | None) -> dict[str, str]:
        read = {}
        for name, key, value in self.table(node, "the labels"):
            self.places.append(("card", key))
            read[name] = self.label(value)
        return read

    def label(self, node: YamlNode | None) -> str:
        text = self.shape.text(node, "the label") or ""
        if node is not None and len(text) > LONGEST_LABEL:
            self.shape.wrong(node, f"a label has at most {LONGEST_LABEL} characters, not {len(text)}")
        return text[:LONGEST_LABEL]

    # ---- tokens

    def token(self, key: Scalar, node: YamlNode) -> Token:
        what = f"the token `{key.text}`"
        body = self.shape.mapping(node, what, TOKEN_KEYS) or Mapping({}, key.span)
        self.shape.require(body, what, ("form", "name"))
        copies = self.shape.integer(body.get("copies"), "the number of copies", 0, 200)
        return Token(
            id=key.text,
            form=self.one_of(body.get("form"), "the form", FORMS),
            name=self.shape.texts(body.get("name"), "the name", self.languages),
            text=self.shape.texts(body.get("text"), "the text", self.languages),
            icon=self.icon(body.get("icon")),
            colors=self.color_name(body.get("colors")),
            shape=self.one_of(body.get("shape"), "the shape", SHAPES),
            width=self.length(body.get("width"), "width", 5, 100) or 16,
            height=self.length(body.get("height"), "height", 5, 100) or 16,
            label=self.label(body.get("label")),
            copies=1 if copies is None else copies,
            counter=self.known("counter", body.get("counter")),
            attribute=self.known("attribute", body.get("attribute")),
            first=self.one_of(body.get("first"), "the first spot", FIRSTS),
            module=self.known("module", body.get("module")),
            places=tuple(self.place(item) for item in self.shape.sequence(body.get("places"), "the places")),
        )

    def place(self, node: YamlNode) -> Place:
        body = self.shape.mapping(node, "a place", PLACE_KEYS) or Mapping({}, node.span)
        return Place(
            each=self.known("attribute", body.get("each")),
            name=self.shape.texts(body.get("name"), "the name", self.languages),
            text=self.shape.texts(body.get("text"), "the text", self.languages),
            icon=self.icon(body.get("icon")),
            colors=self.color_name(body.get("colors")),
        )

    # ---- player aid

    def panel(self, node: YamlNode) -> Panel:
        body = self.shape.mapping(node, "a panel", PANEL_KEYS) or Mapping({}, node.span)
        return Panel(
            title=self.shape.texts(body.get("title"), "the title", self.languages),
            lines=tuple(self.line(item) for item in self.shape.sequence(body.get("lines"), "the lines")),
            needs=self.known("module", body.get("with")),
            unless=self.known("module", body.get("without")),
        )

    def line(self, node: YamlNode) -> Line:
        body = self.shape.mapping(node, "a line", LINE_KEYS) or Mapping({}, node.span)
        return Line(
            text=self.shape.texts(body.get("text"), "the text", self.languages),
            icon=self.icon(body.get("icon")),
            cites=self.shape.cites(body.get("cite")),
            needs=self.known("module", body.get("with")),
            unless=self.known("module", body.get("without")),
        )
