"""Procedures as flat code: unfolded where they are called, left by `break`.

In: a procedure. Out: lines. Calls are not circular, so unfolding ends. The frames of the interpreter are
known at every place; `end` sets `out` to the frame it leads to, and every loop on the way is left. What stands
`after` a procedure still runs on the way; an `end` in there waits until it is through.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ritual_dsl.compiler.codes import unsupported
from ritual_dsl.compiler.counting import Counting
from ritual_dsl.compiler.expressions import Env, Val
from ritual_dsl.compiler.lines import Line, Lines
from ritual_dsl.compiler.presence import assigned_slots
from ritual_dsl.compiler.statements import Statements
from ritual_dsl.model import ir
from ritual_dsl.model.game import Procedure

KILL, EVERYTHING = -1, 1  # values of `out`: the game's own frame at once; all frames; then 2 + the number of a frame
DEEPEST = 60

Exits = frozenset[int]
NONE: Exits = frozenset()


@dataclass
class Frame:
    procedure: Procedure
    number: int
    env: Env
    part: str = "steps"  # before, steps, after
    waiting: str = ""  # the name under which an `end` in the last part waits
    loops: list[int | None] = field(default_factory=list)  # open loops: the code of a `repeat`, None for another

    @property
    def code(self) -> int:
        return self.number + 2


class Flow:
    def __init__(self, lines: Lines, statements: Statements, counting: Counting) -> None:
        self.lines = lines
        self.statements = statements
        self.counting = counting
        self.game = statements.codes.game
        self.frames: list[Frame] = []
        statements.flow = self

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def running(self) -> list[str]:
        return [frame.procedure.name for frame in self.frames]

    # ---- procedures

    def run(self, procedure: Procedure, args: list[Val]) -> Exits:
        """All of a procedure, here; returns where control may be on its way to afterwards."""
        if len(self.frames) > DEEPEST or procedure.name in self.running():
            raise unsupported("procedures that run each other this deep", procedure.span)
        frame = Frame(procedure, len(self.frames), self.locals(procedure, args))
        self.lines.comment("procedure", procedure.name, *procedure.cites, span=procedure.span)
        self.statements.forget_ending(procedure)
        self.counting.entered(procedure)
        if self.statements.work.is_counted_alone(procedure.name):
            self.lines.emit(f"work += {self.statements.work.procedure(procedure.name)}")
        self.frames.append(frame)
        exits = self.after_part(frame, self.body(frame))
        self.counting.leaving(procedure, KILL if KILL in exits else None)
        self.frames.pop()
        return exits

    def locals(self, procedure: Procedure, args: list[Val]) -> Env:
        """A new name for every local of a procedure."""
        env: Env = {}
        for slot, (arg, (_, type)) in enumerate(zip(args, procedure.params, strict=True)):
            name = self.lines.new("p")
            self.lines.emit(f"{name} = {arg.code}")
            env[slot] = Val(name, type, arg.maybe)
        maybe = {slot: val.maybe for slot, val in env.items()}
        for slot, (type, absent) in assigned_slots(procedure, self.game, maybe).items():
            known = env.get(slot)
            env[slot] = Val(known.code if known else self.lines.new("p"), type, absent)
        return env

    def body(self, frame: Frame) -> Exits:
        """Everything but what stands `after`; left through `break` from a loop that turns once."""
        procedure = frame.procedure
        exits = NONE
        with self.lines.aside(self.lines.depth + 1) as lines:
            if procedure.condition is not None:
                with self.lines.still():
                    self.lines.emit(f"if not {self.statements.expressions.truth(procedure.condition, frame.env)}:")
                    self.lines.out.append((self.lines.depth + 1, "break"))
                exits |= {0}
            frame.part = "before"
            for block in procedure.patched.before:
                exits |= self.statements.block(block)
            frame.part = "steps"
            for step in procedure.steps:
                exits |= self.top_step(frame, step)
        self.around(lines, bool(exits))
        if frame.code in exits:  # on its way to this frame from a part before its steps
            self.lines.emit(f"if out == {frame.code}:")
            self.lines.out.append((self.lines.depth + 1, "out = 0"))
        return exits - {frame.code, 0}

    def top_step(self, frame: Frame, step: ir.Step) -> Exits:
        """An outermost step, which is what `end` leaves."""
        with self.lines.aside(self.lines.depth + 1) as lines:
            exits = self.statements.step(step)
        self.around(lines, bool(exits))
        here = {frame.code, KILL} if frame.number == 0 else {frame.code}
        rest = exits - here
        for code in sorted(exits & here):
            self.lines.emit(f"if out == {code}:")
            self.lines.out.append((self.lines.depth + 1, "out = 0"))
        return self.left(rest)

    def around(self, lines: list[Line], left: bool) -> None:
        """A loop that turns once, where something is left by `break`."""
        if not left:
            self.lines.put(lines, -1)
            return
        self.lines.emit("while True:")
        self.lines.put(lines)
        self.lines.out.append((self.lines.depth + 1, "break"))

    def after_part(self, frame: Frame, exits: Exits) -> Exits:
        blocks = frame.procedure.patched.after
        if not blocks:
            return exits
        frame.part = "after"
        frame.waiting = self.lines.new("x")
        killed = KILL in exits
        with self.lines.aside(self.lines.depth + killed) as lines:
            for block in blocks:
                exits |= self.statements.block(block)
        if exits:
            self.lines.emit(f"{frame.waiting} = out")
            self.lines.emit("out = 0")
        if killed:
            self.lines.emit(f"if {frame.waiting} != {KILL}:")
        self.lines.put(lines)
        if exits:
            self.lines.emit(f"out = {frame.waiting}")
        return exits - {frame.code}

    # ---- leaving

    def left(self, exits: Exits) -> Exits:
        """Behind a loop or call that may have been left: leave this loop too, or let it wait."""
        if not exits:
            return exits
        if self.frame.part == "after":
            if KILL in exits:
                raise unsupported("ending the whole game in an `after`", self.frame.procedure.span)
            with self.lines.block("if out != 0:"):
                self.wait("out")
                self.lines.emit("out = 0")
        else:
            self.lines.emit("if out != 0:")
            self.lines.out.append((self.lines.depth + 1, "break"))
        return exits

    def wait(self, code: str) -> None:
        """The outermost of the frames to go to wins."""
        waiting = self.frame.waiting
        if code == str(self.frame.code):
            return
        test = f"{waiting} == 0 or {code} < {waiting}"
        if code == "out":
            test = f"out != {self.frame.code} and ({test})"
        with self.lines.block(f"if {test}:"):
            self.lines.emit(f"{waiting} = {code}")

    def end(self, name: str) -> Exits:
        """Leave the running step of a procedure, or, where it does not run, everything."""
        target = next((f for f in reversed(self.frames) if f.procedure.name == name), None)
        code = EVERYTHING if target is None else target.code
        if target is not None and name == self.game.main and self.frame is not target:
            code = KILL
        if self.frame.part == "after":
            if code == KILL:
                raise unsupported("ending the whole game in an `after`", self.frame.procedure.span)
            self.wait(str(code))
            return frozenset({code})
        self.lines.emit(f"out = {code}")
        self.lines.emit("break")
        return frozenset({code})
