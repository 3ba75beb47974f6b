"""The verbs of the command line as functions of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.cli import VERBS
from ritual_dsl.diagnostics import RitualError

GAME = "arkham_ritual"
NAMED_OTHERWISE = {
    "cards": ("cards_to_csv", "cards_from_csv"),  # one verb, two things it does
    "compile": ("flat_code",),  # Python has a `compile` of its own
}


def test_every_verb_is_a_function() -> None:
    for verb, _, _ in VERBS:
        for name in NAMED_OTHERWISE.get(verb, (verb,)):
            assert callable(getattr(ritual_dsl, name))
            assert name in ritual_dsl.__all__


def test_a_game_is_played_by_answering() -> None:
    session = ritual_dsl.play(GAME, players=4, seed=5)
    while not session.run.finished:
        assert session.run.choice is not None
        session.answer(session.run.choice.options[0])
    assert session.run.winners() is not None
    assert "players: [A, B, C, D]" in session.scenario(Path())


def test_a_code_is_explained() -> None:
    assert ritual_dsl.explain("301") == ritual_dsl.explain("RIT301")
    with pytest.raises(RitualError, match="no code"):
        ritual_dsl.explain("RIT3o1")


def test_what_is_built_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    house = tmp_path / "house.yaml"
    house.write_text("extends: arkham_ritual\nid: h\nlanguages: []\n")
    with pytest.raises(RitualError):
        ritual_dsl.build(str(house), tmp_path / "out", tell=told.append)
    assert not told and not (tmp_path / "out").exists()
