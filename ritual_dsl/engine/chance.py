"""Chance: one small generator, the same in every engine. `docs/how-it-works.md` writes it out.

In: a seed and the number of a stream. Out: bounded draws and shuffles.
"""

from __future__ import annotations

from typing import TypeVar

MASK = (1 << 64) - 1
LARGEST_SEED = MASK
GOLDEN = 0x9E3779B97F4A7C15
T = TypeVar("T")


def mix(z: int) -> int:
    """The output function of splitmix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Chance:
    """A stream of draws; its whole state is one number."""

    __slots__ = ("state",)

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.state = mix((mix(seed & MASK) + stream * GOLDEN) & MASK)

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each as likely: draws beyond the last full multiple are thrown away."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            self.state = z = (self.state + GOLDEN) & MASK
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK  # `mix`, written out: most of the time of a draw
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            z ^= z >> 31
            if z < limit:
                return z % bound

    def shuffle(self, items: list[T]) -> None:
        """Fisher-Yates, from the end."""
        below = self.below
        for i in range(len(items) - 1, 0, -1):
            j = below(i + 1)
            items[i], items[j] = items[j], items[i]
