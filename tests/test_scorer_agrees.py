"""Every scenario that scores a round or discards a Gate expects what the independent scorer says.

The scorer is written from the rulebooks, so no expectation can have been copied from the engine's own output.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from scorer import RULINGS, Table, awaken, score, winners

SCENARIOS = Path(__file__).parent.parent / "rules" / "arkham_ritual" / "scenarios"
FEWEST_SEATS = 5
COMPARED = {"sanity", "fails", "loss", "toll", "boon", "winners", "ended"}
LEFT_TO_THE_ENGINE = {"because", "doom", "error"}


def scored_scenarios() -> list[tuple[str, dict[str, Any]]]:
    """Each `score` and `awaken` scenario, with the name of its file."""
    found: list[tuple[str, dict[str, Any]]] = []
    for path in sorted(SCENARIOS.glob("*.scenario.yaml")):
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
        found.extend((path.name, {"game": loaded["game"], **scenario}) for scenario in loaded["scenarios"])
    return [(name, scenario) for name, scenario in found if scenario["do"] in ("score", "awaken")]


FOUND = scored_scenarios()


def modules(game: str) -> tuple[set[str], dict[str, str]]:
    """The cards and variants of a game reference, and its rulings."""
    base, *parts = game.split("+")
    assert base == "arkham_ritual"
    rulings = dict(part.split("=") for part in parts if "=" in part)
    for ruling, option in rulings.items():
        assert option in RULINGS[ruling], f"{ruling}={option} is no option"
    return {part for part in parts if "=" not in part}, rulings


def position(scenario: dict[str, Any]) -> Table:
    named, rulings = modules(scenario["game"])
    players = scenario["players"]
    names = list("ABCDEFG"[:players]) if isinstance(players, int) else list(players)
    dummies = [f"dummy_{number}" for number in range(1, FEWEST_SEATS - len(names) + 1)]
    given = scenario["given"]
    assert set(given["hand"]) == {*names, *dummies}, "every seat holds one card"
    sanity = given.get("sanity", 7)
    had = dict.fromkeys(names, sanity) if isinstance(sanity, int) else {name: sanity[name] for name in names}
    start = int(rulings.get("doom_start", RULINGS["doom_start"][0]))
    doom = given.get("doom", start) if "doom_track" in named else None
    return Table({seat: given["hand"][seat] for seat in [*names, *dummies]}, had, doom, rulings)


def outcome(scenario: dict[str, Any]) -> dict[str, Any]:
    """What the rulebooks make of the scenario, by the names `expect` uses."""
    table = position(scenario)
    nothing = dict.fromkeys(table.sanity, 0)
    result: dict[str, Any] = {"toll": nothing, "boon": nothing}  # where nothing awakens
    if scenario["do"] == "score":
        scored = score(table)
        result |= {"sanity": scored.sanity, "fails": set(scored.fails), "loss": scored.loss}
    elif (awakened := awaken(table)) is not None:
        result = {"sanity": awakened.sanity, "toll": awakened.toll, "boon": awakened.boon}
        result["ended"] = "great_old_one"
    else:
        result |= {"sanity": dict(table.sanity)}
    most_wins = "most_sanity_wins" in modules(scenario["game"])[0]
    return {**result, "winners": winners(table, result["sanity"], most_wins)}


@pytest.mark.parametrize("scenario", [pytest.param(s, id=f"{name}: {s['name']}") for name, s in FOUND])
def test_expectation_is_the_scorers(scenario: dict[str, Any]) -> None:
    expected, actual = scenario["expect"], outcome(scenario)
    assert set(expected) <= COMPARED | LEFT_TO_THE_ENGINE
    assert expected.get("ended") == actual.get("ended")
    for key in COMPARED & set(expected):
        if key in ("fails", "winners"):
            assert len(expected[key]) == len(set(expected[key])), key
            assert set(expected[key]) == actual[key], key
        elif key != "ended":
            assert {seat: actual[key][seat] for seat in expected[key]} == expected[key], key


def test_something_is_compared() -> None:
    compared = [key for _, scenario in FOUND for key in COMPARED & set(scenario["expect"])]
    assert {"score", "awaken"} == {scenario["do"] for _, scenario in FOUND}
    assert {"sanity", "fails", "loss", "toll", "boon", "winners", "ended"} == set(compared)
