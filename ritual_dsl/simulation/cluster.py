"""A cluster: the same batches on other machines, through dask.distributed, an extra.

In: series and batches. Out: each batch with its sums, once. A batch whose worker was lost is played again elsewhere;
a batch is the same wherever it is played, so the figures are those of one machine.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import time
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from threading import Lock
from typing import Any

from ritual_dsl.compiler.fast import available
from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.simulation.batches import Batch, Sums
from ritual_dsl.simulation.compiled import best_player
from ritual_dsl.simulation.series import Player, Series
from ritual_dsl.simulation.workers import MOST_LOSSES

PREFIX = "dask:"
CONNECT_SECONDS = 10
PATIENCE = 60.0  # seconds without any worker before the simulation ends with what it has
FETCH_SECONDS = 10  # for the sums of a batch that is done
AHEAD = 2  # batches for each thread that wait at the cluster, so that none stands idle
MOST_PLAYERS = 32  # that a worker keeps

_PLAYERS: dict[str, Player] = {}  # of a worker process, by what they play
_LOCK = Lock()  # a player works on arrays of its own, so threads of one process take turns


def play_batch(series: bytes, key: str, first: int, count: int) -> Sums:
    """On a worker: a batch of a series that was sent along; what is made for it is kept for the next."""
    with _LOCK:
        if key not in _PLAYERS:
            if len(_PLAYERS) >= MOST_PLAYERS:
                _PLAYERS.clear()
            s: Series = pickle.loads(zlib.decompress(series))
            engine = "compiled" if s.engine == "numba" and not available() else s.engine
            _PLAYERS[key] = best_player(s.game, s.players, s.seed, engine, 0, [])
        return _PLAYERS[key].play(first, count)


def connect(on: str) -> Any:
    """A client of the cluster at `dask:ADDRESS`."""
    if not on.startswith(PREFIX) or on == PREFIX:
        raise fail("RIT705", f"`{on[:60]}` is no cluster", help="write dask:HOST:PORT, the address of its scheduler")
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise fail("RIT697", "a cluster needs an extra", help="pip install 'ritual-dsl[dask]'") from error
    silence()
    try:
        return distributed.Client(on.removeprefix(PREFIX), timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # its time-outs are errors of the system
        message = f"there is no scheduler at {on.removeprefix(PREFIX)}"
        raise fail("RIT705", message, help="start one with `dask scheduler`, and workers with `dask worker`") from error


def silence() -> None:
    """Keep the library from writing of its own troubles; what matters of them is said here."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


class Cluster:
    """Plays on the workers of a dask cluster."""

    def __init__(self, client: Any, series: list[Series]) -> None:
        self.client = client
        self.distributed = import_module("distributed")
        self.sent = [packed(s) for s in series]
        threads = self.threads()
        self.count = max(1, threads)
        self.had_workers = threads > 0
        self.losses = 0

    def threads(self) -> int:
        return sum(self.client.ncores().values())

    def still_there(self) -> None:
        if self.client.status != "running":
            raise fail("RIT696", "the cluster is gone", help="the results so far are kept")

    def submit(self, batch: Batch) -> Any:
        self.still_there()
        data, key = self.sent[batch.series]
        return self.client.submit(play_batch, data, key, batch.first, batch.count, pure=False, retries=MOST_LOSSES)

    def results(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Sums]]:
        left = iter(batches)
        running: dict[Any, Batch] = {}
        try:
            while True:
                while len(running) < self.count * AHEAD and (batch := next(left, None)) is not None:
                    running[self.submit(batch)] = batch
                if not running:
                    return
                for future in self.done(list(running)):
                    batch = running.pop(future)
                    sums = self.result(future)
                    if sums is None:
                        running[self.submit(batch)] = batch
                    else:
                        yield batch, sums
        finally:
            if self.client.status == "running":
                self.client.cancel(list(running), force=True)

    def done(self, futures: list[Any]) -> list[Any]:
        """Those that are over, one way or the other; an error when no worker has been there for a while."""
        alone_since: float | None = None
        while True:
            with suppress(TimeoutError, CancelledError), self.client.as_current():
                return list(self.distributed.wait(futures, timeout=1, return_when="FIRST_COMPLETED").done)
            self.still_there()
            if gone := [future for future in futures if future.cancelled()]:
                return gone
            if self.threads():
                alone_since, self.had_workers = None, True
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > PATIENCE:
                message = "the cluster has no worker left" if self.had_workers else "the cluster has no worker"
                raise fail("RIT696", message, help="the results so far are kept; start one with `dask worker`")

    def result(self, future: Any) -> Sums | None:
        """The sums; None if the batch has to be played again."""
        try:
            sums: Sums = future.result(timeout=FETCH_SECONDS)
            return sums
        except TimeoutError:  # it was lost together with its worker, after it was done
            return None
        except RitualError:
            raise
        except Exception as error:  # whatever the cluster, or what is installed there, went wrong with
            self.still_there()
            self.losses += 1
            if self.losses > MOST_LOSSES:
                reason = f"{type(error).__name__}: {error}"[:200]
                raise fail("RIT696", f"the cluster failed {self.losses} times; the last: {reason}") from error
            return None

    def close(self) -> None:
        self.client.close(timeout=2)


def packed(series: Series) -> tuple[bytes, str]:
    """A series without its sums, to be sent along with each batch, and what to know it by."""
    bare = Series(series.game, series.players, series.seed, series.bots, series.engine)
    data = zlib.compress(pickle.dumps(bare))
    return data, hashlib.sha256(data).hexdigest()
