"""JSON: the documented, versioned form that other programs build on (see `docs/reports.md`)."""

from __future__ import annotations

import json
from typing import Any

from ritual_dsl import __version__
from ritual_dsl.diagnostics import Diagnostic
from ritual_dsl.diagnostics.report import Case, Report
from ritual_dsl.source import Span

VERSION = 1  # raised when a key changes its meaning or goes; new keys may come without


def render(report: Report) -> str:
    return json.dumps(document(report), ensure_ascii=False, indent=2)


def document(report: Report) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tool": {"name": "ritual", "version": __version__},
        "command": report.command,
        "strict": report.strict,
        "status": report.status,
        "summary": {
            "cases": len(report.cases),
            "passed": sum(case.passed for case in report.cases),
            "failed": sum(not case.passed for case in report.cases),
            "errors": report.errors,
            "warnings": report.warnings,
            "allowed": sum(s.by == "allow" for s in report.silenced),
            "baseline": sum(s.by == "baseline" for s in report.silenced),
            "undecided": report.undecided,
        },
        "cases": [case_of(case, report) for case in report.cases],
        "findings": [finding(d, report) for d in report.findings],
        "silenced": [{**finding(s.finding, report), "by": s.by, "reason": s.reason} for s in report.silenced],
        **report.extra,
    }


def case_of(case: Case, report: Report) -> dict[str, Any]:
    return {
        "name": case.name,
        "group": case.group,
        "game": case.game,
        "passed": case.passed,
        "place": place(case.span, report),
        "differences": [
            {"what": d.what, "expected": d.expected, "actual": d.actual, "place": place(d.span, report)}
            for d in case.mismatches
        ],
        "findings": [finding(d, report) for d in case.findings],
        "undecided": case.undecided,
    }


def finding(d: Diagnostic, report: Report) -> dict[str, Any]:
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "place": place(d.span, report),
        "help": d.help,
        "related": [{"message": r.message, "place": place(r.span, report)} for r in d.related],
    }


def place(span: Span | None, report: Report) -> dict[str, Any] | None:
    """Lines and columns count from 1, columns in characters; the end is the first character behind."""
    if span is None:
        return None
    return {
        "path": report.path(span),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
