"""A story told by somebody at the table: what lay there, what was done, and what worlds it leaves open.

In: made by `table` from a file. Out: dreamed through by `dreamer`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Game, Zone

Observation = tuple[Any, ...]
Place = tuple[int, int | None]  # a cell and the position of an owner


@dataclass(frozen=True)
class Said:
    """An answer: who gave it, and the option, as scenario files write them."""

    who: str
    what: str


@dataclass(frozen=True)
class Happened:
    """A procedure that happened in between."""

    procedure: str
    args: tuple[Any, ...]


Move = Said | Happened


@dataclass(frozen=True)
class Objection:
    """Why a world is not the real one."""

    text: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class World:
    weight: Fraction
    state: State
    objections: tuple[Objection, ...]
    doubts: frozenset[str]  # assumptions that do not hold in it
    observed: tuple[Observation, ...]
    waiting: Choice | None
    script: tuple[int, ...]


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
    closed: bool  # whether they saw nothing else
    told: dict[str, list[Any]] = field(default_factory=dict)  # what public variables were set to


def sees(run: Run, zone: Zone, owner: int | None, state: State, eyes: frozenset[int]) -> bool:
    return eyes <= run.machine.audience(zone.audience, owner, state)


def hidden_piles(table: Table) -> frozenset[int]:
    """Piles without owner whose order is open to the eyes."""
    zones = [z for z in table.run.game.zones.values() if not z.single and z.owner is None]
    return frozenset(z.cell for z in zones if not sees(table.run, z, None, table.state, table.eyes))


def supply(game: Game, piece: str) -> Zone:
    return next(zone for zone in game.zones.values() if zone.filled and zone.piece == piece)
