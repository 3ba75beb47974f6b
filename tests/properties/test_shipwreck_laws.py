"""Laws of The Shipwreck Arcana: what holds at every step of every game, with any players, difficulty and variant."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine import Run
from ritual_dsl.engine.state import State
from ritual_dsl.engine.views import observations, view
from ritual_dsl.model.game import Game

sys.path.insert(0, str(Path(__file__).parent))
from terminal import terminal

GAME = "shipwreck_arcana"
FATES = Counter({f"fate_{value}": 3 for value in range(1, 8)})
MOST_ANSWERS = 5_000

difficulties = st.sampled_from(("easy", "normal", "hard", "doomed"))
tables = st.one_of(
    st.tuples(st.builds(f"{GAME}+difficulty={{}}".format, difficulties), st.integers(2, 5)),
    st.tuples(st.builds(f"{GAME}+two_hands+difficulty={{}}".format, difficulties), st.just(2)),
)
seeds = st.integers(0, 2**32 - 1)
game_of: Callable[[str], Game] = cache(load)


def law(examples: int) -> Callable[[Any], Any]:
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


def pieces(run: Run, *names: str) -> Counter[str]:
    """What lies in these zones, whoever's it is."""
    found: Counter[str] = Counter()
    for zone in (run.game.zones[name] for name in names):
        cell = run.state.cells[zone.cell]
        for share in cell if zone.owner else [cell]:
            found.update(share if isinstance(share, list) else [share] if share is not None else [])
    return found


def number(run: Run, counter: str) -> int:
    return int(run.state.cells[run.game.counters[counter].cell])


def bold_answer(run: Run) -> Any:
    """A bot's answer; most of the time one that is right, where it is about the fate that was kept."""
    assert run.choice is not None
    if run.choice.label == "prediction" and run.bot.below(3):
        kept = run.ask("kept_value", ())
        return kept if kept in run.choice.options else run.random_answer()
    return run.random_answer()


class Turns:
    """What each turn of a game brought, told apart by the answers that play a fate."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.before = self.now()

    def now(self) -> tuple[int, int, int]:
        faded = sum(e.kind == "moved" and e.public[2] == "faded" for e in self.run.state.log)
        return number(self.run, "score"), number(self.run, "doom"), faded

    def check(self) -> None:
        score, doom, faded = (new - old for new, old in zip(self.now(), self.before, strict=True))
        assert 0 <= doom <= 3
        assert 0 <= score <= 1
        assert not (score and doom)
        assert 0 <= faded <= 1
        self.before = self.now()


def check_table(run: Run) -> None:
    fates = [name for name, zone in run.game.zones.items() if zone.piece]
    assert pieces(run, *fates) == FATES
    if not run.finished:
        assert pieces(run, "bag") and pieces(run, "deck")
    cards = [name for name, zone in run.game.zones.items() if not zone.piece]
    assert pieces(run, *cards).total() == 21


@law(15)
@given(tables, seeds)
def test_every_game_ends_and_keeps_its_laws(table: tuple[str, int], seed: int) -> None:
    run = Run(game_of(table[0]), table[1], seed=seed).start()
    active = run.state.cells[run.game.variables["active"].cell]
    turns = Turns(run)
    for _ in range(MOST_ANSWERS):
        check_table(run)
        now = run.state.cells[run.game.variables["active"].cell]
        if run.finished or now != active:
            active = now
            turns.check()
        if run.finished:
            break
        run.answer(bold_answer(run))
    assert run.finished
    ended = run.state.ended[run.game.main]
    assert (number(run, "score") == 7) == (ended == "won")
    assert (number(run, "doom") == 7) == (ended == "lost")
    assert run.winners() == (run.names[: table[1]] if ended == "won" else [])


INTERRUPTIONS = ("note", "reveal", "mistake", "repair", "leave", "join")


def interrupt(run: Run, name: str, seat: int, players: int) -> None:
    """What may happen at any time, or is refused without a trace."""
    args: dict[str, tuple[int, ...]] = {"note": ((seat + 1) % players, seat % players, seat + 1), "repair": ()}
    before, choice = saved(run.state), run.choice
    try:
        run.interrupt(name, args.get(name, (seat % players,)))
    except RitualError as error:
        run.state.work = json.loads(before)["work"]  # that its condition was asked is counted
        assert [d.code for d in error.diagnostics] == ["RIT512"]
        assert (saved(run.state), run.choice) == (before, choice)


readings = st.sampled_from((GAME, f"{GAME}+noticed_late=undone+leaving_now=once_played+showing_time=any_time"))
called = st.lists(st.tuples(st.sampled_from(INTERRUPTIONS), st.integers(0, 4)), max_size=30)


@law(12)
@given(readings, st.integers(2, 5), seeds, called)
def test_what_may_happen_at_any_time_breaks_no_law(
    reading: str, players: int, seed: int, calls: list[tuple[str, int]]
) -> None:
    run = Run(game_of(reading), players, seed=seed).start()
    waiting = list(calls)
    for _ in range(MOST_ANSWERS):
        check_table(run)
        if run.finished:
            return
        if waiting and run.bot.below(2):
            name, seat = waiting.pop()
            interrupt(run, name, seat, players)
        else:
            run.answer(bold_answer(run))
    raise AssertionError("the game does not end")


def saved(state: State) -> str:
    return json.dumps(state.to_json(), sort_keys=True)


@law(8)
@given(tables, seeds, st.integers(0, 40))
def test_saved_loaded_and_replayed_it_is_the_same_game(table: tuple[str, int], seed: int, pause: int) -> None:
    run = Run(game_of(table[0]), table[1], seed=seed).start()
    while not run.finished and len(run.answers) < pause:
        run.answer(run.random_answer())
    loaded = Run(game_of(table[0]), table[1], state=State.from_json(json.loads(saved(run.state)))).resume()
    assert loaded.choice == run.choice
    done = len(run.answers)
    while not run.finished:
        run.answer(run.random_answer())
    for answer in run.answers[done:]:
        loaded.answer(answer)
    again = Run(game_of(table[0]), table[1], seed=seed).start()
    for answer in run.answers:
        again.answer(answer)
    assert saved(loaded.state) == saved(run.state) == saved(again.state)


@law(8)
@given(tables, seeds, st.integers(1, 40))
def test_a_view_does_not_change_with_what_is_hidden(table: tuple[str, int], seed: int, length: int) -> None:
    """Fates in the bag, in the hands of others, and cards under the top of the deck change places."""
    run = Run(game_of(table[0]), table[1], seed=seed).start()
    while not run.finished and len(run.answers) < length:
        run.answer(run.random_answer())
    zones, cells = run.game.zones, run.state.cells
    everybody = frozenset(range(table[1]))
    for seats in (*(frozenset({p}) for p in everybody), *(everybody - {p} for p in everybody), everybody):
        before = shown(run, seats)
        kept = [cells[zones["kept"].cell][p] for p in everybody if seats != {p}]
        hidden = [cells[zones["bag"].cell], *kept]
        fates = [fate for pile in hidden for fate in pile]
        run.bot.shuffle(fates)
        for pile in hidden:
            pile[:] = [fates.pop() for _ in pile]
        below = cells[zones["deck"].cell][1:]
        run.bot.shuffle(below)
        cells[zones["deck"].cell][1:] = below
        assert shown(run, seats) == before


def shown(run: Run, seats: frozenset[int]) -> str:
    """As data and as text, the waiting question included where it is theirs."""
    return json.dumps([view(run, seats), observations(run, seats), terminal(run, seats)], default=sorted)
