"""Changes of the rules: each is made, and the scenarios that should notice do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import Findings
from ritual_dsl.scenarios import mutate_files, scenario_files
from ritual_dsl.scenarios.equivalents import load_equivalents
from ritual_dsl.scenarios.load import load_scenarios
from ritual_dsl.scenarios.mutants import mutants_of
from ritual_dsl.scenarios.mutation import NOTICED, REFUSED, UNNOTICED, UNREACHED, Baseline
from ritual_dsl.scenarios.mutation_report import text
from ritual_dsl.scenarios.parts import Part
from ritual_dsl.source import Source
from ritual_dsl.syntax.parse import parse_file

GAMES = ("arkham_ritual", "shipwreck_arcana")
HOUSE = """\
extends: arkham_ritual
id: harsh
rules: |
  replace normal_loss.count:
    failures > 2: 3
    otherwise: failures + 1
  after score when sanity[active] = 0:
    active := none
"""
SCENARIO = """\
game: ./house.yaml
scenarios:
  - name: two fail
    players: 5
    given:
      active: A
      hand: {A: tome_sane, B: candelabra_sane, C: idol_sane, D: gate_1, E: candelabra_cursed}
    do: score
    expect:
      sanity: {A: 7, B: 4, C: 7, D: 7, E: 4}
"""


def changes(rules: str) -> set[str]:
    found = Findings()
    items = parse_file(Source("a.ritual", rules), found)
    assert not found
    return {mutant.change for mutant in mutants_of([Part("rules", "a.ritual", None, tuple(items))])}


def test_a_condition_of_what_may_happen_is_changed() -> None:
    rules = "procedure rest(p: player) at any time when gold[p] > 3:\n  gold gains 1\n"
    assert {"not (`gold[p] > 3`)", "`>` → `>=` in `gold[p] > 3`"} <= changes(rules)


def test_who_may_do_it_is_not_changed() -> None:
    """A scenario is not told who does it, and could not notice."""
    assert changes("procedure rest(p: player) at any time by players except p:\n  nothing\n") == set()


def test_a_rule_is_changed_in_many_ways() -> None:
    rules = """\
enum Color: red, green, blue
rule odd(p: seat): any of
  low: hand[p] is red and no q in seats except p has hand[q] is not green
  rich: gold[p] > 3
"""
    assert changes(rules) == {
        "drop the clause",
        "not (`hand[p] is red and no q in seats except p has hand[q] is not green`)",
        "`and` → `or` in `hand[p] is red and no q in seats except p has hand[q] is not green`",
        "not (`hand[p] is red`)",
        "`red` → `green` in `hand[p] is red`",
        "`no` → `some` in `no q in seats except p has hand[q] is not green`",
        "without the exception of `seats except p`",
        "`seats` → `players`",
        "not (`hand[q] is not green`)",
        "`green` → `blue` in `hand[q] is not green`",
        "not (`gold[p] > 3`)",
        "`>` → `>=` in `gold[p] > 3`",
        "`>` → `<=` in `gold[p] > 3`",
        "`3` → `4`",
        "`3` → `2`",
    }


def test_a_procedure_is_changed_step_by_step() -> None:
    rules = """\
counter gold: per player, 0..9, starts at 3
procedure pay(p: player) ends as broke, rich:
  p loses 1 gold
  when gold[p] = 0:
    end pay as broke
  p chooses what:
    keep: nothing
    spend when gold[p] > 0: p loses 1 gold
