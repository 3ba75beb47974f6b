"""Rules and expressions, evaluated: each expression becomes a function of state and locals.

In: the resolved expressions of a game. Out: their values in a state; with a trace, what decided.
Every rule asked and every member of a group looked at counts as work, and work is limited, so
that no rules text can keep an engine busy for ever.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any, assert_never

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine import groups, operators
from ritual_dsl.engine.deciding import decide
from ritual_dsl.engine.rules import plain_rule
from ritual_dsl.engine.shares import Positions, share, spread
from ritual_dsl.engine.state import State
from ritual_dsl.engine.trace import Trace
from ritual_dsl.engine.witness import FALSE, TRUE, Witness
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Rule
from ritual_dsl.source import Span

Locals = list[Any]
Function = Callable[[State, Locals], Any]
WORK_LIMIT = 5_000_000  # rules asked and members looked at in one run


class Evaluator:
    """The rules of one game as functions, built when first asked for; with a trace or a witness, or without."""

    def __init__(self, game: Game, trace: Trace | None = None, witness: Witness | None = None) -> None:
        self.game = game
        self.trace = trace
        self.witness = witness
        self.work_limit = WORK_LIMIT
        self.attributes = {c.id: c.attributes for c in game.cards.values()}
        self.positions = {d.cell: Positions(game, d.owner) for d in game.declarations if d.owner is not None}
        self.twin: Evaluator | None = None
        self.forget_functions()

    def forget_functions(self) -> None:
        self.rules: dict[str, Function] = {}
        self.holders: dict[tuple[str, str | None], Callable[[State], int | None]] = {}
        self.guards: dict[int, Callable[[State], bool]] = {}
        self.functions: dict[int, Function] = {}
        self.alive: list[object] = []  # keeps the ids in `guards` and `functions` from being used again

    def work(self, state: State, span: Span) -> None:
        state.work += 1
        if state.work > self.work_limit:
            raise self.too_much(span)

    def too_much(self, span: Span) -> RitualError:
        return fail("RIT503", f"more than {self.work_limit:,} questions were asked in one run", span)

    # ---- rules

    def ask(self, rule: Rule, args: tuple[Any, ...], state: State) -> Any:
        """The value of a rule in a state, with its patches."""
        return self.rule(rule)(state, [*args, *(None,) * (rule.slots - len(args))])

    def rule(self, rule: Rule) -> Function:
        """The function of a rule, of its own names, which begin with its inputs."""
        name = rule.name
        function = self.rules.get(name)
        if function is None:
            self.rules[name] = lambda s, x: self.rules[name](s, x)  # for a rule that asks itself, which checks refuse
            function = self.rules[name] = self.build_rule(rule)
        return function

    def build_rule(self, rule: Rule) -> Function:
        plain = plain_rule(rule, self) if self.trace is None and self.witness is None else None
        return plain or (lambda s, x: decide(rule, self, s, x))

    def holds(self, guard: ir.Guard, state: State) -> bool:
        return self.guard(guard)(state)

    def guard(self, guard: ir.Guard) -> Callable[[State], bool]:
        """Whether a patch counts now."""
        function = self.guards.get(id(guard))
        if function is None:
            function = self.guards[id(guard)] = self.build_guard(guard)
            self.alive.append(guard)
        return function

    def build_guard(self, guard: ir.Guard) -> Callable[[State], bool]:
        during = guard.during
        is_held = self.is_held(guard.rule, guard.card) if guard.rule is not None else None

        def holds(state: State) -> bool:
            for procedure in during:
                for frame in state.frames:
                    if frame.procedure == procedure:
                        break
                else:
                    return False
            return is_held is None or is_held(state)

        return holds

    def is_held(self, rule_name: str, card: str | None) -> Callable[[State], bool]:
        holder = self.holder_of(rule_name, card)
        return lambda s: holder(s) is not None

    def holder(self, rule_name: str, card: str | None, state: State) -> int | None:
        """The first seat for which a rule of (card, seat) holds."""
        return self.holder_of(rule_name, card)(state)

    def holder_of(self, rule_name: str, card: str | None) -> Callable[[State], int | None]:
        found = self.holders.get((rule_name, card))
        if found is None:
            found = self.holders[rule_name, card] = self.build_holder(self.game.rules[rule_name], card)
        return found

    def build_holder(self, rule: Rule, card: str | None) -> Callable[[State], int | None]:
        held, rest = self.untraced().rule(rule), [None] * (rule.slots - 2)

        def holder(state: State) -> int | None:
            for seat in range(state.seats):
                if held(state, [card, seat, *rest]):
                    return seat
            return None

        return holder

    def untraced(self) -> Evaluator:
        """For guards, which are no questions: the same rules, of which nobody asks what decided."""
        if self.trace is None:
            return self
        if self.twin is None:
            self.twin = copy.copy(self)
            self.twin.trace = None
            self.twin.forget_functions()
        return self.twin

    # ---- expressions

    def value(self, expr: ir.Expr, state: State, local: Locals) -> Any:
        function = self.functions.get(id(expr))
        if function is None:
            function = self.functions[id(expr)] = self.build(expr)
            self.alive.append(expr)
        return function(state, local)

    def applies(self, condition: ir.Expr, state: State, local: Locals) -> bool:
        value = bool(self.value(condition, state, local))
        if self.witness is not None:
            self.witness.note(condition.span, TRUE if value else FALSE)
        return value

    def decision(self, e: ir.Expr) -> Function:
        """The function of a condition on which something depends."""
        function = self.build(e)
        return function if self.witness is None else self.witness.decision(e.span, function)

    def case(self, e: ir.Expr) -> Function:
        """The function of a value that stands in one row of a table."""
        function = self.build(e)
        return function if self.witness is None else self.witness.taken(e.span, function)

    def build(self, e: ir.Expr) -> Function:
        """The function of an expression. One case for each kind; none has an effect."""
        match e:
            case ir.Const(value=constant):
                return lambda s, x: constant
            case ir.Local(slot=slot):
                return lambda s, x: x[slot]
            case ir.Read(cell=cell, index=index):
                return share(cell, index, self, e.span) if index is not None else (lambda s, x: s.cells[cell])
            case ir.Spread(cell=cell):
                return lambda s, x: spread(s.cells[cell])
            case ir.People(players_only=only):
                people = groups.people
                return (lambda s, x: people(s.players)) if only else (lambda s, x: people(s.seats))
            case ir.Ended(procedure=procedure):
                return lambda s, x: s.ended.get(procedure)
            case ir.Holder(rule=held, card=card):
                holder = self.holder_of(held, card)
                return lambda s, x: holder(s)
            case ir.CallRule(rule=name, args=args):
                return self.call(self.game.rules[name], args)
            case ir.Attribute(card=of, name=attribute):
                card_of, table = self.build(of), self.attributes
                return lambda s, x: None if (c := card_of(s, x)) is None else table[c][attribute]
            case ir.Not(operand=operand):
                inner = self.build(operand)
                return lambda s, x: not inner(s, x)
            case ir.And(left=a, right=b):
                left, right = self.build(a), self.build(b)
                return lambda s, x: left(s, x) and right(s, x)
            case ir.Or(left=a, right=b):
                left, right = self.build(a), self.build(b)
                return lambda s, x: left(s, x) or right(s, x)
            case ir.Compare(operator=operator, left=a, right=b):
                return operators.compare(operator, self.build(a), b, self, e.span)
            case ir.Arithmetic(operator=operator, left=a, right=b):
                return operators.arithmetic(operator, self.build(a), self.build(b), e.span)
            case ir.Builtin(name=name, args=args):
                one, two = (self.build(a) for a in args)
                if name == "min":
                    return lambda s, x: min(one(s, x), two(s, x))
                return lambda s, x: max(one(s, x), two(s, x))
            case ir.IsNone(operand=operand):
                inner = self.build(operand)
                return lambda s, x: inner(s, x) is None
            case ir.IsEmpty(operand=operand):
                inner = self.build(operand)
                return lambda s, x: not inner(s, x)
            case ir.Within(element=element, group=group):
                one, many = self.build(element), self.build(group)
                return lambda s, x: one(s, x) in many(s, x)
            case ir.Size(group=group):
                many = self.build(group)
                return lambda s, x: len(many(s, x))
            case ir.Top(pile=pile):
                many = self.build(pile)
                return lambda s, x: p[0] if (p := many(s, x)) else None
            case ir.Without():
                return groups.without(e, self)
            case ir.Quantified():
                return groups.quantified(e, self)
            case ir.Aggregate():
                return groups.aggregate(e, self)
            case ir.First():
                return groups.first(e, self)
            case ir.Cases(rows=rows, otherwise=last):
                return cases([(self.build(c), self.case(v)) for c, v in rows], self.case(last))
            case ir.OrElse(value=a, fallback=b):
                left, right = self.build(a), self.build(b)
                if self.witness is not None:
                    left = self.witness.fallback(a.span, left)
                return lambda s, x: right(s, x) if (v := left(s, x)) is None else v
            case _:
                assert_never(e)

    def call(self, rule: Rule, args: tuple[ir.Expr, ...]) -> Function:
        """A rule asked: its names are its inputs, and room for those of its own."""
        asked, rest = self.rule(rule), (None,) * (rule.slots - len(args))
        match args:
            case (ir.Local(slot=slot),):
                return (lambda s, x: asked(s, [x[slot], *rest])) if rest else (lambda s, x: asked(s, [x[slot]]))
            case (only,):
                one = self.build(only)
                return lambda s, x: asked(s, [one(s, x), *rest])
            case _:
                inputs = [self.build(a) for a in args]
                return lambda s, x: asked(s, [*[f(s, x) for f in inputs], *rest])

    def members(self, group: ir.Expr) -> Callable[[State, Locals], Iterable[Any]]:
        """The members of a group in their fixed order: seats clockwise, numbers upward, names by the alphabet."""
        if isinstance(group, ir.People):
            return (lambda s, x: range(s.players)) if group.players_only else (lambda s, x: range(s.seats))
        many = self.build(group)
        if group.type.kind == "pile":
            return lambda s, x: list(many(s, x))
        return lambda s, x: sorted(many(s, x))


def cases(rows: list[tuple[Function, Function]], otherwise: Function) -> Function:
    """The value of the first row whose condition holds."""
    if len(rows) == 1:
        ((condition, result),) = rows
        return lambda s, x: result(s, x) if condition(s, x) else otherwise(s, x)

    def look_up(s: State, x: Locals) -> Any:
        for condition, result in rows:
            if condition(s, x):
                return result(s, x)
        return otherwise(s, x)

    return look_up
