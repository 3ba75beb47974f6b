"""The machine: runs the procedures of a game, step by step.

In: a game. Out: `advance`, which runs a state up to the next choice, and `answer`. What each step does stands in
`cards`, `values`, `choices` and `loops`. The machine holds nothing of a game in play but the choice that waits;
everything else is in the `State`.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.engine.bookkeeping import Pinned
from ritual_dsl.engine.cards import CardSteps
from ritual_dsl.engine.choices import Choice, ChoiceSteps
from ritual_dsl.engine.code import Code, Instruction, compile_procedure
from ritual_dsl.engine.loops import LoopSteps
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.engine.trace import Happening, Trace
from ritual_dsl.engine.witness import Witness
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game


class Machine(CardSteps, ChoiceSteps, LoopSteps):
    def __init__(
        self,
        game: Game,
        trace: Trace | None = None,
        pinned: Pinned | None = None,
        witness: Witness | None = None,
        keeps_log: bool = True,
    ) -> None:
        super().__init__(game, trace, pinned, witness, keeps_log)
        self.codes: dict[str, Code] = {}
        self.choice: Choice | None = None
        self.asked: list[Choice] = []

    def code(self, procedure: str) -> Code:
        code = self.codes.get(procedure)
        if code is None:
            code = self.codes[procedure] = compile_procedure(self.game.procedures[procedure], self)
        return code

    def forget(self) -> None:
        """Ready for another game: nothing of the last one is left."""
        self.choice = None
        self.touched.clear()
        self.asked.clear()

    # ---- running

    def advance(self, state: State) -> None:
        """Run until a choice waits or nothing is left to run."""
        frames = state.frames
        self.choice = None
        while frames and self.choice is None:
            if self.touched:
                self.run_watches(state)
            frame, touched = frames[-1], self.touched
            instructions = self.code(frame.procedure).instructions
            elsewhere = None
            while not (elsewhere or touched):
                position = frame.position
                frame.position = position + 1
                elsewhere = instructions[position](state, frame)

    def run_watches(self, state: State) -> None:
        """What should happen as soon as its condition holds, in the order of the rules."""
        touched, self.touched = self.touched, set()
        for procedure, cells in reversed(self.watches):
            if not cells.isdisjoint(touched) and procedure.watch is not None:
                self.evaluator.work(state, procedure.span)
                if self.evaluator.applies(procedure.watch, state, [None] * procedure.slots):
                    self.enter(state, procedure.name, ())

    def answer(self, state: State, option: Any) -> None:
        """Take the answer to the waiting choice and go on."""
        assert self.choice is not None
        frame, mark = state.frames[-1], len(state.log)
        question = self.code(frame.procedure).questions[frame.position]
        choice, self.choice = self.choice, None
        frame.position += 1
        question.accept(state, frame, choice, option)
        if self.trace is not None:
            self.account(state, frame, frame.position - 1, mark)
        self.advance(state)

    # ---- the account of a run

    def accounted(self, instruction: Instruction, position: int) -> Instruction:
        """The same instruction; for the trace, what it did."""

        def run(state: State, frame: Frame) -> bool | None:
            mark = len(state.log)
            elsewhere = instruction(state, frame)
            self.account(state, frame, position, mark)
            return elsewhere

        return run

    def account(self, state: State, frame: Frame, position: int, mark: int) -> None:
        """What an instruction did, where it did something."""
        trace = self.trace
        assert trace is not None
        cause = self.code(frame.procedure).causes.get(position)
        asked, trace.top = trace.top, []
        if len(state.log) > mark and cause is not None:
            guard = cause.patch.guard if cause.patch is not None else ir.Guard()
            holder = self.evaluator.holder(guard.rule, guard.card, state) if guard.rule is not None else None
            events = tuple(state.log[mark:])
            depth = next((i for i, other in enumerate(state.frames) if other is frame), len(state.frames))
            trace.happened.append(Happening(cause, (*state.frames[:depth], frame), events, asked, holder))

    # ---- procedures

    def enter(self, state: State, procedure: str, args: tuple[Any, ...]) -> None:
        slots = self.game.procedures[procedure].slots
        state.ended.pop(procedure, None)
        state.frames.append(Frame(procedure, 0, [*args, *(None,) * (slots - len(args))]))
        if self.recorder is not None:
            self.recorder.entered(procedure)

    def leave(self, state: State, frame: Frame) -> bool:
        if self.recorder is not None:
            self.recorder.leaving(state, frame)
        state.frames.pop()
        return True

    def call(self, statement: ir.Call) -> Instruction:
        procedure, inputs = statement.procedure, [self.evaluator.build(a) for a in statement.args]

        def call(state: State, frame: Frame) -> bool:
            self.enter(state, procedure, tuple([f(state, frame.local) for f in inputs]))
            return True

        return call

    def fire(self, statement: ir.Fire) -> Instruction:
        inputs = [self.evaluator.build(a) for a in statement.args]
        signal = self.game.signals[statement.signal]
        at = signal.card_param
        handlers = [self.game.procedures[name] for name in reversed(signal.handlers)]

        def fire(state: State, frame: Frame) -> bool:
            values = tuple([f(state, frame.local) for f in inputs])
            for handler in handlers:
                if handler.card is None or (at is not None and values[at] == handler.card):
                    self.enter(state, handler.name, values)
            return True

        return fire

    def end(self, statement: ir.End) -> Instruction:
        """Leave the running step of a procedure, or, where it does not run, what was started first."""
        name, how = statement.procedure, statement.how

        def end(state: State, frame: Frame) -> bool:
            state.ended[name] = how
            self.note(state, "ended", name, how)
            frames = state.frames
            target = next((i for i in range(len(frames) - 1, -1, -1) if frames[i].procedure == name), -1)
            if target >= 0 and name == self.game.main:
                del frames[target + 1 :]
            for above in frames[target + 1 :]:
                above.position = max(above.position, self.code(above.procedure).after)
            if target >= 0:
                code = self.code(name)
                here = frames[target].position - 1
                running = next((end for start, end in code.steps if start <= here < end), None)
                frames[target].position = running if running is not None else max(here + 1, code.after)
            return True

        return end