"""
    found = changes(rules)
    assert {
        "starts 3 → 4",
        "high 9 → 8",
        "drop `p loses 1 gold`",
        "`loses` → `gains` in `p loses 1 gold`",
        "drop `when gold[p] = 0:`",
        "`broke` → `rich` in `end pay as broke`",
        "drop the option `keep`",
        "without `gold[p] > 0`",
        "not (`gold[p] > 0`)",
        "drop `p loses 1 gold` (2)",
    } <= found


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    Path("house.scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def states() -> dict[str, str]:
    mutation, found = ritual_dsl.mutate(["house.scenario.yaml"], workers=1)
    assert not found
    return {f"{mutant.where}: {mutant.change}": outcome.state for mutant, outcome in mutation.outcomes}


def test_what_a_scenario_notices(house: Path) -> None:
    assert states() == {
        "harsh: replace normal_loss.count: drop the patch": NOTICED,
        "harsh: replace normal_loss.count: drop the case of `failures > 2`": UNNOTICED,
        "harsh: replace normal_loss.count: not (`failures > 2`)": UNNOTICED,  # it is 3 both ways
        "harsh: replace normal_loss.count: `>` → `>=` in `failures > 2`": UNNOTICED,
        "harsh: replace normal_loss.count: `>` → `<=` in `failures > 2`": UNNOTICED,
        "harsh: replace normal_loss.count: `2` → `3`": UNNOTICED,
        "harsh: replace normal_loss.count: `2` → `1`": UNNOTICED,
        "harsh: replace normal_loss.count: `3` → `4`": UNNOTICED,
        "harsh: replace normal_loss.count: `3` → `2`": UNNOTICED,
        "harsh: replace normal_loss.count: `+` → `-` in `failures + 1`": REFUSED,  # amounts are never negative
        "harsh: replace normal_loss.count: `1` → `2`": NOTICED,
        "harsh: replace normal_loss.count: `1` → `0`": NOTICED,
        "harsh: after score: drop the patch": UNREACHED,
        "harsh: after score: without `sanity[active] = 0`": UNNOTICED,
        "harsh: after score: `=` → `!=` in `sanity[active] = 0`": UNNOTICED,
        "harsh: after score: `0` → `1`": UNNOTICED,
        "harsh: after score: drop `active := none`": UNREACHED,
    }


def test_a_better_scenario_notices_more(house: Path) -> None:
    Path("house.scenario.yaml").write_text(SCENARIO + "      active: A\n", encoding="utf-8")
    assert states()["harsh: after score: without `sanity[active] = 0`"] == NOTICED


def test_the_report_shows_the_place(house: Path) -> None:
    mutation, _ = mutate_files(["house.scenario.yaml"], workers=1)
    shown = text(mutation)
    assert "house.yaml:7:3: no scenario comes here: harsh: after score: drop the patch" in shown
    assert "16 changes: 3 noticed, 0 equivalent, 13 unnoticed; 18.7 % of those that could be noticed were" in shown
    assert "(1 more would be refused by the check)" in shown


def test_changes_that_change_nothing_are_excused(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mutants.yaml").write_text(
        "equivalent:\n"
        "  - {where: 'harsh: after score', change: drop the patch, reason: so it is}\n"
        "  - {where: 'harsh: after score', change: drop the path, reason: misspelt}\n"
        "  - {where: 'harsh: replace normal_loss.count', change: '`1` → `2`', reason: not so}\n"
    )
    assert main(["test", "house.scenario.yaml", "--mutate", "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "RIT620" in out and "drop the patch" in out.partition("RIT620")[2].partition("RIT621")[0]
    assert "the scenario `two fail` notices this change" in out
    assert "1 equivalent, 12 unnoticed" in out


def test_the_command_in_two_processes(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["test", "house.scenario.yaml", "--mutate", "--workers", "2", "--json"]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)["mutation"]
    assert (document["noticed"], document["unnoticed"], document["refused"]) == (3, 13, 1)
    assert len(document["changes"]) == 17
    assert main([*words, "--fail-under", "50"]) == 1


def shipped(game: str) -> Baseline:
    return Baseline.of([s for path in scenario_files([game]) for s in load_scenarios(path, Findings())])


@pytest.mark.parametrize("game", GAMES)
def test_a_dropped_clause_or_patch_is_noticed(game: str) -> None:
    baseline = shipped(game)
    excused = {(e.where, e.change) for e in load_equivalents(scenario_files([game]), Findings())}
    dropped = [m for m in baseline.mutants if m.change.startswith(("drop the clause", "drop the patch", "drop it"))]
    assert len(dropped) > 60
    missed = [m.name for m in dropped if m.name not in excused and baseline.outcome(m).state not in (NOTICED, REFUSED)]
    assert not missed


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_change_of_a_shipped_game_is_noticed_or_excused(game: str) -> None:
    mutation, found = mutate_files([game])
    assert not found
    assert not mutation.survivors, text(mutation)
    assert mutation.share.hit >= 0.95 * len(mutation.judged)
