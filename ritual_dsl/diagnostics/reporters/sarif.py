"""SARIF 2.1.0: findings with the metadata and help of their codes, for code-scanning services and editors."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any
from urllib.parse import quote

from ritual_dsl import __version__
from ritual_dsl.diagnostics import Diagnostic, ordered
from ritual_dsl.diagnostics.codes import CODES, Code
from ritual_dsl.diagnostics.judge import Silenced
from ritual_dsl.diagnostics.report import Report
from ritual_dsl.source import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report) -> str:
    silenced = {s.finding: s for s in report.silenced}
    found = ordered([*report.findings, *silenced])
    codes = sorted({d.code for d in found})
    marks = fingerprints(found, report)
    run = {
        "tool": {
            "driver": {
                "name": "ritual",
                "semanticVersion": __version__,
                "rules": [rule(CODES[code]) for code in codes],
            }
        },
        "invocations": [{"executionSuccessful": report.status != 2, "exitCode": report.status}],
        "columnKind": "unicodeCodePoints",
        "results": [
            {**result(d, codes.index(d.code), mark, report), **suppression(silenced.get(d))}
            for d, mark in zip(found, marks, strict=True)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def rule(code: Code) -> dict[str, Any]:
    """The entry of a code's table, in SARIF's words."""
    plain = f"{code.meaning}\n\nBad:\n{code.bad}\n\nGood:\n{code.good}\n\nWhy: {code.why}"
    marked = f"{code.meaning}\n\nBad:\n```\n{code.bad}\n```\nGood:\n```\n{code.good}\n```\n{code.why}"
    return {
        "id": code.code,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.meaning},
        "help": {"text": plain, "markdown": marked},
        "defaultConfiguration": {"level": code.severity},
    }


def result(d: Diagnostic, index: int, mark: str, report: Report) -> dict[str, Any]:
    text = f"{d.message}\n{d.help}" if d.help else d.message
    entry: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": index,
        "level": d.severity,
        "message": {"text": text},
        "locations": [location(d.span, report)] if d.span else [],
        "partialFingerprints": {"ritualFinding/v1": mark},
    }
    if d.related:
        entry["relatedLocations"] = [
            {**location(r.span, report), "id": number, "message": {"text": r.message}}
            for number, r in enumerate(d.related)
        ]
    return entry


def suppression(silenced: Silenced | None) -> dict[str, Any]:
    """A finding that does not count is told all the same, with the reason."""
    if silenced is None:
        return {}
    kind = "inSource" if silenced.by == "allow" else "external"
    return {"suppressions": [{"kind": kind, "justification": silenced.reason}]}


def location(span: Span, report: Report) -> dict[str, Any]:
    path = report.path(span)
    region: dict[str, Any] = {"startLine": span.line, "startColumn": span.column}
    if (span.end_line, span.end_column) > (span.line, span.column):
        region |= {"endLine": span.end_line, "endColumn": span.end_column}
    line = span.source.line(span.line)
    if line:
        region["snippet"] = {"text": line}
    uri = quote(path) if not path.startswith("/") else f"file://{quote(path)}"
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def fingerprints(found: list[Diagnostic], report: Report) -> list[str]:
    """The same for a finding whose line has moved; the same findings of one text are counted."""
    seen: Counter[str] = Counter()
    marks = []
    for d in found:
        place = f"{report.path(d.span)}\0{d.span.source.line(d.span.line).strip()}" if d.span else ""
        mark = hashlib.sha256(f"{d.code}\0{d.message}\0{place}".encode()).hexdigest()[:32]
        seen[mark] += 1
        marks.append(f"{mark}:{seen[mark]}")
    return marks
