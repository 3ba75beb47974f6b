"""JUnit XML, as CI servers read it.

A suite of `test` is a file, its test cases are scenarios. A suite of `check` is what was checked, its
test cases are findings, or a single one that passed. Only elements and attributes that every server knows.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from ritual_dsl.diagnostics import Diagnostic
from ritual_dsl.diagnostics.human import show
from ritual_dsl.diagnostics.report import Case, Report

OUTSIDE_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    root = xml.Element("testsuites", name=f"ritual {report.command}")
    suites: dict[str, xml.Element] = {}
    for case in report.cases:
        name = case.group if report.command == "test" else case.name
        suite = suites.get(name)
        if suite is None:
            suite = suites[name] = xml.SubElement(root, "testsuite", name=clean(name))
        if report.command == "test" or not case.findings:
            add_case(suite, case)
        else:
            for finding in case.findings:
                add_finding(suite, finding, report)
    for suite in suites.values():
        tally(suite, [suite])
        suite.set("skipped", "0")
    tally(root, list(suites.values()))
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode")


def tally(element: xml.Element, suites: list[xml.Element]) -> None:
    """Counts that some servers trust more than the cases themselves."""
    for name, path in (("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error")):
        element.set(name, str(sum(len(suite.findall(path)) for suite in suites)))


def add_case(suite: xml.Element, case: Case) -> None:
    """A failure is what did not hold; an error, what could not be judged for a fault in the files."""
    element = xml.SubElement(suite, "testcase", classname=clean(case.group), name=clean(case.name))
    if case.passed:
        return
    kind = "failure" if case.mismatches else "error"
    first = case.findings[0]
    problem = xml.SubElement(element, kind, message=clean(f"{first.code}: {first.message}"), type=first.code)
    problem.text = clean(case.text)


def add_finding(suite: xml.Element, finding: Diagnostic, report: Report) -> None:
    """A warning passes, unless warnings count."""
    span = finding.span
    path = report.path(span) if span else report.command
    name = f"{finding.code} {path}:{span.line}:{span.column}" if span else finding.code
    element = xml.SubElement(suite, "testcase", classname=clean(path), name=clean(name))
    if finding.is_error or report.strict:
        message = clean(f"{finding.code}: {finding.message}")
        xml.SubElement(element, "failure", message=message, type=finding.code).text = clean(show(finding))
    else:
        xml.SubElement(element, "system-out").text = clean(show(finding))


def clean(text: str) -> str:
    """XML has no way to write some characters, not even escaped."""
    return OUTSIDE_XML.sub("\ufffd", text)
