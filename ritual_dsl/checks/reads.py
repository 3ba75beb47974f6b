"""Variables that are read before anything can have set them.

The game is followed from its main procedure, through all it calls, with the variables that may have been set so far:
in a loop also what later steps of it set, and at any time what may happen at any time.
"""

from __future__ import annotations

from ritual_dsl.checks.effects import Effects
from ritual_dsl.diagnostics import Findings
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Procedure
from ritual_dsl.model.walk import walk
from ritual_dsl.source import Span

Cells = frozenset[int]


def early_reads(game: Game, effects: Effects, found: Findings) -> None:
    reader = _Reader(game, effects, found)
    if reader.empty and game.main in game.procedures:
        reader.procedure(game.procedures[game.main], reader.set_at_any_time())
        reader.at_any_time()


class _Reader:
    def __init__(self, game: Game, effects: Effects, found: Findings) -> None:
        self.game = game
        self.effects = effects
        self.found = found
        self.names = {v.cell: v.name for v in game.variables.values()}
        self.empty: Cells = frozenset(
            v.cell for v in game.variables.values() if v.type.optional and v.starts is None and v.owner is None
        )
        self.seen: dict[tuple[str, Cells], Cells] = {}

    def set_at_any_time(self) -> Cells:
        free = [p for p in self.game.procedures.values() if p.any_time or p.watch is not None]
        return frozenset(cell for procedure in free for cell in self.effects.writes(procedure)) & self.empty

    def at_any_time(self) -> None:
        """What happens at any time may come after everything."""
        before = self.set_at_any_time() | (self.effects.writes(self.game.procedures[self.game.main]) & self.empty)
        for procedure in self.game.procedures.values():
            for condition in (procedure.by, procedure.only_when, procedure.watch):
                self.expression(condition, before)
            if procedure.any_time:
                self.procedure(procedure, before)

    def procedure(self, procedure: Procedure, before: Cells) -> Cells:
        """What may be set after it has run."""
        key = (procedure.name, before)
        if key not in self.seen:
            self.seen[key] = before
            after = before
            if procedure.condition is not None:
                self.expression(procedure.condition, after)
            for block in procedure.patched.before:
                after |= self.steps(block.steps, after)
            after |= self.steps(procedure.steps, after)
            for block in procedure.patched.after:
                after |= self.steps(block.steps, after)
            self.seen[key] = after
        return self.seen[key]

    def steps(self, steps: tuple[ir.Step, ...], before: Cells) -> Cells:
        after = before
        for step in steps:
            for block in (*step.patched.before, *step.patched.instead):
                after |= self.steps(block.steps, after)
            after |= self.statement(step.statement, after)
            for block in step.patched.after:
                after |= self.steps(block.steps, after)
        return after

    def statement(self, statement: ir.Statement, before: Cells) -> Cells:
        match statement:
            case ir.When():
                guarded = before | tested(statement.condition)
                self.expression(statement.condition, before)
                return self.steps(statement.steps, guarded) | self.steps(statement.otherwise, guarded)
            case ir.Repeat():
                inside = before | (self.effects.writes(statement.steps) & self.empty)
                if statement.until is not None:
                    self.expression(statement.until, before)
                return self.steps(statement.steps, inside)
            case ir.Each():
                inside = before | (self.effects.writes(statement.steps) & self.empty)
                self.expression(statement.group, before)
                if statement.condition is not None:
                    self.expression(statement.condition, before)
                return self.steps(statement.steps, inside)
            case ir.Choose():
                return self.choose(statement, before)
            case ir.Call() | ir.Fire():
                for arg in statement.args:
                    self.expression(arg, before)
                after = before
                for name in sorted(self.effects.called(statement)):
                    after |= self.procedure(self.game.procedures[name], after)
                return after
            case _:
                self.expression(statement, before)
                return before | (frozenset(self.effects.written(statement)) & self.empty)

    def choose(self, statement: ir.Choose, before: Cells) -> Cells:
        self.expression(statement.actor, before)
        after = before
        for option in statement.options:
            guarded = before
            if option.condition is not None:
                self.expression(option.condition, before)
                guarded |= tested(option.condition)
            after |= self.steps(option.steps, guarded)
        return after

    def expression(self, thing: object, before: Cells) -> None:
        """Report what it reads that nothing can have set; asking whether it is there is not reading."""
        harmless = tested(thing)
        for part in walk(thing):
            if isinstance(part, ir.Read):
                self.report(frozenset({part.cell}) - harmless, before, part.span)
            elif isinstance(part, ir.CallRule):
                self.report(self.effects.of_rule(part.rule) - harmless - self.tested_in(part.rule), before, part.span)

    def tested_in(self, rule: str) -> Cells:
        return tested(self.game.rules[rule])

    def report(self, cells: Cells, before: Cells, span: Span) -> None:
        for cell in sorted((cells & self.empty) - before):
            message = f"`{self.names[cell]}` is read here, and nothing can have set it before"
            self.found.say("RIT428", message, span, help="set it first, or ask whether it `is none`")


def tested(thing: object) -> Cells:
    """The cells of which something asks whether they are absent, or has a value in place."""
    cells: set[int] = set()
    for part in walk(thing):
        asked = part.operand if isinstance(part, ir.IsNone) else part.value if isinstance(part, ir.OrElse) else None
        if isinstance(asked, ir.Read):
            cells.add(asked.cell)
    return frozenset(cells)
