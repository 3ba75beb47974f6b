"""Overlays that say different things about one thing, though neither extends the other.

In: overlays in the order they are taken. Out: findings with both places. What they do to rules is compared
later, where guards are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.loading.parts import CardChange, Module, Overlay
from ritual_dsl.source import Span

Thing = tuple[str, ...]
REMOVED = "removed"


@dataclass(frozen=True)
class Claim:
    module: Module
    value: object
    span: Span


@dataclass
class Claims:
    """Who said what, by the thing it is about."""

    said: dict[Thing, list[Claim]] = field(default_factory=dict)

    def add(self, overlay: Overlay, found: Findings) -> None:
        for thing, value, span in claims(overlay):
            claim = Claim(overlay.module, value, span)
            for other in self.said.get(thing, ()):
                if other.module.id not in overlay.module.over and other.value != value:
                    what = " ".join((thing[0], f"`{'.'.join(thing[1:])}`"))
                    message = f"`{overlay.module.id}` and `{other.module.id}` say different things about the {what}"
                    hint = "let one of them extend the other: it then stands above it"
                    related = [Related("the other overlay", other.span)]
                    found.say("RIT139", message, span, related=related, help=hint)
            self.said.setdefault(thing, []).append(claim)


def claims(overlay: Overlay) -> Iterator[tuple[Thing, object, Span]]:
    for slot, card in overlay.slots.items():
        yield ("slot", slot), card.text, card.span
    for ruling, option in overlay.choices.items():
        yield ("ruling", ruling), option.text, option.span
    for change in overlay.module.cards:
        yield ("card", change.id), REMOVED if change.removed else "", change.span
        yield from card_claims(change)


def card_claims(change: CardChange) -> Iterator[tuple[Thing, object, Span]]:
    """Keys given for a card; words language by language."""
    part = change.card
    if part is None:
        return
    values: dict[str, object] = {
        "copies": part.copies,
        "slot": part.slot,
        "piece": part.piece,
        "cite": part.cites,
        "rules": part.items,
        **{f"name.{language}": words for language, words in part.name.items()},
        **{f"text.{language}": words for language, words in part.text.items()},
        **part.attributes,
    }
    for key, origin in part.origins.items():
        if key in values:
            yield ("card", change.id, key), values[key], origin.span
