"""The text of flat code while it is written: lines with their depth, and names that are new.

In: lines, one after the other. Out: source text. What is known only later (whether a loop is needed around
some lines) is written aside first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ritual_dsl.compiler.codes import unsupported
from ritual_dsl.source import Span

MOST_LINES = 30_000
UNSAFE = re.compile(r"[^A-Za-z0-9_./§ ,:@+=()-]")
NAME = re.compile(r"-?[A-Za-z0-9_]+")
GIVEN = re.compile(r"\b[bhikmnoprtx]\d+\b")  # names that `Lines.new` gives
BOUND = re.compile(r"^(?:for )?([bhikmnoprtx]\d+)(?: in range| = )", re.MULTILINE)

Line = tuple[int, str]


@dataclass
class Region:
    """A stretch in which nothing changes, so that a value is worked out once, at its start."""

    out: list[Line]
    at: int
    depth: int
    names: int  # how many names had been given when it began
    known: dict[object, object] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)  # what is asked in it
    start: int = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.at

    def put(self, lines: list[Line]) -> None:
        """Behind what stands at its start already."""
        self.out[self.at : self.at] = lines
        self.at += len(lines)

    def always(self, lines: Lines) -> bool:
        """Whether what is written now happens whenever the region does."""
        return lines.out is self.out and lines.depth == self.depth

    def has_all(self, lines: list[Line]) -> bool:
        """Whether lines use no names but those given before, at its start, or in themselves."""
        text = "\n".join(text for _, text in (*self.out[self.start : self.at], *lines))
        return {name for name in GIVEN.findall(text) if int(name[1:]) > self.names} <= {*BOUND.findall(text)}


class Lines:
    def __init__(self, slices: bool) -> None:
        self.slices = slices  # Python copies a slice at once; machine code is quicker in a loop
        self.out: list[Line] = []
        self.depth = 1
        self.names = 0
        self.written = 0
        self.can_fail = False
        self.region: Region | None = None

    def new(self, letter: str = "t") -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def emit(self, text: str) -> None:
        self.written += 1
        if self.written > MOST_LINES:
            raise unsupported(f"rules that unfold to more than {MOST_LINES:,} lines")
        self.out.append((self.depth, text))

    def fail_if(self, condition: str) -> None:
        """The interpreter stops with a fault here, or might: it has to play this game."""
        self.can_fail = True
        self.emit(f"if {condition}:")
        self.out.append((self.depth + 1, "return FAILED"))

    def copy(self, to: str, at: str, source: str, first: str, count: str) -> None:
        """A part of one array into another."""
        if self.slices:
            self.emit(f"{to}[{at}:{at} + {count}] = {source}[{first}:{first} + {count}]")
            return
        i = self.new("i")
        with self.block(f"for {i} in range({count}):"):
            self.emit(f"{to}[{at} + {i}] = {source}[{first} + {i}]")

    def comment(self, *words: str, span: Span | None = None) -> None:
        """What the next lines are for, in words that cannot be anything but a comment."""
        text = " ".join(word for word in (*words, place(span) if span is not None else "") if word)
        self.emit("# " + clean(text))

    def asks(self, *words: str, span: Span) -> None:
        """A rule that is worked out in this region: noted where the region begins."""
        text = clean(" ".join((*words, place(span))))
        if self.region is not None and text not in self.region.rules:
            self.region.rules.append(text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.emit(head)
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def aside(self, depth: int) -> Iterator[list[Line]]:
        """Lines that are put into place later, or not at all."""
        saved, saved_depth = self.out, self.depth
        self.out, self.depth = [], depth
        yield self.out
        self.out, self.depth = saved, saved_depth

    def put(self, lines: list[Line], deeper: int = 0) -> None:
        self.out += [(depth + deeper, text) for depth, text in lines]

    @contextmanager
    def still(self) -> Iterator[None]:
        """A region: the state does not change in it."""
        saved = self.region
        region = self.region = Region(self.out, len(self.out), self.depth, self.names)
        yield
        self.region = saved
        region.out[region.start : region.start] = [(region.depth, f"# asks {rule}") for rule in region.rules]

    def text(self) -> str:
        """The source; a block in which nothing is to be done gets a `pass`."""
        found: list[str] = []
        for number, (depth, text) in enumerate(self.out):
            found.append(f"{'    ' * depth}{text}\n")
            if text.endswith(":") and not text.startswith("#") and self.is_empty(number):
                found.append(f"{'    ' * (depth + 1)}pass\n")
        return "".join(found)

    def is_empty(self, head: int) -> bool:
        for depth, text in self.out[head + 1 :]:
            if not text.startswith("#"):
                return depth <= self.out[head][0]
        return True


def place(span: Span) -> str:
    return f"({span.path.rsplit('/', 1)[-1]}:{span.line})"


def clean(text: str) -> str:
    """Words of a user as a part of one comment."""
    return UNSAFE.sub("?", text)[:160]


def without_comments(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("#"))


def is_plain(code: str) -> bool:
    return NAME.fullmatch(code) is not None
