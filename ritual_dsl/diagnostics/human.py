"""Findings as text for people: place, line, a mark under it, and the way out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from ritual_dsl.diagnostics import Diagnostic, ordered
from ritual_dsl.source import Span

LONGEST_LINE = 160
SPACES = "\u00a0\u3000"


def report(diagnostics: Iterable[Diagnostic]) -> str:
    """All findings, in the order of files and lines, with a closing count."""
    found = ordered(diagnostics)
    parts = [show(d) for d in found]
    if found:
        errors = sum(d.is_error for d in found)
        parts.append(f"{count(errors, 'error')}, {count(len(found) - errors, 'warning')}")
    return "\n\n".join(parts)


def show(diagnostic: Diagnostic) -> str:
    where = f"{diagnostic.span}: " if diagnostic.span else ""
    lines = [printable(f"{where}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}")]
    if diagnostic.span:
        lines += frame(diagnostic.span)
    for related in diagnostic.related:
        lines.append(printable(f"  {related.span}: {related.message}"))
        lines += frame(related.span)
    if diagnostic.help:
        lines += [printable(f"  help: {line}") for line in diagnostic.help.splitlines()]
    return "\n".join(lines)


def frame(span: Span) -> list[str]:
    """The line in question with a mark under the stretch."""
    line = span.source.line(span.line)
    if not line.strip():
        return []
    start = span.column - 1
    end = max(start + 1, span.end_column - 1) if span.end_line == span.line else len(line)
    skip = max(0, start - LONGEST_LINE // 2) if len(line) > LONGEST_LINE else 0
    shown = printable(line[skip : skip + LONGEST_LINE])  # cut first: a line may be long, and have many findings
    gutter = str(span.line)
    pad = " " * width(shown[: start - skip])
    mark = "^" * max(1, width(shown[start - skip : end - skip]))
    return [f"  {gutter} | {'…' if skip else ''}{shown}", f"  {' ' * len(gutter)} | {' ' if skip else ''}{pad}{mark}"]


def printable(line: str) -> str:
    """On one line, and no control character of a stranger's file or name reaches a terminal."""
    return "".join(c if c.isprintable() or c in SPACES else ("→" if c == "\t" else "�") for c in line)


def width(text: str) -> int:
    """How many columns a terminal uses: two for a wide character."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
