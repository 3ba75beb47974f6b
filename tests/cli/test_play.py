"""`ritual play` as a user meets it: a process with something typed into it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

GAME = "arkham_ritual"
HERE = Path(__file__).resolve().parents[2]


def ritual(*args: str | Path, typed: str = "", code: int = 0, cwd: Path = HERE) -> str:
    command = [sys.executable, "-m", "ritual_dsl", *map(str, args)]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, cwd=cwd, env=environment, timeout=60, encoding="utf-8"
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def play(*args: str | Path, typed: str = "", code: int = 0, cwd: Path = HERE) -> str:
    return ritual("play", *args, typed=typed, code=code, cwd=cwd)


def last_view(text: str) -> str:
    return text[text.rindex(" sees:") :]


def test_quit_shows_only_what_a_sees() -> None:
    text = play(GAME, "--players", "3", "--seed", "3", typed="quit\n")
    assert "hand: A: ?" in text
    assert "a card moves from deck to hand of A" in text
    assert "1) A" in text


def test_end_of_input_saves_only_where_asked(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    assert "nothing was saved" in play(GAME, "--seed", "3", typed="1\n")
    assert "nothing was saved" not in play(GAME, "--seed", "3", "--save", file, typed="A\n1\n")
    assert json.loads(file.read_text())["answers"][0] == "A"


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
    assert "B: 6" in play(GAME, "--seed", "3", typed="A\ndo infraction B\nquit\n")
    assert "B: 7" in last_view(play(GAME, "--seed", "3", typed="A\ndo infraction B\nundo\nquit\n"))


def test_what_may_happen_is_listed_and_what_may_not_is_refused() -> None:
    lines = ["do", "do join A", "do leave B", "", "do", "do mistake A", "do reveal A", "undo", "help", "quit", ""]
    text = play("shipwreck_arcana", "--players", "3", "--seed", "3", "--seat", "all", typed="\n".join(lines))
    lists = re.findall("What may happen at any time, now: (.*)", text)
    assert lists[0] == "note WRITER P V, mistake P, leave P"  # `repair` is for whoever has the turn
    assert lists[1] == "note WRITER P V, mistake P, join P"
    assert "error[RIT512]: `join(p: A)` cannot happen now: `may_join.free` does not hold" in text
    assert "`may_reveal.played` does not hold and `may_reveal.holds` does not hold" in text


def test_only_who_is_asked_may_do_what_is_theirs() -> None:
    lines = ["A", "do", "do reveal B", "do leave C", "do note B A 3", "do repair", "do mistake A", "log", "quit", ""]
    text = play("shipwreck_arcana", "--players", "3", "--seed", "3", "--seat", "A", typed="\n".join(lines))
    assert "now: note WRITER P V, mistake P, repair\n" in text  # A does not see what `repair` depends on
    for call, who in (("reveal(p: B)", "B"), ("leave(p: C)", "C"), ("note(writer: B, p: A, v: 3)", "B")):
        assert f"error[RIT509]: `{call}` is for {who} to do, not for A" in text
    assert "RIT512]: `repair` cannot happen now: why, depends on what A does not see" in text
    assert "may_repair." not in text and "kept: A: Fate 2, Fate 6; B: empty" in text


def test_of_several_at_one_keyboard_each_may_speak_up() -> None:
    lines = ["do note A B 7", "B", "", "do note A B 6", "do repair", "1", "1"]
    lines += ["", "do repair", "do note B C 1", "do reveal C", "quit", ""]
    text = play("shipwreck_arcana", "--players", "3", "--seed", "3", "--seat", "A,B", typed="\n".join(lines))
    before, mine, others = text.split("The keyboard goes to")
    assert "line of B is now 1, 2, 3, 4, 5, 6\n" in before
    assert "line of B is now 1, 2, 3, 4, 5\n" in mine
    assert "`repair` cannot happen now: why" in others  # whether it could happen, is not told
    assert "line of C is now" in others and "`reveal(p: C)` is for C to do, not for A or B" in others


def test_hot_seat_hands_over_the_keyboard() -> None:
    text = play(GAME, "--seed", "3", "--seat", "all", typed="A\n\nB\n\ntake\nquit\n")
    assert "The keyboard goes to A" in text
    assert "The keyboard goes to B" in text
    assert "\n" * 40 in text
    together = text[: text.index("The keyboard goes to A")]
    assert "hand: A: ?; B: ?; C: ?" in together


def test_bots_finish_and_the_game_is_told() -> None:
    text = play(GAME, "--players", "5", "--seed", "4", "--seat", "none")
    assert "winners:" in text
    assert "The game is over" in text
    assert text == play(GAME, "--players", "5", "--seed", "4", "--seat", "none")


def test_a_player_learns_what_they_held() -> None:
    text = play(GAME, "--players", "3", "--seed", "3", typed="A\n" + "1\n" * 400)
    before, after = text.split("The game is over")
    assert re.search(r"- A is shown [\w ()]+ in hand of A\n", before[before.rindex("> ") :])
    assert re.search(r"- A is shown [\w ()]+ in hand of A\n", after)


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
    final = dict(re.findall(r"([ABC]): (\d)", text[text.rindex("seed: 4") :]))
    assert "sanity: {" + ", ".join(f"{p}: {n}" for p, n in final.items()) + "}" in scenario
    assert "exists already" in play(GAME, "--seat", "none", "--save-as", file, code=2)
    assert file.read_text() == scenario
    other = tmp_path / "y.scenario.yaml"
    assert "no scenario was written" in play(GAME, "--save-as", other, typed="quit\n")
    assert not other.exists()


def test_any_seed_that_is_played_can_be_written(tmp_path: Path) -> None:
    for seed in (4_000_000_000, 2**64 - 1):
        file = tmp_path / f"{seed}.scenario.yaml"
        play(GAME, "--seat", "none", "--seed", seed, "--save-as", file)
        assert "1 passed" in ritual("test", file)
    for seed in ("-1", str(2**64), "1e3", "٣"):
        assert "whole number from 0" in play(GAME, "--seat", "none", "--seed", seed, code=2)


def test_what_is_written_finds_its_game(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_text("extends: arkham_ritual\nid: short\nrules: |\n  replace sanity.starts: 2\n")
    (tmp_path / "sub").mkdir()
    there = "sub/h.scenario.yaml"
    play("./house.yaml", "--seat", "none", "--seed", "1", "--save-as", there, cwd=tmp_path)
    assert "1 passed" in ritual("test", there, cwd=tmp_path)
    play(f"{GAME}+./house.yaml", "--save", "sub/h.json", typed="quit\n", cwd=tmp_path)
    assert json.loads((tmp_path / "sub/h.json").read_text())["game"] == f"{GAME}+../house.yaml"
    assert "A: 2" in play("--resume", "../sub/h.json", "--save", "../again.json", typed="quit\n", cwd=tmp_path / "sub")
    assert json.loads((tmp_path / "again.json").read_text())["game"] == f"{GAME}+./house.yaml"
    play(f"{GAME}+./house.yaml", "--resume", "sub/h.json", typed="quit\n", cwd=tmp_path)


def test_places_that_cannot_be_written_are_refused_at_once(tmp_path: Path) -> None:
    for option, name in (("--save-as", "no/x.scenario.yaml"), ("--save", "no/x.json"), ("--save-as", "x.yaml")):
        text = play(GAME, "--seat", "none", option, tmp_path / name, code=2)
        assert "RIT701" in text and "The game is over" not in text
    assert not list(tmp_path.iterdir())


def test_a_game_that_cannot_be_written_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    text = play(GAME, "--seed", "3", "--save", file, typed=f"A\nsave {file}\nquit\n")
    assert text.count("Saved in") == 2
    (tmp_path / "sub").mkdir()
    code = "import sys, pathlib; from ritual_dsl.cli import main, play; "
    code += "play.write = lambda path, text: (_ for _ in ()).throw(play.fail('RIT701', 'the disk is full')); "
    code += "sys.exit(main(['play', 'arkham_ritual', '--seed', '3', '--save', 'sub/x.json']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="A\nquit\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(HERE)},
    )
    assert done.returncode == 2 and '"answers": [' in done.stdout and "the disk is full" in done.stdout


def test_closed_and_full_streams() -> None:
    cases = {"check arkham_ritual >&-": 0, "play arkham_ritual <&-": 0, "check arkham_ritual >/dev/full": 2}
    for words, code in cases.items():
        command = f"{sys.executable} -m ritual_dsl {words}"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=HERE, timeout=60)
        assert done.returncode == code and "fault" not in done.stderr, done.stderr


def test_several_who_choose_together_see_what_they_see_alike() -> None:
    typed = "\n".join(["1", "", "1", "1", "", "quit", ""])
    text = play("shipwreck_arcana", "--players", "3", "--seed", "3", "--seat", "all", typed=typed)
    turn = text[text.index("The keyboard goes to B and C,") :]
    assert "B and C see alike:" in turn and "B and C decide together: prediction?" in turn
    assert "kept: A: 1 face down; B: empty; C: empty" in turn and "a Fate moves from bag to kept of A" in turn
    assert "is now none" not in text  # nothing is told that was so before
