"""What somebody can know: the values of hidden places in every world they could be in.

In: a story, and assumptions. Out: for each hidden place its possible values with exact weights, the others with what
rules them out. Assumptions are kept apart from what is certain; if they contradict what was seen, they are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.dreamer import Dreamer
from ritual_dsl.analysis.story import Objection, World, sees
from ritual_dsl.analysis.table import Story
from ritual_dsl.analysis.telling import MOST_TELLING, most_telling
from ritual_dsl.analysis.worlds import worlds
from ritual_dsl.diagnostics import fail, near_miss
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Assumption, Game

MOST_PIECES = 3  # in a place whose values are told apart
WORD = re.compile(r"\w+")
Values = dict[str, Fraction]


@dataclass(frozen=True)
class Hidden:
    """A place that the eyes do not see: what may lie there, what may not and why."""

    name: str
    sound: Values
    assumed: Values | None  # with the assumptions; None if there are none, or they contradict what was seen
    excluded: dict[str, tuple[Objection, ...]]


@dataclass(frozen=True)
class Deduction:
    game: str
    eyes: str
    hidden: tuple[Hidden, ...]
    worlds: int
    consistent: int
    assumptions: tuple[str, ...]
    contradicted: tuple[str, ...]  # assumptions that no world is left with


@dataclass
class Tally:
    """The worlds, counted for one place."""

    sound: Values = field(default_factory=dict)
    assumed: Values = field(default_factory=dict)
    refuted: dict[str, World] = field(default_factory=dict)  # the one with the fewest objections, for each value


def deduce(story: Story, assumed: Iterable[str]) -> Deduction:
    run = story.table.run
    named, telling, labels = read_assumptions(run, assumed)
    dreamer = Dreamer(story.table, named)
    found = list(worlds(dreamer, story.history))
    sound = [world for world in found if not world.objections]
    if not sound:
        raise fail("RIT752", "what the file says cannot have happened", help=nearest(found))
    believed, contradicted = believe(sound, story, dreamer, named, telling, labels)
    tallies: dict[str, Tally] = {}
    for world in found:
        for place, value in hidden_values(run, world.state, story.table.eyes):
            tally = tallies.setdefault(place, Tally())
            if world.objections:
                other = tally.refuted.get(value)
                if other is None or len(world.objections) < len(other.objections):
                    tally.refuted[value] = world
            else:
                tally.sound[value] = tally.sound.get(value, Fraction(0)) + world.weight
            if world in believed:
                tally.assumed[value] = tally.assumed.get(value, Fraction(0)) + world.weight
    places = tuple(
        Hidden(
            place,
            shares(tally.sound),
            shares(tally.assumed) if labels and len(contradicted) < len(labels) else None,
            excluded(place, tally, story, dreamer),
        )
        for place, tally in tallies.items()
        if tally.sound
    )
    return Deduction(
        run.game.reference, eyes_name(run, story), places, len(found), len(sound), tuple(labels), contradicted
    )


def eyes_name(run: Run, story: Story) -> str:
    eyes = story.table.eyes
    return run.names[next(iter(eyes))] if len(eyes) == 1 else "everybody"


def shares(weights: Values) -> Values:
    total = sum(weights.values())
    return {value: weight / total for value, weight in sorted(weights.items())}


def nearest(found: list[World]) -> str | None:
    """What stands in the way of the world that comes nearest."""
    closest = min(found, key=lambda world: len(world.objections), default=None)
    return closest.objections[0].text if closest is not None else None


# ---- hidden places


def hidden_values(run: Run, state: State, eyes: frozenset[int]) -> list[tuple[str, str]]:
    """What lies in each place that the eyes do not see, by name."""
    found = []
    for zone in run.game.zones.values():
        if zone.filled:
            continue
        shares_ = state.cells[zone.cell] if zone.owner else [state.cells[zone.cell]]
        for position, share in enumerate(shares_):
            owner = position if zone.owner else None
            pieces = share if isinstance(share, list) else [share] if share is not None else []
            if pieces and len(pieces) <= MOST_PIECES and not sees(run, zone, owner, state, eyes):
                found.append((run.share(zone.name, owner), " + ".join(sorted(pieces))))
    return found


def excluded(place: str, tally: Tally, story: Story, dreamer: Dreamer) -> dict[str, tuple[Objection, ...]]:
    """Each value that is not possible, and why not."""
    reasons: dict[str, tuple[Objection, ...]] = {}
    game = story.table.run.game
    zone = game.zones[place.partition(" of ")[0]]
    single = all(" + " not in value for value in (*tally.sound, *tally.refuted))
    for value in [card for card in game.deck if game.cards[card].piece == zone.piece] if single else tally.refuted:
        if value in tally.sound:
            continue
        world = tally.refuted.get(value)
        if world is not None:
            told = dreamer.dream(story.history, list(world.script), explain=True)
            reasons[value] = told.objections[:1] if told is not None else world.objections[:1]
        elif single:
            reasons[value] = (Objection(in_sight(value, story, game)),)
    return reasons


def in_sight(card: str, story: Story, game: Game) -> str:
    """Where all copies of a card are, if none is left to be unknown."""
    run, state = story.table.run, story.table.state
    places: Counter[str] = Counter()
    for zone in game.zones.values():
        if zone.filled:
            continue
        shares_ = state.cells[zone.cell] if zone.owner else [state.cells[zone.cell]]
        for position, share in enumerate(shares_):
            pieces = share if isinstance(share, list) else [share]
            count = pieces.count(card)
            if count:
                places[run.share(zone.name, position if zone.owner else None)] += count
    copies = game.deck[card]
    where = ", ".join(f"{count} in {place}" for place, count in places.items())
    if sum(places.values()) >= copies:
        return f"{'all ' + str(copies) if copies > 1 else 'the only one'} in sight: {where}"
    return "it was not there to be taken" + (f" ({where})" if where else "")


# ---- assumptions

Named = dict[str, tuple[Assumption, tuple[Any, ...]]]


def read_assumptions(run: Run, texts: Iterable[str]) -> tuple[Named, bool, list[str]]:
    """`nothing fitted on Red Door`: a declared assumption, its inputs by id or by name in any language."""
    named: Named = {}
    telling = False
    labels = []
    for text in texts:
        labels.append(text)
        if MOST_TELLING in text.lower():
            telling = True
            continue
        named[text] = read_assumption(run, text)
    return named, telling, labels


def read_assumption(run: Run, text: str) -> tuple[Assumption, tuple[Any, ...]]:
    words = normal(text)
    for assumption in run.game.assumptions.values():
        name = normal(assumption.name.replace("_", " "))
        if words == name and not assumption.params:
            return assumption, ()
        if words.startswith(name + " ") and len(assumption.params) == 1:
            return assumption, (read_input(run, words[len(name) + 1 :], assumption, text),)
    known = [a.name.replace("_", " ") for a in run.game.assumptions.values()] + [f"the {MOST_TELLING} play"]
    hint = near_miss(text, known) or f"known: {'; '.join(known)}"
    raise fail("RIT753", f"nothing is known of the assumption `{text}`", help=hint)


def read_input(run: Run, words: str, assumption: Assumption, text: str) -> Any:
    ((_, type),) = assumption.params
    if type.kind == "card":
        called = {normal(name): card.id for card in run.game.cards.values() for name in (card.id, *card.name.values())}
    else:
        called = {normal(name): position for position, name in enumerate(run.names)}  # type: ignore[misc]
    if words not in called:
        hint = near_miss(words, called)
        raise fail("RIT753", f"`{words}` in `{text}` is no {type}", help=hint)
    return called[words]


def normal(text: str) -> str:
    return " ".join(WORD.findall(text.lower().replace("_", " ")))


def believe(
    sound: list[World], story: Story, dreamer: Dreamer, named: Named, telling: bool, labels: list[str]
) -> tuple[list[World], tuple[str, ...]]:
    """The worlds in which the assumptions hold, one after the other; one that leaves none is left out."""
    worlds_left, contradicted = sound, []
    for label in labels:
        if label in named:
            kept = [world for world in worlds_left if label not in world.doubts]
        else:
            kept = most_telling(worlds_left, story, dreamer)
        if kept:
            worlds_left = kept
        else:
            contradicted.append(label)
    return worlds_left, tuple(contradicted)

