"""What may happen at any time, where its condition holds; and what is said where it does not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ritual_dsl import load
from ritual_dsl.diagnostics import Diagnostic, RitualError
from ritual_dsl.engine import Run
from ritual_dsl.engine.possible import allow, possible
from ritual_dsl.engine.session import Session

MY_GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"
REST = """
variable omen: number, starts as 0, seen by nobody
variable fear: per player, truth, starts as false, seen by owner
rule may_rest(p: player): all of
  tired: health[p] < 7
  armed: hand[p] is not empty
rule mild: truth
  dry: health[target] > 2
rule unheard(p: player): any of
procedure rest(p: player) at any time when may_rest(p):
  p gains 1 health
procedure swap(p: player, q: player) at any time when p != q and not may_rest(q):
  target := q
procedure wait at any time when number of deck < 2 or number of discard > 3:
  nothing
procedure flee at any time when target is not none and mild:
  nothing
procedure shout(p: player) at any time when unheard(p):
  nothing
procedure guess(v: 0..7) at any time when omen = v and v > 3:
  nothing
procedure shake(p: player) at any time when fear[p]:
  nothing
procedure nod(v: number) at any time when v > 3:
  nothing
"""
DOERS = """
variable omen: number, starts as 0, seen by nobody
variable spy: player?, seen by nobody
variable mine: per player, truth, starts as false, seen by owner
variable raised: set of player
rule may_call: truth
  it: omen > 3
rule chosen: player?
  it: target when target is not none and health[target] > 3, otherwise none
procedure sing(p: player) at any time by p when p != target:
  p loses 1 health
procedure lead at any time by target:
  nothing
procedure vote(v: number) at any time by raised:
  nothing
procedure hide at any time by spy:
  nothing
procedure call at any time by target when may_call:
  nothing
procedure dare at any time by chosen:
  nothing
procedure seek at any time when health[spy] > 3:
  nothing
procedure feel(p: player) at any time by p when mine[p]:
  nothing
procedure free:
  each p in players: sing(p)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(MY_GAME, tmp_path / "my_game")
    (tmp_path / "my_game" / "more.ritual").write_text(REST, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def table(reference: str = "./my_game") -> Run:
    return Run(load(reference), ["A", "B"], seed=1).start()


def refused(run: Run, procedure: str, *args: int) -> Diagnostic:
    """The refusal; nothing has happened."""
    before, choice = json.dumps(run.state.cells, default=sorted), run.choice
    with pytest.raises(RitualError) as error:
        run.interrupt(procedure, args)
    assert (json.dumps(run.state.cells, default=sorted), run.choice) == (before, choice)
    (found,) = error.value.diagnostics
    assert found.code == "RIT512"
    return found


def test_the_clauses_that_say_no(folder: Path) -> None:
    found = refused(table(), "rest", 1)
    assert found.message == "`rest(p: B)` cannot happen now: `may_rest.tired` does not hold"
    assert found.span is not None and found.span.quoted() == "may_rest(p)"
    assert [(r.message, r.span.quoted()) for r in found.related] == [
        ("`may_rest.tired` does not hold", "tired: health[p] < 7")
    ]


def test_the_patch_that_says_no(folder: Path) -> None:
    Path("house.yaml").write_text(
        "extends: ./my_game\nid: house\nrules: |\n"
        "  replace may_rest.tired: health[p] < 3\n  add may_rest.calm: target is none\n",
        encoding="utf-8",
    )
    message = refused(table("./house.yaml"), "rest", 0).message
    assert message.endswith("`may_rest.tired@house` does not hold and `may_rest.calm@house` does not hold")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (("swap", 1, 1), "`p != q` does not hold"),
        (("wait",), "`number of deck < 2` does not hold and `number of discard > 3` does not hold"),
        (("shout", 0), "`unheard(p)` does not hold"),
    ],
)
def test_conditions_of_every_form(folder: Path, call: tuple[str, int], why: str) -> None:
    assert refused(table(), *call).message.endswith(f"cannot happen now: {why}")


