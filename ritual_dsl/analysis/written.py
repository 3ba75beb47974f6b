"""Rules as they stand in their files, line by line, each with where it comes from.

In: the span of a construct. Out: its `Line`s: the first line of the construct and the lines indented below it,
without comments, citations apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ritual_dsl.model import ir
from ritual_dsl.source import Span

CITES = re.compile(r"(\s+§\S+)+$")
PATCH = re.compile(r"(?:[a-z][a-z0-9_]*:\s+)?(?:add|replace)\s+[A-Za-z0-9_.]+:\s*(?P<body>.*)")


@dataclass(frozen=True)
class Line:
    """One line of what counts: its text, the layer and module it comes from, its place, its citations."""

    text: str
    layer: str
    origin: str  # the card or module; "" for the rulebook
    path: str
    line: int
    cites: tuple[str, ...] = ()
    guard: str = ""  # when it counts; "" for always

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    def indented(self, by: int = 2) -> Line:
        return replace(self, text=" " * by + self.text)


@dataclass(frozen=True)
class Text:
    """Whose words a construct is: the layer, the module or card, and what that cites as a whole."""

    layer: str
    origin: str
    cites: tuple[str, ...] = ()


def written(span: Span, text: Text, guard: str = "") -> list[Line]:
    """A construct as it is written; a line that cites nothing itself has the citations of the line around it."""
    lines: list[Line] = []
    around: list[tuple[int, tuple[str, ...]]] = [(-1, text.cites)]
    for words, number, cites in rows(span):
        depth = len(words) - len(words.lstrip())
        while around[-1][0] >= depth:
            around.pop()
        around.append((depth, cites or around[-1][1]))
        lines.append(Line(words, text.layer, text.origin, span.path, number, around[-1][1], guard))
    return lines


def clause_body(span: Span, label: str, text: Text, guard: str = "") -> list[Line]:
    """A clause, or what a patch says in its place, under the clause's own label."""
    lines = written(span, text, guard)
    patch = PATCH.fullmatch(lines[0].text)
    if patch is not None:
        lines[0] = replace(lines[0], text=f"{label}: {patch['body']}".rstrip())
    return lines


def rows(span: Span) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Text, number and citations of each line; the text is relative to the first line's indent."""
    source, first = span.source, source_row(span, span.line)
    indent = len(first) - len(first.lstrip())
    yield row(first[span.column - 1 :], span.line)
    for number in range(span.line + 1, len(source.lines) + 1):
        text = source_row(span, number)
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            return
        if text.strip():
            yield row(text[indent:], number)


def source_row(span: Span, number: int) -> str:
    """A line of the file without its comment."""
    return span.source.line(number).partition("#")[0].rstrip()


def row(text: str, number: int) -> tuple[str, int, tuple[str, ...]]:
    cites = CITES.search(text)
    return (text[: cites.start()] if cites else text).rstrip(), number, tuple(cites.group().split()) if cites else ()


def guard_words(guard: ir.Guard) -> str:
    """`while held during score`, as a reader would write it."""
    while_part = [f"while {guard.rule}"] if guard.rule is not None else []
    return " ".join([*while_part, *(f"during {name}" for name in guard.during)])
