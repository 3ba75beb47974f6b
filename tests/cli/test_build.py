"""`ritual build`: everything in one go, and a page that shows it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest

from ritual_dsl.cli import main
from ritual_dsl.sheets.workshop import can_typeset

GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"
SCENARIO = """\
game: ./my_game
scenarios:
  - name: paying
    players: 2
    given: {hand: {A: rope, B: map}}
    do: {turn: {p: A}}
    choices: [{A: keep}]
    expect: {health: {A: 5, B: 7}}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(GAME, tmp_path / "my_game")
    (tmp_path / "my_game" / "scenarios").mkdir()
    (tmp_path / "my_game" / "scenarios" / "pay.scenario.yaml").write_text(SCENARIO.replace("./my", "../../my"), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_index_shows_what_was_made(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "./my_game"]) == 0, capsys.readouterr().err
    said = capsys.readouterr().out
    assert "check: clean" in said and "test: 1 scenario passed" in said
    out = game / "build" / "my_game"
    page = (out / "index.html").read_text("utf-8")
    links = [unquote(link) for link in re.findall(r'(?:href|src)="([^"#]+)"', page)]
    assert links and all((out / link).is_file() for link in links)
    made = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file() and path.name[0] != "."}
    formats = ("html", "pdf") if can_typeset() else ("html",)
    wanted = {f"{sheet}.{lang}.{f}" for sheet in ("rules", "aid", "cards") for lang in ("en", "ja") for f in formats}
    assert wanted <= made and wanted <= set(links)
    if can_typeset():
        assert {"deck.en.json", "cards.ja/rope.png", "aid.en.1.png"} <= made
    assert "tokens.en.html" not in made  # the game has none


def test_a_failing_scenario_stops_it(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = game / "my_game" / "scenarios" / "pay.scenario.yaml"
    path.write_text(path.read_text("utf-8").replace("A: 5", "A: 6"), "utf-8")
    assert main(["build", "./my_game"]) == 1
    assert "1 failed" in capsys.readouterr().out
    assert not (game / "build").exists()
