"""Steps with values: variables and local names are set, sets grow and shrink, counters gain and lose.

In: resolved steps. Out: instructions. A value that does not fit is refused before it is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.bookkeeping import Bookkeeper
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.shares import position
from ritual_dsl.engine.state import Event, Frame, State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Variable
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

LARGEST = 1_000_000_000
Store = Callable[[State, Frame, Any], None]


class ValueSteps(Bookkeeper):
    # ---- variables and local names

    def assign(self, statement: ir.Assign) -> Instruction:
        assert not isinstance(statement.value, ir.Asked)
        value = self.evaluator.build(statement.value)
        store = self.storing(statement.place, statement.value.type, statement.span)

        def assign(state: State, frame: Frame) -> None:
            store(state, frame, value(state, frame.local))

        return assign

    def storing(self, place: ir.Place, type: Type, span: Span) -> Store:
        """How a value of a type gets to a place."""
        store = self.naming(place.slot) if place.slot is not None else self.setting(place, span)
        if type.kind != "number" or type.is_set:
            return store

        def store_number(state: State, frame: Frame, value: int | None) -> None:
            if value is not None and not -LARGEST <= value <= LARGEST:
                raise fail("RIT507", "this number has grown out of all bounds", span)
            store(state, frame, value)

        return store_number

    def naming(self, slot: int) -> Store:
        def name(state: State, frame: Frame, value: Any) -> None:
            frame.local[slot] = value

        return name

    def setting(self, place: ir.Place, span: Span) -> Store:
        assert place.cell is not None
        cell, variable, at = place.cell, self.variables[place.cell], position(place, self.evaluator, span)
        type = variable.type
        may_be_absent = type.optional or type.is_set
        bounds = range(type.low, (type.high or 0) + 1) if type.low is not None and not type.is_set else None

        def set_value(state: State, frame: Frame, value: Any) -> None:
            owner = at(state, frame.local)
            if value is None:
                if not may_be_absent:
                    raise fail("RIT504", f"`{variable.name}` is never absent", span)
            elif bounds is not None and value not in bounds:
                raise fail("RIT507", f"{value} is outside of `{variable.name}`'s {type}", span)
            if owner is None:
                state.cells[cell] = value
            else:
                state.cells[cell][owner] = value
            if cell in self.watched:
                self.touched.add(cell)
            if self.keeps_log:
                self.note_set(state, variable, owner, value)

        return set_value

    def note_set(self, state: State, variable: Variable, owner: int | None, value: Any) -> None:
        seers = self.audience(variable.audience, owner, state)
        event = Event("set", (variable.name, owner, value), only=None if len(seers) == state.players else seers)
        state.log.append(event)

    def change_set(self, statement: ir.ChangeSet) -> Instruction:
        element, place, adds = self.evaluator.build(statement.element), statement.place, statement.adds
        at, slot, cell = position(place, self.evaluator, statement.span), place.slot, place.cell or 0
        store = self.naming(slot) if slot is not None else self.setting(place, statement.span)

        def change_set(state: State, frame: Frame) -> None:
            member = element(state, frame.local)
            owner = at(state, frame.local)
            old = frame.local[slot] if slot is not None else state.cells[cell]
            old = old if owner is None else old[owner]
            store(state, frame, old | {member} if adds else old - {member})

        return change_set

    # ---- counters

    def change(self, statement: ir.Change) -> Instruction:
        """All amounts first, then the losses, then the gains, within the counter's bounds."""
        evaluator, slot = self.evaluator, statement.slot
        members = self.changing(statement)
        condition = evaluator.decision(statement.condition) if statement.condition is not None else None
        lines = [(line.gains, line.cell, evaluator.build(line.amount)) for line in statement.lines]

        def change(state: State, frame: Frame) -> None:
            local = frame.local
            losses: list[tuple[int, int | None, int]] = []
            gains: list[tuple[int, int | None, int]] = []
            for member in members(state, local):
                if slot is not None:
                    local[slot] = member
                if condition is None or condition(state, local):
                    for is_gain, cell, amount in lines:
                        (gains if is_gain else losses).append((cell, member, amount(state, local)))
            for cell, member, number in losses:
                self.apply(state, cell, member, -number)
            for cell, member, number in gains:
                self.apply(state, cell, member, number)

        return change

    def changing(self, statement: ir.Change) -> Callable[[State, list[Any]], Any]:
        """Whose counters change; nobody's, where the counter has no owner."""
        if statement.group is None:
            return lambda s, x: (None,)
        meant, is_set = self.evaluator.build(statement.group), statement.group.type.is_set

        def members(state: State, local: list[Any]) -> list[int]:
            found = meant(state, local)
            if found is None:
                raise fail("RIT504", "nobody is meant here: the value is absent", statement.span)
            return sorted(found) if is_set else [found]

        return members

    def apply(self, state: State, cell: int, member: int | None, delta: int) -> None:
        counter, values = self.counters[cell], state.cells[cell]
        self.touch(cell)
        owner = member if counter.owner is not None else None
        if owner is not None and owner >= len(values):
            return  # a seat without the counter neither gains nor loses
        old = values if owner is None else values[owner]
        new = min(max(old + delta, counter.low), counter.high)
        if new == old:
            return
        if owner is None:
            state.cells[cell] = new
        else:
            values[owner] = new
        if self.recorder is not None:
            self.recorder.changed(cell, new - old)
        if self.keeps_log:
            self.note(state, "changed", counter.name, owner, new)
