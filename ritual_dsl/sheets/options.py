"""What one can ask of a sheet, checked.

In: words of a command line or of a caller. Out: `Options`, or a finding that lists what there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ritual_dsl.diagnostics import fail, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.sheets.geometry import BACKS, MARKS, PAPERS

SHEETS = ("rules", "aid", "cards", "tokens")
FORMATS = ("html", "pdf", "png", "tts")
INKS = ("full", "low")
LANGUAGE = re.compile(r"[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,4}")
NUMBER = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,3})?")
MOST_BLEED = 10.0
MOST_OFFSET = 20.0


@dataclass(frozen=True)
class Options:
    paper: str = "a4"
    ink: str = "full"
    marks: str = "edge"
    backs: str = "long"
    bleed: float = 1.5
    back_offset: tuple[float, float] = (0.0, 0.0)
    proof: bool = False
    ppi: int = 300
    changed_from: str | None = None
    templates: Path | None = None
    base_url: str | None = None  # where the images of a Tabletop Simulator deck will lie
    force: bool = False

    def __post_init__(self) -> None:
        one_of("paper", self.paper, PAPERS)
        one_of("ink", self.ink, INKS)
        one_of("marks", self.marks, MARKS)
        one_of("backs", self.backs, BACKS)
        within("bleed", self.bleed, 0, MOST_BLEED, "mm")
        within("back offset", max(map(abs, self.back_offset)), 0, MOST_OFFSET, "mm")
        within("resolution", self.ppi, 36, 1200, "ppi")


def one_of(what: str, word: str, known: Iterable[str]) -> str:
    names = list(known)
    if word not in names:
        hint = near_miss(word, names) or f"known: {listing(names)}"
        raise fail("RIT668", f"there is no {what} `{word[:40]}`", help=hint)
    return word


def within(what: str, value: float, low: float, high: float, unit: str) -> None:
    if not low <= value <= high:
        raise fail("RIT668", f"the {what} is {value:g} {unit}", help=f"from {low:g} to {high:g} {unit}")


def several(what: str, word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """One of the names, several with commas, or all."""
    if word == "all":
        return known
    return tuple(dict.fromkeys(one_of(what, part.strip(), (*known, "all")) for part in word.split(",")))


def languages(word: str | None, known: tuple[str, ...]) -> list[tuple[str, ...]]:
    """`ja`, several with commas, `en+ja` for both on one sheet; without a word, each language of the game."""
    asked = [(lang,) for lang in known] if word is None else [tuple(part.split("+")) for part in word.split(",")]
    for langs in asked:
        for lang in langs:
            if lang not in known:
                hint = near_miss(lang, known) or f"languages of the game: {listing(known)}"
                raise fail("RIT668", f"the game has no language `{lang[:40]}`", help=hint)
            if not LANGUAGE.fullmatch(lang):
                raise fail("RIT668", f"`{lang[:40]}` is not a language that a file can be named after")
        if len(langs) > 2 or len(set(langs)) < len(langs):
            raise fail("RIT668", f"`{'+'.join(langs)}` is not a language or two on a sheet", help="write en+ja")
    return list(dict.fromkeys(asked))


def offset(word: str) -> tuple[float, float]:
    """`0.5,-1`: millimetres to the right and down."""
    parts = word.split(",")
    if len(parts) != 2 or not all(NUMBER.fullmatch(part.strip()) for part in parts):
        raise fail("RIT668", f"the back offset is `{word[:40]}`", help="write two numbers of millimetres: 0.5,-1")
    return float(parts[0]), float(parts[1])
