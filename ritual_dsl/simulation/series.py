"""A series: many games of one kind, and what is asked of a whole simulation.

In: what a caller wants. Out: checked values, and the player of batches that fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

from ritual_dsl.diagnostics import fail, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.measures import Rows, layout
from ritual_dsl.model.game import Game
from ritual_dsl.simulation.batches import Sums
from ritual_dsl.simulation.figures import MeasureFigures, figures

BOTS = ("random",)
ENGINES = ("auto", "interpreter", "compiled", "numba")
MOST_GAMES = 1 << 32  # beyond, the streams of the bots would be met
DEFAULT_GAMES = 1000
MOST_UNTIL = 10_000_000
RARE = 0.01  # keys with a smaller part of the samples need no small interval


class Player(Protocol):
    """Plays batches of one series."""

    engine: str

    def play(self, first: int, count: int) -> Sums: ...


@dataclass
class Series:
    """Games of one reference with one number of players, and their sums so far."""

    game: Game
    players: int
    seed: int
    bots: str
    engine: str = "interpreter"
    seconds: float = 0.0
    sums: Sums = field(default_factory=Sums)

    @property
    def rows(self) -> list[Rows]:
        return layout(self.game, self.players)

    @property
    def name(self) -> str:
        return f"{self.game.reference}, {self.players} players"

    def figures(self) -> dict[str, MeasureFigures]:
        return figures(self.rows, self.sums.totals) if self.sums.games else {}


@dataclass(frozen=True)
class Target:
    """How small half an interval has to be: a share of the mean, or, of a share, this many points."""

    measure: str | None
    width: float

    def reached(self, series: Series) -> bool:
        found = series.figures()
        wanted = [found[self.measure]] if self.measure is not None else list(found.values())
        return bool(found) and all(self.reached_by(measure) for measure in wanted)

    def reached_by(self, measure: MeasureFigures) -> bool:
        return all(
            figure.half_width <= (self.width if measure.is_share else self.width * abs(figure.mean))
            for figure in measure.figures.values()
            if figure.samples >= RARE * measure.samples
        )


def read_players(text: str | None, game: Game) -> list[int]:
    """`5`, or `3-7`, or as the rules write it, `3..7`."""
    low, high = game.players
    if text is None:
        return [min(max(5, low), high)]
    match = re.fullmatch(r"([0-9]{1,3})(?:(?:-|\.\.)([0-9]{1,3}))?", text)
    if match is None:
        raise fail("RIT694", f"`{text[:20]}` is no number of players", help="write 5, or 3-7")
    first = int(match[1])
    last = int(match[2]) if match[2] else first
    if first > last:
        raise fail("RIT694", f"the range {text} runs backwards", help=f"write {last}-{first}")
    if not low <= first <= last <= high:
        raise fail("RIT694", f"{game.reference} is for {low} to {high} players, not {text}")
    return list(range(first, last + 1))


def read_bots(text: str, players: int) -> str:
    """One kind of bot for all seats, or one for each, with commas."""
    kinds = text.split(",")
    for kind in kinds:
        if kind not in BOTS:
            hint = near_miss(kind, BOTS) or f"bots: {listing(BOTS)}"
            raise fail("RIT694", f"there is no bot `{kind[:40]}`", help=hint)
    if len(kinds) not in (1, players):
        raise fail("RIT694", f"{len(kinds)} bots for {players} players", help="name one bot, or one for each player")
    return text


def read_target(text: str | None, games: list[Game]) -> Target | None:
    """`0.2%`, or `MEASURE=0.2%`."""
    if text is None:
        return None
    name, equals, width = text.rpartition("=")
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)%", width)
    if match is None or not float(match[1]):
        raise fail("RIT694", f"`{text[:40]}` is no size of an interval", help="write 0.2%, or MEASURE=0.2%")
    for game in games if equals else ():
        if name not in game.measures:
            hint = near_miss(name, game.measures) or f"measures: {listing(game.measures)}"
            raise fail("RIT695", f"{game.reference} declares no measure `{name[:40]}`", help=hint)
    return Target(name if equals else None, float(match[1]) / 100)


def read_count(number: int | None, what: str, default: int, most: int) -> int:
    if number is None:
        return default
    if not 1 <= number <= most:
        raise fail("RIT694", f"{what}: {number}; from 1 to {most:,} are possible")
    return number
