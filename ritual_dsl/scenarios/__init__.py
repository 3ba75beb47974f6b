"""Scenarios: tests in the users' own format.

In: scenario files, folders, or a game. Out: a report of what held and what did not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ritual_dsl.diagnostics import Diagnostic, Findings, RitualError, as_asked, fail, has_errors, near_miss, ordered
from ritual_dsl.diagnostics.human import count, show
from ritual_dsl.diagnostics.judge import settle
from ritual_dsl.diagnostics.report import Case
from ritual_dsl.engine.witness import Witness
from ritual_dsl.loading.files import AnyPath
from ritual_dsl.loading.game_files import read_mapping
from ritual_dsl.loading.locate import game_folder, is_path, locate, overlays_in
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.coverage import Coverage
from ritual_dsl.scenarios.equivalents import judge, load_equivalents
from ritual_dsl.scenarios.explain import explain_result
from ritual_dsl.scenarios.load import Scenario, load_scenarios
from ritual_dsl.scenarios.mutation import Baseline, Mutation, Progress, mutate
from ritual_dsl.scenarios.prepare import prepare
from ritual_dsl.scenarios.report import cases_of, failure, title
from ritual_dsl.scenarios.run import Games, Result, run_scenario, unexpected


@dataclass
class TestReport:
    """How the scenarios of a run came out."""

    results: list[Result] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)  # of files that could not be read

    __test__ = False

    @property
    def passed(self) -> int:
        return sum(r.passed for r in self.results)

    @property
    def failed(self) -> int:
        return len(self.results) - self.passed + has_errors(self.diagnostics)

    @property
    def cases(self) -> tuple[Case, ...]:
        return cases_of(self.results, self.diagnostics)

    def text(self) -> str:
        parts = [show(d) for d in ordered(self.diagnostics)]
        said: set[tuple[Diagnostic, ...]] = set()
        for result in self.results:
            if not result.passed:
                known = not result.mismatches and tuple(result.diagnostics) in said
                parts.append(f"{title(result)}\n  for the same reason" if known else failure(result))
                said.add(tuple(result.diagnostics))
        parts.append(
            f"{count(len(self.results), 'scenario')}: {self.passed} passed, {len(self.results) - self.passed} failed"
        )
        return "\n\n".join(parts)


def scenario_files(names: Iterable[str]) -> list[AnyPath]:
    """Scenario files as named; all below a folder; those of a game and of the overlays of a reference."""
    files: dict[AnyPath, None] = {}
    for name in names:
        path = Path(name).absolute()
        if path.is_dir() and game_folder(path) is None:
            files |= dict.fromkeys(below(path, name))
        elif path.is_file():
            files[path] = None
        else:
            files |= dict.fromkeys(of_reference(name))
    return list(files)


def of_reference(name: str) -> list[AnyPath]:
    files = own_files(name)
    if not files:
        raise fail("RIT101", f"there is no scenario in {name}")
    return files


def own_files(name: str) -> list[AnyPath]:
    """The files with scenarios of what a reference is made of: those of the game, and overlays with their own."""
    base, *modules = name.split("+")
    files: list[AnyPath] = []
    for word in (base, *(module for module in modules if is_path(module))):
        found = Findings()
        located = locate(word, Path.cwd(), found, None, in_file=False)
        if located is None:
            raise RitualError(found)
        if located.is_game:
            files += sorted(located.place.rglob("*.scenario.yaml"))
        elif holds_scenarios(located.place):
            files.append(located.place)
    return files


def holds_scenarios(overlay: AnyPath) -> bool:
    root = read_mapping(overlay, Findings())
    return root is not None and "scenarios" in root.entries


def below(folder: AnyPath, name: str) -> list[AnyPath]:
    files = [*overlays_in(folder), *sorted(folder.rglob("*.scenario.yaml"))]
    if not files:
        raise fail("RIT101", f"there is no *.scenario.yaml and no overlay in {name}")
    return files


def run_files(names: Iterable[str], coverage: Coverage | None = None) -> TestReport:
    """Run what is named; what the runs exercised is added to `coverage`."""
    return run_paths(scenario_files(names), coverage)


def run_paths(paths: Iterable[AnyPath], coverage: Coverage | None = None) -> TestReport:
    report = TestReport()
    games = Games()
    for path in paths:
        found = Findings()
        for scenario in load_scenarios(path, found):
            report.results.append(run_one(scenario, games, coverage))
        report.diagnostics += found
    return report


def run_one(scenario: Scenario, games: Games, coverage: Coverage | None = None) -> Result:
    try:
        game = games.get(scenario)
    except RitualError as error:
        return Result(scenario, diagnostics=list(error.diagnostics))
    if coverage is None:
        return run_scenario(scenario, game)
    witness = Witness()
    result = run_scenario(scenario, game, witness)
    coverage.add(game, witness)
    return result


def mutate_files(
    names: Iterable[str], workers: int | None = None, progress: Progress | None = None
) -> tuple[Mutation, list[Diagnostic]]:
    """Which changes of the rules the scenarios do not notice, and findings about those excused beside them."""
    found = Findings()
    files = scenario_files(names)
    scenarios = [scenario for path in files for scenario in load_scenarios(path, Findings())]
    equivalents = load_equivalents(files, found)
    mutation = mutate(Baseline.of(scenarios), workers, progress)
    judge(equivalents, mutation, found)
    return mutation, ordered(found)


def check_file(path: Path) -> list[Diagnostic]:
    """The findings about a scenario file that no comment in it allows."""
    found = Findings()
    look_over_file(path, found)
    return list(settle(found).counted)


def look_over_file(path: Path, found: Findings) -> None:
    """Find everything about a scenario file and the games it names, without judging its expectations."""
    games = Games()
    for scenario in load_scenarios(path.absolute(), found):
        try:
            game = games.get(scenario)
        except RitualError as error:
            found += error.diagnostics
            continue
        own = Findings()
        prepare(scenario, game, own)
        found += unexpected(scenario, own)
        unknown_sections(scenario, game, found)


def unknown_sections(scenario: Scenario, game: Game, found: Findings) -> None:
    """A citation names a section of the game's table."""
    sections = game.files.manifest.sections
    for cite in scenario.cites if sections else ():
        if cite not in sections:
            message = f"{cite} is not in the table of sections"
            found.say("RIT363", message, scenario.place("cite"), help=near_miss(cite, sections))


def explain(path: Path, name: str | None = None) -> str:
    """Run one scenario, the first or the named one, and say why each outcome came about."""
    found = Findings()
    scenarios = load_scenarios(path.absolute(), found)
    if has_errors(found):
        raise RitualError(found)
    chosen = [s for s in scenarios if name is None or s.name == name]
    if not chosen:
        known = [s.name for s in scenarios]
        with as_asked():
            raise fail("RIT611", f"there is no scenario `{name}` in {path}", help=near_miss(name or "", known))
    games = Games()
    return explain_result(run_scenario(chosen[0], games.get(chosen[0])))
