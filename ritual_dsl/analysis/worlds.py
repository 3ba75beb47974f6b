"""All worlds that somebody at the table cannot tell from the one they are in.

In: a dreamer and what was done. Out: every way the unknown pieces and chance can have fallen, one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ritual_dsl.analysis.dreamer import Dreamer
from ritual_dsl.analysis.story import Move, World
from ritual_dsl.diagnostics import fail

MOST_WORLDS = 50_000
HOPELESS = 20  # times as many ways to fill the unknown places: not even tried


def worlds(dreamer: Dreamer, history: tuple[Move, ...]) -> Iterator[World]:
    """Every world, one after the other: the last choice of chance that can be made anew is made anew."""
    script: list[int] = []
    for number in range(MOST_WORLDS):
        world = dreamer.dream(history, script)
        if not number and math.prod(dreamer.sizes[: dreamer.filled]) > HOPELESS * MOST_WORLDS:
            break
        if world is not None:
            yield world
        sizes = dreamer.sizes
        del script[len(sizes) :]
        while script and script[-1] + 1 == sizes[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1
    message = f"there are more than {MOST_WORLDS:,} ways the unknown could have fallen"
    raise fail("RIT750", message, help="say more of what is known, or start later")
