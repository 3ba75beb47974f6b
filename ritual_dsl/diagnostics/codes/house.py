"""Codes about showing a game and handing it over: spreadsheets and copies."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    error(
        "RIT631",
        "nothing of this name to show",
        "The game has no rule, procedure, card, declared thing or clause of this name; or no diagnostic has this code.",
        "ritual show my_game lantren",
        "ritual show my_game lantern",
        "There is nothing to show.",
    ),
    error(
        "RIT632",
        "the place is taken",
        "A file or folder that would be written is there already.",
        "ritual copy my_game ./mine      # ./mine holds files",
        "ritual copy my_game ./mine2",
        "Nothing a user wrote is overwritten without being asked.",
    ),
    error(
        "RIT633",
        "not a game to copy",
        "Only a game by itself can be copied: no modules, and no overlay.",
        "ritual copy my_game+long_night ./mine",
        "ritual copy my_game ./mine",
        "Modules stay what they are: add them to the copy, as to the game.",
    ),
    error(
        "RIT634",
        "not a spreadsheet of cards",
        "The CSV file has no column `id` first, a column twice, a row of another length, or an open quote.",
        "name,copies\nLantern,2",
        "id,name.en,copies\nlantern,Lantern,2",
        "A cell is found by the id of its row and the head of its column.",
    ),
    error(
        "RIT635",
        "cannot be written",
        "The file or folder cannot be written where it was asked for.",
        "ritual cards my_game --csv /cards.csv",
        "ritual cards my_game --csv ./cards.csv",
        "Nothing is written in half: what was there is still there.",
    ),
)
