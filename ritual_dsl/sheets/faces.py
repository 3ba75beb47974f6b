"""The faces of cards: what stands on each, as plain data for a template.

In: a game, its look, a speaker. Out: one mapping a card. No value of a game is known here; the look says what an
attribute does for a face.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ritual_dsl.checks.colours import contrast, luminance
from ritual_dsl.checks.texts import stale_texts
from ritual_dsl.loading.look import AttributeLook, Colors, Look, Piece, ValueLook
from ritual_dsl.loading.parts import Module
from ritual_dsl.loading.yaml_nodes import Scalar
from ritual_dsl.model.game import Card, Game
from ritual_dsl.sheets.labels import labels
from ritual_dsl.sheets.phrases import Phrase, Speaker
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

WHITE = "#ffffff"
READABLE = 3.0
PLAIN = ValueLook()
MOST_DRAWN = 12  # of one drawing for a number


class Faces:
    def __init__(self, game: Game, look: Look, speaker: Speaker, ink: str = "full") -> None:
        self.game = game
        self.look = look
        self.speaker = speaker
        self.ink = ink
        self.changes = changes(game)
        self.stale = stale_texts(game)

    def face(self, card: Card) -> dict[str, Any]:
        look = self.look
        tone = self.value(card, look.face.get("colored_by"), look.pieces.get(card.piece or "card", Piece()).tone)
        group, picture = (self.value(card, look.face.get(key)) for key in ("grouped_by", "pictured_by"))
        return {
            "id": card.id,
            "name": self.speaker.say(card.name, card.id),
            "text": self.said(card),
            "copies": card.copies,
            "tone": tone,
            "group": group,
            "picture": self.drawing(look.pictures.get(card.id, "")) or picture["icon"] or group["icon"],
            "label": self.label(card),
            "colors": tone["colors"],
            "facts": self.facts(card),
            "back": self.back_of(card),
            "alternate": card.id not in self.game.deck,
            "changed": self.changes.get(card.id, []),
            "cites": list(card.cites),
        }

    def said(self, card: Card) -> Phrase:
        """What a card says; a house rule that did not say it in this language leaves a note."""
        stale = self.stale.get(card.id, set())
        return [
            {**entry, "note": entry["note"] or f"{entry['lang']}: {labels(entry['lang'])['stale']}"}
            if entry["lang"] in stale
            else entry
            for entry in self.speaker.say(card.text)
        ]

    def value(self, card: Card, attribute: Scalar | None, otherwise: ValueLook = PLAIN) -> dict[str, Any]:
        """How the value of the attribute that the look names is shown, and how a card looks that has none."""
        raw = card.attributes.get(attribute.text) if attribute else None
        if attribute is None or raw is None:
            return self.shown("", otherwise, "")
        return self.shown(str(raw), self.look.values.get(attribute.text, {}).get(str(raw), ValueLook()), str(raw))

    def label(self, card: Card) -> str:
        """A few characters: the card's own, or the value of an attribute."""
        word = self.look.face.get("labelled_by")
        value = card.attributes.get(word.text) if word else None
        return self.look.labels.get(card.id, "" if value is None else str(value))

    def facts(self, card: Card) -> list[dict[str, Any]]:
        """The attributes that stand nowhere else on a face; some as so many drawings."""
        shown = {word.text for word in self.look.face.values()}
        facts = []
        for key, value in card.attributes.items():
            if value is not None and key not in shown:
                look = self.look.attributes.get(key, AttributeLook({}, ""))
                drawn = value if look.icon and isinstance(value, int) and value <= MOST_DRAWN else 0
                said = {"name": self.speaker.say(look.name, key), "value": self.named(key, str(value))}
                facts.append({"key": key, **said, "icon": self.drawing(look.icon), "drawn": int(drawn)})
        return facts

    def shown(self, name: str, look: ValueLook, instead: str) -> dict[str, Any]:
        return {
            "id": name,
            "name": self.speaker.say(look.name, instead),
            "text": self.speaker.say(look.text),
            "icon": self.drawing(look.icon),
            "shape": look.shape,
            "edge": look.edge,
            "colors": self.colors(look.colors),
        }

    def named(self, attribute: str, value: str) -> list[dict[str, Any]]:
        return self.speaker.say(self.look.values.get(attribute, {}).get(value, ValueLook()).name, value)

    def back(self) -> dict[str, Any]:
        """The same for every card: what the game is called."""
        title = self.speaker.say(self.game.files.manifest.name, self.game.id)
        return {**self.shown("", self.look.back, ""), "name": title}

    def back_of(self, card: Card) -> dict[str, Any]:
        """What the value says that backs tell, in colours of its own or those of all backs."""
        told = self.value(card, self.look.told_by)
        if not told["id"]:
            return self.back()
        own = self.look.values.get(self.look.told_by.text, {}).get(told["id"]) if self.look.told_by else None
        return {**told, "colors": self.colors(own.colors if own and own.colors else self.look.back.colors)}

    def drawing(self, name: str) -> str:
        return self.look.drawings.get(name, "")

    def colors(self, name: str) -> dict[str, str]:
        """The colours of a name; with little ink, only lines and letters are printed."""
        chosen = self.look.colors.get(name, Colors())
        dark = min((chosen.ground, chosen.ink), key=luminance)  # for lines and letters on bare paper
        if self.ink == "low":
            accent = chosen.accent if contrast(chosen.accent, WHITE) >= READABLE else dark
            return {"ground": WHITE, "ink": dark, "accent": accent, "dark": dark}
        return {"ground": chosen.ground, "ink": chosen.ink, "accent": chosen.accent, "dark": dark}


# ---------------------------------------------------------------- what differs


def chosen_modules(game: Game) -> Iterator[Module]:
    """What makes this game another than the rulebook's: no ruling that stays at its default."""
    for module in game.modules:
        ruling = game.files.rulings.get(module.id) if module.layer == "ruling" else None
        if ruling is None or module.option != ruling.default:
            yield module


def changes(game: Game) -> dict[str, list[str]]:
    """Card -> the modules that change it, by its keys, by a patch in its name, or by a patch of its clauses."""
    references = {module.id: module.reference for module in game.modules}
    found = {card.id: [references.get(name, name) for name in card.changed_by] for card in game.cards.values()}
    for module in chosen_modules(game):
        touched = [change.id for change in module.cards]
        touched += [path[0] for item in module.items for path in patched(item)]
        for name in touched:
            if name in found and module.reference not in found[name]:
                found[name].append(module.reference)
    return {name: modules for name, modules in found.items() if modules}


def patched(node: object) -> Iterator[tuple[str, ...]]:
    """The paths of all patches in a node."""
    if isinstance(node, n.ClausePatch | n.StepPatch) and node.path:
        yield tuple(node.path)
    if isinstance(node, tuple):
        for element in node:
            yield from patched(element)
    elif is_dataclass(node) and not isinstance(node, Span):
        for part in fields(node):
            if part.name != "span":
                yield from patched(getattr(node, part.name))
