"""A machine for asking one procedure about very many states.

In: a game, and the piles whose order nobody has settled. Out: `Probe.outcome`, which runs a procedure to its end.
A rule is worked out once for each state it is asked in. Whatever would make the order of seats or values matter is
noticed while it happens, so that exchanging them is never assumed, only used.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.evaluate import Evaluator, Function, Locals
from ritual_dsl.engine.machine import Machine, Which
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Rule, Zone
from ritual_dsl.source import Span


class OrderMatters(Exception):
    """The rules have asked something whose answer depends on the order of seats or values."""


class Probe(Machine):
    def __init__(self, game: Game, hidden: frozenset[int], exchanging: bool) -> None:
        super().__init__(game)
        self.hidden = hidden
        self.exchanging = exchanging
        self.evaluator: ProbeEvaluator = ProbeEvaluator(game, hidden, exchanging)

    def outcome(self, state: State, procedure: str | None) -> State:
        """The state after a procedure, which still counts as running, so that its `during` holds."""
        self.evaluator.forget()
        if procedure is None:
            return state
        self.enter(state, procedure, ())
        started = state.frames[-1]
        self.advance(state)
        if self.choice is not None:
            message = f"`{procedure}` asks `{self.choice.label}`, and nobody is there to answer"
            raise fail("RIT642", message, self.choice.span)
        state.frames = [started]
        self.evaluator.now.clear()
        return state

    def advance(self, state: State) -> None:
        frames = state.frames
        self.choice = None
        while frames and self.choice is None:
            if self.touched:
                self.run_watches(state)
            frame = frames[-1]
            instruction = self.code(frame.procedure).instructions[frame.position]
            frame.position += 1
            self.evaluator.now.clear()
            instruction(state, frame)

    def note(self, state: State, kind: str, *public: Any, **seen: Any) -> None:
        """Nobody looks on."""

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        def run(state: State, frame: Frame) -> None:
            raise fail("RIT642", "this is chance, and every deal would have to be split further", statement.span)

        return run

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        raise fail("RIT642", "this is chance, and every deal would have to be split further", span)

    def take(self, zone: Zone, owner: int | None, state: State, span: Span, which: Which) -> str:
        if zone.cell in self.hidden:
            raise unsettled(zone.name, span)
        return super().take(zone, owner, state, span, which)

    def open_each(self, statement: ir.Each) -> Instruction:
        members = self.evaluator.members(statement.group)
        ordered = statement.group.type.kind != "number"

        def run(state: State, frame: Frame) -> None:
            found = list(members(state, frame.local))
            if ordered and self.exchanging and len(found) > 1:
                raise OrderMatters
            frame.local[statement.rest] = found

        return run


class ProbeEvaluator(Evaluator):
    def __init__(self, game: Game, hidden: frozenset[int], exchanging: bool) -> None:
        super().__init__(game)
        self.hidden = hidden
        self.exchanging = exchanging
        self.now: dict[Any, Any] = {}  # what is known of the state as it is
        self.last: dict[Any, Any] = {}  # what the procedure was told last
        self.depth = 0

    def forget(self) -> None:
        self.now.clear()
        self.last.clear()

    def reported(self, expr: ir.Expr, state: State, local: Locals) -> Any:
        """A value at the end; a rule asked right here is as the procedure last asked it, as in scenarios."""
        self.depth = -1
        try:
            return self.value(expr, state, local)
        finally:
            self.depth = 0

    def ask(self, rule: Rule, args: tuple[Any, ...], state: State) -> Any:
        key = (rule.name, args)
        if self.depth < 0 and key in self.last:
            return self.last[key]
        if key in self.now:
            return self.now[key]
        before, self.depth = self.depth, 1
        value = super().ask(rule, args, state)
        self.depth = before
        self.now[key] = value
        if before >= 0:
            self.last[key] = value
        return value

    def holder(self, rule_name: str, card: str | None, state: State) -> int | None:
        key = (rule_name, card, "holder")
        if key not in self.now:
            rule = self.game.rules[rule_name]
            found = [seat for seat in range(state.seats) if self.ask(rule, (card, seat), state)]
            if self.exchanging and len(found) > 1:
                raise OrderMatters
            self.now[key] = found[0] if found else None
        seat: int | None = self.now[key]
        return seat

    def build(self, e: ir.Expr) -> Function:
        match e:
            case ir.Top(pile=ir.Read(cell=cell)) if cell in self.hidden:
                return lambda s, x: refuse(unsettled(self.pile_name(cell), e.span))
            case _:
                return super().build(e)

    def first(self, e: ir.First) -> Function:
        members, function = self.members(e.group), super().first(e)

        def first(s: State, x: Locals) -> Any:
            if self.exchanging and len(list(members(s, x))) > 1:
                raise OrderMatters
            return function(s, x)

        return first

    def pile_name(self, cell: int) -> str:
        return next(zone.name for zone in self.game.zones.values() if zone.cell == cell)


def unsettled(pile: str, span: Span) -> RitualError:
    return fail("RIT642", f"the order of `{pile}` is not settled: only what is dealt from it is", span)


def refuse(error: RitualError) -> Any:
    raise error
