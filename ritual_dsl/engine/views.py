"""What a player sees, and what one has seen: from declared visibility alone.

In: a run and a seat, several for what these see alike, or None for what everybody does. Out: a view, observations;
`teller` puts them into words.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import start_state
from ritual_dsl.model.game import Variable, Zone

HIDDEN = "?"
Seat = int | frozenset[int] | None
Observation = tuple[Any, ...]


def view(run: Run, seat: Seat) -> dict[str, Any]:
    """What a player sees now: cards (`?` for a hidden face, a count for a hidden pile), counters, variables."""
    state = run.state
    zones = {zone.name: zone_view(run, zone, seat) for zone in run.game.zones.values()}
    counters: dict[str, Any] = {}
    for counter in run.game.counters.values():
        values = state.cells[counter.cell]
        names = run.owner_names(counter.owner)
        counters[counter.name] = dict(zip(names, values, strict=True)) if counter.owner else values
    variables: dict[str, Any] = {}
    for variable in run.game.variables.values():
        seen = variable_view(run, variable, seat)
        if seen is not None:
            variables[variable.name] = seen
    return {"zones": zones, "counters": counters, "variables": variables}


def eyes(run: Run, seat: Seat) -> frozenset[int]:
    if isinstance(seat, int):
        return frozenset((seat,))
    return frozenset(range(run.state.players)) if seat is None else seat


def sees(run: Run, seat: Seat, audience: frozenset[int]) -> bool:
    return eyes(run, seat) <= audience


def variable_view(run: Run, variable: Variable, seat: Seat) -> Any:
    """The value, or of one with owners those of the shares that are seen; None if nothing is."""
    value = run.state.cells[variable.cell]

    def seen(owner: int | None) -> bool:
        return sees(run, seat, run.machine.audience(variable.audience, owner, run.state))

    if variable.owner is None:
        return run.show(value, variable.type) if seen(None) else None
    names = run.owner_names(variable.owner)
    return {names[i]: run.show(share, variable.type) for i, share in enumerate(value) if seen(i)} or None


def zone_view(run: Run, zone: Zone, seat: Seat) -> Any:
    cell = run.state.cells[zone.cell]

    def share(held: Any, owner: int | None) -> Any:
        open_ = sees(run, seat, run.machine.audience(zone.audience, owner, run.state))
        if zone.single:
            return held if open_ or held is None else HIDDEN
        if open_:
            return list(held)
        top_seen = zone.top_audience is not None and sees(
            run, seat, run.machine.audience(zone.top_audience, owner, run.state)
        )
        return [held[0], *[HIDDEN] * (len(held) - 1)] if top_seen and held else len(held)

    if zone.owner is None:
        return share(cell, None)
    names = run.owner_names(zone.owner)
    shares = {names[position]: share(held, position) for position, held in enumerate(cell)}
    on_cards = zone.owner.kind == "card"  # there are many, and most have nothing on them
    return {name: held for name, held in shares.items() if held or not on_cards}


def observations(run: Run, seat: Seat) -> tuple[Observation, ...]:
    """Everything a player has observed so far, or several alike: perfect recall."""
    watching = eyes(run, seat)
    return tuple(seen for event in run.state.log if (seen := event.seen_by(watching)) is not None)


def news(run: Run, seat: Seat) -> list[tuple[int, Observation]]:
    """What a player has observed that tells something, each with the number of its event: no questions, and no value
    that was known before."""
    first = start_state(run.game, run.state.players, Chance(0)).cells
    known: dict[tuple[str, int | None], Any] = {}
    told: list[tuple[int, Observation]] = []
    watching = eyes(run, seat)
    for number, event in enumerate(run.state.log):
        observation = event.seen_by(watching)
        if observation is None or observation[0] == "asked":
            continue
        if observation[0] == "set":
            _, name, owner, value = observation
            cell = first[run.game.variables[name].cell]
            old = known.get((name, owner), cell if owner is None else cell[owner])
            known[name, owner] = value
            if value == old:
                continue
        told.append((number, observation))
    return told


def faces(seen: dict[str, Any]) -> list[str]:
    """The cards whose faces are in a view, each once."""
    shares = [s for share in seen["zones"].values() for s in (share.values() if isinstance(share, dict) else (share,))]
    held = [card for s in shares for card in (s if isinstance(s, list) else (s,)) if isinstance(card, str)]
    return [card for card in dict.fromkeys(held) if card != HIDDEN]
