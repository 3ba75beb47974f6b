"""A game as its files say it: things with names, texts and unresolved rules.

In: made by `game_files` and `part_reader`. Out: read by `model`, which puts chosen parts together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.loading.files import AnyPath
from ritual_dsl.loading.shape import Texts
from ritual_dsl.loading.yaml_nodes import Scalar
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

LAYERS = ("rulebook", "erratum", "variant", "ruling", "house", "card")
REMOVE = "remove"  # in an overlay, in place of a card, of the card in a slot, or of a ruling's option


@dataclass(frozen=True, slots=True)
class Section:
    """One entry of the table of sections that citations name."""

    cite: str
    title: Texts
    text: Texts


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line of a card comes from: a layer, a module of it, and a place."""

    layer: str
    module: str  # "" for the rulebook
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Manifest:
    id: str
    version: str
    name: Texts
    about: Texts
    languages: tuple[str, ...]
    main: Scalar | None
    winners: Scalar | None
    slots: dict[str, Scalar]  # slot -> the card in it, or the word none
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
    changed_by: tuple[str, ...] = ()  # modules that touched it
    origins: dict[str, Origin] = field(default_factory=dict, compare=False, repr=False)  # by key, texts by key.language


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
    over: frozenset[str] = frozenset()  # of an overlay: those it extends, and so stands above

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
    """A misprint: what a book prints and what it means; its module holds what that changes."""

    id: str
    lang: str
    cites: tuple[str, ...]
    printed: Texts
    meant: Texts
    module: Module


@dataclass(frozen=True)
class GameFiles:
    """Everything in a game's folders."""

    manifest: Manifest
    items: tuple[n.Item, ...]
    cards: dict[str, CardPart]
    variants: dict[str, Module]
    rulings: dict[str, Ruling]
    errata: dict[str, Erratum]
    folder: AnyPath


@dataclass(frozen=True)
class Overlay:
    """Somebody's file of changes to a game, after what it extends was read."""

    module: Module
    version: str | None
    pinned: Scalar | None  # the version of its base it was written for
    about: Texts
    sections: dict[str, Section]
    slots: dict[str, Scalar]
    choices: dict[str, Scalar]  # ruling -> the option taken
    rulings: dict[str, Ruling]  # new ones, and known ones changed


@dataclass(frozen=True)
class Cards:
    """The cards after all modules. Removed ones are still known by name, so that other rules may speak of them."""

    kept: dict[str, CardPart]
    removed: dict[str, CardPart]


def cards_after(cards: dict[str, CardPart], modules: tuple[Module, ...], found: Findings) -> Cards:
    """In the order of the files; new ones come last."""
    changed = dict(cards)
    removed: dict[str, CardPart] = {}
    for module in modules:
        for change in module.cards:
            card = changed.get(change.id)
            if card is None and (change.removed or change.card is None):
                hint = near_miss(change.id, changed)
                found.say("RIT141", f"there is no card `{change.id}` to change", change.span, help=hint)
            elif change.removed:
                removed[change.id] = changed.pop(change.id)
            else:
                removed.pop(change.id, None)
                changed[change.id] = apply_change(card or CardPart(change.id, change.span), change, module)
    return Cards(changed, removed)


def apply_change(card: CardPart, change: CardChange, module: Module) -> CardPart:
    """A card after one module: given keys replace, words language by language."""
    changed_by = (*card.changed_by, module.id)
    new = change.card
    if new is None:
        return replace(card, changed_by=changed_by)
    fields: dict[str, Any] = {
        "copies": new.copies,
        "slot": new.slot,
        "piece": new.piece,
        "cite": new.cites,
        "rules": new.items,
    }
    names = {"cite": "cites", "rules": "items"}
    return replace(
        card,
        **{names.get(key, key): value for key, value in fields.items() if key in change.keys},
        name={**card.name, **new.name},
        text={**card.text, **new.text},
        attributes={**card.attributes, **new.attributes},
        changed_by=changed_by,
        origins={**card.origins, **{k: Origin(module.layer, module.id, o.span) for k, o in new.origins.items()}},
    )
