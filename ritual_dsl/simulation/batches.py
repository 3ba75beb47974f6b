"""Batches: the smallest unit of work, the same wherever it runs.

In: a game, a number of players, a seed, and the numbers of the games to play. Out: exact sums.
Game number i draws from stream i of the seed, so the figures do not depend on who plays which batch.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ritual_dsl.diagnostics import Diagnostic, RitualError
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.measures import Recorder
from ritual_dsl.engine.run import Run
from ritual_dsl.model.game import Game


@dataclass(frozen=True, order=True)
class Batch:
    """Games first … first + count - 1 of one series."""

    series: int
    first: int
    count: int


@dataclass
class Sums:
    """What a number of games add up to."""

    games: int = 0
    decisions: int = 0
    totals: list[int] = field(default_factory=list)
    fault: tuple[int, tuple[Diagnostic, ...]] | None = None  # the first game that could not be played, and why

    def __iadd__(self, other: Sums) -> Sums:
        self.games += other.games
        self.decisions += other.decisions
        self.totals = [a + b for a, b in zip(self.totals, other.totals, strict=True)] if self.totals else other.totals
        if other.fault is not None and (self.fault is None or other.fault[0] < self.fault[0]):
            self.fault = other.fault
        return self


class Interpreted:
    """Plays batches with the interpreter."""

    engine = "interpreter"

    def __init__(self, game: Game, players: int, seed: int) -> None:
        self.game = game
        self.players = players
        self.seed = seed

    def play(self, first: int, count: int) -> Sums:
        sums = Sums()
        machine = Machine(self.game, keeps_log=False)  # nobody looks at it
        recorder = machine.recorder = Recorder(self.game, self.players, machine.evaluator)
        for stream in range(first, first + count):
            run = Run(self.game, self.players, seed=self.seed, stream=stream, machine=machine)
            decisions = 0
            try:
                run.start()
                while not run.finished:
                    run.answer(run.random_answer())
                    decisions += 1
                recorder.finish_game()
            except RitualError as error:
                sums.fault = (stream, error.diagnostics)
                break
            sums.games += 1
            sums.decisions += decisions
            machine.forget()
        sums.totals = recorder.totals
        return sums
