"""JSON Schemas of the YAML files, for editors and other tools.

In: the keys that the readers know. Out: a schema for each kind of file. It says what stands where; whether names exist
and rules fit is for `ritual check`. A scalar is any plain value, since the readers take `7`, `yes` and `7-1` as texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ritual_dsl.analysis import known, table
from ritual_dsl.loading import look
from ritual_dsl.loading.game_files import LANGUAGE, MANIFEST_KEYS
from ritual_dsl.loading.part_reader import (
    CARD_KEYS,
    ERRATUM_KEYS,
    MODULE_KEYS,
    OPTION_KEYS,
    OVERLAY_KEYS,
    RULING_KEYS,
    SECTION_KEYS,
)
from ritual_dsl.loading.shape import CITATION, IDENTIFIER
from ritual_dsl.scenarios import equivalents, load

DRAFT = "http://json-schema.org/draft-07/schema#"
Schema = dict[str, Any]

SCALAR: Schema = {"type": ["string", "number", "boolean"]}
IDENTIFIED: Schema = {"type": "string", "pattern": f"^{IDENTIFIER.pattern}$"}
CITED: Schema = {"type": "string", "pattern": f"^{CITATION.pattern}$"}
COUNT: Schema = {"type": "integer", "minimum": 0}
ANYTHING: Schema = {}


def keyed(keys: Iterable[str], values: dict[str, Schema], required: Iterable[str] = (), more: bool = False) -> Schema:
    """A mapping with the keys that a reader knows; a key without a schema here is a fault of ours."""
    schema: Schema = {"type": "object", "properties": {key: values[key] for key in keys}}
    if list(required):
        schema["required"] = list(required)
    schema["additionalProperties"] = SCALAR if more else False
    return schema


def named(value: Schema, names: Schema = IDENTIFIED) -> Schema:
    return {"type": "object", "propertyNames": names, "additionalProperties": value}


def listed(value: Schema) -> Schema:
    return {"type": "array", "items": value}


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


TEXTS: Schema = {"type": "object", "additionalProperties": SCALAR, "description": "words per language"}
RULES: Schema = {"type": "string", "description": "a block of rules: write | and then the rules"}
WORDS = either(SCALAR, listed(SCALAR))
PLAYERS = either({"type": "integer", "minimum": 1, "maximum": 99}, listed(SCALAR))
DO = either(SCALAR, {"type": "object", "minProperties": 1, "maxProperties": 1})
GIVEN: Schema = {"type": "object"}
CITES = either(CITED, listed(CITED))
SECTIONS = named(keyed(SECTION_KEYS, {"title": TEXTS, "text": TEXTS}), CITED)

CARD: dict[str, Schema] = {
    "name": TEXTS,
    "copies": {**COUNT, "maximum": 99},
    "slot": SCALAR,
    "piece": SCALAR,
    "cite": CITES,
    "text": TEXTS,
    "rules": RULES,
}
CARD_CHANGE = keyed((*CARD_KEYS, "patch"), {**CARD, "patch": RULES}, more=True)
MODULE: dict[str, Schema] = {
    "id": IDENTIFIED,
    "name": TEXTS,
    "cite": CITES,
    "text": TEXTS,
    "cards": named(either({"const": "remove"}, CARD_CHANGE)),
    "rules": RULES,
}
RULING: dict[str, Schema] = {
    "question": TEXTS,
    "cite": CITES,
    "default": SCALAR,
    "why": TEXTS,
    "options": named(keyed(OPTION_KEYS, MODULE), ANYTHING),
}
PLAYED: dict[str, Schema] = {
    "players": PLAYERS,
    "given": GIVEN,
    "do": DO,
    "choices": listed({"type": "object", "minProperties": 1, "maxProperties": 1}),
    "seed": COUNT,
    "shuffles": listed(listed(SCALAR)),
    "draws": listed(SCALAR),
}
SCENARIO = keyed(
    load.KEYS,
    {**PLAYED, "name": SCALAR, "cite": CITES, "game": SCALAR, "expect": {"type": "object", "minProperties": 1}},
    ("name", "do", "expect"),
)
SCENARIOS: Schema = {**listed(SCENARIO), "minItems": 1}
FILE: dict[str, Schema] = {
    **MODULE,
    "language": {"const": LANGUAGE},
    "version": SCALAR,
    "about": TEXTS,
    "languages": WORDS,
    "main": SCALAR,
    "winners": SCALAR,
    "slots": named(SCALAR),
    "sections": SECTIONS,
    "extends": SCALAR,
    "base_version": SCALAR,
    "rulings": named(either(SCALAR, keyed(RULING_KEYS, RULING))),
    "scenarios": listed(SCENARIO),
}

LENGTH: Schema = {"type": "number", "minimum": 0}
VALUE_LOOK: dict[str, Schema] = {
    "name": TEXTS,
    "text": TEXTS,
    "told_by": SCALAR,
    "icon": SCALAR,
    "colors": SCALAR,
    "shape": {"enum": list(look.SHAPES)},
    "edge": {"enum": list(look.EDGES)},
}
PIECE: dict[str, Schema] = {**VALUE_LOOK, "width": LENGTH, "height": LENGTH, "corner": LENGTH}
PLACE = keyed(look.PLACE_KEYS, {**VALUE_LOOK, "each": SCALAR})
TOKEN: dict[str, Schema] = {
    **VALUE_LOOK,
    "form": {"enum": list(look.FORMS)},
    "width": LENGTH,
    "height": LENGTH,
    "label": SCALAR,
    "copies": COUNT,
    "counter": SCALAR,
    "attribute": SCALAR,
    "first": {"enum": list(look.FIRSTS)},
    "module": SCALAR,
    "places": listed(PLACE),
}
LINE: dict[str, Schema] = {"text": TEXTS, "icon": SCALAR, "cite": CITES, "with": SCALAR, "without": SCALAR}
PANEL: dict[str, Schema] = {**LINE, "title": TEXTS, "lines": listed(keyed(look.LINE_KEYS, LINE))}
COLOR: Schema = {"type": "string", "pattern": f"^{look.COLOR.pattern}$"}
SHEETS: dict[str, Schema] = {
    "pieces": named(keyed(look.PIECE_KEYS, PIECE), ANYTHING),
    "colors": named(keyed(look.COLOR_KEYS, {"ground": COLOR, "ink": COLOR, "accent": COLOR}), ANYTHING),
    "face": keyed(look.FACE_KEYS, dict.fromkeys(look.FACE_KEYS, SCALAR)),
    "attributes": named(keyed(look.ATTRIBUTE_KEYS, VALUE_LOOK), ANYTHING),
    "labels": named(either(SCALAR, TEXTS), ANYTHING),
    "values": named(named(keyed(look.VALUE_KEYS, VALUE_LOOK), ANYTHING), ANYTHING),
    "pictures": named(SCALAR, ANYTHING),
    "back": keyed(look.BACK_KEYS, VALUE_LOOK),
    "tokens": named(keyed(look.TOKEN_KEYS, TOKEN, ("form", "name")), ANYTHING),
    "aid": listed(keyed(look.PANEL_KEYS, PANEL)),
}
STORY: dict[str, Schema] = {**PLAYED, "game": SCALAR, "as": SCALAR, "seen": GIVEN}
REASON = keyed(equivalents.KEYS, {"where": SCALAR, "change": SCALAR, "reason": SCALAR}, equivalents.KEYS)
ERRATUM: dict[str, Schema] = {**MODULE, "lang": SCALAR, "printed": TEXTS, "meant": TEXTS}

# kind: what it is, and its schema
KINDS: dict[str, tuple[str, Callable[[], Schema]]] = {
    "game": (
        "the manifest of a game, game.yaml",
        lambda: keyed(MANIFEST_KEYS, FILE, ("language", "id", "name", "languages", "main")),
    ),
    "cards": ("cards, cards/*.yaml", lambda: named(keyed(CARD_KEYS, CARD, more=True))),
    "variant": ("a variant, variants/*.yaml", lambda: keyed(MODULE_KEYS, MODULE, ("id", "name", "text"))),
    "rulings": (
        "open questions and their answers, rulings.yaml",
        lambda: named(keyed(RULING_KEYS, RULING, ("question", "default", "options"))),
    ),
    "errata": ("misprints, errata.yaml", lambda: named(keyed(ERRATUM_KEYS, ERRATUM))),
    "overlay": ("a house rule", lambda: keyed(OVERLAY_KEYS, FILE, ("extends", "id"))),
    "scenario": (
        "scenarios, *.scenario.yaml",
        lambda: keyed(load.FILE_KEYS, {**FILE, "game": SCALAR, "scenarios": SCENARIOS}, ["scenarios"]),
    ),
    "deduce": ("what was seen and done, for `ritual deduce --given`", lambda: keyed(table.KEYS, STORY)),
    "odds": ("what is known, for `ritual odds --given`", lambda: keyed(known.KEYS, PLAYED)),
    "sheets": ("how a game looks on paper, sheets.yaml", lambda: keyed(look.KEYS, SHEETS)),
    "mutants": (
        "changes that change nothing, mutants.yaml",
        lambda: keyed(equivalents.FILE_KEYS, {"equivalent": listed(REASON)}),
    ),
}


def schema_of(kind: str) -> Schema:
    about, make = KINDS[kind]
    return {"$schema": DRAFT, "title": f"ritual {kind}", "description": about, **make()}
