"""A game's folders to parts.

In: the folder with `game.yaml`. Out: `GameFiles` and every fault found in its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.loading.files import AnyPath, display, read_source
from ritual_dsl.loading.part_reader import PartReader, read_sections, read_slots, scalar
from ritual_dsl.loading.parts import GameFiles, Manifest, Module
from ritual_dsl.loading.shape import Shape, head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode, read_yaml
from ritual_dsl.source import whole_file
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.parse import parse_file

LANGUAGE = 1
MANIFEST_KEYS = ("language", "id", "version", "name", "about", "languages", "main", "winners", "slots", "sections")
MOST_FILES = 400
T = TypeVar("T")


def cards_folder(folder: AnyPath) -> AnyPath:
    """Cards lie in `cards/` of the game's folder, or beside `rules/` under the game's name."""
    inside = folder / "cards"
    return inside if inside.is_dir() else folder.parent.parent / "cards" / folder.name


def load_game(folder: AnyPath, found: Findings) -> GameFiles | None:
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
        if module and module.id in variants:
            first = Related("first here", variants[module.id].span)
            found.say("RIT116", f"the variant `{module.id}` is defined twice", module.span, related=[first])
        elif module:
            variants[module.id] = module
    rulings = read_each(files(folder.glob("rulings.yaml"), found), reader.ruling, "ruling", found)
    errata = read_each(files(folder.glob("errata.yaml"), found), reader.erratum, "erratum", found)
    return GameFiles(manifest, tuple(items), cards, variants, rulings, errata, folder)


def files(paths: Iterable[AnyPath], found: Findings) -> list[AnyPath]:
    """In the order of their names, and not without end."""
    listed = sorted(paths)
    if len(listed) > MOST_FILES:
        found.say("RIT102", f"{display(listed[0].parent)} holds more than {MOST_FILES} files of a kind")
    return listed[:MOST_FILES]


def read_mapping(path: AnyPath, found: Findings) -> Mapping | None:
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
    paths: list[AnyPath], read: Callable[[Scalar, YamlNode], T | None], what: str, found: Findings
) -> dict[str, T]:
    """Mappings of id to part, from several files, each id once."""
    parts: dict[str, T] = {}
    places: dict[str, Scalar] = {}
    for path in paths:
        body = read_mapping(path, found)
        for name, entry in body.entries.items() if body else ():
            if Shape(found).id_of(entry.key, what) is None:
                continue
            if name in places:
                first = Related("first here", places[name].span)
                found.say("RIT116", f"the {what} `{name}` is defined twice", entry.key.span, related=[first])
                continue
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
    languages = shape.languages(root.get("languages"))
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
        slots=read_slots(root.get("slots"), shape),
        sections=read_sections(root.get("sections"), languages, shape),
        span=head(root.span),
    )
