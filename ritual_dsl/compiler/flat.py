"""A game as one flat function: everything chosen is baked in.

In: a checked game and a number of players. Out: `Flat`: the source text, and what is needed to run it and to
read its records. The text holds numbers and names made here. What a user wrote stands at most in its comments, from
which all but plain letters were taken, and those are for readers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from ritual_dsl.compiler.choices import Choices
from ritual_dsl.compiler.codes import Codes, unsupported
from ritual_dsl.compiler.counting import Counting
from ritual_dsl.compiler.expressions import Expressions
from ritual_dsl.compiler.flow import Flow
from ritual_dsl.compiler.lines import Lines, clean, without_comments
from ritual_dsl.compiler.record import Recording, Site
from ritual_dsl.compiler.rules import Rules
from ritual_dsl.compiler.statements import Statements
from ritual_dsl.compiler.tables import Tables
from ritual_dsl.compiler.work import Work
from ritual_dsl.engine.evaluate import WORK_LIMIT
from ritual_dsl.engine.measures import ROW
from ritual_dsl.model.game import Game

FORMS = {  # who decides, and what the function is given for it
    "python": ("bot",),  # a bot whose draws come from an iterator
    "numba": (),  # a bot whose chance is worked out within
    "ask": ("ask",),  # a caller
}
DONE, FAILED, TOO_LARGE = 0, 1, 2  # what the function returns
SHARED = ("rng", "w", "g", "rows", "totals", "counts", "log")  # what the function of every form is given
POPCOUNT = """

def popcount(x):
    n = 0
    while x:
        x &= x - 1
        n += 1
    return n
"""


@dataclass(frozen=True)
class Flat:
    source: str  # what is run: without comments
    shown: str  # with comments: what each part comes from, and what the names stand for
    codes: Codes
    arrays: dict[str, list[int]]  # in the order of the function's parameters
    sites: tuple[Site, ...]
    work: int
    rows: int

    @property
    def totals(self) -> int:
        return self.rows * ROW


def compile_game(game: Game, players: int, form: str = "python", record: bool = False, measures: bool = True) -> Flat:
    """The flat function of a game; raises RIT702 for what has none."""
    try:
        return _Unit(game, players, form, record, measures).flat()
    except RecursionError as error:
        raise unsupported("rules nested this deep") from error


class _Unit:
    def __init__(self, game: Game, players: int, form: str, record: bool, measures: bool) -> None:
        self.game = game
        self.form = form
        self.codes = Codes(game, players)
        self.lines = Lines(slices=form != "numba")
        self.tables = Tables(self.codes)
        self.expressions = Expressions(self.codes, self.lines, self.tables, self.running)
        rules = Rules(self.codes, self.lines, self.tables, self.expressions)
        self.counting = Counting(self.codes, self.expressions, measures)
        self.recording = Recording(self.codes, self.lines, self.tables, record)
        self.work = Work(self.codes, self.tables)
        self.statements = Statements(
            self.codes, self.lines, self.expressions, rules, self.recording, self.counting, self.work
        )
        Choices(self.statements, self.expressions, self.recording, form)
        self.flow = Flow(self.lines, self.statements, self.counting)

    def running(self) -> list[str]:
        return self.flow.running()

    def flat(self) -> Flat:
        main = self.game.procedures[self.game.main]
        if main.params:
            raise unsupported("a game that needs inputs", main.span)
        exits = self.flow.run(main, [])
        del exits  # wherever control was on its way to, the game is over
        self.lines.fail_if(f"work > {WORK_LIMIT}")
        if self.form == "numba":  # in a shuffle there was a draw that might not be used
            self.lines.fail_if("rng[2] != 0")
        self.counting.finish()
        self.recording.last()
        if self.form != "python":
            self.lines.emit("counts[0] += asked")
        self.lines.emit("return done")
        body = self.lines.text()
        self.lines.out = []
        self.start()
        names = [*FORMS[self.form], *SHARED, *self.tables.arrays]
        head = [
            f"# {clean(self.game.reference)}, {self.codes.players} players",
            f"FAILED = {FAILED}",
            f"TOO_LARGE = {TOO_LARGE}",
        ]
        head[1:1] = self.legend()
        for name, values in sorted(self.tables.constants.items()):
            head += [f"# {clean(self.tables.meanings[name])}", f"{name} = table({values!r})"]
        head += self.starts()
        shown = "\n".join(head) + POPCOUNT + f"\n\ndef game({', '.join(names)}):\n" + self.lines.text() + body
        if self.form == "numba":
            shown = shown.replace("def popcount", "@jit\ndef popcount").replace("def game", "@jit\ndef game")
        return Flat(
            without_comments(shown),
            shown,
            self.codes,
            {name: list(values) for name, values in self.tables.arrays.items()},
            tuple(self.recording.sites),
            self.tables.work + 1,
            self.counting.size,
        )

    def legend(self) -> list[str]:
        """What the names of cells and the numbers of cards stand for."""
        cells = [f"{self.tables.cell(declared)} {declared.name}" for declared in self.game.declarations]
        cards = [f"{number} {name}" for number, name in enumerate(self.codes.card_names)]
        procedures = [f"{name} {self.game.procedures[p].name}" for p, name in self.tables.endings.items()]
        parts = {"cells": cells, "how it ended": procedures, "cards": cards}
        text = "\n".join(wrapped for what, words in parts.items() for wrapped in listed(what, words))
        return [f"# {clean(line)}" for line in text.splitlines()]

    def starts(self) -> list[str]:
        """What the arrays start as."""
        parts = {name: self.tables.arrays[name][first:end] for name, (first, end) in self.tables.starts.items()}
        return [f"S_{name} = table({tuple(values)!r})" for name, values in parts.items() if values]

    def start(self) -> None:
        """The state before anything happens."""
        emit = self.lines.emit
        for name, (first, end) in self.tables.starts.items():
            if first < end:
                self.lines.copy(name, str(first), f"S_{name}", "0", str(end - first))
        for name, value in self.tables.scalars.items():
            emit(f"{name} = {value}")
        emit("out = 0")
        emit("done = 0")
        emit("touched = 0")
        emit(f"work = {self.work.called(self.game.main)}")
        if self.form != "python":
            emit("asked = 0")
        if self.form == "numba":
            emit("bot = rng[1]")
        if self.recording.on:
            emit("at = 0")
        self.counting.start()


def listed(what: str, words: list[str]) -> list[str]:
    return wrap(f"{what}: {', '.join(words)}", 110, subsequent_indent="  ") if words else []


__all__ = ["DONE", "FAILED", "FORMS", "SHARED", "TOO_LARGE", "Flat", "compile_game"]
