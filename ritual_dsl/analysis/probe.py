"""A machine for asking one procedure about very many states.

In: a game, and what is dealt from piles whose order nobody has settled. Out: `Probe.outcome`: a procedure, run.
A rule is worked out once for each state it is asked in. Whatever would make the order of seats or values matter is
noticed while it happens, so that exchanging them is never assumed, only used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.cards import Which, top_of
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.evaluate import Evaluator, Function, Locals
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.engine.trace import Trace
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Odds, Rule, Zone
from ritual_dsl.source import Span

MOST_WORK = 60_000_000  # questions of all runs of one probe


class OrderMatters(Exception):
    """The rules have asked something whose answer depends on the order of seats or values."""


class TooMuch(RitualError):
    """So many questions that the answer would take too long."""


class Probe(Machine):
    def __init__(self, game: Game, odds: Odds, exchanging: bool, trace: Trace | None = None) -> None:
        super().__init__(game, keeps_log=False)  # nobody looks on
        self.hidden = frozenset(deal.pile.cell for deal in odds.deals)
        self.dealt = frozenset(deal.zone.cell for deal in odds.deals)
        self.exchanging = exchanging
        self.spent = 0
        self.depth = 0  # 1 within a rule, -1 where a report asks
        self.evaluator: ProbeEvaluator = ProbeEvaluator(game, self, trace)

    def outcome(self, state: State, procedure: str | None) -> State:
        """The state after a procedure, which still counts as running, so that its `during` holds."""
        self.evaluator.forget()
        self.touched.clear()
        if self.spent > MOST_WORK:
            message = f"more than {MOST_WORK:,} questions were asked, and not all deals have been run"
            raise TooMuch(fail("RIT641", message).diagnostics)
        if procedure is None:
            return state
        self.enter(state, procedure, ())
        started = state.frames[-1]
        try:
            self.advance(state)
        finally:
            self.spent += state.work
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
            self.evaluator.now.clear()
            if self.touched:
                self.run_watches(state)
            frame = frames[-1]
            instruction = self.code(frame.procedure).instructions[frame.position]
            frame.position += 1
            instruction(state, frame)

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        def run(state: State, frame: Frame) -> None:
            raise fail("RIT642", "this is chance, and every deal would have to be split further", statement.span)

        return run

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        raise fail("RIT642", "this is chance, and every deal would have to be split further", span)

    def take(self, zone: Zone, owner: int | None, state: State, span: Span, which: Which) -> str:
        if which is top_of and not zone.single:
            self.look_at_order(zone.cell, span)
        return super().take(zone, owner, state, span, which)

    def look_at_order(self, cell: int, span: Span) -> None:
        """A rule wants to know what lies where in a pile."""
        if cell in self.hidden:
            message = f"the order of `{self.zones[cell].name}` is not settled: only what is dealt from it is"
            raise fail("RIT642", message, span)
        if cell in self.dealt and self.exchanging:
            raise OrderMatters

    def open_each(self, statement: ir.Each) -> Instruction:
        members = self.evaluator.members(statement.group)
        ordered = statement.group.type.kind != "number"

        def run(state: State, frame: Frame) -> None:
            found = list(members(state, frame.local))
            if isinstance(statement.group, ir.Read) and len(found) > 1:
                self.look_at_order(statement.group.cell, statement.span)
            if ordered and self.exchanging and len(found) > 1:
                raise OrderMatters
            frame.local[statement.rest] = found

        return run


class ProbeEvaluator(Evaluator):
    def __init__(self, game: Game, probe: Probe, trace: Trace | None) -> None:
        super().__init__(game, trace)
        self.probe = probe
        self.exchanging = probe.exchanging
        self.now: dict[Any, Any] = {}  # what is known of the state as it is
        self.last: dict[Any, Any] = {}  # what the procedure was told last

    def forget(self) -> None:
        self.now.clear()
        self.last.clear()

    def reported(self, expr: ir.Expr, state: State, local: Locals) -> Any:
        """A value at the end; a rule asked right here is as the procedure last asked it, as in scenarios."""
        self.probe.depth = -1
        try:
            return self.value(expr, state, local)
        finally:
            self.probe.depth = 0

    def build_rule(self, rule: Rule) -> Function:
        name, inputs, asked, probe = rule.name, len(rule.params), super().build_rule(rule), self.probe

        def once(state: State, local: Locals) -> Any:
            key = (name, *local[:inputs])
            depth = probe.depth
            if depth < 0 and key in self.last:
                return self.last[key]
            if key in self.now:
                return self.now[key]
            probe.depth = 1
            value = asked(state, local)
            probe.depth = depth
            self.now[key] = value
            if depth >= 0:
                self.last[key] = value
            return value

        return once

    def build_holder(self, rule: Rule, card: str | None) -> Callable[[State], int | None]:
        """Which of several comes first, the order of seats decides."""
        holders = self.holders_of(rule, card)

        def holder(state: State) -> int | None:
            found = holders(state)
            if self.exchanging and len(found) > 1:
                raise OrderMatters
            return found[0] if found else None

        return holder

    def is_held(self, rule_name: str, card: str | None) -> Callable[[State], bool]:
        holders = self.holders_of(self.game.rules[rule_name], card)
        return lambda s: bool(holders(s))

    def holders_of(self, rule: Rule, card: str | None) -> Callable[[State], list[int]]:
        key, held, rest = ("holders of", rule.name, card), self.untraced().rule(rule), (None,) * (rule.slots - 2)

        def holders(state: State) -> list[int]:
            found: list[int] | None = self.now.get(key)
            if found is None:
                found = self.now[key] = [seat for seat in range(state.seats) if held(state, [card, seat, *rest])]
            return found

        return holders

    def build(self, e: ir.Expr) -> Function:
        function = super().build(e)
        match e:
            case ir.Top(pile=ir.Read(cell=cell)):

                def top(s: State, x: Locals) -> Any:
                    self.probe.look_at_order(cell, e.span)
                    return function(s, x)

                return top
            case ir.First(group=group):
                members = self.members(group)

                def first(s: State, x: Locals) -> Any:
                    if self.exchanging and len(list(members(s, x))) > 1:
                        raise OrderMatters
                    return function(s, x)

                return first
            case _:
                return function
