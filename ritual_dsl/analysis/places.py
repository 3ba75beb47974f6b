"""What the eyes do not see: hidden places and secret variables, and what is in them.

In: a state, perhaps one in which pieces are undecided. Out: each hidden place by its name, with everything that can be
in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction

from ritual_dsl.analysis.story import sees
from ritual_dsl.analysis.undecided import Pools, pieces, possible
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Zone

EMPTY = "none"
MOST_PIECES = 3  # in a place whose values are told apart
Values = Iterator[tuple[str, Fraction]]  # by name, with how likely each is


def hidden(run: Run, state: State, pools: Pools, eyes: frozenset[int]) -> Iterator[tuple[str, Values]]:
    """Every place and variable that the eyes do not see, and what can be in it."""
    for zone, owner, held in zone_shares(run, state):
        if not zone.filled and len(held) <= MOST_PIECES and not sees(run, zone, owner, state, eyes):
            yield run.share(zone.name, owner), possible(held, pools) if held else iter([(EMPTY, Fraction(1))])
    for variable in run.game.variables.values():
        cell = state.cells[variable.cell]
        for position, value in enumerate(cell if variable.owner else [cell]):
            owner = position if variable.owner else None
            if not eyes <= run.machine.audience(variable.audience, owner, state):
                yield run.share(variable.name, owner), iter([(run.show(value, variable.type), Fraction(1))])


def is_plain(run: Run, place: str, values: Collection[str]) -> bool:
    """Nothing is there, or what every game starts with, or what only the rules keep in mind and is certain."""
    variable = run.game.variables.get(place.partition(" of ")[0])
    if variable is None:
        return set(values) == {EMPTY}
    return len(values) == 1 and (variable.audience == "nobody" or run.show(variable.starts, variable.type) in values)


def zone_shares(run: Run, state: State) -> Iterator[tuple[Zone, int | None, list[str]]]:
    """Every place of every zone, whose it is, and what lies there."""
    for zone in run.game.zones.values():
        cell = state.cells[zone.cell]
        for position, share in enumerate(cell if zone.owner else [cell]):
            yield zone, position if zone.owner else None, pieces(share)


def in_sight(run: Run, state: State, eyes: frozenset[int], card: str) -> Counter[str]:
    """In how many copies a card lies in each place that the eyes see."""
    places: Counter[str] = Counter()
    for zone, owner, held in zone_shares(run, state):
        if sees(run, zone, owner, state, eyes):
            seen = held
        elif zone.top_audience is not None and eyes <= run.machine.audience(zone.top_audience, owner, state):
            seen = held[:1]
        else:
            continue
        if card in seen:
            places[run.share(zone.name, owner)] = seen.count(card)
    return places
