"""A game as its files say it: things with names, texts and unresolved rules.

In: made by `game_files` and `overlays`. Out: read by `model`, which puts chosen parts together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ritual_dsl.loading.shape import Texts
from ritual_dsl.loading.yaml_nodes import Scalar
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

LAYERS = ("rulebook", "erratum", "variant", "ruling", "house", "card")


@dataclass(frozen=True, slots=True)
class Section:
    """One entry of the table of sections that citations name."""

    cite: str
    title: Texts
    text: Texts


@dataclass(frozen=True)
class Manifest:
    id: str
    version: str
    name: Texts
    about: Texts
    languages: tuple[str, ...]
    main: Scalar | None
    winners: Scalar | None
    slots: dict[str, Scalar]
    sections: dict[str, Section]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class CardPart:
    """A card: what is printed on it, and what it does."""

    id: str
    span: Span = field(compare=False, repr=False)
    name: Texts = field(default_factory=dict)
    text: Texts = field(default_factory=dict)
    copies: int = 1
    slot: Scalar | None = None
    piece: Scalar | None = None  # its kind, where it is no card
    cites: tuple[str, ...] = ()
    attributes: dict[str, Scalar] = field(default_factory=dict)
    items: tuple[n.Item, ...] = ()
    changed_by: tuple[str, ...] = ()  # overlays that touched it


@dataclass(frozen=True)
class CardChange:
    """What an overlay, variant or ruling does to one card: replaced keys, and patches in the card's own name."""

    id: str
    span: Span = field(compare=False, repr=False)
    removed: bool = False
    keys: frozenset[str] = frozenset()
    card: CardPart | None = None
    patches: tuple[n.Item, ...] = ()


@dataclass(frozen=True)
class Module:
    """Rules that can be switched on: a variant, a ruling's option, or a house rule."""

    id: str
    layer: str
    span: Span = field(compare=False, repr=False)
    option: str | None = None
    name: Texts = field(default_factory=dict)
    text: Texts = field(default_factory=dict)
    cites: tuple[str, ...] = ()
    items: tuple[n.Item, ...] = ()
    cards: tuple[CardChange, ...] = ()

    @property
    def reference(self) -> str:
        return f"{self.id}={self.option}" if self.option else self.id


@dataclass(frozen=True)
class Ruling:
    """A question the rulebook leaves open, with its answers."""

    id: str
    question: Texts
    why: Texts
    cites: tuple[str, ...]
    default: str
    options: dict[str, Module]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Erratum:
    """A misprint: what a book prints and what it means."""

    id: str
    lang: str
    cites: tuple[str, ...]
    printed: Texts
    meant: Texts


@dataclass(frozen=True)
class GameFiles:
    """Everything in a game's folders."""

    manifest: Manifest
    items: tuple[n.Item, ...]
    cards: dict[str, CardPart]
    variants: dict[str, Module]
    rulings: dict[str, Ruling]
    errata: dict[str, Erratum]
    folder: Path


@dataclass(frozen=True)
class Overlay:
    """Somebody's file of changes to a game: what it builds on, and the module it adds."""

    extends: str
    version: str | None
    module: Module
    path: Path


def apply_change(card: CardPart | None, change: CardChange, by: str) -> CardPart | None:
    """A card after one overlay: given keys replace, patches join behind its rules."""
    if change.removed:
        return None
    base = card or CardPart(change.id, change.span)
    if change.card is not None:
        new = change.card
        fields: dict[str, Any] = {
            "name": {**base.name, **new.name},
            "text": {**base.text, **new.text} if "rules" not in change.keys else new.text or base.text,
            "copies": new.copies,
            "slot": new.slot,
            "piece": new.piece,
            "cites": new.cites,
            "items": new.items,
        }
        keys = {"cite": "cites", "rules": "items"}
        chosen = {keys.get(key, key) for key in change.keys}
        base = replace(
            base,
            **{key: value for key, value in fields.items() if key in chosen},
            attributes={**base.attributes, **new.attributes},
        )
    return replace(base, changed_by=(*base.changed_by, by))
