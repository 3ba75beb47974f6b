"""A machine whose onlookers compare what they see with what they really saw.

In: what happens in a world. Out: objections, where something would have looked different; and the faces that are known
to be seen next, so that no others need be tried.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.analysis.places import hidden, zone_shares
from ritual_dsl.analysis.story import Named, Objection, Observation, Table, World
from ritual_dsl.analysis.veiled import Veiled
from ritual_dsl.engine.state import Event, State
from ritual_dsl.engine.teller import Teller
from ritual_dsl.model.game import Variable

Glimpse = dict[str, list[str]]  # what could be in each hidden place
Moved = tuple[Named, Named, str | None]  # from where, to where, and the face if the eyes saw it


class Onlooker(Veiled):
    def __init__(self, table: Table, notes: bool) -> None:
        super().__init__(table)
        self.notes = notes  # whether all that is seen is kept
        self.told = list(table.told.items())
        self.teller = Teller(table.run)
        self.wide = False  # whether faces are tried that are known not to be the ones
        self.state = table.state
        self.moved: list[Moved] = []
        self.glimpse: Glimpse = {}  # when the first objection was made
        self.moved_then = 0  # how often anything had moved by then

    def look_on(self, world: World, state: State) -> None:
        """From here on, as somebody who has seen what was seen in a world."""
        self.state, self.log_at = state, 0
        self.seen, self.heard = world.seen, list(world.heard)
        self.observed, self.objections = list(world.observed), list(world.objections)
        self.moved, self.glimpse = [], {}

    def heeds(self, place: Named) -> bool:
        return self.table.truth is not None or self.notes or place in self.table.told

    def expected(self, state: State) -> str | None:
        if self.objections or self.wide:
            return None
        truth = self.table.truth
        if truth is not None:
            following = truth[self.seen] if self.seen < len(truth) else ("nothing",)
            return following[-1] if seen_at(following) == self.coming else None
        for number, (place, wanted) in enumerate(self.told):
            if place == self.coming and self.heard[number] < len(wanted):
                face: str = wanted[self.heard[number]]
                return face
        return None

    def oppose(self, text: str, clauses: tuple[str, ...] = ()) -> None:
        if self.wide and not self.objections:
            seen = hidden(self.table.run, self.state, self.pools, self.table.eyes)
            self.glimpse = {place: [value for value, _ in values] for place, values in seen}
            self.moved_then = len(self.moved)
        self.objections.append(Objection(text, clauses))

    def note(self, state: State, kind: str, *public: Any, **seen: Any) -> None:
        super().note(state, kind, *public, **seen)
        self.sync(state)

    def note_set(self, state: State, variable: Variable, owner: int | None, value: Any) -> None:
        super().note_set(state, variable, owner, value)
        self.sync(state)

    def sync(self, state: State) -> None:
        """Note what the eyes have seen since the last time, and whether it is what they really saw."""
        while self.log_at < len(state.log):
            event = state.log[self.log_at]
            self.log_at += 1
            self.moved += movements(event, self.table)
            seen = event.seen_by(self.table.eyes)
            if seen is not None and not self.objections:
                if self.notes:
                    self.observed.append(seen)
                self.compare(seen)
                self.hear(seen)

    def compare(self, seen: Observation) -> None:
        """Whether this is what the eyes really saw next."""
        truth, place = self.table.truth, self.seen
        if truth is None:
            return
        self.seen += 1
        sentence = self.teller.sentence
        if place >= len(truth):
            self.oppose(f"more would have happened: {sentence(seen)}")
        elif truth[place] != seen:
            self.oppose(f"what was seen: {sentence(truth[place])}; it would have been: {sentence(seen)}")

    def hear(self, seen: Observation) -> None:
        """Whether a value or a face is the next one that was told of its place."""
        place, value = seen_at(seen), seen[-1]
        if value is None:
            return
        for number, (named, wanted) in enumerate(self.told):
            heard = self.heard[number]
            if named == place and heard < len(wanted):
                self.heard[number] += 1
                if value != wanted[heard]:
                    was, instead = self.shown(named, wanted[heard]), self.shown(named, value)
                    self.oppose(f"`{self.table.run.share(*named)}` was {was}; it would have been {instead}")

    def miss(self) -> None:
        """Whether something that was seen is missing in the end."""
        if self.objections:
            return
        truth = self.table.truth
        if truth is not None and self.seen < len(truth):
            self.oppose(f"it would not have come to this: {self.teller.sentence(truth[self.seen])}")
        for heard, (named, wanted) in zip(self.heard, self.told, strict=True):
            if heard < len(wanted):
                was = f"`{self.table.run.share(*named)}` was {self.shown(named, wanted[heard])}"
                self.oppose(f"{was}; it would have been nothing{' more' if heard else ''}")

    def shown(self, named: Named, value: Any) -> str:
        variable = self.game.variables.get(named[0])
        return self.table.run.show(value, variable.type) if variable is not None else str(value)


def seen_at(seen: Observation) -> Named | None:
    """The place in which an observation shows a piece, or the variable or counter of which it tells the value."""
    match seen:
        case ("moved", _, _, str(zone), owner, _):
            return zone, owner
        case ("top", str(zone), _):
            return zone, None
        case ("shown", str(zone), owner, _, _):
            return zone, owner
        case ("set" | "changed", str(name), owner, _):
            return name, owner
        case _:
            return None


def movements(event: Event, table: Table) -> list[Moved]:
    """What moved; of pieces that are gathered it is not known which came from where."""
    match event:
        case Event("moved", (str(source), giver, str(to), taker), faces):
            return [((source, giver), (to, taker), faces[0] if table.eyes <= event.seers else None)]
        case Event("gathered", (str(to), taker)):
            places = [(zone.name, owner) for zone, owner, _ in zone_shares(table.run, table.run.state)]
            return [(place, (to, taker), None) for place in places]
        case _:
            return []
