"""What a player sees, and what one has seen: from declared visibility alone.

In: a run and a seat, or None for what everybody sees alike. Out: a view, observations, sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ritual_dsl.engine.machine import Question
from ritual_dsl.engine.run import Run
from ritual_dsl.model.game import Variable, Zone
from ritual_dsl.model.types import SEAT, Type

HIDDEN = "?"
Seat = int | None
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


def sees(run: Run, seat: Seat, audience: frozenset[int]) -> bool:
    return seat in audience if seat is not None else len(audience) == run.state.players


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
    """Everything a player has observed so far: perfect recall."""
    if seat is not None:
        return tuple(seen for event in run.state.log if (seen := event.seen_by(seat)) is not None)
    everyone = range(run.state.players)
    found = []
    for event in run.state.log:
        each = [event.seen_by(player) for player in everyone]
        if all(seen is not None for seen in each):
            known = event.faces if all(p in event.seers for p in everyone) else (None,) * len(event.faces)
            found.append((event.kind, *event.public, *known))
    return tuple(found)


# ---- words


def view_lines(run: Run, seen: dict[str, Any]) -> list[str]:
    """A view as lines of text."""
    zones = run.game.zones
    return [f"  {name}: {words(value, name in zones)}" for part in seen.values() for name, value in part.items()]


def words(value: Any, cards: bool = False) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{owner} {words(share, cards)}" for owner, share in value.items()) or "empty"
    if isinstance(value, list):
        return " ".join(value) or "empty"
    if value is None:
        return "none"
    if cards and isinstance(value, int):
        return f"{value} face down" if value else "empty"
    return str(value)


def sentence(run: Run, observation: Observation) -> str:
    """One readable line for an observation."""
    kind, *rest = observation
    teller = TELLERS.get(kind)
    return teller(run, *rest) if teller is not None else " ".join(str(part) for part in observation)


def place(run: Run, zone: str, owner: int | None) -> str:
    return run.share(zone, owner)


def moved(run: Run, source: str, giver: int | None, to: str, taker: int | None, face: str | None) -> str:
    return f"{face or 'a card'} moves from {place(run, source, giver)} to {place(run, to, taker)}"


def gathered(run: Run, zone: str, owner: int | None) -> str:
    return f"the cards are gathered in {place(run, zone, owner)}"


def shuffled(run: Run, zone: str, owner: int | None) -> str:
    return f"{place(run, zone, owner)} is shuffled"


def top(run: Run, zone: str, face: str | None) -> str:
    return f"{face or 'another card'} is on top of {zone}"


def shown(run: Run, zone: str, owner: int | None, who: int, face: str | None) -> str:
    return f"{run.names[who]} is shown {face or 'the card'} in {place(run, zone, owner)}"


def changed(run: Run, counter: str, owner: int | None, value: int) -> str:
    return f"{place(run, counter, owner)} is now {value}"


def assigned(run: Run, name: str, owner: int | None, value: Any) -> str:
    return f"{run.share(name, owner)} is now {run.show(value, run.game.variables[name].type)}"


def ended(run: Run, procedure: str, how: str) -> str:
    return f"{procedure} ends as {how}"


def asked(run: Run, label: str, who: tuple[int, ...], options: tuple[Any, ...]) -> str:
    type = label_type(run, label, options)
    verb = "are" if len(who) > 1 else "is"
    return f"{people(run, who)} {verb} asked {label}: {', '.join(run.show(o, type) for o in options)}"


def chose(run: Run, label: str, who: tuple[int, ...], option: Any) -> str:
    verb = "choose" if len(who) > 1 else "chooses"
    return f"{people(run, who)} {verb} {label}: {run.show(option, label_type(run, label, (option,)))}"


def people(run: Run, who: tuple[int, ...]) -> str:
    return " and ".join(filter(None, [", ".join(run.names[p] for p in who[:-1]), run.names[who[-1]]]))


def label_type(run: Run, label: str, options: tuple[Any, ...]) -> Type:
    """What the options under a label are; where rules use it for several kinds, the one the values fit."""
    named = all(isinstance(o, str) for o in options)
    found: list[Type] = []
    for name in run.game.procedures:
        for step in run.machine.code(name).instructions:
            if isinstance(step, Question) and step.node.label == label:
                found.append(step.type)
    fitting = [t for t in found if (t.kind in ("name", "card", "enum")) == named]
    return (fitting or found or [SEAT])[0]


TELLERS: dict[str, Callable[..., str]] = {
    "moved": moved,
    "gathered": gathered,
    "shuffled": shuffled,
    "top": top,
    "shown": shown,
    "changed": changed,
    "set": assigned,
    "ended": ended,
    "asked": asked,
    "chose": chose,
}
