"""What can be known: against a reading of the rules by hand, and against the truth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ritual_dsl
from ritual_dsl.analysis.deduce import Deduction, deduce
from ritual_dsl.analysis.places import hidden
from ritual_dsl.analysis.table import read_story
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.possible import candidates
from ritual_dsl.engine.run import Run
from ritual_dsl.model.game import Game

GAME = "shipwreck_arcana"
Condition = Callable[[int, int, set[int]], bool]

# Read off the cards, by hand: played, kept, visible values.
ACCEPTS: dict[str, Condition] = {
    "dawn": lambda p, k, v: p > k,
    "midnight": lambda p, k, v: p < k,
    "the_deep": lambda p, k, v: p + k <= 5,
    "leviathan": lambda p, k, v: p + k >= 11,
    "the_belltower": lambda p, k, v: (p + k) % 3 == 0,
    "the_shore": lambda p, k, v: abs(p - k) >= 4,
    "the_beast": lambda p, k, v: abs(p - k) == 1,
    "the_huntress": lambda p, k, v: abs(p - k) == 2,
    "the_mirror": lambda p, k, v: p == k,
    "the_blind_man": lambda p, k, v: True,
    "the_chalice": lambda p, k, v: True,
    "the_engine": lambda p, k, v: max(p, k) in (2 * min(p, k), 3 * min(p, k)),
    "the_lord": lambda p, k, v: p in (5, 6, 7) and k not in (5, 6, 7),
    "the_judge": lambda p, k, v: (p + k) % 2 == 0,
    "the_noble": lambda p, k, v: p in (3, 4, 5) and k not in (3, 4, 5),
    "the_servant": lambda p, k, v: p in (1, 2, 3) and k not in (1, 2, 3),
    "the_stranger": lambda p, k, v: (p + k) % 2 == 1,
    "the_prophet": lambda p, k, v: k in v,
    "the_rider": lambda p, k, v: p != k and p not in v and k not in v,
    "the_key": lambda p, k, v: p + k in (7, 8, 9),
}


@lru_cache
def game(reference: str) -> Game:
    return ritual_dsl.load(reference)


def told(reference: str, text: str, folder: Path, viewer: str | None, *assume: str) -> Deduction:
    path = folder / "table.yaml"
    path.write_text(text, encoding="utf-8")
    return deduce(read_story(game(reference), path, viewer), assume)


def by_hand(row: list[str], lying: list[int], played: int, place: str, own: list[int]) -> Counter[int]:
    """The supply that is left of each value the kept fate can have."""
    seen = set(lying)
    left: Counter[int] = Counter()
    for kept in range(1, 8):
        fits = [ACCEPTS[c](p, k, seen) for c in row for p, k in ((played, kept), (kept, played))]
        allowed = not any(fits) if place == "the_hours" else ACCEPTS[place](played, kept, seen)
        supply = 3 - [*lying, *own, played].count(kept)
        if allowed and supply > 0:
            left[kept] = supply
    return left


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_play_is_read_as_by_hand(data: st.DataObject, tmp_path: Path) -> None:
    row = data.draw(st.permutations(sorted(ACCEPTS)))[:4]
    lying = data.draw(st.lists(st.integers(1, 7), max_size=4).filter(lambda v: max(Counter(v).values(), default=0) < 3))
    own = data.draw(st.integers(1, 7).filter(lambda v: lying.count(v) < 3))
    played = data.draw(st.integers(1, 7).filter(lambda v: [*lying, own].count(v) < 3))
    places = [c for c in (*row, "the_hours") if by_hand(row, lying, played, c, [own])]
    place = data.draw(st.sampled_from(places)) if places else None
    if place is None:
        return
    text = f"""
players: [A, B]
given:
  active: A
  row: [the_hours, {", ".join(row)}]
  lying: {{{row[0]}: [{", ".join(f"fate_{v}" for v in lying)}]}}
  kept: {{B: [fate_{own}]}}
