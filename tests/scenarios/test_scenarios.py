"""The shipped scenarios hold, and every clause and patch matters to at least one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import pytest

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.game_files import load_game as load_files
from ritual_dsl.loading.parts import GameFiles
from ritual_dsl.loading.reference import Loaded, shipped_folder
from ritual_dsl.scenarios import run_files, run_one, scenario_files
from ritual_dsl.scenarios.load import Scenario, load_scenarios
from ritual_dsl.scenarios.run import Games
from ritual_dsl.syntax import nodes as n

GAME = "arkham_ritual"
FOLDER = shipped_folder() / GAME


def test_all_scenarios_hold() -> None:
    report = run_files([GAME])
    assert report.failed == 0, report.text()
    assert report.passed >= 150


@lru_cache(maxsize=1)
def files() -> GameFiles:
    found = Findings()
    loaded = load_files(FOLDER, found)
    assert loaded is not None and not found
    return loaded


@lru_cache(maxsize=1)
def scenarios() -> list[Scenario]:
    found = Findings()
    loaded = [s for path in scenario_files([GAME]) for s in load_scenarios(path, found)]
    assert not found
    return loaded


def without_clauses(items: tuple[n.Item, ...]) -> Iterator[tuple[str, tuple[n.Item, ...]]]:
    """Each way to delete one clause, one patch or one handler from a text."""
    for i, item in enumerate(items):
        rest = items[:i], items[i + 1 :]
        match item:
            case n.RuleDecl():
                for j, clause in enumerate(item.clauses):
                    if isinstance(clause.body, n.Truth):  # says nothing: it is there to be patched
                        continue
                    kept = item.clauses[:j] + item.clauses[j + 1 :]
                    if item.combination == "value":  # without its clause there is no rule: make it say 0 or false
                        kept = (replace(clause, body=nothing_of(item, clause)),)
                        if kept[0].body is None or kept[0].body == clause.body:
                            continue
                    yield f"{item.name}.{clause.label}", (*rest[0], replace(item, clauses=kept), *rest[1])
            case n.Guarded():
                for label, kept in without_clauses(item.patches):
                    yield label, (*rest[0], *((replace(item, patches=kept),) if kept else ()), *rest[1])
            case n.ClausePatch() | n.StepPatch():
                yield f"{item.kind} {'.'.join(item.path)}", (*rest[0], *rest[1])
            case n.Handler():
                yield f"when {item.trigger}", (*rest[0], *rest[1])


def nothing_of(rule: n.RuleDecl, clause: n.Clause) -> n.Expr:
    assert rule.type is not None
    if rule.type.name == "truth":
        return n.Truth(clause.span, False)
    if rule.type.name == "player":
        return n.Name(clause.span, "none")
    return n.Number(clause.span, 0)


def mutants() -> Iterator[tuple[str, GameFiles]]:
    base = files()
    for label, items in without_clauses(base.items):
        yield label, replace(base, items=items)
    for card in base.cards.values():
        for label, items in without_clauses(card.items):
            yield f"{card.id}: {label}", replace(base, cards={**base.cards, card.id: replace(card, items=items)})
    for variant in base.variants.values():
        for label, items in without_clauses(variant.items):
            changed = {**base.variants, variant.id: replace(variant, items=items)}
            yield f"{variant.id}: {label}", replace(base, variants=changed)
    for ruling in base.rulings.values():
        for name, option in ruling.options.items():
            for label, items in without_clauses(option.items):
                options = {**ruling.options, name: replace(option, items=items)}
                changed_rulings = {**base.rulings, ruling.id: replace(ruling, options=options)}
                yield f"{ruling.id}={name}: {label}", replace(base, rulings=changed_rulings)
            for change in option.cards:
                options = {**ruling.options, name: replace(option, cards=())}
                changed_rulings = {**base.rulings, ruling.id: replace(ruling, options=options)}
                yield f"{ruling.id}={name}: {change.id}", replace(base, rulings=changed_rulings)


MUTANTS = dict(mutants())


def test_there_is_much_to_delete() -> None:
    assert len(MUTANTS) > 60


@pytest.mark.parametrize("label", MUTANTS)
def test_a_deleted_clause_is_noticed(label: str) -> None:
    games = Games(loaded=Loaded(games={FOLDER: (MUTANTS[label], Findings())}))
    assert any(not run_one(scenario, games).passed for scenario in ordered_for(label)), f"nobody misses {label}"


def ordered_for(label: str) -> list[Scenario]:
    """Those that name the card or module first, so that most deletions are noticed at once."""
    word = label.partition(":")[0]
    return sorted(scenarios(), key=lambda s: word not in s.game)
