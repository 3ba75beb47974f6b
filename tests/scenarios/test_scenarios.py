"""The shipped scenarios hold."""

from __future__ import annotations

from ritual_dsl.scenarios import run_files


def test_all_scenarios_hold() -> None:
    report = run_files(["arkham_ritual"])
    assert report.failed == 0, report.text()
    assert report.passed >= 150
