"""Steps that go round: `repeat`, which is limited, and `each`.

In: resolved steps. Out: the instructions at the start of a loop and of every round. Every round counts as work.
"""

from __future__ import annotations

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.bookkeeping import Bookkeeper
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.model import ir


class LoopSteps(Bookkeeper):
    def open_loop(self, statement: ir.Repeat) -> Instruction:
        slot = statement.count

        def open_loop(state: State, frame: Frame) -> None:
            frame.local[slot] = 0

        return open_loop

    def count_round(self, statement: ir.Repeat, limit: int) -> Instruction:
        slot, span, evaluator = statement.count, statement.span, self.evaluator

        def count_round(state: State, frame: Frame) -> None:
            frame.local[slot] += 1
            if frame.local[slot] > limit:
                raise fail("RIT502", f"this `repeat` has gone round {limit:,} times", span)
            evaluator.work(state, span)

        return count_round

    def open_each(self, statement: ir.Each) -> Instruction:
        members, rest = self.evaluator.members(statement.group), statement.rest

        def open_each(state: State, frame: Frame) -> None:
            frame.local[rest] = list(members(state, frame.local))

        return open_each

    def next_of(self, statement: ir.Each, end: int) -> Instruction:
        slot, rest, span, evaluator = statement.slot, statement.rest, statement.span, self.evaluator

        def next_of(state: State, frame: Frame) -> None:
            local = frame.local
            if not local[rest]:
                frame.position = end
            else:
                local[slot] = local[rest].pop(0)
                evaluator.work(state, span)

        return next_of
