"""Rules as flat code: their clauses with all patches, unfolded where they are asked.

In: a rule and its inputs. Out: an expression. Which guards `during` hold is known at every place; a guard
`while` is a seat worked out once for all that is asked at that place. A rule about a seat that goes through
a group is worked out for all seats at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from ritual_dsl.compiler.codes import ABSENT, Codes, unsupported
from ritual_dsl.compiler.expressions import Env, Expressions, Val
from ritual_dsl.compiler.lines import Lines
from ritual_dsl.compiler.tables import Tables
from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Entry, Rule, rivals
from ritual_dsl.model.types import SEAT, TRUTH
from ritual_dsl.model.walk import rules_used, walk

Conditions = tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """One way a clause reads: when, and whether another patch of the same layer must not hold as well."""

    when: Conditions
    entry: Entry
    rivals: tuple[Conditions, ...] = ()


class Rules:
    def __init__(self, codes: Codes, lines: Lines, tables: Tables, expressions: Expressions) -> None:
        self.codes = codes
        self.lines = lines
        self.tables = tables
        self.expressions = expressions
        expressions.rules = self
        self.goes_through = cache(self.goes_through_a_group)

    def goes_through_a_group(self, name: str) -> bool:
        rule = self.codes.game.rules[name]
        groups = (ir.Quantified, ir.Aggregate, ir.First, ir.Holder)
        parts = list(walk(rule))
        guarded = any(isinstance(part, ir.Guard) and part.rule is not None for part in parts)
        return guarded or any(isinstance(p, groups) for p in parts) or any(map(self.goes_through, rules_used(rule)))

    # ---- asking

    def call(self, name: str, args: list[Val]) -> Val:
        rule = self.codes.game.rules[name]
        if not self.goes_through(name):
            return self.unfold(rule, args)
        if not any(arg.inner for arg in args):
            found = self.expressions.once(("rule", name, *(arg.code for arg in args)), lambda: self.unfold(rule, args))
            return found if found is not None else self.unfold(rule, args)
        if len(args) == 1 and not args[0].maybe and rule.params[0][1].kind in ("seat", "player"):
            found = self.for_all(rule)
            if found is not None:
                return self.looked_up(found, args[0], rule)
        return self.unfold(rule, args)

    def for_all(self, rule: Rule) -> Val | None:
        """A rule about a seat, for all seats at once: bits, or numbers side by side."""
        kind = rule.params[0][1].kind
        count = self.codes.players if kind == "player" else self.codes.seats
        if rule.type.is_set or rule.type.optional or rule.type.kind not in ("truth", "number"):
            return None

        def build() -> Val:
            if kind == "seat" or self.codes.seats == self.codes.players:
                known = self.expressions.known_for_all(kind, lambda seat: self.unfold(rule, [seat]))
                if known is not None:
                    return Val(known, rule.type)
            seat = self.lines.new("m")
            name = self.lines.new("b") if rule.type.kind == "truth" else str(self.tables.workspace(count))
            if rule.type.kind == "truth":
                self.lines.emit(f"{name} = 0")
            with self.lines.block(f"for {seat} in range({count}):"):
                val = self.unfold(rule, [Val(seat, rule.params[0][1], inner=True)])
                if val.maybe:
                    self.lines.can_fail = True  # an absent value does not fit among the others
                if rule.type.kind == "truth":
                    with self.lines.block(f"if {val.code}:"):
                        self.lines.emit(f"{name} |= 1 << {seat}")
                else:
                    self.lines.emit(f"w[{name} + {seat}] = {val.code}")
            return Val(name, rule.type)

        return self.expressions.once(("all", rule.name), build)

    def looked_up(self, all_seats: Val, seat: Val, rule: Rule) -> Val:
        if rule.type.kind == "truth":
            return Val(f"(({all_seats.code} >> {seat.code}) & 1 == 1)", TRUTH, inner=True)
        return Val(f"w[{all_seats.code} + {seat.code}]", rule.type, inner=True)

    def holder(self, name: str, card: str | None) -> Val:
        """The first seat for which a rule of (card, seat) holds."""
        rule = self.codes.game.rules[name]

        def build() -> Val:
            found, seat = self.lines.new("h"), self.lines.new("m")
            self.lines.emit(f"{found} = {ABSENT}")
            number = Val(str(self.codes.cards[card or ""]), rule.params[0][1])
            with self.lines.block(f"for {seat} in range({self.codes.seats}):"):
                val = self.unfold(rule, [number, Val(seat, rule.params[1][1], inner=True)])
                with self.lines.block(f"if {val.code}:"):
                    self.lines.emit(f"{found} = {seat}")
                    self.lines.emit("break")
            return Val(found, replace(SEAT, optional=True), True)

        once = self.expressions.once(("holder", name, card), build)
        return once if once is not None else build()

    # ---- unfolding

    def unfold(self, rule: Rule, args: list[Val]) -> Val:
        self.note(rule)
        env: Env = {}
        for slot, arg in enumerate(args):
            env[slot] = self.expressions.atom(arg) if len(arg.code) > 40 else arg
        if rule.combination != "value":
            return Val(self.combined(rule, env), TRUTH)
        if len(rule.clauses) != 1:
            raise unsupported("a value with several clauses", rule.span)
        return self.limited(rule, rule.clauses[0], env)

    def note(self, rule: Rule) -> None:
        """Which clauses and patches of a rule are worked out here."""
        running = self.expressions.running()
        for clause in rule.clauses:
            for entry in (e for e in walk((clause.entries, clause.limits)) if isinstance(e, Entry)):
                if all(procedure in running for procedure in entry.guard.during):
                    origin = f"by {entry.origin}" if entry.origin else ""
                    cites = entry.cites or (() if origin else clause.cites or rule.cites)
                    words = (f"{rule.name}.{clause.label}", origin, *cites)
                    self.lines.asks(*filter(None, words), span=entry.span)

    def combined(self, rule: Rule, env: Env) -> str:
        neutral = str(rule.combination == "all")
        word = "and" if rule.combination == "all" else "or"
        found: str | None = None
        for clause in rule.clauses:
            if not self.readings(clause.entries):
                continue
            if found is None:
                found = self.clause(clause, env, neutral)
            else:
                one = clause
                found = self.expressions.both(found, lambda one=one: self.clause(one, env, neutral), word)  # type: ignore[misc]
        return found if found is not None else neutral

    def clause(self, clause: Clause, env: Env, neutral: str) -> str:
        """A truth clause, as the topmost patch that counts has it; gone or without any, it changes nothing."""
        readings = self.readings(clause.entries)
        first = readings[0]
        if not first.when and not first.rivals:
            return self.expressions.truth(first.entry.body, env) if first.entry.body is not None else neutral
        name = self.lines.new()
        if readings[-1].when:
            self.lines.emit(f"{name} = {neutral}")
        for entry in self.each_reading(readings):
            told = neutral if entry.body is None else self.expressions.truth(entry.body, env)
            self.lines.emit(f"{name} = {told}")
        return name

    def each_reading(self, readings: list[Reading]) -> Iterator[Entry]:
        """Writes `if … elif … else …` around what is written for each reading."""
        for number, reading in enumerate(readings):
            test = " and ".join(reading.when)
            head = f"{'elif' if number else 'if'} {test}:" if test else "else:"
            if not test and not number:
                self.refuse_rivals(reading)
                yield reading.entry
                return
            with self.lines.block(head):
                self.refuse_rivals(reading)
                yield reading.entry

    def refuse_rivals(self, reading: Reading) -> None:
        for rival in reading.rivals:
            self.lines.fail_if(" and ".join(rival) or "True")

    def limited(self, rule: Rule, clause: Clause, env: Env) -> Val:
        """The value of a clause; every limit that counts applies last."""
        readings = self.readings(clause.entries)
        if not readings or readings[-1].when or any(r.entry.body is None for r in readings):
            raise unsupported("a value that is not always there", rule.span)
        if not readings[0].when and not readings[0].rivals:
            assert readings[0].entry.body is not None
            val = self.expressions.value(readings[0].entry.body, env, rule.type)
        else:
            name, maybe = self.lines.new(), False
            for entry in self.each_reading(readings):
                assert entry.body is not None
                one = self.expressions.value(entry.body, env, rule.type)
                maybe = maybe or one.maybe
                self.lines.emit(f"{name} = {one.code}")
            val = Val(name, rule.type, maybe)
        for limit in clause.limits:
            val = self.limit(val, limit, env)
        return replace(val, type=rule.type)

    def limit(self, val: Val, limit: Entry, env: Env) -> Val:
        readings = [r for r in self.readings((limit,)) if r.entry.body is not None]
        if not readings:
            return val
        name = self.lines.new()
        self.lines.emit(f"{name} = {self.expressions.sure(val).code}")
        for entry in self.each_reading(self.readings((limit,))):
            if entry.body is None:
                continue
            depth = self.lines.depth
            if limit.condition is not None:
                self.expressions.head(f"if {self.expressions.truth(limit.condition, env)}:")
            bound = self.expressions.atom(self.expressions.sure(self.expressions.value(entry.body, env)))
            with self.lines.block(f"if {bound.code} < {name}:"):
                self.lines.emit(f"{name} = {bound.code}")
            self.lines.depth = depth
        return Val(name, val.type)

    # ---- patches

    def readings(self, entries: tuple[Entry, ...]) -> list[Reading]:
        """How a clause can read at this place, the topmost first; the last has no condition if one always counts."""
        found: list[Reading] = []
        for position in range(len(entries) - 1, -1, -1):
            entry = entries[position]
            when = self.guard(entry.guard)
            if when is None:
                continue
            rivals = self.rivals(entries, position)
            inner = self.readings(entry.overrides)
            found += [Reading((*when, *r.when), r.entry, (*rivals, *r.rivals)) for r in inner]
            if not inner or inner[-1].when:
                found.append(Reading(when, entry, rivals))
            if not when:
                break
        return found

    def rivals(self, entries: tuple[Entry, ...], position: int) -> tuple[Conditions, ...]:
        entry = entries[position]
        if not (position and entry.origin and len(entries) > 2):
            return ()
        found = []
        for other in entries[:position]:
            when = self.guard(other.guard)
            if rivals(other, entry) and other.body != entry.body and when is not None:
                found.append(when)
        return tuple(found)

    def guard(self, guard: ir.Guard) -> Conditions | None:
        """What has to hold at this place; None if it never does."""
        running = self.expressions.running()
        if any(procedure not in running for procedure in guard.during):
            return None
        if guard.rule is None:
            return ()
        return (self.expressions.present(self.holder(guard.rule, guard.card)),)
