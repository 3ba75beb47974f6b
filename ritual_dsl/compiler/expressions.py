"""Expressions as flat code.

In: resolved expressions, and what each local name is called. Out: a Python expression on whole numbers;
what it needs worked out before is written as lines in front of it.

A value that may be absent knows it, so that only those are tested. Whatever the interpreter refuses
(an absent owner, a remainder by 0) ends the game as FAILED, and the interpreter plays it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from ritual_dsl.compiler.codes import ABSENT, NO_NUMBER, Codes, unsupported
from ritual_dsl.compiler.lines import Line, Lines, is_plain
from ritual_dsl.model import ir
from ritual_dsl.model.game import Counter, Variable, Zone
from ritual_dsl.model.types import TRUTH, Type
from ritual_dsl.model.walk import walk

if TYPE_CHECKING:
    from ritual_dsl.compiler.rules import Rules
    from ritual_dsl.compiler.tables import Tables


FOR_ALL = re.compile(r"\(\((b\d+) >> (m\d+)\) & 1 == 1\)|w\[(\d+) \+ (m\d+)\]")


@dataclass(frozen=True)
class Val:
    """A Python expression without effects, and what is known of it."""

    code: str
    type: Type
    maybe: bool = False  # it may be absent
    inner: bool = False  # it hangs on a name bound within the region


Env = dict[int, Val]


class Expressions:
    def __init__(self, codes: Codes, lines: Lines, tables: Tables, running: Callable[[], list[str]]) -> None:
        self.codes = codes
        self.lines = lines
        self.tables = tables
        self.running = running  # the procedures that run at this place
        self.rules: Rules  # set by its maker: rules and expressions need each other

    # ---- small things

    def atom(self, val: Val) -> Val:
        """The value under a name, so that it is worked out once."""
        if is_plain(val.code):
            return val
        name = self.lines.new()
        self.lines.emit(f"{name} = {val.code}")
        return replace(val, code=name)

    def present(self, val: Val) -> str:
        return f"{val.code} != {NO_NUMBER}" if val.type.kind == "number" else f"{val.code} >= 0"

    def missing(self, val: Val) -> str:
        return f"{val.code} == {NO_NUMBER}" if val.type.kind == "number" else f"{val.code} < 0"

    def sure(self, val: Val) -> Val:
        """A value that is there; where it is absent the interpreter refuses."""
        if val.maybe:
            val = self.atom(val)
            region = self.lines.region
            if region is None or ("sure", val.code) not in region.known:
                self.refuse_absent(val)
        return replace(val, maybe=False)

    def refuse_absent(self, val: Val) -> None:
        """What is known before the region, and needed whatever happens in it, is looked at once, at its start."""
        region = self.lines.region
        if region is None or not region.always(self.lines) or not region.has_all([(0, val.code)]):
            self.lines.fail_if(self.missing(val))
            return
        region.known["sure", val.code] = None
        region.put([(region.depth, f"if {self.missing(val)}:"), (region.depth + 1, "return FAILED")])

    def depends(self, thing: object, env: Env) -> bool:
        """Whether something hangs on a name bound within the region."""
        return any(isinstance(p, ir.Local) and p.slot in env and env[p.slot].inner for p in walk(thing))

    def key(self, thing: object, env: Env) -> tuple[object, ...]:
        used = {p.slot for p in walk(thing) if isinstance(p, ir.Local)}
        return (id(thing), *((slot, env[slot].code) for slot in sorted(used) if slot in env))

    def once(self, key: object, build: Callable[[], Val]) -> Val | None:
        """A value worked out at the start of the region; None if it cannot be.

        It cannot if that may fail, or if it hangs on a value that is worked out only later.
        """
        region = self.lines.region
        assert region is not None
        if key not in region.known:
            could_fail, self.lines.can_fail = self.lines.can_fail, False
            with self.lines.aside(region.depth) as lines:
                val = self.atom(build())
            failed, self.lines.can_fail = self.lines.can_fail or not region.has_all(lines), could_fail
            if not failed:
                region.put(lines)
            region.known[key] = None if failed else replace(val, inner=False)
        found = region.known[key]
        assert found is None or isinstance(found, Val)
        return found

    # ---- truth

    def truth(self, e: ir.Expr, env: Env) -> str:
        """An expression as a Python condition."""
        val = self.value(e, env)
        return f"({val.code}) == 1" if val.maybe else val.code

    def both(self, left: str, right: Callable[[], str], word: str) -> str:
        """`left and right`, or `left or right`: what the right side needs is worked out only then."""
        with self.lines.aside(self.lines.depth + 1) as lines:
            second = right()
        if not lines:
            return f"({left} {word} {second})"
        name = self.lines.new()
        self.lines.emit(f"{name} = {left}")
        self.lines.emit(f"if {name}:" if word == "and" else f"if not {name}:")
        self.lines.put(lines)
        self.lines.out.append((self.lines.depth + 1, f"{name} = {second}"))
        return name

    # ---- all expressions

    def value(self, e: ir.Expr, env: Env, like: Type | None = None) -> Val:
        inner = self.depends(e, env)
        val = self.meaning(e, env, like or e.type)
        return replace(val, inner=inner)

    def meaning(self, e: ir.Expr, env: Env, like: Type) -> Val:
        type = like if e.type.kind in ("none", "unknown") else e.type
        match e:
            case ir.Const(value=constant):
                return Val(str(self.codes.of(constant, type)), type, constant is None)
            case ir.Local(slot=slot):
                return env[slot]
            case ir.Read():
                return self.read(e, env)
            case ir.People(players_only=only):
                return Val(str((1 << (self.codes.players if only else self.codes.seats)) - 1), type)
            case ir.Ended(procedure=procedure):
                return Val(self.tables.ended(procedure), type, True)
            case ir.Holder(rule=rule, card=card):
                return self.rules.holder(rule, card)
            case ir.CallRule(rule=name, args=args):
                return self.rules.call(name, [self.argument(a, env, name, i) for i, a in enumerate(args)])
            case ir.Attribute(card=of, name=name):
                return self.attribute(self.value(of, env), name, type)
            case ir.Not(operand=operand):
                return Val(f"(not {self.truth(operand, env)})", TRUTH)
            case ir.And(left=left, right=right):
                return Val(self.both(self.truth(left, env), lambda: self.truth(right, env), "and"), TRUTH)
            case ir.Or(left=left, right=right):
                return Val(self.both(self.truth(left, env), lambda: self.truth(right, env), "or"), TRUTH)
            case ir.Compare():
                return self.compare(e, env)
            case ir.Arithmetic():
                return self.arithmetic(e, env)
            case ir.Builtin(name=name, args=args):
                a, b = (self.atom(self.sure(self.value(arg, env))).code for arg in args)
                return Val(f"({a} if {a} {'<' if name == 'min' else '>'} {b} else {b})", type)
            case ir.IsNone(operand=operand):
                val = self.value(operand, env)
                return Val(f"({self.missing(val)})" if val.maybe else "False", TRUTH)
            case ir.IsEmpty(operand=operand):
                if operand.type.is_set:
                    return Val(f"({self.value(operand, env).code} == 0)", TRUTH)
                return Val(f"({self.size(operand, env)} == 0)", TRUTH)
            case ir.Within(element=element, group=group):
                return self.within(element, group, env)
            case ir.Size(group=group):
                return Val(self.size(group, env), type)
            case ir.Top(pile=pile):
                return self.top(pile, env)
            case ir.Without(group=group, element=element):
                return self.without(e, group, element, env)
            case ir.Quantified() | ir.Aggregate() | ir.First():
                return self.gone_through(e, env)
            case ir.Cases(rows=rows, otherwise=otherwise):
                return self.cases(list(rows), otherwise, env, type)
            case ir.OrElse(value=first, fallback=fallback):
                return self.or_else(first, fallback, env, type)
            case ir.Spread():
                raise unsupported("a whole zone with owners as a value", e.span)
            case _:
                assert_never(e)

    def argument(self, e: ir.Expr, env: Env, rule: str, number: int) -> Val:
        return self.value(e, env, self.codes.game.rules[rule].params[number][1])

    def read(self, e: ir.Read, env: Env) -> Val:
        declared = self.codes.declaration(e.cell)
        if isinstance(declared, Zone):
            if not declared.single:
                raise unsupported("a pile as a value", e.span)
            maybe = True
        else:
            maybe = isinstance(declared, Variable) and declared.type.optional
        name = self.tables.cell(declared)
        if e.index is None:
            return Val(name, e.type, maybe)
        return Val(f"{name}[{self.owner(declared, e.index, env)}]", e.type, maybe)

    def owner(self, declared: Zone | Counter | Variable, index: ir.Expr, env: Env) -> str:
        """Where the share of an owner is."""
        assert declared.owner is not None
        val = self.sure(self.value(index, env))
        kind = declared.owner.kind
        if kind in ("seat", "player"):
            if kind == "player" and val.type.kind == "seat" and self.codes.seats > self.codes.players:
                val = self.atom(val)
                self.lines.fail_if(f"{val.code} >= {self.codes.players}")
            return val.code
        if kind == "number":
            val = self.atom(val)
            low, high = declared.owner.low or 0, declared.owner.high or 0
            if not (val.code.lstrip("-").isdigit() and low <= int(val.code) <= high):
                self.lines.fail_if(f"not {low} <= {val.code} <= {high}")
            return f"{val.code} - {low}" if low else val.code
        return f"{self.tables.positions(declared.owner)}[{val.code}]"

    def attribute(self, card: Val, name: str, type: Type) -> Val:
        """From a table of all cards; the entry behind the last, at -1, is for an absent card."""
        table, maybe = self.tables.attribute(card.type.name, name, type)
        return Val(f"{table}[{card.code}]", type, maybe or card.maybe)

    def compare(self, e: ir.Compare, env: Env) -> Val:
        left, right = self.value(e.left, env, e.right.type), self.value(e.right, env, e.left.type)
        if e.operator not in ("=", "!="):
            left, right = self.sure(left), self.sure(right)
            return Val(f"({left.code} {e.operator} {right.code})", TRUTH)
        if left.maybe and right.maybe:  # an absent value equals nothing
            left = self.atom(left) if len(left.code) > 60 else left
            if e.operator == "=":
                return Val(f"({left.code} == {right.code} and {self.present(left)})", TRUTH)
            return Val(f"({left.code} != {right.code} or {self.missing(left)})", TRUTH)
        return Val(f"({left.code} {'==' if e.operator == '=' else '!='} {right.code})", TRUTH)

    def arithmetic(self, e: ir.Arithmetic, env: Env) -> Val:
        left, right = self.sure(self.value(e.left, env)), self.sure(self.value(e.right, env))
        if e.operator != "mod":
            return Val(f"({left.code} {e.operator} {right.code})", e.type)
        right = self.atom(right)
        if not right.code.isdigit() or right.code == "0":
            self.lines.fail_if(f"{right.code} == 0")
        return Val(f"({left.code} % {right.code})", e.type)

    def cases(self, rows: list[tuple[ir.Expr, ir.Expr]], otherwise: ir.Expr, env: Env, type: Type) -> Val:
        if not rows:
            return self.value(otherwise, env, type)
        (condition, first), *others = rows
        test = self.truth(condition, env)
        return self.either(test, lambda: self.value(first, env, type), lambda: self.cases(others, otherwise, env, type))

    def either(self, test: str, yes: Callable[[], Val], no: Callable[[], Val]) -> Val:
        """One of two values; each is worked out only where it is wanted."""
        depth = self.lines.depth + 1
        with self.lines.aside(depth) as yes_lines:
            first = yes()
        with self.lines.aside(depth) as no_lines:
            second = no()
        maybe = first.maybe or second.maybe
        if not yes_lines and not no_lines:
            return Val(f"({first.code} if {test} else {second.code})", first.type, maybe)
        name = self.lines.new()
        self.branch(f"if {test}:", yes_lines, f"{name} = {first.code}")
        self.branch("else:", no_lines, f"{name} = {second.code}")
        return Val(name, first.type, maybe)

    def branch(self, head: str, lines: list[Line], last: str) -> None:
        self.lines.emit(head)
        self.lines.put(lines)
        self.lines.out.append((self.lines.depth + 1, last))

    def or_else(self, first: ir.Expr, fallback: ir.Expr, env: Env, type: Type) -> Val:
        val = self.value(first, env, type)
        if not val.maybe:
            return val
        val = self.atom(val)
        there = replace(val, maybe=False)
        return self.either(self.present(val), lambda: there, lambda: self.value(fallback, env, type))

    # ---- groups

    def within(self, element: ir.Expr, group: ir.Expr, env: Env) -> Val:
        val = self.value(element, env)
        if group.type.kind == "pile":
            val = self.atom(val)
            name = self.lines.new()
            self.lines.emit(f"{name} = False")
            with self.members(group, env) as member, self.lines.block(f"if {member.code} == {val.code}:"):
                self.lines.emit(f"{name} = True")
                self.lines.emit("break")
            return Val(name, TRUTH)
        first, count = self.codes.bits(group.type)
        if isinstance(group, ir.Const) and self.is_range(group):
            return Val(f"({first} <= {val.code} < {first + count})", TRUTH)
        test = self.has(self.value(group, env), val, first)
        bounded = val.type.kind != "number"
        if val.maybe and bounded:
            return Val(f"({self.present(val)} and {test})", TRUTH)
        return Val(test if bounded else f"({first} <= {val.code} < {first + count} and {test})", TRUTH)

    def is_range(self, group: ir.Const) -> bool:
        assert isinstance(group.value, frozenset)
        return group.type.kind == "number" and len(group.value) == self.codes.bits(group.type)[1]

    def has(self, bits: Val, member: Val, first: int) -> str:
        shift = f"({member.code} - {first})" if first else member.code
        return f"(({bits.code} >> {shift}) & 1 == 1)"

    def size(self, group: ir.Expr, env: Env) -> str:
        match group:
            case ir.People(players_only=only):
                return str(self.codes.players if only else self.codes.seats)
            case ir.Read() if group.type.kind == "pile":
                _, head, end = self.pile(group, env)
                return f"({end} - {head})"
        if group.type.is_set and not (isinstance(group, ir.Without) and group.group.type.kind == "pile"):
            bits = self.value(group, env)
            if group.type.kind in ("seat", "player"):
                return f"{self.tables.count_table()}[{bits.code}]"
            return f"popcount({bits.code})"
        name = self.lines.new()
        self.lines.emit(f"{name} = 0")
        with self.members(group, env):
            self.lines.emit(f"{name} += 1")
        return name

    def top(self, pile: ir.Expr, env: Env) -> Val:
        type = replace(pile.type.element(), optional=True)
        if isinstance(pile, ir.Read):
            array, head, end = self.pile(pile, env)
            return Val(f"({array}[{head}] if {head} < {end} else {ABSENT})", type, True)
        name = self.lines.new()
        self.lines.emit(f"{name} = {ABSENT}")
        with self.members(pile, env) as member:
            self.lines.emit(f"{name} = {member.code}")
            self.lines.emit("break")
        return Val(name, type, True)

    def pile(self, e: ir.Read, env: Env) -> tuple[str, str, str]:
        """The array of a pile, and the names of where its top is and where it ends."""
        zone = self.codes.declaration(e.cell)
        assert isinstance(zone, Zone)
        owner = None
        if e.index is not None:
            owner = self.atom(Val(self.owner(zone, e.index, env), e.type)).code
        return self.tables.pile(zone, owner)

    def without(self, e: ir.Without, group: ir.Expr, element: ir.Expr, env: Env) -> Val:
        if group.type.kind == "pile":
            raise unsupported("a part of a pile as a value", e.span)
        many = self.value(group, env)
        one = self.value(element, env)
        if element.type.is_set:
            if self.codes.bits(group.type) != self.codes.bits(element.type):
                raise unsupported("sets of different bounds", e.span)
            return Val(f"({many.code} & ~{one.code})", e.type)
        if one.type.kind in ("seat", "player"):
            return Val(f"({many.code} & {self.tables.all_but()}[{one.code}])", e.type)
        first, count = self.codes.bits(group.type)
        shift = f"({one.code} - {first})" if first else one.code
        left = f"({many.code} & ~(1 << {shift}))"
        if one.type.kind == "number":
            return Val(f"({left} if {first} <= {one.code} < {first + count} else {many.code})", e.type)
        return Val(f"({left} if {self.present(one)} else {many.code})" if one.maybe else left, e.type)

    @contextmanager
    def members(self, group: ir.Expr, env: Env) -> Iterator[Val]:
        """A loop over a group in its fixed order; what is written within it is its body."""
        depth = self.lines.depth
        val = self.open_loop(group, env)
        yield replace(val, inner=True)
        self.lines.depth = depth

    def open_loop(self, group: ir.Expr, env: Env) -> Val:
        lines, type = self.lines, group.type.element()
        name = lines.new("m")
        match group:
            case ir.People(players_only=only):
                self.head(f"for {name} in range({self.codes.players if only else self.codes.seats}):")
            case ir.Const() if self.is_range(group):
                first, count = self.codes.bits(group.type)
                self.head(f"for {name} in range({first}, {first + count}):")
            case ir.Without(group=inner, element=element) if not element.type.is_set:
                left_out = self.atom(self.value(element, env))
                val = self.open_loop(inner, env)
                self.head(f"if {val.code} != {left_out.code}:")
                return val
            case ir.Read() if group.type.kind == "pile":
                array, head, end = self.pile(group, env)
                at = lines.new("i")
                self.head(f"for {at} in range({head}, {end}):")
                lines.emit(f"{name} = {array}[{at}]")
            case ir.Spread(cell=cell):
                self.open_spread(name, cell)
            case _ if group.type.is_set:
                self.open_bits(name, group, env)
            case _:
                raise unsupported("this group", group.span)
        return Val(name, type)

    def head(self, text: str) -> None:
        self.lines.emit(text)
        self.lines.depth += 1

    def open_spread(self, name: str, cell: int) -> None:
        """All shares of a zone. Out of those of piles `break` leads only to the next pile."""
        zone = self.codes.declaration(cell)
        assert isinstance(zone, Zone)
        at = self.lines.new("i")
        self.head(f"for {at} in range({len(self.codes.game.owners(zone.owner, self.codes.players))}):")
        if zone.single:
            self.lines.emit(f"{name} = {self.tables.cell(zone)}[{at}]")
            self.head(f"if {name} >= 0:")
            return
        array, head, end = self.tables.pile(zone, at)
        place = self.lines.new("i")
        self.head(f"for {place} in range({head}, {end}):")
        self.lines.emit(f"{name} = {array}[{place}]")

    def open_bits(self, name: str, group: ir.Expr, env: Env) -> None:
        first, count = self.codes.bits(group.type)
        bits = self.atom(self.value(group, env))
        self.head(f"for {name} in range({first}, {first + count}):")
        self.head(f"if {self.has(bits, Val(name, group.type.element()), first)}:")

    def known_for_all(self, kind: str, build: Callable[[Val], Val]) -> str | None:
        """Where the answer for every seat stands already, if a value is nothing but that: bits, or a place in `w`."""
        seat = self.lines.new("m")
        with self.lines.aside(self.lines.depth + 1) as lines:
            val = build(Val(seat, Type(kind), inner=True))
        found = FOR_ALL.fullmatch(val.code)
        return (found[1] or found[3]) if found and not lines and seat in (found[2], found[4]) else None

    # ---- forms that go through a group

    def gone_through(self, e: ir.Quantified | ir.Aggregate | ir.First, env: Env) -> Val:
        def build() -> Val:
            match e:
                case ir.Quantified():
                    return self.quantified(e, env)
                case ir.Aggregate():
                    return self.aggregate(e, env)
                case ir.First():
                    return self.first(e, env)

        if not self.depends(e, env):
            found = self.once(("group", *self.key(e, env)), build)
            if found is not None:
                return found
        return build()

    def quantified(self, e: ir.Quantified, env: Env) -> Val:
        name = self.lines.new()
        self.lines.emit(f"{name} = {e.kind != 'some'}")
        with self.members(e.group, env) as member:
            test = self.truth(e.body, {**env, e.slot: member})
            with self.lines.block(f"if not {test}:" if e.kind == "every" else f"if {test}:"):
                self.lines.emit(f"{name} = {e.kind == 'some'}")
                self.lines.emit("break")
        return Val(name, TRUTH)

    def aggregate(self, e: ir.Aggregate, env: Env) -> Val:
        counted = self.counted(e, env)
        if counted is not None:
            return counted
        name = self.lines.new()
        adds = e.kind in ("count", "sum")
        self.lines.emit(f"{name} = {0 if adds else NO_NUMBER}")
        with self.members(e.group, env) as member:
            inside = {**env, e.slot: member}
            if e.condition is not None:
                self.head(f"if {self.truth(e.condition, inside)}:")
            term = self.sure(self.value(e.term, inside))
            if adds:
                self.lines.emit(f"{name} += {term.code}")
            else:
                term = self.atom(term)
                sign = ">" if e.kind == "highest" else "<"
                with self.lines.block(f"if {name} == {NO_NUMBER} or {term.code} {sign} {name}:"):
                    self.lines.emit(f"{name} = {term.code}")
        if not adds:
            with self.lines.block(f"if {name} == {NO_NUMBER}:"):
                self.lines.emit(f"{name} = 0")
        return Val(name, e.type)

    def counted(self, e: ir.Aggregate, env: Env) -> Val | None:
        """How many seats something holds for that is known of all of them."""
        group, condition = e.group, e.condition
        if e.kind != "count" or condition is None or not isinstance(group, ir.People) or not self.tables.small:
            return None
        kind = "player" if group.players_only else "seat"
        bits = self.known_for_all(kind, lambda seat: Val(self.truth(condition, {**env, e.slot: seat}), TRUTH))
        if bits is None:
            return None
        if group.players_only and self.codes.seats > self.codes.players:
            bits = f"{bits} & {(1 << self.codes.players) - 1}"
        return Val(f"{self.tables.count_table()}[{bits}]", e.type)

    def first(self, e: ir.First, env: Env) -> Val:
        """Clockwise from the start, so that the first of several that are level is met first."""
        start = self.atom(self.sure(self.value(e.start, env)))
        seats = self.codes.seats
        if e.key is None and self.tables.small:
            bits = self.value(e.group, env)
            table = self.tables.next_table(e.inclusive)
            return Val(f"{table}[{bits.code} * {seats} + {start.code}]", e.type, True)
        bits = self.atom(self.value(e.group, env))
        name, at, step = self.lines.new(), self.lines.new("m"), self.lines.new("i")
        best, depth = self.lines.new(), self.lines.depth
        self.lines.emit(f"{name} = {ABSENT}")
        self.lines.emit(f"{best} = 0")
        with self.lines.block(f"for {step} in range({0 if e.inclusive else 1}, {seats + (not e.inclusive)}):"):
            self.lines.emit(f"{at} = {start.code} + {step}")
            with self.lines.block(f"if {at} >= {seats}:"):
                self.lines.emit(f"{at} -= {seats}")
            if bits.code != str((1 << seats) - 1):
                self.head(f"if ({bits.code} >> {at}) & 1 == 1:")
            if e.key is None:
                self.lines.emit(f"{name} = {at}")
                self.lines.emit("break")
            else:
                member = Val(at, e.group.type.element(), inner=True)
                key = self.atom(self.sure(self.value(e.key, {**env, e.slot: member})))
                sign = ">" if e.kind == "highest" else "<"
                with self.lines.block(f"if {name} < 0 or {key.code} {sign} {best}:"):
                    self.lines.emit(f"{name} = {at}")
                    self.lines.emit(f"{best} = {key.code}")
        self.lines.depth = depth
        return Val(name, e.type, True)
