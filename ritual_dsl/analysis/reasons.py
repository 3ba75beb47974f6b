"""Why something is not where it could be: what speaks against the worlds in which it is.

In: the stages of a story, and the values that no world is left with. Out: for each a clause, an answer or a count that
rules it out. Worlds that were ruled out last are looked at first: they came nearest.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from ritual_dsl.analysis.dreamer import Dreamer, Script
from ritual_dsl.analysis.onlooker import Glimpse
from ritual_dsl.analysis.places import hidden, in_sight
from ritual_dsl.analysis.story import Objection, Story, World
from ritual_dsl.analysis.worlds import Stage
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.state import State

MOST_RUNS = 8_000
Missing = dict[str, list[str]]  # by place
Found = dict[str, dict[str, Objection]]


@dataclass(frozen=True, eq=False)
class Ruin:
    """A world that a move has ruled out, and how near it came."""

    rank: tuple[int, int]  # how long it agreed with what was seen, and how much was decided in it by then
    world: World  # before the move
    script: Script


Best = dict[tuple[str, str], Ruin]  # by place and value


@dataclass
class Reasons:
    story: Story
    dreamer: Dreamer
    stages: list[Stage]
    last: list[World]

    def of(self, missing: Missing) -> Found:
        """A reason for each value of each place."""
        self.missing = missing
        self.found: Found = {place: {} for place in missing}
        self.count_now()
        with suppress(RitualError):  # there are too many worlds to look for more
            self.dreamer.runs, self.dreamer.most_runs = 0, MOST_RUNS
            self.look_back()
        for place, values in missing.items():
            for value in values:
                if value not in self.found[place]:
                    self.found[place][value] = self.count_then(place, value)
        return {place: {value: self.found[place][value] for value in values} for place, values in missing.items()}

    # ---- worlds in which it is there

    def look_back(self) -> None:
        """In worlds that were ruled out on the way, and in those where something else would have been seen."""
        still = set(self.missing)  # places from which nothing has moved since
        for number in range(len(self.stages) - 1, -1, -1):
            if all(len(self.found[place]) == len(values) for place, values in self.missing.items()):
                return
            stage = self.stages[number]
            still -= {self.story.table.run.share(*place) for place in stage.moved}
            best: Best = {}
            self.dreamer.wide = True
            for world in stage.before:
                for outcome, script in self.dreamer.outcomes(world, stage.move):
                    if outcome.objections:
                        there = self.places(outcome, number, still)
                        self.note(there, Ruin((outcome.seen, len(script)), world, script), best)
            for (place, value), ruin in best.items():
                if value not in self.found[place]:
                    self.found[place][value] = self.objection(stage, ruin)
            self.dreamer.wide = False

    def places(self, outcome: World, number: int, still: set[str]) -> Glimpse:
        """What lay where in a world that is ruled out: in the end, or already then, where it stayed."""
        there = {place: values for place, values in self.dreamer.glimpse.items() if place in still}
        end = self.go_on(outcome, number + 1)
        if end is not None:
            for place, values in hidden(self.story.table.run, end.state, end.pools, self.story.table.eyes):
                there[place] = [*there.get(place, ()), *(value for value, _ in values)]
        return there

    def note(self, there: Glimpse, ruin: Ruin, best: Best) -> None:
        for place, values in there.items():
            for value in values:
                if value in self.missing.get(place, ()) and value not in self.found[place]:
                    old = best.get((place, value))
                    if old is None or old.rank < ruin.rank:
                        best[place, value] = ruin

    def objection(self, stage: Stage, ruin: Ruin) -> Objection:
        """What speaks against a world, with the clauses behind it."""
        made = self.dreamer.make(ruin.world, stage.move, list(ruin.script), explain=True)
        assert made is not None
        return made.objections[0]

    def go_on(self, world: World | None, number: int) -> World | None:
        """What became of a world that was ruled out, in the end."""
        for stage in self.stages[number:]:
            if world is None:
                return None
            world = next((after for after, _ in self.dreamer.outcomes(world, stage.move)), None)
        return world

    # ---- copies in sight

    def count_now(self) -> None:
        """All copies of it lie open in the end."""
        for place, values in self.missing.items():
            for value in values:
                text = self.all_in_sight(value, self.last[0].state)
                if text is not None:
                    self.found[place][value] = Objection(text)

    def count_then(self, place: str, value: str) -> Objection:
        """All copies of it lay open at some time since something has come to this place."""
        for stage in reversed(self.stages):
            text = self.all_in_sight(value, stage.before[0].state)
            if text is not None:
                return Objection(f"{text}, at that time")
            if place in {self.story.table.run.share(*moved) for moved in stage.moved}:
                break
        return Objection("no world in which it is there agrees with all else")

    def all_in_sight(self, value: str, state: State) -> str | None:
        table = self.story.table
        copies = table.run.game.deck.get(value)
        if copies is None:
            return None
        places: Counter[str] = in_sight(table.run, state, table.eyes, value)
        if places.total() < copies:
            return None
        where = ", ".join(f"{count} in {place}" for place, count in places.items())
        return f"{'all ' + str(copies) if copies > 1 else 'the only one'} in sight: {where}"
