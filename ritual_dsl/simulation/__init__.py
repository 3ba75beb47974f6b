"""Simulation: many games, counted as the rules declare.

In: game references and what to play. Out: `Simulation`: the series with their figures, complete or as
far as they came. The same seed gives the same figures whatever the number of workers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.checks import load_game
from ritual_dsl.diagnostics import Diagnostic, RitualError, fail, has_errors, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.simulation.batches import Batch, Sums
from ritual_dsl.simulation.cluster import Cluster, connect
from ritual_dsl.simulation.compiled import best_player
from ritual_dsl.simulation.series import (
    DEFAULT_GAMES,
    ENGINES,
    MOST_GAMES,
    MOST_UNTIL,
    Series,
    Target,
    read_bots,
    read_count,
    read_players,
    read_target,
)
from ritual_dsl.simulation.workers import InProcess, Pool, Workers

MOST_WORKERS = 256
PROBE = 20  # games played first, to see how long one takes
PROBE_SECONDS = 0.02  # a batch that takes so long tells enough
BATCH_SECONDS = 0.5
LEAST_SECONDS = 0.1  # so that handing a batch over, some 2 ms with a cluster, weighs little
FIRST_LOOK = 1000  # games after which `until` looks first; then after twice as many, and so on
QUICK = 2.0  # seconds below which no other process is worth starting

Progress = Callable[[int, int | None], None]


@dataclass
class Simulation:
    series: list[Series]
    target: Target | None = None
    interrupted: bool = False
    notes: list[Diagnostic] = field(default_factory=list)


def simulate(
    references: Sequence[str],
    *,
    games: int | None = None,
    players: str | int | None = None,
    seed: int = 0,
    bots: str = "random",
    workers: int | None = None,
    until: str | None = None,
    engine: str = "auto",
    on: str | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play many games of each reference and count what its rules declare."""
    if engine not in ENGINES:
        raise fail("RIT694", f"there is no engine `{engine[:40]}`", help=near_miss(engine, ENGINES) or listing(ENGINES))
    loaded = [load_game(reference) for reference in references]
    for game in loaded:
        if not game.measures:
            raise fail("RIT695", f"{game.reference} declares no measure", help="write `measure NAME: each …`")
    target = read_target(until, loaded)
    wanted = read_count(games, "games", MOST_UNTIL if target else DEFAULT_GAMES, MOST_GAMES)
    count = read_count(workers, "workers", os.cpu_count() or 1, MOST_WORKERS)
    series = [
        Series(game, number, seed, read_bots(bots, number))
        for game in loaded
        for number in read_players(None if players is None else str(players), game)
    ]
    client = connect(on) if on is not None else None
    return _Simulator(Simulation(series, target), wanted, count, engine, client, progress).run()


def never_sampled(series: Series) -> Iterator[Diagnostic]:
    for name, measure in series.figures().items():
        if not measure.figures:
            message = f"`{name}` has no sample in {series.sums.games:,} games of {series.name}"
            yield Diagnostic("RIT693", message, series.game.measures[name].span)


def not_playable(series: Series) -> Iterator[Diagnostic]:
    if series.sums.fault is not None:
        stream, found = series.sums.fault
        yield Diagnostic("RIT698", f"game {stream} of {series.name} could not be played")
        yield from found


