"""Games played out to look into the rules: at random, and by players who always say the same.

In: a game and a number of players. Out: `Playouts`: how often loops went round, which choices were asked, who won,
and everything that went wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ritual_dsl.analysis.deals import Tell, silence
from ritual_dsl.diagnostics import Diagnostic, RitualError
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game
from ritual_dsl.model.walk import walk
from ritual_dsl.source import Span

GAMES = 1_000
MOST_ANSWERS = 4_000  # of one game; one that asks for more is taken not to end
MOST_HABITS = 32
MOST_WORK = 60_000_000  # questions of all games together; then fewer are played


@dataclass
class Rounds:
    """What was seen of one loop."""

    most: int = 0
    total: int = 0
    idle: int = 0  # rounds that left everything as it was that its `until` looks at


@dataclass
class Playouts:
    players: int
    games: int = 0
    habits: int = 0  # games of players who always say the same
    loops: dict[Span, Rounds] = field(default_factory=dict)
    asked: set[Span] = field(default_factory=set)  # choices that had two options or more
    wins: Counter[int] = field(default_factory=Counter)
    endless: list[str] = field(default_factory=list)  # how it was played
    faults: list[Diagnostic] = field(default_factory=list)
    work: int = 0


class Watching(Machine):
    """A machine that counts the rounds of loops."""

    def __init__(self, game: Game, seen: Playouts) -> None:
        super().__init__(game, keeps_log=False)
        self.seen = seen

    def count_round(self, statement: ir.Repeat, limit: int) -> Instruction:
        count = super().count_round(statement, limit)
        cells = watched(statement, self.game)
        last: dict[int, Any] = {}

        def run(state: State, frame: Frame) -> None:
            count(state, frame)
            rounds = self.seen.loops.setdefault(statement.span, Rounds())
            rounds.total += 1
            rounds.most = max(rounds.most, frame.local[statement.count])
            now = repr([state.cells[cell] for cell in cells]) + repr(state.ended)
            if cells and frame.local[statement.count] > 1 and last.get(id(state)) == now:
                rounds.idle += 1
            last.clear()
            last[id(state)] = now

        return run


def watched(statement: ir.Repeat, game: Game) -> list[int]:
    """What the condition of a loop reads."""
    found: set[int] = set()
    todo: list[object] = [statement.until]
    seen: set[str] = set()
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, ir.Read | ir.Spread):
                found.add(part.cell)
            elif isinstance(part, ir.CallRule) and part.rule not in seen:
                seen.add(part.rule)
                todo.append(game.rules[part.rule])
    return sorted(found)


def play_out(game: Game, players: int, games: int = GAMES, tell: Tell = silence) -> Playouts:
    seen = Playouts(players)
    machine = Watching(game, seen)
    for stream in range(games):
        if seen.work > MOST_WORK:
            break
        tell(f"{stream:,} of {games:,} games")
        run = new_run(machine, stream)
        seen.games += 1
        finish(run, seen, f"at random, game {stream}", {})
        if run.finished and game.winners is not None:
            seen.wins.update(p for p in range(players) if run.ask(game.winners, (p,)))
    for habit in habits(game):
        if seen.work > 2 * MOST_WORK:
            break
        seen.habits += 1
        words = ", ".join(f"`{label}`: the {'first' if at == 0 else 'last'}" for label, at in habit.items())
        finish(new_run(machine, seen.habits), seen, f"everybody always chooses {words}", habit)
    return seen


def new_run(machine: Watching, stream: int) -> Run:
    machine.forget()
    return Run(machine.game, machine.seen.players, seed=0, stream=stream, machine=machine)


def finish(run: Run, seen: Playouts, how: str, habit: dict[str, int]) -> None:
    try:
        run.start()
        while run.choice is not None:
            seen.asked.add(run.choice.span)
            if len(run.answers) >= MOST_ANSWERS:
                seen.endless.append(how)
                return
            run.answer(answer(run, run.choice, habit))
    except RitualError as error:
        if any(d.code in ("RIT502", "RIT503") for d in error.diagnostics):
            seen.endless.append(how)
        else:
            seen.faults += error.diagnostics
    finally:
        seen.work += run.state.work


def answer(run: Run, choice: Choice, habit: dict[str, int]) -> Any:
    """By habit, else at random; what the players choose together is the first, so that seats can be compared."""
    if choice.label in habit:
        return choice.options[habit[choice.label]]
    return choice.options[0] if choice.together else run.random_answer()


def habits(game: Game) -> Iterator[dict[str, int]]:
    """Every way to always choose the first or the last, label by label, as far as there are not too many."""
    labels = list(dict.fromkeys(c.label for p in game.procedures.values() for c in choices(p)))
    for number, picks in enumerate(product((0, -1), repeat=len(labels))):
        if number >= MOST_HABITS:
            return
        yield dict(zip(labels, picks, strict=True))


def choices(thing: object) -> Iterator[ir.Asked | ir.Choose]:
    for part in walk(thing):
        if isinstance(part, ir.Asked | ir.Choose):
            yield part
