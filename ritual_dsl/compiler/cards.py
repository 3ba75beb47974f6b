"""Moving, shuffling and showing cards as flat code.

In: resolved steps. Out: lines. A pile is an array with the places of its top and its end: a card is taken or
laid on top by moving the top, and put under by moving the end.
"""

from __future__ import annotations

from ritual_dsl.compiler.codes import ABSENT, unsupported
from ritual_dsl.compiler.expressions import Env, Expressions, Val
from ritual_dsl.compiler.record import Recording
from ritual_dsl.model import ir
from ritual_dsl.model.game import Zone
from ritual_dsl.model.types import CARD
from ritual_dsl.model.walk import watched_cells


class Cards:
    def __init__(self, expressions: Expressions, recording: Recording) -> None:
        self.expressions = expressions
        self.recording = recording
        self.lines = expressions.lines
        self.codes = expressions.codes
        self.tables = expressions.tables

    def spot(self, place: ir.Place, env: Env) -> tuple[Zone, str | None]:
        """A zone, and where in it the share of an owner is."""
        assert place.cell is not None
        zone = self.codes.declaration(place.cell)
        assert isinstance(zone, Zone)
        if place.index is None:
            return zone, None
        return zone, self.expressions.atom(Val(self.expressions.owner(zone, place.index, env), CARD)).code

    def move(self, s: ir.Move, env: Env) -> list[int]:
        """Returns the cells that are touched."""
        if s.kind == "all":
            return self.gather(s, env)
        assert s.source is not None
        source, owner = self.spot(s.source, env)
        to, to_owner = self.spot(s.to, env)
        wanted = self.expressions.atom(self.expressions.value(s.piece, env)) if s.piece is not None else None
        if s.kind == "all_of":
            if source.single:
                raise unsupported("moving all of this zone", s.span)
            _, head, end = self.tables.pile(source, owner)
            with self.lines.block(f"for {self.lines.new('i')} in range({end} - {head}):"):
                self.carry(s, source, owner, to, to_owner, None)
            if any(cell in self.watched() for cell in (source.cell, to.cell)):
                raise unsupported("moving all of a zone that is watched", s.span)
        else:
            self.carry(s, source, owner, to, to_owner, wanted)
        return [source.cell, to.cell]

    def watched(self) -> frozenset[int]:
        game = self.codes.game
        watches = [p for p in game.procedures.values() if p.watch is not None]
        return frozenset[int]().union(*(watched_cells(p, game) for p in watches))

    def carry(
        self, s: ir.Move, source: Zone, owner: str | None, to: Zone, to_owner: str | None, wanted: Val | None
    ) -> None:
        card = self.lines.new("k")
        from_top = wanted is None and s.kind != "random"
        with self.recording.move(source, owner, to, to_owner, card, from_top):
            self.take(s, source, owner, card, wanted)
            self.put(card, to, to_owner, s.bottom)

    def take(self, s: ir.Move, zone: Zone, owner: str | None, card: str, wanted: Val | None) -> None:
        emit = self.lines.emit
        if zone.single:
            name = self.tables.cell(zone) + (f"[{owner}]" if owner is not None else "")
            emit(f"{card} = {name}")
            self.lines.fail_if(f"{card} < 0")
            emit(f"{name} = {ABSENT}")
            return
        array, head, end = self.tables.pile(zone, owner)
        self.lines.fail_if(f"{head} == {end}")
        if wanted is not None or s.kind == "random":
            at = self.lines.new("i")
            if wanted is None:
                emit(f"{at} = {head} + below({end} - {head}, rng)")
            else:
                emit(f"{at} = {head}")
                with self.lines.block(f"while {at} < {end} and {array}[{at}] != {wanted.code}:"):
                    emit(f"{at} += 1")
                self.lines.fail_if(f"{at} == {end}")
            emit(f"{card} = {array}[{at}]")
            with self.lines.block(f"while {at} > {head}:"):  # what lies above moves down by one
                emit(f"{array}[{at}] = {array}[{at} - 1]")
                emit(f"{at} -= 1")
        else:
            emit(f"{card} = {array}[{head}]")
        emit(f"{head} += 1")

    def put(self, card: str, zone: Zone, owner: str | None, bottom: bool) -> None:
        emit = self.lines.emit
        if zone.single:
            name = self.tables.cell(zone) + (f"[{owner}]" if owner is not None else "")
            self.lines.fail_if(f"{name} >= 0")
            emit(f"{name} = {card}")
            return
        array, head, end = self.tables.pile(zone, owner)
        if bottom:
            self.make_room(zone, owner, 1)
            emit(f"{array}[{end}] = {card}")
            emit(f"{end} += 1")
        else:
            emit(f"{head} -= 1")
            emit(f"{array}[{head}] = {card}")

    def make_room(self, zone: Zone, owner: str | None, count: int) -> None:
        """Move a pile back to the start of its room before it runs over the end."""
        array, head, end = self.tables.pile(zone, owner)
        base, share = self.tables.base(zone, owner), self.tables.share(zone)
        last = str(share) if owner is None else f"({owner} + 1) * {share}"
        with self.lines.block(f"if {end} + {count} > {last}:"):
            at = self.lines.new("i")
            with self.lines.block(f"for {at} in range({end} - {head}):"):
                self.lines.emit(f"{array}[{base} + {at}] = {array}[{head} + {at}]")
            self.lines.emit(f"{end} += {base} - {head}")
            self.lines.emit(f"{head} = {base}")

    def gather(self, s: ir.Move, env: Env) -> list[int]:
        """Every piece of a kind, under what is already there, zone by zone."""
        to, owner = self.spot(s.to, env)
        if to.single:
            raise unsupported("gathering in this zone", s.span)
        array, _, end = self.tables.pile(to, owner)
        self.make_room(to, owner, self.codes.pieces(to.piece))
        left_out = {to.cell, s.source.cell if s.source is not None else to.cell}
        touched = [to.cell]
        for zone in self.codes.game.zones.values():
            if zone.cell in left_out or zone.piece != to.piece:
                continue
            touched.append(zone.cell)
            self.gather_from(zone, array, end)
        self.recording.gathered(to, owner)
        return touched

    def gather_from(self, zone: Zone, array: str, end: str) -> None:
        emit = self.lines.emit
        name, at, depth = self.tables.cell(zone), None, self.lines.depth
        if zone.owner is not None:
            at = self.lines.new("i")
            owners = len(self.codes.game.owners(zone.owner, self.codes.players))
            self.expressions.head(f"for {at} in range({owners}):")
        if zone.single:
            card = name if at is None else f"{name}[{at}]"
            with self.lines.block(f"if {card} >= 0:"):
                emit(f"{array}[{end}] = {card}")
                emit(f"{end} += 1")
                emit(f"{card} = {ABSENT}")
        else:
            _, other_head, other_end = self.tables.pile(zone, at)
            count = self.lines.new()
            emit(f"{count} = {other_end} - {other_head}")
            self.lines.copy(array, end, name, other_head, count)
            emit(f"{end} += {count}")
            emit(f"{other_head} = {self.tables.base(zone, at)}")
            emit(f"{other_end} = {other_head}")
        self.lines.depth = depth

    def shuffle(self, s: ir.Shuffle) -> None:
        zone, owner = self.spot(s.place, {})
        if zone.single:
            raise unsupported("shuffling this zone", s.span)
        array, head, end = self.tables.pile(zone, owner)
        self.lines.emit(f"shuffle({array}, {head}, {end} - {head}, rng)")
        self.recording.shuffled(zone, owner)

    def show(self, s: ir.Show, env: Env) -> None:
        """Somebody learns a face: that changes nothing but what is seen."""
        zone, owner = self.spot(s.source, env)
        who = self.expressions.value(s.to, env)
        if self.recording.on:
            name = self.tables.cell(zone)
            if zone.single:
                card = f"{name}[{owner}]" if owner is not None else name
            else:
                array, head, end = self.tables.pile(zone, owner)
                card = f"({array}[{head}] if {head} < {end} else {ABSENT})"
            self.recording.shown(zone, owner, who.code, card)
