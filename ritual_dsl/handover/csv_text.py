"""CSV that a spreadsheet opens as it is meant, and that comes back unchanged.

In: rows of texts, or the text of a file. Out: the text, or cells that know their places.
A cell that a spreadsheet would take for a formula gets an apostrophe in front, and loses it on the way back.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from ritual_dsl.diagnostics import Findings
from ritual_dsl.source import Source, Span

MARK = "\ufeff"  # tells a spreadsheet that the file is UTF-8
SEPARATORS = ",;\t"
FORMULA = "=+-@\t\n'＝＋－＠"
MOST_CELLS = 400_000


@dataclass(frozen=True)
class Cell:
    text: str
    span: Span


def write_rows(rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([guarded(text) for text in row] for row in rows)
    return MARK + out.getvalue()


def guarded(text: str) -> str:
    return f"'{text}" if text[:1] and text[0] in FORMULA else text


def unguarded(text: str) -> str:
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in FORMULA else text


def read_rows(source: Source, found: Findings) -> list[list[Cell]] | None:
    """The rows of a file; empty lines are left out."""
    reader = _Reader(source)
    rows = reader.rows()
    if reader.open_quote is not None:
        found.say("RIT634", "this quote is not closed", reader.open_quote)
        return None
    if sum(map(len, rows)) > MOST_CELLS:
        found.say("RIT634", f"more than {MOST_CELLS} cells", rows[0][0].span)
        return None
    return [row for row in rows if any(cell.text for cell in row)]


class _Reader:
    """Cells as RFC 4180 has them, with the places a message can point at."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0
        self.line, self.column = 1, 1
        self.open_quote: Span | None = None
        head = self.text.partition("\n")[0]
        said = head.strip('"').removeprefix("sep=")
        if len(said) == 1 and said in SEPARATORS and said != head:  # a line some spreadsheets put first
            self.separator = said
            self.at, self.line = len(head) + 1, 2
        else:
            self.separator = max(SEPARATORS, key=head.count)

    def rows(self) -> list[list[Cell]]:
        rows: list[list[Cell]] = []
        while self.at < len(self.text) and self.open_quote is None:
            rows.append(self.row())
        return rows

    def row(self) -> list[Cell]:
        cells = [self.cell()]
        while self.peek() == self.separator:
            self.step()
            cells.append(self.cell())
        if self.peek():
            self.step()
        return cells

    def cell(self) -> Cell:
        line, column = self.line, self.column
        text = (self.quoted() if self.peek() == '"' else "") + self.plain()
        end = (self.line, self.column) if self.line == line else (line, len(self.source.line(line)) + 1)
        return Cell(unguarded(text), Span(self.source, line, column, *end))

    def quoted(self) -> str:
        start = Span(self.source, self.line, self.column, self.line, self.column + 1)
        self.step()
        parts: list[str] = []
        while True:
            if self.at >= len(self.text):
                self.open_quote = start
                return "".join(parts)
            sign = self.step()
            if sign == '"' and self.peek() != '"':
                return "".join(parts)
            if sign == '"':
                self.step()
            parts.append(sign)

    def plain(self) -> str:
        parts: list[str] = []
        while self.peek() not in ("", self.separator, "\n"):
            parts.append(self.step())
        return "".join(parts)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def step(self) -> str:
        sign = self.text[self.at]
        self.at += 1
        self.line, self.column = (self.line + 1, 1) if sign == "\n" else (self.line, self.column + 1)
        return sign
