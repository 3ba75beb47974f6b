"""How much the interpreter can be asked at most, so that its limit is kept in flat code too.

In: rules and steps. Out: an upper bound of the questions they ask in one go. Flat code adds the bound of a loop's
body each time round; only a game that might pass the limit is played by the interpreter, which decides.
"""

from __future__ import annotations

from functools import cache

from ritual_dsl.compiler.codes import Codes
from ritual_dsl.engine.code import LOOP_LIMIT
from ritual_dsl.engine.evaluate import WORK_LIMIT
from ritual_dsl.model import ir
from ritual_dsl.model.game import Entry, Game, Procedure, Rule

LEAST = WORK_LIMIT // LOOP_LIMIT + 1  # so that a loop without end passes the one limit before the other

LARGE = 200


class Work:
    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self.game: Game = codes.game
        self.rule = cache(self.of_rule)
        self.procedure = cache(self.of_procedure)

    def most(self, group: ir.Expr) -> int:
        if group.type.kind == "pile":
            return self.codes.pieces(group.type.name)
        return self.codes.bits(group.type)[1]

    def of_rule(self, name: str) -> int:
        rule: Rule = self.game.rules[name]
        return 1 + sum(self.readings(c.entries) + sum(self.readings((e,)) for e in c.limits) for c in rule.clauses)

    def readings(self, entries: tuple[Entry, ...]) -> int:
        """All guards, some of them twice, to see whether two patches hold together; then one body."""
        guards = sum(2 * self.guard(entry.guard) for entry in entries)
        bodies = [self.of(e.body) + self.of(e.condition) + self.readings(e.overrides) for e in entries]
        return guards + max(bodies, default=0)

    def guard(self, guard: ir.Guard) -> int:
        return self.codes.seats * self.rule(guard.rule) if guard.rule is not None else 0

    def of(self, thing: object) -> int:
        """All that can be asked while an expression or step is worked out once; loops of steps only once round."""
        match thing:
            case None | str() | int() | bool() | frozenset():
                return 0
            case tuple():
                return sum(self.of(part) for part in thing)
            case ir.CallRule(rule=rule, args=args):
                return self.rule(rule) + self.of(args)
            case ir.Holder(rule=rule):
                return self.codes.seats * self.rule(rule)
            case ir.Quantified(group=group, body=body):
                return self.of(group) + self.most(group) * (1 + self.of(body))
            case ir.Aggregate(group=group, term=term, condition=condition):
                return self.of(group) + self.most(group) * (1 + self.of(term) + self.of(condition))
            case ir.First(group=group, start=start, key=key):
                return self.of(group) + self.of(start) + self.most(group) * (1 + self.of(key))
            case ir.Asked(group=group, actor=actor, condition=condition):
                return self.of(group) + self.of(actor) + self.most(group) * (1 + self.of(condition))
            case ir.Change(group=group, condition=condition, lines=lines):
                count = self.most(group) if group is not None and group.type.is_set else 1
                each = self.of(condition) + sum(self.of(line.amount) for line in lines)
                return self.of(group) + count * each + self.watches()
            case ir.Each(group=group, condition=condition, steps=steps):
                return self.of(group) + self.most(group) * (1 + self.of(condition) + self.of(steps))
            case ir.Repeat(until=until):
                return self.of(until) + 1
            case ir.Block(guard=guard, condition=condition, steps=steps):
                return self.guard(guard) + self.of(condition) + self.of(steps)
            case ir.Cases(rows=rows, otherwise=otherwise):
                return self.of(tuple(c for c, _ in rows)) + max(self.of(v) for v in (*(v for _, v in rows), otherwise))
            case ir.When(condition=condition, steps=steps, otherwise=otherwise):
                return self.of(condition) + max(self.of(steps), self.of(otherwise))
            case ir.Choose(actor=actor, options=options):
                tests = sum(self.of(option.condition) for option in options)
                return self.of(actor) + tests + max(self.of(option.steps) for option in options)
            case ir.Call(procedure=name, args=args):
                return self.of(args) + self.called(name)
            case ir.Fire(signal=signal, args=args):
                return self.of(args) + sum(self.called(name) for name in self.game.signals[signal].handlers)
            case ir.Expression() | ir.StatementBase() | ir.Step() | ir.Patched() | ir.Option() | ir.Place():
                own = self.watches() if isinstance(thing, ir.StatementBase) else 0
                return own + sum(self.of(getattr(thing, name)) for name in fields_of(type(thing)))
            case _:
                return 0

    def watches(self) -> int:
        return sum(1 + self.of(p.watch) + self.procedure(p.name) for p in self.game.procedures.values() if p.watch)

    def called(self, name: str) -> int:
        """A small procedure is counted where it is called, a large one when it runs."""
        return 0 if self.is_large(name) else self.procedure(name)

    def is_large(self, name: str) -> bool:
        return self.procedure(name) > LARGE

    def of_procedure(self, name: str) -> int:
        procedure: Procedure = self.game.procedures[name]
        parts = (procedure.condition, procedure.patched, procedure.steps)
        return sum(self.of(part) for part in parts)

    def of_turn(self, s: ir.Repeat) -> int:
        """One time round a loop."""
        return max(LEAST, 1 + self.of(s.until) + self.of(s.steps))


def fields_of(kind: type) -> list[str]:
    return [name for name in getattr(kind, "__dataclass_fields__", {}) if name not in ("span", "type")]
