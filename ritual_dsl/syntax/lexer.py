"""Text to tokens, with layout.

In: the lines of a `.ritual` file or of a `rules: |` block, each with its place in the file.
Out: lark tokens whose line and column are those of the file. Indentation becomes INDENT and
DEDENT; the end of a logical line becomes EOL, whose value holds the line's citations.
Comments mean nothing; they are kept beside the tokens for those who write the text anew.
Nothing here stops at a fault: a sign that is not of the language is reported and skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lark import Token

from ritual_dsl.diagnostics import Findings, Fix
from ritual_dsl.source import Source, Span

WORD = re.compile(
    r"(?P<space> +)"
    r"|(?P<comment>\#.*)"
    r"|(?P<cite>§[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)"
    r"|(?P<number>[0-9]+)(?![A-Za-z_])"
    r"|(?P<name>[a-z_][a-z0-9_]*)(?![A-Za-z0-9_])"
    r"|(?P<type>[A-Z][A-Za-z0-9]*)(?![A-Za-z0-9_])"
    r"|(?P<compare>!=|<=|>=|<|>)"
    r"|(?P<sign>:=|\.\.|[][():,.=+*?-])"
)
LARGEST_NUMBER = 999_999
OPENING = frozenset("([")
CLOSING = frozenset(")]")
DEEPEST_BRACKETS = 40
DEEPEST_INDENT = 40
LONGEST_LINE = 160  # tokens of one logical line: bounds the depth of every tree built from it


@dataclass(frozen=True, slots=True)
class Line:
    """One line of rules text and where its first character stands in the file."""

    text: str
    number: int
    column: int = 1


@dataclass(frozen=True, slots=True)
class Scan:
    """A text taken apart: its tokens, and its comments by the line they stand on."""

    tokens: list[Token]
    comments: dict[int, Comment]


@dataclass(frozen=True, slots=True)
class Comment:
    """From `#` to the end of its line."""

    text: str
    column: int


def lines_of(source: Source) -> list[Line]:
    """A whole file as lines to lex."""
    return [Line(text.rstrip("\r"), i) for i, text in enumerate(source.lines, 1)]


def tokenize(source: Source, lines: list[Line], words: Mapping[str, str], found: Findings) -> list[Token]:
    """All tokens of a text. `words` maps the reserved words and signs to their terminals."""
    return scan(source, lines, words, found).tokens


def scan(source: Source, lines: list[Line], words: Mapping[str, str], found: Findings) -> Scan:
    """The tokens and the comments."""
    lexer = _Lexer(source, words, found)
    return Scan(list(lexer.run(lines)), lexer.comments)


class _Lexer:
    def __init__(self, source: Source, words: Mapping[str, str], found: Findings) -> None:
        self.source = source
        self.words = words
        self.found = found
        self.indents = [0]
        self.depth = 0
        self.cites: list[str] = []
        self.comments: dict[int, Comment] = {}

    def run(self, lines: list[Line]) -> Iterator[Token]:
        last: Line | None = None
        length = 0
        for line in lines:
            tokens = list(self.line_tokens(line))
            if not tokens:
                self.refuse_lone_citation(line)
                continue
            length = len(tokens) + (length if self.depth_before else 0)
            if length > LONGEST_LINE:
                self.found.say(
                    "RIT205",
                    f"one line of rules has more than {LONGEST_LINE} words and signs",
                    self.span(line, 0, len(line.text)),
                    help="give a part of it a name: make it a rule of its own",
                )
                return
            if self.depth_before == 0:
                yield from self.indentation(line, tokens[0])
            yield from tokens
            last = line
            if self.depth == 0:
                yield self.end_of_line(line, tokens[-1])
        if last is not None:
            if self.depth:
                self.found.say("RIT204", "a bracket is not closed", self.span(last, len(last.text.rstrip()), 1))
                self.depth = 0
                yield self.token("EOL", "", last, len(last.text))
            for _ in self.indents[1:]:
                yield self.token("DEDENT", "", last, len(last.text))

    def refuse_lone_citation(self, line: Line) -> None:
        """Outside of brackets, a citation belongs to the words before it on its line."""
        if self.cites and self.depth == 0:
            start = line.text.index("§")
            span = self.span(line, start, len(line.text.rstrip()) - start)
            help = "put it at the end of the line that it is about"
            self.found.say("RIT206", "a citation cannot stand on a line of its own", span, help=help)
            self.cites = []

    def indentation(self, line: Line, first: Token) -> Iterator[Token]:
        assert first.column is not None
        width = first.column - line.column
        if width > self.indents[-1]:
            if len(self.indents) > DEEPEST_INDENT:
                self.found.say("RIT205", f"blocks are nested deeper than {DEEPEST_INDENT}", self.span(line, width, 1))
                return
            self.indents.append(width)
            yield self.token("INDENT", "", line, width)
        while width < self.indents[-1]:
            self.indents.pop()
            if width > self.indents[-1]:
                self.found.say(
                    "RIT203",
                    "this line is indented like none of the blocks around it",
                    self.span(line, width, 1),
                    help=f"use {self.indents[-1]} or the width of an outer block",
                )
                self.indents.append(width)
                return
            yield self.token("DEDENT", "", line, width)

    def line_tokens(self, line: Line) -> Iterator[Token]:
        self.depth_before = self.depth
        position = 0
        text = line.text
        while position < len(text):
            match = WORD.match(text, position)
            if match is None:
                position = self.unknown(line, position)
                continue
            start, position = position, match.end()
            kind, value = match.lastgroup, match.group()
            match kind:
                case "space":
                    continue
                case "comment":
                    self.comments[line.number] = Comment(value.rstrip(), line.column + start)
                case "cite":
                    self.cites.append(value)
                    continue
                case "number":
                    if len(value) > 6 or int(value) > LARGEST_NUMBER or (value[0] == "0" and value != "0"):
                        place, plain = self.span(line, start, len(value)), value.lstrip("0") or "0"
                        self.found.say(
                            "RIT202",
                            f"`{value[:20]}` is not a number of the language",
                            place,
                            help=f"write whole numbers from 0 to {LARGEST_NUMBER}, without leading zeros",
                            fix=Fix(place, plain) if len(plain) <= 6 and int(plain) <= LARGEST_NUMBER else None,
                        )
                        value = "0"
                    yield self.token("NUMBER", value, line, start)
                case "name" | "sign":
                    self.track_brackets(line, start, value)
                    yield self.token(self.words.get(value, "NAME"), value, line, start)
                case "type":
                    yield self.token("TYPE", value, line, start)
                case "compare":
                    yield self.token("COMPARE", value, line, start)

    def track_brackets(self, line: Line, start: int, value: str) -> None:
        if value in OPENING:
            self.depth += 1
            if self.depth == DEEPEST_BRACKETS:
                self.found.say(
                    "RIT205", f"brackets are nested deeper than {DEEPEST_BRACKETS}", self.span(line, start, 1)
                )
        elif value in CLOSING:
            self.depth = max(0, self.depth - 1)

    def unknown(self, line: Line, position: int) -> int:
        """Report what no rule of the lexer takes, and go on behind it."""
        text = line.text
        tail = re.compile(r"\t+|\"[^\"]*\"?|'[^']*'?|[\w§]+|.", re.UNICODE).match(text, position)
        assert tail is not None
        wrong = tail.group()
        if wrong.startswith("\t"):
            message, way_out = "a tab", "indent and separate with spaces"
        elif wrong[0] in "\"'":
            message, way_out = "a quoted text", "the rules have no texts: names and printed words stand in YAML"
        elif wrong[0] == "§":
            message, way_out = f"`{wrong[:20]}` is not a citation", "write § and a section, such as §7-1"
        elif wrong[0].isalnum() or wrong[0] == "_":
            message = f"`{wrong[:40]}` is not a name"
            way_out = "names are written with a-z, 0-9 and _, and begin with a letter"
        else:
            message, way_out = f"`{wrong}` is not a sign of the language", None
        self.found.say("RIT201", message, self.span(line, position, len(wrong)), help=way_out)
        return tail.end()

    def end_of_line(self, line: Line, last: Token) -> Token:
        cites, self.cites = " ".join(self.cites), []
        assert last.end_column is not None
        return self.token("EOL", cites, line, last.end_column - line.column)

    def token(self, kind: str, value: str, line: Line, start: int) -> Token:
        column = line.column + start
        length = 0 if kind in {"EOL", "INDENT", "DEDENT"} else len(value)
        return Token(kind, value, None, line.number, column, line.number, column + length)

    def span(self, line: Line, start: int, length: int) -> Span:
        column = line.column + start
        return Span(self.source, line.number, column, line.number, column + length)
