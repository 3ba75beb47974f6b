"""Plots as SVG: means with their intervals, written out by ourselves.

In: panels of named marks. Out: one SVG image; as PNG with the extra `png`.
"""

from __future__ import annotations

import math
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

from ritual_dsl.diagnostics import fail

WIDTH, LINE, MARGIN, LABELS = 760, 18, 24, 190
CHART = 200  # the height of a panel whose keys are numbers
COLOURS = ("#1b6ca8", "#c8553d", "#4b8f4b", "#8257a6", "#b8860b", "#5f6b6d", "#b0447a", "#2f8f8f")
DASHES = ("", "7 3", "2 2", "9 2 2 2")  # the first for the first eight strands, and so on
Shape = tuple[tuple[float, float], ...]
SHAPES: tuple[Shape, ...] = (
    (),  # a circle
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.2), (1.2, 0.9), (-1.2, 0.9)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
)
MARK = "<!-- plotted by ritual -->"
STYLE = "font-family: sans-serif; font-size: 12px; fill: #222"
SMALL = "font-family: sans-serif; font-size: 9px; fill: #555"
BAR = 10  # from one strand of a row to the next
GAP = 18  # between the title of a panel and its top
IHDR_END = 33  # where the first chunk of a PNG ends


@dataclass(frozen=True)
class Mark:
    """A value and the interval it lies in, if that is known."""

    key: str
    value: float
    low: float
    high: float
    is_known: bool = True


@dataclass(frozen=True)
class Strand:
    """The marks of one game."""

    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Look:
    """What a strand is known by."""

    colour: str
    dash: str
    shape: Shape


@dataclass(frozen=True)
class Panel:
    title: str
    strands: tuple[Strand, ...]
    is_share: bool
    is_exact: bool = False  # worked out, not estimated: bars

    @property
    def keys(self) -> list[str]:
        return list(dict.fromkeys(mark.key for strand in self.strands for mark in strand.marks))

    @property
    def is_line(self) -> bool:
        """Whether the keys are numbers, so that what lies between them means something."""
        keys = self.keys
        return all(leading(key).isdecimal() for key in keys) and len({leading(key) for key in keys}) == len(keys) > 1


def leading(key: str) -> str:
    """The word a key begins with."""
    return key.split(" ")[0]


def look(number: int) -> Look:
    """A colour for each strand; after the last colour another dash and another shape."""
    turn = number // len(COLOURS)
    return Look(COLOURS[number % len(COLOURS)], DASHES[turn % len(DASHES)], SHAPES[turn % len(SHAPES)])


def svg(panels: Sequence[Panel]) -> str:
    """All panels below each other, with the names of the strands on top."""
    names = list(dict.fromkeys(strand.name for panel in panels for strand in panel.strands))
    looks = {name: look(i) for i, name in enumerate(names)}
    parts: list[str] = []
    y = MARGIN
    for name in names:
        parts.append(segment(MARGIN, y - 4, MARGIN + 30, y - 4, looks[name].colour, 2, looks[name].dash))
        parts.append(dot(MARGIN + 15, y - 4, looks[name], 4))
        parts.append(text(MARGIN + 38, y, name))
        y += LINE
    for panel in panels:
        y += LINE
        parts.append(f'<text x="{MARGIN}" y="{y}" style="{STYLE}; font-weight: bold">{escape(panel.title)}</text>')
        draw, height = (line_panel, CHART) if panel.is_line else (row_panel, row_height(panel))
        parts += draw(panel, y + GAP, height, looks)
        y += height + GAP + LINE
    title = f"<title>{escape(', '.join(panel.title for panel in panels))}: {escape('; '.join(names))}</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + MARGIN}" role="img">'
    ground = f'<rect width="{WIDTH}" height="{y + MARGIN}" fill="#fff"/>'
    return "\n".join([head, MARK, title, ground, *parts, "</svg>", ""])


def text(x: float, y: float, words: str, anchor: str = "start", style: str = STYLE) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(words)}</text>'


def segment(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: str = "") -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"{dashed(dash)}/>'


def dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def dot(x: float, y: float, look: Look, size: float = 3, is_hollow: bool = False) -> str:
    """Where a value is; hollow if nobody knows how near the true one is."""
    paint = f'fill="{"#fff" if is_hollow else look.colour}" stroke="{look.colour}"'
    if not look.shape:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" {paint}/>'
    corners = " ".join(f"{x + size * right:.1f},{y + size * down:.1f}" for right, down in look.shape)
    return f'<polygon points="{corners}" {paint}/>'


