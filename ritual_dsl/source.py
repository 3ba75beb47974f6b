"""Where every thing came from: a file's text, and a stretch of it.

In: the text of a file. Out: `Source` and `Span`, which all later passes carry along.
Lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

LONGEST = 120  # letters that are quoted


@dataclass(frozen=True)
class Source:
    """One file as it was read."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line(self, number: int) -> str:
        return self.lines[number - 1].rstrip("\r") if 1 <= number <= len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source, from its first character up to, not including, its end."""

    source: Source = field(repr=False)
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def path(self) -> str:
        return self.source.path

    def to(self, other: Span) -> Span:
        """The stretch from the start of this one to the end of another."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)

    def quoted(self) -> str:
        """What was written there, on one line and not too much of it; citations are left out."""
        last = min(self.end_line, self.line + 2)
        rows = [self.source.line(number) for number in range(self.line, last + 1)]
        if last == self.end_line:
            rows[-1] = rows[-1][: self.end_column - 1]
        rows[0] = rows[0][self.column - 1 :]
        text = " ".join(" ".join(row.partition("§")[0].split()) for row in rows).strip()
        return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"

    def sort_key(self) -> tuple[str, int, int]:
        return (self.source.path, self.line, self.column)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


def all_of(source: Source) -> Span:
    """From the first character to the last."""
    return Span(source, 1, 1, len(source.lines), len(source.lines[-1]) + 1)


def whole_file(source: Source) -> Span:
    """The place to point at when a fault has no place of its own."""
    return Span(source, 1, 1, 1, 1)
