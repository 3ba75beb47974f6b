"""Looking deeper: proofs prove, samples find what is wrong, and each says which it is."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import ritual_dsl
from ritual_dsl.analysis import deep as questions
from ritual_dsl.analysis.deep import ENDS, OPTIONS, SEATS, Deep, look_deeper
from ritual_dsl.analysis.desire import look_into
from ritual_dsl.analysis.ending import loops
from ritual_dsl.cli import main
from ritual_dsl.engine import Run
from ritual_dsl.model.game import Game

GAMES = 40
MANIFEST = "language: 1\nid: tiny\nname: {en: Tiny}\nlanguages: [en]\nmain: game\nwinners: wins\n"
CARDS = "stone: {name: {en: Stone}, text: {en: A stone.}, copies: 9}\n"
HEAD = """
players: 2..2
zone deck: a pile, face down, starts with all cards
zone discard: a pile, face up
variable left: set of player
variable turns: 0..1000, starts as 0
counter points: per player, 0..9, starts at 0

rule wins(p: player): all of
  most: points[p] = highest points[q] of q in players

"""


def tiny(folder: Path, rules: str) -> Game:
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "cards" / "cards.yaml").write_text(CARDS)
    (folder / "rules.ritual").write_text(HEAD + rules)
    return ritual_dsl.load(str(folder))


def said(deep: Deep, question: str) -> list[tuple[str, str]]:
    return [(answer.basis, answer.words) for answer in deep.answers if answer.question == question]


# ---- loops


def test_the_loops_of_the_shipped_game() -> None:
    found = {loop.procedure.name: loop.reason for loop in loops(ritual_dsl.load("arkham_ritual"))}
    assert found["game"] is None
    assert found["round"] == "every round takes from `deck`, and nothing in it puts anything back"
    assert found["turn"] is not None and "`raised`" in found["turn"]


PROVEN = (
    "move top of deck to discard",
    "when deck is empty:\n      stop\n    otherwise:\n      move top of deck to discard",
    "draw_one",
    "let p = players together choose who from players\n    when p in left: stop\n    move top of deck to discard",
)
NOT_PROVEN = (
    "turns := turns + 1",
    "move top of deck to discard\n    move top of discard to deck",
    "move top of deck to discard\n    put_back",
    "when turns > 3:\n      move top of deck to discard",
    "each p in left:\n      move top of deck to discard",
    "players together choose what:\n      draw: move top of deck to discard\n      wait: nothing",
)
LOOP = """
procedure draw_one:
  move top of deck to discard

procedure put_back:
  when turns = 2:
    move all cards to deck

procedure game:
  repeat until deck is empty:
    BODY
"""


@pytest.mark.parametrize(("body", "ends"), [*((b, True) for b in PROVEN), *((b, False) for b in NOT_PROVEN)])
def test_a_loop_that_uses_up_a_pile(body: str, ends: bool, tmp_path: Path) -> None:
    [loop] = loops(tiny(tmp_path, LOOP.replace("BODY", body)))
    assert (loop.reason is not None) is ends


CHAIN = """
procedure game:
  left := players
  let p = players together choose first_one from left
  repeat:
    remove p from left
    p chooses answer:
      go_on when left is not empty: NEXT
      enough: stop
"""


@pytest.mark.parametrize(
    ("next_one", "ends"),
    [("p := p chooses next_one from left", True), ("nothing", False), ("p := p chooses next_one from players", False)],
)
def test_a_loop_that_uses_up_a_set(next_one: str, ends: bool, tmp_path: Path) -> None:
    [loop] = loops(tiny(tmp_path, CHAIN.replace("NEXT", next_one)))
    assert (loop.reason is not None) is ends


def test_a_patch_can_take_a_proof_away(tmp_path: Path) -> None:
    rules = LOOP.replace("BODY", "draw: move top of deck to discard")
    assert next(iter(loops(tiny(tmp_path, rules)))).reason is not None
    house = tmp_path / "house.yaml"
    house.write_text(
        f"extends: {tmp_path}\nid: house\nname: {{en: House}}\nrules: |\n  instead of game.draw: nothing\n"
    )
    assert next(iter(loops(ritual_dsl.load(str(house))))).reason is None


# ---- games played out


def test_players_who_wait_for_ever(tmp_path: Path) -> None:
    body = "players together choose what:\n      draw: move top of deck to discard\n      wait: nothing"
    deep = look_deeper(tiny(tmp_path, LOOP.replace("BODY", body)), GAMES)
    assert [d.code for d in deep.findings] == ["RIT651"]
    assert "everybody always chooses `what`: the last" in deep.findings[0].message
    assert any(basis == "sampled" and "did not end" in words for basis, words in said(deep, ENDS))


def test_a_choice_without_an_option(tmp_path: Path) -> None:
    rules = """
