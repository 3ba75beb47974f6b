"""GitHub's workflow commands: an annotation on the line of each finding; and Markdown for the summary of the job.

Neither needs a token, so both work for a pull request from a fork.
"""

from __future__ import annotations

from ritual_dsl.diagnostics import Diagnostic
from ritual_dsl.diagnostics.codes import CODES
from ritual_dsl.diagnostics.human import count, printable
from ritual_dsl.diagnostics.report import Report

MOST_ROWS = 200


def render(report: Report) -> str:
    return "\n".join([*(annotation(d, report) for d in report.findings), closing(report)])


def annotation(d: Diagnostic, report: Report) -> str:
    properties = {"title": f"{d.code}: {CODES[d.code].title}"}
    if d.span is not None:
        properties |= {"file": report.path(d.span), "line": str(d.span.line), "endLine": str(d.span.end_line)}
        properties["col"] = str(d.span.column)
        if d.span.end_line == d.span.line:  # GitHub refuses an end column on another line
            properties["endColumn"] = str(d.span.end_column)
    words = ",".join(f"{key}={in_property(value)}" for key, value in properties.items())
    lines = [d.message, *(f"{report.path(r.span)}:{r.span.line}: {r.message}" for r in d.related)]
    if d.help:
        lines += [f"help: {line}" for line in d.help.splitlines()]
    return f"::{d.severity} {words}::{in_message(chr(10).join(map(printable, lines)))}"


def in_message(text: str) -> str:
    """So that no text of a stranger's file ends the command or begins another."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def in_property(text: str) -> str:
    return in_message(printable(text)).replace(":", "%3A").replace(",", "%2C")


def closing(report: Report) -> str:
    failed = sum(not case.passed for case in report.cases)
    counts = f"{count(report.errors, 'error')}, {count(report.warnings, 'warning')}"
    silenced = f", {len(report.silenced)} silenced" if report.silenced else ""
    undecided = f", {report.undecided} not decided" if report.undecided else ""
    cases = f"{len(report.cases) - failed} passed, {failed} failed"
    return f"ritual {report.command}: {cases}; {counts}{silenced}{undecided}"


def summary(report: Report) -> str:
    """Markdown for the page of the job."""
    lines = [f"### ritual {report.command}", "", closing(report), ""]
    found = report.findings
    if found:
        lines += ["| place | finding | |", "|---|---|---|"]
        lines += [f"| {place(d, report)} | {d.severity} {d.code} | {in_cell(d.message)} |" for d in found[:MOST_ROWS]]
    if len(found) > MOST_ROWS:
        lines.append(f"\n… and {len(found) - MOST_ROWS} more.")
    return "\n".join(lines) + "\n\n"


def place(d: Diagnostic, report: Report) -> str:
    return in_cell(f"{report.path(d.span)}:{d.span.line}") if d.span else ""


def in_cell(text: str) -> str:
    """Text as text: no markup of a stranger's file takes effect."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()<>#+-.!|~&@:" else c for c in printable(text))