def test_what_is_negated_holds(folder: Path) -> None:
    run = table()
    run.state.cells[run.game.counters["health"].cell][1] = 5
    assert refused(run, "swap", 0, 1).message.endswith("`may_rest.tired` holds and `may_rest.armed` holds")
    run.interrupt("rest", (1,))
    assert run.state.cells[run.game.counters["health"].cell] == [7, 6]


def test_an_and_is_asked_only_as_far_as_it_matters(folder: Path) -> None:
    run = table()
    run.state.cells[run.game.variables["target"].cell] = None
    assert refused(run, "flee").message.endswith("`target is not none` does not hold")
    run.state.cells[run.game.variables["target"].cell] = 0
    run.state.cells[run.game.counters["health"].cell][0] = 1
    assert refused(run, "flee").message.endswith("`mild.dry` does not hold")


def test_what_is_started_must_be_allowed_too(folder: Path) -> None:
    with pytest.raises(RitualError, match="RIT512"):
        Run(load("./my_game"), ["A", "B"]).start("rest", (0,))


def test_a_step_may_call_it_at_any_time(folder: Path) -> None:
    Path("house.yaml").write_text(
        "extends: ./my_game\nid: house\nrules: |\n  before deal:\n    each p in players: rest(p)\n",
        encoding="utf-8",
    )
    assert table("./house.yaml").choice is not None


def test_a_terminal_lists_what_nothing_in_sight_rules_out(folder: Path) -> None:
    run = table()

    def listed(seat: int | None) -> list[str]:
        return [procedure.name for procedure in possible(run, seat)]

    before = run.state.work
    hidden = ["guess", "shake"]  # the omen, which nobody sees, and what the other fears
    assert listed(0) == ["swap", "flee", *hidden, "nod"]
    run.state.cells[run.game.counters["health"].cell][1] = 5
    assert listed(None) == ["rest", "swap", "flee", *hidden, "nod"]
    assert run.state.work == before


# ---- who may do it


@pytest.fixture
def acted(folder: Path) -> Run:
    (folder / "my_game" / "more.ritual").write_text(DOERS, encoding="utf-8")
    run = table()
    put(run, "target", None)
    return run


def put(run: Run, variable: str, value: object) -> None:
    run.state.cells[run.game.variables[variable].cell] = value


def kept_from(run: Run, seat: int, procedure: str, *args: int) -> tuple[str, str]:
    """The code and words with which a terminal refuses it, before anything happens; "" if it does not."""
    before = json.dumps(run.state.to_json())
    try:
        allow(run, run.game.procedures[procedure], args, frozenset({seat}))
    except RitualError as error:
        (found,) = error.diagnostics
        assert found.span is not None and not found.related
        return found.code, found.message
    finally:
        assert json.dumps(run.state.to_json()) == before
    return "", ""


def test_where_nobody_may_do_it_nobody_does(acted: Run) -> None:
    assert refused(acted, "lead").message == "`lead` cannot happen now, nobody may do it: `target` is none"
    assert refused(acted, "vote", 3).message == "`vote(v: 3)` cannot happen now, nobody may do it: `raised` is empty"
    assert refused(acted, "dare").message.endswith("`chosen` is none")
    put(acted, "target", 1)
    put(acted, "raised", frozenset({0}))
    for call in (("lead",), ("vote", 3), ("dare",)):
        acted.interrupt(call[0], call[1:])
    acted.state.cells[acted.game.counters["health"].cell][1] = 2
    assert refused(acted, "dare").message.endswith("`chosen` is none")


def test_what_is_started_needs_somebody_too_but_what_a_step_calls_does_not(acted: Run) -> None:
    with pytest.raises(RitualError, match="RIT512"):
        Run(acted.game, ["A", "B"]).start("lead")
    Run(acted.game, ["A", "B"]).start("free")


