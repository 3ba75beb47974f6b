"""Flat code under numba, an extra: machine code, kept on disk.

In: flat code of the form for numba. Out: a function that plays a batch of games. The source is always made anew
from the model and handed to numba; from the disk comes only what numba made of the very same source before.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ritual_dsl.compiler.cache import fingerprint, forget, not_kept, source_file
from ritual_dsl.compiler.flat import SHARED, Flat
from ritual_dsl.compiler.record import LOG_ROOM
from ritual_dsl.compiler.runtime import start_of
from ritual_dsl.diagnostics import Diagnostic
from ritual_dsl.engine.run import BOT_STREAM

MOST_UNROLLED = 80  # pieces in a pile up to which each step of a shuffle has its own line

# A remainder by a number up to 12 without dividing: first by 27720, the least multiple of all of them, which is a
# constant, then by what 2**32 over the number, rounded up, comes to. Exact, since 27720 * 12 < 2**32.
CHANCE = """
U27 = u64(27)
U30 = u64(30)
U31 = u64(31)
GOLDEN = u64(0x9E3779B97F4A7C15)
M1 = u64(0xBF58476D1CE4E5B9)
M2 = u64(0x94D049BB133111EB)
SAFE = u64(0xFFFFFFFFFFFF0000)
MANY = u64(27720)
INVERSE = table((0, 0, 2147483649, 1431655766, 1073741825, 858993460, 715827883, 613566757, 536870913, 477218589,
                 429496730, 390451573, 357913942))


@jit
def mix(z):
    z = (z ^ (z >> U30)) * M1
    z = (z ^ (z >> U27)) * M2
    return z ^ (z >> U31)


@jit
def rest(z, bound):
    if bound > 12:
        return i64(z % u64(bound))
    r = i64(z % MANY)
    return r - bound * ((r * INVERSE[bound]) >> 32)


@jit
def below(bound, rng):
    s = rng[0] + GOLDEN
    rng[0] = s
    z = mix(s)
    if z >= SAFE:
        rng[2] = z
    return rest(z, bound)
"""

BATCH = """

@jit_kept
def batch(start, bot, first, count, failed, rng, {names}):
    n = 0
    for i in range(first, first + count):
        rng[0] = mix(start + u64(i) * GOLDEN)
        rng[1] = mix(bot + u64(i) * GOLDEN)
        rng[2] = u64(0)
        status = game(rng, {names})
        if status != 0:
            failed[2 * n] = i
            failed[2 * n + 1] = status
            n += 1
            g[:] = 0
            if status != FAILED:
                return n
            if 2 * n == len(failed):
                return n
    return n
"""


def available() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def full_source(flat: Flat) -> str:
    """The generator of chance, the game, and the loop over games, as one module."""
    most = max(flat.codes.pieces(piece) for piece in flat.codes.game.pieces)
    shuffle = shuffle_source(max(2, min(most, MOST_UNROLLED)))
    names = [*SHARED[1:], *flat.arrays]
    return f"{CHANCE}{shuffle}\n{flat.source}" + BATCH.format(names=", ".join(names))


def shuffle_source(most: int) -> str:
    """Fisher-Yates from the end, a line for each bound, since dividing by a constant is much quicker."""
    lines = ["\n\n@jit\ndef shuffle(pile, first, count, rng):\n    for i in range(first + count - 1, first, -1):\n"]
    lines.append(f"        if i - first < {most}:\n            break\n        j = first + below(i - first + 1, rng)\n")
    lines.append("        x = pile[i]\n        pile[i] = pile[j]\n        pile[j] = x\n")
    lines.append("    s = rng[0]\n")
    for bound in range(most, 1, -1):
        lines.append(f"    if count >= {bound}:\n        s += GOLDEN\n        z = mix(s)\n")
        lines.append("        if z >= SAFE:\n            rng[2] = z\n")
        lines.append(f"        i = first + {bound - 1}\n        j = first + i64(z % u64({bound}))\n")
        lines.append("        x = pile[i]\n        pile[i] = pile[j]\n        pile[j] = x\n")
    lines.append("    rng[0] = s\n")
    return "".join(lines)


class FastProgram:
    """Machine code of a game, with the arrays it works on."""

    def __init__(self, flat: Flat, notes: list[Diagnostic] | None = None) -> None:
        numpy: Any = import_module("numpy")
        numba: Any = import_module("numba")
        self.numpy = numpy
        integers = [flat.work, 3 * flat.rows + 1, flat.rows + 1, flat.totals + 1, 1]
        self.fixed = [numpy.zeros(size, numpy.int64) for size in integers]
        self.totals, self.counts = self.fixed[3], self.fixed[4]
        self.log = numpy.zeros(LOG_ROOM if "log[" in flat.source else 1, numpy.int64)
        self.arrays = [numpy.array(values, numpy.int64) for values in flat.arrays.values()]
        self.rng = numpy.zeros(3, numpy.uint64)
        self.failed = numpy.zeros(2048, numpy.int64)
        self.size = flat.totals
        source = full_source(flat)
        path, note = source_file(source)
        try:
            self.make(numba, source, path)
        except Exception as error:  # whatever reading or writing what is kept can end in
            if path is None:
                raise
            note = not_kept(error, damaged=forget(path))
            self.make(numba, source, None)
        if note is not None and notes is not None:
            notes.append(note)

    def make(self, numba: Any, source: str, path: str | None) -> None:
        """Makes the machine code, or reads it from the disk."""
        numpy = self.numpy
        module = ModuleType(f"ritual_{fingerprint(source)}")
        sys.modules[module.__name__] = module  # numba looks for it when it reads what it kept
        space = vars(module)
        space["jit"] = numba.njit(error_model="numpy")
        space["jit_kept"] = numba.njit(cache=path is not None, error_model="numpy")
        space["u64"], space["i64"] = numpy.uint64, numpy.int64
        space["table"] = lambda values: numpy.array(values, numpy.int64)
        exec(compile(source, path or "<flat code>", "exec"), space)
        self.batch = space["batch"]
        self.play(0, 0, 0)

    def play(self, seed: int, first: int, count: int) -> list[tuple[int, int]]:
        """Plays games; returns those that were not played to their end, and why."""
        u64 = self.numpy.uint64
        start, bot = start_of(seed, 0), start_of(seed, BOT_STREAM)
        found = self.batch(
            u64(start),
            u64(bot),
            first,
            count,
            self.failed,
            self.rng,
            *self.fixed,
            self.log,
            *self.arrays,
        )
        return [(int(self.failed[2 * i]), int(self.failed[2 * i + 1])) for i in range(found)]

    def take(self) -> tuple[list[int], int]:
        """The totals and decisions so far, and a clean start."""
        totals, asked = [int(value) for value in self.totals[: self.size]], int(self.counts[0])
        self.totals[:] = 0
        self.counts[:] = 0
        return totals, asked
