"""A story told by somebody at the table: what lay there, what was done, and what worlds it leaves open.

In: made by `table` from a file. Out: played through by `dreamer`, move by move.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.undecided import Pools
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Game, Zone
from ritual_dsl.source import Span

Observation = tuple[Any, ...]
Place = tuple[int, int | None]  # a cell and the position of an owner
DECLINED = "none"  # what was said where something was declined
Named = tuple[str, int | None]  # a zone or variable and the position of an owner


@dataclass(frozen=True)
class Begun:
    """What was started first."""


@dataclass(frozen=True)
class Said:
    """An answer: who gave it, and the option, as scenario files write them."""

    who: str
    what: str
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Happened:
    """A procedure that happened in between."""

    procedure: str
    args: tuple[Any, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Declined:
    """The question that waits was declined, and nobody speaks of it."""


@dataclass(frozen=True)
class Over:
    """The story ends here: nothing that was seen is missing."""


Move = Begun | Said | Happened | Declined | Over


@dataclass(frozen=True)
class Objection:
    """Why a world is not the real one."""

    text: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class World:
    """One of the worlds they could be in, between two moves."""

    weight: Fraction
    state: State
    pools: Pools  # of what is undecided in it
    waiting: Choice | None
    seen: int = 0  # how much of what was really seen has been seen in it
    heard: tuple[int, ...] = ()  # how much of what was told, for each name
    doubts: frozenset[str] = frozenset()  # assumptions that do not hold in it
    observed: tuple[Observation, ...] = ()  # where somebody asks for it
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True)
class Table:
    """Where everything starts: the state, its unknown places, and the procedure that is run."""

    run: Run
    state: State
    unknown: tuple[tuple[Place, int], ...]  # and how many pieces lie there
    procedure: str | None
    args: tuple[Any, ...]
    eyes: frozenset[int]
    settled: dict[int, int]  # how many pieces on top of a pile are known
    truth: tuple[Observation, ...] | None  # what the eyes really saw, where that is known
    told: dict[Named, list[Any]] = field(default_factory=dict)  # values heard and faces seen, in order


@dataclass(frozen=True)
class Story:
    """A table and what was done on it."""

    table: Table
    history: tuple[Said | Happened, ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        return (Begun(), *self.history, Over())


def sees(run: Run, zone: Zone, owner: int | None, state: State, eyes: frozenset[int]) -> bool:
    return eyes <= run.machine.audience(zone.audience, owner, state)


def supply(game: Game, piece: str) -> Zone:
    return next(zone for zone in game.zones.values() if zone.filled and zone.piece == piece)
