"""The whole state of a game in play: what lies where, what runs, what chance is left.

In: changed by the machine. Out: saved, loaded, compared. Piles are lists with the top at index 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.engine.chance import Chance
from ritual_dsl.model.game import Game, Zone

Json = Any


@dataclass(slots=True)
class Frame:
    """A procedure that is running: where it is, and its local names."""

    procedure: str
    position: int
    local: list[Any]


@dataclass
class Event:
    """Something that happened, and who saw the faces in it."""

    kind: str
    public: tuple[Any, ...]
    faces: tuple[str | None, ...] = ()
    seers: frozenset[int] = frozenset()
    only: frozenset[int] | None = None  # who learns of it at all; None: everybody

    def seen_by(self, eyes: frozenset[int]) -> tuple[Any, ...] | None:
        """What all of these players have observed of it alike, or None if there was nothing to observe."""
        if self.only is not None and not eyes <= self.only:
            return None
        return (self.kind, *self.public, *(self.faces if eyes <= self.seers else (None,) * len(self.faces)))


@dataclass(slots=True)
class State:
    players: int
    seats: int
    cells: list[Any]
    chance: Chance
    ended: dict[str, str] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    log: list[Event] = field(default_factory=list)
    work: int = 0

    def to_json(self) -> Json:
        return {
            "players": self.players,
            "seats": self.seats,
            "cells": [encode(v) for v in self.cells],
            "chance": self.chance.state,
            "ended": dict(self.ended),
            "frames": [[f.procedure, f.position, [encode(v) for v in f.local]] for f in self.frames],
            "log": [[e.kind, encode(list(e.public)), list(e.faces), sorted(e.seers), encode(e.only)] for e in self.log],
            "work": self.work,
        }

    @classmethod
    def from_json(cls, data: Json) -> State:
        chance = Chance(0)
        chance.state = data["chance"]
        state = cls(data["players"], data["seats"], [decode(v) for v in data["cells"]], chance, dict(data["ended"]))
        state.frames = [Frame(p, i, [decode(v) for v in local]) for p, i, local in data["frames"]]
        state.log = [
            Event(kind, tuple(decode(public)), tuple(faces), frozenset(seers), decode(only))
            for kind, public, faces, seers, only in data["log"]
        ]
        state.work = data["work"]
        return state


def encode(value: Any) -> Json:
    if isinstance(value, frozenset):
        return {"set": sorted(value)}
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    return value


def decode(value: Json) -> Any:
    if isinstance(value, dict):
        return frozenset(value["set"]) if "set" in value else tuple(decode(v) for v in value["tuple"])
    if isinstance(value, list):
        return [decode(v) for v in value]
    return value


def start_state(game: Game, players: int, chance: Chance) -> State:
    """Before anything happens: all pieces in the pile that starts with them, in the order of the files."""
    cells: list[Any] = [None] * game.cells
    shares: list[Any]
    for zone in game.zones.values():
        shares = [None if zone.single else [] for _ in game.owners(zone.owner, players)]
        cells[zone.cell] = shares if zone.owner else None if zone.single else []
        if zone.filled:
            cells[zone.cell] = game.supply(zone.piece)
    for value in game.declarations:
        if not isinstance(value, Zone):
            shares = [value.starts for _ in game.owners(value.owner, players)]
            cells[value.cell] = shares if value.owner else value.starts
    return State(players, game.seats_for(players), cells, chance)