do: turn
choices: [{{A: fate_{played}}}, {{A: {place}}}]
"""
    found = told(GAME, text, tmp_path, "B")
    kept = next(hidden for hidden in found.hidden if hidden.name == "kept of A")
    left = by_hand(row, lying, played, place, [own])
    total = sum(left.values())
    assert kept.sound == {f"fate_{v}": Fraction(n, total) for v, n in left.items()}
    gone = {f"fate_{v}" for v in range(1, 8) if v not in left}
    assert set(kept.excluded) == gone
    assert all(reason.clauses or "in sight" in reason.text for reason in kept.excluded.values())


EXAMPLE = """
players: [A, B, C]
given:
  active: A
  row: [the_hours, midnight, the_deep, the_mirror, the_beast]
do: turn
choices: [{A: fate_1}, {A: midnight}]
"""


def values(found: Deduction, assumed: bool = False) -> list[str]:
    kept = next(place for place in found.hidden if place.name == "kept of A")
    return list((kept.assumed or {}) if assumed else kept.sound)


def test_the_books_own_example(tmp_path: Path) -> None:
    """A 1 on Midnight leaves 2 to 7; who assumes that The Deep took nothing reads 5, 6 or 7."""
    found = told(GAME, EXAMPLE, tmp_path, "B", "nothing fitted on The Deep")
    assert values(found) == [f"fate_{v}" for v in range(2, 8)]
    assert values(found, assumed=True) == ["fate_5", "fate_6", "fate_7"]
    reason = found.hidden[0].excluded["fate_1"]
    assert any(clause.startswith("accepts.lower@midnight ") for clause in reason.clauses)


def test_the_most_telling_play(tmp_path: Path) -> None:
    """A kept 2 would have gone to The Beast, a kept 3 or 4 to The Deep: both say more than Midnight does."""
    found = told(GAME, EXAMPLE, tmp_path, "B", "they chose the most telling play")
    assert values(found, assumed=True) == ["fate_5", "fate_6", "fate_7"]


def test_who_could_have_spoken_and_did_not_does_not_stand_in_the_way(tmp_path: Path) -> None:
    """B plays after A, and nobody has said that the group did not predict A's fate."""
    text = """
players: [A, B, C]
do: game
choices: [{all: A}, {A: fate_5}, {A: the_noble}, {B: fate_2}, {B: the_servant}]
seen: {row: {1: [the_noble], 2: [the_servant], 3: [the_key], 4: [leviathan]}}
"""
    found = told(GAME, text, tmp_path, "C", "they chose the most telling play")
    of_b = next(place for place in found.hidden if place.name == "kept of B")
    assert not found.left_out and list(of_b.assumed or ()) == ["fate_4"] and len(of_b.sound) == 4
    of_a = told(GAME, text, tmp_path, "C", "the most telling play for A")
    assert set(values(of_a, assumed=True)) < set(values(of_a))


@pytest.mark.parametrize(
    "assumption", ["they did not choose the most telling play", "nothing fitted on fate_1", "nothing fited on dawn"]
)
def test_an_assumption_that_is_none(assumption: str, tmp_path: Path) -> None:
    with pytest.raises(RitualError, match="RIT753"):
        told(GAME, EXAMPLE, tmp_path, "B", assumption)


def test_an_assumption_that_contradicts_is_left_out(tmp_path: Path) -> None:
    text = EXAMPLE.replace("{A: midnight}", "{A: the_deep}")
    found = told(GAME, text, tmp_path, "B", "nothing fitted on the_deep")
    assert found.left_out == {"nothing fitted on the_deep": "it contradicts what was seen"}
    assert values(found) == ["fate_1", "fate_2", "fate_3", "fate_4"]
    assert found.hidden[0].assumed is None


