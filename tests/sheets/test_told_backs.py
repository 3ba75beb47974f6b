"""A game whose backs tell something and whose pieces are not all cards."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pypdf", reason="the extra `test` is not installed: PDFs are not measured")
pytest.importorskip("typst", reason="the extra `pdf` is not installed: nothing is typeset")

from paper import drawn, read

from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.loading.game_files import cards_folder
from ritual_dsl.loading.look import Look
from ritual_dsl.model.game import Game
from ritual_dsl.sheets.content import Content, look_of
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.render import make
from ritual_dsl.sheets.workshop import Workshop

POWER = "power"


@pytest.fixture(scope="module")
def game() -> Game:
    return load("shipwreck_arcana")


@pytest.fixture(scope="module")
def look(game: Game) -> Look:
    return look_of(game)


def made(
    game: Game, workshop: Workshop, sheet: str, format: str, lang: str = "en", **options: object
) -> dict[str, bytes]:
    return make(game, workshop, [(lang,)], sheet, format, Options(**options), Path("out"))  # type: ignore[arg-type]


def bare(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_each_back_lies_behind_its_front(game: Game, look: Look, workshop: Workshop, lang: str) -> None:
    pages = read(made(game, workshop, "cards", "pdf", lang)[f"cards.{lang}.pdf"]).pages
    cards = [card for card in game.cards.values() if not card.piece]
    for first in range(0, len(cards), 9):
        front, back = (bare(pages[first // 9 * 2 + side].extract_text()) for side in (0, 1))
        for card in cards[first : first + 9]:
            assert bare(card.text[lang]) in front
        powers = [str(card.attributes[POWER]) for card in cards[first : first + 9] if card.attributes[POWER]]
        for power in powers:
            assert back.count(bare(look.values[POWER][power].text[lang])) == powers.count(power)


def test_backs_are_mirrored_one_by_one(game: Game, workshop: Workshop) -> None:
    """Turned over its long edge, the paper shows the back of each card where its front was."""
    pages = Content(game, ("en",), Options()).cards()["pages"]
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        for one, other in zip(front["slots"], back["slots"], strict=True):
            assert one["piece"] == other["piece"] and one["y"] == other["y"]
            assert abs(one["x"] + other["x"] + 63 - 210) < 0.01


def test_every_piece_that_is_no_card_is_a_token_as_often_as_there_are_copies(game: Game, workshop: Workshop) -> None:
    content = Content(game, ("en",), Options())
    pieces = {card.id: card.copies for card in game.cards.values() if card.piece}
    markers = {m["id"]: m for m in content.tokens()["markers"]}
    assert {name: markers[name]["copies"] for name in pieces} == pieces
    assert [markers[name]["label"] for name in pieces] == list("1234567")
    assert [markers[name]["facts"][0]["drawn"] for name in pieces] == [1, 1, 1, 2, 2, 2, 3]
    pages = read(made(game, workshop, "tokens", "pdf")["tokens.en.pdf"]).pages
    text = " ".join(page.extract_text() for page in pages)
    assert all(f"Fate {n} × 3" in text for n in range(1, 8))
    assert abs(drawn(made(game, workshop, "tokens", "pdf")["tokens.en.pdf"])[0].width - 210) < 0.05


def test_a_track_has_the_values_of_an_attribute(game: Game) -> None:
    tracks = {t["id"]: t for t in Content(game, ("en",), Options()).tokens()["tracks"]}
    assert tracks["number_line"]["spots"] == [1, 2, 3, 4, 5, 6, 7] and tracks["number_line"]["copies"] == 5
    assert tracks["doom_track"]["spots"] == [*range(8)] and tracks["doom_track"]["start"] == 2


def test_a_deck_with_backs_of_its_own(game: Game, workshop: Workshop) -> None:
    files = made(game, workshop, "cards", "tts", base_url="https://example.org")
    sheet = json.loads(files["deck.en.json"])["ObjectStates"][0]["CustomDeck"]["1"]
    assert sheet["UniqueBack"] and sheet["BackURL"] == "https://example.org/deck.en.1.back.png"
    assert "deck.en.1.back.png" in files


def test_single_backs_are_named_after_their_cards(game: Game, workshop: Workshop) -> None:
    single = {n for n in made(game, workshop, "cards", "png", ppi=36) if n.startswith("cards.en/")}
    cards = [card.id for card in game.cards.values() if not card.piece]
    assert single == {f"cards.en/{c}{end}.png" for c in cards for end in ("", ".back")}


def test_a_label_is_short(tmp_path: Path) -> None:
    source = load("shipwreck_arcana").files.folder
    shutil.copytree(source, tmp_path / "rules" / "mine")
    shutil.copytree(cards_folder(source), tmp_path / "cards" / "mine")
    page = tmp_path / "rules" / "mine" / "sheets.yaml"
    page.write_text(page.read_text("utf-8").replace('dawn: "● > ○"', "dawn: many more than twelve"), "utf-8")
    with pytest.raises(RitualError, match="at most 12 characters"):
        look_of(load(str(tmp_path / "rules" / "mine")))
