"""`ritual check --fix`: what is certain is put right, nothing else changes, and no comment is lost."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ritual_dsl.cli import main
from ritual_dsl.diagnostics import Diagnostic, Findings
from ritual_dsl.diagnostics.judge import settle
from ritual_dsl.loading.files import decode
from ritual_dsl.loading.mending import apply, meaning
from ritual_dsl.source import Source
from ritual_dsl.syntax.parse import parse_file

MY_GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"
HOUSE = "extends: ./my_game\nid: house\nname: {en: House, ja: 家}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(MY_GAME, tmp_path / "my_game")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fixed(text: str, *words: str) -> tuple[int, str]:
    Path("house.yaml").write_bytes(text.encode())
    return main(["check", "--fix", "./house.yaml", *words]), Path("house.yaml").read_bytes().decode()


def test_one_behind_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    """A byte order mark, carriage returns, zeros and an idle comment, each found when the one before is gone."""
    rules = "rules: |\n  replace health.starts: 006  # ritual: allow RIT361 so be it\n"
    status, text = fixed("\ufeff" + (HOUSE + rules).replace("\n", "\r\n"))
    assert status == 0
    assert text == HOUSE + "rules: |\n  replace health.starts: 6  # so be it\n"
    said = capsys.readouterr()
    assert re.findall(r"fixed house.yaml:\d+:\d+: (RIT\d+)", said.err) == ["RIT104", "RIT105", "RIT202", "RIT151"]
    assert "4 findings fixed, 0 left" in said.out


def test_what_is_left_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = fixed(HOUSE + "rules: |\n  replace helth.starts: 006\n")
    assert status == 1 and "replace helth.starts: 6\n" in text
    said = capsys.readouterr()
    assert "1 finding fixed, 1 left" in said.out and "did you mean" in said.err


def test_the_report_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    fixed(HOUSE + "# ritual: allow RIT361 so be it\n", "--json")
    report = json.loads(capsys.readouterr().out)
    assert [finding["code"] for finding in report["fixed"]] == ["RIT151"] and report["findings"] == []


def test_words_on_a_card_are_no_comment() -> None:
    """It only looks like one: the text would say something else, so it is left."""
    text = HOUSE + "text:\n  en: |\n    Write # ritual: allow RIT361 here\n  ja: 家\n"
    assert fixed(text) == (0, text)


def test_lone_carriage_returns_are_not_certain() -> None:
    text = HOUSE + "# a\rb\n"
    assert fixed(text) == (1, text)


def test_a_file_that_may_not_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("house.yaml")
    path.write_text(HOUSE + "# ritual: allow RIT361 so be it\n", "utf-8")
    path.chmod(0o444)
    assert main(["check", "--fix", "./house.yaml"]) == 1
    assert "read-only" in capsys.readouterr().err
    assert [name.name for name in Path().iterdir() if name.name.startswith(".")] == []


def test_nothing_to_fix_touches_nothing() -> None:
    path = Path("house.yaml")
    path.write_text(HOUSE, "utf-8")
    before = path.stat()
    assert main(["check", "--fix", "./house.yaml"]) == 0
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


LINES = st.sampled_from(
    [
        "# a comment",
        "# ritual: allow RIT361 words of its author",
        "counter c: 0..09, starts at 007   # seven",
        "rule r(p: player): any of  # ritual: allow RIT420 because",
        "  it: 03 = 3",
        "zone z: a pile",
        "",
        "  # inside",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=12), st.booleans(), st.booleans())
def test_fixes_keep_all_comments_and_the_meaning(lines: list[str], mark: bool, returns: bool) -> None:
    end = "\r\n" if returns else "\n"
    text = ("\ufeff" if mark else "") + end.join([*lines, ""])
    after = text
    for _ in range(4):
        source, found = Source("house.ritual", after), Findings()
        read = decode(after.encode(), "house.ritual", found)
        if read is not None:
            parse_file(read, found)
        findings: list[Diagnostic] = list(settle(found).counted)
        _, after = apply(source, [d for d in findings if d.fix is not None])
    words = [comment(line) for line in lines]
    assert [comment(line) for line in after.split("\n")[: len(lines)]] == words
    before, now = meaning(Source("a.ritual", plain(text))), meaning(Source("a.ritual", after))
    assert before is None or before == now
    assert not mark or not lines or not after.startswith("\ufeff")


def comment(line: str) -> str:
    """What a person says in a line."""
    _, sign, words = line.partition("#")
    return re.sub(r"^ritual: allow RIT\d+ ", "", words.strip()) if sign else ""


def plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
