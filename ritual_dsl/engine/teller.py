"""What a run shows, in words: names, values, and sentences of observations.

In: a run, and the language to name cards in; without one, everything is called by its id, as in files.
Out: text for people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ritual_dsl.engine.run import Run
from ritual_dsl.engine.views import Observation
from ritual_dsl.model.types import SEAT, Type

People = tuple[int, ...]


class Teller:
    def __init__(self, run: Run, lang: str | None = None) -> None:
        self.run = run
        self.lang = lang
        self.tellers: dict[str, Callable[..., str]] = {
            "moved": self.moved,
            "gathered": self.gathered,
            "shuffled": self.shuffled,
            "top": self.top,
            "shown": self.shown,
            "changed": self.changed,
            "set": self.assigned,
            "ended": self.ended,
            "asked": self.asked,
            "chose": self.chose,
        }

    # ---- names

    def card(self, id: str) -> str:
        """Its name; where another card has the same, with the id."""
        game = self.run.game
        if self.lang is None or id not in game.cards:
            return id
        name = game.words(game.cards[id].name, self.lang)
        alike = [card for card in game.cards.values() if game.words(card.name, self.lang) == name]
        return name if name and len(alike) == 1 else f"{name} ({id})"

    def word(self, id: str) -> str:
        """A zone, counter, variable, choice, option or end; people do not read underscores."""
        return id if self.lang is None else id.replace("_", " ")

    def value(self, value: Any, type: Type) -> str:
        if self.lang is None or value is None:
            return self.run.show(value, type)
        if isinstance(value, frozenset):
            return ", ".join(self.value(member, type.element()) for member in sorted(value)) or "none"
        if isinstance(value, str):
            return self.card(value) if type.kind == "card" else self.word(value)
        return self.run.show(value, type)

    def share(self, name: str, position: int | None) -> str:
        declared = self.run.game.declared(name)
        if position is None or declared is None or declared.owner is None:
            return self.word(name)
        owners = self.run.game.owners(declared.owner, self.run.state.players)
        joint = " " if declared.owner.kind == "number" and self.lang is not None else " of "
        return f"{self.word(name)}{joint}{self.value(owners[position], declared.owner)}"

    def people(self, who: People) -> str:
        names = [self.run.names[p] for p in who]
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))

    def shares(self, value: Any, words: Callable[[Any], str]) -> str:
        """A value, or those of several owners."""
        if not isinstance(value, dict):
            return words(value)
        joint, mark = (", ", " ") if self.lang is None else ("; ", ": ")
        return joint.join(f"{self.card(owner)}{mark}{words(share)}" for owner, share in value.items()) or "empty"

    # ---- sentences

    def sentence(self, observation: Observation) -> str:
        """One readable line for an observation."""
        kind, *rest = observation
        teller = self.tellers.get(kind)
        return teller(*rest) if teller is not None else " ".join(str(part) for part in observation)

    def kind(self, zone: str) -> str:
        """What lies in a zone: a card, or a piece of another kind."""
        return self.run.game.zones[zone].piece or "card"

    def face(self, id: str | None, unseen: str) -> str:
        return unseen if id is None else self.card(id)

    def moved(self, source: str, giver: int | None, to: str, taker: int | None, face: str | None) -> str:
        what = self.face(face, f"a {self.kind(source)}")
        return f"{what} moves from {self.share(source, giver)} to {self.share(to, taker)}"

    def gathered(self, zone: str, owner: int | None) -> str:
        return f"the cards are gathered in {self.share(zone, owner)}"

    def shuffled(self, zone: str, owner: int | None) -> str:
        return f"{self.share(zone, owner)} is shuffled"

    def top(self, zone: str, face: str | None) -> str:
        return f"{self.face(face, f'another {self.kind(zone)}')} is on top of {self.word(zone)}"

    def shown(self, zone: str, owner: int | None, who: int, face: str | None) -> str:
        what = self.face(face, f"the {self.kind(zone)}")
        return f"{self.run.names[who]} is shown {what} in {self.share(zone, owner)}"

    def changed(self, counter: str, owner: int | None, value: int) -> str:
        return f"{self.share(counter, owner)} is now {value}"

    def assigned(self, name: str, owner: int | None, value: Any) -> str:
        return f"{self.share(name, owner)} is now {self.value(value, self.run.game.variables[name].type)}"

    def ended(self, procedure: str, how: str) -> str:
        return f"{self.word(procedure)} ends as {self.word(how)}"

    def asked(self, label: str, who: People, options: tuple[Any, ...]) -> str:
        type = self.label_type(label, options)
        verb = "are" if len(who) > 1 else "is"
        offered = ", ".join(self.value(option, type) for option in options)
        return f"{self.people(who)} {verb} asked {self.word(label)}: {offered}"

    def chose(self, label: str, who: People, option: Any) -> str:
        if option is None and self.lang is not None:
            return f"{self.people(who)} {'decline' if len(who) > 1 else 'declines'} {self.word(label)}"
        verb = "choose" if len(who) > 1 else "chooses"
        return f"{self.people(who)} {verb} {self.word(label)}: {self.value(option, self.label_type(label, (option,)))}"

    def label_type(self, label: str, options: tuple[Any, ...]) -> Type:
        """What the options under a label are; where rules use it for several kinds, the one the values fit."""
        named = all(isinstance(o, str) for o in options)
        found: list[Type] = []
        for name in self.run.game.procedures:
            questions = self.run.machine.code(name).questions.values()
            found += [question.type for question in questions if question.node.label == label]
        fitting = [t for t in found if (t.kind in ("name", "card", "enum")) == named]
        return (fitting or found or [SEAT])[0]
