"""`ritual play` as a user meets it: a process with something typed into it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

GAME = "arkham_ritual"
HERE = Path(__file__).resolve().parents[2]


def play(*args: str | Path, typed: str = "", code: int = 0) -> str:
    command = [sys.executable, "-m", "ritual_dsl.cli.play", *map(str, args)]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=HERE, timeout=60, encoding="utf-8")
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def last_view(text: str) -> str:
    return text[text.rindex(" sees:") :]


def test_quit_shows_only_what_a_sees() -> None:
    text = play(GAME, "--players", "3", "--seed", "3", typed="quit\n")
    assert "hand: A ?" in text
    assert "a card moves from deck to hand of A" in text
    assert "1) A" in text


def test_end_of_input_saves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    text = play(GAME, "--seed", "3", "--save", file, typed="1\n")
    assert "nothing was saved" in text
    assert not file.exists()


def test_bad_input_gets_a_message() -> None:
    lines = ["nonsense", "99", "0", "²", "", "do", "do nothing", "do infraction", "do infraction Z"]
    typed = "\n".join([*lines, "save", "save /no/such/x", "undo", "help", "quit", ""])
    text = play(GAME, "--seed", "3", typed=typed)
    assert "`nonsense` is not offered" in text
    assert "`99` is not offered" in text
    assert "cannot happen at any time" in text
    assert "cannot be written" in text
    assert "nothing of yours to take back" in text
    assert "save FILE" in text


def test_undo_goes_back_to_the_same_place() -> None:
    first = play(GAME, "--seed", "3", typed="A\nB\nquit\n")
    again = play(GAME, "--seed", "3", typed="A\nC\nundo\nB\nquit\n")
    assert last_view(first) == last_view(again)


def test_interrupt_changes_the_counter() -> None:
    assert "B 6" in play(GAME, "--seed", "3", typed="A\ndo infraction B\nquit\n")
    assert "B 7" in last_view(play(GAME, "--seed", "3", typed="A\ndo infraction B\nundo\nquit\n"))


def test_hot_seat_hands_over_the_keyboard() -> None:
    text = play(GAME, "--seed", "3", "--seat", "all", typed="A\n\nB\n\ntake\nquit\n")
    assert "The keyboard goes to A" in text
    assert "The keyboard goes to B" in text
    assert "\n" * 40 in text
    together = text[: text.index("The keyboard goes to A")]
    assert "hand: A ?, B ?, C ?" in together


def test_bots_finish_and_the_game_is_told() -> None:
    text = play(GAME, "--players", "5", "--seed", "4", "--seat", "none")
    assert "winners:" in text
    assert "The game is over" in text
    assert text == play(GAME, "--players", "5", "--seed", "4", "--seat", "none")


def test_a_player_learns_what_they_held() -> None:
    text = play(GAME, "--players", "3", "--seed", "3", typed="A\n" + "1\n" * 400)
    before, after = text.split("The game is over")
    assert re.search(r"- A is shown \w+ in hand of A\n", before[before.rindex("> ") :])
    assert re.search(r"- A is shown \w+ in hand of A\n", after)


def test_save_and_resume(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = play(GAME, "--seed", "3", "--save", file, typed="A\ndo infraction B\nB\nquit\n")
    data = json.loads(file.read_text())
    assert (data["format"], data["game"], data["players"], data["seed"]) == (1, GAME, ["A", "B", "C"], 3)
    assert {"do": {"infraction": {"p": "B"}}} in data["answers"]
    again = play("--resume", file, "--save", file, typed="quit\n")
    assert last_view(first).splitlines()[:8] == last_view(again).splitlines()[:8]
    assert json.loads(file.read_text()) == data
    assert list(tmp_path.iterdir()) == [file]


def test_resumed_bots_play_on_as_they_would_have(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = "A\n" + "1\n" * 400
    whole = play(GAME, "--seed", "3", typed=typed)
    play(GAME, "--seed", "3", "--save", file, typed="A\n1\nquit\n")
    rest = play("--resume", file, typed="1\n" * 400)
    end = "The game is over"
    assert whole[whole.index(end) :] == rest[rest.index(end) :]


def test_foreign_and_damaged_saves(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    good = {"format": 1, "game": GAME, "players": ["A", "B", "C"], "seed": 3, "answers": []}
    damaged = [{**good, "answers": ["Q"]}, {**good, "answers": [{"do": {}}]}, {**good, "answers": [{"do": {"x": {}}}]}]
    damaged += [{**good, "seed": "3"}, {**good, "format": 2}, {**good, "players": 3}, {**good, "answers": [1]}]
    for text in ["", "{", "[]", "[" * 100_000, "\x00", '{"format": 1}', *map(json.dumps, damaged)]:
        file.write_text(text)
        assert "RIT701" in play("--resume", file, code=2), text[:80]
    file.write_text("my notes")
    assert "RIT701" in play(GAME, "--save", file, code=2)
    assert "stays as it is" in play(GAME, typed=f"save {file}\nquit\n")
    assert file.read_text() == "my notes"
    assert "RIT701" in play("--resume", tmp_path / "missing.json", code=2)


def test_wrong_seats_and_players() -> None:
    assert "there is no seat `Q`" in play(GAME, "--seat", "Q", code=2)
    assert "RIT510" in play(GAME, "--players", "40", code=2)
    assert "RIT510" in play(code=2)


def test_save_as_scenario(tmp_path: Path) -> None:
    file = tmp_path / "x.scenario.yaml"
    text = play(GAME, "--seed", "4", "--seat", "none", "--save-as", file)
    scenario = file.read_text()
    assert scenario.startswith(f"game: {GAME}\nscenarios:\n")
    for line in ("    seed: 4\n", "    players: [A, B, C]\n", "    do: game\n", "      - {all: ", "      ended: "):
        assert line in scenario
    final = dict(re.findall(r"([ABC]) (\d)", text[text.rindex("seed: 4") :]))
    assert "sanity: {" + ", ".join(f"{p}: {n}" for p, n in final.items()) + "}" in scenario
    assert "exists already" in play(GAME, "--seat", "none", "--save-as", file, code=2)
    assert file.read_text() == scenario
    other = tmp_path / "y.scenario.yaml"
    assert "no scenario was written" in play(GAME, "--save-as", other, typed="quit\n")
    assert not other.exists()
