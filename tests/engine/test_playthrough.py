"""Whole games against golden files, and that nobody's view holds more than was declared.

`RITUAL_UPDATE=1` writes the golden files anew.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ritual_dsl.engine import Run
from ritual_dsl.engine.views import observations, view
from ritual_dsl.model.game import Game

sys.path.insert(0, str(Path(__file__).parent))
from playthrough import GAME, GOOD, load, playthrough


@pytest.fixture(scope="module")
def game() -> Game:
    return load(GAME)


GAMES = [(GAME, 3), (GAME, 5), (GAME, 7), ("shipwreck_arcana", 2), ("shipwreck_arcana", 4)]


@pytest.mark.parametrize(("reference", "players"), GAMES)
def test_playthrough(reference: str, players: int) -> None:
    text = playthrough(load(reference), players)
    path = GOOD / f"{reference}_{players}.txt"
    if os.environ.get("RITUAL_UPDATE") == "1":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_views_hide_what_is_hidden(game: Game) -> None:
    run = Run(game, 5, seed=2).start()
    active = game.variables["active"].cell
    while not run.finished:
        for seat in range(5):
            zones = view(run, seat)["zones"]
            assert zones["hand"][run.names[seat]] in ("?", None)
            assert all(card != "?" for name, card in zones["hand"].items() if name != run.names[seat])
            assert isinstance(zones["deck"], int)
            assert isinstance(zones["discard"], list)
            if zones["offer"] is not None:
                assert (zones["offer"] == "?") == (run.state.cells[active] != seat)
        public = view(run, None)["zones"]
        assert set(public["hand"].values()) <= {"?", None}
        run.answer(run.random_answer())


def test_observations_grow_and_keep_faces_apart(game: Game) -> None:
    run = Run(game, 5, seed=2).start()
    before = observations(run, 0)
    dealt = {o[4]: o[5] for o in before if o[0] == "moved" and o[3] == "hand"}
    assert dealt[0] is None
    assert None not in [dealt[seat] for seat in range(1, 5)]
    assert all(o[5] is None for o in observations(run, None) if o[0] == "moved")
    run.answer(run.random_answer())
    assert observations(run, 0)[: len(before)] == before
