"""Running scenarios: give, do, answer, compare.

In: a `Scenario`. Out: a `Result`: findings about the file, and mismatches with what was expected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ritual_dsl.checks import load_game
from ritual_dsl.diagnostics import Diagnostic, Findings, Related, RitualError, fail, ordered
from ritual_dsl.diagnostics.human import count
from ritual_dsl.diagnostics.report import Mismatch
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.evaluate import WORK_LIMIT
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.trace import Evaluation
from ritual_dsl.engine.witness import Witness
from ritual_dsl.loading.reference import Loaded
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.load import Scenario
from ritual_dsl.scenarios.prepare import Prepared, interruption, prepare
from ritual_dsl.scenarios.values import Values


@dataclass
class Result:
    scenario: Scenario
    mismatches: list[Mismatch] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    stopped: tuple[Diagnostic, ...] = ()  # what ended the run, expected or not
    asked: list[Evaluation] = field(default_factory=list)  # the rules it had asked for that
    run: Run | None = None

    @property
    def passed(self) -> bool:
        return not self.mismatches and not self.diagnostics


@dataclass
class Games:
    """The games that scenarios name, each loaded once."""

    games: dict[tuple[str, str], Game | RitualError] = field(default_factory=dict)
    loaded: Loaded = field(default_factory=Loaded)

    def get(self, scenario: Scenario) -> Game:
        folder = scenario.path.parent
        key = (scenario.game, str(folder))
        if key not in self.games:
            try:
                self.games[key] = load_game(scenario.game, folder, self.loaded)
            except RitualError as error:
                self.games[key] = error
        game = self.games[key]
        if isinstance(game, RitualError):
            raise RitualError(replace(d, span=scenario.game_span) if d.span is None else d for d in game.diagnostics)
        return game


def run_scenario(
    scenario: Scenario, game: Game, witness: Witness | None = None, work_limit: int = WORK_LIMIT
) -> Result:
    """With a witness, what the run exercised is noted."""
    result = Result(scenario)
    found = Findings()
    prepared = prepare(scenario, game, found, witness)
    if prepared is not None:
        result.run = prepared.run
        prepared.run.machine.evaluator.work_limit = work_limit
        if not found:
            found += compared(scenario, prepared, result)
    result.diagnostics = unexpected(scenario, found)
    return result


def compared(scenario: Scenario, prepared: Prepared, result: Result) -> Iterable[Diagnostic]:
    """Findings of the run; where it was expected to stop so, the rest of what is expected is compared as well."""
    try:
        perform(scenario, prepared)
    except RitualError as error:
        result.stopped = error.diagnostics
        if prepared.run.trace is not None:
            result.asked, prepared.run.trace.top = prepared.run.trace.top, []
        if unexpected(scenario, Findings(result.stopped)):
            return result.stopped
    checks = [check for name, check in prepared.checks if name != "error" or not result.stopped]
    try:
        result.mismatches = [mismatch for check in checks for mismatch in check()]
    except RitualError as error:
        return (*result.stopped, *error.diagnostics)
    return result.stopped


def unexpected(scenario: Scenario, found: Findings) -> list[Diagnostic]:
    """All findings; none, if the one that is expected is among them and the scenario itself is well written."""
    node = scenario.expect.get("error") if scenario.expect is not None else None
    wanted = isinstance(node, Scalar) and any(d.code == node.text for d in found)
    return [] if wanted and not scenario.faults else ordered(found)


def perform(scenario: Scenario, prepared: Prepared) -> None:
    """Start the procedure and answer what is asked, in the order of the file."""
    run = prepared.run
    assert scenario.procedure is not None
    with pinned_places(scenario, run):
        with condition_told_at(scenario.procedure):
            run.start(scenario.procedure.text, prepared.args)
        answers = list(scenario.choices)
        while run.choice is not None:
            if not answers:
                choice = run.choice
                options = listing(run.show(o, choice.type) for o in choice.options)
                message = f"{run.who(choice)} is asked `{choice.label}`, and no answer is left"
                raise fail("RIT606", message, scenario.place("choices"), help=f"offered: {options}")
            answer(answers.pop(0), run, prepared.values)
    if answers:
        message = f"{count(len(answers), 'answer')} left over: nobody is asked any more"
        raise fail("RIT607", message, answers[0].span)
    pinned = run.machine.pinned
    if pinned.shuffles:
        first = scenario.chance.shuffles[-len(pinned.shuffles)]
        message = f"{count(len(pinned.shuffles), 'shuffle')} left over: nothing is shuffled any more"
        raise fail("RIT607", message, first[0].span if first else scenario.place("shuffles"))
    if pinned.draws:
        message = f"{count(len(pinned.draws), 'draw')} left over: nothing is drawn any more"
        raise fail("RIT607", message, scenario.chance.draws[-len(pinned.draws)].span)


@contextmanager
def pinned_places(scenario: Scenario, run: Run) -> Iterator[None]:
    """A wrong result of a shuffle is a fault of the scenario, and is shown there."""
    try:
        yield
    except RitualError as error:
        used = scenario.chance.shuffles[: len(scenario.chance.shuffles) - len(run.machine.pinned.shuffles)]
        found = [
            replace(d, span=used[-1][0].span, related=(Related("shuffled here", d.span),))
            if d.code == "RIT608" and d.span is not None and used and used[-1]
            else d
            for d in error.diagnostics
        ]
        raise RitualError(found) from error


@contextmanager
def condition_told_at(node: Scalar) -> Iterator[None]:
    """What may not happen now is a fault of the scenario, and is shown there."""
    try:
        yield
    except RitualError as error:
        raise RitualError(
            replace(d, span=node.span, related=(Related("refused here", d.span), *d.related))
            if d.code == "RIT512" and d.span is not None
            else d
            for d in error.diagnostics
        ) from error


def answer(node: YamlNode, run: Run, values: Values) -> None:
    """`{A: C}`: who, and the option; `{do: {…}}` for what may happen at any time."""
    choice = run.choice
    assert choice is not None and isinstance(node, Mapping)
    entry = next(iter(node.entries.values()))
    who, value = entry.key.text, entry.value
    if who == "do":
        with condition_told_at(entry.key):
            run.interrupt(*interruption(value, values))
        return
    assert isinstance(value, Scalar)
    if who != run.who(choice):
        message = f"{run.who(choice)} is asked `{choice.label}`, not {who}"
        raise fail("RIT509", message, entry.key.span, help=unasked(who, run))
    run.answer(run.option(value.text, value.span))


def unasked(who: str, run: Run) -> str | None:
    """What somebody could not choose, because there was but one option."""
    for event in reversed(run.state.log[:-1]):
        if event.kind == "asked":
            break
        if event.kind == "chose" and event.public[2] is not None:
            label, seats, option = event.public
            if who == (run.names[seats[0]] if len(seats) == 1 else "all"):
                type = Teller(run).label_type(label, (option,))
                return f"{who} was not asked `{label}`: `{run.show(option, type)}` was the only option"
    return None
