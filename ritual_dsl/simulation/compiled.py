"""Batches played with flat code; single games that it leaves to the interpreter are played there.

In: flat code of a game. Out: the same sums as the interpreter's, only sooner.
"""

from __future__ import annotations

from collections.abc import Callable

from ritual_dsl.compiler.fast import FastProgram, available
from ritual_dsl.compiler.flat import DONE, FAILED, compile_game
from ritual_dsl.compiler.runtime import MaybeRejected, load
from ritual_dsl.diagnostics import Diagnostic, RitualError, fail
from ritual_dsl.model.game import Game
from ritual_dsl.simulation.batches import Interpreted, Sums
from ritual_dsl.simulation.series import Player

# So many games make up for compiling, even where nothing was kept on disk: at least, and for each line of flat code.
WORTH, WORTH_A_LINE = 50_000, 70
LARGEST_BATCH = 1_000_000  # so that no sum leaves 63 bits


UpTo = Callable[[int], Sums]  # the games of a batch before the one of that number


class Compiled:
    """Plays batches as plain Python."""

    engine = "compiled"

    def __init__(self, game: Game, players: int, seed: int) -> None:
        self.program = load(compile_game(game, players))
        self.interpreted = Interpreted(game, players, seed)
        self.seed = seed

    def play(self, first: int, count: int) -> Sums:
        program, sums = self.program, Sums(totals=[0] * self.program.flat.totals)
        left: list[int] = []
        for stream in range(first, first + count):
            program.seed(self.seed, stream)
            try:
                status = program.call()
            except MaybeRejected:
                status = FAILED
            if status == DONE:
                sums.games += 1
                continue
            program.clear()
            if status != FAILED:  # what it counted is in the totals already
                self.take(Sums())
                return self.interpreted.play(first, count)
            left.append(stream)
        self.take(sums)
        return finished_by_interpreter(sums, left, self.interpreted, lambda end: self.play(first, end - first))

    def take(self, sums: Sums) -> None:
        """The totals and decisions so far, and a clean start."""
        program = self.program
        sums.totals, sums.decisions = list(program.totals), program.counts[0]
        program.totals[:] = [0] * len(program.totals)
        program.counts[0] = 0


class Fast:
    """Plays batches as machine code."""

    engine = "numba"

    def __init__(self, game: Game, players: int, seed: int, notes: list[Diagnostic] | None = None) -> None:
        if not available():
            raise fail("RIT697", "machine code needs an extra", help="pip install 'ritual-dsl[fast]'")
        self.program = FastProgram(compile_game(game, players, "numba"), notes)
        self.interpreted = Interpreted(game, players, seed)
        self.seed = seed

    def play(self, first: int, count: int) -> Sums:
        sums = Sums(totals=[0] * self.program.size)
        for start in range(first, first + count, LARGEST_BATCH):
            part = self.part(start, min(LARGEST_BATCH, first + count - start))
            sums += part
            if part.fault is not None:
                break
        return sums

    def part(self, first: int, count: int) -> Sums:
        left: list[int] = []
        at, end = first, first + count
        while at < end:
            found = self.program.play(self.seed, at, end - at)
            if any(status != FAILED for _, status in found):
                self.program.take()
                return self.interpreted.play(first, count)
            left += [stream for stream, _ in found]
            at = found[-1][0] + 1 if len(found) * 2 == len(self.program.failed) else end
        totals, asked = self.program.take()
        sums = Sums(count - len(left), asked, totals)
        return finished_by_interpreter(sums, left, self.interpreted, lambda end: self.part(first, end - first))


def finished_by_interpreter(sums: Sums, left: list[int], interpreted: Interpreted, up_to: UpTo) -> Sums:
    """The games that flat code left out; where one cannot be played at all, only those before it count."""
    for stream in left:
        found = interpreted.play(stream, 1)
        if found.fault is not None:
            before = up_to(stream)
            before.fault = found.fault
            return before
        sums += found
    return sums


def is_worth_machine_code(game: Game, players: int, games: int) -> bool:
    if games < WORTH or not available():
        return False
    return games >= WORTH_A_LINE * compile_game(game, players, "numba").source.count("\n")


def best_player(
    game: Game, players: int, seed: int, engine: str, games: int, notes: list[Diagnostic]
) -> Player:
    """The engine asked for, or the quickest that is worth starting; the interpreter for what has no flat code."""
    if engine == "interpreter":
        return Interpreted(game, players, seed)
    try:
        if engine == "numba" or (engine == "auto" and is_worth_machine_code(game, players, games)):
            return Fast(game, players, seed, notes)
        return Compiled(game, players, seed)
    except RitualError as error:
        if any(d.code != "RIT702" for d in error.diagnostics):
            raise
        reason = error.diagnostics[0]
        message = f"{game.reference} is played by the interpreter: {reason.message}"
        notes.append(Diagnostic("RIT703", message, reason.span))
        return Interpreted(game, players, seed)

