"""`ritual show`: what counts, each line with where it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ritual_dsl
from ritual_dsl.analysis.written import Line
from ritual_dsl.cli import main

HOUSE = """extends: arkham_ritual
id: loud
name: {en: Loud}
cite: §10-4
cards:
  cthulhu:
    patch: |
      replace cthulhu.toll: number of seats when p != holder, otherwise 0
    text: {en: Louder.}
  priest:
    name: {en: Priest}
    kind: character
    color: sane
    rules: |
      rule calm: number
        amount: 1
      while held during score:
        limit loss.normal to calm when p = holder
      while held during score:
        remove fails.resonance
rules: |
  replace normal_loss.count: failures + 1                       # dearer
  replace sanity.max: 9
  add Artifact.lamp
  replace players: 3..8
  replace zone hand: one card per seat, seen by everyone
  instead of deal.gather: move all cards except removed to deck
  before turn when deck is empty:
    end round as deck_empty
  after turn.pass_on: nothing
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loud.yaml").write_text(HOUSE, encoding="utf-8")
    return "./loud.yaml"


def lines(reference: str, name: str) -> list[Line]:
    return list(ritual_dsl.show(reference, name)[0].lines)


def texts(reference: str, name: str) -> list[tuple[str, str, str]]:
    return [(line.text, line.layer, line.guard) for line in lines(reference, name)]


def test_a_replaced_clause(house: str) -> None:
    _, clause = lines(house, "normal_loss")
    assert (clause.text, clause.layer, clause.origin) == ("  count: failures + 1", "house", "loud")
    assert (clause.place, clause.cites) == ("loud.yaml:22", ("§10-4",))
    variant = lines("arkham_ritual+doom_track", "normal_loss")[1]
    assert (variant.text, variant.layer, variant.cites) == ("  count: doom", "variant", ("§13",))


def test_guarded_patches_stand_below(house: str) -> None:
    assert texts(house, "fails") == [
        ("rule fails(p: seat): any of", "rulebook", ""),
        ("  cursed: hand[p] is cursed", "rulebook", ""),
        ("    cursed: hand[p] is sane", "card", "while held during score"),
        (
            "  resonance: hand[p] is artifact and some q in seats except p has hand[q].artifact = hand[p].artifact",
            "rulebook",
            "",
        ),
        ("    remove fails.resonance", "card", "while held during score"),
    ]


def test_a_patch_of_a_patch(house: str) -> None:
    toll = lines(house, "toll")[-1]
    assert toll.text == "    amount: number of seats when p != holder, otherwise 0"
    assert (toll.layer, toll.guard) == ("house", "while held during awaken")
    card = lines(house, "cthulhu")
    assert [line.layer for line in card if line.text.startswith("  text.en: Louder.")] == ["house"]
    assert [line.layer for line in card if line.text.startswith("  name.en")] == ["rulebook"]
    assert card[-1].text == "    replace cthulhu.toll: number of seats when p != holder, otherwise 0"


def test_a_ruling(house: str) -> None:
    reference = "arkham_ritual+dummies_count_as_failing=no"
    line = lines(reference, "counts")[-1]
    assert (line.text, line.layer, line.cites) == ("  no_dummies: q in players", "ruling", ("§14", "§7-3"))
    victims = lines(reference, "hastur.victims")[-1]
    assert victims.text == "  count: number of s in players where victim(s)"


def test_declarations(house: str) -> None:
    assert texts(house, "sanity") == [
        ("counter sanity: per player, 0..9, starts at 7", "rulebook", ""),
        ("  replace sanity.max: 9", "house", ""),
    ]
    assert texts(house, "players") == [("players: 3..8", "house", "")]
    assert texts(house, "hand") == [("zone hand: one card per seat, seen by everyone", "house", "")]
    assert texts(house, "Artifact")[0][0].endswith(", tome, lamp")


def test_steps(house: str) -> None:
    assert [text for text, _, _ in texts(house, "deal")][1] == (
        "  instead of deal.gather: move all cards except removed to deck"
    )
    turn = [text for text, _, _ in texts(house, "turn")]
    assert turn[1] == "  before turn when deck is empty:"
    assert turn[-1] == "  after turn.pass_on: nothing"
    assert turn[-2].startswith("  pass_on:")


def test_lines_inherit_citations() -> None:
    cites = {line.text.strip(): line.cites for line in lines("arkham_ritual", "turn")}
    assert cites["move offer to hand[target]"] == ("§6-2-1",)
    assert cites["move top of deck to offer"] == ("§6",)


@pytest.mark.parametrize("game", ["arkham_ritual", "arkham_ritual+hastur+doom_track", "shipwreck_arcana"])
def test_every_line_of_a_game_is_in_its_file(game: str) -> None:
    shown = ritual_dsl.show(game)
    assert {thing.kind for thing in shown} == {"declaration", "rule", "procedure", "card"}
    for thing in shown:
        for line in thing.lines:
            assert line.layer and line.path and line.line > 0
            assert not line.path.startswith("/")


def test_text_and_json(house: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", house, "normal_loss"]) == 0
    text = capsys.readouterr().out
    assert "[house loud loud.yaml:22 §10-4]" in text
    assert main(["show", house, "normal_loss", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["shown"][0]["lines"][1] == {
        "text": "  count: failures + 1",
        "from": "house",
        "module": "loud",
        "file": "loud.yaml",
        "line": 22,
        "cite": ["§10-4"],
        "guard": None,
    }


def test_modules_by_name(house: str) -> None:
    doom = [line.text for line in lines("arkham_ritual", "doom_track")]
    assert doom[0] == "doom_track:" and "  advance: after round: doom gains 1" in doom
    ruling = [(line.text, line.origin) for line in lines("arkham_ritual", "dummies_count_as_failing")]
    assert ("  add counts.no_dummies: q in players", "dummies_count_as_failing=no") in ruling
    assert "  replace sanity.max: 9" in [line.text for line in lines(house, "loud")]


def test_an_unknown_name(house: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", house, "normal_los"]) == 2
    assert "did you mean `normal_loss`?" in capsys.readouterr().err


def test_modules(house: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", f"{house}+doom_track+doom_start=0+hastur", "--modules", "--format", "json"]) == 0
    data: dict[str, list[dict[str, Any]]] = json.loads(capsys.readouterr().out)
    variants = {v["id"]: v for v in data["variants"]}
    assert variants["doom_track"]["in_play"] and not variants["most_sanity_wins"]["in_play"]
    start = next(r for r in data["rulings"] if r["id"] == "doom_start")
    assert (start["default"], start["taken"], list(start["options"])) == ("1", "0", ["1", "0"])
    assert start["cite"] == ["§13"] and start["question"]["ja"]
    assert {e["id"] for e in data["errata"]} >= {"seven_or_more", "turn_printed_as_round", "heading_of_6_3"}
    assert all(e["language"] == "ja" and e["cite"] and e["printed"] and e["meant"] for e in data["errata"])
    old_one = next(a for a in data["alternates"] if a["slot"] == "old_one")
    assert (old_one["default"], old_one["in_deck"], len(old_one["cards"])) == ("cthulhu", "hastur", 4)
    assert [overlay["id"] for overlay in data["overlays"]] == ["loud"]
    assert main(["show", house, "--modules"]) == 0
    assert "ruling doom_start:" in capsys.readouterr().out
