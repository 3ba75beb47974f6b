"""The convention that somebody chose the play that tells most.

In: worlds that are possible. Out: those in which nothing else they could have done would have left fewer values open.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ritual_dsl.analysis.dreamer import Dreamer
from ritual_dsl.analysis.story import Move, Observation, Said, World, sees
from ritual_dsl.analysis.table import Story
from ritual_dsl.analysis.worlds import worlds
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import State

MOST_TELLING = "most telling"
Seen = tuple[Observation, ...]


def most_telling(possible: list[World], story: Story, dreamer: Dreamer) -> list[World]:
    play = last_play(story)
    if play is None:
        return possible
    before, length, who = play
    start = dreamer.dream(story.history[:before], list(possible[0].script), pause=who)
    if start is None:
        return possible
    truth = story.table.truth
    seen = truth[: len(start.observed)] if truth is not None else None
    dreamer = Dreamer(replace(story.table, truth=seen, closed=False, told={}), {})
    reading = Reading(story, dreamer, who)
    chosen = story.history[: before + length]
    kept = []
    for world in possible:
        sizes = {
            moves: reading.open_values(moves, end)
            for moves, end in alternatives(dreamer, story.history[:before], length, who, world.script)
        }
        if sizes and sizes.get(chosen, 0) == min(sizes.values()):
            kept.append(world)
    return kept


def last_play(story: Story) -> tuple[int, int, str] | None:
    """The last answers in a row of one player who is not the one that reads them: where, how many, whose."""
    run, history = story.table.run, story.history
    readers = {run.names[seat] for seat in story.table.eyes} if len(story.table.eyes) == 1 else set()
    end = len(history)
    while end:
        move = history[end - 1]
        if isinstance(move, Said) and move.who != "all" and move.who not in readers:
            start = end
            while start and isinstance(said := history[start - 1], Said) and said.who == move.who:
                start -= 1
            return start, end - start, move.who
        end -= 1
    return None


def alternatives(
    dreamer: Dreamer, before: tuple[Move, ...], length: int, who: str, script: tuple[int, ...]
) -> list[tuple[tuple[Move, ...], World]]:
    """Everything this player could have done in a world instead, and how the world looked then."""
    run = dreamer.table.run
    found, todo = [], [before]
    while todo:
        moves = todo.pop()
        world = dreamer.dream(moves, list(script), pause=who)
        if world is None or world.objections:
            continue
        waiting = world.waiting
        if waiting is None or run.who(waiting) != who or len(moves) == len(before) + length:
            found.append((moves, world))
            continue
        todo += [(*moves, Said(who, run.show(option, waiting.type))) for option in waiting.options]
    return found


@dataclass
class Reading:
    """How many values stay open after a play, for those who see it."""

    story: Story
    dreamer: Dreamer
    who: str
    known: dict[tuple[Move, ...], dict[Seen, set[str]]] = field(default_factory=dict)

    def open_values(self, moves: tuple[Move, ...], end: World) -> int:
        if moves not in self.known:
            table = self.known[moves] = {}
            for world in worlds(self.dreamer, moves):
                if not world.objections:
                    table.setdefault(world.observed, set()).add(self.held(world.state))
        return len(self.known[moves].get(end.observed, ()))

    def held(self, state: State) -> str:
        """What the player holds that the readers do not see."""
        run: Run = self.story.table.run
        seat = run.names.index(self.who)
        parts = []
        for zone in run.game.zones.values():
            people = zone.owner is not None and zone.owner.kind in ("seat", "player")
            if people and not sees(run, zone, seat, state, self.story.table.eyes):
                share = state.cells[zone.cell][seat]
                parts.append(sorted(share) if isinstance(share, list) else share)
        return repr(parts)
