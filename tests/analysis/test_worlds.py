"""Deduction against all worlds written down one by one, and against the truth, in a game small enough for it."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ritual_dsl
from ritual_dsl.analysis.deduce import deduce
from ritual_dsl.analysis.onlooker import seen_at
from ritual_dsl.analysis.places import hidden, is_plain
from ritual_dsl.analysis.story import Happened, Named, Observation, Story, Table
from ritual_dsl.analysis.table import read_story
from ritual_dsl.engine.choices import Choice, Question
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import Event, Frame, State
from ritual_dsl.engine.views import observations
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Zone
from ritual_dsl.source import Span

SMALL = Path(__file__).parent / "hidden_game"
Values = dict[str, dict[str, Fraction]]  # by place


@lru_cache
def small_game(top_seen: bool, folder: Path) -> Game:
    copy = folder / f"game_{top_seen}"
    shutil.copytree(SMALL, copy)
    rules = copy / "rules.ritual"
    if top_seen:
        text = rules.read_text(encoding="utf-8")
        rules.write_text(
            text.replace("face down, starts with all cards", "face down, top seen by everyone, starts with all cards")
        )
    return ritual_dsl.load(str(copy))


class Refuted(Exception):
    """Something in this world is not as it was."""


class Lot(Machine):
    """A machine that plays one world: chance is a list of numbers, every piece is what it is from the start."""

    def __init__(self, game: Game, script: list[int]) -> None:
        super().__init__(game)
        self.script, self.sizes = script, list[int]()

    def number(self, size: int) -> int:
        if size > 1:
            if len(self.sizes) == len(self.script):
                self.script.append(0)
            self.sizes.append(size)
            return self.script[len(self.sizes) - 1]
        return 0

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        return self.number(len(pile))

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        zone, _ = self.spot(statement.place, statement.span)

        def run(state: State, frame: Frame) -> None:
            pile = state.cells[zone.cell]
            pile[:] = [pile.pop(self.number(len(pile))) for _ in range(len(pile))]
            self.note(state, "shuffled", zone.name, None)
            self.note_top(state, zone)

        return run

    def pose(self, question: Question, state: State, frame: Frame, choice: Choice) -> None:
        frame.position -= 1
        self.choice = choice
        if len(choice.options) > 1:
            state.log.append(Event("asked", (choice.label, choice.who, choice.options), only=frozenset(choice.who)))


def world(story: Story, script: list[int], sizes: list[int]) -> Iterator[tuple[Run, Fraction]]:
    """The world of a script, if it agrees with the story; how likely it is."""
    table = story.table
    machine = Lot(table.run.game, script)
    run = Run(table.run.game, table.run.state.players, machine=machine)
    machine.sizes = sizes
    run.start()
    weight = Fraction(1)
    for move in story.history:
        if run.choice is None or not agrees(run, table):
            return
        if isinstance(move, Happened):
            run.interrupt(move.procedure, move.args)
            continue
        options = {run.show(option, run.choice.type): option for option in run.choice.options}
        if run.who(run.choice) != move.who or move.what not in options:
            return
        weight *= alike(run, options[move.what])
        run.answer(options[move.what])
    if agrees(run, table, over=True):
        for size in sizes:
            weight /= size
        yield run, weight


def agrees(run: Run, table: Table, over: bool = False) -> bool:
    """Whether what was seen so far is what was really seen, or what was told of it."""
    seen = observations(run, table.eyes)
    if table.truth is not None:
        return seen == table.truth[: None if over else len(seen)]
    for place, wanted in table.told.items():
        found = told_of(place, seen)[: len(wanted)]
        if found != wanted[: None if over else len(found)]:
            return False
    return True


def told_of(place: Named, seen: Iterable[Observation]) -> list[Any]:
    """Every value or face that was seen of a place, in order."""
    return [one[-1] for one in seen if seen_at(one) == place and one[-1] is not None]


def alike(run: Run, option: Any) -> int:
    """Pieces of one face are one option, and each of them could have been meant."""
    frame = run.state.frames[-1]
    node = run.machine.code(frame.procedure).questions[frame.position].node
    if isinstance(node, ir.Choose):
        return 1
    return max(1, list(run.machine.evaluator.members(node.group)(run.state, frame.local)).count(option))


def by_hand(story: Story) -> Values:
    """Every hidden place in every world, one world after the other."""
    found: Values = {}
    script: list[int] = []
    while True:
        sizes: list[int] = []
        for run, weight in world(story, script, sizes):
            for place, values in hidden(run, run.state, {}, story.table.eyes):
                for value, chance in values:
                    found.setdefault(place, defaultdict(Fraction))[value] += weight * chance
        del script[len(sizes) :]
        while script and script[-1] + 1 == sizes[len(script) - 1]:
            script.pop()
        if not script:
            break
        script[-1] += 1
    return {
        place: {value: weight / sum(values.values()) for value, weight in values.items()}
        for place, values in found.items()
        if not is_plain(story.table.run, place, values)
    }


def played(game: Game, seed: int, length: int, folder: Path) -> Path:
    """A game as bots play it, written down."""
    run, said = Run(game, 2, seed=seed).start(), list[dict[str, str]]()
    while run.choice is not None and len(said) < length:
        option = run.random_answer()
        said.append({run.who(run.choice): run.show(option, run.choice.type)})
        run.answer(option)
    path = folder / "story.yaml"
    path.write_text(json.dumps({"players": 2, "seed": seed, "do": game.main, "choices": said}), encoding="utf-8")
    return path


@pytest.mark.parametrize(("examples", "longest"), [(4, 3), pytest.param(80, 6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("top_seen", [False, True])
def test_as_if_all_worlds_were_written_down(
    top_seen: bool, examples: int, longest: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("hidden")
    game = small_game(top_seen, folder)

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    @given(st.integers(0, 10**6), st.integers(1, longest), st.sampled_from(["A", "B", None]))
    def check(seed: int, length: int, viewer: str | None) -> None:
        story = read_story(game, played(game, seed, length, folder), viewer)
        found = deduce(story, ())
        assert {place.name: place.sound for place in found.hidden} == by_hand(story)

    check()


@pytest.mark.parametrize(("examples", "longest"), [(4, 3), pytest.param(80, 6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("top_seen", [False, True])
def test_what_is_told_of_a_game(
    top_seen: bool, examples: int, longest: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Only the answers and some of what was seen are told."""
    folder = tmp_path_factory.mktemp("told")
    game = small_game(top_seen, folder)

    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    @given(
        st.integers(0, 10**6),
        st.integers(1, longest),
        st.sampled_from("AB"),
        st.sets(st.sampled_from(["heavy", "open"])),
    )
    def check(seed: int, length: int, viewer: str, names: set[str]) -> None:
        real = read_story(game, played(game, seed, length, folder), viewer)
        told = {(name, None): told_of((name, None), real.table.truth or ()) for name in names}
        story = replace(real, table=replace(real.table, truth=None, told=told, settled={}))
        found = deduce(story, ())
        assert {place.name: place.sound for place in found.hidden} == by_hand(story)

    check()
