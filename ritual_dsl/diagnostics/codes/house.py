"""Codes about showing a game and handing it over: spreadsheets and copies."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    error(
        "RIT631",
        "nothing of this name to show",
        "The game has no rule, procedure, card, declared thing or clause of this name.",
        "ritual show my_game lantren",
        "ritual show my_game lantern",
        "There is nothing to show.",
    ),
)
