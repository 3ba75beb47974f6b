"""Shares: what is there once for each owner.

In: a cell with owners and the expression of an owner. Out: the owner's share in a state, or why there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.state import State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

if TYPE_CHECKING:
    from ritual_dsl.engine.evaluate import Evaluator, Function, Locals

Position = Callable[[State, list[Any]], int | None]


class Positions:
    """Where in a list of shares that of an owner is."""

    def __init__(self, game: Game, owner: Type) -> None:
        self.first = owner.low or 0
        self.table = {card: i for i, card in enumerate(game.owners(owner, 0))} if owner.kind == "card" else None
        self.are_seats = owner.kind in ("seat", "player")  # whose numbers are their positions

    def of(self, owner: Any, shares: list[Any], span: Span) -> int:
        if owner is None:
            raise fail("RIT504", "nobody is meant here: the value is absent", span)
        position = self.table[owner] if self.table is not None else owner - self.first
        if not 0 <= position < len(shares):
            raise fail("RIT504", f"there is no share for {owner} here", span)
        return int(position)


def share(cell: int, index: ir.Expr, evaluator: Evaluator, span: Span) -> Function:
    """What an owner has."""
    positions, at = evaluator.positions[cell], evaluator.build(index)
    if not positions.are_seats:
        return lambda s, x: (shares := s.cells[cell])[positions.of(at(s, x), shares, span)]
    if isinstance(index, ir.Local):
        return share_of_named(cell, index.slot, positions, span)

    def read(s: State, x: Locals) -> Any:
        seat = at(s, x)
        try:
            return s.cells[cell][seat]
        except (IndexError, TypeError):
            return s.cells[cell][positions.of(seat, s.cells[cell], span)]

    return read


def share_of_named(cell: int, slot: int, positions: Positions, span: Span) -> Function:
    """The share of a seat that has a name here."""

    def read(s: State, x: Locals) -> Any:
        try:
            return s.cells[cell][x[slot]]
        except (IndexError, TypeError):
            return s.cells[cell][positions.of(x[slot], s.cells[cell], span)]

    return read


def position(place: ir.Place, evaluator: Evaluator, span: Span) -> Position:
    """The position of the owner whose share is meant; None of what has no owners."""
    if place.index is None or place.cell is None:
        return nobody
    cell, positions, at = place.cell, evaluator.positions[place.cell], evaluator.build(place.index)
    return lambda s, x: positions.of(at(s, x), s.cells[cell], span)


def nobody(state: State, local: Locals) -> None:
    return None


def spread(shares: list[Any]) -> list[str]:
    """All pieces in the shares of a zone."""
    found: list[str] = []
    for share in shares:
        if isinstance(share, list):
            found += share
        elif share is not None:
            found.append(share)
    return found
