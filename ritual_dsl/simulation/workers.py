"""Workers: processes that play batches, none of which is lost or counted twice.

In: series and batches. Out: each batch with its sums, in the order in which they are done.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Protocol

from ritual_dsl.diagnostics import fail
from ritual_dsl.simulation.batches import Batch, Sums
from ritual_dsl.simulation.compiled import best_player
from ritual_dsl.simulation.series import Player, Series

MOST_LOSSES = 3  # times that dead workers are replaced


class Workers(Protocol):
    """Whoever plays batches."""

    count: int

    def results(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Sums]]: ...

    def close(self) -> None: ...


class InProcess:
    """Plays in this process, one batch after the other."""

    count = 1

    def __init__(self, players: list[Player]) -> None:
        self.players = players

    def results(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Sums]]:
        for batch in batches:
            yield batch, self.players[batch.series].play(batch.first, batch.count)

    def close(self) -> None:
        pass


_PLAYERS: list[Player] = []  # of a worker process: made once, when it starts


def start_worker(series: list[Series], players: list[Player]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the work
    _PLAYERS[:] = players or [best_player(s.game, s.players, s.seed, s.engine, 0, []) for s in series]


def work(batch: Batch) -> Sums:
    return _PLAYERS[batch.series].play(batch.first, batch.count)


class Pool:
    """Plays in several processes; a batch whose worker died is played again."""

    def __init__(self, series: list[Series], count: int, players: list[Player] | None = None) -> None:
        self.series = series
        self.players = players or []
        self.count = count
        self.losses = 0
        self.pool = self.open()

    def open(self) -> ProcessPoolExecutor:
        bare = [Series(s.game, s.players, s.seed, s.bots, s.engine) for s in self.series]
        if hasattr(os, "fork"):  # a copy of this process has the players already
            return ProcessPoolExecutor(self.count, get_context("fork"), start_worker, (bare, self.players))
        return ProcessPoolExecutor(self.count, get_context("spawn"), start_worker, (bare, []))

    def results(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Sums]]:
        left = iter(batches)
        running: dict[Future[Sums], Batch] = {}
        again: list[Batch] = []
        while True:
            while len(running) < self.count * 2:
                batch = again.pop() if again else next(left, None)
                if batch is None:
                    break
                try:
                    running[self.pool.submit(work, batch)] = batch
                except BrokenProcessPool:
                    again.append(batch)
                    self.replace()
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                batch = running.pop(future)
                try:
                    yield batch, future.result()
                except BrokenProcessPool:
                    again += [batch, *running.values()]
                    running.clear()
                    self.replace()
                    break

    def replace(self) -> None:
        self.losses += 1
        self.pool.shutdown(wait=False, cancel_futures=True)
        if self.losses > MOST_LOSSES:
            raise fail("RIT696", f"worker processes died {self.losses} times", help="try fewer --workers")
        self.pool = self.open()

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
