"""What flat code calls, in plain Python: the generator of chance, many numbers at a time.

In: the state of the generator. Out: draws and shuffles, the same numbers as `engine.chance` makes.

Python works on numbers of any size, so the numbers of a block are made at once: side by side in one large
number, each in 128 bits, of which 64 are room for the products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ritual_dsl.compiler.choices import BLOCK
from ritual_dsl.compiler.flat import Flat
from ritual_dsl.compiler.record import LOG_ROOM
from ritual_dsl.engine.chance import GOLDEN, MASK, Chance
from ritual_dsl.engine.run import BOT_STREAM

LANE = 128
SAFE = (1 << 64) - (1 << 16)  # a draw beyond might be thrown away: then the interpreter plays the game


class MaybeRejected(Exception):
    """A draw so high that, for some bounds, it is not used."""


@cache
def lanes(count: int) -> tuple[int, int, int]:
    """Ones, steps of the generator, and masks, side by side."""
    ones = sum(1 << (LANE * i) for i in range(count))
    steps = sum((((i + 1) * GOLDEN) & MASK) << (LANE * i) for i in range(count))
    return ones, steps, ones * MASK


def draws(state: int, count: int) -> list[int]:
    """The next numbers of the generator."""
    ones, steps, mask = lanes(count)
    z = (state * ones + steps) & mask
    z = (((z ^ (z >> 30)) & mask) * 0xBF58476D1CE4E5B9) & mask
    z = (((z ^ (z >> 27)) & mask) * 0x94D049BB133111EB) & mask
    z = (z ^ (z >> 31)) & mask
    found: list[int] = memoryview(z.to_bytes(16 * count, "little")).cast("Q").tolist()[::2]
    if max(found) >= SAFE:
        raise MaybeRejected
    return found


def draw_more(bits: list[int], rng: list[int]) -> None:
    """The next draws of the bots."""
    bits[:] = draws(rng[1], BLOCK)
    rng[1] = (rng[1] + BLOCK * GOLDEN) & MASK


def shuffle(pile: list[int], first: int, count: int, rng: list[int]) -> None:
    """Fisher-Yates, from the end."""
    if count < 2:
        return
    state = rng[0]
    i = first + count - 1
    bound = count
    for draw in draws(state, count - 1):
        j = first + draw % bound
        pile[i], pile[j] = pile[j], pile[i]
        i -= 1
        bound -= 1
    rng[0] = (state + (count - 1) * GOLDEN) & MASK


def below(bound: int, rng: list[int]) -> int:
    (draw,) = draws(rng[0], 1)
    rng[0] = (rng[0] + GOLDEN) & MASK
    return draw % bound


@dataclass
class Program:
    """Flat code that can be run, with the room it needs."""

    flat: Flat
    function: Callable[..., Any]

    def __post_init__(self) -> None:
        flat = self.flat
        self.rng = [0, 0]
        self.bits = [0] * BLOCK
        self.work = [0] * flat.work
        self.sums = [0] * (3 * flat.rows + 1)
        self.touched = [0] * (flat.rows + 1)
        self.totals = [0] * flat.totals
        self.counts = [0]
        self.log: list[int] = [0] * (LOG_ROOM if "log[" in flat.source else 0)
        self.ask = [0] * (flat.work + 64)
        self.arrays = [list(values) for values in flat.arrays.values()]

    def seed(self, seed: int, stream: int) -> None:
        self.rng[:] = [Chance(seed, stream).state, Chance(seed, BOT_STREAM + stream).state]

    def call(self) -> Any:
        """One game: how it went, or, of a form that asks, an iterator over its choices."""
        return self.function(
            self.rng,
            self.bits,
            self.work,
            self.sums,
            self.touched,
            self.totals,
            self.counts,
            self.log,
            self.ask,
            *self.arrays,
        )

    def clear(self) -> None:
        """Forget the sums of a game that was not played to its end."""
        self.sums[:] = [0] * len(self.sums)

    def steps(self, seed: int, stream: int) -> Iterator[list[int]]:
        """The choices of one game: [site, who, how many options, the options …]; the answer goes into place 0."""
        self.seed(seed, stream)
        for _ in self.call():
            yield self.ask


def load(flat: Flat) -> Program:
    """Flat code as a Python function. The source was made a moment ago; it is never read from a file."""
    space: dict[str, Any] = {"table": tuple, "draw_more": draw_more, "shuffle": shuffle, "below": below}
    exec(compile(flat.source, "<flat code>", "exec"), space)
    return Program(flat, space["game"])
