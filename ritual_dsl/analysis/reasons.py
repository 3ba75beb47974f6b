"""Why something is not where it could be: what speaks against the worlds in which it is.

In: the stages of a story, and the values that no world is left with. Out: for each a clause, an answer or a count that
rules it out. Worlds that were ruled out last are looked at first: they came nearest.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ritual_dsl.analysis.dreamer import Dreamer, Script
from ritual_dsl.analysis.onlooker import Glimpse, Moved
from ritual_dsl.analysis.places import in_sight, zone_shares
from ritual_dsl.analysis.story import Named, Objection, Story, World
from ritual_dsl.analysis.worlds import Stage
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.state import State

MOST_RUNS = 8_000
MOST_WORLDS = 30  # that are looked at before each move, the most likely first
Missing = dict[str, list[str]]  # by place
Found = dict[str, dict[str, Objection]]


@dataclass(frozen=True)
class Trail:
    """Where something lay at some time that lies in a place now, and what lay there with it and has left since."""

    place: Named
    gone: tuple[str, ...] = ()

    def before(self, moved: list[Moved]) -> Trail | None:
        """Where it lay before these movements; None if that is not known."""
        place, gone = self.place, self.gone
        for source, to, face in reversed(moved):
            if source == place:
                if face is None:
                    return None
                gone = (*gone, face)
            elif to == place:
                if gone:
                    gone = gone[:-1]  # what came is what has left: were it the other, a later move would rule it out
                else:
                    place = source
        return Trail(place, gone)


@dataclass(frozen=True, eq=False)
class Ruin:
    """A world that a move has ruled out, and how near it came."""

    rank: tuple[int, int]  # how long it agreed with what was seen, and how much was decided in it by then
    world: World  # before the move
    script: Script


Best = dict[tuple[str, str], Ruin]  # by place and value
Trails = dict[str, Trail]  # by the name of the place now


def back(trails: Trails, moved: list[Moved]) -> Trails:
    """Where everything lay before these movements, as far as that is known."""
    before = {place: trail.before(moved) for place, trail in trails.items()}
    return {place: trail for place, trail in before.items() if trail is not None}


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
        self.dreamer.runs, self.dreamer.most_runs = 0, MOST_RUNS
        try:
            self.look_back()
            otherwise = "no world in which it is there agrees with all else"
        except RitualError:
            otherwise = "there are too many worlds to say why"
        for place, values in missing.items():
            for value in values:
                if value not in self.found[place]:
                    self.found[place][value] = self.count_then(place, value) or Objection(otherwise)
        return {place: {value: self.found[place][value] for value in values} for place, values in missing.items()}

    # ---- worlds in which it is there

    def look_back(self) -> None:
        """In worlds that were ruled out on the way, and in those where something else would have been seen."""
        run = self.story.table.run
        places = [(zone.name, owner) for zone, owner, _ in zone_shares(run, run.state)]
        trails = {run.share(*place): Trail(place) for place in places if run.share(*place) in self.missing}
        for stage in reversed(self.stages):
            if all(len(self.found[place]) == len(values) for place, values in self.missing.items()):
                return
            self.look_at(stage, trails)
            trails = back(trails, stage.moved or [])

    def look_at(self, stage: Stage, trails: Trails) -> None:
        """Every world that a move has ruled out, as it was when the first thing in it did not fit."""
        best: Best = {}
        moved = stage.moved or []
        self.dreamer.wide = True
        likely = sorted(stage.before, key=lambda world: world.weight, reverse=True)
        for world in likely[:MOST_WORLDS]:
            for outcome, script in self.dreamer.outcomes(world, stage.move):
                by_then = self.dreamer.moved_then
                alike = [m[:2] for m in self.dreamer.moved[:by_then]] == [m[:2] for m in moved[:by_then]]
                if outcome.objections and alike:
                    ruin = Ruin((outcome.seen, len(script)), world, script)
                    self.note(ruin, back(trails, moved[by_then:]), self.dreamer.glimpse, best)
        for (place, value), ruin in best.items():
            self.found[place][value] = self.objection(stage, ruin)
        self.dreamer.wide = False

    def note(self, ruin: Ruin, trails: Trails, there: Glimpse, best: Best) -> None:
        """The values that lay where they were to come from, in a world that came nearer than any other."""
        for place, trail in trails.items():
            lain = there.get(self.story.table.run.share(*trail.place), ())
            for value in self.missing[place] if lain else ():
                if value not in self.found[place] and " + ".join(sorted((value, *trail.gone))) in lain:
                    old = best.get((place, value))
                    if old is None or old.rank < ruin.rank:
                        best[place, value] = ruin

    def objection(self, stage: Stage, ruin: Ruin) -> Objection:
        """What speaks against a world, with the clauses behind it."""
        made = self.dreamer.make(ruin.world, stage.move, list(ruin.script), explain=True)
        assert made is not None
        return made.objections[0]

    # ---- copies in sight

    def count_now(self) -> None:
        """All copies of it lie open in the end."""
        for place, values in self.missing.items():
            for value in values:
                text = self.all_in_sight(value, self.last[0].state)
                if text is not None:
                    self.found[place][value] = Objection(text)

    def count_then(self, place: str, value: str) -> Objection | None:
        """All copies of it lay open at some time since something has come to this place."""
        run = self.story.table.run
        for stage in reversed(self.stages):
            text = self.all_in_sight(value, stage.before[0].state)
            if text is not None:
                return Objection(f"{text}, at that time")
            if any(place in (run.share(*source), run.share(*to)) for source, to, _ in stage.moved or ()):
                break
        return None

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