procedure game:
  each p in players:
    p chooses what:
      first_time when discard is empty: move top of deck to discard
      at_first when discard is empty: move top of deck to discard
"""
    game = tiny(tmp_path, rules)
    deep = look_deeper(game, GAMES)
    assert {d.code for d in deep.findings} == {"RIT505"}
    assert said(deep, OPTIONS)[0] == ("sampled", "a choice without any option was met in 42 games")
    assert main(["check", "--deep", str(tmp_path)]) == 1


def test_a_seat_that_always_wins(tmp_path: Path) -> None:
    rules = """
procedure game:
  each p in players where discard is empty:
    move top of deck to discard
    p gains 1 points
"""
    deep = look_deeper(tiny(tmp_path, rules), GAMES)
    assert [d.code for d in deep.findings] == ["RIT653", "RIT653"]
    assert "A 100.0%, B 0.0%" in said(deep, SEATS)[0][1]


# ---- cards


def plain_ends(game: Game, players: int) -> dict[str, dict[str, str]]:
    """Cards at one end of fails and loss, by going through every hand of the others."""
    physical = [card for card, copies in game.deck.items() for _ in range(copies)]
    at: dict[tuple[str, str, str], bool] = {}
    differs = {"survives": False, "mean_loss": False}
    for held in combinations(range(len(physical)), players - 1):
        others = [physical[i] for i in held]
        own = {physical[i] for i in range(len(physical)) if i not in held}
        rows: dict[str, dict[str, int]] = {}
        for card in own:
            run = Run(game, players)
            run.state.cells[game.zones["hand"].cell] = [card, *others]
            run.start("score")
            rows[card] = {"survives": int(not run.ask("fails", (0,))), "mean_loss": run.ask("loss", (0,))}
        for report in differs:
            seen = [row[report] for row in rows.values()]
            differs[report] |= len(set(seen)) > 1
            for card, row in rows.items():
                for end, limit in (("lowest", min(seen)), ("highest", max(seen))):
                    at[card, report, end] = at.get((card, report, end), True) and row[report] == limit
    found: dict[str, dict[str, str]] = {}
    for (card, report, end), always in at.items():
        if always and differs[report]:
            found.setdefault(card, {})[report] = end
    return found


@pytest.mark.parametrize("number", range(4))
def test_cards_at_an_end_as_by_plain_enumeration(number: int) -> None:
    random = Random(number)
    game = ritual_dsl.load(("arkham_ritual", "arkham_ritual+mad_professor+wary_student")[number % 2])
    physical = [card for card, copies in game.deck.items() for _ in range(copies)]
    picked = random.sample(physical, 7)
    small = replace(game, deck={c: picked.count(c) for c in game.deck if c in picked}, dummies_up_to=0)
    desire = next(iter(look_into(small, 3)))
    assert desire.ends == plain_ends(small, 3)


def test_a_card_nobody_could_refuse(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    rules = "remove cultist.fails\n  replace fails.cursed: hand[p] is not elder_sign"
    house.write_text(f"extends: arkham_ritual\nid: house\nname: {{en: House}}\nrules: |\n  {rules}\n")
    desire = next(iter(look_into(ritual_dsl.load(str(house)), 5)))
    assert desire.cards["elder_sign"] == {"survives": "highest", "mean_loss": "lowest"}


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--deep", "arkham_ritual", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    [deep] = data["deep"]
    assert {row["basis"] for row in deep["answers"]} == {"proven", "sampled", "left out"}
    assert any("3,160,080 deals" in row["answer"] for row in deep["answers"])


@pytest.mark.parametrize("reference", ["arkham_ritual", "shipwreck_arcana"])
def test_every_question_is_answered(reference: str) -> None:
    deep = look_deeper(ritual_dsl.load(reference), games=3)
    assert {answer.question for answer in deep.answers} == {ENDS, OPTIONS, questions.CARDS, SEATS}
    assert {answer.basis for answer in deep.answers} <= {"proven", "sampled", "left out"}