def ticks(low: float, high: float) -> list[float]:
    """Round numbers within a range and the next above, four to nine of them."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if span / s <= 8)
    return [step * i for i in range(math.ceil(low / step), math.ceil(high / step) + 1)]


def label(value: float, panel: Panel) -> str:
    return f"{value * 100:g} %" if panel.is_share else f"{value:g}"


def figure(value: float, panel: Panel) -> str:
    """A value beside its bar; one of no length is seen as well."""
    return f"{value * 100:.1f} %" if panel.is_share else f"{value:.2f}"


def axis(panel: Panel, start: float, end: float) -> tuple[list[float], Callable[[float], float]]:
    """The ticks of a panel, and where a value stands between two places; it begins at 0, or at what is lower."""
    marks = [mark for strand in panel.strands for mark in strand.marks]
    low, high = min(0.0, *(m.low for m in marks)), max(0.0, *(m.high for m in marks))
    found = ticks(low, high if high > low else 1.0)
    high = found[-1]
    return found, lambda value: start + (value - low) / (high - low) * (end - start)


def row_height(panel: Panel) -> int:
    return len(panel.keys) * max(LINE, BAR * len(panel.strands) + 6) + LINE


def row_panel(panel: Panel, top: float, height: float, looks: dict[str, Look]) -> list[str]:
    """A row for each key, a mark with its interval for each strand; a bar where values are exact."""
    left, bottom = MARGIN + LABELS, top + height - LINE
    found, place = axis(panel, left, WIDTH - MARGIN * 2)
    parts = [segment(place(t), top, place(t), bottom, "#ddd" if t else "#777") for t in found]
    parts += [text(place(t), bottom + 14, label(t, panel), "middle") for t in found]
    row = (bottom - top) / len(panel.keys)
    for number, key in enumerate(panel.keys):
        middle = top + row * (number + 0.5)
        parts.append(text(left - 8, middle + 4, key, "end"))
        for i, strand in enumerate(panel.strands):
            y = middle + (i - (len(panel.strands) - 1) / 2) * BAR
            for mark in strand.marks:
                if mark.key == key:
                    parts += row_mark(mark, panel, y, place, looks[strand.name])
    return parts


def row_mark(mark: Mark, panel: Panel, y: float, place: Callable[[float], float], look: Look) -> list[str]:
    if panel.is_exact:
        beside = text(place(max(0.0, mark.value)) + 4, y + 3, figure(mark.value, panel), style=SMALL)
        return [segment(place(0), y, place(mark.value), y, look.colour, BAR - 2, look.dash), beside]
    interval = segment(place(mark.low), y, place(mark.high), y, look.colour, 2)
    return [interval, dot(place(mark.value), y, look, is_hollow=not mark.is_known)]


def line_panel(panel: Panel, top: float, height: float, looks: dict[str, Look]) -> list[str]:
    """Keys to the right, values upward, the intervals as thin lines."""
    left, right, bottom = MARGIN + 50, WIDTH - MARGIN * 2, top + height - LINE
    found, place = axis(panel, bottom, top)
    keys = sorted(panel.keys, key=lambda key: int(leading(key)))
    first, last = int(leading(keys[0])), int(leading(keys[-1]))
    across = {key: left + (int(leading(key)) - first) / (last - first) * (right - left) for key in keys}
    parts = [segment(left, place(t), right, place(t), "#ddd" if t else "#777") for t in found]
    parts += [text(left - 8, place(t) + 4, label(t, panel), "end") for t in found]
    every = max(1, len(keys) // 20)
    parts += [text(across[key], bottom + 14, key, "middle") for key in keys[::every]]
    for strand in panel.strands:
        look = looks[strand.name]
        for run in unbroken(strand, keys):
            points = " ".join(f"{across[m.key]:.1f},{place(m.value):.1f}" for m in run)
            stroke = f'stroke="{look.colour}" stroke-width="1.5"{dashed(look.dash)}'
            parts.append(f'<polyline points="{points}" fill="none" {stroke}/>')
        for mark in strand.marks:
            x = across[mark.key]
            parts.append(segment(x, place(mark.low), x, place(mark.high), look.colour))
            parts.append(dot(x, place(mark.value), look, 2.5, is_hollow=not mark.is_known))
    return parts


def unbroken(strand: Strand, keys: list[str]) -> Iterator[list[Mark]]:
    """The marks of a strand in order, in runs without a key missing between them."""
    numbers = [int(leading(key)) for key in keys]
    step = min(after - before for before, after in pairwise(numbers))
    run: list[Mark] = []
    for mark in sorted(strand.marks, key=lambda mark: int(leading(mark.key))):
        if run and int(leading(mark.key)) - int(leading(run[-1].key)) > step:
            yield run
            run = []
        run.append(mark)
    yield run


def check_plot(path: Path) -> None:
    """Whether a plot could be written there; asked before the work that it will show."""
    if path.suffix not in (".svg", ".png"):
        raise fail("RIT699", f"{path} should end in .svg or .png")
    if not path.parent.is_dir():
        raise fail("RIT699", f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise fail("RIT699", f"{path} cannot be written: the folder is read-only")
    if path.exists() and not is_ours(path):
        raise fail("RIT699", f"{path} exists already; it stays as it is", help="give another name")
    if path.suffix == ".png":
        try:
            import_module("cairosvg")
        except (ImportError, OSError) as error:  # it lacks a library of the system
            raise fail("RIT697", "a PNG needs an extra", help="pip install 'ritual-dsl[png]', or take .svg") from error


def write_plot(path: Path, panels: Sequence[Panel]) -> None:
    """An image, by the ending of the file's name; only over a plot of ours."""
    from ritual_dsl.engine.session import write

    check_plot(path)
    if path.suffix == ".svg":
        write(path, svg(panels))
        return
    image: bytes = import_module("cairosvg").svg2png(bytestring=svg(panels).encode(), scale=2)
    try:
        path.write_bytes(marked(image))
    except OSError as error:
        raise fail("RIT699", f"{path} cannot be written: {error.strerror}") from error


def marked(png: bytes) -> bytes:
    """A PNG with the mark of ours as a comment behind its first chunk."""
    chunk = b"tEXtComment\0" + MARK.encode()
    comment = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png[:IHDR_END] + comment + png[IHDR_END:]


def is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return MARK.encode() in file.read(400)
    except OSError:
        return False
