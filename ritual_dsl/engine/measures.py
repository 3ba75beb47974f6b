"""Measures: samples taken while games run, added up exactly.

In: the measures a game declares, and what the machine reports: a procedure begins or ends, a counter
changes. Out: `totals`, whole numbers only, so that the sums of several batches can be added in any
order. A measure has one row for each key, and a last one for all keys together; a row is six sums
over games, from which means and their intervals follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Measure
from ritual_dsl.model.types import Type

ROW = 6  # samples, their sum, then over games: samples², samples * sum, sum²; and the sum of squared samples
MOST_RUNS = 40  # a key `runs of …` beyond this counts as this
LARGEST_SUM = 1_000_000  # of one game


@dataclass(frozen=True)
class Rows:
    """Where a measure's sums stand, and what its keys are called."""

    measure: Measure
    offset: int
    keys: tuple[Any, ...]  # values; an absent key comes last
    names: tuple[str, ...]

    @property
    def all_keys(self) -> int:
        """The row of all keys together."""
        return len(self.names)

    @property
    def size(self) -> int:
        return (len(self.names) + 1) * ROW


def layout(game: Game, players: int) -> list[Rows]:
    """The rows of every measure, one after the other."""
    found: list[Rows] = []
    offset = 0
    for measure in game.measures.values():
        keys, names = domain(game, measure, players)
        found.append(Rows(measure, offset, keys, names))
        offset += found[-1].size
    return found


def domain(game: Game, measure: Measure, players: int) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """All values the key of a measure can have, and their names."""
    key = measure.key
    if key is None:
        return (None,), ("",)
    if isinstance(key, ir.Amount):
        return tuple(range(MOST_RUNS + 1)), (*(str(i) for i in range(MOST_RUNS)), f"{MOST_RUNS} or more")
    if measure.start is not None:
        places = players if key.type.kind == "player" else game.seats_for(players)
        return (*range(places), None), (*(str(i + 1) for i in range(places)), "none")
    values = values_of(game, key.type, players)
    return (*values, None), (*(name_of(value, key.type, players) for value in values), "none")


def values_of(game: Game, type: Type, players: int) -> tuple[Any, ...]:
    match type.kind:
        case "truth":
            return (False, True)
        case "card":
            return tuple(game.cards)
        case "seat" | "player":
            return tuple(range(players if type.kind == "player" else game.seats_for(players)))
        case "number":
            return tuple(range(type.low or 0, (type.high or 0) + 1))
        case _:
            return game.values_of(type)


def name_of(value: Any, type: Type, players: int) -> str:
    if type.kind == "truth":
        return "yes" if value else "no"
    if type.kind in ("seat", "player"):
        return f"player {value + 1}" if value < players else f"dummy {value - players + 1}"
    return str(value)


class Recorder:
    """Takes the samples of one game after the other."""

    def __init__(self, game: Game, players: int, evaluator: Evaluator) -> None:
        self.rows = layout(game, players)
        self.players = players
        self.evaluator = evaluator
        self.totals = [0] * sum(rows.size for rows in self.rows)
        self.by_procedure: dict[str, list[Callable[[State], None]]] = {}
        for rows in self.rows:
            self.by_procedure.setdefault(rows.measure.procedure, []).append(self.sampler(rows))
        self.watched = {t for rows in self.rows for t in amounts(rows.measure)}
        self.counts: dict[tuple[str, str | int], int] = {}
        self.begun: dict[str, dict[tuple[str, str | int], int]] = {}
        self.game: dict[int, list[int]] = {}

    # ---- what the machine reports

    def entered(self, procedure: str) -> None:
        if procedure in self.by_procedure:
            self.begun[procedure] = dict(self.counts)
        self.count(("runs", procedure), 1)

    def changed(self, cell: int, delta: int) -> None:
        self.count(("gains" if delta > 0 else "losses", cell), abs(delta))

    def count(self, what: tuple[str, str | int], amount: int) -> None:
        if what in self.watched:
            self.counts[what] = self.counts.get(what, 0) + amount

    def leaving(self, state: State, frame: Frame) -> None:
        for sample in self.by_procedure.get(frame.procedure, ()):
            sample(state)

    # ---- samples

    def sampler(self, rows: Rows) -> Callable[[State], None]:
        measure, evaluator = rows.measure, self.evaluator
        members = evaluator.members(measure.group) if measure.group is not None else None
        condition = evaluator.build(measure.condition) if measure.condition is not None else None
        value = self.reader(measure.value, measure)
        key = self.reader(measure.key, measure)
        start = evaluator.build(measure.start) if measure.start is not None else None
        at = {k: i for i, k in enumerate(rows.keys)}
        base = rows.offset // ROW

        def sample(state: State) -> None:
            local: list[Any] = [None] * measure.slots
            for member in members(state, local) if members is not None else (None,):
                if measure.slot is not None:
                    local[measure.slot] = member
                if condition is not None and not condition(state, local):
                    continue
                found = key(state, local)
                if isinstance(measure.key, ir.Amount):
                    found = min(found, MOST_RUNS)
                elif start is not None and found is not None:
                    origin = start(state, local)
                    places = len(rows.keys) - 1
                    found = None if origin is None or found >= places else (found - origin) % places
                if measure.value is None:
                    self.add(base + rows.all_keys, 0)
                self.add(base + at[found], 1 if measure.value is None else int(value(state, local) or 0))

        return sample

    def reader(self, what: ir.Expr | ir.Amount | None, measure: Measure) -> Callable[[State, list[Any]], Any]:
        if what is None:
            return lambda s, x: None
        if not isinstance(what, ir.Amount):
            return self.evaluator.build(what)
        name, procedure = amount_name(what), measure.procedure
        if name == ("runs", procedure):  # of the measured procedure itself: how many there were so far
            return lambda s, x: self.counts.get(name, 0)
        return lambda s, x: self.counts.get(name, 0) - self.begun[procedure].get(name, 0)

    def add(self, row: int, value: int) -> None:
        sums = self.game.setdefault(row, [0, 0, 0])
        sums[0] += 1
        sums[1] += value
        sums[2] += value * value

    def finish_game(self) -> None:
        """Add the samples of a game to the totals."""
        sums: dict[int, tuple[int, int, int]] = {}
        for rows in self.rows:
            base = rows.offset // ROW
            together = self.game.get(base + rows.all_keys)
            for row in range(base, base + rows.all_keys + 1):
                if row in self.game:
                    samples, total, squares = self.game[row]
                    sums[row] = together[0] if together is not None else samples, total, squares
                    if max(sums[row]) > LARGEST_SUM:
                        raise fail("RIT692", f"`{rows.measure.name}` grows too large in one game", rows.measure.span)
        for row, (samples, total, squares) in sums.items():
            self.fold(row * ROW, samples, total, squares)
        self.forget_game()

    def forget_game(self) -> None:
        self.game, self.counts, self.begun = {}, {}, {}

    def fold(self, at: int, samples: int, total: int, squares: int) -> None:
        sums = (samples, total, samples * samples, samples * total, total * total, squares)
        for i, value in enumerate(sums):
            self.totals[at + i] += value


def amounts(measure: Measure) -> list[tuple[str, str | int]]:
    return [amount_name(t) for t in (measure.value, measure.key) if isinstance(t, ir.Amount)]


def amount_name(amount: ir.Amount) -> tuple[str, str | int]:
    if amount.procedure is not None:
        return amount.kind, amount.procedure
    assert amount.cell is not None
    return amount.kind, amount.cell
