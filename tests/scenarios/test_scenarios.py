"""The shipped scenarios hold."""

from __future__ import annotations

import pytest

from ritual_dsl.scenarios import run_files


@pytest.mark.parametrize(("game", "least"), [("arkham_ritual", 400), ("shipwreck_arcana", 250)])
def test_all_scenarios_hold(game: str, least: int) -> None:
    report = run_files([game])
    assert report.failed == 0, report.text()
    assert report.passed >= least
