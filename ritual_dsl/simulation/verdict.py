"""The verdict: which differences are more than chance, in plain words.

In: the figures of several series. Out: comparisons, each with the probability that chance alone made
such a difference, corrected for the number of comparisons (Holm), and sentences about those that hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ritual_dsl.simulation.figures import Figure, MeasureFigures
from ritual_dsl.simulation.series import Series

LEVEL = 0.05
MOST_SHOWN = 8


@dataclass(frozen=True)
class Comparison:
    """Two figures: of two series, or of two keys within one series."""

    where: str
    measure: str
    first: str
    second: str
    a: Figure
    b: Figure
    is_share: bool
    error: float
    pairs: int = 1  # how many comparisons this one was picked from
    within: bool = False  # two keys of one series
    corrected: float = 1.0

    @property
    def difference(self) -> float:
        return self.b.mean - self.a.mean

    @property
    def chance(self) -> float:
        """How likely a difference of this size is where there is none."""
        if self.error == 0:
            return 0.0 if self.difference else 1.0
        return math.erfc(abs(self.difference) / self.error / math.sqrt(2))

    def to_json(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "measure": self.measure,
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "p": self.corrected,
            "differs": self.corrected < LEVEL,
        }


def compare(series: Sequence[Series]) -> list[Comparison]:
    """Every other game against the first one, for each number of players; and the keys within each series."""
    found: list[Comparison] = []
    firsts: dict[int, Series] = {}
    for one in series:
        first = firsts.setdefault(one.players, one)
        if first is not one:
            found += between(first, one)
        found += within(one)
    return corrected(found)


def between(first: Series, second: Series) -> list[Comparison]:
    """The same measure and key in two games."""
    found = []
    others = second.figures()
    names = first.game.reference, second.game.reference
    for name, measure in first.figures().items():
        for key, a in measure.figures.items():
            b = others[name].figures.get(key) if name in others else None
            if b is not None:
                label = f"{name} {key}".strip()
                where = f"{first.players} players"
                error = math.hypot(standard_error(a, measure), standard_error(b, measure))
                found.append(Comparison(where, label, *names, a, b, measure.is_share, error))
    return found


def within(series: Series) -> list[Comparison]:
    """The highest and the lowest key of a measure that is split; they may hang together, so errors add up."""
    found = []
    for name, measure in series.figures().items():
        counted = {k: f for k, f in measure.figures.items() if k != "none"}
        if series.game.measures[name].value is None or len(counted) < 2:
            continue
        low = min(counted, key=lambda k: counted[k].mean)
        high = max(counted, key=lambda k: counted[k].mean)
        a, b = counted[low], counted[high]
        pairs = len(counted) * (len(counted) - 1) // 2  # the extremes of many: each pair was a comparison
        error = standard_error(a, measure) + standard_error(b, measure)
        found.append(Comparison(series.name, name, low, high, a, b, measure.is_share, error, pairs, True))
    return found


def standard_error(figure: Figure, measure: MeasureFigures) -> float:
    """Of a share near 0 or 1 at least what its interval says."""
    return max(figure.error, figure.half_width / 1.96) if measure.is_share else figure.error


def corrected(found: list[Comparison]) -> list[Comparison]:
    """Holm: the smallest probability times the number of comparisons, the next times one fewer, and so on."""
    raw = [min(1.0, c.chance * c.pairs) for c in found]
    result = list(found)
    floor = 0.0
    for rank, i in enumerate(sorted(range(len(found)), key=lambda i: raw[i])):
        floor = max(floor, min(1.0, raw[i] * (len(found) - rank)))
        result[i] = replace(found[i], corrected=floor)
    return result


def sentences(found: Sequence[Comparison]) -> list[str]:
    """What holds, the clearest first; and that the rest may be chance."""
    if not found:
        return []
    real = sorted((c for c in found if c.corrected < LEVEL), key=lambda c: (c.within, " " in c.measure, c.corrected))
    lines = [sentence(c) for c in real[:MOST_SHOWN]]
    if len(real) > MOST_SHOWN:
        lines.append(f"{len(real) - MOST_SHOWN} more differences are clear; --json lists all.")
    rest = len(found) - len(real)
    many = f"(corrected for {len(found)} comparisons)"
    if not real:
        lines.append(f"No difference is more than chance {many}.")
    elif rest:
        lines.append(f"The other {rest} differences may be chance {many}.")
    return lines


def sentence(c: Comparison) -> str:
    way = "higher" if c.difference > 0 else "lower"
    low, high = number(c.a.mean, c.is_share), number(c.b.mean, c.is_share)
    sure = "p < 0.001" if c.corrected < 0.001 else f"p = {c.corrected:.3f}"
    return f"{c.where}: {c.measure} is {way} for {c.second} ({high}) than for {c.first} ({low}), {sure}."


def number(value: float, is_share: bool) -> str:
    """A figure with as many digits as one reads."""
    return f"{value * 100:.2f} %" if is_share else f"{value:.3f}"
