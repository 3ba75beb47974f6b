"""Coverage says what was exercised, and what was not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ritual_dsl.cli import main
from ritual_dsl.scenarios import run_files
from ritual_dsl.scenarios.coverage import Coverage
from ritual_dsl.scenarios.coverage_report import data, html, percent, table
from ritual_dsl.scenarios.sites import KINDS

HOUSE = """\
extends: arkham_ritual
id: harsh
cards:
  cthulhu:
    patch: |
      replace cthulhu.toll: # <b>more</b>
        p = holder: 1
        sanity[p] < 3: 0
        otherwise: number of seats
    text: {en: More., ja: もっと。}
rules: |
  before score when some p in players has sanity[p] = 1:
    each p in players gains 1 sanity
  rule calm(p: player): any of
    rich: sanity[p] > 5
"""
SCENARIO = """\
game: ./house.yaml
scenarios:
  - name: louder
    players: 5
    given:
      hand: {A: tome_sane, B: candelabra_sane, C: cthulhu, D: dagger_cursed, E: candelabra_cursed}
    do: awaken
    expect: {sanity: {A: 2, C: 6}}
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    Path("house.scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def measure(*names: str) -> Coverage:
    coverage = Coverage()
    assert run_files(names, coverage).failed == 0
    return coverage


def missing(coverage: Coverage) -> set[tuple[int, str]]:
    return {(site.span.line, site.outcome) for covered in coverage.parts for site in covered.missing}


@pytest.mark.parametrize("game", ["arkham_ritual", "shipwreck_arcana"])
def test_the_shipped_scenarios_reach_every_clause(game: str) -> None:
    coverage = measure(game)
    for kind in ("clause", "patch", "step", "option"):
        share = coverage.share(kind)
        assert share.hit == share.all, table(coverage)
    assert coverage.share("clause").all > 30
    assert coverage.share("branch").percent > 97


def test_of_a_house_rule_only_its_own_rules_count(house: Path) -> None:
    coverage = measure("house.scenario.yaml")
    assert {covered.part.name for covered in coverage.parts} == {"harsh", "harsh: cthulhu"}
    assert missing(coverage) == {
        (8, "taken"),  # nobody was poor
        (12, "ran"),  # nothing was scored
        (12, "true"),
        (12, "false"),
        (13, "ran"),
        (15, "ran"),  # nobody asked who is calm
        (15, "true"),
        (15, "false"),
    }


def test_a_condition_that_failed_was_exercised_one_way(house: Path) -> None:
    unnoticed = SCENARIO.replace("awaken", "score").split("    expect")[0] + "    expect: {ended: none}\n"
    Path("house.scenario.yaml").write_text(unnoticed)
    found = missing(measure("house.scenario.yaml"))
    assert (12, "true") in found and (12, "false") not in found and (13, "ran") in found


def test_the_table_names_what_is_missing(house: Path) -> None:
    text = table(measure("house.scenario.yaml"))
    assert "house.yaml:8:24: this case was never taken: 0" in text
    assert "house.yaml:15:5: this clause was never reached: rich: sanity[p] > 5" in text


def test_only_all_of_it_is_a_hundred_percent() -> None:
    from ritual_dsl.scenarios.coverage import Share

    assert percent(Share(9999, 10000)) == "99.9 %"
    assert percent(Share(0, 0)) == "100.0 %"


def test_the_data_adds_up(house: Path) -> None:
    found = data(measure("house.scenario.yaml"))
    for kind in ("clauses", "patches", "steps", "options", "branches"):
        assert found["total"][kind]["all"] == sum(part["shares"][kind]["all"] for part in found["parts"])
    assert len(KINDS) + 1 == len(found["total"])
    assert sum(len(part["missing"]) for part in found["parts"]) == 8


def test_the_page_shows_strange_text_as_text(house: Path) -> None:
    page = html(measure("house.scenario.yaml"))
    assert "&lt;b&gt;more&lt;/b&gt;" in page and "<b>more" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_command_writes_and_fails_under(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["test", "house.scenario.yaml", "--coverage-html", "c.html"]
    assert main([*words, "--fail-under", "20"]) == 0
    assert Path("c.html").read_text("utf-8").startswith("<!doctype html>")
    assert main([*words, "--fail-under", "90"]) == 1
    assert "less than the 90 % asked for" in capsys.readouterr().err
    assert main(["test", "--fail-under", "900"]) == 2
    capsys.readouterr()
    assert main(["test", "house.scenario.yaml", "--coverage", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["command"] == "test" and document["coverage"]["version"] == 1


def test_a_file_of_somebody_else_is_kept(house: Path) -> None:
    Path("mine.html").write_text("mine")
    assert main(["test", "house.scenario.yaml", "--coverage-html", "mine.html"]) == 2
    assert Path("mine.html").read_text() == "mine"


AT_ANY_TIME = """\
rules: |
  procedure look(p: player) at any time when sanity[p] > 3 or raised is not empty:
    show hand[p] to p
"""
LOOKED = """\
game: ./house.yaml
scenarios:
  - name: looked
    players: 5
    given:
      hand: {A: tome_sane, B: candelabra_sane, C: cthulhu, D: dagger_cursed, E: candelabra_cursed}
    do: {look: {p: A}}
    expect: {shown: [{A: tome_sane}]}
"""


def test_who_may_do_it_is_covered(house: Path) -> None:
    text = AT_ANY_TIME.replace(
        "at any time when sanity[p] > 3 or raised is not empty", "at any time by (active otherwise p)"
    )
    Path("house.yaml").write_text("extends: arkham_ritual\nid: harsh\n" + text, encoding="utf-8")
    Path("house.scenario.yaml").write_text(LOOKED, encoding="utf-8")
    assert {place for place in missing(measure("house.scenario.yaml")) if place[0] == 4} == {(4, "present")}


def test_a_condition_of_what_may_happen_goes_both_ways(house: Path) -> None:
    Path("house.yaml").write_text("extends: arkham_ritual\nid: harsh\n" + AT_ANY_TIME, encoding="utf-8")
    Path("house.scenario.yaml").write_text(LOOKED, encoding="utf-8")

    def unmet() -> set[tuple[int, str]]:
        return {place for place in missing(measure("house.scenario.yaml")) if place[0] == 4}

    assert unmet() == {(4, "false")}
    refused = LOOKED.partition("  - name")[2].replace(": looked", "  - name: refused", 1)
    refused = refused.replace("    given:", "    given:\n      sanity: 2")
    refused = refused.replace("{shown: [{A: tome_sane}]}", "{error: RIT512}")
    Path("house.scenario.yaml").write_text(LOOKED + refused, encoding="utf-8")
    assert unmet() == set()
