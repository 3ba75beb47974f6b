"""The verdict: which differences are more than chance, in plain words.

In: the figures of several series. Out: comparisons, each with the probability that chance alone made
such a difference, corrected for the number of comparisons (Holm), and sentences about those that hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from ritual_dsl.diagnostics.human import count
from ritual_dsl.simulation.figures import ENOUGH, Figure, chance_of
from ritual_dsl.simulation.series import Series

LEVEL = 0.05


@dataclass(frozen=True)
class Comparison:
    """Two figures: of two series, or of two keys within one series."""

    where: str
    measure: str
    key: str  # of which both are; "" where there is none, and where two keys are compared
    first: str
    second: str
    a: Figure
    b: Figure
    is_share: bool
    pairs: int = 1  # how many comparisons this one was picked from
    within: bool = False  # two keys of one series
    corrected: float = 1.0

    @property
    def label(self) -> str:
        return f"{self.measure} {self.key}".strip()

    @property
    def difference(self) -> float:
        return self.b.mean - self.a.mean

    @property
    def chance(self) -> float:
        """How likely a difference of this size is where there is none."""
        a, b = self.a.error, self.b.error
        error = a + b if self.within else math.hypot(a, b)  # keys of the same games may hang together
        if error == 0:
            return 0.0 if self.difference else 1.0
        return chance_of(self.difference / error, self.freedom)

    @property
    def freedom(self) -> float:
        """Degrees of freedom, as Welch and Satterthwaite have them."""
        parts = [(f.error**2, max(1.0, f.games - 1)) for f in (self.a, self.b)]
        if self.within:
            return min(freedom for _, freedom in parts)
        return sum(e2 for e2, _ in parts) ** 2 / sum(e2 * e2 / freedom for e2, freedom in parts)

    def to_json(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "measure": self.label,
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
    for one in {(s.name, s.seed, s.bots): s for s in series}.values():  # the same games twice say nothing new
        first = firsts.setdefault(one.players, one)
        if first is not one:
            found += between(first, one)
        found += within(one)
    return corrected(found)


def between(first: Series, second: Series) -> list[Comparison]:
    """The same measure and key in two games."""
    found = []
    others = second.figures()
    where, names = f"{first.players} players", (first.game.reference, second.game.reference)
    for name, one in first.figures().items():
        if name not in others:
            continue
        other = others[name]
        for key in one.figures | other.figures:
            a, b = one.get(key), other.get(key)
            if a is not None and b is not None and math.isfinite(a.error + b.error):
                found.append(Comparison(where, name, key, *names, a, b, one.is_share))
    return found


def within(series: Series) -> list[Comparison]:
    """The two keys of a measure that differ most clearly; those met in few games are left out."""
    found = []
    for name, measure in series.figures().items():
        if series.game.measures[name].value is None:
            continue
        known = {k: f for k, f in measure.figures.items() if k != "none" and f.games >= ENOUGH}
        ordered = sorted(known, key=lambda k: known[k].mean)
        pairs = [
            Comparison(series.name, name, "", low, high, known[low], known[high], measure.is_share, within=True)
            for low, high in combinations(ordered, 2)
        ]
        if pairs:
            clearest = min(pairs, key=lambda c: (c.chance, -c.difference))
            found.append(replace(clearest, pairs=len(pairs)))  # picked from many: each pair was a comparison
    return found


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
    """What holds: first of whole measures, then the clearest difference of each one that is split; the rest counted."""
    if not found:
        return []
    real = sorted((c for c in found if c.corrected < LEVEL), key=lambda c: (c.corrected, -abs(c.difference)))
    shown: dict[tuple[str, ...], Comparison] = {}
    for c in real:
        shown.setdefault((c.where, c.measure, "" if c.within else c.second), c)
    lines = [sentence(c) for c in sorted(shown.values(), key=lambda c: (c.within, c.key != "", c.corrected))]
    if len(real) > len(shown):
        lines.append(f"{count(len(real) - len(shown), 'more clear difference')} by key; --json lists all.")
    rest = len(found) - len(real)
    many = f"(corrected for {count(len(found), 'comparison')})"
    if not real:
        lines.append(f"No difference is more than chance {many}.")
    elif rest:
        others = "other difference" if rest == 1 else f"other {rest} differences"
        lines.append(f"The {others} may be chance {many}.")
    return lines


def sentence(c: Comparison) -> str:
    way = "higher" if c.difference > 0 else "lower"
    low, high = number(c.a.mean, c.is_share), number(c.b.mean, c.is_share)
    sure = "p < 0.001" if c.corrected < 0.001 else f"p = {c.corrected:.3f}"
    return f"{c.where}: {c.label} is {way} for {c.second} ({high}) than for {c.first} ({low}), {sure}."


def number(value: float, is_share: bool) -> str:
    """A figure with as many digits as one reads."""
    return f"{value * 100:.2f} %" if is_share else f"{value:.3f}"
