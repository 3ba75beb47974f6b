"""The convention that somebody chose the play that tells most.

In: the stages of a story. Out: the worlds it leaves open if nothing else that its last player could have done would
have left fewer values open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ritual_dsl.analysis.dreamer import Dreamer
from ritual_dsl.analysis.places import zone_shares
from ritual_dsl.analysis.story import DECLINED, Declined, Move, Observation, Said, Story, World, sees
from ritual_dsl.analysis.undecided import possible
from ritual_dsl.analysis.worlds import Stage, unfold

MOST_TELLING = "most telling"
Play = tuple[str, ...]  # what a player chose, one after the other; what was declined is left out
Seen = tuple[Observation, ...]


@dataclass
class Way:
    """A world in which somebody is about to play, the moves that followed, and what could have been seen instead."""

    world: World
    left: tuple[Move, ...]
    seen: dict[Play, list[tuple[Seen, Fraction]]] = field(default_factory=lambda: defaultdict(list))


def most_telling(story: Story, dreamer: Dreamer, stages: list[Stage], whose: int | None) -> list[World] | None:
    """The worlds left open in the end; None if nobody who is meant has played."""
    last_play = find_play(story, whose)
    if last_play is None:
        return None
    start, who, chosen = last_play
    moves = story.moves[start:]
    reading = Reading(story, who, len(chosen))
    ways = [way for world in stages[start].before for way in arrive(dreamer, world, moves, who)]
    for way in ways:
        reading.explore(way)
    kept: list[World] = []
    for way in ways:
        open_then = {play: reading.open_values(play, leaves) for play, leaves in way.seen.items()}
        if chosen in open_then and open_then[chosen] == min(open_then.values()):
            kept += unfold(dreamer, way.left, [way.world])[1]
    return kept


def find_play(story: Story, whose: int | None) -> tuple[int, str, Play] | None:
    """The last answers in a row of one player, not of the one that reads them: where they begin, whose, and what."""
    run, moves = story.table.run, story.moves
    readers = {run.names[seat] for seat in story.table.eyes} if len(story.table.eyes) == 1 else set()
    meant = set(run.names[: run.state.players]) - readers if whose is None else {run.names[whose]}
    for end in range(len(moves), 0, -1):
        move = moves[end - 1]
        if isinstance(move, Said) and move.who in meant and move.what != DECLINED:
            start, who = end, move.who
            while isinstance(said := moves[start - 1], Said) and said.who == who:
                start -= 1
            chosen = [said.what for said in moves[start:end] if isinstance(said, Said)]
            return start, who, tuple(what for what in chosen if what != DECLINED)
    return None


def arrive(dreamer: Dreamer, world: World, moves: tuple[Move, ...], who: str) -> Iterator[Way]:
    """On to where this player has something to choose; what others could have said before, they did not."""
    choice, run = world.waiting, dreamer.table.run
    if choice is None or None not in choice.options or (choice.options != (None,) and run.who(choice) == who):
        yield Way(world, moves)
        return
    left = moves[1:] if moves[:1] == (Said(run.who(choice), DECLINED),) else moves
    for after, _ in dreamer.outcomes(world, Declined()):
        if not after.objections:
            yield from arrive(dreamer, after, left, who)


class Reading:
    """How many values stay open after a play, for those who see it."""

    def __init__(self, story: Story, who: str, length: int) -> None:
        self.table = replace(story.table, truth=None, told={})
        self.dreamer = Dreamer(self.table, {}, notes=True)
        self.who, self.length = who, length
        self.held: dict[tuple[Play, Seen], set[tuple[str, str]]] = defaultdict(set)

    def explore(self, way: Way) -> None:
        """Everything this player could have done in a world instead, and how it looked then."""
        run = self.table.run
        todo = [(replace(way.world, heard=(), observed=()), Play())]
        while todo:
            world, play = todo.pop()
            choice = world.waiting
            if choice is None or run.who(choice) != self.who or len(play) == self.length:
                way.seen[play].append((world.observed, world.weight))
                self.held[play, world.observed].update(self.holds(world))
                continue
            for option in choice.options:
                what = run.show(option, choice.type)
                longer = play if what == DECLINED else (*play, what)
                for after, _ in self.dreamer.outcomes(world, Said(self.who, what)):
                    if not after.objections:
                        todo.append((after, longer))

    def holds(self, world: World) -> Iterator[tuple[str, str]]:
        """What the player may hold that the readers do not see."""
        run, eyes = self.table.run, self.table.eyes
        seat = run.names.index(self.who)
        for zone, owner, held in zone_shares(run, world.state):
            people = zone.owner is not None and zone.owner.kind in ("seat", "player")
            if people and owner == seat and not sees(run, zone, owner, world.state, eyes):
                yield from ((zone.name, value) for value, _ in possible(held, world.pools))

    def open_values(self, play: Play, leaves: list[tuple[Seen, Fraction]]) -> Fraction:
        """How many on average, where chance decides what is seen."""
        total = sum(weight for _, weight in leaves)
        return sum((len(self.held[play, seen]) * weight for seen, weight in leaves), Fraction(0)) / total