def test_it_is_for_whom_the_rules_name(acted: Run) -> None:
    put(acted, "target", 1)
    put(acted, "raised", frozenset({0, 1}))
    assert kept_from(acted, 0, "sing", 0) == kept_from(acted, 0, "vote", 3) == kept_from(acted, 1, "lead") == ("", "")
    assert kept_from(acted, 0, "sing", 1) == ("RIT509", "`sing(p: B)` is for B to do, not for A")
    assert kept_from(acted, 0, "lead") == ("RIT509", "`lead` is for B to do, not for A")
    acted = Run(acted.game, ["A", "B", "C"]).start()
    put(acted, "raised", frozenset({0, 2}))
    assert kept_from(acted, 1, "vote", 3)[1] == "`vote(v: 3)` is for A or C to do, not for B"


def test_who_may_not_do_it_learns_nothing_of_its_condition(acted: Run) -> None:
    put(acted, "target", 1)
    for omen in (0, 5):
        put(acted, "omen", omen)
        assert kept_from(acted, 0, "call") == ("RIT509", "`call` is for B to do, not for A")
        assert kept_from(acted, 1, "feel", 0) == ("RIT509", "`feel(p: A)` is for A to do, not for B")
        assert "call" not in [p.name for p in possible(acted, 0)] and "call" in [p.name for p in possible(acted, 1)]
    assert kept_from(acted, 1, "call") == ("", "")
    put(acted, "omen", 0)
    assert kept_from(acted, 1, "call") == ("RIT512", "`call` cannot happen now: why, depends on what B does not see")
    assert kept_from(acted, 1, "seek") == ("RIT512", "`seek` cannot happen now: why, depends on what B does not see")


def test_a_doer_who_is_hidden_stays_so(acted: Run) -> None:
    told = set()
    for spy in (None, 0, 1):
        put(acted, "spy", spy)
        told.add(kept_from(acted, 0, "hide"))
        assert "hide" not in [p.name for p in possible(acted, 0)]
    assert told == {("RIT509", "who may do `hide` depends on what A does not see")}


def test_a_terminal_lists_what_is_theirs(acted: Run) -> None:
    def listed(*seats: int) -> list[str]:
        return [p.name for p in possible(acted, frozenset(seats))]

    assert listed(0) == ["sing", "seek", "feel"]
    put(acted, "target", 0)
    put(acted, "raised", frozenset({1}))
    assert listed(0) == ["lead", "call", "dare", "seek", "feel"]  # A, at whom they look, may not sing
    assert listed(1) == ["sing", "vote", "seek", "feel"]
    assert listed(0, 1) == ["sing", "lead", "vote", "call", "dare", "seek", "feel"]
    assert [p.name for p in possible(acted, None)] == listed(0, 1)


def test_only_a_terminal_asks_who_does_it(acted: Run) -> None:
    session = Session(acted.game, ["A", "B"], 1, frozenset({0, 1}))
    assert session.run.choice is not None
    with pytest.raises(RitualError, match="RIT509"):
        session.interrupt("sing", ["B"], frozenset({0}))
    assert session.moves == []
    session.load_moves([{"do": {"sing": {"p": "B"}}}])
    session.interrupt("sing", ["B"], frozenset({1}))
    assert [what for _, what in session.history()] == [{"sing": {"p": "B"}}] * 2


def test_a_saved_refusal_does_not_load(folder: Path) -> None:
    session = Session(load("./my_game"), ["A", "B"], 1, frozenset({0, 1}))
    with pytest.raises(RitualError, match="RIT512"):
        session.interrupt("rest", ["A"])
    assert session.moves == []
    assert session.run.choice is not None
    with pytest.raises(RitualError, match="answer 1 of the saved game does not fit the rules: `rest"):
        session.load_moves([{"do": {"rest": {"p": "A"}}}])
    session.answer(session.run.choice.options[0])
    session.interrupt("rest", ["A"])
    assert session.history()[-1] == ("do", {"rest": {"p": "A"}})
