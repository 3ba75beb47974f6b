"""Mutation: one change of the rules at a time, and whether a scenario notices it.

In: scenario files that pass. Out: a `Mutation`: every change with what became of it. The runs of the unchanged rules
say which scenarios come to a change at all; only these are run with it, the narrowest first, on all cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from ritual_dsl.checks import ready
from ritual_dsl.diagnostics import Findings, RitualError
from ritual_dsl.engine.witness import Hit, Witness
from ritual_dsl.loading.reference import Chosen, Loaded, choose
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.coverage import Share
from ritual_dsl.scenarios.load import Scenario
from ritual_dsl.scenarios.mutants import Mutant, mutants_of
from ritual_dsl.scenarios.parts import Part, parts_of
from ritual_dsl.scenarios.run import run_scenario
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.walk import exchanged

NOTICED, UNNOTICED, UNREACHED, REFUSED = "noticed", "unnoticed", "unreached", "refused"
PATIENCE = 20  # a changed run may ask this many times as many questions as the unchanged one
LEAST_WORK = 20_000
Progress = Callable[[int, int, int], None]  # how many are done, of how many, and unnoticed so far


@dataclass(frozen=True)
class Outcome:
    """What became of a change; `by` is the scenario that noticed it, or what the check said."""

    state: str
    by: str = ""


@dataclass
class Baseline:
    """The scenarios with the rules as they are: what each exercised, and how much work it was."""

    scenarios: list[Scenario] = field(default_factory=list)
    chosen: list[Chosen] = field(default_factory=list)  # the parts of its game, for each scenario
    hits: list[frozenset[Hit]] = field(default_factory=list)
    work: list[int] = field(default_factory=list)
    mutants: list[Mutant] = field(default_factory=list)

    @classmethod
    def of(cls, scenarios: list[Scenario]) -> Baseline:
        """Only scenarios that pass can notice anything."""
        baseline, loaded = cls(), Loaded()
        games: dict[tuple[str, str], tuple[Chosen, Game]] = {}
        parts: dict[tuple[str, tuple[n.Item, ...]], Part] = {}
        for scenario in scenarios:
            key = (scenario.game, str(scenario.path.parent))
            if key not in games:
                found = Findings()
                chosen = choose(scenario.game, found, scenario.path.parent, loaded)
                try:
                    game = ready(chosen, found)
                except RitualError:
                    continue
                assert chosen is not None
                games[key] = (chosen, game)
                parts |= {(part.name, part.items): part for part in parts_of(game)}
            baseline.add(scenario, *games[key])
        baseline.mutants = mutants_of(parts.values())
        return baseline

    def add(self, scenario: Scenario, chosen: Chosen, game: Game) -> None:
        witness = Witness()
        result = run_scenario(scenario, game, witness)
        if result.passed:
            self.scenarios.append(scenario)
            self.chosen.append(chosen)
            self.hits.append(frozenset(witness.hits))
            self.work.append(result.run.state.work if result.run is not None else 0)

    def who_may_notice(self, mutant: Mutant) -> list[int]:
        """The scenarios that come to the change, the narrowest first."""
        reached = mutant.reached_by
        indices = [i for i, hits in enumerate(self.hits) if reached is None or not reached.isdisjoint(hits)]
        return sorted(indices, key=lambda i: len(self.hits[i]))

    def outcome(self, mutant: Mutant) -> Outcome:
        games: dict[int, Game] = {}
        candidates = self.who_may_notice(mutant)
        for i in candidates:
            chosen = self.chosen[i]
            try:
                if id(chosen) not in games:
                    games[id(chosen)] = ready(changed(chosen, mutant), Findings())
            except RitualError as error:
                return Outcome(REFUSED, error.diagnostics[0].message)
            limit = LEAST_WORK + PATIENCE * self.work[i]
            if not run_scenario(self.scenarios[i], games[id(chosen)], work_limit=limit).passed:
                return Outcome(NOTICED, self.scenarios[i].name)
        return Outcome(UNNOTICED if candidates else UNREACHED)


def changed(chosen: Chosen, mutant: Mutant) -> Chosen:
    """The parts of a game with one node exchanged."""
    old, new = mutant.old, mutant.new
    return replace(
        chosen,
        files=replace(chosen.files, items=exchanged(chosen.files.items, old, new)),
        cards=exchanged(chosen.cards, old, new),
        modules=exchanged(chosen.modules, old, new),
    )


@dataclass
class Mutation:
    """Every change and what became of it."""

    outcomes: list[tuple[Mutant, Outcome]]
    equivalent: dict[tuple[str, str], str] = field(default_factory=dict)  # names to reasons

    @property
    def judged(self) -> list[tuple[Mutant, Outcome]]:
        """Without those that the check refuses."""
        return [(m, o) for m, o in self.outcomes if o.state != REFUSED]

    @property
    def survivors(self) -> list[Mutant]:
        return [m for m, o in self.judged if self.survived(m, o)]

    def survived(self, mutant: Mutant, outcome: Outcome) -> bool:
        return outcome.state in (UNNOTICED, UNREACHED) and mutant.name not in self.equivalent

    @property
    def share(self) -> Share:
        """The noticed among those that can be noticed."""
        return Share(sum(o.state == NOTICED for _, o in self.judged), len(self.judged) - len(self.equivalent))


def mutate(baseline: Baseline, workers: int | None = None, progress: Progress | None = None) -> Mutation:
    """Try every mutant, on as many processes as there are cores."""
    mutants = baseline.mutants
    count = min(workers or os.cpu_count() or 1, max(1, len(mutants)))
    outcomes: list[Outcome] = []
    survived = 0
    for outcome in in_process(baseline) if count == 1 else in_parallel(baseline, count):
        outcomes.append(outcome)
        survived += outcome.state in (UNNOTICED, UNREACHED)
        if progress is not None:
            progress(len(outcomes), len(mutants), survived)
    return Mutation(list(zip(mutants, outcomes, strict=True)))


def in_process(baseline: Baseline) -> Iterator[Outcome]:
    return (baseline.outcome(mutant) for mutant in baseline.mutants)


def in_parallel(baseline: Baseline, workers: int) -> Iterator[Outcome]:
    """Each process makes the mutants itself, in the same order, and is given their numbers."""
    with ProcessPoolExecutor(workers, initializer=_take, initargs=(baseline,)) as pool:
        yield from pool.map(_outcome, range(len(baseline.mutants)), chunksize=4)


_taken: list[Baseline] = []  # of a worker process: what it works on


def _take(baseline: Baseline) -> None:
    _taken[:] = [baseline]


def _outcome(number: int) -> Outcome:
    return _taken[0].outcome(_taken[0].mutants[number])
