"""Choices as flat code.

In: resolved choices. Out: lines that find the options, let a bot draw one or a caller answer, and go on. A
choice with one option is made unasked and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ritual_dsl.compiler.codes import ABSENT
from ritual_dsl.compiler.expressions import Env, Expressions, Val
from ritual_dsl.compiler.record import ASKED, CHOSE, Recording, Site
from ritual_dsl.model import ir

if TYPE_CHECKING:
    from ritual_dsl.compiler.flow import Exits
    from ritual_dsl.compiler.statements import Statements

NONE: Exits = frozenset()
BLOCK = 64  # draws of a bot that are made at once


class Choices:
    def __init__(self, statements: Statements, expressions: Expressions, recording: Recording, who_plays: str) -> None:
        self.statements = statements
        self.expressions = expressions
        self.recording = recording
        self.lines = expressions.lines
        self.codes = expressions.codes
        self.tables = expressions.tables
        self.who_plays = who_plays  # one of `flat.FORMS`: a bot that draws, or a caller
        statements.choices = self

    # ---- who, and which

    def actor(self, node: ir.Asked | ir.Choose, env: Env) -> str:
        val = self.expressions.sure(self.expressions.value(node.actor, env))
        if node.together:
            val = self.expressions.atom(val)
            if not isinstance(node.actor, ir.People):
                self.lines.fail_if(f"{val.code} == 0")
        return val.code

    def pick(self, count: str, site: int, who: str, listed: list[tuple[str, str]]) -> str:
        """The number of the option taken. `listed`: for a count and an option, how to write the options down."""
        emit, name = self.lines.emit, self.lines.new("r")
        emit(f"{name} = 0")
        with self.lines.block(f"if {count} > 1:"):
            emit("asked += 1")
            self.recording.write(ASKED, site, who, count)
            if self.recording.on:
                self.write_options("log", "at", listed)
            if self.who_plays == "ask":
                emit(f"ask[0] = {site}")
                emit(f"ask[1] = {who}")
                emit(f"ask[2] = {count}")
                emit("end = 3")
                self.write_options("ask", "end", listed)
                emit("yield 0")
                emit(f"{name} = ask[0]")
                self.lines.fail_if(f"not 0 <= {name} < {count}")
            elif self.who_plays == "numba":
                emit("bot += GOLDEN")
                emit("z = mix(bot)")
                emit("top = max(top, z)")
                emit(f"{name} = rest(z, {count})")
            else:
                emit("at_bit += 1")
                with self.lines.block(f"if at_bit == {BLOCK}:"):
                    emit("draw_more(bits, rng)")
                    emit("at_bit = 0")
                emit(f"{name} = bits[at_bit] % {count}")
        return name

    def write_options(self, array: str, at: str, listed: list[tuple[str, str]]) -> None:
        for test, option in listed:
            depth = self.lines.depth
            if test:
                self.expressions.head(test)
            self.lines.emit(f"{array}[{at}] = {option}")
            self.lines.emit(f"{at} += 1")
            self.lines.depth = depth

    # ---- one of a group

    def one_of(self, s: ir.Assign) -> Exits:
        asked = s.value
        assert isinstance(asked, ir.Asked)
        site = self.recording.site(Site(asked.label, asked.together, asked.type))
        self.lines.comment("choice", asked.label, span=asked.span)
        with self.lines.still():
            env = self.statements.env
            who = self.actor(asked, env)
            if asked.group.type.is_set and asked.group.type.kind in ("seat", "player") and asked.condition is None:
                option = self.seats(asked, env, site, who)
            else:
                option = self.members(asked, env, site, who)
            self.recording.write(CHOSE, site, who, option)
            self.statements.store(s.place, Val(option, asked.type, asked.may))
        return self.statements.touched(s.place.cell)

    def seats(self, asked: ir.Asked, env: Env, site: int, who: str) -> str:
        """Out of a set of seats: from a table of the members of all sets."""
        bits = self.expressions.atom(self.expressions.value(asked.group, env)).code
        count = self.lines.new("n")
        self.lines.emit(f"{count} = {self.tables.count_table()}[{bits}]{' + 1' if asked.may else ''}")
        if not asked.may and not isinstance(asked.group, ir.People):
            self.lines.fail_if(f"{count} == 0")
        listed = [(f"if ({bits} >> {i}) & 1 == 1:", str(i)) for i in range(self.codes.seats)]
        if asked.may:
            listed.append(("", str(ABSENT)))
        picked = self.pick(count, site, who, listed)
        option = self.lines.new()
        place = f"{self.tables.member_table()}[{bits} * {self.codes.seats} + {picked}]"
        if asked.may:
            self.lines.emit(f"{option} = {ABSENT}")
            with self.lines.block(f"if {picked} < {count} - 1:"):
                self.lines.emit(f"{option} = {place}")
        else:
            self.lines.emit(f"{option} = {place}")
        return option

    def members(self, asked: ir.Asked, env: Env, site: int, who: str) -> str:
        """Out of any group: those allowed into the workspace, each face once."""
        at = self.tables.workspace(self.most(asked.group) + 1)
        count = self.lines.new("n")
        emit = self.lines.emit
        emit(f"{count} = 0")
        with self.expressions.members(asked.group, env) as member:
            inside = env if asked.slot is None else {**env, asked.slot: member}
            if asked.condition is not None:
                self.expressions.head(f"if {self.expressions.truth(asked.condition, inside)}:")
            if asked.group.type.kind == "pile":
                known, i = self.lines.new(), self.lines.new("i")
                emit(f"{known} = False")
                with self.lines.block(f"for {i} in range({count}):"), self.lines.block(
                    f"if w[{at} + {i}] == {member.code}:"
                ):
                    emit(f"{known} = True")
                self.expressions.head(f"if not {known}:")
            emit(f"w[{at} + {count}] = {member.code}")
            emit(f"{count} += 1")
        if asked.may:
            emit(f"w[{at} + {count}] = {self.codes.absent(asked.type)}")
            emit(f"{count} += 1")
        self.lines.fail_if(f"{count} == 0")
        i = self.lines.new("i")
        picked = self.pick(count, site, who, [(f"for {i} in range({count}):", f"w[{at} + {i}]")])
        option = self.lines.new()
        emit(f"{option} = w[{at} + {picked}]")
        return option

    def most(self, group: ir.Expr) -> int:
        return self.codes.pieces(group.type.name) if group.type.kind == "pile" else self.codes.bits(group.type)[1]

    # ---- one of several options

    def option(self, s: ir.Choose) -> Exits:
        site = self.recording.site(Site(s.label, s.together, None, tuple(option.name for option in s.options)))
        self.lines.comment("choice", s.label, span=s.span)
        with self.lines.still():
            env = self.statements.env
            who = self.actor(s, env)
            tests = [self.test(option, env) for option in s.options]
        given = [test for test in tests if test]
        count = self.lines.new("n")
        self.lines.emit(f"{count} = {' + '.join([str(len(tests) - len(given)), *given])}")
        if len(given) == len(tests):
            self.lines.fail_if(f"{count} == 0")
        listed = [(f"if {test}:" if test else "", str(number)) for number, test in enumerate(tests)]
        picked = self.pick(count, site, who, listed)
        exits = NONE
        for number, option in enumerate(s.options):
            head = self.head(number, tests, picked)
            with self.lines.block(head):
                self.lines.comment("option", option.name, *option.cites, span=option.span)
                self.recording.write(CHOSE, site, who, number)
                exits |= self.statements.steps(option.steps)
        return exits

    def test(self, option: ir.Option, env: Env) -> str:
        if option.condition is None:
            return ""
        name = self.lines.new("o")
        self.lines.emit(f"{name} = {self.expressions.truth(option.condition, env)}")
        return name

    def head(self, number: int, tests: list[str], picked: str) -> str:
        """The test for an option: it is allowed, and as many allowed ones stand before it as were passed over."""
        if len(tests) == 1:
            return "if True:"
        if number == len(tests) - 1:
            return "else:"
        before = [test for test in tests[:number] if test]
        rank = " + ".join([str(number - len(before)), *before])
        allowed = f"{tests[number]} and " if tests[number] else ""
        return f"{'elif' if number else 'if'} {allowed}{picked} == {rank}:"
