"""What a command has to say, before it is put into a format.

In: findings, and the cases they belong to. Out: `Report`, which every reporter takes.
A case of `check` is a game or file; a case of `test` is a scenario.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ritual_dsl.diagnostics import Diagnostic, ordered
from ritual_dsl.diagnostics.judge import Silenced
from ritual_dsl.source import Span


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One expectation that does not hold."""

    what: str
    expected: str
    actual: str
    span: Span

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, but it is {self.actual}"


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was judged."""

    name: str
    group: str  # the file of a scenario; the command of everything else
    passed: bool
    findings: tuple[Diagnostic, ...] = ()
    silenced: tuple[Silenced, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    span: Span | None = None
    game: str | None = None
    undecided: int = 0  # questions of checks with neither a proof nor an example
    text: str = ""  # the failure, as people read it


@dataclass(frozen=True)
class Report:
    """Everything one run of a command found."""

    command: str
    cases: tuple[Case, ...]
    status: int
    strict: bool = False
    root: Path = field(default_factory=Path.cwd)  # paths in machine formats are relative to it
    here: Path = field(default_factory=Path.cwd)  # paths of sources are relative to it
    extra: dict[str, Any] = field(default_factory=dict)  # further keys of the JSON document

    @property
    def findings(self) -> list[Diagnostic]:
        """Every finding once, by file and place."""
        return ordered(finding for case in self.cases for finding in case.findings)

    @property
    def silenced(self) -> list[Silenced]:
        """Every finding that does not count, once."""
        unique = dict.fromkeys(silenced for case in self.cases for silenced in case.silenced)
        order = {d: place for place, d in enumerate(ordered(s.finding for s in unique))}
        return sorted(unique, key=lambda s: order[s.finding])

    @property
    def undecided(self) -> int:
        return sum(case.undecided for case in self.cases)

    @property
    def errors(self) -> int:
        return sum(d.is_error for d in self.findings)

    @property
    def warnings(self) -> int:
        return len(self.findings) - self.errors

    def path(self, span: Span) -> str:
        """With forward slashes, and relative to the root where it lies below."""
        absolute = os.path.normpath(self.here / span.path)
        try:
            return Path(absolute).relative_to(self.root).as_posix()
        except ValueError:
            return Path(absolute).as_posix()
