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
from ritual_dsl.engine.measures import ROW, layout
from ritual_dsl.model.game import Game
from ritual_dsl.plots import svg
from ritual_dsl.simulation import Simulation, simulate
from ritual_dsl.simulation.batches import Batch, Interpreted, Sums
from ritual_dsl.simulation.compiled import Compiled
from ritual_dsl.simulation.figures import Figure, chance_of, figure, figures, t_quantile
from ritual_dsl.simulation.report import as_csv, as_json, cell, panels, table
from ritual_dsl.simulation.series import Player, Series, Target
from ritual_dsl.simulation.verdict import Comparison, between, compare, corrected, sentences
from ritual_dsl.simulation.workers import Pool

GAME = "arkham_ritual"
ALIKE = 300  # games of each of two series that are the same
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
    found = figures(layout(game, 4), sums.totals)
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
    single = figure((10, 6, 10, 6, 6, 6), True)
    double = figure((20, 12, 40, 24, 24, 12), True)
    mean = sum(shares) / 10
    assert single.mean == double.mean == mean
    assert math.isclose(single.error, double.error)
    assert math.isclose(single.low, double.low)


def test_an_interval_of_a_share_stays_within_0_and_1() -> None:
    never = figure((50, 0, 50, 0, 0, 0), True)
    assert never.low == 0
    assert 0 < never.high < 0.1


def test_an_interval_of_a_key_that_is_met_in_few_games() -> None:
    """Three games of a thousand have it: 2, 4 and 6."""
    rare = figure((3, 12, 3, 12, 56, 56), False)
    assert math.isclose(rare.error, 2 / math.sqrt(3))
    assert rare.high - rare.mean >= 4.303 * rare.error  # Student's t with two degrees of freedom
    assert figure((29, 58, 29, 58, 116, 116), False).interval is None  # always 2: nothing is known of the spread
    assert figure((30, 60, 30, 60, 120, 120), False).interval == [2, 2]
    assert figure((5, 10, 25, 50, 100, 20), False).interval is None  # one game


def test_t_quantile_is_close_and_safe() -> None:
    for freedom, t in ((2, 4.3027), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)):
        assert t < t_quantile(freedom) + 1e-4 < t * 1.05
        assert math.isclose(chance_of(t_quantile(freedom), freedom), 0.05)


def test_a_share_without_spread_has_an_error() -> None:
    never, always = figure((50, 0, 50, 0, 0, 0), True), figure((50, 50, 50, 50, 50, 50), True)
    assert math.isclose(never.error, always.error)
    assert never.error > 1 / 52
    assert figure((100, 0, 200, 0, 0, 0), True).high == never.high  # two samples a game: still 50 games
    even = figure((100, 50, 200, 100, 50, 50), True)  # each game has one of two
    assert even.half_width < figure((50, 25, 50, 25, 25, 25), True).half_width * 1.01


def rolled(game: Game, player: Player, first: int, count: int) -> Series:
    """Games of their own; the number of the first one tells them from others."""
    return Series(game, 5, first, "random", sums=player.play(first, count))


def test_false_alarms_are_as_rare_as_promised() -> None:
    """The same game against itself, again and again: a clear difference in one of twenty at most, but for luck."""
    game = load(GAME)
    player = Compiled(game, 5, 17)
    series = [rolled(game, player, first, ALIKE) for first in range(0, 50 * ALIKE, ALIKE)]
    pairs = [(series[i - step], series[i]) for step in (1, 2, 3, 4) for i in range(50)]
    alarms = [any(c.corrected < 0.05 for c in compare(two) if not c.within) for two in pairs]
    assert len(alarms) == 200
    assert 0 < sum(alarms) / 200 <= 0.07


def test_what_never_happens_is_compared() -> None:
    game = load(GAME)
    player = Compiled(game, 5, 17)
    often, seldom = rolled(game, player, 0, 400), rolled(game, player, 400, 400)
    rows = next(r for r in seldom.rows if r.measure.name == "round_ended")
    key = next(iter(often.figures()["round_ended"].figures))
    start = rows.offset + rows.names.index(key) * ROW
    seldom.sums.totals[start : start + ROW] = [0] * ROW
    found = seldom.figures()["round_ended"]
    assert key not in found.figures
    assert cell(found, key).startswith("0.00 % [0.00, ")
    for two in ((often, seldom), (seldom, often)):
        [difference] = [c for c in between(*two) if c.label == f"round_ended {key}"]
        assert difference.chance < 0.001


def known(mean: float, error: float, games: float = 1000) -> Figure:
    return Figure(1000, mean, 1, error, mean - 2 * error, mean + 2 * error, games)


def test_the_verdict_gives_each_measure_a_line() -> None:
    a = known(1, 0.01)
    split = [Comparison("5 players", "split", str(i), "x", "y", a, known(2 + i, 0.01), False) for i in range(20)]
    whole = Comparison("5 players", "whole", "", "x", "y", a, known(1.1, 0.01), False)
    seats = Comparison("y, 5 players", "seats", "", "1", "2", a, known(1.2, 0.01), False, 10, True)
    same = Comparison("5 players", "same", "", "x", "y", a, a, False)
    lines = sentences(corrected([*split, seats, same, whole]))
    assert [line.split()[2] for line in lines[:2]] == ["whole", "split"]
    assert "seats is higher for 2 (1.200) than for 1 (1.000)" in lines[2]
    assert "split 19 is higher for y (21.000)" in lines[1]
    assert lines[3] == "19 more clear differences by key; --json lists all."
    assert lines[4] == "The other difference may be chance (corrected for 23 comparisons)."
    assert sentences(corrected([same])) == ["No difference is more than chance (corrected for 1 comparison)."]


def test_the_same_game_twice_is_said_once() -> None:
    done = simulate([GAME, GAME], games=300, players=5)
    assert compare(done.series) == compare(done.series[:1])


def test_few_games_make_no_clear_difference() -> None:
    """Two games with one sample each differ as they like."""
    done = simulate([GAME, f"{GAME}+doom_track"], games=2, players=5)
    assert all(math.isfinite(c.a.error + c.b.error) for c in compare(done.series))
    assert not any(c.within for c in compare(done.series))


def test_until_leaves_out_what_is_rare() -> None:
    """A hundredth of the samples is needed to count; half an interval is meant."""
    series = simulate([GAME], games=1000, players=5).series[0]
    found = series.figures()["sanity_by_round"]
    rare = [f for f in found.figures.values() if f.samples < 0.01 * found.samples]
    common = [f for f in found.figures.values() if f.samples >= 0.01 * found.samples]
    widest = max(f.half_width / f.mean for f in common)
    assert any(f.half_width / f.mean > widest for f in rare)
    assert Target("sanity_by_round", widest * 1.001).reached(series)
    assert not Target("sanity_by_round", widest * 0.999).reached(series)


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
