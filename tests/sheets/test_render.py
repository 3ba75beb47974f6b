"""Sheets as pages: complete, escaped, in every language, and careful with files."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ritual_dsl import load
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.model.game import Game
from ritual_dsl.sheets import view
from ritual_dsl.sheets.content import Content, Data, fingerprint
from ritual_dsl.sheets.options import SHEETS, Options
from ritual_dsl.sheets.phrases import Speaker
from ritual_dsl.sheets.render import make, render
from ritual_dsl.sheets.view import block, level
from ritual_dsl.sheets.workshop import Workshop
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
    text: {en: "\\"><script>alert(3)</script> & §10-4 #panic() $ \\\\ *b*"}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return load(BASE)


@pytest.fixture
def hostile(tmp_path: Path) -> Game:
    path = tmp_path / "hostile.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    return load(str(path))


def page(game: Game, workshop: Workshop, lang: str = "en", sheet: str = "rules") -> str:
    made = make(game, workshop, [tuple(lang.split("+"))], sheet, "html", Options(), Path("out"))
    return made[f"{sheet}.{lang}.html"].decode("utf-8")


def test_a_file_for_each_sheet_and_language(game: Game, tmp_path: Path) -> None:
    paths = render(game, out=tmp_path)
    assert {p.name for p in paths} == {f"{s}.{lang}.html" for s in SHEETS for lang in ("en", "ja", "ko")}
    assert {p.name for p in tmp_path.iterdir()} == {*(p.name for p in paths), ".ritual-made"}
    for path in paths:
        assert f'<html lang="{path.name.split(".")[1]}">' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "ja", "ko", "en+ko"])
def test_every_section_card_and_ruling_is_there(game: Game, workshop: Workshop, lang: str) -> None:
    text = page(game, workshop, lang)
    for cite in game.files.manifest.sections:
        assert text.count(f'<section id="s-{cite[1:]}" data-find>') == 1
    for card in game.cards:
        assert f'id="card-{card}"' in text
    for ruling in game.files.rulings:
        assert f'id="ruling-{ruling}"' in text
    assert text.count('<article class="card alternate"') == len(game.cards) - len(game.deck)


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_links_arrive_ids_are_unique_and_nothing_is_fetched(
    game: Game, workshop: Workshop, sheet: str, lang: str
) -> None:
    text = page(game, workshop, lang, sheet)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
    assert not re.search(r"<(link|img|iframe)\b|@import|(?<!xmlns=\")https?:", text)
    assert re.findall(r"url\(.{0,20}", text) in ([], ['url("data:font/woff;base'])
    assert text.count("<script>") == 1
    Balanced().feed(text)


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    VOID = frozenset(("meta", "br", "input", "img", "hr", "link"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()


def test_every_rule_is_printed_once(game: Game) -> None:
    sections, other = view.sections(game, Speaker(game, ("en",)))
    printed = [r["name"] for s in sections for r in s["rules"]] + [r["name"] for r in other]
    for name, rule in game.rules.items():
        if rule.card is None:
            assert printed.count(f"rule {name}") == 1


def test_modules_are_named(game: Game) -> None:
    chosen = load(f"{BASE}+hastur+doom_track+yog_sothoth_least=others")
    speaker = Speaker(chosen, ("en",))
    assert view.modules(game, Speaker(game, ("en",))) == []
    named = {m["reference"] for m in view.modules(chosen, speaker)}
    assert named == {"doom_track", "yog_sothoth_least=others", "hastur"}
    ruling = next(r for r in view.rulings(chosen, speaker) if r["id"] == "yog_sothoth_least")
    assert [o["id"] for o in ruling["options"] if o["chosen"]] == ["others"] and ruling["differs"]
    changed = {face["id"] for face in Content(chosen, ("en",), Options()).printed_faces() if face["changed"]}
    assert changed == {"yog_sothoth"}


def test_a_card_that_a_ruling_changes_names_the_answer_once() -> None:
    chosen = load("shipwreck_arcana+hours_slide=end_of_turn+hours_condition=free")
    faces = Content(chosen, ("en",), Options()).printed_faces()
    marks = {face["id"]: face["changed"] for face in faces if face["changed"]}
    assert marks == {"the_hours": ["hours_slide=end_of_turn", "hours_condition=free"]}


def test_the_aid_tells_what_is_in_the_deck_once(game: Game, tmp_path: Path) -> None:
    """A card without rules of its own leaves it to its group, if that says something, and else speaks for itself."""
    said = {card["id"]: card["text"] for group in aid(game)["groups"] for card in group["cards"]}
    assert set(said) == set(game.deck)
    assert not said["tome_sane"] and next(g["text"] for g in aid(game)["groups"] if g["id"] == "artifact")
    assert said["cultist"][0]["text"].startswith("While somebody holds this")
    house = tmp_path / "house.yaml"
    words = "extends: shipwreck_arcana\nid: house\nname: {en: House}\ncards:\n"
    house.write_text(words + "  calm: {name: {en: Calm}, cite: §L, text: {en: Nothing happens here.}}\n", "utf-8")
    (calm,) = [card for group in aid(load(str(house)))["groups"] for card in group["cards"] if card["id"] == "calm"]
    assert not calm["rules"] and calm["text"][0]["text"] == "Nothing happens here."


def aid(game: Game) -> Data:
    return Content(game, ("en",), Options()).aid()


def test_a_section_lies_in_the_one_that_its_citation_extends() -> None:
    known = ("§1", "§10", "§10-2", "§10-2-1", "§12-Q1", "§E", "§E1", "§FAQ-1")
    assert [level(cite, known) for cite in known] == [0, 0, 1, 2, 0, 0, 1, 0]


def test_words_of_strangers_are_escaped(hostile: Game, workshop: Workshop) -> None:
    for sheet in ("rules", "aid", "cards"):
        text = page(hostile, workshop, sheet=sheet)
        assert text.count("<script") == 1 and "<img" not in text
        assert "&lt;img src=x onerror=alert(2)&gt;" in text and "{{ 7 * 191 }}" in text and "1337" not in text
    text = page(hostile, workshop)
    assert '&#34;&gt;&lt;script&gt;alert(3)&lt;/script&gt; &amp; <a href="#s-10-4">§10-4</a>' in text
    assert '<span class="mark changed">changed by hostile</span>' in text


def test_words_of_strangers_are_no_markup_on_paper(hostile: Game, workshop: Workshop) -> None:
    pytest.importorskip("pypdf", reason="the extra `test` is not installed: PDFs are not read")
    pytest.importorskip("typst", reason="the extra `pdf` is not installed: nothing is typeset")
    from paper import read

    made = make(hostile, workshop, [("en",)], "cards", "pdf", Options(backs="none"), Path("out"))
    text = "".join(p.extract_text() for p in read(made["cards.en.pdf"]).pages)
    assert "#panic()" in text and "*b*" in text and "{{ 7 * 191 }}" in text


def test_a_missing_text_falls_back_visibly(game: Game, workshop: Workshop) -> None:
    card = next(iter(game.cards.values()))
    bare = replace(game, cards={**game.cards, card.id: replace(card, name={"en": "Only English"})})
    shown = '<span lang="en">Only English</span> <span class="mark missing">[ja: 未訳]</span>'
    assert shown in page(bare, workshop, "ja")
    assert "[ja: 未訳]" in page(bare, workshop, "en+ja")
    assert "mark missing" not in page(bare, workshop, "en").split("</style>")[1]


def test_a_fingerprint_is_of_rules_modules_and_deck(game: Game, hostile: Game) -> None:
    first = fingerprint(game)
    assert re.fullmatch(r"[0-9a-f]{10}", first)
    others = {fingerprint(hostile), fingerprint(load(f"{BASE}+hastur")), fingerprint(load(f"{BASE}+doom_max=5"))}
    assert first == fingerprint(load(BASE)) and len(others | {first}) == 4


# ---- files


def test_a_foreign_file_stays(game: Game, tmp_path: Path) -> None:
    foreign = tmp_path / "rules.ja.html"
    foreign.write_text("<p>mine</p>", encoding="utf-8")
    with pytest.raises(RitualError) as caught:
        render(game, out=tmp_path)
    assert [d.code for d in caught.value.diagnostics] == ["RIT801"]
    assert [p.name for p in tmp_path.iterdir()] == ["rules.ja.html"]
    assert foreign.read_text(encoding="utf-8") == "<p>mine</p>"
    render(game, lang="ja", sheet="rules", out=tmp_path, options=Options(force=True))
    assert "<p>mine</p>" not in foreign.read_text(encoding="utf-8")


def test_a_made_file_is_replaced_until_somebody_edits_it(game: Game, tmp_path: Path) -> None:
    (path,) = render(game, lang="en", sheet="aid", out=tmp_path)
    before = path.read_bytes()
    assert render(game, lang="en", sheet="aid", out=tmp_path)[0].read_bytes() == before
    path.write_bytes(before + b"<!-- my note -->")
    with pytest.raises(RitualError, match="changed since"):
        render(game, lang="en", sheet="aid", out=tmp_path)


def test_a_language_is_no_way_out_of_the_folder(game: Game, tmp_path: Path) -> None:
    manifest = replace(game.files.manifest, languages=("../en",))
    with pytest.raises(RitualError):
        render(replace(game, files=replace(game.files, manifest=manifest)), out=tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_block_ends_with_its_indent() -> None:
    source = Source("x", "  rule a: any of\n    b: c(\n  d)\n\n    # e\n    f: g\n\n  # next\n  rule h: any of\n")
    assert block(Span(source, 1, 3, 1, 9)) == "rule a: any of\n  b: c(\nd)\n\n  # e\n  f: g"


def test_the_command_prints_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", BASE, "--sheet", "aid", "--lang", "en,ja", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / f"aid.{lang}.html") for lang in ("en", "ja")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "pfd"), "did you mean `pdf`?"),
        (("--sheet", "crads"), "did you mean `cards`?"),
        (("--lang", "jap"), "did you mean `ja`?"),
        (("--lang", "xx"), "`en`, `ja` or `ko`"),
        (("--lang", "en+ja+ko"), "not a language or two"),
        (("--paper", "a5"), "there is no paper `a5`"),
        (("--back-offset", "1"), "write two numbers"),
        (("--bleed", "99"), "from 0 to 10 mm"),
        (("--bleed", "nan"), "from 0 to 10 mm"),
        (("--ppi", "100000"), "from 36 to 1200"),
        (("--templates", "nowhere"), "not a folder"),
        (("--format", "tts", "--sheet", "aid"), "--sheet cards"),
    ],
)
def test_what_there_is_not(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", BASE, "--out", str(tmp_path), *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert main(["render", BASE, "--sheet", "aid", "--lang", "en", "--out", str(tmp_path / "file" / "out")]) == 2
    assert "cannot be written" in capsys.readouterr().err
