"""Who looks on changes nothing: a run comes out the same with a log or without, traced, witnessed, or after another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine import Run
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.trace import Trace
from ritual_dsl.engine.witness import Witness
from ritual_dsl.model.game import Game

GAMES = [
    ("arkham_ritual", 3),
    ("arkham_ritual+wary_student+mad_professor+shining_trapezohedron+hastur", 5),
    ("arkham_ritual+doom_track", 7),
    ("shipwreck_arcana", 2),
    ("shipwreck_arcana", 4),
]


def played(game: Game, players: int, machine: Machine, stream: int) -> list[Any]:
    """How a game ends that bots play: the table, what chance is left, and what everybody chose."""
    run = Run(game, players, seed=8, stream=stream, machine=machine).start()
    while not run.finished:
        run.answer(run.random_answer())
    return [run.state.cells, run.state.ended, run.state.chance.state, run.answers, run.winners()]


@pytest.mark.parametrize(("reference", "players"), GAMES)
def test_onlookers_change_nothing(reference: str, players: int) -> None:
    game = load(reference)
    for stream in range(3):
        alone = played(game, players, Machine(game, keeps_log=False), stream)
        assert played(game, players, Machine(game), stream) == alone
        assert played(game, players, Machine(game, Trace()), stream) == alone
        assert played(game, players, Machine(game, witness=Witness()), stream) == alone


@pytest.mark.parametrize(("reference", "players"), GAMES)
def test_a_machine_keeps_nothing_of_a_game_it_left(reference: str, players: int) -> None:
    game = load(reference)
    machine = Machine(game, keeps_log=False)
    for answers in range(0, 40, 3):
        run = Run(game, players, seed=1, machine=machine).start()
        for _ in range(answers):
            if not run.finished:
                run.answer(run.random_answer())
        machine.forget()
        assert played(game, players, machine, answers) == played(game, players, Machine(game), answers)
        machine.forget()


def test_there_is_no_share_before_the_first(tmp_path: Path) -> None:
    overlay = tmp_path / "marked.yaml"
    rules = "counter mark: per 0..2, 0..5, starts at 4\n  rule behind(n: number): number\n    it: mark[n - 1]\n"
    overlay.write_text(f"extends: arkham_ritual\nid: marked\nrules: |\n  {rules}", encoding="utf-8")
    run = Run(load(str(overlay)), 5)
    assert run.ask("behind", (1,)) == 4
    with pytest.raises(RitualError, match="there is no share for -1 here"):
        run.ask("behind", (0,))
