"""What does not count: allowed by a comment, switched off in the settings, or in the baseline; never unseen."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from ritual_dsl.cli import main

CLEAN = "my_game: clean; 2 questions not decided\n"
GAME = Path(__file__).parent / "my_game"
HALF = """\
compass:
  name: {en: Compass}
  text: {en: It points., ja: 指し示します。}
  color: blue
  rules: |
    rule points(p: player): all of
      it: hand[p] = this
    while held:
      add safe.here: points(p)
"""
LENS = "lens:" + HALF.partition("  rules:")[0].removeprefix("compass:")
REASON = "# ritual: allow RIT361 a translator is at work"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(GAME, tmp_path / "my_game")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def card(text: str) -> None:
    Path("my_game/cards/more.yaml").write_text(text, encoding="utf-8")


def run(*words: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(list(words))
    return status, out.getvalue()


def codes(*words: str) -> list[str]:
    return [d["code"] for d in data(*words)["findings"]]


def data(*words: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(run(*words, "--json")[1])
    return document


# ---- allow


@pytest.mark.parametrize(
    "text",
    [
        HALF.replace("compass:", f"compass:  {REASON}"),
        f"{REASON}\n{HALF}",
        f"{REASON}\n\n# another comment\n{HALF}",
        HALF.replace("compass:", f"compass: {REASON.replace(' a transl', ': a transl')}"),
    ],
)
def test_a_comment_allows_one_finding_visibly(game: Path, text: str) -> None:
    card(text)
    document = data("check", "./my_game", "--strict")
    assert document["findings"] == []
    assert [(s["code"], s["by"], s["reason"]) for s in document["silenced"]] == [
        ("RIT361", "allow", "a translator is at work")
    ]
    assert run("check", "./my_game", "--strict") == (0, "my_game: clean; 1 allowed; 3 questions not decided\n")


def test_it_allows_nothing_else(game: Path) -> None:
    card(HALF.replace("compass:", f"compass:  {REASON}") + LENS)
    assert codes("check", "./my_game") == ["RIT361"]
    assert run("check", "./my_game", "--strict")[0] == 1


def test_comments_in_rules_count_too(game: Path) -> None:
    where = "    rule points(p: player): all of"
    for file, text in (
        ("my_game/cards/more.yaml", HALF.replace(where, f"{where}  §99  # ritual: allow RIT363 a draft")),
        ("my_game/cards/more.yaml", HALF.replace(where, f"    # ritual: allow RIT363 a draft\n{where}  §99")),
        ("my_game/more.ritual", "rule late: truth  §99   # ritual: allow RIT363 a draft\n  it: true\n"),
    ):
        card(HALF)
        Path(file).write_text(text, encoding="utf-8")
        document = data("check", "./my_game")
        assert [s["code"] for s in document["silenced"]] == ["RIT363"], text
        assert not {"RIT151", "RIT152", "RIT363"} & {d["code"] for d in document["findings"]}
        Path(file).unlink()


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("# ritual: allow RIT361", "RIT152"),
        ("# ritual: allow", "RIT152"),
        ("# ritual: alow RIT361 a slip", "RIT152"),
        ("# ritual: allow RIT999 no such thing", "RIT152"),
        ("# ritual: allow RIT301 an error", "RIT152"),
        ("# ritual: allow RIT363 nothing is cited", "RIT151"),
    ],
)
def test_an_allow_that_does_nothing_is_a_finding(game: Path, comment: str, code: str) -> None:
    card(HALF.replace("compass:", f"compass: {comment}"))
    assert codes("check", "./my_game") == ["RIT361", code]


def test_an_unused_allow_of_a_base_is_no_matter_of_its_house_rules(game: Path) -> None:
    card(HALF.replace("{en: Compass}", "{en: Compass, ja: 羅針盤}").replace("compass:", f"compass: {REASON}"))
    Path("house.yaml").write_text("extends: ./my_game\nid: house\nname: {en: House, ja: 家}\n", encoding="utf-8")
    assert codes("check", "./my_game") == ["RIT151"]
    assert codes("check", "./house.yaml") == []


# ---- settings


@pytest.mark.parametrize(("level", "status"), [("off", 0), ("warning", 0), ("error", 1)])
@pytest.mark.parametrize(
    ("file", "head"), [("ritual.toml", "[codes]"), ("pyproject.toml", "[project]\nname = 'x'\n[tool.ritual.codes]")]
)
def test_levels(game: Path, file: str, head: str, level: str, status: int) -> None:
    card(HALF)
    Path(file).write_text(f'{head}\nRIT361 = "{level}"\n', encoding="utf-8")
    document = data("check", "./my_game")
    assert document["status"] == status
    assert [d["severity"] for d in document["findings"]] == ([] if level == "off" else [level])


def test_settings_of_a_folder_above(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card(HALF)
    Path("ritual.toml").write_text("strict = true\n", encoding="utf-8")
    monkeypatch.chdir(game / "my_game")
    assert run("check", ".")[0] == 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("strct = true\n", 1, "did you mean `strict`?"),
        ('strict = "yes"\n', 1, "true or false"),
        ("baseline = 3\n", 1, "the path of a file"),
        ("codes = 3\n", 1, "a table of codes"),
        ('[codes]\nRIT36 = "off"\n', 2, "there is no code `RIT36`"),
        ('[codes]\nRIT361 = "of"\n', 2, "`error`, `warning` or `off`"),
        ('[codes]\nRIT301 = "off"\n', 2, "only warnings can be changed"),
        ("strict = true\n[codes\n", 2, "this is not TOML"),
    ],
)
def test_wrong_settings_are_told_with_their_line(game: Path, text: str, line: int, words: str) -> None:
    Path("ritual.toml").write_text(text, encoding="utf-8")
    status, output = run("check", "./my_game")
    assert status == 1
    assert re.search(rf"^ritual.toml:{line}:\d+: error\[RIT150\]", output, re.MULTILINE), output
    assert words in output


def test_a_pyproject_of_somebody_else_is_no_matter(game: Path) -> None:
    Path("pyproject.toml").write_text("[tool.other]\nx = 1\n", encoding="utf-8")
    assert run("check", "./my_game")[0] == 0
    Path("pyproject.toml").write_text("not toml", encoding="utf-8")
    assert run("check", "./my_game")[0] == 0


# ---- the baseline


def test_a_baseline_lets_an_old_project_start_clean(game: Path) -> None:
    card(HALF)
    assert run("check", "./my_game", "--strict")[0] == 1
    assert run("check", "./my_game", "--baseline", "old.json", "--write-baseline") == (
        0,
        "old.json: 1 finding listed\n",
    )
    assert run("check", "./my_game", "--strict", "--baseline", "old.json") == (
        0,
        "my_game: clean; 1 in the baseline; 3 questions not decided\n",
    )
    card("# lines that\n# move it down\n" + HALF + LENS)
    document = data("check", "./my_game", "--strict", "--baseline", "old.json")
    assert [d["message"] for d in document["findings"]] == ["the name of `lens` is missing in ja"]
    assert document["status"] == 1


def test_errors_can_be_in_it_and_new_ones_are_told(game: Path) -> None:
    wrong = "procedure sample(p: player):\n  p loses helth[p] health\n"
    Path("my_game/more.ritual").write_text(wrong, encoding="utf-8")
    run("check", "./my_game", "--baseline", "old.json", "--write-baseline")
    assert run("check", "./my_game", "--baseline", "old.json")[0] == 0
    Path("my_game/more.ritual").write_text("\n" + wrong + "  p loses helth[p] health\n", encoding="utf-8")
    document = data("check", "./my_game", "--baseline", "old.json")
    assert [d["place"]["line"] for d in document["findings"]] == [4]


def test_the_settings_can_name_it(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card(HALF)
    Path("ritual.toml").write_text('baseline = "old.json"\nstrict = true\n', encoding="utf-8")
    assert run("check", "./my_game", "--write-baseline")[0] == 0
    monkeypatch.chdir("my_game")
    assert run("check", ".")[0] == 0


def test_nothing_else_is_overwritten_or_taken_for_a_baseline(game: Path) -> None:
    Path("notes.txt").write_text("mine", encoding="utf-8")
    assert "RIT153" in run("check", "./my_game", "--baseline", "notes.txt", "--write-baseline")[1]
    assert Path("notes.txt").read_text(encoding="utf-8") == "mine"
    for text in ("{}", "[]", '{"ritual_baseline": 1, "findings": [1]}', '{"ritual_baseline": 9}', "[" * 100_000):
        Path("notes.txt").write_text(text, encoding="utf-8")
        status, output = run("check", "./my_game", "--baseline", "notes.txt")
        assert (status, "RIT153" in output) == (1, True)
    assert run("check", "./my_game", "--baseline", "nowhere.json")[0] == 2
    assert run("check", "./my_game", "--write-baseline")[0] == 1
    assert run("check", "./nowhere", "--baseline", "new.json", "--write-baseline")[0] == 2
    assert not Path("new.json").exists()


# ---- standard input


def from_stdin(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return run("check", "-", *words)


def test_standard_input_by_its_keys(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = "extends: ./my_game\nid: house\nrules: |\n  remove safe.redd\n"
    status, output = from_stdin(monkeypatch, house)
    assert status == 1
    assert output.startswith("<stdin>:4:3: error[RIT403]")
    assert from_stdin(monkeypatch, house.replace("redd", "red"))[0] == 0
    scenario = "game: ./my_game\nscenarios:\n  - name: x\n    doo: deal\n"
    assert "<stdin>.scenario.yaml:4:5: error[RIT120]" in from_stdin(monkeypatch, scenario)[1]


def test_standard_input_in_place_of_a_file(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path("my_game/rules.ritual").read_text(encoding="utf-8")
    for name in ("my_game/rules.ritual", "./my_game/../my_game/rules.ritual"):
        status, output = from_stdin(
            monkeypatch, text.replace("loses cost(p)", "loses csot(p)"), "--stdin-filename", name
        )
        line = text[: text.index("loses cost(p)")].count("\n") + 1
        assert (status, f"my_game/rules.ritual:{line}:" in output) == (1, True), output
    assert Path("my_game/rules.ritual").read_text(encoding="utf-8") == text
    assert from_stdin(monkeypatch, text, "--stdin-filename", "my_game/rules.ritual") == (0, CLEAN)
    assert from_stdin(monkeypatch, HALF, "--stdin-filename", "my_game/cards/cards.yaml")[0] == 1  # the others are gone
    house = "extends: ./my_game\nid: house\n"
    assert from_stdin(monkeypatch, house, "--stdin-filename", "not_yet_saved.yaml")[0] == 0
