"""Simulations: what is counted, how sure it is, and that it does not matter who plays which game."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ritual_dsl import load
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine import Run
from ritual_dsl.engine.measures import layout
from ritual_dsl.plots import svg
from ritual_dsl.simulation import Simulation, simulate
from ritual_dsl.simulation.batches import Batch, Interpreted, Sums
from ritual_dsl.simulation.figures import figure, figures
from ritual_dsl.simulation.report import as_csv, as_json, panels, table
from ritual_dsl.simulation.series import Series
from ritual_dsl.simulation.verdict import compare, sentences
from ritual_dsl.simulation.workers import Pool

GAME = "arkham_ritual"
NAMES = {
    "rounds_per_game",
    "turns_per_round",
    "round_ended",
    "survival",
    "no_winner",
    "wins_by_seat",
    "sanity_lost_per_round",
}


def overlay(tmp_path: Path, rules: str, name: str = "house") -> str:
    path = tmp_path / f"{name}.yaml"
    body = "".join(f"  {line}\n" for line in rules.splitlines())
    path.write_text(f"extends: {GAME}\nid: {name}\nrules: |\n{body}", encoding="utf-8")
    return str(path)


def code_of(error: pytest.ExceptionInfo[RitualError]) -> list[str]:
    return [d.code for d in error.value.diagnostics]


def test_the_measures_count_what_happened() -> None:
    """Against the log of the same games, read by hand."""
    game = load(GAME)
    rounds = turns = lost = nobody = 0
    ended: dict[str, int] = {}
    for stream in range(40):
        run = Run(game, 4, seed=5, stream=stream).start()
        while not run.finished:
            run.answer(run.random_answer())
        before = dict.fromkeys(range(4), 7)
        for event in run.state.log:
            if event.kind == "gathered":
                rounds += 1
            elif event.kind == "moved" and event.public[2] == "offer" and event.public[0] == "deck":
                turns += 1
            elif event.kind == "ended":
                ended[event.public[1]] = ended.get(event.public[1], 0) + 1
            elif event.kind == "changed" and event.public[0] == "sanity":
                _, who, now = event.public
                lost += max(0, before[who] - now)
                before[who] = now
        nobody += not run.winners()
    sums = Interpreted(game, 4, 5).play(0, 40)
    found = figures(layout(game, 4), sums.totals, sums.games)
    assert found["rounds_per_game"].figures[""].mean == rounds / 40
    assert found["turns_per_round"].figures[""].mean == turns / rounds
    assert found["sanity_lost_per_round"].figures[""].mean == lost / rounds
    assert found["no_winner"].figures[""].mean == nobody / 40
    assert {k: f.mean for k, f in found["round_ended"].figures.items()} == {k: n / rounds for k, n in ended.items()}
    lengths = found["game_length"].figures
    assert math.isclose(sum(f.mean for f in lengths.values()), 1)


def test_survival_and_seats() -> None:
    done = simulate([GAME], games=300, players=5, seed=3)
    found = done.series[0].figures()
    assert found.keys() >= NAMES
    survival = found["survival"].figures
    assert survival["cultist"].mean == 0  # sane, and in play whenever it is held
    assert survival["gate_1"].mean > survival["tome_cursed"].mean
    assert list(found["wins_by_seat"].figures) == ["1", "2", "3", "4", "5"]


def test_intervals_allow_for_games_that_hang_together() -> None:
    """Two samples a game that are always equal count as one."""
    shares = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    single = figure((10, 6, 10, 6, 6, 6), 10, True)
    double = figure((20, 12, 40, 24, 24, 12), 10, True)
    mean = sum(shares) / 10
    assert single.mean == double.mean == mean
    assert math.isclose(single.error, math.sqrt(mean * (1 - mean) / 9))
    assert math.isclose(single.error, double.error)
    assert math.isclose(single.low, double.low)


def test_an_interval_of_a_share_stays_within_0_and_1() -> None:
    never = figure((50, 0, 50, 0, 0, 0), 50, True)
    assert never.low == 0
    assert 0 < never.high < 0.1


def test_workers_do_not_change_the_figures() -> None:
    game = load(GAME)
    whole = Interpreted(game, 3, 9).play(0, 60)
    series = [Series(game, 3, 9, "random")]
    pool = Pool(series, 2)
    parts = dict(pool.results([Batch(0, first, 15) for first in range(0, 60, 15)]))
    pool.close()
    added = Sums()
    for part in reversed(list(parts.values())):
        added += part
    assert (added.games, added.decisions, added.totals) == (60, whole.decisions, whole.totals)


def test_a_worker_that_dies_is_replaced_and_nothing_counts_twice() -> None:
    game = load(GAME)
    whole = Interpreted(game, 3, 9).play(0, 120)
    pool = Pool([Series(game, 3, 9, "random")], 2)
    seen: list[Batch] = []
    added = Sums()
    for batch, sums in pool.results([Batch(0, first, 20) for first in range(0, 120, 20)]):
        if not seen:
            victim = next(iter(pool.pool._processes))
            os.kill(victim, signal.SIGKILL)
        seen.append(batch)
        added += sums
    pool.close()
    assert sorted(b.first for b in seen) == [0, 20, 40, 60, 80, 100]
    assert (added.games, added.totals) == (120, whole.totals)
    assert pool.losses == 1


def test_until_looks_at_fixed_numbers_of_games() -> None:
    done = simulate([GAME], until="rounds_per_game=10%", players=3, seed=1, workers=1, games=4000)
    assert done.series[0].sums.games == 1000
    assert done.target is not None
    assert done.target.reached(done.series[0])


def test_a_measure_of_an_overlay(tmp_path: Path) -> None:
    house = overlay(tmp_path, "measure least: each game, lowest sanity[p] of p in players")
    done = simulate([house], games=50, players=3)
    found = done.series[0].figures()["least"].figures[""]
    assert found.mean == 0  # the game ends when somebody has none left
    assert found.samples == 50


def test_side_by_side_and_the_verdict(tmp_path: Path) -> None:
    same = overlay(tmp_path, "measure other: each game, 1")
    done = simulate([GAME, same, f"{GAME}+doom_track"], games=150, players="3..4", seed=2)
    assert [(s.game.reference, s.players) for s in done.series] == [
        (reference, n) for reference in (GAME, same, f"{GAME}+doom_track") for n in (3, 4)
    ]
    comparisons = compare(done.series)
    twins = [c for c in comparisons if c.second == same]
    assert twins
    assert all(c.difference == 0 and c.corrected == 1 for c in twins)  # the same games, seed for seed
    longer = [c for c in comparisons if c.second.endswith("doom_track") and c.measure == "sanity_lost_per_round"]
    assert len(longer) == 2
    assert all(c.corrected >= c.chance for c in comparisons)
    assert any("may be chance" in line or "more than chance" in line for line in sentences(comparisons))
    text = table(done)
    assert "[6]" in text
    data = json.loads(as_json(done))
    assert len(data["results"]) == 6
    assert {"measure", "difference", "p", "differs"} <= set(data["differences"][0])


def test_json_is_as_promised() -> None:
    done = simulate([GAME], games=30, players=5, seed=4)
    data = json.loads(as_json(done))
    head = {"game", "players", "games", "seed", "bots", "engine", "seconds", "games_per_second", "decisions_per_second"}
    assert set(data) == {*head, "measures"}
    assert set(data["measures"]["rounds_per_game"]) == {"mean", "sd", "ci95"}
    assert set(data["measures"]["round_ended"]) == {"share"}
    one = next(iter(data["measures"]["survival"]["share"].values()))
    assert set(one) == {"mean", "ci95"}
    rows = list(csv.DictReader(io.StringIO(as_csv(done))))
    assert {row["measure"] for row in rows} >= NAMES


def test_plots_name_every_measure(tmp_path: Path) -> None:
    done = simulate([GAME], games=30, players=5)
    image = svg(panels(done))
    for name in ("game_length", "survival", "sanity_by_round", "wins_by_seat"):
        assert f">{name}<" in image
    odd = Simulation([Series(load(GAME), 5, 0, "random")])
    assert panels(odd) == []


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("measure x: each rond, runs of turn", "RIT691"),
        ("measure x: each round, losses of sanety", "RIT691"),
        ("measure x: each round, active", "RIT690"),
        ("measure x: each round, by raised", "RIT690"),
        ("measure x: each round, 1 by number of deck", "RIT690"),
        ("measure x: each round, 1 by ended clockwise from active", "RIT690"),
        ("measure x: each round, losses of sanity by gains of sanity", "RIT690"),
        ("measure survival: each round, runs of turn", "RIT330"),
        ("measure x: each turn, 10 mod 0", "RIT354"),
        ("measure x: each game, each p in players where sanity[p] mod (2 - 2) = 0, 1", "RIT354"),
    ],
)
def test_measures_that_are_refused(tmp_path: Path, rules: str, code: str) -> None:
    with pytest.raises(RitualError) as error:
        load(overlay(tmp_path, rules))
    assert code in code_of(error)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"games": 0}, "RIT694"),
        ({"bots": "clever"}, "RIT694"),
        ({"bots": "random,random"}, "RIT694"),
        ({"players": "9"}, "RIT694"),
        ({"players": "5-3"}, "RIT694"),
        ({"players": "five"}, "RIT694"),
        ({"workers": 0}, "RIT694"),
        ({"until": "soon"}, "RIT694"),
        ({"until": "lenght=1%"}, "RIT695"),
        ({"engine": "steam"}, "RIT694"),
    ],
)
def test_what_cannot_be_simulated(options: dict[str, object], code: str) -> None:
    with pytest.raises(RitualError) as error:
        simulate([GAME], **options)  # type: ignore[arg-type]
    assert code_of(error) == [code]


def test_a_measure_that_divides_by_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It stops there, says where, and shows what was counted before."""
    house = overlay(tmp_path, "measure odd: each turn, 10 mod (number of deck)")
    assert main(["simulate", house, "--games", "200", "--players", "5", "--workers", "1"]) == 1
    out, err = capsys.readouterr()
    assert "rounds_per_game" in out
    assert "RIT698" in err and "RIT504" in err
    assert "number of deck" in err


