"""Expressions over pieces that may be undecided: what is read of a place is decided first.

In: the expressions of a game. Out: their values. How many lie in a place is known whatever they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ritual_dsl.analysis.undecided import is_open
from ritual_dsl.engine.evaluate import Evaluator, Function
from ritual_dsl.engine.state import State
from ritual_dsl.engine.trace import Trace
from ritual_dsl.model import ir
from ritual_dsl.model.game import Zone

if TYPE_CHECKING:
    from ritual_dsl.analysis.veiled import Veiled


class VeiledEvaluator(Evaluator):
    def __init__(self, machine: Veiled, trace: Trace | None = None) -> None:
        super().__init__(machine.game, trace)
        self.machine = machine

    def build(self, e: ir.Expr) -> Function:
        machine, plain = self.machine, super().build
        match e:
            case ir.Size(group=ir.Read() | ir.Spread() as group):
                many = plain(group)
                return lambda s, x: len(many(s, x))
            case ir.IsEmpty(operand=ir.Read() as operand):
                many = plain(operand)
                return lambda s, x: not many(s, x)
            case ir.Top(pile=ir.Read(cell=cell) as pile) if cell in machine.zones:
                return self.top(plain(pile))
            case ir.Read(cell=cell) if cell in machine.zones:
                return self.read(e, machine.zones[cell], plain(e))
            case ir.Spread(cell=cell) if cell in machine.zones:
                return self.spread(cell, plain(e))
            case _:
                return plain(e)

    def top(self, pile: Function) -> Function:
        def top(s: State, x: list[Any]) -> Any:
            if held := pile(s, x):
                self.machine.settle(held, 0)
                return held[0]
            return None

        return top

    def read(self, e: ir.Read, zone: Zone, plain: Function) -> Function:
        machine, at = self.machine, self.build(e.index) if e.index is not None else plain

        def read(s: State, x: list[Any]) -> Any:
            value = plain(s, x)
            if isinstance(value, list):
                if not any(map(is_open, value)):
                    return value
                if zone.filled:
                    return machine.faces(value, s)
                machine.settle_all(value)
                return value
            if is_open(value):
                shares = s.cells[zone.cell]
                owner = None if e.index is None else self.positions[zone.cell].of(at(s, x), shares, e.span)
                machine.settle_first(s, zone, owner, None)
                return plain(s, x)
            return value

        return read

    def spread(self, cell: int, plain: Function) -> Function:
        machine, single = self.machine, self.machine.zones[cell].single

        def spread(s: State, x: list[Any]) -> Any:
            for share in [s.cells[cell]] if single else s.cells[cell]:
                machine.settle_all(share)
            return plain(s, x)

        return spread