class _Simulator:
    def __init__(
        self, simulation: Simulation, games: int, workers: int, engine: str, client: Any, progress: Progress | None
    ) -> None:
        self.simulation = simulation
        self.series = simulation.series
        self.games = games
        self.workers = workers
        self.engine = engine
        self.client = client
        self.progress = progress or (lambda done, wanted: None)
        self.sizes: list[int] = []
        self.waiting: list[dict[int, Sums]] = [{} for _ in self.series]  # that came before the batches in front of them

    def run(self) -> Simulation:
        notes = self.simulation.notes
        players = [best_player(s.game, s.players, s.seed, self.engine, self.games, notes) for s in self.series]
        for series, player in zip(self.series, players, strict=True):
            series.engine = player.engine
        workers: Workers = InProcess(players)
        try:
            self.probe(workers)
            if self.client is not None:
                workers = Cluster(self.client, self.series)
                self.workers = workers.count
            elif self.workers > 1 and self.seconds_left() > QUICK:
                workers = Pool(self.series, self.workers, players)
            for goal in self.goals():
                self.play(workers, goal)
        except KeyboardInterrupt:
            self.simulation.interrupted = True
            self.add_waiting()
        except RitualError as error:
            self.simulation.notes += error.diagnostics
            self.add_waiting()
        finally:
            workers.close()
        self.simulation.notes += [note for series in self.series for note in not_playable(series)]
        self.simulation.notes += [note for series in self.series for note in never_sampled(series)]
        if not self.simulation.interrupted and not has_errors(self.simulation.notes):
            self.simulation.notes += self.not_exact()
        return self.simulation

    def not_exact(self) -> Iterator[Diagnostic]:
        target = self.simulation.target
        for series in self.series:
            if target is not None and not target.reached(series):
                message = f"{series.name}: after {series.sums.games:,} games not all intervals are that small"
                yield Diagnostic("RIT706", message, help="more --games, or one measure: --until MEASURE=P%")

    def probe(self, workers: Workers) -> None:
        """The first games of each series, to know how many make a batch."""
        for number in range(len(self.series)):
            first, count, seconds = 0, PROBE, 0.0
            goal = FIRST_LOOK if self.simulation.target is not None else self.games
            goal = min(goal, self.games)
            while first < goal and seconds < PROBE_SECONDS and self.series[number].sums.fault is None:
                count = min(count, goal - first)
                start = time.perf_counter()
                self.take(workers, [Batch(number, first, count)])
                seconds = time.perf_counter() - start
                rate = count / max(1e-9, seconds)
                first, count = first + count, count * 10
            self.sizes.append(max(1, min(int(rate * BATCH_SECONDS), 1_000_000)))

    def seconds_left(self) -> float:
        goal = self.games if self.simulation.target is None else FIRST_LOOK
        left = [max(0, goal - series.sums.games) for series in self.series]
        return sum(games * BATCH_SECONDS / size for games, size in zip(left, self.sizes, strict=True))

    def goals(self) -> Iterator[int]:
        """Numbers of games after which to look whether enough is known."""
        target = self.simulation.target
        goal = FIRST_LOOK if target else self.games
        while True:
            yield min(goal, self.games)
            going = [series for series in self.series if series.sums.fault is None]
            reached = target is not None and all(target.reached(series) for series in going)
            if reached or goal >= self.games or not going:
                return
            goal *= 2

    def play(self, workers: Workers, goal: int) -> None:
        self.take(workers, self.batches(goal))

    def batches(self, goal: int) -> list[Batch]:
        """What is left up to a number of games; the series take turns."""
        planned: list[tuple[int, Batch]] = []
        for number, (series, size) in enumerate(zip(self.series, self.sizes, strict=True)):
            least = int(size * LEAST_SECONDS / BATCH_SECONDS)
            firsts = range(series.sums.games, goal, max(1, least, min(size, -(-goal // (4 * self.workers)))))
            planned += [(i, Batch(number, first, min(firsts.step, goal - first))) for i, first in enumerate(firsts)]
        return [batch for _, batch in sorted(planned)]

    def take(self, workers: Workers, batches: list[Batch]) -> None:
        """Adds batches up in their order, so that of a series with a fault exactly the games before it count."""
        begun = time.perf_counter()
        wanted = (batch for batch in batches if self.series[batch.series].sums.fault is None)
        for batch, sums in workers.results(wanted):
            series, waiting = self.series[batch.series], self.waiting[batch.series]
            waiting[batch.first] = sums
            while series.sums.fault is None and series.sums.games in waiting:
                series.sums += waiting.pop(series.sums.games)
            now = time.perf_counter()
            series.seconds += now - begun
            begun = now
            self.progress(sum(s.sums.games for s in self.series), self.expected())

    def add_waiting(self) -> None:
        """What was played is not lost when the rest is never played."""
        for series, waiting in zip(self.series, self.waiting, strict=True):
            for sums in waiting.values():
                if series.sums.fault is None and sums.fault is None:
                    series.sums += sums

    def expected(self) -> int | None:
        return None if self.simulation.target else self.games * len(self.series)
