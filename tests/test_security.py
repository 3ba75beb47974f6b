"""A rule file can do nothing but describe a game: each statement of docs/security.md, tried."""

from __future__ import annotations

import contextlib
import io
import os
import re
import socket
import sys
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.loading.files import LARGEST_FILE, UNSEEN

ROOT = Path(__file__).parent.parent
HEAD = "extends: arkham_ritual\nid: house\nname: {en: House, ja: 家, ko: 집}\n"
EVIL = "x\\n::stop-commands::now\\n"  # in YAML's double quotes
SECRET = "token: hunter2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a secret beside it."""
    (tmp_path / "checkout" / ".git").mkdir(parents=True)
    (tmp_path / "secret.yaml").write_text(SECRET)
    monkeypatch.chdir(tmp_path / "checkout")
    return tmp_path


def ritual(*words: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(list(words))
    assert "Traceback" not in out.getvalue() and "internal fault" not in out.getvalue(), out.getvalue()
    return status, out.getvalue()


def check(text: str) -> str:
    Path("house.yaml").write_text(text, "utf-8")
    return ritual("check", "./house.yaml")[1]


def everything_below(folder: Path) -> dict[str, bytes | None]:
    return {str(p): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


# ---------------------------------------------------------------- no code


@pytest.mark.parametrize(
    "tagged",
    [
        "!!python/object/apply:os.system ['touch trace']",
        "!!python/name:os.system",
        "!!python/object/new:pathlib.Path ['trace']",
        "!<tag:yaml.org,2002:python/module:trace>",
        "!include ../secret.yaml",
    ],
)
def test_a_tag_constructs_nothing(tagged: str) -> None:
    for text in (f"{HEAD}cards: {tagged}\n", f"{tagged}\n", f"{HEAD}cards:\n  cthulhu: {tagged}\n"):
        assert "RIT114" in check(text) or "RIT110" in check(text)
        assert not Path("trace").exists()


MAKES_CODE = ("compiler/fast.py", "compiler/runtime.py")  # of words and numbers of ours: tests/compiler/


def test_nothing_of_python_evaluates_a_text() -> None:
    """No `eval`, `exec`, `compile`, shell, or loader that constructs, in the whole package; two places make code."""
    forbidden = re.compile(
        r"(?<![\w.])(eval|exec|compile|__import__)\(|yaml\.(load|unsafe_load|full_load)\b|os\.(system|popen)|shell=True"
    )
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted((ROOT / "ritual_dsl").rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if forbidden.search(line.partition("#")[0]) and "re.compile" not in line
        if not (path.as_posix().endswith(MAKES_CODE) and line.strip().startswith("exec(compile("))
    ]
    assert found == []


def test_texts_are_no_templates() -> None:
    evil = '{{ 7 * 7 }}{% for x in [1] %}loop{% endfor %}{{ "".__class__ }}'
    Path("house.yaml").write_text(f"{HEAD}cards:\n  cthulhu:\n    text: {{en: '{evil}', ja: x, ko: x}}\n", "utf-8")
    (page,) = ritual_dsl.render("./house.yaml", lang="en", out=Path("out"))[:1]
    html = page.read_text("utf-8")
    assert "{{ 7 * 7 }}" in html and "49{" not in html and "class &#39;str" not in html


# ---------------------------------------------------------------- no other files


@pytest.mark.parametrize("way", ["../secret.yaml", "{out}/secret.yaml", "./link.yaml", "./folder/secret.yaml"])
@pytest.mark.parametrize("place", ["extends: {}\nid: house\n", "extends: arkham_ritual+{}\nid: house\n"])
def test_an_overlay_names_nothing_outside(way: str, place: str, folder: Path) -> None:
    Path("link.yaml").symlink_to(folder / "secret.yaml")
    Path("folder").symlink_to(folder)
    said = check(place.format(way.format(out=folder)))
    assert "RIT142" in said and "hunter2" not in said and "token" not in said


def test_a_scenario_names_nothing_outside(folder: Path) -> None:
    Path("x.scenario.yaml").write_text("game: ../secret.yaml\nscenarios: [{name: x, do: score}]\n")
    status, said = ritual("test", "x.scenario.yaml")
    assert status == 1 and "RIT142" in said and "hunter2" not in said


def test_a_file_names_only_files_of_games(folder: Path) -> None:
    Path(".git").rmdir()  # outside of a checkout too
    (folder / "passwords").write_text(SECRET)
    said = check("extends: ../passwords\nid: house\n")
    assert "RIT142" in said and "hunter2" not in said


def test_the_command_line_may_name_everything(folder: Path) -> None:
    (folder / "house.yaml").write_text(HEAD, "utf-8")
    assert ritual("check", "../house.yaml")[0] == 0
    assert ritual("check", f"arkham_ritual+{folder}/house.yaml")[0] == 0


def game_here() -> Path:
    """A game of one's own in the checkout."""
    status, said = ritual("fmt", "--check", ".")
    assert status == 0, said
    Path("game/cards").mkdir(parents=True)
    Path("game/game.yaml").write_text("language: 1\nid: mine\nname: {en: Mine}\nlanguages: [en]\nmain: go\n")
    return Path("game")


@pytest.mark.parametrize("name", ["cards/x.yaml", "x.ritual", "rulings.yaml", "errata.yaml"])
def test_a_link_in_a_game_shows_nothing(name: str, folder: Path) -> None:
    game = game_here()
    (game / name).symlink_to(folder / "secret.yaml")
    for words in (["check", "./game"], ["fmt", str(game / name)], ["fmt", "--diff", "./game"]):
        said = ritual(*words)[1]
        assert "hunter2" not in said and "token" not in said
    assert (folder / "secret.yaml").read_text() == SECRET


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_devices_and_pipes_are_not_read() -> None:
    game = game_here()
    (game / "cards" / "zero.yaml").symlink_to("/dev/zero")
    os.mkfifo(game / "pipe.ritual")
    said = ritual("check", "./game")[1]
    assert said.count("not a file") == 2
    assert ritual("fmt", "./game")[0] != 0


@pytest.mark.parametrize(
    "revision", ["--upload-pack=touch trace", "-h", "a b", "$(touch trace)", "HEAD:../secret.yaml"]
)
def test_a_revision_is_no_option(revision: str) -> None:
    said = check(f'extends: "./x@{revision}"\nid: house\n')
    assert re.search("RIT1(31|01|34|42)", said) and not Path("trace").exists()


# ---------------------------------------------------------------- no writing, no network


def test_checking_writes_nothing_and_calls_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    Path("house.yaml").write_text(HEAD + "rules: |\n  remove   fails.resonance\n", "utf-8")
    Path("x.scenario.yaml").write_text("game: ./house.yaml\nscenarios: [{name: x, do: deal, expect: {ended: none}}]\n")
    before = everything_below(folder)
    ritual("check", "./house.yaml")
    ritual("test", "x.scenario.yaml")
    ritual("why", "x.scenario.yaml")
    assert ritual("fmt", "--check", "--diff", ".")[0] == 1
    assert everything_below(folder) == before


def test_no_module_of_the_package_can_reach_the_network() -> None:
    """The page of `render --watch` answers, and asks nobody."""
    modules = r"socket|ssl|http(?!\.server)|urllib\.request|ftplib|smtplib|asyncio|requests"
    wanted = re.compile(rf"^\s*(?:import|from) ({modules})\b", re.MULTILINE)
    assert [p.name for p in (ROOT / "ritual_dsl").rglob("*.py") if wanted.search(p.read_text("utf-8"))] == []


# ---------------------------------------------------------------- limits


def laughs() -> str:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(["a0: &a0 lol", *levels, ""])


RULE = HEAD + "rules: |\n  rule odd: truth\n    it: "
LIMITS = {
    "size": (lambda: HEAD + "# " + "x" * LARGEST_FILE, "RIT102"),
    "levels of YAML": (lambda: HEAD + "cards: " + "[" * 100_000, "RIT112"),
    "aliases": (laughs, "RIT113"),
    "brackets": (lambda: RULE + "(" * 100_000 + "true" + ")" * 100_000, "RIT205"),
    "blocks": (lambda: HEAD + "rules: |\n" + "".join(f"  {'  ' * n}when true:\n" for n in range(500)), "RIT205"),
    "words on a line": (lambda: RULE + "not " * 100_000 + "true", "RIT205"),
    "words over broken lines": (lambda: RULE + "(" + "true and\n        " * 5_000 + "true)", "RIT205"),
    "errors": (lambda: HEAD + "rules: |\n" + "  remove fails.nothing\n" * 20_000, "RIT145"),
    "overlays on overlays": (lambda: "extends: ./house.yaml\nid: house\n", "RIT132"),
    "modules": (lambda: "extends: arkham_ritual" + "+doom_track" * 100_000 + "\nid: house\n", "RIT130"),
    "calls in a circle": (lambda: RULE + "odd", "RIT350"),
    "a number": (lambda: RULE + "9" * 100_000 + " = 1", "RIT202"),
}


@pytest.mark.parametrize("case", LIMITS)
def test_limits(case: str) -> None:
    make, code = LIMITS[case]
    assert code in check(make())


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (["repeat:", "  nothing"], "RIT502"),
        ([*(f"{'  ' * n}each q{n} in 1..1000:" for n in range(4)), "        nothing"], "RIT503"),
    ],
)
def test_runaway_rules_are_stopped(rows: list[str], code: str) -> None:
    body = "".join(f"    {row}\n" for row in rows)
    Path("house.yaml").write_text(f"{HEAD}rules: |\n  procedure run:\n{body}", "utf-8")
    Path("x.scenario.yaml").write_text(
        f"game: ./house.yaml\nscenarios: [{{name: x, players: 5, do: run, expect: {{error: {code}}}}}]\n"
    )
    status, said = ritual("test", "x.scenario.yaml")
    assert status == 0, said


