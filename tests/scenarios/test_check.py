"""What `ritual check` says about a scenario file: everything that can be known without running it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ritual_dsl.scenarios import check_file

HANDS = "hand: {A: tome_sane, B: candelabra_sane, C: idol_sane, D: dagger_cursed, E: elder_sign}"
GOOD = f"""game: arkham_ritual
scenarios:
  - name: a sample
    cite: §7
    players: [A, B, C, D, E]
    given: {{{HANDS}, active: A}}
    do: turn
    choices: [{{A: B}}, {{do: {{infraction: {{p: B}}}}}}, {{B: take}}]
    seed: 18446744073709551615
    expect:
      sanity: {{A: 7}}
      because: [next_active.left]
"""


def codes(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    found = check_file(path)
    assert all(d.span is not None for d in found)
    return sorted({d.code for d in found})


def test_a_sound_file_is_clean(tmp_path: Path) -> None:
    assert codes(tmp_path / "x.scenario.yaml", GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("do: turn", "do: trun", "RIT605"),
        ("do: turn", "do: infraction", "RIT605"),
        ("do: turn", "do: {infraction: {p: Z}}", "RIT602"),
        ("active: A", "actve: A", "RIT601"),
        ("active: A", "active: Z", "RIT602"),
        ("tome_sane", "tome_sain", "RIT601"),
        ("tome_sane", "hastur", "RIT603"),
        ("players: [A, B, C, D, E]", "players: 8", "RIT510"),
        ("players: [A, B, C, D, E]", "players: [A, B, C, D, dummy_1]", "RIT510"),
        ("cite: §7", "cite: §99", "RIT363"),
        ("{A: B}", "{Z: B}", "RIT602"),
        ("{A: B}", "take", "RIT610"),
        ("{infraction: {p: B}}", "{turn: {}}", "RIT501"),
        ("seed: 18446744073709551615", "seed: 18446744073709551616", "RIT122"),
        ("sanity: {A: 7}", "sanity: {A: seven}", "RIT610"),
        ("sanity: {A: 7}", "sanit: {A: 7}", "RIT601"),
        ("sanity: {A: 7}", "fails: A", "RIT610"),
        ("next_active.left", "next_active.lft", "RIT601"),
        ("next_active.left", "fails.cursed@cultits", "RIT601"),
    ],
)
def test_faults_are_found_without_a_run(old: str, new: str, code: str, tmp_path: Path) -> None:
    assert old in GOOD
    assert codes(tmp_path / "x.scenario.yaml", GOOD.replace(old, new)) == [code]


def test_an_expected_fault_is_none(tmp_path: Path) -> None:
    text = GOOD.replace("players: [A, B, C, D, E]", "players: 8")
    text = text[: text.index("    expect:")] + "    expect: {error: RIT510}\n"
    assert codes(tmp_path / "x.scenario.yaml", text) == []


def test_without_players_it_is_five_or_as_near_as_the_game_allows(tmp_path: Path) -> None:
    text = GOOD.replace("    players: [A, B, C, D, E]\n", "")
    assert codes(tmp_path / "x.scenario.yaml", text) == []
    house = "extends: arkham_ritual\nid: few\nrules: |\n  replace players: 3..4\n"
    (tmp_path / "house.yaml").write_text(house)
    text = text.replace("game: arkham_ritual", "game: ./house.yaml").replace("E: elder_sign", "dummy_1: elder_sign")
    assert codes(tmp_path / "x.scenario.yaml", text) == []
