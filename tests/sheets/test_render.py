"""The printable reference: complete, escaped, in every language, and careful with files."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ritual_dsl import load
from ritual_dsl.cli import render as command
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.model.game import Game
from ritual_dsl.sheets import render, render_html
from ritual_dsl.sheets.view import block, view
from ritual_dsl.source import Source, Span

BASE = "arkham_ritual"
HOSTILE = """\
extends: arkham_ritual
id: hostile
name: {en: "<script>alert(1)</script>"}
text: {en: "{{ 7 * 191 }} {% raw %}"}
cards:
  cthulhu:
    name: {en: "<img src=x onerror=alert(2)> {{ 7 * 191 }}"}
    text: {en: "\\"><script>alert(3)</script> & §10-4"}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return load(BASE)


@pytest.fixture
def hostile(tmp_path: Path) -> Game:
    path = tmp_path / "hostile.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    return load(str(path))


def test_one_file_for_each_language(game: Game, tmp_path: Path) -> None:
    paths = render(game, out=tmp_path)
    assert [p.name for p in paths] == ["rules.en.html", "rules.ja.html", "rules.ko.html"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rules.en.html", "rules.ja.html", "rules.ko.html"]
    for lang, path in zip(game.languages, paths, strict=True):
        assert f'<html lang="{lang}">' in path.read_text(encoding="utf-8")


def test_one_language_has_its_own_folder(tmp_path: Path) -> None:
    assert render(BASE, lang="ja", out=tmp_path) == [tmp_path / "ja" / "rules.html"]


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_section_card_and_ruling_is_there(game: Game, lang: str) -> None:
    page = render_html(game, lang)
    for cite in game.files.manifest.sections:
        assert page.count(f'<section id="s-{cite[1:]}">') == 1
    for card in game.cards:
        assert f'id="card-{card}"' in page
    for ruling in game.files.rulings:
        assert f'id="ruling-{ruling}"' in page
    assert page.count('<article class="card alternate"') == len(game.cards) - len(game.deck)


def test_every_link_arrives_and_no_anchor_stands_twice(game: Game) -> None:
    page = render_html(game, "en")
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_nothing_is_fetched(game: Game) -> None:
    page = render_html(game, "en")
    assert not re.search(r"<(script|link|img|iframe)\b|url\(|@import|https?:", page)


def test_every_rule_is_printed_once(game: Game) -> None:
    page = view(game, "en")
    printed = [r.name for s in page.sections for r in s.rules] + [r.name for r in page.other]
    for name, rule in game.rules.items():
        if rule.card is None:
            assert printed.count(f"rule {name}") == 1


def test_modules_are_named(game: Game) -> None:
    chosen = load(f"{BASE}+hastur+doom_track+yog_sothoth_least=others")
    assert view(game, "en").modules == ()
    assert {m.reference for m in view(chosen, "en").modules} == {"doom_track", "yog_sothoth_least=others", "hastur"}
    ruling = next(r for r in view(chosen, "en").rulings if r.id == "yog_sothoth_least")
    assert [o.id for o in ruling.options if o.chosen] == ["others"]


def test_words_of_strangers_are_escaped(hostile: Game) -> None:
    page = render_html(hostile, "en")
    assert "<script" not in page and "<img" not in page
    assert "&lt;script&gt;alert(1)" in page and "&lt;img src=x onerror=alert(2)&gt;" in page
    assert page.count("{{ 7 * 191 }}") >= 2 and "1337" not in page
    assert '&#34;&gt;&lt;script&gt;alert(3)&lt;/script&gt; &amp; <a href="#s-10-4">§10-4</a>' in page
    assert '<span class="mark changed">changed by hostile</span>' in page


def test_a_missing_text_falls_back_visibly(game: Game) -> None:
    card = next(iter(game.cards.values()))
    bare = replace(game, cards={**game.cards, card.id: replace(card, name={"en": "Only English"})})
    page = render_html(bare, "ja")
    assert '<span class="missing" lang="en">Only English</span> <span class="mark">[en: 未訳]</span>' in page
    assert 'class="missing"' not in render_html(bare, "en")


def test_the_fingerprint_is_of_the_sources(game: Game, hostile: Game) -> None:
    first = view(game, "en").fingerprint
    assert re.fullmatch(r"[0-9a-f]{10}", first)
    assert first == view(game, "ja").fingerprint != view(hostile, "en").fingerprint


def test_a_foreign_file_stays(game: Game, tmp_path: Path) -> None:
    foreign = tmp_path / "rules.ja.html"
    foreign.write_text("<p>mine</p>", encoding="utf-8")
    with pytest.raises(RitualError) as caught:
        render(game, out=tmp_path)
    assert [d.code for d in caught.value.diagnostics] == ["RIT801"]
    assert [p.name for p in tmp_path.iterdir()] == ["rules.ja.html"]
    assert foreign.read_text(encoding="utf-8") == "<p>mine</p>"


def test_a_generated_file_is_replaced_by_the_same(game: Game, tmp_path: Path) -> None:
    before = [p.read_bytes() for p in render(game, out=tmp_path)]
    assert [p.read_bytes() for p in render(game, out=tmp_path)] == before


def test_a_language_is_no_way_out_of_the_folder(game: Game, tmp_path: Path) -> None:
    manifest = replace(game.files.manifest, languages=("../en",))
    with pytest.raises(RitualError):
        render(replace(game, files=replace(game.files, manifest=manifest)), out=tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_block_ends_with_its_indent() -> None:
    source = Source("x", "  rule a: any of\n    b: c(\n  d)\n\n    # e\n    f: g\n\n  # next\n  rule h: any of\n")
    assert block(Span(source, 1, 3, 1, 9)) == "rule a: any of\n  b: c(\nd)\n\n  # e\n  f: g"


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.arguments(parser)
    return command.run(parser.parse_args(words))


def test_the_command_prints_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(BASE, "--out", str(tmp_path)) == 0
    assert capsys.readouterr().out.split() == [
        str(tmp_path / f"rules.{lang}.html") for lang in ("en", "ja", "ko")
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "pdf"), "not available yet"),
        (("--sheet", "cards"), "not available yet"),
        (("--lang", "jap"), "did you mean `ja`?"),
        (("--lang", "xx"), "`ja` or `ko`"),
    ],
)
def test_what_there_is_not(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(BASE, "--out", str(tmp_path), *words) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
