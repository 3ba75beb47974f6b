"""Text in the columns of a terminal.

In: a text of any language. Out: lines that fit, broken where that language breaks them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator

from ritual_dsl.diagnostics.human import printable, width

NARROWEST, WIDEST = 40, 100
IDEOGRAPHS = "\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"  # lines may break beside any of these
OPENING, CLOSING = "「『（【〔", "、。，．・：；？！）」』】〕〜～ー…"  # but not behind these, nor before those
UNIT = re.compile(f"[{OPENING}]*(?:[^\\s{IDEOGRAPHS}]+|[{IDEOGRAPHS}])[{CLOSING}]*\\s*")
WORD = re.compile(r"\S+\s*")  # for lists of names, which are not broken


def columns() -> int:
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def wrapped(text: str, head: str = "", unit: re.Pattern[str] = UNIT) -> list[str]:
    """Lines that fit, the first behind a head and the others below its end."""
    room = max(NARROWEST // 2, columns() - width(head))
    lines = [""]
    for part in units(unit.findall(printable(text)), room):
        if lines[-1] and width(lines[-1]) + width(part.rstrip()) > room:
            lines.append("")
        lines[-1] += part
    indent = " " * width(head)
    return [((indent if number else printable(head)) + line).rstrip() for number, line in enumerate(lines)]


def units(found: Iterable[str], room: int) -> Iterator[str]:
    """What stays together; what is longer than a line does not."""
    for unit in found:
        part = ""
        for character in unit if width(unit) > room else ():
            if width(part + character) > room:
                yield part
                part = ""
            part += character
        yield part or unit
