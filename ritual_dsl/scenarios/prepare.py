"""Everything about a scenario that can be known before its run: names, values, inputs, answers, expectations.

In: a `Scenario` and its game. Out: a table that is set up, the inputs of what is done, and what is to be
compared afterwards; or findings, with which nothing is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ritual_dsl.diagnostics import Findings, RitualError, fail, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.run import Run, seat_names
from ritual_dsl.engine.witness import RAN, Witness, hit
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, YamlNode
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.expect import Check, Expectation
from ritual_dsl.scenarios.load import Scenario
from ritual_dsl.scenarios.values import Values


@dataclass
class Prepared:
    run: Run
    values: Values
    args: tuple[Any, ...]
    checks: list[tuple[str, Check]]


def prepare(scenario: Scenario, game: Game, found: Findings, witness: Witness | None = None) -> Prepared | None:
    """What is to be run; None if the seats do not fit the game, and not to be run if there are findings."""
    found += scenario.faults
    if witness is not None:
        witness.hits.update(hit(change.span, RAN) for change in game.redeclared)
    players = scenario.players if scenario.players is not None else game.usual_players
    try:
        seat_names(game, players)
    except RitualError as error:
        found.say("RIT510", error.diagnostics[0].message, scenario.place("players"))
        return None
    run = Run(game, players, seed=scenario.seed, trace=True, pinned=scenario.chance.pinned(), witness=witness)
    values = Values(run, found)
    values.give(scenario.given)
    args: tuple[Any, ...] = ()
    try:
        if scenario.procedure is not None:
            args = arguments(scenario.procedure, scenario.args, values)
    except RitualError as error:
        found += error.diagnostics
    for node in scenario.choices:
        check_answer(node, values)
    for card in (*(card for shuffle in scenario.chance.shuffles for card in shuffle), *scenario.chance.draws):
        values.card(card, game.cards[card.text].piece if card.text in game.cards else "")
    checks = Expectation(values).read(scenario.expect) if scenario.expect is not None else []
    return Prepared(run, values, args, checks)


def arguments(procedure: Scalar, given: Mapping | None, values: Values) -> tuple[Any, ...]:
    """The inputs of a procedure, in its order."""
    name, procedures = procedure.text, values.game.procedures
    if name not in procedures:
        raise fail("RIT605", f"there is no procedure `{name}`", procedure.span, help=near_miss(name, procedures))
    params = dict(procedures[name].params)
    entries = given.entries if given is not None else {}
    for word, entry in entries.items():
        if word not in params:
            raise fail("RIT605", f"`{name}` takes no `{word}`", entry.key.span, help=near_miss(word, params))
    missing = [word for word in params if word not in entries]
    if missing:
        hint = f"write {{{name}: {{{missing[0]}: …}}}}"
        raise fail("RIT605", f"`{name}` needs {listing(missing)}", procedure.span, help=hint)
    return tuple(values.value(entries[word].value, type) for word, type in params.items())


def check_answer(node: YamlNode, values: Values) -> None:
    """`{A: C}`: who, and the option; `{do: {…}}` for what may happen at any time."""
    if not isinstance(node, Mapping) or len(node.entries) != 1:
        values.wrong(node, "an answer says who and what: {A: take}")
        return
    entry = next(iter(node.entries.values()))
    if entry.key.text == "do":
        try:
            interruption(entry.value, values)
        except RitualError as error:
            values.found += error.diagnostics
        return
    values.chooser(entry.key)
    if not isinstance(entry.value, Scalar):
        values.wrong(entry.value, "one option is chosen")


def interruption(node: YamlNode, values: Values) -> tuple[str, tuple[Any, ...]]:
    """What happens between two answers: a procedure that may happen at any time, and its inputs."""
    if isinstance(node, Scalar):
        procedure, given = node, None
    elif isinstance(node, Mapping) and len(node.entries) == 1:
        entry = next(iter(node.entries.values()))
        procedure, given = entry.key, entry.value if isinstance(entry.value, Mapping) else None
    else:
        raise fail("RIT610", "`do` names one procedure", node.span)
    args = arguments(procedure, given, values)
    if not values.game.procedures[procedure.text].any_time:
        possible = [p.name for p in values.game.procedures.values() if p.any_time]
        hint = f"possible: {listing(possible)}" if possible else None
        raise fail("RIT501", f"`{procedure.text}` cannot happen at any time", procedure.span, help=hint)
    return procedure.text, args
