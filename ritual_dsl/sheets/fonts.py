"""Fonts: which characters one has, and a small one for pages that are read on a screen.

In: the folders of the fonts. Out: whether a character can be printed; a font of just the characters of a page.
"""

from __future__ import annotations

import base64
import io
import struct
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path

INVISIBLE = frozenset("\n\t\r\u200b\u2060\ufeff")


DROPPED = ("GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "DSIG")


class Coverage:
    """Ranges of characters, in order."""

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self.ranges = sorted(ranges)
        self.starts = [start for start, _ in self.ranges]

    def has(self, character: str) -> bool:
        if character in INVISIBLE:
            return True
        at = bisect_right(self.starts, ord(character)) - 1
        return at >= 0 and ord(character) <= self.ranges[at][1]

    def missing(self, text: str) -> list[str]:
        return [c for c in dict.fromkeys(text) if not self.has(c)]


@lru_cache(maxsize=4)
def coverage(folder: Path) -> Coverage:
    """Of the font in a folder: the segmented table (format 12), which every large font has."""
    path = font_file(folder)
    with path.open("rb") as file:
        tables = struct.unpack(">H", file.read(6)[4:6])[0]
        file.seek(12)
        for tag, _, offset, length in struct.iter_unpack(">4sIII", file.read(16 * tables)):
            if tag == b"cmap":
                file.seek(offset)
                return Coverage(segments(file.read(length)))
    raise ValueError(f"{path.name} has no table of characters")


def segments(table: bytes) -> list[tuple[int, int]]:
    count = struct.unpack_from(">H", table, 2)[0]
    found: list[tuple[int, int]] = []
    for number in range(count):
        start = struct.unpack_from(">I", table, 4 + 8 * number + 4)[0]
        if struct.unpack_from(">H", table, start)[0] == 12:
            groups = struct.unpack_from(">I", table, start + 12)[0]
            body = table[start + 16 : start + 16 + 12 * groups]
            found += [(first, last) for first, last, _ in struct.iter_unpack(">III", body)]
    return found


class WebFonts:
    """Fonts to embed in pages, kept as long as they have all the characters asked for."""

    def __init__(self) -> None:
        self.made: list[tuple[frozenset[str], str]] = []

    def data_uri(self, folder: Path, characters: frozenset[str]) -> str:
        for known, uri in self.made:
            if characters <= known:
                return uri
        uri = "data:font/woff;base64," + base64.b64encode(subset(folder, characters)).decode("ascii")
        self.made.append((characters, uri))
        return uri


def subset(folder: Path, characters: frozenset[str]) -> bytes:
    """The font in a folder with nothing but these characters, as WOFF."""
    from fontTools import subset as tool
    from fontTools.ttLib import TTFont

    options = tool.Options(layout_features=[], hinting=False, name_IDs=[1, 2], desubroutinize=True, glyph_names=False)
    with TTFont(font_file(folder), lazy=True, recalcTimestamp=False) as font:
        for tag in DROPPED:
            if tag in font:
                del font[tag]
        small = tool.Subsetter(options)
        small.populate(text="".join(characters))
        small.subset(font)
        font.flavor = "woff"
        written = io.BytesIO()
        font.save(written)
    return written.getvalue()


def font_file(folder: Path) -> Path:
    return next(iter(sorted((*folder.glob("*.otf"), *folder.glob("*.ttf")))))
