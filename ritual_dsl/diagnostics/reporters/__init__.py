"""Reports in the formats that people and machines read: one module a format, each with `render`.

In: a `Report`. Out: the whole text for standard output.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from ritual_dsl.diagnostics.report import Report

REPORTERS = ("json", "github", "sarif", "junit")
FORMATS = ("human", *REPORTERS)


class Reporter(Protocol):
    """What a reporter's module offers."""

    def render(self, report: Report) -> str: ...


def render(report: Report, format: str) -> str:
    """The report in one of `REPORTERS`."""
    return cast(Reporter, import_module(f"ritual_dsl.diagnostics.reporters.{format}")).render(report)
