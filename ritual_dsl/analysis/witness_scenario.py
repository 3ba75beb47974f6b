"""A state that two games judge differently, as a scenario one can paste into a file.

In: such a state. Out: the text of a scenario file that passes with the first game and fails with the second, tried out,
and what each of them says about it.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ritual_dsl.analysis.compare import Apart
from ritual_dsl.analysis.witness_deal import asked_of_deal, deal_text
from ritual_dsl.diagnostics import Findings
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.session import scalar
from ritual_dsl.engine.trace import Evaluation
from ritual_dsl.model import ir
from ritual_dsl.model.game import Counter, Game, Rule
from ritual_dsl.model.walk import walk
from ritual_dsl.scenarios.explain import evaluated, happened
from ritual_dsl.scenarios.load import load_scenarios
from ritual_dsl.scenarios.run import Result, run_scenario


@dataclass(frozen=True)
class Witness:
    """The scenario, whether it does what it should, and both explanations; of a deal alone, the deal."""

    text: str
    passes_before: bool
    fails_after: bool
    before: tuple[str, ...]
    after: tuple[str, ...]
    is_scenario: bool = True


def witness(apart: Apart, a: Game, b: Game) -> Witness | None:
    given = given_lines(apart, Run(a, apart.players))
    if apart.odds.procedure is None:  # nothing is run that a scenario could do
        asked = [asked_of_deal(apart, game) for game in (a, b)]
        return Witness(deal_text(apart, given), True, True, *tell_runs(*asked), is_scenario=False)
    draft = scenario_text(a, apart, given, ["because: []"])  # what it comes to is not known yet
    first = run_text(draft, a)
    if first.run is None:
        return None
    text = scenario_text(a, apart, given, expect_lines(apart, first.run))
    before, after = run_text(text, a), run_text(text, b)
    return Witness(text, before.passed, not after.passed, *tell(before, after))


def run_text(text: str, game: Game) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "apart.scenario.yaml"
        path.write_text(text, encoding="utf-8")
        found = Findings()
        return run_scenario(load_scenarios(path, found)[0], game)


def scenario_text(game: Game, apart: Apart, given: list[str], expect: list[str]) -> str:
    lines = [f"game: {scalar(game.reference)}", "scenarios:", "  - name: these come out differently"]
    lines += [f"    players: {apart.players}", "    given:", *(f"      {line}" for line in given)]
    lines += [f"    do: {apart.odds.procedure}"]
    lines += ["    expect:", *(f"      {line}" for line in expect)] if expect else []
    return "\n".join(lines) + "\n"


def given_lines(apart: Apart, run: Run) -> list[str]:
    zones: dict[str, dict[str, list[str]]] = {}
    for place, card in apart.hands:
        zone = apart.odds.deals[place.deal].zone
        owners = run.owner_names(zone.owner)
        owner = owners[place.share] if place.share is not None else ""
        zones.setdefault(zone.name, {}).setdefault(owner, []).append(card)
    lines = []
    for name, shares in zones.items():
        single = run.game.zones[name].single
        held = {owner: cards[0] if single else f"[{', '.join(cards)}]" for owner, cards in shares.items()}
        order = [owner for owner in run.owner_names(run.game.zones[name].owner) if owner in held]
        lines.append(f"{name}: {held['']}" if "" in held else f"{name}: {mapping({o: held[o] for o in order})}")
    for name, value in apart.counters.items():
        lines += [f"{name}: {counter_words(run.game.counters[name], value, run)}"]
    return lines


def mapping(parts: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{scalar(key)}: {value}" for key, value in parts.items()) + "}"


def counter_words(counter: Counter, value: Any, run: Run) -> str:
    if counter.owner is None:
        return str(value)
    return mapping(dict(zip(run.owner_names(counter.owner), value, strict=True)))


def expect_lines(apart: Apart, run: Run) -> list[str]:
    """Counters, how it ended, and every rule of one seat that the odds report."""
    lines = []
    for counter in run.game.counters.values():
        lines.append(f"{counter.name}: {counter_words(counter, run.state.cells[counter.cell], run)}")
    ends = list(run.state.ended.values())
    lines += [f"ended: {ends[0]}"] if len(ends) == 1 else []
    for name in sorted({part.rule for part in walk(apart.odds.tallies) if isinstance(part, ir.CallRule)}):
        rule = run.game.rules[name]
        kinds = [type.kind for _, type in rule.params]
        if kinds in (["seat"], ["player"]) and rule.type.kind in ("truth", "number"):
            lines.append(f"{name}: {rule_words(rule, run, kinds[0])}")
    return lines


def rule_words(rule: Rule, run: Run, owner: str) -> str:
    count = run.state.players if owner == "player" else run.state.seats
    values = {run.names[seat]: last(rule, seat, run) for seat in range(count)}
    if rule.type.kind == "truth":
        return "[" + ", ".join(scalar(name) for name, value in values.items() if value) + "]"
    return mapping(values)


def last(rule: Rule, seat: int, run: Run) -> Any:
    asked = run.trace.last.get((rule.name, (seat,))) if run.trace is not None else None
    return asked.value if asked is not None else run.ask(rule.name, (seat,))


def tell(before: Result, after: Result) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What happened in each, and what was asked on the way."""
    one, two = tell_runs(before.run, after.run)
    return (*one, *faults(before)), (*two, *faults(after))


def faults(result: Result) -> list[str]:
    return [f"{d.code}: {d.message}" for d in result.diagnostics]


def tell_runs(before: Run | None, after: Run | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The questions that were answered differently; if there are none, those answered for different reasons."""
    sides = [run.trace.last if run and run.trace else {} for run in (before, after)]
    keys = dict.fromkeys([*sides[0], *sides[1]])
    apart = [key for key in keys if reason(sides[0].get(key)) != reason(sides[1].get(key))]
    apart = [key for key in apart if answer(sides[0].get(key)) != answer(sides[1].get(key))] or apart
    return tuple(lines(before, apart)), tuple(lines(after, apart))


def answer(evaluation: Evaluation | None) -> Any:
    return None if evaluation is None else (evaluation.value,)


def reason(evaluation: Evaluation | None) -> Any:
    if evaluation is None:
        return None
    return evaluation.value, [d.name for d in evaluation.decided if d.decides]


def lines(run: Run | None, keys: list[tuple[str, tuple[Any, ...]]]) -> list[str]:
    if run is None or run.trace is None:
        return []
    told = [line.strip() for line in happened(run)]
    for key in keys:
        if key in run.trace.last:
            told += evaluated(run.trace.last[key], run)
    return told
