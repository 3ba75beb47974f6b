"""Figures: means and shares with their intervals, from exact sums.

In: the totals of a number of games. Out: for each measure a mean, or one for each key, with its
standard deviation and the interval in which the true value lies with 95 % confidence.

Games are independent of each other; samples within one game are not. So a mean is a ratio of two sums
over games, and its error is that of a ratio.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ritual_dsl.engine.measures import ROW, Rows

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Figure:
    """A mean over samples, and how well it is known."""

    samples: int
    mean: float
    sd: float
    error: float  # the standard error of the mean
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    @property
    def interval(self) -> list[float] | None:
        return [self.low, self.high] if math.isfinite(self.error) else None


@dataclass(frozen=True)
class MeasureFigures:
    """One measure: a single figure under the key "", or one for each key that occurred."""

    name: str
    is_share: bool
    keyed: bool
    figures: dict[str, Figure]

    def to_json(self) -> dict[str, Any]:
        if self.keyed:
            return {"share": {key: {"mean": f.mean, "ci95": f.interval} for key, f in self.figures.items()}}
        figure = self.figures.get("")
        if figure is None:
            return {"mean": None, "sd": None, "ci95": None}
        return {"mean": figure.mean, "sd": figure.sd, "ci95": figure.interval}


def figures(rows: Sequence[Rows], totals: Sequence[int], games: int) -> dict[str, MeasureFigures]:
    return {r.measure.name: measure_figures(r, totals, games) for r in rows}


def measure_figures(rows: Rows, totals: Sequence[int], games: int) -> MeasureFigures:
    measure = rows.measure
    found: dict[str, Figure] = {}
    together = row_at(rows, rows.all_keys, totals)
    for number, name in enumerate(rows.names):
        samples, total, samples2, mixed, total2, squares = row_at(rows, number, totals)
        if measure.value is None and samples:  # each key against the samples of all keys
            samples, samples2 = together[0], together[2]
        if samples:
            sums = (samples, total, samples2, mixed, total2, squares)
            found[name] = figure(sums, games, measure.is_share)
    return MeasureFigures(measure.name, measure.is_share, measure.key is not None, found)


def row_at(rows: Rows, number: int, totals: Sequence[int]) -> tuple[int, ...]:
    start = rows.offset + number * ROW
    return tuple(int(value) for value in totals[start : start + ROW])


def figure(sums: tuple[int, ...], games: int, is_share: bool) -> Figure:
    samples, total, samples2, mixed, total2, squares = sums
    mean = total / samples
    spread = max(0.0, (squares * samples - total * total) / (samples * samples))
    # the sum over games of (sum - mean * samples)², in whole numbers until the last step
    residue = (total2 * samples * samples - 2 * total * samples * mixed + total * total * samples2) / samples**2
    error = math.sqrt(max(0.0, residue) * games / max(1, games - 1)) / samples
    sd = math.sqrt(spread * samples / max(1, samples - 1))
    if samples2 == samples * samples and not is_share:  # all samples are of one game: nothing is known of the spread
        error = math.inf
    low, high = wilson(mean, samples, error) if is_share else (mean - Z95 * error, mean + Z95 * error)
    return Figure(samples, mean, sd, error, low, high)


def wilson(share: float, samples: int, error: float) -> tuple[float, float]:
    """Wilson's interval, for as many independent samples as would have this error."""
    plain = share * (1 - share)
    independent = plain / error**2 if error > 0 and plain > 0 else samples
    z2 = Z95 * Z95 / independent
    middle = (share + z2 / 2) / (1 + z2)
    half = Z95 * math.sqrt(plain / independent + z2 / (4 * independent)) / (1 + z2)
    return 0.0 if share == 0 else middle - half, 1.0 if share == 1 else middle + half
