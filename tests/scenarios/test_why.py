"""`ritual why`: everything that happened, the step or patch that did it, and the rules behind it."""

from __future__ import annotations

from pathlib import Path

from ritual_dsl.loading.files import shipped_folder
from ritual_dsl.scenarios import explain

FOLDER = shipped_folder() / "arkham_ritual" / "scenarios"


def why(file: str, name: str | None = None) -> list[str]:
    return [line.strip() for line in explain(FOLDER / f"{file}.scenario.yaml", name).splitlines()]


def test_a_step_is_told_with_its_place_and_citation() -> None:
    lines = why("infraction")
    change = lines.index("- sanity of A is now 6")
    assert lines[change + 1].startswith("by `p loses 1 sanity`  §12-Q3  [")
    assert lines[change + 1].endswith("flow.ritual:44]")
    assert any(line.startswith("infraction(A)  §12-Q3") for line in lines[:change])
    assert any(line.startswith("return_hand(A)  §12-Q3") for line in lines)


def test_a_turn_tells_choices_and_moves_in_order() -> None:
    lines = [line for line in why("examples", "example 1, the deck goes past a lowered hand") if line[:2] == "- "]
    wanted = ["- A chooses offer_to: B  (of B, C, D, E)", "- B chooses answer: take  (of take, pass)"]
    wanted += ["- candelabra_sane moves from hand of B to discard", "- chalice_sane moves from offer to hand of B"]
    assert [line for line in lines if line in wanted] == wanted


def test_a_clause_is_quoted_with_its_patch_and_why_it_counts() -> None:
    text = "\n".join(why("cultist"))
    assert "fails.cursed@cultist holds: `hand[p] is sane`  §7-2  [" in text
    assert "while held(cultist, A) during score" in text
    assert "loss(A), loss(B), loss(C), loss(D), loss(E) = 5  §7-3" in text


def test_the_patch_of_a_step_is_named() -> None:
    lines = why("investigator")
    change = lines.index("- sanity of A is now 6")
    assert "the patch investigator.score, while held(investigator, A)" in lines[change + 1]
    lines = why("doom_track", "the marker moves on after a round")
    assert "the patch doom_track.advance" in lines[lines.index("- doom is now 2") + 1]


def test_patches_of_steps_can_be_expected(tmp_path: Path) -> None:
    file = tmp_path / "x.scenario.yaml"
    hands = "{A: investigator, B: candelabra_sane, C: idol_cursed, D: dagger_sane, E: elder_sign}"
    text = f"game: arkham_ritual\nscenarios:\n  - name: x\n    given: {{hand: {hands}, sanity: 5}}\n    do: score\n"
    file.write_text(text + "    expect: {because: [score@investigator]}\n")
    assert explain(file).endswith("\nas expected")
    file.write_text(
        text.replace("investigator, B: candelabra_sane", "candelabra_sane, B: candelabra_cursed")
        + "    expect: {because: [score@investigator]}\n"
    )
    assert explain(file).endswith("NOT as expected")


REFUSED = """game: shipwreck_arcana
scenarios:
  - name: x
    players: 3
    given: {active: A, away: [C]}
    do: {leave: {p: B}}
    expect:
      error: RIT512
      others: [B]
"""


def test_what_ended_a_run_is_told_with_the_rules_asked_for_it(tmp_path: Path) -> None:
    file = tmp_path / "x.scenario.yaml"
    file.write_text(REFUSED + "      because: [may_leave.enough]\n")
    text = explain(file)
    told = text[text.index("stopped by RIT512: `leave(p: B)` cannot happen now: `may_leave.enough` does not hold") :]
    assert "may_leave.enough does not hold: `number of present > 2`" in told
    assert "others = " not in told[: told.index("what else was expected")] and text.endswith("\nas expected")


def test_where_a_run_was_to_stop_the_rest_is_compared(tmp_path: Path) -> None:
    file = tmp_path / "x.scenario.yaml"
    file.write_text(REFUSED + "      because: [may_leave.seated]\n      doom: 3\n")
    text = explain(file)
    assert text.endswith("NOT as expected")
    assert "because" in text and "expected may_leave.seated" in " ".join(text.split()) and "doom" in text
