"""The page that shows everything a build made.

In: a game, the files written, what was checked and tested, perhaps odds. Out: `index.html`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ritual_dsl.model.game import Game
from ritual_dsl.sheets.content import Content, texts
from ritual_dsl.sheets.labels import LABELS, labels
from ritual_dsl.sheets.options import SHEETS, Options
from ritual_dsl.sheets.workshop import Workshop

if TYPE_CHECKING:
    from ritual_dsl.analysis.odds import Result


def index_page(
    game: Game, workshop: Workshop, names: Iterable[str], notes: list[str], odds: Result | None = None
) -> bytes:
    content = Content(game, game.languages[:1], Options())
    made = set(names)
    data = {
        **content.common(),
        "notes": notes,
        "languages": [language(lang, made) for lang in game.languages],
        "odds": odds_table(odds, content) if odds is not None else None,
    }
    characters = content.characters.union(*texts(data["languages"]))
    page = workshop.page("index.html.j2", {"sheet": data, "lang": game.languages[0]}, characters)
    return page.encode("utf-8")


def language(lang: str, made: set[str]) -> dict[str, Any]:
    """The files of one language, sheet by sheet, only those that are there."""
    sheets, words = [], labels(lang)
    for name in SHEETS:
        files = {ending: f"{name}.{lang}.{ending}" for ending in ("html", "pdf")}
        there = {ending: file for ending, file in files.items() if file in made}
        preview = f"{name}.{lang}.1.png"
        if there:
            title = words["sections" if name == "rules" else name]
            sheets.append({"title": title, "files": there, "preview": preview if preview in made else ""})
    decks = sorted(name for name in made if name.startswith(f"deck.{lang}.") and name.endswith(".json"))
    single = sorted(name for name in made if name.startswith(f"cards.{lang}/"))
    name = words["own_name"] if lang in LABELS else lang
    return {"lang": lang, "name": name, "sheets": sheets, "decks": decks, "single": single}


def odds_table(result: Result, content: Content) -> dict[str, Any]:
    """A row for each card, a column for each report; probabilities in per cent, the exact fraction beside."""
    reports = [report.name for report in result.reports]
    rows = []
    for card, found in result.cards().items():
        name = content.speaker.say(content.game.cards[card].name, card)
        cells = [
            {"exact": str(found[report]), "about": f"{float(found[report]):.3f}"} if report in found else None
            for report in reports
        ]
        rows.append({"id": card, "name": name, "cells": cells})
    return {"players": result.players, "reports": reports, "rows": rows}
