"""Odds are exact: they agree with plain enumeration and with the independent scorer, however the deals are grouped."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from math import factorial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scorer import Table, awaken, score

import ritual_dsl
from ritual_dsl.analysis import probe
from ritual_dsl.analysis.odds import Result, work_out
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine import Run
from ritual_dsl.model.game import Game

Found = dict[str, dict[str, Fraction]]
SLOTS = (
    ("investigator", "wary_student"),
    ("cultist", "mad_professor"),
    ("cthulhu", "nyarlathotep", "yog_sothoth", "hastur"),
)
RULINGS = ("dummies_count_as_failing=no", "dummy_characters_act=no", "hastur_counts_dummy_cursed=no")
# House rules that break one symmetry each: of seats, of values, of cards, of both at once, and of nothing.
HOUSE = {
    "neighbour": "replace fails.cursed: hand[p] is cursed and hand[first q in seats clockwise after p] is sane",
    "named_value": "add fails.tome: hand[p].artifact = tome",
    "value_of_a_named_card": "add fails.tome: hand[p].artifact = tome_cursed.artifact",
    "named_card": "add fails.gate: hand[p] is gate_2",
    "pairs": "add fails.same: some q in seats except p has hand[q] = hand[p]",
    "in_turn": "after score:\n    each p in players where fails(p):\n      when sanity[p] > 3:\n        p loses 1 sanity",  # noqa: E501
    "deck_left": "add fails.none_left: no c in deck has c is cursed",
}

game_of = lru_cache(maxsize=None)(ritual_dsl.load)


def house_game(name: str, folder: Path) -> Game:
    path = folder / f"{name}.yaml"
    rules = "\n".join(f"  {line}" for line in HOUSE[name].splitlines())
    path.write_text(f"extends: arkham_ritual\nid: {name}\nname: {{en: x, ja: x}}\nrules: |\n{rules}\n")
    return ritual_dsl.load(str(path))


def small(game: Game, size: int, seats: int, random: Random) -> Game:
    """A game with a deck of a few cards, likely with copies, and perhaps with dummies."""
    physical = [card for card, copies in game.deck.items() for _ in range(copies)]
    picked = Counter(random.sample(physical, size))
    return replace(game, deck={card: picked[card] for card in game.deck if picked[card]}, dummies_up_to=seats)


def by_plain_enumeration(game: Game, players: int) -> Found:
    """Every deal by itself, in the plain engine; only here is it said in Python what the rules report."""
    seats = game.seats_for(players)
    physical = [card for card, copies in game.deck.items() for _ in range(copies)]
    seen: dict[tuple[str, str], list[int]] = defaultdict(list)
    deals = Counter(permutations(physical, seats))
    runs: dict[str, Run] = {}
    for hands, times in deals.items():
        for procedure in ("score", "awaken"):
            run = runs[procedure] = Run(game, players)
            run.state.cells[game.zones["hand"].cell] = list(hands)
            rest = Counter(physical) - Counter(hands)
            run.state.cells[game.zones["deck"].cell] = list(rest.elements())
            run.start(procedure)
        sanity = [run.state.cells[game.counters["sanity"].cell] for run in (runs["score"], runs["awaken"])]
        for p in range(players):
            seen[hands[p], "survives"] += [not runs["score"].ask("fails", (p,))] * times
            seen[hands[p], "mean_loss"] += [runs["score"].ask("loss", (p,))] * times
            if game.cards[hands[p]].attributes["kind"] == "great_old_one":
                seen[hands[p], "holder_change"] += [sanity[1][p] - 7] * times
                seen[hands[p], "others_change"] += [sanity[1][q] - 7 for q in range(players) if q != p] * times
    return means(seen)


def means(seen: dict[tuple[str, str], list[int]]) -> Found:
    found: Found = defaultdict(dict)
    for (card, report), values in seen.items():
        found[card][report] = Fraction(sum(values), len(values))
    return found


@pytest.mark.parametrize("number", range(10))
def test_taking_deals_together_changes_nothing(number: int) -> None:
    random = Random(number)
    picks = [random.choice(cards) for cards in SLOTS]
    modules = random.sample(RULINGS, number % 3) + (["doom_track"] if number % 4 == 3 else [])
    game = game_of("+".join(("arkham_ritual", *picks, *modules)))
    small_game = small(game, 6, random.choice((0, 4)), random)
    result = work_out(Run(small_game, 3))
    assert result.cards() == by_plain_enumeration(small_game, 3)
    assert all(block.exchanging for block in result.blocks)


@pytest.mark.parametrize("name", HOUSE)
def test_what_breaks_a_symmetry_is_noticed(name: str, tmp_path: Path) -> None:
    random = Random(name)
    game = house_game(name, tmp_path)
    for seats in (0, 4):
        small_game = small(game, 6, seats, random)
        result = work_out(Run(small_game, 3))
        assert result.cards() == by_plain_enumeration(small_game, 3)
        assert result.blocks[0].exchanging is (name not in ("neighbour", "in_turn"))


def test_a_named_value_is_not_exchanged(tmp_path: Path) -> None:
    plain = work_out(Run(game_of("arkham_ritual"), 5)).blocks[0]
    named = work_out(Run(house_game("named_value", tmp_path), 5)).blocks[0]
    assert any("tome_cursed/tome_sane" in group for group in plain.exchanged)
    assert not any("tome_cursed/tome_sane" in group for group in named.exchanged)
    assert any("idol_cursed/idol_sane" in group for group in named.exchanged)
    assert named.kinds > plain.kinds


# ---- against the independent scorer, with the whole deck


def hands_of(deck: dict[str, int], seats: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every choice of cards for seats that are all players, and how many deals give it."""

    def choose(cards: list[str], left: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if left == 0:
            yield (), factorial(seats)
        elif cards:
            for count in range(min(deck[cards[0]], left) + 1):
                ways = 2 if count == 1 and deck[cards[0]] == 2 else 1
                for rest, others in choose(cards[1:], left - count):
                    yield (cards[0],) * count + rest, ways * others

    yield from choose(list(deck), seats)


def by_the_scorer(game: Game, players: int) -> Found:
    total: dict[tuple[str, str], int] = defaultdict(int)
    weight: dict[tuple[str, str], int] = defaultdict(int)
    names = "ABCDEFG"[:players]
    sanity = dict.fromkeys(names, 7)

    def add(card: str, report: str, value: int, times: int) -> None:
        total[card, report] += value * times
        weight[card, report] += times

    for hands, times in hands_of(game.deck, players):
        table = Table(dict(zip(names, hands, strict=True)), sanity)
        scored, awakened = score(table), awaken(table)
        for name, card in table.hands.items():
            add(card, "survives", name not in scored.fails, times)
            add(card, "mean_loss", scored.loss[name], times)
            if awakened is not None and game.cards[card].attributes["kind"] == "great_old_one":
                add(card, "holder_change", awakened.sanity[name] - 7, times)
                for other in names:
                    if other != name:
                        add(card, "others_change", awakened.sanity[other] - 7, times)
    found: Found = defaultdict(dict)
    for (card, report), sum_ in total.items():
        found[card][report] = Fraction(sum_, weight[card, report])
    return found


def test_the_scorer_agrees_about_the_whole_deck() -> None:
    game = game_of("arkham_ritual+mad_professor+wary_student+hastur")
    assert work_out(Run(game, 5)).cards() == by_the_scorer(game, 5)


@pytest.mark.slow
@pytest.mark.parametrize("cards", list(product(*SLOTS)))
@pytest.mark.parametrize("players", [5, 6, 7])
def test_the_scorer_agrees_about_every_deck(cards: tuple[str, ...], players: int) -> None:
    game = game_of("+".join(("arkham_ritual", *cards)))
    assert work_out(Run(game, players)).cards() == by_the_scorer(game, players)


# ---- figures, and what is said about them


@pytest.mark.parametrize(("players", "deals"), [(3, 3160080), (5, 3160080), (6, 53721360), (7, 859541760)])
def test_the_number_of_deals(players: int, deals: int) -> None:
    result = work_out(Run(game_of("arkham_ritual"), players))
    assert [block.deals for block in result.blocks] == [deals, deals]
    assert all(block.kinds < 2000 for block in result.blocks)


def test_the_orb_survives_unless_another_seat_has_the_cultist() -> None:
    for players, seats in ((3, 5), (5, 5), (6, 6), (7, 7)):
        survives = work_out(Run(game_of("arkham_ritual"), players)).cards()["magical_orb"]["survives"]
        assert survives == 1 - Fraction(seats - 1, 21)


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(words)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = printed(["odds", "arkham_ritual", "--players", "4", "--json"], capsys)
    data: dict[str, Any] = json.loads(out)
    assert code == 0
    assert (data["game"], data["players"], data["deals"]) == ("arkham_ritual", 4, 3160080)
    assert set(data["cards"]) == set(game_of("arkham_ritual").deck)
    assert data["cards"]["cultist"]["survives"] == "0/1"
    assert data["cards"]["cthulhu"]["others_change"] == "-4/1"
    assert data["enumerated"][0]["seats_alike"] == [["A", "B", "C", "D"]]


def test_the_table_says_what_was_enumerated(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = printed(["odds", "arkham_ritual+nyarlathotep", "--players", "7"], capsys)
    assert code == 0
    assert "859,541,760 equally likely deals of `hand` from `deck`, run as 583 kinds" in out
    assert "seats that can change places: A, B, C, D, E, F, G" in out
    assert "cards that can change places: elder_sign, gate_1, gate_2, magical_orb" in out
    assert "71.43% = 5/7" in out


def test_a_chart_of_two_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odds.svg"
    words = ["odds", "arkham_ritual", "arkham_ritual+mad_professor", "--plot", str(path)]
    assert printed(words, capsys)[0] == 0
    drawn = path.read_text(encoding="utf-8")
    games = ("arkham_ritual, 5 players", "arkham_ritual+mad_professor, 5 players")
    for name in ("survives", "mean_loss", "others_change", "Mad Professor", "Cultist", "51.1 %", *games):
        assert name in drawn
    assert printed(words, capsys)[0] == 0  # a plot of ours is written over
    path.write_text("<svg>my own</svg>")
    code, _, err = printed(words, capsys)
    assert (code, path.read_text()) == (2, "<svg>my own</svg>")
    assert "RIT699" in err
    assert printed([*words[:-1], str(tmp_path / "odds.txt")], capsys)[0] == 2
    assert not (tmp_path / "odds.txt").exists()


# ---- what cannot be worked out


def odds_of(rules: str, folder: Path) -> Result:
    path = folder / "house.yaml"
    lines = "\n".join(f"  {line}" for line in rules.splitlines())
    path.write_text(f"extends: arkham_ritual\nid: house\nname: {{en: x, ja: x}}\nrules: |\n{lines}\n")
    return ritual_dsl.odds(str(path), 3)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ("odds with discard from deck:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT640"),
        ("odds with hand from offer:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT640"),
        ("odds with hand from deck after infraction:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT640"),
        ("odds with hand from deck after scoer:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT325"),
        ("odds with hand from deck:\n  each p in players by hand[p]:\n    x: hand[p]", "RIT640"),
        ("odds with hand from deck:\n  each p in players by p:\n    x: fails(p)", "RIT302"),
        ("odds with hand from deck:\n  each p in players by hand[p]:\n    survives: fails(p)", "RIT330"),
        ("odds with hand from deck:\n  each s in seats by hand[s]:\n    x: s gains sanity", "RIT306"),
        ("odds with hand from deck:\n  each p in players by hand[p]:\n    x: p gains sanety", "RIT324"),
        ("odds with hand from deck:\n  each p in players by hand[p]:\n    x: sanity gains", "RIT305"),
        ("odds with hand from deck after deal:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT642"),
        ("odds with hand from deck after first_player:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT642"),
        ("odds with hand from deck:\n  each p in players by hand[p]:\n    x: top of deck is cursed", "RIT642"),
        ("odds with hand from discard:\n  each p in players by hand[p]:\n    x: fails(p)", "RIT641"),
    ],
)
def test_faults(rules: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(RitualError) as raised:
        odds_of(rules, tmp_path)
    assert [d.code for d in raised.value.diagnostics] == [code]


def test_too_many_kinds_of_deals(tmp_path: Path) -> None:
    rules = "add fails.left: hand[first q in players clockwise after p] is sane"
    path = tmp_path / "house.yaml"
    path.write_text(f"extends: arkham_ritual\nid: house\nname: {{en: x, ja: x}}\nrules: |\n  {rules}\n")
    with pytest.raises(RitualError, match="RIT641"):
        ritual_dsl.odds(str(path), 7)


def test_a_game_without_odds() -> None:
    with pytest.raises(RitualError, match="RIT644"):
        work_out(Run(replace(game_of("arkham_ritual"), odds=()), 5))


def test_rules_that_ask_too_much_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Untrusted rules cannot keep the command busy for ever, and nothing is called proven that was not run."""
    monkeypatch.setattr(probe, "MOST_WORK", 200_000)
    rules = "add fails.heavy: (number of x in 1..100 where (number of y in 1..20 where x = y) > 1) > 5"
    path = tmp_path / "house.yaml"
    path.write_text(f"extends: arkham_ritual\nid: house\nname: {{en: x, ja: x}}\nrules: |\n  {rules}\n")
    with pytest.raises(RitualError, match="RIT641"):
        ritual_dsl.odds(str(path), 5)
    with pytest.raises(RitualError, match="RIT641"):
        ritual_dsl.diff("arkham_ritual", str(path), 5)
