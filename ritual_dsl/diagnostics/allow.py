"""Comments that ask not to be told something: `# ritual: allow CODE reason`.

In: the text of a file, of rules or YAML alike. Out: an `Allow` for each such comment. At the end of a line
it speaks of that line; on a line of its own, of the next line that is neither blank nor a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ritual_dsl.source import Source, Span

COMMENT = re.compile(r"(?:^|(?<=\s))#\s*ritual\s*:(?P<words>.*)$")
WORDS = re.compile(r"\s*allow\s+(?P<code>RIT\d+)\b[\s:,;–—-]*(?P<reason>.*?)\s*")


@dataclass(frozen=True, slots=True)
class Allow:
    """One comment: the code it names and why, and the line it speaks of. Without a code it was not understood."""

    span: Span
    line: int
    code: str | None
    reason: str

    @property
    def key(self) -> tuple[str, int, str | None]:
        return (self.span.path, self.line, self.code)


def allows_in(source: Source) -> list[Allow]:
    if "ritual" not in source.text:
        return []
    return [read(match, number, source) for number, match in comments(source)]


def comments(source: Source) -> list[tuple[int, re.Match[str]]]:
    found = [(number, COMMENT.search(line)) for number, line in enumerate(source.lines, 1)]
    return [(number, match) for number, match in found if match is not None]


def read(match: re.Match[str], number: int, source: Source) -> Allow:
    span = Span(source, number, match.start() + 1, number, match.end() + 1)
    alone = not match.string[: match.start()].strip()
    line = next_line(source, number) if alone else number
    words = WORDS.fullmatch(match["words"])
    return Allow(span, line, words["code"], words["reason"]) if words else Allow(span, line, None, "")


def next_line(source: Source, number: int) -> int:
    """The next line with something on it; the comment's own if there is none."""
    for behind, line in enumerate(source.lines[number:], number + 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return behind
    return number
