"""Steps with cards and other pieces: they move, are shuffled, and are shown.

In: resolved steps. Out: instructions. What seers see of them is in the log.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.bookkeeping import Bookkeeper
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.shares import Position, position
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Zone
from ritual_dsl.source import Span

Which = Callable[[list[str]], int]
Carry = Callable[[State, int | None, int | None, Which], None]


class CardSteps(Bookkeeper):
    def spot(self, place: ir.Place, span: Span) -> tuple[Zone, Position]:
        """A zone, and whose share of it is meant."""
        assert place.cell is not None
        return self.zones[place.cell], position(place, self.evaluator, span)

    def take(self, zone: Zone, owner: int | None, state: State, span: Span, which: Which) -> str:
        """One piece out of a zone: of a pile, the one that `which` points at."""
        cells, cell = state.cells, zone.cell
        held: Any = cells[cell] if owner is None else cells[cell][owner]
        if cell in self.watched:
            self.touched.add(cell)
        if not zone.single:
            if not held:
                raise fail("RIT506", f"`{zone.name}` is empty", span)
            piece: str = held.pop(which(held))
            return piece
        if held is None:
            raise fail("RIT506", f"there is no card in `{zone.name}`", span)
        if owner is None:
            cells[cell] = None
        else:
            cells[cell][owner] = None
        card: str = held
        return card

    def put(self, card: str, zone: Zone, owner: int | None, state: State, span: Span, bottom: bool) -> None:
        cells, cell = state.cells, zone.cell
        held: Any = cells[cell] if owner is None else cells[cell][owner]
        if cell in self.watched:
            self.touched.add(cell)
        if not zone.single:
            held.insert(len(held) if bottom else 0, card)
        elif held is not None:
            raise fail("RIT506", f"`{zone.name}` holds one card, and there is one already", span)
        elif owner is None:
            cells[cell] = card
        else:
            cells[cell][owner] = card

    # ---- moving

    def move(self, statement: ir.Move) -> Instruction:
        if statement.kind == "all":
            return self.gather(statement)
        assert statement.source is not None
        span = statement.span
        source, giver = self.spot(statement.source, span)
        to, taker = self.spot(statement.to, span)
        carry = self.carrier(source, to, statement)
        if statement.kind == "all_of":
            return move_all(source, giver, taker, carry)
        if statement.piece is not None:
            piece = self.evaluator.build(statement.piece)

            def move_piece(state: State, frame: Frame) -> None:
                local = frame.local
                owner, to_owner = giver(state, local), taker(state, local)
                carry(state, owner, to_owner, Certain(piece(state, local), source, span))

            return move_piece
        if statement.kind == "random":

            def move_any(state: State, frame: Frame) -> None:
                local = frame.local
                which: Which = lambda pile: self.draw(pile, source, state, span)  # noqa: E731
                carry(state, giver(state, local), taker(state, local), which)

            return move_any

        def move_top(state: State, frame: Frame) -> None:
            local = frame.local
            carry(state, giver(state, local), taker(state, local), top_of)

        return move_top

    def carrier(self, source: Zone, to: Zone, statement: ir.Move) -> Carry:
        """One piece from here to there."""
        span, bottom = statement.span, statement.bottom

        def carry(state: State, owner: int | None, to_owner: int | None, which: Which) -> None:
            self.put(self.take(source, owner, state, span, which), to, to_owner, state, span, bottom)

        def carry_and_tell(state: State, owner: int | None, to_owner: int | None, which: Which) -> None:
            seers = self.audience(source.audience, owner, state)
            if source.top_audience is not None and which is top_of:
                seers |= self.audience(source.top_audience, None, state)
            before = state.cells[source.cell][:1] if source.top_audience is not None else None
            card = self.take(source, owner, state, span, which)
            self.put(card, to, to_owner, state, span, bottom)
            seers |= self.audience(to.audience, to_owner, state)
            if to.top_audience is not None and state.cells[to.cell][0] == card:
                seers |= self.audience(to.top_audience, None, state)
            self.note(state, "moved", source.name, owner, to.name, to_owner, faces=(card,), seers=seers)
            if before is not None:
                self.note_change(state, source, before)

        return carry_and_tell if self.keeps_log else carry

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        """Where in a pile the piece is that chance picks."""
        if not self.pinned.draws:
            return state.chance.below(len(pile))
        return Certain(self.pinned.draws.pop(0), zone, span)(pile)

    def note_change(self, state: State, zone: Zone, before: list[str]) -> None:
        """Another piece on top, where one of another face lay before."""
        if state.cells[zone.cell][:1] != before:
            self.note_top(state, zone)

    def note_top(self, state: State, zone: Zone) -> None:
        """The piece that lies on top now, for those who see the top."""
        pile = state.cells[zone.cell]
        if zone.top_audience is not None and pile:
            seers = self.audience(zone.top_audience, None, state)
            self.note(state, "top", zone.name, faces=(pile[0],), seers=seers)

    def gather(self, statement: ir.Move) -> Instruction:
        """Every card of the game, except those of one zone, under what is already there, zone by zone."""
        to, taker = self.spot(statement.to, statement.span)
        left_out = {to.cell, statement.source.cell if statement.source else to.cell}
        others = [zone for zone in self.zones.values() if zone.cell not in left_out and zone.piece == to.piece]

        def gather(state: State, frame: Frame) -> None:
            owner = taker(state, frame.local)
            gathered: list[str] = []
            for zone in others:
                cell = state.cells[zone.cell]
                shares = cell if zone.owner else [cell]
                for share in shares:
                    gathered += share if isinstance(share, list) else [share] if share is not None else []
                empty: list[Any] = [None if zone.single else [] for _ in shares]
                state.cells[zone.cell] = empty if zone.owner else empty[0]
                self.touch(zone.cell)
            self.touch(to.cell)
            pile = state.cells[to.cell]
            (pile[owner] if owner is not None else pile).extend(gathered)
            self.note(state, "gathered", to.name, owner)
            self.note_top(state, to)

        return gather

    # ---- shuffling and showing

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        zone, owned = self.spot(statement.place, statement.span)

        def shuffle(state: State, frame: Frame) -> None:
            owner = owned(state, frame.local)
            cell = state.cells[zone.cell]
            pile: list[str] = cell[owner] if owner is not None else cell
            self.touch(zone.cell)
            if self.pinned.shuffles:
                pinned = self.pinned.shuffles.pop(0)
                if sorted(pinned) != sorted(pile):
                    message = f"a result of shuffling `{zone.name}` must have exactly its {len(pile)} cards"
                    raise fail("RIT608", message, statement.span)
                pile[:] = pinned
            else:
                state.chance.shuffle(pile)
            self.note(state, "shuffled", zone.name, owner)
            self.note_top(state, zone)

        return shuffle

    def show(self, statement: ir.Show) -> Instruction:
        zone, owned = self.spot(statement.source, statement.span)
        to = self.evaluator.build(statement.to)

        def show(state: State, frame: Frame) -> None:
            owner = owned(state, frame.local)
            cell = state.cells[zone.cell]
            share = cell[owner] if owner is not None else cell
            card = share if zone.single else share[0] if share else None
            who = to(state, frame.local)
            if card is not None and who is not None and self.keeps_log:
                seers = frozenset((who,)) | self.audience(zone.audience, owner, state)
                if zone.top_audience is not None:
                    seers |= self.audience(zone.top_audience, owner, state)
                self.note(state, "shown", zone.name, owner, who, faces=(card,), seers=seers)

        return show


def move_all(source: Zone, giver: Position, taker: Position, carry: Carry) -> Instruction:
    def move_all(state: State, frame: Frame) -> None:
        owner, to_owner = giver(state, frame.local), taker(state, frame.local)
        cell = state.cells[source.cell]
        for _ in range(len(cell if owner is None else cell[owner])):
            carry(state, owner, to_owner, top_of)

    return move_all


def top_of(pile: list[str]) -> int:
    return 0


@dataclass(frozen=True)
class Certain:
    """Where in a pile a piece is that the rules name."""

    piece: str | None
    zone: Zone
    span: Span

    def __call__(self, pile: list[str]) -> int:
        if self.piece not in pile:
            raise fail("RIT506", f"there is no `{self.piece or 'none'}` in `{self.zone.name}`", self.span)
        return pile.index(self.piece)