# ---------------------------------------------------------------- nobody is deceived


@pytest.mark.parametrize("sign", ["\x1b[2J", "\x07", "\x85", "\u2028", "\u202e", "\u2066", "\x7f", "\ufeff", "\x9b31m"])
def test_unseen_characters_are_refused(sign: str) -> None:
    escaped = "".join(f"\\U{ord(c):08X}" for c in sign)
    for text in (
        f"{HEAD}# {sign}\n",
        f"{HEAD}rules: |\n  remove fails.{sign}resonance\n",
        f'{HEAD}cards:\n  cthulhu:\n    name: {{en: "x{escaped}", ja: x, ko: x}}\n',
        f'extends: "{escaped}"\nid: house\n',
        f'"{escaped}": x\n',
    ):
        said = check(text)
        assert "RIT140" in said, said
        assert not UNSEEN.search(said)
    Path("a.ritual").write_text(f"rule odd: truth  # {sign}\n  it: true\n", "utf-8")
    status, said = ritual("fmt", "--diff", "a.ritual")
    assert status == 1 and "RIT140" in said and not UNSEEN.search(said)


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_names_of_files_are_shown_harmless() -> None:
    evil = "\x1b[31m\n::error::pwned\u202e"
    Path(f"{evil}.yaml").write_text("rules: [\n")
    Path(f"{evil}.ritual").write_text("rule odd:truth\n  it: tru(\n")
    Path(f"{evil}.scenario.yaml").write_text("game: nowhere\nscenarios: [{name: x}]\n")
    for words in (["check", f"./{evil}.yaml"], ["fmt", "."], ["fmt", "--diff", f"{evil}.ritual"], ["test", "."]):
        said = ritual(*words)[1]
        assert said and not UNSEEN.search(said), repr(said)
        assert not COMMAND.search(said)