def test_answers_count(tmp_path: Path) -> None:
    text = EXAMPLE.replace("the_mirror", "the_chalice").replace("{A: midnight}", "{A: the_chalice}")
    assert "fate_1" in values(told(GAME, text, tmp_path, "B"))
    found = told(GAME, text + "seen: {answer: [yes]}\n", tmp_path, "B")
    assert values(found) == [f"fate_{v}" for v in range(2, 8)]
    assert "`answer` was yes; it would have been no" in found.hidden[0].excluded["fate_1"].text


QUESTIONS: dict[str, tuple[str, Callable[[int], bool]]] = {
    "dawn": ("{all: dawn}, {all: 4}", lambda k: k > 4),
    "the_servant": ("{all: the_servant}", lambda k: k in (1, 2, 3)),
    "the_judge": ("{all: the_judge}", lambda k: k in (3, 4, 5)),
    "the_engine": ("{all: the_engine}", lambda k: k in (5, 6, 7)),
    "the_blind_man": ("{all: the_blind_man}", lambda k: k in (1, 4, 7)),
}


@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("card", QUESTIONS)
def test_a_question_is_read_as_by_hand(card: str, answer: str, tmp_path: Path) -> None:
    said, says = QUESTIONS[card]
    text = EXAMPLE.replace("midnight}]", f"midnight}}, {said}]").replace("do:", f"  faded: [{card}]\ndo:")
    found = told(GAME, text + f"seen: {{answer: [{answer}]}}\n", tmp_path, "B")
    assert values(found) == [f"fate_{k}" for k in range(2, 8) if says(k) is (answer == "yes")]
    (kept,) = found.hidden
    spoken = {value for value, reason in kept.excluded.items() if f"`answer` was {answer}" in reason.text}
    assert spoken == {f"fate_{k}" for k in range(2, 8)} - set(kept.sound)


def test_a_lower_fate_thrown_back_tells(tmp_path: Path) -> None:
    """Who throws back a 4 keeps something higher; who keeps a 2 has nothing lower there."""
    said = "midnight}, {A: leviathan}, {A: the_deep}, {A: fate_4}]"
    given = "  faded: [leviathan]\n  lying: {the_deep: [fate_2, fate_4]}\ndo:"
    found = told(GAME, EXAMPLE.replace("midnight}]", said).replace("do:", given), tmp_path, "B")
    assert values(found) == ["fate_5", "fate_6", "fate_7"]
    assert "discardable.lower " in found.hidden[0].excluded["fate_2"].clauses[0]
    assert "f.value < kept_value " in found.hidden[0].excluded["fate_3"].clauses[0]


@pytest.mark.parametrize(("answer", "kept"), [("yes", "3"), ("no", "24567")])
def test_whether_the_played_one_was_the_old_one(answer: str, kept: str, tmp_path: Path) -> None:
    """A held a 1 or a 3, as The Mirror told: who plays a 1 and says it is the new one keeps the 3."""
    given = "  kept: {A: [unknown]}\n  faded: [the_key]\n  lying: {the_mirror: [fate_1]}\ndo:"
    text = EXAMPLE.replace("do:", given).replace("midnight}]", "midnight}, {A: the_key}]")
    found = told(GAME, text + f"seen: {{answer: [{answer}]}}\n", tmp_path, "B")
    assert values(found) == [f"fate_{k}" for k in range(2, 8)]
    carried = next(place for place in found.hidden if place.name == "carried of A")
    assert (set(carried.sound) == {"fate_1"}) is (answer == "yes")


def test_an_assumption_of_somebody(tmp_path: Path) -> None:
    """The last fate that another player chose is meant; A's where it is said."""
    text = EXAMPLE.replace("{A: midnight}]", "{A: midnight}, {all: none}]")
    plain = told(GAME, text, tmp_path, "B", "nothing fitted on The Deep")
    of_a = told(GAME, text, tmp_path, "B", "nothing fitted on The Deep for A")
    assert values(plain, assumed=True) == values(of_a, assumed=True) == ["fate_5", "fate_6", "fate_7"]
    of_c = told(GAME, text, tmp_path, "B", "nothing fitted on The Deep for C", "the most telling play for C")
    assert list(of_c.left_out.values()) == ["nobody who is meant has chosen that"] * 2 and not values(
        of_c, assumed=True
    )


