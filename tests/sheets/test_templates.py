"""Templates of strangers: they change any block, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.model.game import Game
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.render import make
from ritual_dsl.sheets.typst_values import literal
from ritual_dsl.sheets.workshop import Workshop, read_templates


@pytest.fixture(scope="module")
def game() -> Game:
    return load("arkham_ritual")


def made(game: Game, folder: Path, name: str, text: str, seconds: float = 20) -> bytes:
    (folder / name).write_text(text, encoding="utf-8")
    sheet, kind = name.split(".")[:2]
    format = "html" if kind == "html" else "pdf"
    with Workshop(read_templates(folder), seconds) as workshop:
        return make(game, workshop, [("en",)], sheet, format, Options(), folder)[f"{sheet}.en.{format}"]


def found(game: Game, folder: Path, name: str, text: str, seconds: float = 20) -> tuple[str, str, str]:
    with pytest.raises(RitualError) as caught:
        made(game, folder, name, text, seconds)
    (one,) = caught.value.diagnostics
    return one.code, one.message, str(one.span or "").rpartition("/")[2]


def test_a_block_is_overridden_and_the_rest_stays(game: Game, tmp_path: Path) -> None:
    text = '{% extends "ritual/aid.html.j2" %}{% block panel %}<p>{{ panel.title[0].text }}!</p>{% endblock %}'
    page = made(game, tmp_path, "aid.html.j2", text).decode("utf-8")
    assert "<p>Scoring!</p>" in page and "<title>Arkham Ritual: Player aid</title>" in page


def test_values_are_escaped_in_html(game: Game, tmp_path: Path) -> None:
    block = '{% block content %}{{ "<b>" }}{{ sheet.title[0].text ~ "<i>" }}{% endblock %}'
    text = '{% extends "ritual/aid.html.j2" %}' + block
    page = made(game, tmp_path, "aid.html.j2", text).decode("utf-8")
    assert "&lt;b&gt;Arkham Ritual&lt;i&gt;" in page


def test_a_page_keeps_its_security_policy(game: Game, tmp_path: Path) -> None:
    page = made(game, tmp_path, "aid.html.j2", "</head><script>alert(1)</script>").decode("utf-8")
    head, _, rest = page.partition("</head>")
    assert "script-src 'sha256-" in head and "unsafe-inline'; font" in head and "alert(1)" in rest


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        ("<p>\n  {{ sheet.title }\n", "unexpected '}'", "aid.html.j2:2:3"),
        ("<p>\n{% blok x %}", "unknown tag 'blok'", "aid.html.j2:2:1"),
        ("\n\n{{ sheet.titel }}", "no attribute 'titel'", "aid.html.j2:3:1"),
        ("{{ nothing }}", "'nothing' is undefined", "aid.html.j2:1:1"),
        ("{{ ''.__class__.__mro__ }}", "unsafe", "aid.html.j2:1:1"),
        ("{{ sheet.__init__.__globals__ }}", "unsafe", "aid.html.j2:1:1"),
        ("{{ cycler.__init__.__globals__.os }}", "unsafe", "aid.html.j2:1:1"),
        ('{% include "../worker.py" %}', "there is no template `../worker.py`", "aid.html.j2:1:1"),
        ('{% extends "/etc/passwd" %}', "there is no template `/etc/passwd`", "aid.html.j2:1:1"),
        ("{{ 1 / 0 }}", "division by zero", "aid.html.j2:1:1"),
    ],
)
def test_faults_are_shown_where_they_are(game: Game, tmp_path: Path, text: str, said: str, place: str) -> None:
    code, message, span = found(game, tmp_path, "aid.html.j2", text)
    assert code == "RIT665" and said in message, message
    assert span == place


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        ("#let panel(p) = {\n  nothing(p)\n}", "unknown variable: nothing", "aid.typ.j2:4:3"),
        ('#let panel(p) = read("/etc/passwd")', "file not found", "aid.typ.j2:3:22"),
        ("#let panel(p) = p.nothing", "does not contain key", "aid.typ.j2:3:19"),
        ("#let panel(p) = (", "unclosed delimiter", "aid.typ.j2:3:17"),
        ("#let panel(p) = [#panel-title[A]#metadata(7) <overflow>]", "says piece, part, over, way", ""),
    ],
)
def test_faults_of_typesetting_too(game: Game, tmp_path: Path, text: str, said: str, place: str) -> None:
    pytest.importorskip("typst", reason="the extra `pdf` is not installed: nothing is typeset")
    block = f'{{% extends "ritual/aid.typ.j2" %}}\n{{% block panel %}}\n{text}\n{{% endblock %}}\n'
    code, message, span = found(game, tmp_path, "aid.typ.j2", block)
    assert (code, span) == ("RIT665", place) and said in message, message


@pytest.mark.parametrize(
    "text",
    [
        "{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}",
        "{% for i in range(90000) %}{% for j in range(90000) %}xxxxxxxxxxxxxxxx{% endfor %}{% endfor %}",
        "{{ 'x' * 9999999999 }}",
        "{{ 9 ** (9 ** 9) }}",
    ],
)
def test_none_of_them_stalls_a_machine(game: Game, tmp_path: Path, text: str) -> None:
    code, _, _ = found(game, tmp_path, "aid.html.j2", text, seconds=2)
    assert code == "RIT666"


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "aid.html.j2").symlink_to("/etc/passwd")
    with pytest.raises(RitualError, match="0 templates"):
        read_templates(tmp_path)


# ---- Typst


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ('a"#b\\\n', '"a\\"#b\\\\\\n"'),
        ("\x00\u202e", '"\\u{0}\\u{202e}"'),
        ([1, -2.5, None, True], "(1, (-2.5), none, true, )"),
        ([], "()"),
        ({"a b": {}}, '("a b": (:))'),
    ],
)
def test_values_become_literals(value: object, code: str) -> None:
    assert literal(value) == code


def test_typst_templates(game: Game, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra `pdf` is not installed: nothing is typeset")
    base = '{% extends "ritual/aid.typ.j2" %}{% block sheet %}CODE{% endblock %}'

    def fault(code: str) -> tuple[str, str, str]:
        return found(game, tmp_path, "aid.typ.j2", base.replace("CODE", code))

    plain = base.replace("CODE", '#set page(width: 9cm)\n= #{{ sheet.game + "#panic()" }}')
    assert made(game, tmp_path, "aid.typ.j2", plain).startswith(b"%PDF")
    assert fault("#let x = ")[0] == "RIT665"
    assert "not found" in fault('#read("/etc/passwd")')[1]
    assert "download" in fault('#import "@preview/cetz:0.3.0"')[1]
