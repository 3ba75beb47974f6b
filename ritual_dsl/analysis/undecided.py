"""Pieces of which a world has not decided yet which they are.

In: the cells of a state. Out: marks in place of such pieces, and the pool of faces that the marks of a kind stand for.
Marks of one pool can change places without anything being different, so a face is decided only when something depends
on it. A pool has as many faces as there are marks of its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

MARK = "?"  # no id begins like this
Pools = dict[str, Counter[str]]  # a kind of mark, and how many of each face are under its marks


def is_open(piece: Any) -> bool:
    return isinstance(piece, str) and piece[0] == MARK


def copy_cells(cells: list[Any]) -> list[Any]:
    """Piles and shares as lists of their own; all else never changes in itself."""
    return [
        [share[:] if isinstance(share, list) else share for share in cell] if isinstance(cell, list) else cell
        for cell in cells
    ]


def frozen(value: Any) -> Any:
    """The same value, to be compared and looked up."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def pieces(share: Any) -> list[str]:
    """What lies in a pile or in a place for one."""
    return share if isinstance(share, list) else [share] if share is not None else []


def possible(share: Any, pools: Pools) -> Iterator[tuple[str, Fraction]]:
    """Everything that can lie in a share, by name, and how likely it is."""
    held = pieces(share)
    marks = Counter(filter(is_open, held))
    ways: list[tuple[list[str], Fraction]] = [([piece for piece in held if not is_open(piece)], Fraction(1))]
    for mark, count in marks.items():
        drawn = list(hands(pools[mark], count))
        ways = [(known + hand, weight * chance) for known, weight in ways for hand, chance in drawn]
    for hand, weight in ways:
        yield " + ".join(sorted(hand)), weight


def hands(pool: Counter[str], count: int) -> Iterator[tuple[list[str], Fraction]]:
    """So many pieces out of a pool, whatever their order, and how likely they are."""
    every = comb(pool.total(), count)
    for hand in combinations_with_replacement(sorted(pool), count):
        ways = prod(comb(pool[face], number) for face, number in Counter(hand).items())
        if ways:
            yield list(hand), Fraction(ways, every)
