"""All worlds that somebody at the table cannot tell from the one they are in, after each move of a story.

In: a dreamer and the moves. Out: for each move the worlds before it, and what became of those that are ruled out by it.
Worlds between which nothing is different any more are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ritual_dsl.analysis.dreamer import Dreamer, Script
from ritual_dsl.analysis.onlooker import Moved
from ritual_dsl.analysis.story import Move, World
from ritual_dsl.analysis.undecided import frozen
from ritual_dsl.analysis.veiled import Impossible


@dataclass
class Stage:
    """A move, the worlds before it, and what became of them."""

    move: Move
    before: list[World]
    ruined: int = 0  # in how many worlds told apart it cannot have been
    ruin: tuple[World, Script] | None = None  # the first of them: from where, by which decisions
    moved: list[Moved] | None = None  # where it can have been: what moved


def unfold(
    dreamer: Dreamer, moves: Iterable[Move], start: list[World] | None = None
) -> tuple[list[Stage], list[World]]:
    """The stages of a story, and the worlds it leaves open."""
    if start is None:
        try:
            start = [dreamer.first()]
        except Impossible:
            start = []
    stages, worlds = [], start
    for move in moves:
        stage = Stage(move, worlds)
        stages.append(stage)
        worlds = advance(dreamer, stage)
    return stages, worlds


def advance(dreamer: Dreamer, stage: Stage) -> list[World]:
    """The worlds after a move, told apart."""
    after: dict[Hashable, World] = {}
    dreamer.fault = None
    for world in stage.before:
        for outcome, script in dreamer.outcomes(world, stage.move):
            if not outcome.objections:
                if stage.moved is None:
                    stage.moved = dreamer.moved
                key = identity(outcome, dreamer.unordered)
                twin = after.get(key)
                after[key] = outcome if twin is None else replace(outcome, weight=outcome.weight + twin.weight)
            else:
                stage.ruined += 1
                stage.ruin = stage.ruin or (world, script)
    return list(after.values())


def identity(world: World, unordered: frozenset[int]) -> Hashable:
    """Everything on which it depends what can still come of a world."""
    state = world.state
    cells = tuple(heap(value) if cell in unordered else frozen(value) for cell, value in enumerate(state.cells))
    frames = tuple((frame.procedure, frame.position, frozen(frame.local)) for frame in state.frames)
    pools = tuple((mark, tuple(sorted(pool.items()))) for mark, pool in sorted(world.pools.items()) if pool)
    options = world.waiting.options if world.waiting is not None else None
    return (
        cells,
        frames,
        pools,
        options,
        tuple(sorted(state.ended.items())),
        (world.seen, *world.heard),
        world.doubts,
        world.observed,
    )


def heap(held: list[Any]) -> Hashable:
    """A pile, or the piles of several owners, whatever lies where in them."""
    return tuple(tuple(sorted(pile)) for pile in held) if held and isinstance(held[0], list) else tuple(sorted(held))
