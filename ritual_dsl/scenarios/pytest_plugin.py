"""A pytest plugin: every scenario of a `*.scenario.yaml` file is a test.

In: the files that pytest comes across. Out: an item for each scenario, named as it is, that fails with the
differences people read. Everything of ours is imported late: pytest loads this module in every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ritual_dsl.scenarios.load import Scenario
    from ritual_dsl.scenarios.run import Result

ENDING = ".scenario.yaml"
GAMES = pytest.StashKey[Any]()  # the `Games` that scenarios of this run have loaded


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    return ScenarioFile.from_parent(parent, path=file_path) if file_path.name.endswith(ENDING) else None


class ScenarioFile(pytest.File):
    """A file of scenarios; one that cannot be read is an error of the collection."""

    def collect(self) -> Iterator[ScenarioItem]:
        from ritual_dsl.diagnostics import Findings, has_errors
        from ritual_dsl.diagnostics.human import report
        from ritual_dsl.scenarios.load import load_scenarios

        found = Findings()
        scenarios = load_scenarios(self.path, found)
        if has_errors(found):
            raise self.CollectError(report(found))
        for scenario in scenarios:
            yield ScenarioItem.from_parent(self, name=scenario.name, scenario=scenario)


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, scenario: Scenario, **rest: Any) -> None:
        super().__init__(**rest)
        self.scenario = scenario

    def runtest(self) -> None:
        from ritual_dsl.scenarios import run_one
        from ritual_dsl.scenarios.run import Games

        result = run_one(self.scenario, self.session.stash.setdefault(GAMES, Games()))
        if not result.passed:
            raise ScenarioFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> Any:
        from ritual_dsl.scenarios.report import failure

        error = excinfo.value
        return failure(error.result) if isinstance(error, ScenarioFailed) else super().repr_failure(excinfo, *rest)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.scenario.span.line - 1, self.name


class ScenarioFailed(Exception):
    """What was expected did not come out."""

    def __init__(self, result: Result) -> None:
        super().__init__("; ".join([*map(str, result.mismatches), *(d.message for d in result.diagnostics)]))
        self.result = result
