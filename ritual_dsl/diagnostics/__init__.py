"""Findings as values: what a pass says about the files it read.

In: spans and words from any pass. Out: `Diagnostic`, which a reporter turns into text.
Passes collect diagnostics and return them; only the outermost call raises `RitualError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from ritual_dsl.diagnostics.allow import Allow
from ritual_dsl.diagnostics.codes import CODES, Severity
from ritual_dsl.diagnostics.suggest import near_miss
from ritual_dsl.source import Span

__all__ = [
    "CannotRun",
    "Diagnostic",
    "Findings",
    "Fix",
    "Related",
    "RitualError",
    "as_asked",
    "fail",
    "has_errors",
    "near_miss",
    "ordered",
]


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that belongs to a finding."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fix:
    """The text to put in place of a stretch, where that is certain."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a code of the table, what is wrong here, and where."""

    code: str
    message: str
    span: Span | None = None
    help: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    level: Severity | None = None  # where the user's settings say so; else as in the table

    @property
    def severity(self) -> Severity:
        return self.level or CODES[self.code].severity

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


MOST_ERRORS = 1000


class Findings(list[Diagnostic]):
    """The list a pass collects into; and the comments of the files that ask not to be told something.

    So many errors that nobody would read them all end the pass.
    """

    errors = 0

    def __init__(self, said: Iterable[Diagnostic] = ()) -> None:
        super().__init__(said)
        self.allows: list[Allow] = []
        self.undecided = 0  # questions of checks that have neither a proof nor an example

    def __iadd__(self, other: Iterable[Diagnostic]) -> Self:  # type: ignore[override, misc]
        if isinstance(other, Findings):
            self.allows += other.allows
            self.undecided += other.undecided
        return super().__iadd__(other)

    def say(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        help: str | None = None,
        related: Iterable[Related] = (),
        fix: Fix | None = None,
    ) -> None:
        finding = Diagnostic(code, message, span, help, tuple(related), fix)
        self.append(finding)
        self.errors += finding.is_error
        if self.errors == MOST_ERRORS:
            more = f"{MOST_ERRORS:,} errors were found, and no more are looked for"
            raise RitualError([*self, Diagnostic("RIT145", more)])


class RitualError(Exception):
    """Raised by the outermost call when there is no result to return."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))


class CannotRun(RitualError):
    """What was asked for cannot be done; nothing is wrong in the files of a game."""


@contextmanager
def as_asked() -> Iterator[None]:
    """What fails in here fails because of what the command line asks for."""
    try:
        yield
    except RitualError as error:
        raise CannotRun(error.diagnostics) from error


def fail(code: str, message: str, span: Span | None = None, *, help: str | None = None) -> RitualError:
    """A single finding as an exception, for places where nothing can go on."""
    return RitualError([Diagnostic(code, message, span, help)])


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.is_error for d in diagnostics)


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without repetitions, by file and place: the order every reporter shows."""
    unique = {(d.code, d.message, d.span): d for d in reversed(list(diagnostics))}
    return sorted(unique.values(), key=lambda d: (d.span.sort_key() if d.span else ("", 0, 0), d.code, d.message))
