"""Cards as they come out of the printer: measured in the PDF, not in the code that made it."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pypdf", reason="the extra `test` is not installed: PDFs are not measured")
pytest.importorskip("typst", reason="the extra `pdf` is not installed: nothing is typeset")

from paper import Drawn, drawn, fonts, read
from pypdf.generic import ContentStream

from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.model.game import Game
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.render import make
from ritual_dsl.sheets.workshop import Workshop

BASE = "arkham_ritual"
WIDTH, HEIGHT, EXACT = 63.0, 88.0, 0.05


@pytest.fixture(scope="module")
def game() -> Game:
    return load(BASE)


def cards(game: Game, workshop: Workshop, lang: str = "en", format: str = "pdf", **options: object) -> dict[str, bytes]:
    langs = [tuple(lang.split("+"))]
    return make(game, workshop, langs, "cards", format, Options(**options), Path("out"))  # type: ignore[arg-type]


def pdf(game: Game, workshop: Workshop, **options: object) -> bytes:
    return cards(game, workshop, **options)["cards.en.pdf"]  # type: ignore[arg-type]


def grounds(page: Drawn, size: tuple[float, float] = (WIDTH, HEIGHT)) -> list[tuple[float, float]]:
    """The corners of the filled rectangles that are as large as a card."""
    return sorted(
        (round(x, 3), round(y, 3)) for x, y, w, h in page.rects if abs(w - size[0]) < EXACT and abs(h - size[1]) < EXACT
    )


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_nine_cards_of_63_by_88(game: Game, workshop: Workshop, paper: str) -> None:
    pages = drawn(pdf(game, workshop, paper=paper, bleed=0.0))
    assert len(grounds(pages[0])) == 9
    assert abs(pages[0].width - {"a4": 210, "letter": 215.9}[paper]) < EXACT


def test_crop_marks_are_a_card_apart_and_outside_the_bleed(game: Game, workshop: Workshop) -> None:
    page = drawn(pdf(game, workshop))[0]
    upright = sorted({round(x1, 2) for x1, _, x2, _ in page.lines if abs(x1 - x2) < 0.01})
    level = sorted({round(y1, 2) for _, y1, _, y2 in page.lines if abs(y1 - y2) < 0.01})
    assert [abs(b - a - WIDTH) < EXACT for a, b in zip(upright[::2], upright[1::2], strict=True)] == [True] * 3
    assert [abs(b - a - HEIGHT) < EXACT for a, b in zip(level[::2], level[1::2], strict=True)] == [True] * 3
    left, top = min(x for x, *_ in page.rects if x > 4), min(y for _, y, *_ in page.rects if y > 4)
    assert abs(left - (upright[0] - 1.5)) < EXACT  # the ground reaches 1.5 mm beyond the cut
    for x1, y1, x2, y2 in page.lines:
        assert x1 == pytest.approx(x2, abs=0.01) or max(x1, x2) < left or min(x1, x2) > page.width - left
        assert y1 == pytest.approx(y2, abs=0.01) or max(y1, y2) < top or min(y1, y2) > page.height - top


@pytest.mark.parametrize(("marks", "count"), [("none", 0), ("edge", 24), ("full", 12)])
def test_kinds_of_marks(game: Game, workshop: Workshop, marks: str, count: int) -> None:
    assert len(drawn(pdf(game, workshop, marks=marks))[0].lines) == count


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("edge", ["long", "short"])
def test_backs_lie_behind_their_fronts(game: Game, workshop: Workshop, paper: str, edge: str) -> None:
    pages = drawn(pdf(game, workshop, paper=paper, backs=edge, bleed=0.0))
    assert len(pages) == 8
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        turned = [
            (round(front.width - x - WIDTH, 3), y) if edge == "long" else (x, round(front.height - y - HEIGHT, 3))
            for x, y in grounds(front)
        ]
        there = grounds(back)
        assert len(there) == len(turned) > 0
        for (x, y), (u, v) in zip(sorted(turned), there, strict=True):
            assert abs(x - u) < EXACT and abs(y - v) < EXACT


def test_an_offset_moves_the_backs_only(game: Game, workshop: Workshop) -> None:
    still, moved = (drawn(pdf(game, workshop, bleed=0.0, back_offset=o)) for o in ((0.0, 0.0), (0.7, -1.2)))
    assert grounds(still[0]) == grounds(moved[0])
    for (x, y), (u, v) in zip(grounds(still[1]), grounds(moved[1]), strict=True):
        assert abs(u - x - 0.7) < 0.01 and abs(v - y + 1.2) < 0.01


def test_fold_over_backs_mirror_the_fronts_at_the_fold(game: Game, workshop: Workshop) -> None:
    for page in drawn(pdf(game, workshop, backs="fold", bleed=0.0)):
        fold = page.height / 2
        corners = grounds(page)
        above = sorted(x for x, y in corners if y < fold - 1)
        assert above == sorted(x for x, y in corners if y > fold - 1) and above
        assert {round(y, 2) for _, y in corners} == {round(fold - HEIGHT, 2), round(fold, 2)}


@pytest.mark.parametrize("lang", ["en", "ja", "ko", "en+ja"])
def test_every_card_as_often_as_it_is_in_the_box(game: Game, workshop: Workshop, lang: str) -> None:
    text = "".join(
        re.sub(r"\s", "", page.extract_text())
        for page in read(cards(game, workshop, lang, backs="none")[f"cards.{lang}.pdf"]).pages
    )
    for card in game.cards.values():
        for one in lang.split("+"):
            sentence = re.sub(r"\s", "", card.text[one])
            twins = sum(c.copies for c in game.cards.values() if re.sub(r"\s", "", c.text[one]) == sentence)
            assert text.count(sentence) == twins, (card.id, one)


def test_fonts_are_embedded_and_small(game: Game, workshop: Workshop) -> None:
    document = cards(game, workshop, "ja")["cards.ja.pdf"]
    found = fonts(document)
    assert found and all(found.values())
    assert all(re.match(r"/[A-Z]{6}\+(NotoSansCJK|DejaVuSansMono)", name) for name in found)  # a prefix says: a subset
    assert len(document) < 400_000


def test_the_document_is_tagged_and_says_its_language(game: Game, workshop: Workshop) -> None:
    root = read(cards(game, workshop, "ko")["cards.ko.pdf"]).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] and root["/Lang"] == "ko" and "/StructTreeRoot" in root


def test_the_same_input_gives_the_same_bytes(game: Game, workshop: Workshop) -> None:
    first = cards(game, workshop, "ja", "pdf,html")
    with Workshop() as another:
        assert cards(game, another, "ja", "pdf,html") == first


def png_size(image: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", image[16:24])
    return width, height


def test_single_cards_carry_their_bleed(game: Game, workshop: Workshop) -> None:
    made = cards(game, workshop, format="png", bleed=3.0)
    single = {name: image for name, image in made.items() if name.startswith("cards.en/")}
    assert set(single) == {f"cards.en/{card}.png" for card in (*game.cards, "back")}
    assert png_size(single["cards.en/cthulhu.png"]) == pytest.approx((69 / 25.4 * 300, 94 / 25.4 * 300), abs=1)
    assert sum(name.count("/") == 0 for name in made) == 8


def test_a_deck_for_the_tabletop_simulator(game: Game, workshop: Workshop) -> None:
    made = cards(game, workshop, format="tts", base_url="https://example.org/deck/")
    deck = json.loads(made["deck.en.json"])["ObjectStates"][0]
    assert len(deck["DeckIDs"]) == len(deck["ContainedObjects"]) == sum(c.copies for c in game.cards.values())
    sheet = deck["CustomDeck"]["1"]
    assert sheet["FaceURL"] == "https://example.org/deck/deck.en.1.png"
    width, height = png_size(made["deck.en.1.png"])
    assert width <= 4096
    assert width / sheet["NumWidth"] / (height / sheet["NumHeight"]) == pytest.approx(WIDTH / HEIGHT, abs=0.002)
    names = [card["Nickname"] for card in deck["ContainedObjects"]]
    assert names.count("Tome (sane)") == 2 and names.count("Hastur") == 1


def test_little_ink_leaves_the_ground_white(game: Game, workshop: Workshop) -> None:
    full, low = (pdf(game, workshop, ink=ink) for ink in ("full", "low"))
    assert {color(full, page) for page in (0, 2)} != {color(low, page) for page in (0, 2)} == {(1.0, 1.0, 1.0)}


def color(document: bytes, page: int) -> tuple[float, ...]:
    """The colour of the first thing that is filled."""
    reader = read(document)
    for operands, operator in ContentStream(reader.pages[page].get_contents(), reader).operations:
        if operator in (b"rg", b"scn", b"g"):
            numbers = [float(x) for x in operands]
            return tuple(numbers * 3 if len(numbers) == 1 else numbers)
    raise AssertionError("nothing is filled")


@pytest.mark.parametrize("name", [BASE, "shipwreck_arcana"])
def test_no_line_of_japanese_is_a_mere_syllable(workshop: Workshop, name: str) -> None:
    made = make(load(name), workshop, [("ja",)], "aid,cards", "pdf", Options(), Path("out"))
    lines = [line for file in made.values() for page in read(file).pages for line in page.extract_text().splitlines()]
    assert len(lines) > 100
    assert not [line for line in lines if re.fullmatch(r"[ぁ-ん]{1,2}。.*", line)]


# ---- house rules and what goes wrong


def overlay(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "house.yaml"
    path.write_text(f"extends: {BASE}\nid: ours\ncards:\n  cthulhu:\n    text: {{en: {text}}}\n", encoding="utf-8")
    return load(str(path))


def test_changed_cards_are_marked_and_can_be_printed_alone(workshop: Workshop, tmp_path: Path) -> None:
    game = overlay(tmp_path, "Loud.")
    whole = read(pdf(game, workshop, backs="none"))
    alone = read(pdf(game, workshop, backs="none", changed_from=BASE))
    assert "changed by ours" in "".join(page.extract_text() for page in whole.pages)
    assert len(alone.pages) == 1
    assert alone.pages[0].extract_text().count("Awakened") == 0 and "Loud." in alone.pages[0].extract_text()


def test_nothing_differs(game: Game, workshop: Workshop) -> None:
    with pytest.raises(RitualError) as caught:
        pdf(game, workshop, changed_from=BASE)
    assert [d.code for d in caught.value.diagnostics] == ["RIT669"]


def test_the_footer_tells_two_decks_apart(game: Game, workshop: Workshop) -> None:
    other = load(f"{BASE}+hastur")
    prints = [re.search(r"Fingerprint (\w{10})", read(pdf(g, workshop)).pages[0].extract_text()) for g in (game, other)]
    assert prints[0] and prints[1] and prints[0][1] != prints[1][1]
    assert "hastur" in read(pdf(other, workshop)).pages[0].extract_text()
    assert "Print at 100 %" in read(pdf(game, workshop)).pages[0].extract_text()


def test_a_missing_character_names_the_card(workshop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(RitualError) as caught:
        pdf(overlay(tmp_path, "A cat 🐈 and 𒀀."), workshop)
    found = [(d.code, d.message) for d in caught.value.diagnostics]
    assert [code for code, _ in found] == ["RIT664", "RIT664"]
    assert "U+12000" in found[0][1] and "U+1F408" in found[1][1] and "`cthulhu`" in found[0][1]
    place = caught.value.diagnostics[0].span
    assert place is not None and place.source.path.endswith("house.yaml")  # where the words were written


def test_text_that_overflows_is_measured(workshop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(RitualError) as caught:
        pdf(overlay(tmp_path, "many words " * 90), workshop)
    (found,) = caught.value.diagnostics
    assert found.code == "RIT663"
    over = re.search(r"`cthulhu` \(en\) is ([0-9.]+) mm too tall", found.message)
    assert over and 5 < float(over[1]) < 100
    with pytest.raises(RitualError, match="mm too wide"):
        pdf(overlay(tmp_path, "Donau" * 12), workshop)
    with pytest.raises(RitualError, match="the name of `cthulhu`") as caught:
        pdf(overlay(tmp_path, "Loud.}\n    name: {en: " + "Donau" * 12), workshop)
    assert caught.value.diagnostics[0].span and caught.value.diagnostics[0].span.line == 6


def test_words_from_before_a_house_rule_are_seen(workshop: Workshop, tmp_path: Path) -> None:
    """The house rule says it in English only: the Japanese text is still the one in the box."""
    game = overlay(tmp_path, "Loud.")
    english = "".join(page.extract_text() for page in read(pdf(game, workshop, changed_from=BASE)).pages)
    japanese = read(cards(game, workshop, "ja", changed_from=BASE)["cards.ja.pdf"]).pages[0].extract_text()
    assert "[ja: 変更前の文]" in japanese and "as before the change" not in english


def test_a_missing_translation_is_seen(workshop: Workshop, game: Game) -> None:
    bare = replace(game, cards={**game.cards, "cthulhu": replace(game.cards["cthulhu"], text={"en": "Only English."})})
    text = read(cards(bare, workshop, "ja")["cards.ja.pdf"]).pages[4].extract_text()
    assert "Only English." in text and "[ja: 未訳]" in text