COMMAND = re.compile(r"^\s*::", re.MULTILINE)  # what GitHub reads as a command, in any log


@pytest.mark.parametrize(
    "body", ['"{}": 1\nbase_version: "{}"\n', 'cards:\n  cthulhu:\n    slot: "{0}"\n    color: "{0}"\n    "{0}": x\n']
)
def test_a_text_cannot_begin_a_line_of_the_log(body: str) -> None:
    said = check(HEAD + body.replace("{}", EVIL).replace("{0}", EVIL))
    assert "stop-commands" in said and not COMMAND.search(said)


def test_a_scenario_cannot_begin_a_line_of_the_log() -> None:
    given = f'given: {{active: "{EVIL}"}}, do: "{EVIL}", expect: {{ended: "{EVIL}"}}'
    Path("x.scenario.yaml").write_text(f'game: arkham_ritual\nscenarios: [{{name: "{EVIL}", {given}}}]\n')
    for words in (["test", "x.scenario.yaml"], ["test", "--format", "github", "x.scenario.yaml"]):
        status, said = ritual(*words)
        assert status == 1 and "stop-commands" in said
        assert all(match.group() == "::" for match in COMMAND.finditer(said)) and "\n::stop" not in said


def test_texts_on_sheets_are_escaped() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=y>"
    card = f"name: {{en: '{evil}', ja: x, ko: x}}\n    text: {{en: '\"{evil}', ja: x, ko: x}}"
    Path("house.yaml").write_text(f"{HEAD}cards:\n  cthulhu:\n    {card}\n", "utf-8")
    pages = [page.read_text("utf-8") for page in ritual_dsl.render("./house.yaml", out=Path("out"))]
    assert not any("<script>alert" in page or "<img src=x" in page for page in pages)
    assert any("&lt;script&gt;alert" in page for page in pages)
