"""Rules text to the same rules text in its one canonical layout.

In: the lines of a `.ritual` file or of a `rules: |` block that parse without a fault. Out: lines.
Every token and every comment is written again, in order; only the space between them is chosen
here. Blocks are indented by two. Citations stand in a margin, a comment behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lark import Token

from ritual_dsl.diagnostics import Findings
from ritual_dsl.source import Source
from ritual_dsl.syntax.lexer import CLOSING, OPENING, Comment, Line, Scan, scan
from ritual_dsl.syntax.parse import grammar

INDENT = "  "
CONTINUED = "    "  # what a line adds to its indent where it goes on in brackets
MARGIN = 74  # columns in front of the citations, in the file
GAP = "  "  # the least space in front of a citation or comment
LONGEST_JOINED = 100  # columns up to which a line broken in brackets becomes one again
TIGHT_BEFORE = frozenset(").],:?") | {".."}  # signs that stand close to what is in front of them
TIGHT_AFTER = frozenset("([.") | {".."}


def format_lines(source: Source, lines: list[Line], base: int = 0) -> list[str]:
    """The canonical lines, each indented by `base` more; the text must have no faults."""
    read = scan_lines(source, lines)
    return list(_Layout(read, base).run())


def scan_lines(source: Source, lines: list[Line]) -> Scan:
    return scan(source, lines, grammar()[1], Findings())


def content(read: Scan) -> tuple[list[tuple[str, str]], list[str]]:
    """All that formatting must keep: the tokens, citations included, and the comments."""
    return [(t.type, str(t)) for t in read.tokens], [read.comments[line].text for line in sorted(read.comments)]


@dataclass(frozen=True, slots=True)
class Statement:
    """One logical line: its tokens by the line they stand on, and the blocks around it."""

    rows: dict[int, list[Token]]
    cites: str
    columns: tuple[int, ...]  # where each block around it starts, the outermost first

    @property
    def level(self) -> int:
        return len(self.columns)

    @property
    def first(self) -> int:
        return min(self.rows)

    @property
    def last(self) -> int:
        return max(self.rows)


def statements(tokens: list[Token]) -> Iterator[Statement]:
    columns: list[int] = []
    rows: dict[int, list[Token]] = {}
    for token in tokens:
        assert token.line is not None and token.column is not None
        if token.type == "INDENT":
            columns.append(token.column)
        elif token.type == "DEDENT":
            columns.pop()
        elif token.type == "EOL":
            yield Statement(rows, str(token), tuple(columns))
            rows = {}
        else:
            rows.setdefault(token.line, []).append(token)


class _Layout:
    """Writes statements and the comments between them, from top to bottom."""

    def __init__(self, read: Scan, base: int) -> None:
        self.statements = statements(read.tokens)
        self.comments = dict(read.comments)
        self.base = " " * base
        self.written = 0  # the last line of the old text that is written
        self.before: Statement | None = None

    def run(self) -> Iterator[str]:
        for statement in self.statements:
            yield from self.comments_until(statement.first, statement)
            yield from self.spacing(statement.first, statement)
            yield from self.lines_of(statement)
            self.written, self.before = statement.last, statement
        yield from self.comments_until(None, None)

    def comments_until(self, end: int | None, following: Statement | None) -> Iterator[str]:
        """The comments with a line of their own in front of a statement, or at the end."""
        for line in sorted(self.comments):
            if end is not None and line >= end:
                return
            comment = self.comments.pop(line)
            yield from self.spacing(line, following)
            yield self.base + INDENT * self.level_of(comment, following) + comment.text
            self.written = line

    def spacing(self, line: int, following: Statement | None) -> Iterator[str]:
        """One blank line where there were some, but none at the top of a text or block."""
        opens = self.before is not None and following is not None and following.level > self.before.level
        at_top = self.written == 0 or (opens and self.before is not None and self.written == self.before.last)
        if line > self.written + 1 and not at_top:
            yield ""

    def level_of(self, comment: Comment, following: Statement | None) -> int:
        """A comment goes with what follows, unless it was indented like a block that ends before it."""
        lowest = following.level if following else 0
        columns = self.before.columns if self.before else ()
        inside = sum(column <= comment.column for column in columns)
        return max(lowest, inside)

    def lines_of(self, statement: Statement) -> Iterator[str]:
        indent = self.base + INDENT * statement.level
        numbers = range(statement.first, statement.last + 1)
        joined = indent + spaced([token for row in statement.rows.values() for token in row])
        if not any(n in self.comments for n in numbers[:-1]) and len(joined) <= LONGEST_JOINED:
            yield with_margin(joined, statement.cites, self.comments.pop(statement.last, None))
            return
        for number in numbers:
            row = statement.rows.get(number)
            comment = self.comments.pop(number, None)
            if row is None:
                yield from [indent + CONTINUED + comment.text] if comment else []
                continue
            hangs = number > statement.first and str(row[0]) not in CLOSING
            cites = statement.cites if number == statement.last else ""
            yield with_margin(indent + (CONTINUED if hangs else "") + spaced(row), cites, comment)


def with_margin(code: str, cites: str, comment: Comment | None) -> str:
    notes = GAP.join(note for note in (cites, comment.text if comment else "") if note)
    return f"{code.ljust(MARGIN - len(GAP))}{GAP}{notes}" if notes else code


def spaced(tokens: list[Token]) -> str:
    """Tokens on a line, with one space where there should be one."""
    parts: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        parts.append(str(token) if before is None or is_tight(before, token) else f" {token}")
    return "".join(parts)


def is_tight(before: Token, token: Token) -> bool:
    """No space stands inside of brackets, in front of commas, or between a name and its bracket."""
    if before.value in TIGHT_AFTER or token.value in TIGHT_BEFORE:
        return True
    return token.value in OPENING and (before.type in values() or before.value in CLOSING)


@lru_cache(maxsize=1)
def values() -> frozenset[str]:
    """The terminals that are a whole value by themselves, so that a bracket behind belongs to them."""
    rules = [rule.expansion for rule in grammar()[0].rules if rule.origin.name == "atom"]
    return frozenset(expansion[0].name for expansion in rules if len(expansion) == 1)
