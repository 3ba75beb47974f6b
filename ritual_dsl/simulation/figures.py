"""Figures: means and shares with their intervals, from exact sums.

In: the totals of a number of games. Out: for each measure a mean, or one for each key, with its
standard deviation and the interval in which the true value lies with 95 % confidence.

Games are independent of each other; samples within one game are not. So a mean is a ratio of two sums
over games, and its error is that of a ratio. Where a key is met in few games only these count, and
the t distribution takes the place of the normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ritual_dsl.engine.measures import ROW, Rows

Z95 = 1.959963984540054
ENOUGH = 30  # games after which samples without any spread count as exact


@dataclass(frozen=True)
class Figure:
    """A mean over samples, and how well it is known."""

    samples: int
    mean: float
    sd: float
    error: float  # the standard error of the mean; infinite where nothing is known of it
    low: float
    high: float
    games: float  # so many games, all with as many samples, would say as much

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
    samples: int  # of all keys together
    figures: dict[str, Figure]
    never: dict[str, Figure]  # of a measure that counts its keys: those that did not occur

    def get(self, key: str) -> Figure | None:
        return self.figures.get(key) or self.never.get(key)

    def to_json(self) -> dict[str, Any]:
        if self.keyed:
            return {"share": {key: {"mean": f.mean, "ci95": f.interval} for key, f in self.figures.items()}}
        figure = self.figures.get("")
        if figure is None:
            return {"mean": None, "sd": None, "ci95": None}
        return {"mean": figure.mean, "sd": figure.sd, "ci95": figure.interval}


def figures(rows: Sequence[Rows], totals: Sequence[int]) -> dict[str, MeasureFigures]:
    return {r.measure.name: measure_figures(r, totals) for r in rows}


def measure_figures(rows: Rows, totals: Sequence[int]) -> MeasureFigures:
    measure = rows.measure
    found: dict[str, Figure] = {}
    never: dict[str, Figure] = {}
    together = row_at(rows, rows.all_keys, totals)
    for number, name in enumerate(rows.names):
        samples, total, samples2, mixed, total2, squares = row_at(rows, number, totals)
        kept = found if samples else never
        if measure.value is None:  # each key against the samples of all keys
            samples, samples2 = together[0], together[2]
        if samples:
            kept[name] = figure((samples, total, samples2, mixed, total2, squares), measure.is_share)
    whole = together[0] if measure.value is None else sum(f.samples for f in found.values())
    return MeasureFigures(measure.name, measure.is_share, measure.key is not None, whole, found, never)


def row_at(rows: Rows, number: int, totals: Sequence[int]) -> tuple[int, ...]:
    start = rows.offset + number * ROW
    return tuple(int(value) for value in totals[start : start + ROW])


def figure(sums: tuple[int, ...], is_share: bool) -> Figure:
    samples, total, samples2, mixed, total2, squares = sums
    mean = total / samples
    spread = max(0.0, (squares * samples - total * total) / (samples * samples))
    sd = math.sqrt(spread * samples / max(1, samples - 1))
    # the sum over games of (sum - mean * samples)², in whole numbers until the last step
    residue = (total2 * samples * samples - 2 * total * samples * mixed + total * total * samples2) / samples**2
    games = samples * samples / samples2  # never more than there are
    error = ratio_error(residue, samples, games)
    if is_share:
        return share_figure(samples, mean, sd, error, games)
    reach = t_quantile(games - 1) * error if math.isfinite(error) else math.inf
    return Figure(samples, mean, sd, error, mean - reach, mean + reach, games)


def ratio_error(residue: float, samples: int, games: float) -> float:
    """The standard error of a mean; infinite where too few games tell of the spread."""
    if games < 2 or (residue == 0 and games < ENOUGH):
        return math.inf
    return math.sqrt(residue * games / (games - 1)) / samples


def share_figure(samples: int, share: float, sd: float, error: float, games: float) -> Figure:
    """Wilson's interval and the error of Agresti and Coull, for as many independent samples as have this error."""
    plain = share * (1 - share)
    known = 0 < error < math.inf
    independent = min(samples, plain / error**2) if known else games
    z = t_quantile(games - 1) if known else Z95
    z2 = z * z / independent
    middle = (share + z2 / 2) / (1 + z2)
    half = z * math.sqrt(plain / independent + z2 / (4 * independent)) / (1 + z2)
    low, high = 0.0 if share == 0 else middle - half, 1.0 if share == 1 else middle + half
    added = Z95 * Z95
    moved = (share * independent + added / 2) / (independent + added)
    return Figure(samples, share, sd, math.sqrt(moved * (1 - moved) / (independent + added)), low, high, games)


# The t and the normal distribution, as Wallace relates them: close, and on the safe side where games are few.


def t_quantile(freedom: float) -> float:
    """So many standard errors to each side hold the true value with 95 % confidence."""
    z = Z95 * (8 * freedom + 3) / (8 * freedom + 1)
    return math.sqrt(freedom * math.expm1(z * z / freedom))


def chance_of(t: float, freedom: float) -> float:
    """How likely it is to be so many standard errors or more away from the true value."""
    z = math.sqrt(freedom * math.log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return math.erfc(z / math.sqrt(2))
