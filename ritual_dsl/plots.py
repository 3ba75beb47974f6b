"""Plots as SVG: means with their intervals, written out by ourselves.

In: panels of named marks. Out: one SVG image; as PNG with the extra `png`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from xml.sax.saxutils import escape

from ritual_dsl.diagnostics import fail

WIDTH, LINE, MARGIN, LABELS = 760, 18, 24, 190
CHART = 200  # the height of a panel whose keys are numbers
COLOURS = ("#1b6ca8", "#c8553d", "#4b8f4b", "#8257a6", "#b8860b", "#5f6b6d", "#b0447a", "#2f8f8f")
MARK = "<!-- plotted by ritual -->"
STYLE = "font-family: sans-serif; font-size: 12px; fill: #222"
SMALL = "font-family: sans-serif; font-size: 9px; fill: #555"
BAR = 10  # from one strand of a row to the next


@dataclass(frozen=True)
class Mark:
    """A value and the interval it lies in."""

    key: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Strand:
    """The marks of one game."""

    name: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Panel:
    title: str
    strands: tuple[Strand, ...]
    is_share: bool

    @property
    def keys(self) -> list[str]:
        return list(dict.fromkeys(mark.key for strand in self.strands for mark in strand.marks))

    @property
    def is_line(self) -> bool:
        """Whether the keys are numbers, so that what lies between them means something."""
        return len(self.keys) > 1 and all(key.split(" ")[0].isdigit() for key in self.keys)


def svg(panels: Sequence[Panel]) -> str:
    """All panels below each other, with the names of the strands on top."""
    names = list(dict.fromkeys(strand.name for panel in panels for strand in panel.strands))
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    parts: list[str] = []
    y = MARGIN
    for name in names:
        parts.append(f'<rect x="{MARGIN}" y="{y - 9}" width="10" height="10" fill="{colours[name]}"/>')
        parts.append(text(MARGIN + 16, y, name))
        y += LINE
    for panel in panels:
        y += LINE
        parts.append(f'<text x="{MARGIN}" y="{y}" style="{STYLE}; font-weight: bold">{escape(panel.title)}</text>')
        draw, height = (line_panel, CHART) if panel.is_line else (row_panel, row_height(panel))
        parts += draw(panel, y + 10, height, colours)
        y += height + 10 + LINE
    title = f"<title>{escape(', '.join(panel.title for panel in panels))}: {escape('; '.join(names))}</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + MARGIN}" role="img">{title}'
    return "\n".join([head, MARK, f'<rect width="{WIDTH}" height="{y + MARGIN}" fill="#fff"/>', *parts, "</svg>", ""])


def text(x: float, y: float, words: str, anchor: str = "start", style: str = STYLE) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(words)}</text>'


def segment(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def ticks(low: float, high: float) -> list[float]:
    """Round numbers across a range, four to eight of them."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if span / s <= 8)
    return [step * i for i in range(math.floor(low / step), math.ceil(high / step) + 1)]


def label(value: float, panel: Panel) -> str:
    return f"{value * 100:g} %" if panel.is_share else f"{value:g}"


def figure(value: float, panel: Panel) -> str:
    """A value beside its bar; one of no length is seen as well."""
    return f"{value * 100:.1f} %" if panel.is_share else f"{value:.2f}"


def axis(panel: Panel, start: float, end: float) -> tuple[list[float], Callable[[float], float]]:
    """The ticks of a panel, and where a value stands between two places; shares and counts begin at 0."""
    marks = [mark for strand in panel.strands for mark in strand.marks]
    low, high = min(0.0, *(m.low for m in marks)), max(0.0, *(m.high for m in marks))
    found = ticks(low, high if high > low else 1.0)
    low, high = found[0], found[-1]
    return found, lambda value: start + (value - low) / (high - low) * (end - start)


def row_height(panel: Panel) -> int:
    return len(panel.keys) * max(LINE, BAR * len(panel.strands) + 6) + LINE


def row_panel(panel: Panel, top: float, height: float, colours: dict[str, str]) -> list[str]:
    """A row for each key, a mark with its interval for each strand; a bar where the value is exact."""
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
                    colour = colours[strand.name]
                    if mark.low == mark.high:
                        parts.append(segment(place(0), y, place(mark.value), y, colour, BAR - 2))
                        beside = place(max(0.0, mark.value)) + 4
                        parts.append(text(beside, y + 3, figure(mark.value, panel), style=SMALL))
                        continue
                    parts.append(segment(place(mark.low), y, place(mark.high), y, colour, 2))
                    parts.append(f'<circle cx="{place(mark.value):.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
    return parts


def line_panel(panel: Panel, top: float, height: float, colours: dict[str, str]) -> list[str]:
    """Keys to the right, values upward, the intervals as thin lines."""
    left, bottom = MARGIN + 50, top + height - LINE
    found, place = axis(panel, bottom, top)
    keys = sorted(panel.keys, key=lambda key: int(key.split(" ")[0]))
    step = (WIDTH - MARGIN * 2 - left) / max(1, len(keys) - 1)
    across = {key: left + i * step for i, key in enumerate(keys)}
    parts = [segment(left, place(t), WIDTH - MARGIN * 2, place(t), "#ddd") for t in found]
    parts += [text(left - 8, place(t) + 4, label(t, panel), "end") for t in found]
    every = max(1, len(keys) // 20)
    parts += [text(across[key], bottom + 14, key, "middle") for key in keys[::every]]
    for strand in panel.strands:
        colour = colours[strand.name]
        marks = sorted(strand.marks, key=lambda mark: across[mark.key])
        points = " ".join(f"{across[m.key]:.1f},{place(m.value):.1f}" for m in marks)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for mark in marks:
            x = across[mark.key]
            parts.append(segment(x, place(mark.low), x, place(mark.high), colour))
            parts.append(f'<circle cx="{x:.1f}" cy="{place(mark.value):.1f}" r="2.5" fill="{colour}"/>')
    return parts


def write_plot(path: Path, panels: Sequence[Panel]) -> None:
    """An image, by the ending of the file's name; all of it or nothing, and only over a plot of ours."""
    from ritual_dsl.engine.session import write

    if path.exists() and not is_ours(path):
        raise fail("RIT699", f"{path} exists already; it stays as it is", help="give another name")
    if path.suffix == ".svg":
        write(path, svg(panels))
        return
    if path.suffix != ".png":
        raise fail("RIT699", f"{path} should end in .svg or .png")
    try:
        cairosvg = import_module("cairosvg")
    except ImportError as error:
        raise fail("RIT697", "a PNG needs an extra", help="pip install 'ritual-dsl[png]', or take .svg") from error
    try:
        path.write_bytes(cairosvg.svg2png(bytestring=svg(panels).encode(), scale=2))
    except OSError as error:
        raise fail("RIT699", f"{path} cannot be written: {error.strerror}") from error


def is_ours(path: Path) -> bool:
    try:
        return path.suffix == ".svg" and MARK in path.read_text(encoding="utf-8")[:400]
    except (OSError, UnicodeDecodeError):
        return False
