"""What a careful reviewer would ask: found where it is so, and not where it is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import ritual_dsl
from ritual_dsl.checks.lints import all_modules, review, whole_game
from ritual_dsl.checks.reasoner import Reasoner
from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.reference import choose, shipped_games
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game

MY_GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(MY_GAME, tmp_path / "my_game")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(rules: str) -> list[str]:
    """The lints about a house rule, as `code message`."""
    indented = "".join(f"  {line}\n" for line in rules.strip("\n").split("\n"))
    Path("house.yaml").write_text(f"extends: ./my_game\nid: house\nrules: |\n{indented}", encoding="utf-8")
    return [f"{d.code} {d.message}" for d in ritual_dsl.check("./house.yaml")]


@pytest.mark.parametrize("game", shipped_games())
def test_shipped_games_are_clean(game: str) -> None:
    found = Findings()
    chosen = choose(game, found)
    assert chosen is not None
    review(chosen, found)
    assert not found


def test_the_small_game_is_clean(folder: Path) -> None:
    assert not ritual_dsl.check("./my_game")


# ---- the reasoner


def condition(text: str, inputs: str = "q: player, v: number") -> tuple[Game, ir.Expr]:
    Path("house.yaml").write_text(
        f"extends: ./my_game\nid: house\nrules: |\n  rule tried(p: player, {inputs}): any of\n    it: {text}\n",
        encoding="utf-8",
    )
    chosen = choose("./house.yaml", Findings())
    assert chosen is not None
    game = whole_game(chosen, all_modules(chosen))
    assert game is not None
    body = game.rules["tried"].clauses[0].entries[0].body
    assert body is not None
    return game, body


@pytest.mark.parametrize(
    "text",
    [
        "hand[p] is red and hand[p] is blue",
        "hand[p] is lantern and hand[p] is blue",  # a lantern is red
        "health[p] > 7",
        "health[p] + 1 > 8",
        "health[p] < 3 and not health[p] < 5",
        "p = q and p != q",
        "safe(p) and not safe(p)",
        "deck is empty and deck is not empty",
        "players is empty",
        "target is none and target = p",
        "hand[p] is none and hand[p] is red",
        "max(health[p], 2) < 2",
    ],
)
def test_proven_never(folder: Path, text: str) -> None:
    game, body = condition(text)
    assert Reasoner(game).can_hold((body, True)).never


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("hand[p] is red and health[p] = 3", "`hand[p]` is lantern and `health[p]` is 3"),
        ("p != q", "`p` is 0 and `q` is 1"),
        ("v > 3", "`v` is 4"),
        ("hand[p] is red or safe(p)", "`hand[p]` is lantern"),  # whatever `safe` says
        ("hand[p] = hand[q]", None),
        ("hand[p] != hand[q] and hand[p] is blue and hand[q] is blue", None),  # two cards alike
        ("target is none", "`target` is none"),
    ],
)
def test_an_example(folder: Path, text: str, example: str | None) -> None:
    game, body = condition(text)
    verdict = Reasoner(game).can_hold((body, True))
    assert verdict.example is not None and not verdict.never
    assert example in (None, verdict.example)


@pytest.mark.parametrize("text", ["safe(p)", "hand[p] is red and some r in players has safe(r)", "v > 3 and v < 0"])
def test_not_decided_is_counted(folder: Path, text: str) -> None:
    game, body = condition(text)
    reasoner = Reasoner(game)
    assert not reasoner.can_hold((body, True)).decided
    assert not reasoner.can_hold((body, True)).decided
    assert reasoner.undecided == 1


def test_a_question_beyond_the_budget_is_not_decided(folder: Path) -> None:
    cards = " and ".join(f"hand[p] != c{i}" for i in range(7))
    inputs = ", ".join(f"c{i}: card" for i in range(7))
    game, body = condition(f"{cards} and health[p] > 7", inputs)
    assert not Reasoner(game).can_hold((body, True)).decided


# ---- clauses, cases, patches


def test_a_constant_clause_is_there_to_be_patched(folder: Path) -> None:
    assert not said("rule open(p: player): all of\n  always: true\nadd safe.open: open(p)")


def test_clauses_that_overlap_are_no_shadows(folder: Path) -> None:
    clauses = "  high: health[p] > 3\n  red: hand[p] is red and health[p] > 1\n"
    assert not said(f"rule well(p: player): any of\n{clauses}add safe.w: well(p)")


def test_of_all_the_weaker_clause_is_in_the_shadow(folder: Path) -> None:
    rules = "rule well(p: player): all of\n  low: health[p] > 1\n  more: health[p] > 3\nadd safe.w: well(p)"
    assert said(rules) == ["RIT421 whenever `well.low` fails, `more` fails too"]


def test_a_limit_that_can_never_apply(folder: Path) -> None:
    assert said("limit cost.amount to 1 when health[p] > 7")[0].startswith("RIT423 this patch of `cost.amount` never")


def test_a_patch_of_what_is_asked_on_the_way_counts(folder: Path) -> None:
    assert not said("during game:\n  replace cost.amount: 3")
    assert not said("during turn:\n  add safe.dry: health[p] > 2")  # asked by `cost`


# ---- steps


def test_steps_behind_one_that_leaves(folder: Path) -> None:
    assert said("after turn:\n  repeat:\n    stop\n    shuffle deck") == [
        "RIT424 this is never reached: the step before it leaves"
    ]


def test_what_may_never_happen_at_any_time(folder: Path) -> None:
    rest = "procedure rest(p: player) at any time when {}:\n  p gains 1 health"
    never = "RIT424 this never happens: its condition can never hold"
    assert said(rest.format("health[p] < 3 and health[p] > 5")) == [never]
    assert not said(rest.format("health[p] < 3"))


def test_who_may_do_it_must_be_set_somewhere(folder: Path) -> None:
    rest = "procedure rest(p: player) at any time by {}:\n  p gains 1 health"
    assert not said(rest.format("players except p")) and not said(rest.format("p")) and not said(rest.format("target"))
    never = "RIT428 `omen` is read here, and nothing can have set it before"
    unset = "variable omen: player?\n" + rest.format("omen")
    assert never in said(unset)
    assert never not in said(unset + "\nafter deal:\n  omen := first p in players clockwise from target")


def test_a_rule_that_only_says_who_may_do_it_is_used(folder: Path) -> None:
    rule = "rule strong: player?\n  it: first p in players clockwise from target\n"
    assert not said(rule + "procedure rest(p: player) at any time by strong:\n  p gains 1 health")


def test_what_a_condition_reads_must_be_set_somewhere(folder: Path) -> None:
    omen = "variable omen: player?\nprocedure rest(p: player) at any time when health[omen] > 3:\n  p gains 1 health"
    never = "RIT428 `omen` is read here, and nothing can have set it before"
    assert never in said(omen)
    assert never not in said(omen + "\nafter deal:\n  omen := first p in players clockwise from target")


def test_a_rule_that_only_a_condition_asks_is_used(folder: Path) -> None:
    rule = "rule tired(p: player): truth\n  it: health[p] < 3\n"
    assert not said(rule + "procedure rest(p: player) at any time when tired(p):\n  p gains 1 health")
    assert said(rule) == ["RIT430 the rule `tired` is never used"]


def test_what_is_known_counts_until_it_changes(folder: Path) -> None:
    known = "after turn:\n  when health[p] > 3:\n    when health[p] < 2:\n      shuffle deck"
    assert said(known) == ["RIT424 these steps never happen: the condition can never hold"]
    changed = "after turn:\n  when health[p] > 3:\n    p loses 3 health\n    when health[p] < 2:\n      shuffle deck"
    assert not said(changed)


def test_a_choice_names_the_state_without_option(folder: Path) -> None:
    options = "    rest when health[p] < 3: nothing\n    rush when health[p] > 3: nothing"
    found = said(f"after turn:\n  p chooses pause:\n{options}")
    assert found == ["RIT426 the choice `pause` has no option when `health[p]` is 3"]


def test_a_choice_from_what_is_known_to_be_empty(folder: Path) -> None:
    steps = "    let c = p chooses relic from discard\n    trigger discarded(c, p)"
    rules = f"after turn:\n  when discard is empty:\n{steps}"
    assert said(rules) == ["RIT426 the choice `relic` never has an option"]
    assert not said(rules.replace("is empty", "is not empty"))


# ---- loops


def test_a_loop_may_end_in_many_ways(folder: Path) -> None:
    assert said("after turn:\n  repeat:\n    p loses 1 health") == ["RIT427 nothing in this `repeat` can end it"]
    assert not said("after turn:\n  repeat:\n    when health[p] = 0: stop\n    p loses 1 health")
    hurt = "procedure hurt(p: player):\n  p loses 1 health\n"
    assert not said(f"{hurt}after turn:\n  repeat until not alive(p):\n    hurt(p)")
    inner = "after turn:\n  repeat:\n    repeat:\n      stop"
    assert said(inner) == ["RIT427 nothing in this `repeat` can end it"]


def test_a_loop_over_a_local_name_makes_progress(folder: Path) -> None:
    assert not said("after turn:\n  let n = 0\n  repeat until n = 3:\n    n := n + 1\n    p loses 1 health")


# ---- variables


def test_a_variable_that_later_rounds_set_is_no_early_read(folder: Path) -> None:
    rules = "variable last: player?\nbefore turn:\n  when last = p:\n    shuffle deck\nafter turn:\n  last := p"
    assert not said(rules)  # `turn` is run for one after the other


def test_asking_whether_it_is_there_is_no_read(folder: Path) -> None:
    step = "last := players together choose opener from players"
    assert not said(f"variable last: player?\nbefore game:\n  when last is none:\n    {step}")


# ---- unused


def test_what_only_a_variant_uses_is_used(folder: Path) -> None:
    Path("my_game/variants/cold.yaml").write_text(
        "id: cold\nname: {en: Cold, ja: 寒さ}\ntext: {en: It is cold., ja: 寒い。}\nrules: |\n"
        "  counter frost: 0..3, starts at 0\n  rule cold: number\n    it: frost\n  add safe.cold: cold = 0\n",
        encoding="utf-8",
    )
    assert not ritual_dsl.check("./my_game")


def test_a_patch_of_a_rule_is_no_use_of_it(folder: Path) -> None:
    assert said("rule tired(p: player): any of\n  low: health[p] < 3\nadd tired.old: health[p] = 5") == [
        "RIT430 the rule `tired` is never used"
    ]
