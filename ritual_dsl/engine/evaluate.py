"""Rules and expressions, evaluated: each expression becomes a function of state and locals.

In: the resolved expressions of a game. Out: their values in a state; with a trace, what decided.
Every rule asked and every member of a group looked at counts as work, and work is limited, so
that no rules text can keep an engine busy for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ritual_dsl.diagnostics import Diagnostic, Related, RitualError, fail
from ritual_dsl.engine.quick import Asked, quick_rule
from ritual_dsl.engine.state import State
from ritual_dsl.engine.trace import Decided, Trace
from ritual_dsl.engine.witness import FALSE, RAN, TRUE, Witness
from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Entry, Game, Rule, rivals
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

Locals = list[Any]
Function = Callable[[State, Locals], Any]
WORK_LIMIT = 5_000_000  # rules asked and members looked at in one run


class Evaluator:
    """The rules of one game as functions, built when first asked for."""

    def __init__(self, game: Game, trace: Trace | None = None, witness: Witness | None = None) -> None:
        self.game = game
        self.trace = trace
        self.witness = witness
        self.work_limit = WORK_LIMIT
        self.functions: dict[int, Function] = {}
        self.quick: dict[str, Asked] = {}  # rules for when nobody asks what decided
        self.alive: list[ir.Expr] = []  # keeps the ids in `functions` from being used again
        self.attributes = {c.id: c.attributes for c in game.cards.values()}
        self.positions = {d.cell: Positions(game, d.owner) for d in game.declarations if d.owner is not None}

    def work(self, state: State, span: Span) -> None:
        state.work += 1
        if state.work > self.work_limit:
            raise fail("RIT503", f"more than {self.work_limit:,} questions were asked in one run", span)

    # ---- rules

    def ask(self, rule: Rule, args: tuple[Any, ...], state: State) -> Any:
        """The value of a rule in a state, with its patches."""
        if self.trace is None and self.witness is None:
            quick = self.quick.get(rule.name)
            if quick is None:
                quick = self.quick[rule.name] = quick_rule(rule, self)
            return quick(args, state)
        return self.ask_fully(rule, args, state)

    def ask_fully(self, rule: Rule, args: tuple[Any, ...], state: State) -> Any:
        self.work(state, rule.span)
        evaluation = self.trace.begin(rule, args) if self.trace is not None else None
        local = [*args, *(None,) * (rule.slots - len(args))]
        decided: list[Decided] = []
        for clause in rule.clauses:
            entry = self.active(clause.entries, clause, state, local)
            if entry is None:
                continue
            if self.witness is not None:
                self.witness.note(entry.span, RAN)
            if entry.body is None:
                continue
            found = Decided(rule.name, clause, entry, self.value(entry.body, state, local))
            if self.trace is not None and entry.guard.rule is not None:
                found.holder = self.holder(entry.guard.rule, entry.guard.card, state)
            decided.append(found)
            if self.witness is not None and rule.type.kind == "truth":
                self.witness.note(entry.span, TRUE if found.value else FALSE)
            if self.trace is None and rule.combination != "value" and found.value is (rule.combination == "any"):
                break
        value = self.combine(rule, decided, state, local)
        if evaluation is not None and self.trace is not None:
            evaluation.decided = decided
            self.trace.finish(evaluation, value)
        return value

    def combine(self, rule: Rule, decided: list[Decided], state: State, local: Locals) -> Any:
        if rule.combination == "value":
            if not decided:
                raise fail("RIT504", f"`{rule.name}` has no clause that counts now", rule.span)
            return self.limited(rule, decided, state, local)
        values = [d.value for d in decided]
        any_of = rule.combination == "any"
        value = any(values) if any_of else all(values)
        for d in decided:  # the true clauses of a true `any of`, all of a false one; mirrored for `all of`
            d.decides = value is not any_of or d.value is any_of
        return value

    def limited(self, rule: Rule, decided: list[Decided], state: State, local: Locals) -> Any:
        """Every limit that counts now applies last, and the smallest wins."""
        value = decided[0].value
        clause = decided[0].clause
        lowest: Decided | None = None
        for entry in clause.limits:
            chosen = self.active((entry,), clause, state, local)
            if chosen is None:
                continue
            if self.witness is not None:
                self.witness.note(chosen.span, RAN)
            if chosen.body is None or (entry.condition is not None and not self.applies(entry.condition, state, local)):
                continue
            bound = self.value(chosen.body, state, local)
            if bound < value:
                value = bound
                lowest = Decided(rule.name, clause, entry, bound, limit=True)
        if lowest is not None:
            decided.append(lowest)
        return value

    def active(self, entries: tuple[Entry, ...], clause: Clause, state: State, local: Locals) -> Entry | None:
        """The topmost entry whose guard holds, as the topmost patch of that patch has it."""
        for position in range(len(entries) - 1, -1, -1):
            entry = entries[position]
            if entry.guard and not self.holds(entry.guard, state):
                continue
            if position and entry.origin and len(entries) > 2:
                self.refuse_rival(entries[:position], entry, state)
            return self.active(entry.overrides, clause, state, local) or entry if entry.overrides else entry
        return None

    def refuse_rival(self, below: tuple[Entry, ...], entry: Entry, state: State) -> None:
        """Two patches of one layer must not hold together, unless they say the same."""
        for other in below:
            if rivals(other, entry) and other.body != entry.body and self.holds(other.guard, state):
                first = Related("the other patch", other.span)
                message = f"`{entry.origin}` and `{other.origin}` both patch this, and both hold now"
                raise RitualError([Diagnostic("RIT508", message, entry.span, None, (first,))])

    def holds(self, guard: ir.Guard, state: State) -> bool:
        for procedure in guard.during:
            for frame in state.frames:
                if frame.procedure == procedure:
                    break
            else:
                return False
        return guard.rule is None or self.is_held(guard.rule, guard.card, state)

    def is_held(self, rule_name: str, card: str | None, state: State) -> bool:
        return self.holder(rule_name, card, state) is not None

    def holder(self, rule_name: str, card: str | None, state: State) -> int | None:
        """The first seat for which a rule of (card, seat) holds. Not traced: it is a guard, not a question."""
        rule = self.game.rules[rule_name]
        trace, self.trace = self.trace, None
        try:
            for seat in range(state.seats):
                if self.ask(rule, (card, seat), state):
                    return seat
            return None
        finally:
            self.trace = trace

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
            case ir.Read(cell=cell, index=None):
                return lambda s, x: s.cells[cell]
            case ir.Read(cell=cell, index=index) if index is not None:
                return self.share(cell, self.build(index), e.span)
            case ir.Spread(cell=cell):
                return lambda s, x: spread(s.cells[cell])
            case ir.People(players_only=only):
                return lambda s, x: frozenset(range(s.players if only else s.seats))
            case ir.Ended(procedure=procedure):
                return lambda s, x: s.ended.get(procedure)
            case ir.Holder(rule=held, card=card):
                return lambda s, x: self.holder(held, card, s)
            case ir.CallRule(rule=name, args=args):
                rule, functions = self.game.rules[name], [self.build(a) for a in args]
                return lambda s, x: self.ask(rule, tuple(f(s, x) for f in functions), s)
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
            case ir.Compare():
                return self.compare(e)
            case ir.Arithmetic(operator=operator, left=a, right=b):
                return arithmetic(operator, self.build(a), self.build(b), e.span)
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
            case ir.Without(group=group, element=element):
                return self.without(group, element)
            case ir.Quantified():
                return self.quantified(e)
            case ir.Aggregate():
                return self.aggregate(e)
            case ir.First():
                return self.first(e)
            case ir.Cases(rows=rows, otherwise=last):
                pairs = [(self.build(c), self.case(v)) for c, v in rows]
                default = self.case(last)

                def cases(s: State, x: Locals) -> Any:
                    for condition, result in pairs:
                        if condition(s, x):
                            return result(s, x)
                    return default(s, x)

                return cases
            case ir.OrElse(value=a, fallback=b):
                left, right = self.build(a), self.build(b)
                if self.witness is not None:
                    left = self.witness.fallback(a.span, left)
                return lambda s, x: right(s, x) if (v := left(s, x)) is None else v
            case _:
                raise AssertionError(f"not an expression: {e}")

    def share(self, cell: int, at: Function, span: Span) -> Function:
        positions = self.positions[cell]
        if positions.table is not None or positions.first:
            return lambda s, x: (shares := s.cells[cell])[positions.of(at(s, x), shares, span)]

        def read(s: State, x: Locals) -> Any:
            shares, owner = s.cells[cell], at(s, x)
            if owner is None or owner >= len(shares):
                positions.of(owner, shares, span)
            return shares[owner]

        return read

    def compare(self, e: ir.Compare) -> Function:
        left, right = self.build(e.left), self.build(e.right)
        match e.operator:
            case "=":  # an absent value equals nothing
                return lambda s, x: (v := left(s, x)) is not None and v == right(s, x)
            case "!=":
                return lambda s, x: (v := left(s, x)) is None or v != right(s, x)
            case "<":
                return lambda s, x: number(left(s, x), e.span) < number(right(s, x), e.span)
            case "<=":
                return lambda s, x: number(left(s, x), e.span) <= number(right(s, x), e.span)
            case ">":
                return lambda s, x: number(left(s, x), e.span) > number(right(s, x), e.span)
            case _:
                return lambda s, x: number(left(s, x), e.span) >= number(right(s, x), e.span)

    def without(self, group: ir.Expr, element: ir.Expr) -> Function:
        many, one = self.build(group), self.build(element)
        whole_set = element.type.is_set

        def without(s: State, x: Locals) -> Any:
            left_out = one(s, x)
            members = many(s, x)
            out = left_out if whole_set else (left_out,)
            return type(members)(m for m in members if m not in out)

        return without

    def members(self, group: ir.Expr) -> Callable[[State, Locals], Iterable[Any]]:
        """The members of a group in their fixed order: seats clockwise, numbers upward, names by the alphabet."""
        many = self.build(group)
        if group.type.kind == "pile":
            return lambda s, x: list(many(s, x))
        return lambda s, x: sorted(many(s, x))

    def quantified(self, e: ir.Quantified) -> Function:
        many, body, slot = self.members(e.group), self.build(e.body), e.slot
        stops_at = e.kind != "every"
        at_stop = e.kind == "some"

        def quantified(s: State, x: Locals) -> bool:
            for member in many(s, x):
                self.work(s, e.span)
                x[slot] = member
                if bool(body(s, x)) is stops_at:
                    return at_stop
            return not at_stop

        return quantified

    def aggregate(self, e: ir.Aggregate) -> Function:
        many, term, slot = self.members(e.group), self.build(e.term), e.slot
        condition = self.decision(e.condition) if e.condition is not None else None

        def values(s: State, x: Locals) -> Iterable[int]:
            for member in many(s, x):
                self.work(s, e.span)
                x[slot] = member
                if condition is None or condition(s, x):
                    yield term(s, x)

        match e.kind:
            case "count" | "sum":
                return lambda s, x: sum(values(s, x))
            case "highest":
                return lambda s, x: max(values(s, x), default=0)
            case _:
                return lambda s, x: min(values(s, x), default=0)

    def first(self, e: ir.First) -> Function:
        many, start, slot = self.members(e.group), self.build(e.start), e.slot
        key = self.build(e.key) if e.key is not None else None
        sign = -1 if e.kind == "highest" else 1

        def first(s: State, x: Locals) -> int | None:
            origin = start(s, x)
            if origin is None:
                raise fail("RIT504", "nobody is meant here: the value is absent", e.start.span)
            best: tuple[int, int] | None = None
            result = None
            for member in many(s, x):
                self.work(s, e.span)
                x[slot] = member
                way = (member - origin - (not e.inclusive)) % s.seats
                rank = (sign * key(s, x) if key is not None else 0, way)
                if best is None or rank < best:
                    best, result = rank, member
            return result

        return first


class Positions:
    """Where in a list of shares that of an owner is."""

    def __init__(self, game: Game, owner: Type) -> None:
        self.first = owner.low or 0
        self.table = {card: i for i, card in enumerate(game.owners(owner, 0))} if owner.kind == "card" else None

    def of(self, owner: Any, shares: list[Any], span: Span) -> int:
        if owner is None:
            raise fail("RIT504", "nobody is meant here: the value is absent", span)
        position = self.table[owner] if self.table is not None else owner - self.first
        if not 0 <= position < len(shares):
            raise fail("RIT504", f"there is no share for {owner} here", span)
        return int(position)


def spread(shares: list[Any]) -> list[str]:
    """All pieces in the shares of a zone."""
    found: list[str] = []
    for share in shares:
        if isinstance(share, list):
            found += share
        elif share is not None:
            found.append(share)
    return found


def number(value: Any, span: Span) -> int:
    if value is None:
        raise fail("RIT504", "there is no number here: the value is absent", span)
    return int(value)


def arithmetic(operator: str, left: Function, right: Function, span: Span) -> Function:
    match operator:
        case "+":
            return lambda s, x: number(left(s, x), span) + number(right(s, x), span)
        case "-":
            return lambda s, x: number(left(s, x), span) - number(right(s, x), span)
        case "*":
            return lambda s, x: number(left(s, x), span) * number(right(s, x), span)
        case _:

            def modulo(s: State, x: Locals) -> int:
                divisor = number(right(s, x), span)
                if divisor == 0:
                    raise fail("RIT504", "there is no remainder of a division by 0", span)
                return number(left(s, x), span) % divisor

            return modulo
