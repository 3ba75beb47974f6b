"""Procedures as flat lists of instructions, so that a run can stop anywhere and be saved.

In: the resolved steps of a game. Out: for each procedure its instructions, the place where what
follows its body begins, and the stretch of each of its outermost steps (which `end` leaves).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

from ritual_dsl.engine.evaluate import Function
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.engine.trace import names_of, step_name
from ritual_dsl.engine.witness import RAN
from ritual_dsl.model import ir
from ritual_dsl.model.game import Procedure
from ritual_dsl.source import Span

if TYPE_CHECKING:
    from ritual_dsl.engine.choices import Question
    from ritual_dsl.engine.machine import Machine

Instruction = Callable[[State, Frame], bool | None]  # True: what runs next may stand elsewhere, or somebody is asked
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
    questions: dict[int, Question] = field(default_factory=dict)


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
        skip = self.hole() if procedure.condition is not None else None
        self.note(procedure.span)
        for block in procedure.patched.before:
            self.block(block, procedure.name)
        for step in procedure.steps:
            start = len(self.out)
            self.step(step)
            self.code.steps.append((start, len(self.out)))
        self.code.after = len(self.out)
        if skip is not None and procedure.condition is not None:
            self.fill(skip, unless(self.truth(procedure.condition), self.code.after))
        for block in procedure.patched.after:
            self.block(block, procedure.name)
        self.out.append(self.machine.leave)
        if self.machine.trace is not None:
            self.out[:] = [self.machine.accounted(instruction, i) for i, instruction in enumerate(self.out)]
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

    def truth(self, expr: ir.Expr) -> Function:
        return self.machine.evaluator.decision(expr)

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
            self.fill(skip, unless(self.counts(block), len(self.out)))
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
        self.fill(skip, unless(self.counts(block), len(self.out)))

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

    def counts(self, block: ir.Block) -> Function:
        """Whether a patch's guard and condition hold now."""
        holds = self.machine.evaluator.guard(block.guard)
        if block.condition is None:
            return lambda s, x: holds(s)
        condition = self.truth(block.condition)
        return lambda s, x: holds(s) and condition(s, x)

    def statement(self, statement: ir.Statement) -> None:
        m = self.machine
        match statement:
            case ir.Assign(value=ir.Asked()):
                self.ask(self.hole(), m.ask_one_of(statement))
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
        self.fill(skip, unless(self.truth(statement.condition), len(self.out)))
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
            self.fill(test, unless(lambda s, x: not until(s, x), end))
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
            self.fill(test, unless(self.truth(statement.condition), start))

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
        self.ask(place, self.machine.ask_option(statement, targets))

    def ask(self, place: int, question: Question) -> None:
        self.code.questions[place] = question
        self.fill(place, question.ask)


def nothing(state: State, frame: Frame) -> None:
    pass


def jump(position: int) -> Instruction:
    def go(state: State, frame: Frame) -> None:
        frame.position = position

    return go


def unless(test: Function, position: int) -> Instruction:
    def go(state: State, frame: Frame) -> None:
        if not test(state, frame.local):
            frame.position = position

    return go
