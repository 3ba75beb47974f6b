"""Odds of a game with stones in a bag and cards in a row: nothing in the package knows the first game."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.analysis.odds import Result, work_out
from ritual_dsl.engine import Run

MANIFEST = """
language: 1
id: quarry
name: {en: Quarry}
languages: [en]
main: game
"""
RULES = """
enum Side: left, right

card has side: Side
piece Stone has weight: 1..4

players: 2..3

zone bag: a pile of Stone, seen by nobody, starts with all Stone
zone kept: a pile of Stone per player, seen by owner
zone deck: a pile, face down, starts with all cards
zone row: one card per 1..2, face up

counter load: per player, 0..20, starts at 0

rule total(p: player): number
  weights: sum of s.weight over s in kept[p]

rule accepts(c: card, p: player): any of
  light: c is left and total(p) < 5
  heavy: c is right and total(p) >= 5

procedure game:
  weigh

procedure weigh:
  each p in players gains total(p) load

odds with 2 kept from bag after weigh:
  each p in players, s in kept[p] by s:
    load: p gains load
    heavy: total(p) > 4

odds with row from deck and 1 kept from bag:
  each i in 1..2, p in players by row[i]:
    accepts: accepts(row[i], p)
"""
CARDS = """
cliff: {name: {en: Cliff}, text: {en: Left.}, side: left, copies: 2}
ledge: {name: {en: Ledge}, text: {en: Left.}, side: left}
ridge: {name: {en: Ridge}, text: {en: Right.}, side: right}
chip: {name: {en: Chip}, text: {en: 1.}, piece: Stone, weight: 1, copies: 2}
slab: {name: {en: Slab}, text: {en: 2.}, piece: Stone, weight: 2}
tile: {name: {en: Tile}, text: {en: 2.}, piece: Stone, weight: 2}
block: {name: {en: Block}, text: {en: 4.}, piece: Stone, weight: 4}
"""
WEIGHTS = {"chip": 1, "slab": 2, "tile": 2, "block": 4}


@pytest.fixture
def quarry(tmp_path: Path) -> Path:
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "rules.ritual").write_text(RULES)
    (tmp_path / "cards" / "cards.yaml").write_text(CARDS)
    return tmp_path


def test_the_second_shipped_game() -> None:
    """Two fates from a bag of three of each value; three conditions, in our own words here."""
    pairs = list(permutations([value for value in range(1, 8) for _ in range(3)], 2))
    result = ritual_dsl.odds("shipwreck_arcana").blocks[0]
    assert result.deals == len(pairs)
    conditions = {"midnight": lambda p, k: p < k, "the_deep": lambda p, k: p + k <= 5, "the_chalice": lambda p, k: True}
    for card, takes in conditions.items():
        either = [(takes(p, k), takes(k, p)) for p, k in pairs]
        assert result.value("takes_one", card) == Fraction(sum(any(pair) for pair in either), len(pairs))
        assert result.value("takes_either", card) == Fraction(sum(all(pair) for pair in either), len(pairs))


def odds(folder: Path, rules: str = RULES) -> Result:
    (folder / "rules.ritual").write_text(rules)
    return work_out(Run(ritual_dsl.load(str(folder)), 2))


def test_stones_from_a_bag(quarry: Path) -> None:
    seen: dict[tuple[str, str], list[int]] = defaultdict(list)
    for deal in permutations(["chip", "chip", "slab", "tile", "block"], 4):
        for share in (deal[:2], deal[2:]):
            weight = sum(WEIGHTS[stone] for stone in share)
            for stone in share:
                seen[stone, "load"].append(weight)
                seen[stone, "heavy"].append(weight > 4)
    result = odds(quarry)
    assert result.blocks[0].deals == 5 * 4 * 3 * 2
    assert result.blocks[0].exchanging
    for (stone, report), values in seen.items():
        assert result.blocks[0].value(report, stone) == Fraction(sum(values), len(values))
    assert ("slab", "tile") in result.blocks[0].exchanged


def test_cards_in_a_row_and_a_stone_each(quarry: Path) -> None:
    seen: dict[str, Counter[bool]] = defaultdict(Counter)
    for row in permutations(["cliff", "cliff", "ledge", "ridge"], 2):
        for stones in permutations(["chip", "chip", "slab", "tile", "block"], 2):
            for card in row:
                for stone in stones:
                    seen[card][(WEIGHTS[stone] < 5) is (card != "ridge")] += 1
    block = odds(quarry).blocks[1]
    assert block.deals == 4 * 3 * 5 * 4
    for card, counts in seen.items():
        assert block.value("accepts", card) == Fraction(counts[True], counts.total())


def test_a_pile_whose_top_matters(quarry: Path) -> None:
    """Two stones of a share can change places only while nobody looks at the top."""
    rules = RULES.replace("heavy: total(p) > 4", "heavy: (top of kept[p]).weight > 1")
    block = odds(quarry, rules).blocks[0]
    assert not block.exchanging
    assert block.value("heavy", "block") == Fraction(1, 2) + Fraction(1, 2) * Fraction(2, 4)


def test_how_many_must_be_said(quarry: Path) -> None:
    for wrong in ("with kept from bag", "with 2 row from deck", "with row from bag", "with row from kept"):
        with pytest.raises(ritual_dsl.diagnostics.RitualError, match="RIT640"):
            odds(quarry, RULES.replace("with 2 kept from bag", wrong))
