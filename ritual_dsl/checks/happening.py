"""Steps, options and patches that can never happen, and choices that may have no option.

Steps are followed with what is known to hold where they stand: the conditions around them, as long as nothing they
read has changed since.
"""

from __future__ import annotations

from ritual_dsl.checks.calls import reachable
from ritual_dsl.checks.effects import Effects
from ritual_dsl.checks.reasoner import Reasoner, Wanted
from ritual_dsl.diagnostics import Findings
from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Entry, Game, Procedure, Rule
from ritual_dsl.model.types import TRUTH
from ritual_dsl.model.walk import rules_used, walk

Facts = tuple[Wanted, ...]


def idle_steps(game: Game, reasoner: Reasoner, effects: Effects, found: Findings) -> None:
    steps = _Steps(game, reasoner, effects, found)
    for procedure in game.procedures.values():
        steps.procedure(procedure)


def idle_patches(game: Game, reasoner: Reasoner, found: Findings) -> None:
    """A patch counts only while its rule is asked during the procedure it names, and if its condition can hold."""
    asked: dict[str, set[str]] = {}
    for rule in game.rules.values():
        for clause in rule.clauses:
            for entry in (*clause.entries, *clause.limits):
                for during in entry.guard.during:
                    if during not in asked:
                        asked[during] = rules_asked(during, game)
                    if rule.name not in asked[during]:
                        message = f"this never counts: `{rule.name}` is not asked during `{during}`"
                        found.say("RIT423", message, entry.span)
                limit_condition(rule, clause, entry, reasoner, found)


def limit_condition(rule: Rule, clause: Clause, entry: Entry, reasoner: Reasoner, found: Findings) -> None:
    if entry.condition is not None and reasoner.can_hold((entry.condition, True)).never:
        message = f"this patch of `{rule.name}.{clause.label}` never counts: its condition can never hold"
        found.say("RIT423", message, entry.condition.span)


def rules_asked(during: str, game: Game) -> set[str]:
    """Every rule that something may ask while a procedure runs."""
    todo = [rule for name in reachable(during, game) for rule in rules_used(game.procedures[name])]
    asked: set[str] = set()
    while todo:
        rule = todo.pop()
        if rule not in asked:
            asked.add(rule)
            todo += rules_used(game.rules[rule])
    return asked


class _Steps:
    """Follows the steps of every procedure."""

    def __init__(self, game: Game, reasoner: Reasoner, effects: Effects, found: Findings) -> None:
        self.game = game
        self.reasoner = reasoner
        self.effects = effects
        self.found = found
        self.home = ""

    def never(self, facts: Facts, condition: ir.Expr, wanted: bool = True) -> bool:
        return not isinstance(condition, ir.Const) and self.reasoner.can_hold(*facts, (condition, wanted)).never

    def procedure(self, procedure: Procedure) -> None:
        self.home = procedure.name
        for condition in (procedure.condition, procedure.only_when, procedure.watch):
            if condition is not None and self.never((), condition):
                self.found.say("RIT424", "this never happens: its condition can never hold", condition.span)
        for block in (*procedure.patched.before, *procedure.patched.after):
            self.block(block)
        self.steps(procedure.steps, (), outermost=True)

    def block(self, block: ir.Block) -> None:
        if block.condition is not None and self.never((), block.condition):
            self.found.say("RIT423", "this patch never counts: its condition can never hold", block.condition.span)
        self.steps(block.steps, ())

    def steps(self, steps: tuple[ir.Step, ...], facts: Facts, outermost: bool = False) -> None:
        for i, step in enumerate(steps):
            patched = step.patched
            for block in (*patched.before, *patched.instead, *patched.after):
                self.block(block)
            facts = () if patched != ir.Patched() else facts
            self.statement(step.statement, facts)
            facts = self.still(facts, step.statement)
            if i + 1 < len(steps) and self.leaves(step, outermost):
                self.found.say("RIT424", "this is never reached: the step before it leaves", steps[i + 1].span)
                return

    def leaves(self, step: ir.Step, outermost: bool) -> bool:
        """`stop` always goes elsewhere; `end` too, but for the outermost steps of the procedure it ends."""
        own = isinstance(step.statement, ir.End) and step.statement.procedure == self.home and outermost
        return isinstance(step.statement, ir.Stop | ir.End) and not own and not step.patched.instead

    def still(self, facts: Facts, statement: ir.Statement) -> Facts:
        """The facts that a step leaves as they were."""
        compound = ir.Call | ir.Fire | ir.When | ir.Repeat | ir.Each | ir.Choose | ir.End
        if isinstance(statement, compound) or not facts:
            return ()
        cells = frozenset(self.effects.written(statement))
        slots = {p.place.slot for p in walk(statement) if isinstance(p, ir.Assign | ir.ChangeSet)} - {None}
        return tuple(f for f in facts if cells.isdisjoint(self.effects.reads(f[0])) and not reads_slot(f[0], slots))

    def statement(self, statement: ir.Statement, facts: Facts) -> None:
        match statement:
            case ir.When(condition=condition):
                if self.never(facts, condition):
                    self.found.say("RIT424", "these steps never happen: the condition can never hold", condition.span)
                elif statement.otherwise and self.never(facts, condition, False):
                    self.found.say("RIT424", "what is `otherwise` never happens: this always holds", condition.span)
                self.steps(statement.steps, (*facts, (condition, True)))
                self.steps(statement.otherwise, (*facts, (condition, False)))
            case ir.Each() | ir.Change():
                if statement.condition is not None and self.never((), statement.condition):
                    message = "this happens to nobody: the condition can never hold"
                    self.found.say("RIT424", message, statement.condition.span)
                if isinstance(statement, ir.Each):
                    self.steps(statement.steps, ())
            case ir.Repeat():
                self.steps(statement.steps, ())
            case ir.Choose():
                self.choose(statement, facts)
            case ir.Assign(value=ir.Asked() as asked):
                self.asked(asked, facts)
            case _:
                pass

    def choose(self, statement: ir.Choose, facts: Facts) -> None:
        conditions = [option.condition for option in statement.options]
        for option in statement.options:
            if option.condition is not None and self.never(facts, option.condition):
                message = f"nobody can ever choose `{option.name}`: its condition can never hold"
                self.found.say("RIT425", message, option.condition.span)
            mine = (*facts, (option.condition, True)) if option.condition is not None else facts
            self.steps(option.steps, mine)
        if None in conditions:
            return
        nothing = tuple((condition, False) for condition in conditions if condition is not None)
        verdict = self.reasoner.can_hold(*facts, *nothing)
        if verdict.example is not None:
            message = f"the choice `{statement.label}` has no option when {verdict.example}"
            self.found.say("RIT426", message, statement.span, help="let one option have no condition")

    def asked(self, asked: ir.Asked, facts: Facts) -> None:
        """A choice from a group: proven to have an option, proven to have none, or not decided."""
        empty = ir.IsEmpty(asked.group.span, TRUTH, asked.group)
        if asked.may or (asked.condition is None and self.reasoner.intervals.least(asked.group) > 0):
            return
        if self.reasoner.can_hold(*facts, (empty, False)).never:
            self.found.say("RIT426", f"the choice `{asked.label}` never has an option", asked.group.span)
        elif asked.condition is not None or not self.reasoner.can_hold(*facts, (empty, True)).never:
            self.reasoner.open_ends.add(asked.span)


def reads_slot(condition: ir.Expr, slots: set[int | None]) -> bool:
    return any(isinstance(part, ir.Local) and part.slot in slots for part in walk(condition))
