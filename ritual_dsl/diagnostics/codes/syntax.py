"""Codes about syntax."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    # ---- syntax
    error(
        "RIT201",
        "a sign or word outside the language",
        "A tab, a quoted text, a capital letter in a name, or a sign the rules do not use.",
        "let bestCost = 3",
        "let best_cost = 3",
        "Names are written with a-z, 0-9 and _; printed words stand in YAML.",
    ),
    error(
        "RIT202",
        "not a number of the language",
        "Numbers are whole, of at most six digits, without leading zeros.",
        "loses 007 health",
        "loses 7 health",
        "A number should have one way to be written.",
    ),
    error(
        "RIT203",
        "uneven indentation",
        "The line is indented like none of the blocks around it.",
        "procedure turn:\n    shuffle deck\n  nothing",
        "procedure turn:\n  shuffle deck\n  nothing",
        "The indentation says to which block a line belongs.",
    ),
    error(
        "RIT204",
        "an open bracket",
        "A bracket is not closed.",
        "loses cost(p health",
        "loses cost(p) health",
        "The rest of the text would be read as part of it.",
    ),
    error(
        "RIT205",
        "too long or too deep",
        "A line of rules has too many words, or blocks or brackets lie too deep in each other.",
        "one clause over forty lines",
        "two rules with names, one using the other",
        "A rule that long cannot be explained.",
    ),
    error(
        "RIT206",
        "cannot stand here",
        "The language has another word or sign at this place.",
        "shufle deck",
        "shuffle deck",
        "What is written in another way must not be guessed at. The message says what could stand there.",
    ),
)
