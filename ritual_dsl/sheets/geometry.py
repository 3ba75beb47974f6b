"""Where pieces lie on paper, in millimetres from the top left corner.

In: a size of pieces, how many there are, a paper and how backs are printed. Out: `Page`s of `Slot`s, with crop marks.
A slot is the piece as it is after cutting; its bleed reaches beyond it, less where a neighbour is near.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
BACKS = ("long", "short", "fold", "none")
MARKS = ("edge", "full", "none")
GAP = 3.0
CLEAR = 6.0  # what is left free between bleed and edge of the paper, if a gap is to be afforded
SMALLEST_MARGIN = 5.0
MARK_LENGTH = 3.0
MARK_DISTANCE = 0.5  # from the bleed


@dataclass(frozen=True)
class Slot:
    """A place for one piece: the trimmed rectangle, and how far its ground runs over on each side."""

    piece: int
    side: str  # front or back
    x: float
    y: float
    width: float
    height: float
    bleed: tuple[float, float, float, float] = (0, 0, 0, 0)  # left, top, right, bottom
    turned: bool = False  # by 180 degrees


@dataclass(frozen=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False


@dataclass(frozen=True)
class Page:
    width: float
    height: float
    slots: tuple[Slot, ...]
    lines: tuple[Line, ...]
    side: str = "front"


@dataclass(frozen=True)
class Grid:
    """Columns and rows of equal pieces in the middle of a paper."""

    paper: tuple[float, float]
    size: tuple[float, float]
    gap: float
    columns: int
    rows: int

    @property
    def count(self) -> int:
        return self.columns * self.rows

    def margin(self, axis: int) -> float:
        n = (self.columns, self.rows)[axis]
        return (self.paper[axis] - n * self.size[axis] - (n - 1) * self.gap) / 2

    def corner(self, number: int) -> tuple[float, float]:
        column, row = number % self.columns, number // self.columns
        x = self.margin(0) + column * (self.size[0] + self.gap)
        return x, self.margin(1) + row * (self.size[1] + self.gap)


def grid(paper: tuple[float, float], size: tuple[float, float], bleed: float) -> Grid:
    """As many pieces as the paper holds, with a gap between them where there is room to spare."""
    columns, rows = (int((paper[axis] - 2 * SMALLEST_MARGIN) // size[axis]) for axis in (0, 1))
    close = Grid(paper, size, 0.0, columns, rows)
    spaced = replace(close, gap=GAP)
    return spaced if min(spaced.margin(0), spaced.margin(1)) - bleed >= CLEAR - 1e-9 else close


def lay_out(
    pieces: int,
    size: tuple[float, float],
    paper: tuple[float, float],
    *,
    backs: str = "long",
    marks: str = "edge",
    bleed: float = 1.5,
    offset: tuple[float, float] = (0.0, 0.0),
) -> list[Page]:
    """The pages in the order of printing: a page of backs behind each page of fronts."""
    if backs == "fold":
        return fold_over(pieces, size, paper, marks=marks, bleed=bleed, offset=offset)
    table = grid(paper, size, bleed)
    pages: list[Page] = []
    for first in range(0, pieces, table.count) if table.count else ():
        number = min(table.count, pieces - first)
        slots = tuple(
            Slot(first + i, "front", *table.corner(i), *size, bleed=room(table, i, number, bleed))
            for i in range(number)
        )
        pages.append(Page(*paper, slots, tuple(crop_marks(slots, paper, bleed, marks))))
        if backs != "none":
            pages.append(Page(*paper, tuple(behind(slot, paper, backs, offset) for slot in slots), (), "back"))
    return pages


def room(table: Grid, number: int, count: int, bleed: float) -> tuple[float, float, float, float]:
    """All the bleed outwards, half the gap towards a neighbour."""
    near = min(bleed, table.gap / 2)
    column, row = number % table.columns, number // table.columns
    right = column + 1 < table.columns and number + 1 < count
    below = number + table.columns < count
    return near if column else bleed, near if row else bleed, near if right else bleed, near if below else bleed


def behind(slot: Slot, paper: tuple[float, float], backs: str, offset: tuple[float, float]) -> Slot:
    """The place of a back when the paper is turned over its long or its short edge."""
    left, top, right, bottom = slot.bleed
    x, y = slot.x, slot.y
    across = (paper[0] <= paper[1]) == (backs == "long")  # the paper turns about a line from top to bottom
    if across:
        x, sides = paper[0] - slot.x - slot.width, (right, top, left, bottom)
    else:
        y, sides = paper[1] - slot.y - slot.height, (left, bottom, right, top)
    return replace(slot, side="back", x=x + offset[0], y=y + offset[1], bleed=sides, turned=not across)


def fold_over(
    pieces: int,
    size: tuple[float, float],
    paper: tuple[float, float],
    *,
    marks: str,
    bleed: float,
    offset: tuple[float, float],
) -> list[Page]:
    """Fronts above a fold in the middle of the sheet on its side, their backs below it, upside down."""
    wide = (max(paper), min(paper))
    pairs = (size[0], 2 * size[1])
    table = replace(grid(wide, pairs, bleed), rows=1) if grid(wide, pairs, bleed).rows else Grid(wide, pairs, 0, 0, 0)
    fold = wide[1] / 2
    pages: list[Page] = []
    for first in range(0, pieces, table.count) if table.count else ():
        number = min(table.count, pieces - first)
        slots: list[Slot] = []
        for i in range(number):
            x, _ = table.corner(i)
            left, top, right, _ = room(table, i, number, bleed)
            slots.append(Slot(first + i, "front", x, fold - size[1], *size, bleed=(left, top, right, 0)))
            back = Slot(first + i, "back", x + offset[0], fold + offset[1], *size, bleed=(left, 0, right, top))
            slots.append(replace(back, turned=True))
        fronts = [replace(slot, height=2 * size[1]) for slot in slots if slot.side == "front"]
        left, right = min(s.x for s in fronts), max(s.x + s.width for s in fronts)
        lines = [*crop_marks(tuple(fronts), wide, bleed, marks), *ticks(left, right, fold, wide[0], bleed)]
        pages.append(Page(*wide, tuple(slots), tuple(lines)))
    return pages


def ticks(left: float, right: float, fold: float, width: float, bleed: float) -> list[Line]:
    """A dashed line in both margins: fold here."""
    clear = bleed + MARK_DISTANCE
    return [Line(2, fold, left - clear, fold, True), Line(right + clear, fold, width - 2, fold, True)]


def crop_marks(slots: tuple[Slot, ...], paper: tuple[float, float], bleed: float, marks: str) -> list[Line]:
    """Where to cut: short lines outside the bleed, or lines from edge to edge that the pieces cover."""
    if marks == "none" or not slots:
        return []
    xs = sorted({round(x, 4) for s in slots for x in (s.x, s.x + s.width)})
    ys = sorted({round(y, 4) for s in slots for y in (s.y, s.y + s.height)})
    width, height = paper
    if marks == "full":
        down = [Line(x, 0, x, height) for x in xs]
        return [*down, *(Line(0, y, width, y) for y in ys)]
    clear = bleed + MARK_DISTANCE
    left, right, top, bottom = xs[0] - clear, xs[-1] + clear, ys[0] - clear, ys[-1] + clear
    lines = []
    for x in xs:
        lines.append(Line(x, max(0.0, top - MARK_LENGTH), x, top))
        lines.append(Line(x, bottom, x, min(height, bottom + MARK_LENGTH)))
    for y in ys:
        lines.append(Line(max(0.0, left - MARK_LENGTH), y, left, y))
        lines.append(Line(right, y, min(width, right + MARK_LENGTH), y))
    return lines
