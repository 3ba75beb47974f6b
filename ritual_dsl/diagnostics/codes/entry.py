"""One entry of the table of codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding."""

    code: str
    severity: Severity
    title: str
    meaning: str
    bad: str
    good: str
    why: str


def error(code: str, title: str, meaning: str, bad: str, good: str, why: str) -> Code:
    return Code(code, "error", title, meaning, bad, good, why)


def warning(code: str, title: str, meaning: str, bad: str, good: str, why: str) -> Code:
    return Code(code, "warning", title, meaning, bad, good, why)
