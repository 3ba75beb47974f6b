"""A machine for which pieces can be undecided: each is decided by a script when something depends on it.

In: a table. Out: steps that leave open what may stay open, and the weight of what was decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.reading import VeiledEvaluator
from ritual_dsl.analysis.story import Named, Table, sees, supply
from ritual_dsl.analysis.undecided import MARK, Pools, copy_cells, is_open
from ritual_dsl.engine.cards import Carry, Certain, Which
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Zone
from ritual_dsl.model.walk import walk
from ritual_dsl.source import Span


class Impossible(Exception):
    """The world contradicts itself: something was done with a piece that is not there."""


class Veiled(Machine):
    """A machine that decides what a piece is when it must, as a script says."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.run.game)
        self.table = table
        self.evaluator: VeiledEvaluator = VeiledEvaluator(self)
        self.unordered = unordered_piles(self)
        self.script: list[int] = []  # which of several, for each decision; those behind its end are the first
        self.sizes: list[int] = []  # among how many each was made
        self.weight = Fraction(1)
        self.pools: Pools = {}
        self.blind = False  # the eyes do not see the piece that moves
        self.coming: Named | None = None  # where the piece that moves or is shown is seen

    def veil(self) -> tuple[list[Any], Pools]:
        """The table with marks for all that is unknown, and the faces under them."""
        cells, pools = copy_cells(self.table.state.cells), Pools()
        asked = {self.zones[cell].piece for (cell, _), _ in self.table.unknown}
        for zone in filter(lambda zone: zone.filled, self.zones.values()):
            if zone.piece not in asked and sees(self.table.run, zone, None, self.table.state, self.table.eyes):
                continue
            known, pile, mark = self.table.settled.get(zone.cell, 0), cells[zone.cell], fresh(pools)
            pools[mark] = Counter(pile[known:])
            pile[known:] = [mark] * (len(pile) - known)
        for (cell, owner), count in self.table.unknown:
            zone = self.zones[cell]
            pile = cells[supply(self.game, zone.piece).cell]
            for _ in range(count):
                if not pile or not is_open(pile[-1]):
                    raise Impossible
                mark = pile.pop()
                if owner is None:
                    cells[cell] = mark if zone.single else [*cells[cell], mark]
                else:
                    cells[cell][owner] = mark if zone.single else [*cells[cell][owner], mark]
        return cells, pools

    # ---- deciding

    def pick(self, pairs: list[tuple[str, int]], total: int) -> str:
        """One of several with their weights out of a total, as the script says."""
        if not pairs:
            raise Impossible
        value, weight = pairs[self.branch(len(pairs)) if len(pairs) > 1 else 0]
        if weight != total:
            self.weight *= Fraction(weight, total)
        return value

    def branch(self, size: int) -> int:
        if len(self.sizes) == len(self.script):
            self.script.append(0)
        self.sizes.append(size)
        return self.script[len(self.sizes) - 1]

    def expected(self, state: State) -> str | None:
        """The face that is known to be seen next, if it is the one that is coming."""
        return None

    def heeds(self, place: Named) -> bool:
        """Whether it matters what the eyes see there."""
        return True

    def decide(self, mark: str, only: str | None = None) -> str:
        """What is under a mark; the only face it can be, if that is known."""
        pool = self.pools[mark]
        pairs = sorted(pool.items()) if only is None else [(only, pool[only])] if pool[only] else []
        face = self.pick(pairs, pool.total())
        self.lift(mark, face)
        return face

    def lift(self, mark: str, face: str) -> None:
        """A face is no longer under the marks of a kind."""
        pool = self.pools[mark]
        pool[face] -= 1
        if not pool[face]:
            del pool[face]

    def settle(self, places: list[Any], position: int, only: str | None = None) -> None:
        """Decide the piece at a place of a pile or of a list of places."""
        if position < len(places) and is_open(places[position]):
            places[position] = self.decide(places[position], only)

    def settle_all(self, places: list[Any]) -> None:
        for position in range(len(places)):
            self.settle(places, position)

    def shares(self, state: State) -> Iterator[list[Any]]:
        """Every list of pieces on the table."""
        for cell, zone in self.zones.items():
            held = state.cells[cell]
            if zone.owner is None and zone.single:
                place = [held]
                yield place
                state.cells[cell] = place[0]
            elif zone.owner is None or zone.single:
                yield held
            else:
                yield from held

    def gather_in(self, pile: list[str], state: State) -> None:
        """Decide whatever lies elsewhere under the marks of a pile, so that what is under them lies here."""
        marks = set(filter(is_open, pile))
        if all(self.pools[mark].total() == pile.count(mark) for mark in marks):
            return
        for share in self.shares(state):
            if share is not pile:
                for position, piece in enumerate(share):
                    if piece in marks:
                        self.settle(share, position)

    def faces(self, pile: list[str], state: State) -> list[str]:
        """What lies in a pile, the undecided pieces in some order."""
        self.gather_in(pile, state)
        under = {mark: iter(sorted(pool.elements())) for mark, pool in self.pools.items()}
        return [next(under[piece]) if is_open(piece) else piece for piece in pile]

    def mix(self, pile: list[str]) -> None:
        """Nobody knows any more what lies where in a pile; what is under its marks lies nowhere else."""
        if not pile or (is_open(pile[0]) and pile.count(pile[0]) == len(pile)):
            return
        mark, pool = fresh(self.pools), Counter[str]()
        for piece, count in Counter(pile).items():
            pool.update(self.pools.pop(piece) if is_open(piece) else {piece: count})
        self.pools[mark] = pool
        pile[:] = [mark] * len(pile)

    # ---- steps

    def carrier(self, source: Zone, to: Zone, statement: ir.Move) -> Carry:
        carry, eyes = super().carrier(source, to, statement), self.table.eyes
        tops = [zone.top_audience for zone in (source, to) if zone.top_audience is not None]

        def run(state: State, owner: int | None, to_owner: int | None, which: Which) -> None:
            seers = self.audience(source.audience, owner, state) | self.audience(to.audience, to_owner, state)
            seers = seers.union(*(self.audience(top, None, state) for top in tops))
            self.coming = (to.name, to_owner)
            self.blind = not (eyes <= seers and self.heeds(self.coming))
            carry(state, owner, to_owner, which)
            self.blind, self.coming = False, None

        return run

    def take(self, zone: Zone, owner: int | None, state: State, span: Span, which: Which) -> str:
        held: Any = state.cells[zone.cell] if owner is None else state.cells[zone.cell][owner]
        if isinstance(which, Certain) and isinstance(held, list) and which.piece not in held:
            self.find(held, which, state)
        card = super().take(zone, owner, state, span, which)
        return self.decide(card, self.expected(state)) if is_open(card) and not self.blind else card

    def find(self, pile: list[str], which: Certain, state: State) -> None:
        """A piece that the rules name is among the undecided ones, or it is not here."""
        at = which(self.faces(pile, state))
        self.lift(pile[at], which.piece or "")
        pile[at] = which.piece or ""

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        marks = set(filter(is_open, pile))
        if zone.cell in self.unordered and all(self.pools[mark].total() == pile.count(mark) for mark in marks):
            self.mix(pile)
        pairs = sorted(Counter(pile).items())
        only = None if self.blind else self.expected(state)
        if only is not None:
            pairs = [(piece, n) for piece, n in pairs if piece == only or (is_open(piece) and self.pools[piece][only])]
        return pile.index(self.pick(pairs, len(pile)))

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        zone, owned = self.spot(statement.place, statement.span)

        def run(state: State, frame: Frame) -> None:
            owner = owned(state, frame.local)
            self.touch(zone.cell)
            pile = state.cells[zone.cell] if owner is None else state.cells[zone.cell][owner]
            self.gather_in(pile, state)
            self.mix(pile)
            self.note(state, "shuffled", zone.name, owner)
            self.note_top(state, zone)

        return run

    def note_top(self, state: State, zone: Zone) -> None:
        self.settle_top(zone, state)
        super().note_top(state, zone)

    def note_change(self, state: State, zone: Zone, before: list[str]) -> None:
        self.settle_top(zone, state)  # it may be another of the same face
        super().note_change(state, zone, before)

    def settle_top(self, zone: Zone, state: State) -> None:
        """Decide what is on top of a pile, where the eyes see it."""
        top, place = zone.top_audience, (zone.name, None)
        if top is not None and self.heeds(place) and self.table.eyes <= self.audience(top, None, state):
            coming, self.coming = self.coming, place
            self.settle(state.cells[zone.cell], 0, self.expected(state))
            self.coming = coming

    def show(self, statement: ir.Show) -> Instruction:
        show = super().show(statement)
        zone, owned = self.spot(statement.source, statement.span)
        to, eyes = self.evaluator.build(statement.to), self.table.eyes

        def run(state: State, frame: Frame) -> None:
            owner = owned(state, frame.local)
            self.coming = (zone.name, owner)
            seers = self.audience(zone.audience, owner, state) | {to(state, frame.local)}
            if eyes <= seers and self.heeds(self.coming):
                self.settle_first(state, zone, owner, self.expected(state))
            self.coming = None
            show(state, frame)

        return run

    def settle_first(self, state: State, zone: Zone, owner: int | None, only: str | None) -> None:
        """Decide the piece in a place for one, or the one on top of a pile."""
        cells, cell = state.cells, zone.cell
        if not zone.single:
            self.settle(cells[cell] if owner is None else cells[cell][owner], 0, only)
        else:
            shares, position = (cells, cell) if owner is None else (cells[cell], owner)
            self.settle(shares, position, only)


def fresh(pools: Iterable[str]) -> str:
    """A mark of a kind that is not in use."""
    return f"{MARK}{max((int(mark[1:]) for mark in pools), default=-1) + 1}"


def unordered_piles(machine: Machine) -> frozenset[int]:
    """Piles of which nothing is ever taken, read or shown from the top: what lies where in them does not matter."""
    ordered = {zone.cell for zone in machine.zones.values() if zone.top_audience is not None}
    for part in walk((tuple(machine.game.procedures.values()), tuple(machine.game.rules.values()))):
        match part:
            case ir.Top(pile=ir.Read(cell=cell)):
                ordered.add(cell)
            case ir.Show(source=place) | ir.Move(kind="top", source=ir.Place() as place) if place.cell is not None:
                ordered.add(place.cell)
            case _:
                pass
    return frozenset(cell for cell, zone in machine.zones.items() if not zone.single) - ordered
