"""Cards as a table of texts: one row a card, one column a key.

In: the cards of a game. Out: a `Table`, which is written as CSV and compared with what comes back.
The first column names the card; words have a column for each language; every other key is an attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ritual_dsl.loading.parts import CardPart
from ritual_dsl.loading.reference import Chosen

ID = "id"
PLAIN = ("copies", "slot", "piece", "cite")


@dataclass(frozen=True)
class Table:
    """`cells[card][column]`, the empty text for what is not there."""

    columns: tuple[str, ...]  # without the first
    cells: dict[str, dict[str, str]]

    def rows(self) -> Iterator[list[str]]:
        yield [ID, *self.columns]
        for card, cells in self.cells.items():
            yield [card, *(cells[column] for column in self.columns)]


def table_of(chosen: Chosen) -> Table:
    languages = chosen.files.manifest.languages
    parts = chosen.cards.values()
    names, texts = ([f"{key}.{language}" for language in languages] for key in ("name", "text"))
    attributes = dict.fromkeys(key for part in parts for key in part.attributes)
    used = [key for key in PLAIN if key in ("copies", "slot", "cite") or any(plain(part)[key] for part in parts)]
    columns = (*names, *used, *attributes, *texts)
    return Table(columns, {part.id: row(part, columns) for part in parts})


def row(part: CardPart, columns: tuple[str, ...]) -> dict[str, str]:
    words = {f"name.{language}": text for language, text in part.name.items()}
    words |= {f"text.{language}": text for language, text in part.text.items()}
    attributes = {key: given.text for key, given in part.attributes.items()}
    known = {**attributes, **plain(part), **words}
    return {column: known.get(column, "") for column in columns}


def plain(part: CardPart) -> dict[str, str]:
    return {
        "copies": str(part.copies),
        "slot": part.slot.text if part.slot is not None else "",
        "piece": part.piece.text if part.piece is not None else "",
        "cite": " ".join(part.cites),
    }
