"""What somebody can know: the values of hidden places in every world they could be in.

In: a story, and assumptions. Out: for each hidden place its possible values with exact weights, the others with what
rules them out. Assumptions are kept apart from what is certain; if they contradict what was seen, they are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ritual_dsl.analysis import assumed as assumptions
from ritual_dsl.analysis.dreamer import Dreamer
from ritual_dsl.analysis.places import hidden, is_plain
from ritual_dsl.analysis.reasons import Reasons
from ritual_dsl.analysis.story import Begun, Declined, Happened, Move, Objection, Over, Said, Story, World
from ritual_dsl.analysis.table import called
from ritual_dsl.analysis.worlds import Stage, unfold
from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.run import Run

Values = dict[str, Fraction]
Tally = dict[str, Values]  # by place


@dataclass(frozen=True)
class Hidden:
    """A place that the eyes do not see: what may lie there, what may not and why."""

    name: str
    sound: Values
    assumed: Values | None  # with the assumptions; None if there are none, or they contradict what was seen
    excluded: dict[str, Objection]


@dataclass(frozen=True)
class Deduction:
    game: str
    eyes: str
    hidden: tuple[Hidden, ...]
    worlds: int
    consistent: int
    assumptions: tuple[str, ...]
    left_out: dict[str, str]  # assumptions that were not taken, and why


def deduce(story: Story, texts: Iterable[str]) -> Deduction:
    run = story.table.run
    taken = assumptions.read(run, texts)
    dreamer = Dreamer(story.table, taken.declared)
    stages, last = unfold(dreamer, story.moves)
    if not last:
        raise contradiction(dreamer, stages)
    believed, left_out = assumptions.believe(taken, story, dreamer, stages, last)
    sound = {place: values for place, values in tally(story, last).items() if not is_plain(run, place, values)}
    believable = tally(story, believed)
    held = len(left_out) < len(taken.labels)
    reasons = Reasons(story, dreamer, stages, last).of({place: missing(run, place, sound[place]) for place in sound})
    places = tuple(
        Hidden(place, shares(values), shares(believable.get(place, {})) if held else None, reasons[place])
        for place, values in sound.items()
    )
    ruins = sum(stage.ruined for stage in stages)
    return Deduction(
        run.game.reference,
        called(run, story.table.eyes),
        places,
        len(last) + ruins,
        len(last),
        taken.labels,
        left_out,
    )


def tally(story: Story, worlds: list[World]) -> Tally:
    """How likely each value of each hidden place is, in all worlds together."""
    found: Tally = {}
    table = story.table
    for world in worlds:
        for place, values in hidden(table.run, world.state, world.pools, table.eyes):
            there = found.setdefault(place, defaultdict(Fraction))
            for value, chance in values:
                there[value] += world.weight * chance
    return found


def shares(weights: Values) -> Values:
    total = sum(weights.values())
    return {value: weight / total for value, weight in sorted(weights.items())}


def missing(run: Run, place: str, sound: Values) -> list[str]:
    """What could lie in a place by its kind, and does not in any world."""
    zone = run.game.zones.get(place.partition(" of ")[0])
    if zone is None or any(" + " in value for value in sound):
        return []
    return [card for card in run.game.deck if run.game.cards[card].piece == zone.piece and card not in sound]


def contradiction(dreamer: Dreamer, stages: list[Stage]) -> RitualError:
    """No world is left: which move none of them survived, and why the first did not."""
    stage = next(stage for stage in reversed(stages) if stage.before or stage is stages[0])
    message = f"what the file says cannot have happened{told(stage.move, dreamer.table.run)}"
    if stage.ruin is not None:
        world, script = stage.ruin
        ruin = dreamer.make(world, stage.move, list(script), explain=True)
        assert ruin is not None
        objection = ruin.objections[0]
        return fail("RIT752", message, help="; ".join([objection.text, *objection.clauses]))
    return fail("RIT752", message)


def told(move: Move, run: Run) -> str:
    match move:
        case Said():
            return f", from `{move.who}: {move.what}` on"
        case Happened():
            return f", from `{move.procedure}` on"
        case Begun() | Declined() | Over():
            return ""
