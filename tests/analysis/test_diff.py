"""What a change does: counted as by plain enumeration, shown as a scenario that tells the games apart."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

import ritual_dsl
from ritual_dsl.analysis.compare import compare
from ritual_dsl.analysis.diff import diff
from ritual_dsl.analysis.diff_words import as_json, as_markdown, as_text
from ritual_dsl.cli import main
from ritual_dsl.engine import Run
from ritual_dsl.model.game import Game

game_of = lru_cache(maxsize=None)(ritual_dsl.load)
LOUD = "cards:\n  cthulhu:\n    patch: |\n      replace cthulhu.toll: number of seats when p != holder, otherwise 0\n"


def overlay(folder: Path, body: str, base: str = "arkham_ritual") -> str:
    path = folder / "house.yaml"
    path.write_text(f"extends: {base}\nid: house\nname: {{en: House}}\n{body}", encoding="utf-8")
    return str(path)


def small(game: Game, cards: dict[str, int]) -> Game:
    return replace(game, deck=cards, dummies_up_to=0)


def plainly(game: Game, hands: tuple[str, ...], procedure: str) -> object:
    run = Run(game, len(hands))
    run.state.cells[game.zones["hand"].cell] = list(hands)
    run.start(procedure)
    asked = [[run.ask(rule, (p,)) for p in range(len(hands))] for rule in ("fails", "loss")]
    return run.state.cells[game.counters["sanity"].cell], run.state.ended, asked if procedure == "score" else None


@pytest.mark.parametrize(
    "rules",
    [
        "replace fails.cursed: hand[p] is cursed and hand[p] is artifact",
        "limit loss.normal to 2",
        "add fails.gate: hand[p] is gate_1",
        "replace loss.normal: 1 when fails(p) and hand[p].artifact = tome, otherwise 0",
        "add fails.left: hand[first q in players clockwise after p] is cursed",
        "replace toll.amount: 1",
    ],
)
def test_differing_deals_are_counted_exactly(rules: str, tmp_path: Path) -> None:
    random = Random(rules)
    before, after = game_of("arkham_ritual"), ritual_dsl.load(overlay(tmp_path, f"rules: |\n  {rules}\n"))
    physical = [card for card, copies in before.deck.items() for _ in range(copies)]
    picked = random.sample(physical, 7)
    deck = {card: picked.count(card) for card in before.deck if card in picked}
    a, b = small(before, deck), small(after, deck)
    for verdict in compare(a, b, [3]).verdicts:
        procedure = verdict.odds.procedure or ""
        deals = list(permutations(picked, 3))
        differing = sum(plainly(a, hands, procedure) != plainly(b, hands, procedure) for hands in deals)
        assert (verdict.deals, verdict.differing, verdict.exact) == (len(deals), differing, True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("arkham_ritual", "arkham_ritual+doom_track"),
        ("arkham_ritual+wary_student", "arkham_ritual+wary_student+wary_student_cap_vs_great_old_one=yes"),
        ("arkham_ritual+yog_sothoth", "arkham_ritual+yog_sothoth+yog_sothoth_least=others"),
        ("arkham_ritual", "arkham_ritual+dummies_count_as_failing=no"),
        ("arkham_ritual+hastur", "arkham_ritual+hastur+hastur_counts_dummy_cursed=no"),
    ],
)
def test_the_scenario_passes_before_and_fails_after(before: str, after: str, tmp_path: Path) -> None:
    found = diff(game_of(before), game_of(after), 3)
    assert found.witness is not None
    assert found.witness.passes_before and found.witness.fails_after
    path = tmp_path / "apart.scenario.yaml"
    path.write_text(found.witness.text, encoding="utf-8")
    assert ritual_dsl.test([str(path)]).failed == 0
    path.write_text(found.witness.text.replace(f"game: {before}", f"game: {after}"), encoding="utf-8")
    assert ritual_dsl.test([str(path)]).failed == 1
    assert found.witness.before != found.witness.after


def test_a_change_of_one_card(tmp_path: Path) -> None:
    found = diff(game_of("arkham_ritual"), ritual_dsl.load(overlay(tmp_path, LOUD)), 5)
    [change] = found.changes
    assert (change.kind, change.name, change.cites) == ("rule", "toll.amount", ("§10-4",))
    assert "number of seats - 1" in change.before[-1].text
    assert "number of seats when" in change.after[-1].text
    [card] = found.cards
    assert (card.id, card.kind, card.rules, card.stale) == ("cthulhu", "changed", True, ("en", "ja", "ko"))
    assert {v.odds.procedure: v.differing for v in found.comparison.verdicts} == {"score": 0, "awaken": 718200}
    [moved] = found.odds
    assert (moved.card, moved.report, moved.before, moved.after) == ("cthulhu", "others_change", -4, -5)


def test_nothing_differs_and_what_that_covers() -> None:
    found = diff(game_of("arkham_ritual"), game_of("arkham_ritual+most_sanity_wins"), 4)
    assert found.comparison.proven_same
    text = as_text(found)
    assert "proven: no deal scores differently" in text
    assert "with 4 players, counters as they start before" in text
    assert "not covered: changes that nothing run here uses: rule winners.most" in text
    assert "1,200 such states were tried by chance, none differs" in text


def test_cards_that_only_one_has() -> None:
    found = diff(game_of("arkham_ritual"), game_of("arkham_ritual+mad_professor"), 5)
    assert [(card.id, card.kind) for card in found.cards] == [("cultist", "removed"), ("mad_professor", "added")]
    assert {v.deals for v in found.comparison.verdicts} == {21 * 20 * 19 * 18 * 17}
    assert "proven: no deal that both can have scores differently" in as_text(found)
    both = [m for m in found.odds if m.report == "survives" and m.before is not None and m.after is not None]
    assert [abs(m.change) for m in both] == sorted((abs(m.change) for m in both), reverse=True)


def test_counters_that_start_otherwise(tmp_path: Path) -> None:
    """The same state is put to both games: seven markers, not seven here and nine there."""
    after = ritual_dsl.load(overlay(tmp_path, "rules: |\n  replace sanity.max: 9\n  replace sanity.starts: 9\n"))
    found = diff(game_of("arkham_ritual"), after, 5)
    assert [v.differing for v in found.comparison.verdicts] == [581400, 0]  # an Investigator who survives
    assert found.witness is not None
    assert "sanity: {A: 7, B: 7, C: 7, D: 7, E: 7}" in found.witness.text
    assert found.witness.passes_before and found.witness.fails_after


def test_too_many_kinds_are_sampled(tmp_path: Path) -> None:
    rules = "rules: |\n  add fails.left: hand[first q in players clockwise after p] is cursed\n"
    result = compare(game_of("arkham_ritual"), ritual_dsl.load(overlay(tmp_path, rules)), [7])
    assert [v.exact for v in result.verdicts] == [False, True]
    assert result.smallest is not None and result.verdicts[0].differing > 0


def test_markdown_keeps_its_tables(tmp_path: Path) -> None:
    body = 'cards:\n  tome_sane:\n    name: {en: "a | b `c` <i>d</i>"}\n    copies: 1\n'
    found = diff(game_of("arkham_ritual"), ritual_dsl.load(overlay(tmp_path, body)), 5)
    text = as_markdown(found)
    assert "a \\| b 'c' &lt;i>d&lt;/i>" in text
    for table in re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE):
        rows = [re.sub(r"\\\|", "", row) for row in table.strip().splitlines()]
        assert len({row.count("|") for row in rows}) == 1, table


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "arkham_ritual", overlay(tmp_path, LOUD), "--players", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["before"] == "arkham_ritual"
    assert data["deals"][1]["differing"] == 718200
    assert data["cards"][0]["text_not_updated"] == ["en", "ja", "ko"]
    assert data["odds"]["cards"][0] == {"card": "cthulhu", "report": "others_change", "before": "-4/1", "after": "-5/1"}
    assert "do: awaken" in data["scenario"]
    assert as_json(diff(game_of("arkham_ritual"), game_of("arkham_ritual"), 3))["scenario"] is None


@pytest.mark.parametrize("words", [["arkham_ritual", "nowhere"], ["arkham_ritual", "arkham_ritual", "--players", "9"]])
def test_what_cannot_be_compared(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *words]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err


def test_the_smallest_state_has_few_differences(tmp_path: Path) -> None:
    """One failure is the least that can cost another amount, and needs no card with rules of its own."""
    game = ritual_dsl.load(overlay(tmp_path, "rules: |\n  replace normal_loss.count: failures + 1\n"))
    found = diff(game_of("arkham_ritual"), game, 5)
    assert found.witness is not None
    fails = re.search(r"fails: \[(.*)\]", found.witness.text)
    assert fails is not None and len(fails[1].split(",")) == 1


MIRROR = "cards:\n  the_mirror:\n    patch: |\n      replace the_mirror.accepts: c = this and apart(p, k) <= 1\n"


def test_a_deal_that_comes_out_differently_can_be_asked_about(tmp_path: Path) -> None:
    game = ritual_dsl.load(overlay(tmp_path, MIRROR, "shipwreck_arcana"))
    found = diff(game_of("shipwreck_arcana"), game, 3)
    assert found.witness is not None and not found.witness.is_scenario
    assert found.witness.before[0].startswith("accepts(the_mirror, 1, 2) = no")
    assert found.witness.after[:2] != found.witness.before[:2]
    assert "accepts.same@house holds" in found.witness.after[1]
    deal = tmp_path / "deal.yaml"
    deal.write_text(found.witness.text, encoding="utf-8")
    values = [ritual_dsl.odds(one, None, deal).cards()["the_mirror"] for one in ("shipwreck_arcana", game.reference)]
    assert values == [{"takes_one": 0, "takes_either": 0}, {"takes_one": 1, "takes_either": 1}]
    assert as_json(found)["scenario"] is None and as_json(found)["deal"] == found.witness.text


def test_a_counter_that_nothing_asks_about_is_not_covered(tmp_path: Path) -> None:
    game = ritual_dsl.load(overlay(tmp_path, "rules: |\n  replace doom.starts: 0\n", "shipwreck_arcana"))
    found = diff(game_of("shipwreck_arcana"), game, 2)
    assert found.comparison.proven_same
    assert found.not_covered == ["counter doom"]
    nine = ritual_dsl.load(overlay(tmp_path, "rules: |\n  replace sanity.max: 9\n"))
    assert diff(game_of("arkham_ritual"), nine, 5).not_covered == []
