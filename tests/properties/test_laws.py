"""Laws that hold in every game, whatever the deck, the table and the answers."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ritual_dsl import load
from ritual_dsl.engine import Run
from ritual_dsl.engine.bookkeeping import Pinned
from ritual_dsl.engine.state import Event, State
from ritual_dsl.model.game import Game

sys.path.insert(0, str(Path(__file__).parent))
from terminal import terminal

SLOTS = (
    ("magical_orb", "shining_trapezohedron"),
    ("investigator", "wary_student"),
    ("cultist", "mad_professor"),
    ("cthulhu", "nyarlathotep", "yog_sothoth", "hastur"),
)
DECKS = ["+".join(("arkham_ritual", *cards)) for cards in product(*SLOTS)]
VARIANTS = ("", "+doom_track", "+most_sanity_wins", "+doom_track+most_sanity_wins")
MOST_ANSWERS = 20_000

game_of: Callable[[str], Game] = lru_cache(maxsize=None)(load)
references = st.builds(str.__add__, st.sampled_from(DECKS), st.sampled_from(VARIANTS))
counts = st.integers(3, 7)
seeds = st.integers(0, 2**32 - 1)


def law(examples: int) -> Callable[[Any], Any]:
    checks = (HealthCheck.too_slow, HealthCheck.data_too_large)
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=checks)


def cards_of(game: Game, state: State) -> Counter[str]:
    """All cards on the table, wherever they lie."""
    found: Counter[str] = Counter()
    for zone in game.zones.values():
        cell = state.cells[zone.cell]
        for share in cell if zone.owner else [cell]:
            found.update(share if isinstance(share, list) else [share] if share is not None else [])
    return found


def check_table(game: Game, state: State) -> None:
    assert cards_of(game, state) == Counter(game.deck)
    sanity = state.cells[game.counters["sanity"].cell]
    assert len(sanity) == state.players
    assert all(0 <= points <= 7 for points in sanity)


def play_out(run: Run, check: Callable[[Game, State], None] | None = None) -> Run:
    """Answer at random until the game is over."""
    for _ in range(MOST_ANSWERS):
        if check is not None:
            check(run.game, run.state)
        if run.finished:
            return run
        run.answer(run.random_answer())
    raise AssertionError("the game does not end")


def saved(state: State) -> str:
    return json.dumps(state.to_json(), sort_keys=True)


# ---- cards and counters


@law(150)
@given(references, counts, seeds)
def test_cards_are_conserved_and_counters_stay_within_bounds(reference: str, players: int, seed: int) -> None:
    run = play_out(Run(game_of(reference), players, seed=seed).start(), check_table)
    assert 0 in run.state.cells[run.game.counters["sanity"].cell]
    assert set(run.winners()) <= set(run.names[:players])


def test_there_are_32_decks_of_22_cards() -> None:
    assert len(set(DECKS)) == 32
    decks = [Counter(game_of(reference).deck) for reference in DECKS]
    assert all(deck.total() == 22 for deck in decks)
    assert len({frozenset(deck.items()) for deck in decks}) == 32


@pytest.mark.parametrize("reference", DECKS)
def test_every_deck_plays_to_the_end_with_every_number_of_players(reference: str) -> None:
    for players in range(3, 8):
        run = Run(game_of(reference), players, seed=DECKS.index(reference), stream=players).start()
        assert play_out(run, check_table).finished


# ---- saving and replaying


@law(100)
@given(references, counts, seeds, st.integers(0, 60))
def test_a_loaded_game_goes_on_like_the_saved_one(reference: str, players: int, seed: int, pause: int) -> None:
    game = game_of(reference)
    original = Run(game, players, seed=seed).start()
    while not original.finished and len(original.answers) < pause:
        original.answer(original.random_answer())
    loaded = State.from_json(json.loads(json.dumps(original.state.to_json())))
    assert saved(loaded) == saved(original.state)
    for part in ("players", "seats", "cells", "ended", "frames", "log", "work"):
        assert getattr(loaded, part) == getattr(original.state, part), part
    assert loaded.chance.state == original.state.chance.state

    continued = Run(game, players, state=loaded).resume()
    assert continued.choice == original.choice
    done = len(original.answers)
    play_out(original)
    for answer in original.answers[done:]:
        continued.answer(answer)
    assert continued.finished
    assert continued.state.cells == original.state.cells
    assert continued.state.log == original.state.log
    assert continued.winners() == original.winners()
    assert saved(continued.state) == saved(original.state)


@law(100)
@given(references, counts, seeds, st.integers(0, 1000))
def test_seed_and_answers_give_the_same_game_to_the_byte(reference: str, players: int, seed: int, stream: int) -> None:
    game = game_of(reference)
    first = play_out(Run(game, players, seed=seed, stream=stream).start())
    again = Run(game, players, seed=seed, stream=stream).start()
    for answer in first.answers:
        again.answer(answer)
    assert saved(again.state).encode() == saved(first.state).encode()


# ---- what a player sees


class Prefix:
    """The start of a first round, up to the last choice at which a seat's own first card is still in its hand.

    It also stops before a Gate is discarded: a Great Old One in a hidden place would show itself then.
    """

    def __init__(self, game: Game, players: int, seat: int, pile: list[str], seed: int, longest: int) -> None:
        self.game, self.players, self.seat, self.pile = game, players, seat, pile
        run = Run(game, players, seed=seed, pinned=Pinned([list(pile)])).start()
        self.answers: list[Any] = []
        self.note(run)
        while not run.finished and len(self.answers) < longest:
            answer = run.random_answer()
            before = len(run.state.log)
            run.answer(answer)
            if any(self.over(event) for event in run.state.log[before:]):
                break
            self.answers.append(answer)
            self.note(run)

    def over(self, event: Event) -> bool:
        if event.kind in ("ended", "gathered"):
            return True
        if event.kind != "moved" or event.public[0] != "hand":
            return False
        return event.public[1] == self.seat or str(event.faces[0]).startswith("gate")

    def note(self, run: Run) -> None:
        zones = run.game.zones
        self.log = list(run.state.log)
        self.left = len(run.state.cells[zones["deck"].cell])
        self.offered = run.state.cells[zones["offer"].cell]
        self.active = run.state.cells[run.game.variables["active"].cell]

    def hidden_pairs(self) -> dict[str, tuple[int, int]]:
        """Places in the shuffled pile whose cards the seat has not seen and no rule has asked about."""
        drawn = len(self.pile) - self.left
        deep = [i for i in range(drawn + 1, len(self.pile))]  # the top may have been looked at
        pairs: dict[str, tuple[int, int]] = {}
        if len(deep) >= 2:
            pairs["two of the deck"] = (deep[0], deep[-1])
        if deep:
            pairs["own card"] = (self.seat, deep[0])
        looked = any(event.kind == "shown" for event in self.log)
        if deep and self.offered is not None and self.active != self.seat and not looked:
            assert self.pile[drawn - 1] == self.offered
            pairs["the offer"] = (drawn - 1, deep[-1])
        return {kind: (i, j) for kind, (i, j) in pairs.items() if self.pile[i] != self.pile[j]}

    def with_exchange(self, i: int, j: int) -> Run:
        pile = list(self.pile)
        pile[i], pile[j] = pile[j], pile[i]
        run = Run(self.game, self.players, pinned=Pinned([pile])).start()
        for answer in self.answers:
            run.answer(answer)
        return run


def observations(log: list[Event], seat: int) -> list[Any]:
    return [seen for seen in (event.seen_by(frozenset((seat,))) for event in log) if seen is not None]


def test_a_view_tells_nothing_about_hidden_cards() -> None:
    compared: Counter[str] = Counter()
    told_others: Counter[str] = Counter()
    lengths: Counter[int] = Counter()

    @law(150)
    @given(st.sampled_from(DECKS), counts, st.integers(0, 6), seeds, st.integers(1, 40))
    def check(reference: str, players: int, seat: int, seed: int, longest: int) -> None:
        game, seat = game_of(reference), seat % players
        pile = sorted(Counter(game.deck).elements())
        Random(seed).shuffle(pile)
        prefix = Prefix(game, players, seat, pile, seed, longest)
        alone = frozenset({seat})
        played = terminal(prefix.with_exchange(0, 0), alone)
        for kind, (i, j) in prefix.hidden_pairs().items():
            exchanged = prefix.with_exchange(i, j)
            assert terminal(exchanged, alone) == played, kind
            other = exchanged.state.log
            assert observations(other, seat) == observations(prefix.log, seat), kind
            compared[kind] += 1
            lengths[len(prefix.answers)] += 1
            others = [p for p in range(players) if p != seat]
            told_others[kind] += any(observations(other, p) != observations(prefix.log, p) for p in others)

    check()
    assert compared["own card"] >= 80, compared
    assert compared["two of the deck"] >= 80, compared
    assert compared["the offer"] >= 30, compared
    assert told_others["own card"] == compared["own card"]
    assert told_others["the offer"] == compared["the offer"]
    assert told_others["two of the deck"] == 0
    assert sum(n for length, n in lengths.items() if length >= 4) >= 60, lengths
