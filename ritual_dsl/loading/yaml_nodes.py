"""YAML with positions: the files of a game as mappings, lists and untyped scalars.

In: a `Source`. Out: nodes in which every key and value knows its place, and the faults found.
No scalar is guessed at: `yes`, `on` and `010` stay the text they are, and the shape a reader
expects decides. Anchors, aliases, tags and second documents are refused, so that a file cannot
grow on loading; nesting is bounded while the events come in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.loading.files import UNSEEN
from ritual_dsl.source import Source, Span
from ritual_dsl.syntax.lexer import Line

DEEPEST = 24
Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Scalar:
    text: str
    span: Span = field(compare=False)
    literal: bool = False  # written as a | block
    plain: bool = True  # written without quotes

    def lines(self) -> list[Line]:
        """The lines of a | block as they stand in the file, for the rules parser."""
        rows = self.rows()
        indent = self.indent()
        numbers = range(self.span.line + 1, self.span.line + 1 + len(rows))
        return [Line(row[indent:], number, indent + 1) for row, number in zip(rows, numbers, strict=True)]

    def rows(self) -> list[str]:
        """The rows of the file that a | block takes up, blank ones behind it included."""
        return self.span.source.lines[self.span.line : self.span.end_line - 1 + (self.span.end_column > 1)]

    def indent(self) -> int:
        """By how much the file indents a | block: what its first line has there, but not in its value."""
        first = next((row for row in self.rows() if row.strip()), "")
        value = next((row for row in self.text.split("\n") if row.strip()), "")
        return leading(first) - leading(value)


def leading(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[YamlNode, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    key: Scalar
    value: YamlNode


@dataclass(frozen=True, slots=True)
class Mapping:
    entries: dict[str, Entry]
    span: Span = field(compare=False)

    def get(self, key: str) -> YamlNode | None:
        entry = self.entries.get(key)
        return entry.value if entry else None


YamlNode: TypeAlias = Scalar | Sequence | Mapping


class _Refused(Exception):
    """The file is not read any further."""


def read_yaml(source: Source, found: Findings) -> YamlNode | None:
    """The one document of a file, or None after a fault that leaves nothing to read."""
    try:
        return _Reader(source, found).document()
    except _Refused:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = _span(source, mark, mark) if mark else None
        found.say("RIT110", f"this is not YAML: {error.problem or error.context}", span)
    except yaml.YAMLError as error:
        found.say("RIT110", f"this is not YAML: {str(error).splitlines()[0]}")
    return None


class _Reader:
    def __init__(self, source: Source, found: Findings) -> None:
        self.source = source
        self.found = found
        self.events: Iterator[yaml.Event] = yaml.parse(source.text, Loader=Parser)
        self.depth = 0

    def document(self) -> YamlNode | None:
        root: YamlNode | None = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self.refuse("RIT111", "a second document", event, "keep one document a file")
                root = self.node(next(self.events))
        return root

    def node(self, event: yaml.Event) -> YamlNode:
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse("RIT112", f"this is nested deeper than {DEEPEST} levels", event)
        if isinstance(event, yaml.AliasEvent):
            self.refuse("RIT113", f"an alias `*{event.anchor}`", event, "write the value out where it is meant")
        if getattr(event, "anchor", None):
            self.refuse("RIT113", "an anchor", event, "write the value out where it is meant")
        if getattr(event, "tag", None) and not isinstance(event, yaml.ScalarEvent):
            self.refuse("RIT114", f"a tag `{event.tag}`", event, "values have no tags here")  # type: ignore[attr-defined]
        try:
            match event:
                case yaml.ScalarEvent():
                    return self.scalar(event)
                case yaml.SequenceStartEvent():
                    return self.sequence(event)
                case yaml.MappingStartEvent():
                    return self.mapping(event)
                case _:
                    self.refuse("RIT110", "nothing stands here", event)
                    raise AssertionError
        finally:
            self.depth -= 1

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        if event.tag and event.tag != "!":
            self.refuse("RIT114", f"a tag `{event.tag}`", event, "values have no tags here")
        span = _span(self.source, event.start_mark, event.end_mark)
        if unseen := UNSEEN.search(event.value):  # written as an escape
            message = f"a character that must not be in a text: U+{ord(unseen.group()):04X}"
            self.found.say("RIT140", message, span, help="take it out")
        return Scalar(UNSEEN.sub("\ufffd", event.value), span, event.style == "|", event.style in (None, ""))

    def sequence(self, start: yaml.Event) -> Sequence:
        items: list[YamlNode] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                return Sequence(tuple(items), _span(self.source, start.start_mark, event.end_mark))
            items.append(self.node(event))
        raise AssertionError("the parser closes what it opens")

    def mapping(self, start: yaml.Event) -> Mapping:
        entries: dict[str, Entry] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                return Mapping(entries, _span(self.source, start.start_mark, event.end_mark))
            key = self.node(event)
            value = self.node(next(self.events))
            if not isinstance(key, Scalar):
                self.found.say("RIT115", "a key must be a single word or text", key.span)
            elif key.text in entries:
                first = Related("first here", entries[key.text].key.span)
                self.found.say("RIT116", f"the key `{key.text}` stands twice", key.span, related=[first])
            else:
                entries[key.text] = Entry(key, value)
        raise AssertionError("the parser closes what it opens")

    def refuse(self, code: str, message: str, event: yaml.Event, help: str | None = None) -> None:
        self.found.say(code, message, _span(self.source, event.start_mark, event.end_mark), help=help)
        raise _Refused


def _span(source: Source, start: Any, end: Any) -> Span:
    return Span(source, start.line + 1, start.column + 1, end.line + 1, end.column + 1)
