"""What every step needs: what is declared, who sees it, what has been touched, and the log.

In: a game, and whether anybody looks on. Out: a base for the steps of the machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.measures import Recorder
from ritual_dsl.engine.state import Event, State
from ritual_dsl.engine.trace import Trace
from ritual_dsl.engine.witness import Witness
from ritual_dsl.model.game import Game
from ritual_dsl.model.walk import watched_cells

NOBODY = frozenset[int]()


@dataclass
class Pinned:
    """Results of chance that are set beforehand, in order; behind them, chance decides."""

    shuffles: list[list[str]] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)


class Bookkeeper:
    def __init__(
        self,
        game: Game,
        trace: Trace | None = None,
        pinned: Pinned | None = None,
        witness: Witness | None = None,
        keeps_log: bool = True,
    ) -> None:
        self.game = game
        self.trace = trace
        self.pinned = pinned or Pinned()
        self.keeps_log = keeps_log
        self.evaluator = Evaluator(game, trace, witness)
        self.zones = {zone.cell: zone for zone in game.zones.values()}
        self.counters = {counter.cell: counter for counter in game.counters.values()}
        self.variables = {variable.cell: variable for variable in game.variables.values()}
        self.watches = [(p, watched_cells(p, game)) for p in game.procedures.values() if p.watch is not None]
        self.watched = frozenset[int]().union(*(cells for _, cells in self.watches))
        self.touched: set[int] = set()
        self.recorder: Recorder | None = None

    def touch(self, cell: int) -> None:
        """A cell has changed: what watches it is looked at before the next step."""
        if cell in self.watched:
            self.touched.add(cell)

    def audience(self, name: str, owner: int | None, state: State) -> frozenset[int]:
        """The players who see a zone or variable now."""
        everyone = frozenset(range(state.players))
        match name:
            case "everyone":
                return everyone
            case "nobody":
                return NOBODY
            case "owner":
                return everyone & {owner} if owner is not None else NOBODY
            case "everyone else":
                return everyone - {owner}
            case _:
                who = state.cells[self.game.variables[name].cell]
                return NOBODY if who is None else frozenset((who,))

    def note(
        self,
        state: State,
        kind: str,
        *public: Any,
        faces: tuple[str | None, ...] = (),
        seers: frozenset[int] = NOBODY,
    ) -> None:
        if self.keeps_log:
            state.log.append(Event(kind, public, faces, seers))