def test_what_was_shown_counts(tmp_path: Path) -> None:
    """B shows the third 4; then nobody else can have one."""
    given = "  kept: {B: [unknown], C: [fate_7]}\n  lying: {the_deep: [fate_4, fate_4]}\ndo:"
    text = EXAMPLE.replace("do:", given).replace("midnight}]", "midnight}, {do: {reveal: {p: B}}}]")
    assert "fate_4" in values(told(GAME, text, tmp_path, "C"))
    found = told(GAME, text + "seen: {open: [fate_4]}\n", tmp_path, "C")
    assert values(found) == [f"fate_{k}" for k in (2, 3, 5, 6, 7)]


def test_a_table_of_strangers_is_no_trouble(tmp_path: Path) -> None:
    """Four others hold fates of which nothing is known: they are told apart only where it matters."""
    unknown = "  kept: {B: [unknown], C: [unknown], D: [unknown], E: [unknown]}\ndo:"
    text = EXAMPLE.replace("[A, B, C]", "[A, B, C, D, E]").replace("do:", unknown)
    found = told(GAME, text, tmp_path, None)
    assert found.worlds < 20 and len(found.hidden) == 5
    assert all(sum(place.sound.values()) == 1 for place in found.hidden)


def test_a_carried_fate_is_one_of_two(tmp_path: Path) -> None:
    """A kept a 2 or a 5 last turn, as B worked out; now A plays a 1 on The Beast, which wants the next number."""
    text = EXAMPLE.replace("do:", "  kept: {A: [unknown]}\ndo:").replace("{A: midnight}", "{A: the_beast}")
    assert values(told(GAME, text, tmp_path, "B")) == ["fate_2"]


def test_my_own_card(tmp_path: Path) -> None:
    text = """
players: [A, B, C, D, E]
given:
  hand: {B: tome_sane, C: cultist, D: dagger_sane, E: candelabra_cursed}
  discard: [gate_1, chalice_sane, chalice_sane]
"""
    (hand,) = told("arkham_ritual", text, tmp_path, "A").hidden
    assert hand.name == "hand of A"
    assert hand.sound["candelabra_sane"] == Fraction(2, 15) and hand.sound["elder_sign"] == Fraction(1, 15)
    assert "2 in discard" in hand.excluded["chalice_sane"].text
    assert sum(hand.sound.values()) == 1


def play_on(run: Run, length: int, chance: Random) -> list[dict[str, Any]]:
    """A game as bots play it who rather say nothing, and in which things happen in between."""
    game, moves = run.game, list[dict[str, Any]]()
    happening = [procedure for procedure in game.procedures.values() if procedure.any_time]
    while run.choice is not None and len(moves) < length:
        if happening and chance.random() < 0.25:
            procedure = chance.choice(happening)
            values = [candidates(run, type) or [] for _, type in procedure.params]
            args = tuple(chance.choice(among) for among in values)
            shown = {name: run.show(arg, type) for arg, (name, type) in zip(args, procedure.params, strict=True)}
            try:
                run.interrupt(procedure.name, args)
            except RitualError:
                continue  # not at this time
            moves.append({"do": {procedure.name: shown} if shown else procedure.name})
            continue
        silent = None in run.choice.options and chance.random() < 0.7
        option = None if silent else chance.choice(run.choice.options)
        moves.append({run.who(run.choice): run.show(option, run.choice.type)})
        run.answer(option)
    return moves


