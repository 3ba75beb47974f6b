"""Running scenarios: give, do, answer, compare.

In: a `Scenario`. Out: a `Result`: findings about the file, and mismatches with what was expected.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.checks import load_game
from ritual_dsl.diagnostics import Diagnostic, Findings, RitualError, fail, near_miss, ordered
from ritual_dsl.diagnostics.report import Mismatch
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.evaluate import WORK_LIMIT
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.witness import RAN, Witness, hit
from ritual_dsl.loading.reference import Loaded
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.expect import Expectation
from ritual_dsl.scenarios.load import Scenario
from ritual_dsl.scenarios.values import Values


@dataclass
class Result:
    scenario: Scenario
    mismatches: list[Mismatch] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
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
            raise game
        return game


def run_scenario(
    scenario: Scenario, game: Game, witness: Witness | None = None, work_limit: int = WORK_LIMIT
) -> Result:
    """With a witness, what the run exercised is noted."""
    result = Result(scenario)
    found = Findings()
    try:
        pinned = scenario.pinned()
        run = Run(game, scenario.players, seed=scenario.seed, trace=True, pinned=pinned, witness=witness)
        run.machine.evaluator.work_limit = work_limit
        result.run = run
        if witness is not None:
            witness.hits.update(hit(change.span, RAN) for change in game.redeclared)
        values = Values(run, found)
        values.give(scenario.given)
        if found:
            result.diagnostics = ordered(found)
            return result
        perform(scenario, run, values)
        if scenario.expect is not None and not found:
            result.mismatches = Expectation(values).compare(scenario.expect)
        result.diagnostics = ordered(found)
    except RitualError as error:
        result.diagnostics = [*ordered(found), *error.diagnostics]
        expected = expected_error(scenario)
        if expected is not None and any(d.code == expected.text for d in error.diagnostics):
            result.diagnostics = []
    return result


def expected_error(scenario: Scenario) -> Scalar | None:
    node = scenario.expect.get("error") if scenario.expect is not None else None
    return node if isinstance(node, Scalar) else None


def perform(scenario: Scenario, run: Run, values: Values) -> None:
    """Start the procedure and answer what is asked, in the order of the file."""
    if scenario.procedure is None:
        raise fail("RIT609", "the scenario does nothing", scenario.span)
    name = scenario.procedure.text
    definition = run.game.procedures.get(name)
    if definition is None:
        raise fail(
            "RIT605",
            f"there is no procedure `{name}`",
            scenario.procedure.span,
            help=near_miss(name, run.game.procedures),
        )
    run.start(name, arguments(name, scenario.args, run, values, scenario.procedure))
    answers = list(scenario.choices)
    while run.choice is not None:
        if not answers:
            choice = run.choice
            options = listing(run.show(o, choice.type) for o in choice.options)
            message = f"{run.who(choice)} is asked `{choice.label}`, and no answer is left"
            raise fail("RIT606", message, scenario.span, help=f"offered: {options}")
        answer(answers.pop(0), run, values)
    if answers:
        message = f"{len(answers)} answer{'s are' if len(answers) > 1 else ' is'} left over: nobody is asked any more"
        raise fail("RIT607", message, answers[0].span)


def arguments(name: str, given: Mapping | None, run: Run, values: Values, place: Scalar) -> tuple[Any, ...]:
    params = run.game.procedures[name].params
    entries = given.entries if given is not None else {}
    for word, entry in entries.items():
        if word not in dict(params):
            raise fail("RIT605", f"`{name}` takes no `{word}`", entry.key.span, help=near_miss(word, dict(params)))
    missing = [word for word, _ in params if word not in entries]
    if missing:
        raise fail(
            "RIT605", f"`{name}` needs {listing(missing)}", place.span, help=f"write {{{name}: {{{missing[0]}: …}}}}"
        )
    return tuple(values.value(entries[word].value, type) for word, type in params)


def answer(node: YamlNode, run: Run, values: Values) -> None:
    """`{A: C}`: who, and the option; `{do: {…}}` for what may happen at any time."""
    assert run.choice is not None
    if not isinstance(node, Mapping) or len(node.entries) != 1:
        raise fail("RIT610", "an answer says who and what: {A: take}", node.span)
    who, entry = next(iter(node.entries.items()))
    if who == "do" and isinstance(entry.value, Mapping) and len(entry.value.entries) == 1:
        call = next(iter(entry.value.entries.values()))
        name = call.key.text
        if name not in run.game.procedures:
            raise fail("RIT605", f"there is no procedure `{name}`", call.key.span)
        args = call.value if isinstance(call.value, Mapping) else None
        run.interrupt(name, arguments(name, args, run, values, call.key))
        return
    choice = run.choice
    if who != run.who(choice):
        raise fail("RIT509", f"{run.who(choice)} is asked `{choice.label}`, not {who}", entry.key.span)
    if not isinstance(entry.value, Scalar):
        raise fail("RIT610", "one option is chosen", entry.value.span)
    shown = {run.show(o, choice.type): o for o in choice.options}
    text = entry.value.text
    if text not in shown:
        hint = near_miss(text, shown) or f"offered: {listing(shown)}"
        raise fail("RIT501", f"`{text}` is not offered at `{choice.label}`", entry.value.span, help=hint)
    run.answer(shown[text])
