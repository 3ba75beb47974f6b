"""Odds from what one player knows: against going through every card that player has not seen."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from scorer import Table, score

import ritual_dsl
from ritual_dsl.analysis.odds_words import as_json
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import RitualError

GAMES = ("arkham_ritual", "arkham_ritual+mad_professor+wary_student+hastur")


def write(folder: Path, **content: Any) -> Path:
    path = folder / "known.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("reference", GAMES)
@pytest.mark.parametrize("number", range(8))
def test_one_players_view(reference: str, number: int, tmp_path: Path) -> None:
    random = Random(number)
    deck = Counter(ritual_dsl.load(reference).deck)
    cards = sorted(deck.elements())
    random.shuffle(cards)
    players = random.randint(3, 7)
    names = [*"ABCDEFG"[:players], *(f"dummy_{i + 1}" for i in range(5 - players))]
    hands = dict(zip(names, cards, strict=False))
    discard = cards[len(names) : len(names) + random.randint(0, 8)]
    viewer = random.choice(names[:players])
    given = {"hand": hands, "discard": discard, "removed": cards[-1:]}  # the removed card is seen by nobody
    result = ritual_dsl.odds(reference, given=write(tmp_path, players=players, given=given), viewer=viewer)

    unseen = deck - Counter(card for name, card in hands.items() if name != viewer) - Counter(discard)
    assert result.blocks[0].deals == unseen.total()
    data = as_json(result)
    assert set(data["cards"]) == set(unseen)
    losses, survived = Fraction(0), Fraction(0)
    for card, copies in unseen.items():
        scored = score(Table({**hands, viewer: card}, dict.fromkeys(names[:players], 7)))
        chance = Fraction(copies, unseen.total())
        row = {name: Fraction(text) for name, text in data["cards"][card].items()}
        assert row["chance"] == chance
        assert row["survives"] == (viewer not in scored.fails)
        assert row["mean_loss"] == scored.loss[viewer]
        losses += chance * scored.loss[viewer]
        survived += chance * (viewer not in scored.fails)
    assert (Fraction(data["all"]["mean_loss"]), Fraction(data["all"]["survives"])) == (losses, survived)


def test_hands_that_nobody_named_are_unknown(tmp_path: Path) -> None:
    """With two cards unknown, the second is every other card that is left."""
    known = write(tmp_path, players=5, given={"hand": {"B": "tome_sane", "C": "cultist", "D": "dagger_sane"}})
    result = ritual_dsl.odds("arkham_ritual", given=known, viewer="A")
    assert result.blocks[0].deals == 19 * 18
    survives = result.cards()["idol_cursed"]["survives"]
    assert survives == 1 - Fraction(2, 18)  # unless E has one of the two sane idols


def test_what_is_known_to_all_without_a_view(tmp_path: Path) -> None:
    known = write(
        tmp_path, players=5, given={"hand": {"C": "cultist"}, "sanity": {"A": 2, "B": 3, "C": 4, "D": 5, "E": 6}}
    )
    result = ritual_dsl.odds("arkham_ritual", given=known)
    assert result.blocks[0].deals == 21 * 20 * 19 * 18
    assert result.cards()["gate_1"]["survives"] == 0
    assert result.cards()["cthulhu"]["others_change"] < -2


@pytest.mark.parametrize(
    ("content", "viewer", "code"),
    [
        ({"given": {"deck": ["gate_1"]}}, None, "RIT643"),
        ({"given": {"hand": {"A": "gat_1"}}}, None, "RIT601"),
        ({"given": {"hand": {"A": "hastur"}}}, None, "RIT603"),
        ({"given": {"discard": ["gate_1", "gate_1"]}}, None, "RIT603"),
        ({"given": {"sanity": 9}}, None, "RIT610"),
        ({"given": {}, "plyers": 3}, None, "RIT120"),
        ({"players": 9}, None, "RIT510"),
        ({"players": 3}, "D", "RIT602"),
        ({"players": 3}, "dummy_1", "RIT602"),
    ],
)
def test_faults(content: dict[str, Any], viewer: str | None, code: str, tmp_path: Path) -> None:
    with pytest.raises(RitualError) as raised:
        ritual_dsl.odds("arkham_ritual", given=write(tmp_path, **content), viewer=viewer)
    assert {d.code for d in raised.value.diagnostics} == {code}


def test_what_the_rules_ask_about_must_be_seen(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    rules = "add fails.removed: some c in removed has c is cursed"
    house.write_text(f"extends: arkham_ritual\nid: house\nname: {{en: x, ja: x}}\nrules: |\n  {rules}\n")
    known = write(tmp_path, given={"removed": ["gate_1"]})
    assert ritual_dsl.odds(str(house), given=known).blocks[0].deals > 0
    with pytest.raises(RitualError, match="RIT643"):
        ritual_dsl.odds(str(house), given=known, viewer="A")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = {"A": "cthulhu", "B": "tome_sane", "C": "cultist", "D": "dagger_sane", "E": "candelabra_cursed"}
    known = str(write(tmp_path, players=list("ABCDE"), given={"hand": hands}))
    assert main(["odds", "arkham_ritual", "--given", known, "--as", "A"]) == 0
    text = capsys.readouterr().out
    assert "as A sees it" in text
    assert "in all" in text
    assert main(["odds", "arkham_ritual", "--given", known, "--as", "A", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["as"] == "A"
    assert main(["odds", "arkham_ritual", "--players", "0"]) == 1
    assert main(["odds", "arkham_ritual", "--given", "nowhere.yaml"]) == 2


def test_the_number_of_players_is_said_once(tmp_path: Path) -> None:
    path = write(tmp_path, players=["A", "B", "C"])
    assert ritual_dsl.odds("arkham_ritual", 3, path).players == 3
    with pytest.raises(RitualError) as raised:
        ritual_dsl.odds("arkham_ritual", 4, path)
    assert [d.code for d in raised.value.diagnostics] == ["RIT643"]


def test_a_card_too_many_is_shown_where_it_is_given(tmp_path: Path) -> None:
    path = write(tmp_path, players=5, given={"hand": {"A": "gate_1"}, "discard": ["gate_2", "gate_1"]})
    with pytest.raises(RitualError) as raised:
        ritual_dsl.odds("arkham_ritual", None, path)
    [finding] = raised.value.diagnostics
    assert finding.code == "RIT603" and finding.span is not None
    assert "gate_1" in finding.span.source.line(finding.span.line)


def test_a_view_where_nobody_holds_what_is_counted(tmp_path: Path) -> None:
    """Cards that are seen nowhere else lie in the deck, so a player knows of it what the odds ask."""
    path = write(tmp_path, players=["A", "B"], given={"open": ["fate_1"]})
    seen = as_json(ritual_dsl.odds("shipwreck_arcana", None, path, "A"))
    known = as_json(ritual_dsl.odds("shipwreck_arcana", None, path))
    assert seen["cards"] == known["cards"] and seen["as"] == "A" and "all" not in seen