@pytest.mark.parametrize(("examples", "longest"), [(4, 12), pytest.param(40, 24, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("reference", "players"),
    [
        (GAME, (2, 4)),
        (f"{GAME}+two_hands", (2, 2)),
        (f"{GAME}+hours_condition=free+guessed_fate=hidden+no_agreement=left_decides", (3, 4)),
        ("arkham_ritual", (3, 7)),
        ("arkham_ritual+hastur+shining_trapezohedron+doom_track", (3, 5)),
    ],
)
def test_the_truth_is_always_among_it(
    reference: str, players: tuple[int, int], examples: int, longest: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stories")

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
    @given(st.integers(*players), st.integers(0, 10**6), st.integers(1, longest))
    def check(count: int, seed: int, length: int) -> None:
        run = Run(game(reference), count, seed=seed).start()
        moves = play_on(run, length, Random(seed))
        text = json.dumps({"players": count, "seed": seed, "do": run.game.main, "choices": moves})
        for seat in (seed % count, None)[: 2 if reference.startswith(GAME) else 1]:  # else nobody knows anything
            eyes = frozenset(range(count)) if seat is None else frozenset((seat,))
            found = told(reference, text, folder, None if seat is None else run.names[seat])
            truth = {place: value for place, ((value, _),) in hidden(run, run.state, {}, eyes)}
            for place in found.hidden:
                assert truth[place.name] in place.sound and sum(place.sound.values()) == 1
                assert not set(place.sound) & set(place.excluded)

    check()


@pytest.mark.parametrize("happened", ["{note: {writer: B, p: A, v: 3}}", "{leave: {p: C}}", "{mistake: {p: B}}"])
@pytest.mark.parametrize("viewer", ["A", "B", "C"])
def test_what_happens_at_any_time_is_no_contradiction(viewer: str, happened: str, tmp_path: Path) -> None:
    """While the others predict, somebody turns a number over; the question is then asked again."""
    said = "{all: A}, {A: fate_2}, {A: the_belltower}"
    story = f"players: [A, B, C]\nseed: 7\ndo: game\nchoices: [{said}, {{do: {happened}}}]\n"
    plain = f"players: [A, B, C]\nseed: 7\ndo: game\nchoices: [{said}]\n"
    with_it, without = (told(GAME, text, tmp_path, viewer) for text in (story, plain))
    assert with_it.consistent and without.consistent


def test_what_happened_tells_that_somebody_may_do_it(tmp_path: Path) -> None:
    """It is for A, if A holds a high fate; so A does, if it happened."""
    rules = "rule keen: player?\n    it: active when some f in kept[active] has f.value > 4, otherwise none\n"
    rules += "  procedure wink at any time by keen:\n    nothing\n"
    (tmp_path / "house.yaml").write_text(f"extends: {GAME}\nid: house\nrules: |\n  {rules}", encoding="utf-8")
    plain = EXAMPLE.rstrip("\n")
    assert plain.endswith("]")
    found = told(str(tmp_path / "house.yaml"), plain[:-1] + ", {do: wink}]\n", tmp_path, "B")
    before = values(told(GAME, EXAMPLE, tmp_path, "B"))
    assert values(found) == [fate for fate in before if fate > "fate_4"] != []
    assert all("nobody could do it" in found.hidden[0].excluded[f].text for f in before if f <= "fate_4")


def test_a_scenario_that_was_saved(tmp_path: Path) -> None:
    """A file with one scenario tells the same as the scenario does."""
    body = "players: [A, B, C]\nseed: 7\ndo: game\nchoices: [{all: A}, {A: fate_2}, {A: the_belltower}]\n"
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    saved = f"game: {GAME}\nscenarios:\n  - name: saved\n{indented}    expect: {{score: 0}}\n"
    assert told(GAME, saved, tmp_path, "B").hidden == told(GAME, body, tmp_path, "B").hidden


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(EXAMPLE, encoding="utf-8")
    assert main(["deduce", GAME, "--given", str(path), "--as", "B", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["hidden"]["kept of A"]["values"]["fate_2"] == "1/6"
    assert main(["deduce", GAME, "--given", str(path), "--as", "Z"]) != 0
