"""The rules of The Shipwreck Arcana, and its scenarios, against an independent model of the book."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
import yaml
from shipwreck_scorer import CARDS, FATES, HOURS_CARD, end_of_turn, hours, plays

from ritual_dsl import load
from ritual_dsl.engine import Run
from ritual_dsl.model.game import Game

GAME = "shipwreck_arcana"
SCENARIOS = Path(__file__).parent.parent / "rules" / GAME / "scenarios"


@cache
def game() -> Game:
    return load(GAME)


def table(row: list[str], kept: list[int], lying: dict[str, list[int]]) -> Run:
    """Two players, the first of them active, with all fates that lie nowhere in the bag."""
    run = Run(game(), 2)
    cells, zones = run.state.cells, game().zones
    cells[zones["row"].cell] = [HOURS_CARD, *row]
    cells[zones["deck"].cell] = [card for card in CARDS if card not in row]
    cells[zones["kept"].cell][0] = [f"fate_{value}" for value in kept]
    owners = run.owner_names(zones["lying"].owner)
    for card, values in lying.items():
        cells[zones["lying"].cell][owners.index(card)] = [f"fate_{value}" for value in values]
    cells[game().variables["active"].cell] = 0
    left = Counter({f"fate_{value}": 3 for value in FATES})
    left.subtract(f"fate_{value}" for values in (kept, *lying.values()) for value in values)
    cells[zones["bag"].cell] = sorted(left.elements())
    return run


def test_cards_and_fates_are_those_of_the_list() -> None:
    cards = game().cards
    assert {card for card in cards if not cards[card].piece} == {*CARDS, HOURS_CARD}
    for name, arcana in CARDS.items():
        assert (cards[name].attributes["moons"], cards[name].attributes["power"]) == (arcana.moons, arcana.power)
    for value in FATES:
        assert cards[f"fate_{value}"].attributes == {"value": value, "hours": hours(value)}
        assert game().deck[f"fate_{value}"] == 3


def test_every_condition_for_every_played_kept_and_visible_fate() -> None:
    """All 20 cards, 49 pairs and 128 sets of values in sight."""
    run = table(list(CARDS)[:4], [], {})
    index = run.owner_names(game().zones["lying"].owner).index("dawn")
    lying = run.state.cells[game().zones["lying"].cell]
    for bits in range(2 ** len(FATES)):
        seen = [value for value in FATES if bits >> (value - 1) & 1]
        lying[index] = [f"fate_{value}" for value in seen]
        run.state.work = 0
        for (name, arcana), played, kept in product(CARDS.items(), FATES, FATES):
            found = run.ask("accepts", (name, played, kept))
            assert found == arcana.accepts(played, kept, seen), (name, played, kept, seen)


def test_where_a_pair_may_go() -> None:
    """Legality and The Hours: all pairs on five rows that share the twenty arcana, an empty table and a full one."""
    names = list(CARDS)
    for start, pair, seen in product(range(5), combinations_with_replacement(FATES, 2), ([], [2, 6])):
        row = names[start::5]
        run = table(row, list(pair), {row[0]: seen})
        allowed = plays(row, pair, seen)
        for played in set(pair):
            fits = [card for card in (HOURS_CARD, *row) if run.ask("fits", (card, f"fate_{played}"))]
            assert fits == allowed.get(played, []), (row, pair, seen, played)


@pytest.mark.parametrize("name", CARDS)
def test_what_the_end_of_a_turn_brings(name: str) -> None:
    """Each arcana with too few, exactly enough and more hours on it, after each kind of prediction, near both ends."""
    row = [name, *(card for card in CARDS if card != name)][:4]
    piles = [[1], [2, 3], [4], [1, 5], [7], [6, 4], [7, 1], [1, 2, 3, 1]]
    for pile, said, (score, doom) in product(piles, ([], [5], [6], [6, 5], [6, 2]), ((0, 0), (6, 4), (3, 6))):
        run = table(row, [5], {name: pile})
        cells, variables, counters = run.state.cells, game().variables, game().counters
        cells[variables["said"].cell] = frozenset(said)
        cells[variables["right"].cell] = 5 in said
        cells[counters["score"].cell], cells[counters["doom"].cell] = score, doom
        run.start("resolve")
        if not run.state.ended:
            run.start("fade")
        faded = tuple(cells[game().zones["faded"].cell])
        wanted = end_of_turn(row, {name: pile}, 5, said, score, doom)
        got = (cells[counters["score"].cell], cells[counters["doom"].cell], faded)
        assert got == (wanted.score, wanted.doom, wanted.faded), (pile, said, score, doom)


# ---- the scenarios


def scenarios() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted(SCENARIOS.glob("*.scenario.yaml")):
        found += yaml.safe_load(path.read_text(encoding="utf-8"))["scenarios"]
    return found


def values(fates: list[str]) -> list[int]:
    return [int(re.sub("fate_", "", fate)) for fate in fates]


PLAYED = [s for s in scenarios() if s["do"] == "play" and "asked" in s["expect"]]


@pytest.mark.parametrize("scenario", [pytest.param(s, id=s["name"]) for s in PLAYED])
def test_a_play_that_a_scenario_expects_is_the_models(scenario: dict[str, Any]) -> None:
    given, expect = scenario["given"], scenario["expect"]
    player = given["active"]
    seen = values([fate for pile in given.get("lying", {}).values() for fate in pile])
    allowed = plays(given["row"], tuple(values(given["kept"][player])), seen)
    answers = [answer[player] for answer in scenario.get("choices", [])]
    asked: list[dict[str, list[str]]] = []
    if len(allowed) > 1:
        asked.append({player: [f"fate_{value}" for value in sorted(allowed)]})
        played = values([answers.pop(0)])[0]
    else:
        [played] = allowed
    if len(allowed[played]) > 1:
        asked.append({player: sorted(allowed[played])})
        place = answers.pop(0)
    else:
        [place] = allowed[played]
    assert not answers
    assert [{who: sorted(options) for who, options in entry.items()} for entry in expect["asked"]] == asked
    lies_on = given["row"][1] if place == HOURS_CARD else place
    assert place in allowed[played]
    assert expect["lying"][lies_on][0] == f"fate_{played}"


def test_each_arcana_accepts_and_refuses_in_some_scenario() -> None:
    taken: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for scenario in PLAYED:
        given = scenario["given"]
        seen = values([fate for pile in given.get("lying", {}).values() for fate in pile])
        pair = values(given["kept"][given["active"]])
        allowed = plays(given["row"], (pair[0], pair[1]), seen)
        for card in given["row"][1:]:
            takes = any(card in cards for cards in allowed.values())
            (taken if takes else refused)[card] += 1
    assert all(taken[card] >= 2 for card in CARDS), taken
    always = ("the_blind_man", "the_chalice")
    assert all(refused[card] >= 2 for card in CARDS if card not in always), refused
