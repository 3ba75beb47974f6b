"""The user's settings: `[tool.ritual]` of a `pyproject.toml`, or a `ritual.toml`.

In: the folder where the user stands. Out: `Settings` from the nearest folder above that has some, and the
faults of that file. Every key and code must be known, so that a misspelt one does not do nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.codes import CODES, Severity
from ritual_dsl.diagnostics.judge import Level
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.files import read_source
from ritual_dsl.source import Source, Span, whole_file

KEYS = ("codes", "strict", "baseline")
LEVELS: tuple[Level, ...] = (*get_args(Severity), "off")
PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")


@dataclass(frozen=True, slots=True)
class Settings:
    levels: Mapping[str, Level] = field(default_factory=dict)
    strict: bool = False
    baseline: Path | None = None


def find_settings(folder: Path, found: Findings) -> Settings:
    """From the nearest folder above; a `ritual.toml` goes before a `pyproject.toml` beside it."""
    for above in (folder, *folder.parents):
        for name in ("ritual.toml", "pyproject.toml"):
            path = above / name
            if path.is_file():
                settings = read_settings(path, found)
                if settings is not None:
                    return settings
    return Settings()


def read_settings(path: Path, found: Findings) -> Settings | None:
    """None if a `pyproject.toml` has no table of ours, or cannot be read: it may be about anything."""
    foreign = path.name == "pyproject.toml"
    own = Findings()
    source = read_source(path, own)
    table: Any = None
    if source is not None:
        try:
            table = tomllib.loads(source.text)
        except tomllib.TOMLDecodeError as error:
            own.say("RIT150", f"this is not TOML: {PLACE.sub('', str(error)).strip()}", place_of(error, source))
    if foreign:
        table = table.get("tool", {}).get("ritual") if isinstance(table, dict) else None
        if table is None:
            return None
    found += own
    return _Reader(source, found).settings(table or {}, path) if source is not None else Settings()


def place_of(error: tomllib.TOMLDecodeError, source: Source) -> Span:
    match = PLACE.search(str(error))
    line, column = (int(match[1]), int(match[2])) if match else (1, 1)
    return Span(source, line, column, line, column + 1)


class _Reader:
    def __init__(self, source: Source, found: Findings) -> None:
        self.source = source
        self.found = found

    def settings(self, table: Any, path: Path) -> Settings:
        if not isinstance(table, dict):
            self.wrong("ritual", "the settings should be a table")
            return Settings()
        for key in table:
            if key not in KEYS:
                self.wrong(key, f"there is no setting `{key}`", near_miss(key, KEYS) or f"known here: {listing(KEYS)}")
        strict, baseline = table.get("strict", False), table.get("baseline")
        if not isinstance(strict, bool):
            self.wrong("strict", "`strict` should be true or false")
        if baseline is not None and not isinstance(baseline, str):
            self.wrong("baseline", "`baseline` should be the path of a file")
        base = path.parent / baseline if isinstance(baseline, str) else None
        return Settings(self.levels(table.get("codes", {})), strict is True, base)

    def levels(self, table: Any) -> dict[str, Level]:
        if not isinstance(table, dict):
            self.wrong("codes", "`codes` should be a table of codes and levels")
            return {}
        read: dict[str, Level] = {}
        for code, level in table.items():
            if code not in CODES:
                self.wrong(code, f"there is no code `{code}`", near_miss(code, CODES) or "`ritual explain` lists them")
            elif level not in LEVELS:
                self.wrong(code, f"`{level}` is no level", f"write {listing(LEVELS)}")
            elif CODES[code].severity == "error" and level != "error":
                self.wrong(code, f"{code} is an error and stays one", "only warnings can be changed")
            else:
                read[code] = level
        return read

    def wrong(self, key: str, message: str, help: str | None = None) -> None:
        """At the line of the key; TOML's reader does not tell, so the first line that sets it is taken."""
        pattern = re.compile(rf"^\s*(?:\[.*)?[\"']?({re.escape(key)})\b")
        for number, line in enumerate(self.source.lines, 1):
            match = pattern.search(line)
            if match:
                span = Span(self.source, number, match.start(1) + 1, number, match.end(1) + 1)
                break
        else:
            span = whole_file(self.source)
        self.found.say("RIT150", message, span, help=help)
