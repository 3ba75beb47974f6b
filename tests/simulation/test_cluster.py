"""A real cluster of two worker processes, one of which is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ritual_dsl import load
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.simulation import simulate
from ritual_dsl.simulation.batches import Batch, Interpreted, Sums
from ritual_dsl.simulation.cluster import Cluster, connect
from ritual_dsl.simulation.series import Series

GAME = "arkham_ritual"
MISSING = "the extra `dask` is not installed: no cluster is tested"
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason=MISSING)


@pytest.fixture
def cluster(tmp_path: Path) -> Any:
    """The address of a scheduler, its two workers and itself, each a process of its own."""
    file = tmp_path / "scheduler.json"
    env = {**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"}
    python, started = [sys.executable, "-m"], []

    def start(module: str, *words: str) -> subprocess.Popen[bytes]:
        command = [*python, "distributed.cli." + module, "--scheduler-file", str(file), *words]
        started.append(subprocess.Popen(command, env=env, cwd=tmp_path, stderr=subprocess.DEVNULL))
        return started[-1]

    scheduler = start("dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard")
    workers = [start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
    end = time.monotonic() + 60
    while not (file.exists() and file.stat().st_size) and time.monotonic() < end:
        time.sleep(0.1)
    yield json.loads(file.read_text(encoding="utf-8"))["address"], workers, scheduler
    for process in started:
        process.kill()
        process.wait()


@needs_dask
def test_a_worker_killed_in_the_middle(cluster: Any) -> None:
    """Each batch comes back once, with the sums of one machine; the command gives the same figures too."""
    address, workers, _ = cluster
    game = load(GAME)
    client = connect(f"dask:{address}")
    client.wait_for_workers(2, timeout=60)
    many = Cluster(client, [Series(game, 3, 9, "random", "compiled")])
    assert many.count == 2
    seen: list[Batch] = []
    added = Sums()
    for batch, sums in many.results([Batch(0, first, 2000) for first in range(0, 24_000, 2000)]):
        if len(seen) == 1:
            os.kill(workers[0].pid, signal.SIGKILL)
        seen.append(batch)
        added += sums
    assert many.threads() == 1
    many.close()
    assert sorted(b.first for b in seen) == list(range(0, 24_000, 2000))
    here = simulate([GAME], games=24_000, players=3, seed=9, workers=1, engine="compiled").series[0].sums
    assert (added.games, added.decisions, added.totals) == (here.games, here.decisions, here.totals)
    there = simulate([GAME], games=24_000, players=3, seed=9, engine="compiled", on=f"dask:{address}").series[0].sums
    assert (there.games, there.decisions, there.totals) == (here.games, here.decisions, here.totals)


@needs_dask
def test_no_worker_left(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played before is kept."""
    address, workers, _ = cluster
    monkeypatch.setattr("ritual_dsl.simulation.cluster.PATIENCE", 2.0)
    client = connect(f"dask:{address}")
    client.wait_for_workers(2, timeout=60)
    many = Cluster(client, [Series(load(GAME), 3, 9, "random", "compiled")])
    added = Sums()
    with pytest.raises(RitualError) as error:
        for _, sums in many.results([Batch(0, first, 1000) for first in range(0, 500_000, 1000)]):
            added += sums
            for worker in workers:
                worker.kill()
    many.close()
    assert [d.code for d in error.value.diagnostics] == ["RIT696"]
    whole = Interpreted(load(GAME), 3, 9)
    assert added.games >= 1000 and whole.play(0, 1).games == 1


@needs_dask
def test_a_scheduler_killed_in_the_middle(cluster: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """One short message, and nothing of the library's own."""
    address, _, scheduler = cluster
    client = connect(f"dask:{address}")
    client.wait_for_workers(2, timeout=60)
    many = Cluster(client, [Series(load(GAME), 3, 9, "random", "compiled")])
    with pytest.raises(RitualError) as error:
        for _ in many.results([Batch(0, first, 1000) for first in range(0, 500_000, 1000)]):
            scheduler.kill()
    many.close()
    assert [d.message for d in error.value.diagnostics] == ["the cluster is gone"]
    assert capfd.readouterr().err == ""


@needs_dask
def test_no_worker_at_all(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    address, workers, _ = cluster
    monkeypatch.setattr("ritual_dsl.simulation.cluster.PATIENCE", 1.0)
    client = connect(f"dask:{address}")
    for worker in workers:
        worker.kill()
        worker.wait()
    while client.ncores():
        time.sleep(0.1)
    many = Cluster(client, [Series(load(GAME), 3, 9, "random", "compiled")])
    with pytest.raises(RitualError) as error:
        list(many.results([Batch(0, 0, 10)]))
    many.close()
    assert [d.message for d in error.value.diagnostics] == ["the cluster has no worker"]


@needs_dask
def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("ritual_dsl.simulation.cluster.CONNECT_SECONDS", 0.5)
    assert main(["simulate", GAME, "--games", "5", "--on", "dask:127.0.0.1:9"]) == 1
    assert "RIT705" in capsys.readouterr().err


@pytest.mark.parametrize("on", ["dask:", "10.0.0.7", "spark:10.0.0.7"])
def test_what_is_no_cluster(on: str) -> None:
    with pytest.raises(RitualError) as error:
        simulate([GAME], games=5, on=on)
    assert [d.code for d in error.value.diagnostics] == ["RIT705"]


def test_the_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RitualError) as error:
        simulate([GAME], games=5, on="dask:127.0.0.1:8786")
    assert [d.code for d in error.value.diagnostics] == ["RIT697"]
