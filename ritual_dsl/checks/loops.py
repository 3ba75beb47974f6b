"""Loops that make no progress: nothing in them can bring about their end."""

from __future__ import annotations

from collections.abc import Iterator

from ritual_dsl.checks.effects import Effects
from ritual_dsl.diagnostics import Findings
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game
from ritual_dsl.model.walk import walk


def stuck_loops(game: Game, effects: Effects, found: Findings) -> None:
    free = [p for p in game.procedures.values() if p.any_time or p.watch is not None]  # they run inside any loop
    anywhere = frozenset(cell for procedure in free for cell in effects.writes(procedure))
    if any(effects.ends(procedure) for procedure in free):
        return
    for loop in walk(tuple(game.procedures.values())):
        if not isinstance(loop, ir.Repeat) or effects.ends(loop.steps) or any(own_stops(loop.steps)):
            continue
        if loop.until is None:
            help = "it needs a `stop`, or an `until`"
            found.say("RIT427", "nothing in this `repeat` can end it", loop.span, help=help)
        elif (effects.writes(loop.steps) | anywhere).isdisjoint(effects.reads(loop.until)) and not asks_more(loop):
            help = "unless it holds at once, the loop goes on for ever"
            found.say("RIT427", "nothing in this `repeat` changes what its `until` asks", loop.until.span, help=help)


def own_stops(steps: object) -> Iterator[ir.Stop]:
    """The `stop`s that leave this loop and not one in it."""
    if isinstance(steps, tuple):
        for step in steps:
            yield from own_stops(step)
    elif isinstance(steps, ir.Stop):
        yield steps
    elif isinstance(steps, ir.Step):
        yield from own_stops(steps.statement)
        for block in (*steps.patched.before, *steps.patched.instead, *steps.patched.after):
            yield from own_stops(block.steps)
    elif isinstance(steps, ir.When):
        yield from own_stops((*steps.steps, *steps.otherwise))
    elif isinstance(steps, ir.Each):
        yield from own_stops(steps.steps)
    elif isinstance(steps, ir.Choose):
        yield from own_stops(tuple(step for option in steps.options for step in option.steps))


def asks_more(loop: ir.Repeat) -> bool:
    """Whether the condition depends on something other than cells: a name set in the loop, or how something ended."""
    slots = {part.slot for part in walk(loop.until) if isinstance(part, ir.Local)}
    places = (part.place for part in walk(loop.steps) if isinstance(part, ir.Assign | ir.ChangeSet))
    return any(place.slot in slots for place in places if place.slot is not None)
