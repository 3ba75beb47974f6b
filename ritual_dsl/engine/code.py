"""Procedures as flat lists of instructions, so that a run can stop anywhere and be saved.

In: the resolved steps of a game. Out: for each procedure its instructions, the place where what
follows its body begins, and the stretch of each of its outermost steps (which `end` leaves).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, assert_never

from ritual_dsl.engine.state import Frame, State
from ritual_dsl.engine.trace import names_of, step_name
from ritual_dsl.engine.witness import RAN
from ritual_dsl.model import ir
from ritual_dsl.model.game import Procedure
from ritual_dsl.source import Span

if TYPE_CHECKING:
    from ritual_dsl.engine.machine import Machine

Instruction = Callable[[State, Frame], None]
LOOP_LIMIT = 10_000  # rounds of one `repeat`


@dataclass(frozen=True)
class Cause:
    """The step behind an instruction: of which procedure, by which patch, and what it cites."""

    procedure: Procedure
    step: ir.Step
    patch: ir.Block | None
    cites: tuple[str, ...]


@dataclass
class Code:
    procedure: Procedure
    instructions: list[Instruction] = field(default_factory=list)
    after: int = 0
    steps: list[tuple[int, int]] = field(default_factory=list)
    causes: dict[int, Cause] = field(default_factory=dict)


def compile_procedure(procedure: Procedure, machine: Machine) -> Code:
    return _Writer(procedure, machine).write()


class _Writer:
    def __init__(self, procedure: Procedure, machine: Machine) -> None:
        self.machine = machine
        self.code = Code(procedure)
        self.out = self.code.instructions
        self.stops: list[list[int]] = []  # jumps that wait for the end of their loop
        self.patch: ir.Block | None = None  # the one whose steps are written
        self.cites = procedure.cites  # of what is written, or of the nearest around it that cites

    def write(self) -> Code:
        procedure = self.code.procedure
        if procedure.condition is not None:
            skip = self.hole()
            self.fill(skip, unless(self.truth(procedure.condition), lambda: self.code.after))
        self.note(procedure.span)
        for block in procedure.patched.before:
            self.block(block, procedure.name)
        for step in procedure.steps:
            start = len(self.out)
            self.step(step)
            self.code.steps.append((start, len(self.out)))
        self.code.after = len(self.out)
        for block in procedure.patched.after:
            self.block(block, procedure.name)
        self.out.append(self.machine.leave)
        return self.code

    def hole(self) -> int:
        """A place for an instruction that needs to know what comes later."""
        self.out.append(nothing)
        return len(self.out) - 1

    def fill(self, place: int, instruction: Instruction) -> None:
        self.out[place] = instruction

    def note(self, span: Span) -> None:
        """Where runs are watched: that they came here."""
        witness = self.machine.evaluator.witness
        if witness is not None:
            self.out.append(lambda s, f: witness.note(span, RAN))

    def truth(self, expr: ir.Expr) -> Callable[[State, Frame], Any]:
        function = self.machine.evaluator.decision(expr)
        return lambda s, f: function(s, f.local)

    # ---- steps

    def steps(self, steps: tuple[ir.Step, ...]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: ir.Step) -> None:
        start, cites = len(self.out), self.cites
        self.cites = step.cites or cites
        patched = step.patched
        name = step_name(self.code.procedure, step)
        for block in patched.before:
            self.block(block, name)
        ends: list[int] = []
        for block in reversed(patched.instead):
            skip = self.hole()
            self.patch_steps(block, name)
            ends.append(self.hole())
            self.fill(skip, unless(self.counts(block), at(len(self.out))))
        self.note(step.span)
        self.statement(step.statement)
        for end in ends:
            self.fill(end, jump(len(self.out)))
        for block in patched.after:
            self.block(block, name)
        cause = Cause(self.code.procedure, step, self.patch, self.cites)
        for position in range(start, len(self.out)):
            self.code.causes.setdefault(position, cause)
        self.cites = cites

    def block(self, block: ir.Block, name: str) -> None:
        skip = self.hole()
        self.patch_steps(block, name)
        self.fill(skip, unless(self.counts(block), at(len(self.out))))

    def patch_steps(self, block: ir.Block, name: str) -> None:
        """The steps of a patch of what is called `name`."""
        trace = self.machine.trace
        if trace is not None:
            names = names_of(name, block.origin, block.label) - {name}
            self.out.append(lambda s, f: trace.patches.update(names))
        self.note(block.span)
        outer = self.patch, self.cites
        self.patch, self.cites = block, block.cites or self.cites
        self.steps(block.steps)
        self.patch, self.cites = outer

    def counts(self, block: ir.Block) -> Callable[[State, Frame], bool]:
        """Whether a patch's guard and condition hold now."""
        evaluator = self.machine.evaluator
        condition = self.truth(block.condition) if block.condition is not None else None
        guard = block.guard
        return lambda s, f: evaluator.holds(guard, s) and (condition is None or bool(condition(s, f)))

    def statement(self, statement: ir.Statement) -> None:
        m = self.machine
        match statement:
            case ir.Assign(value=ir.Asked()):
                self.out.append(m.ask_one_of(statement))
            case ir.Assign():
                self.out.append(m.assign(statement))
            case ir.Move():
                self.out.append(m.move(statement))
            case ir.Shuffle():
                self.out.append(m.shuffle(statement))
            case ir.Show():
                self.out.append(m.show(statement))
            case ir.Change():
                self.out.append(m.change(statement))
            case ir.ChangeSet():
                self.out.append(m.change_set(statement))
            case ir.End():
                self.out.append(m.end(statement))
            case ir.Fire():
                self.out.append(m.fire(statement))
            case ir.Call():
                self.out.append(m.call(statement))
            case ir.Nothing():
                pass
            case ir.Stop():
                self.stops[-1].append(self.hole())
            case ir.When():
                self.when(statement)
            case ir.Repeat():
                self.repeat(statement)
            case ir.Each():
                self.each(statement)
            case ir.Choose():
                self.choose(statement)
            case _:
                assert_never(statement)

    def when(self, statement: ir.When) -> None:
        skip = self.hole()
        self.steps(statement.steps)
        end = self.hole() if statement.otherwise else None
        self.fill(skip, unless(self.truth(statement.condition), at(len(self.out))))
        if end is not None:
            self.steps(statement.otherwise)
            self.fill(end, jump(len(self.out)))

    def repeat(self, statement: ir.Repeat) -> None:
        self.out.append(self.machine.open_loop(statement))
        start = len(self.out)
        test = self.hole() if statement.until is not None else None
        self.out.append(self.machine.count_round(statement, LOOP_LIMIT))
        self.stops.append([])
        self.steps(statement.steps)
        self.out.append(jump(start))
        end = len(self.out)
        if test is not None and statement.until is not None:
            until = self.truth(statement.until)
            self.fill(test, unless(lambda s, f: not until(s, f), at(end)))
        for stop in self.stops.pop():
            self.fill(stop, jump(end))

    def each(self, statement: ir.Each) -> None:
        self.out.append(self.machine.open_each(statement))
        start = len(self.out)
        advance = self.hole()
        test = self.hole() if statement.condition is not None else None
        self.steps(statement.steps)
        self.out.append(jump(start))
        end = len(self.out)
        self.fill(advance, self.machine.next_of(statement, end))
        if test is not None and statement.condition is not None:
            self.fill(test, unless(self.truth(statement.condition), at(start)))

    def choose(self, statement: ir.Choose) -> None:
        place = self.hole()
        targets: dict[str, int] = {}
        ends = []
        for option in statement.options:
            targets[option.name] = len(self.out)
            self.note(option.span)
            outer, self.cites = self.cites, option.cites or self.cites
            self.steps(option.steps)
            self.cites = outer
            ends.append(self.hole())
        for end in ends:
            self.fill(end, jump(len(self.out)))
        self.fill(place, self.machine.ask_option(statement, targets))


def nothing(state: State, frame: Frame) -> None:
    pass


def at(position: int) -> Callable[[], int]:
    return lambda: position


def jump(position: int) -> Instruction:
    def go(state: State, frame: Frame) -> None:
        frame.position = position

    return go


def unless(test: Callable[[State, Frame], Any], target: Callable[[], int]) -> Instruction:
    def go(state: State, frame: Frame) -> None:
        if not test(state, frame):
            frame.position = target()

    return go