def test_a_measure_without_a_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = overlay(tmp_path, "measure none_at_all: each game, each p in players where false, sanity[p]")
    assert main(["simulate", house, "--games", "5"]) == 0
    out, err = capsys.readouterr()
    assert "no sample" in out
    assert "RIT693" in err


def test_a_measure_too_large(tmp_path: Path) -> None:
    house = overlay(tmp_path, "measure huge: each turn, 999999")
    notes = simulate([house], games=5).notes
    assert "RIT692" in [d.code for d in notes]


def test_ctrl_c_shows_the_results_so_far(tmp_path: Path) -> None:
    words = ["simulate", GAME, "--games", "100000000", "--json", "--engine", "compiled"]
    command = [sys.executable, "-m", "ritual_dsl", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["games"] > 0
    assert "results so far" in err


@pytest.mark.parametrize("engine", ["interpreter", "compiled"])
@pytest.mark.parametrize("workers", [1, 2])
def test_of_a_game_with_a_fault_exactly_the_games_before_it_count(
    engine: str, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays it; and the other games are played to the end."""
    monkeypatch.setattr("ritual_dsl.simulation.QUICK", 0.0)  # so that several workers are worth it
    path = tmp_path / "ratio.yaml"
    rules = "measure ratio: each game, 10 mod (number of p in players where sanity[p] > 0)"
    path.write_text(f"extends: {GAME}\nid: ratio\nrules: |\n  {rules}\n", encoding="utf-8")
    done = simulate([str(path), GAME], games=150, players=5, engine=engine, workers=workers)
    faulty, whole = done.series
    assert [d.code for d in done.notes] == ["RIT698", "RIT504"]
    assert whole.sums.games == 150
    before = simulate([GAME], games=faulty.sums.games, players=5, engine=engine, workers=1).series[0].sums
    assert (faulty.sums.games, faulty.sums.decisions) == (37, before.decisions)
