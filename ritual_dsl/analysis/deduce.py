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
from ritual_dsl.analysis.story import Declined, Happened, Move, Objection, Said, Story, World
from ritual_dsl.analysis.table import called
from ritual_dsl.analysis.worlds import Stage, unfold
from ritual_dsl.diagnostics import RitualError, fail, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.choices import Choice
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
    message, move = "what the file says cannot have happened", stage.move
    span = move.span if isinstance(move, Said | Happened) else None
    hint = asked_instead(move, stage.before, dreamer)
    if stage.ruin is not None:
        world, script = stage.ruin
        ruin = dreamer.make(world, stage.move, list(script), explain=True)
        assert ruin is not None
        objection = ruin.objections[0]
        hint = "; ".join([objection.text, *objection.clauses, *([hint] if hint else [])])
    elif dreamer.fault is not None:
        return dreamer.fault
    return fail(
        "RIT752", message, span, help=hint or "there are not so many pieces left" if stage is stages[0] else hint
    )


def asked_instead(move: Move, worlds: list[World], dreamer: Dreamer) -> str | None:
    """What was asked then, where an answer is no answer to it."""
    run, asked = dreamer.table.run, dict[tuple[str, str], dict[str, None]]()
    for world in worlds:
        choice = first_question(world, dreamer)
        if choice is not None:
            options = asked.setdefault((run.who(choice), choice.label), {})
            options.update(dict.fromkeys(run.show(option, choice.type) for option in choice.options))
    if not isinstance(move, Said) or not asked:
        return None
    (who, label), options = next((item for item in asked.items() if item[0][0] == move.who), next(iter(asked.items())))
    if who == move.who and move.what in options:
        return None
    hint = near_miss(move.what, options) if who == move.who else None
    return hint or f"{who} is asked `{label}`: {listing(options, 12)}"


def first_question(world: World | None, dreamer: Dreamer) -> Choice | None:
    """The first to which something can be said."""
    while world is not None and world.waiting is not None and world.waiting.options == (None,):
        world = next((after for after, _ in dreamer.outcomes(world, Declined())), None)
    return world.waiting if world is not None else None
