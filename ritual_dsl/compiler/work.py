"""How much the interpreter can be asked at most, so that its limit is kept in flat code too.

In: rules and steps. Out: an upper bound of the questions they ask in one go. Flat code adds the bound of a loop's
body each time round; only a game that might pass the limit is played by the interpreter, which decides.

What is asked of each piece in a pile hangs on how many lie there. Where the most there could be would be far too
much, the bound has the size of the pile in it, and is added when the step runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import prod

from ritual_dsl.compiler.codes import Codes
from ritual_dsl.compiler.tables import Tables
from ritual_dsl.model import ir
from ritual_dsl.model.game import Entry, Game, Procedure, Rule, Variable, Zone

LARGE = 1_000
MOST_TERMS = 40

Size = tuple[str, int]  # how many lie in a pile, as flat code, and how many there can be
Cost = dict[tuple[Size, ...], int]  # a sum of products of sizes, each so many times; () for a plain number
NOTHING: Cost = {}


def plain(number: int) -> Cost:
    return {(): number} if number else NOTHING


def plus(*costs: Cost) -> Cost:
    found: Cost = {}
    for cost in costs:
        for sizes, times in cost.items():
            found[sizes] = found.get(sizes, 0) + times
    return found if len(found) <= MOST_TERMS else plain(at_most(found))


def times(one: Cost, other: Cost) -> Cost:
    return plus(*({tuple(sorted(a + b)): m * n} for a, m in one.items() for b, n in other.items()))


def worst(costs: Iterable[Cost]) -> Cost:
    """As much as any of them."""
    found: Cost = {}
    for cost in costs:
        for sizes, number in cost.items():
            found[sizes] = max(found.get(sizes, 0), number)
    return found


def at_most(cost: Cost) -> int:
    """Whatever lies in the piles."""
    return sum(number * prod(most for _, most in sizes) for sizes, number in cost.items())


def code(cost: Cost) -> str:
    return " + ".join(" * ".join([str(number), *(size for size, _ in sizes)]) for sizes, number in sorted(cost.items()))


class Work:
    def __init__(self, codes: Codes, tables: Tables) -> None:
        self.codes = codes
        self.tables = tables
        self.game: Game = codes.game
        self.rule = cache(self.of_rule)
        self.procedure = cache(self.of_procedure)

    # ---- expressions

    def most(self, group: ir.Expr) -> Cost:
        """How many members a group has."""
        match group:
            case ir.Spread(cell=cell):
                zone = self.codes.declaration(cell)
                if isinstance(zone, Zone) and zone.single:
                    return plain(len(self.game.owners(zone.owner, self.codes.players)))
            case ir.Read(cell=cell, index=index) if group.type.kind == "pile":
                zone = self.codes.declaration(cell)
                owner = self.owner(index) if index is not None else None
                if isinstance(zone, Zone) and (index is None or owner is not None):
                    _, head, end = self.tables.pile(zone, owner)
                    return {((f"({end} - {head})", self.codes.pieces(zone.piece)),): 1}
        if group.type.kind == "pile":
            return plain(self.codes.pieces(group.type.name))
        return plain(self.codes.bits(group.type)[1])

    def owner(self, index: ir.Expr) -> str | None:
        """Whose pile it is, where that is a variable with a seat."""
        if isinstance(index, ir.Read) and index.index is None and index.type.kind in ("seat", "player"):
            declared = self.codes.declaration(index.cell)
            return self.tables.cell(declared) if isinstance(declared, Variable) else None
        return None

    def of_rule(self, name: str) -> Cost:
        rule: Rule = self.game.rules[name]
        parts = [self.readings(c.entries) for c in rule.clauses]
        limits = [self.readings((limit,)) for clause in rule.clauses for limit in clause.limits]
        return plus(plain(1), *parts, *limits)

    def readings(self, entries: tuple[Entry, ...]) -> Cost:
        """All guards, some of them twice, to see whether two patches hold together; then one body."""
        guards = [times(plain(2), self.guard(entry.guard)) for entry in entries]
        bodies = [plus(self.of(e.body), self.of(e.condition), self.readings(e.overrides)) for e in entries]
        return plus(*guards, worst(bodies))

    def guard(self, guard: ir.Guard) -> Cost:
        return times(plain(self.codes.seats), self.rule(guard.rule)) if guard.rule is not None else NOTHING

    def each(self, group: ir.Expr, *parts: ir.Expr | None) -> Cost:
        """What is asked of each member of a group."""
        return plus(self.of(group), times(self.most(group), plus(plain(1), *map(self.of, parts))))

    def of(self, e: object) -> Cost:
        """All that can be asked while an expression is worked out once."""
        match e:
            case None | str() | int() | bool() | frozenset():
                return NOTHING
            case tuple():
                return plus(*map(self.of, e))
            case ir.CallRule(rule=rule, args=args):
                return plus(self.rule(rule), self.of(args))
            case ir.Holder(rule=rule):
                return times(plain(self.codes.seats), self.rule(rule))
            case ir.Quantified(group=group, body=body):
                return self.each(group, body)
            case ir.Aggregate(group=group, term=term, condition=condition):
                return self.each(group, term, condition)
            case ir.First(group=group, start=start, key=key):
                return plus(self.of(start), self.each(group, key))
            case ir.Asked(group=group, actor=actor, condition=condition):
                return plus(self.of(actor), self.each(group, condition))
            case ir.Cases(rows=rows, otherwise=otherwise):
                values = [self.of(value) for value in (*(value for _, value in rows), otherwise)]
                return plus(*(self.of(condition) for condition, _ in rows), worst(values))
            case ir.Expression() | ir.Place():
                return plus(*(self.of(getattr(e, name)) for name in fields_of(type(e))))
            case _:
                return NOTHING

    # ---- steps

    def own(self, s: ir.Statement) -> Cost:
        """What a step itself asks, once, when it runs; not what the steps in it do."""
        match s:
            case ir.Change(group=group, condition=condition, lines=lines):
                amounts = plus(self.of(condition), *(self.of(line.amount) for line in lines))
                many = self.most(group) if group is not None and group.type.is_set else plain(1)
                return plus(self.of(group), times(many, amounts))
            case ir.Each(group=group):
                return self.of(group)
            case ir.Repeat() | ir.Stop() | ir.Nothing() | ir.End():
                return NOTHING
            case ir.When(condition=condition):
                return self.of(condition)
            case ir.Choose(actor=actor, options=options):
                return plus(self.of(actor), *(self.of(option.condition) for option in options))
            case _:
                return plus(*(self.of(getattr(s, name)) for name in fields_of(type(s))))

    def alone(self, s: ir.Statement) -> str | None:
        """The bound of a step, as flat code, if it is to be added when the step runs."""
        cost = self.own(s)
        return code(cost) if any(cost) and at_most(cost) > LARGE else None

    def of_step(self, s: ir.Statement) -> int:
        """A step with all steps in it, loops of steps only once round."""
        own = 0 if self.alone(s) is not None else at_most(self.own(s))
        return own + self.watches() + self.inner(s)

    def inner(self, s: ir.Statement) -> int:
        match s:
            case ir.Each(group=group, condition=condition, steps=steps):
                each = 1 + at_most(self.of(condition)) + self.steps(steps)
                return at_most(self.most(group)) * each
            case ir.Repeat():
                return self.of_turn(s)
            case ir.When(steps=steps, otherwise=otherwise):
                return max(self.steps(steps), self.steps(otherwise))
            case ir.Choose(options=options):
                return max(self.steps(option.steps) for option in options)
            case ir.Call(procedure=name):
                return self.called(name)
            case ir.Fire(signal=signal):
                return sum(self.called(name) for name in self.game.signals[signal].handlers)
            case _:
                return 0

    def steps(self, steps: tuple[ir.Step, ...]) -> int:
        return sum(self.patched(step.patched) + self.of_step(step.statement) for step in steps)

    def patched(self, patched: ir.Patched) -> int:
        return sum(self.block(block) for block in (*patched.before, *patched.instead, *patched.after))

    def block(self, block: ir.Block) -> int:
        return at_most(plus(self.guard(block.guard), self.of(block.condition))) + self.steps(block.steps)

    def watches(self) -> int:
        return sum(1 + at_most(self.of(p.watch)) for p in self.game.procedures.values() if p.watch)

    # ---- procedures

    def called(self, name: str) -> int:
        """A small procedure is counted where it is called; another when it runs."""
        return 0 if self.is_counted_alone(name) else self.procedure(name)

    def is_counted_alone(self, name: str) -> bool:
        """A large one, and one that any step might set off."""
        return self.game.procedures[name].watch is not None or self.procedure(name) > LARGE

    def of_procedure(self, name: str) -> int:
        procedure: Procedure = self.game.procedures[name]
        return at_most(self.of(procedure.condition)) + self.patched(procedure.patched) + self.steps(procedure.steps)

    def of_turn(self, s: ir.Repeat) -> int:
        """One time round a loop: counted once with its step, and behind it for every further round."""
        return 1 + at_most(self.of(s.until)) + self.steps(s.steps)


def fields_of(kind: type) -> list[str]:
    return [name for name in getattr(kind, "__dataclass_fields__", {}) if name not in ("span", "type")]
