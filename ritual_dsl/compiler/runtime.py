"""What flat code calls, in plain Python: the generator of chance, many numbers at a time.

In: the state of the generator. Out: draws and shuffles, the same numbers as `engine.chance` makes.

Python works on numbers of any size, so the numbers of a block are made at once: side by side in two large numbers,
each draw in 128 bits, of which 64 are room for the products. The second large number then fills the room of the
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import length_hint
from typing import Any

from ritual_dsl.compiler.flat import DONE, Flat
from ritual_dsl.compiler.record import LOG_ROOM
from ritual_dsl.engine.chance import GOLDEN, MASK, mix
from ritual_dsl.engine.run import BOT_STREAM

LANE = 128
BLOCK = 64  # draws of a bot that are made at once
SAFE = (1 << 64) - (1 << 16)  # a draw beyond might be thrown away: then the interpreter plays the game

Policy = Callable[[int, int, Sequence[int]], int]  # where, who, and the options: the number of one of them


class MaybeRejected(Exception):
    """A draw so high that, for some bounds, it is not used."""


@dataclass(frozen=True)
class Lanes:
    """Constants for so many pairs of draws."""

    ones: int
    first: int  # the steps of the generator to the first of each pair
    second: int
    mask: int
    unsafe: int  # what carries a draw that is too high out of its place
    carried: int


@cache
def lanes(pairs: int, safe: int) -> Lanes:
    ones = sum(1 << (LANE * i) for i in range(pairs))
    first, second = (
        sum((((2 * i + step) * GOLDEN) & MASK) << (LANE * i) for i in range(pairs)) for step in (1, 2)
    )
    return Lanes(ones, first, second, ones * MASK, ones * (MASK + 1 - safe), ones << 64)


def draws(state: int, count: int) -> list[int]:
    """The next numbers of the generator; of an odd count one more."""
    pairs = (count + 1) // 2
    lane = lanes(pairs, SAFE)
    mask = lane.mask
    start = state * lane.ones
    one = (start + lane.first) & mask
    one = (((one ^ (one >> 30)) & mask) * 0xBF58476D1CE4E5B9) & mask
    one = (((one ^ (one >> 27)) & mask) * 0x94D049BB133111EB) & mask
    one = (one ^ (one >> 31)) & mask
    two = (start + lane.second) & mask
    two = (((two ^ (two >> 30)) & mask) * 0xBF58476D1CE4E5B9) & mask
    two = (((two ^ (two >> 27)) & mask) * 0x94D049BB133111EB) & mask
    two = (two ^ (two >> 31)) & mask
    if ((one + lane.unsafe) | (two + lane.unsafe)) & lane.carried:
        raise MaybeRejected
    found: list[int] = memoryview((one | two << 64).to_bytes(16 * pairs, "little")).cast("Q").tolist()
    return found


class Bot:
    """Draws for choices, and how many were used."""

    def __init__(self, state: int) -> None:
        self.state = state
        self.made = 0
        self.block: Iterator[int] = iter(())

    def draws(self) -> Iterator[int]:
        return chain.from_iterable(self.blocks())

    def blocks(self) -> Iterator[Iterator[int]]:
        while True:
            self.block = iter(draws(self.state, BLOCK))
            self.state = (self.state + BLOCK * GOLDEN) & MASK
            self.made += BLOCK
            yield self.block

    @property
    def used(self) -> int:
        return self.made - length_hint(self.block)


def shuffle(pile: list[int], first: int, count: int, rng: list[int]) -> None:
    """Fisher-Yates, from the end."""
    if count < 2:
        return
    part = pile[first : first + count]
    for i, bound, draw in zip(range(count - 1, 0, -1), range(count, 1, -1), draws(rng[0], count - 1), strict=False):
        j = draw % bound
        part[i], part[j] = part[j], part[i]
    pile[first : first + count] = part
    rng[0] = (rng[0] + (count - 1) * GOLDEN) & MASK


def below(bound: int, rng: list[int]) -> int:
    draw = draws(rng[0], 1)[0]
    rng[0] = (rng[0] + GOLDEN) & MASK
    return draw % bound


@dataclass
class Program:
    """Flat code that can be run, with the room it needs."""

    flat: Flat
    function: Callable[..., Any]

    def __post_init__(self) -> None:
        flat = self.flat
        self.rng = [0]
        self.bot = Bot(0)
        self.totals = [0] * flat.totals
        self.counts = [0]  # of decisions
        self.sums = [0] * (3 * flat.rows + 1)
        self.log: list[int] = [0] * (LOG_ROOM if "log[" in flat.source else 0)
        arrays = [list(values) for values in flat.arrays.values()]
        room = ([0] * flat.work, self.sums, [0] * (flat.rows + 1), self.totals, self.counts, self.log)
        self.given = (self.rng, *room, *arrays)

    def seed(self, seed: int, stream: int) -> None:
        step = stream * GOLDEN
        self.rng[0] = mix((start_of(seed, 0) + step) & MASK)
        self.bot = Bot(mix((start_of(seed, BOT_STREAM) + step) & MASK))

    def call(self) -> Any:
        """One game, played by bots: how it went."""
        status = self.function(self.bot.draws(), *self.given)
        if status == DONE:
            self.counts[0] += self.bot.used
        return status

    def ask(self, policy: Policy) -> Any:
        """One game in which every decision is a policy's."""
        return self.function(policy, *self.given)

    def clear(self) -> None:
        """Forget the sums of a game that was not played to its end."""
        self.sums[:] = [0] * len(self.sums)


@cache
def start_of(seed: int, stream: int) -> int:
    """What the number of a game is added to before it is mixed: see `Chance`."""
    return (mix(seed & MASK) + stream * GOLDEN) & MASK


def load(flat: Flat) -> Program:
    """Flat code as a Python function. The source was made a moment ago; it is never read from a file."""
    space: dict[str, Any] = {"table": tuple, "shuffle": shuffle, "below": below}
    exec(compile(flat.source, "<flat code>", "exec"), space)
    return Program(flat, space["game"])
