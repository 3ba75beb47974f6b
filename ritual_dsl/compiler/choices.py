"""Choices as flat code: who is asked, what the options are, and what becomes of the answer.

In: resolved choices. Out: lines. A bot draws one of the options, each as likely; or a caller is asked for the number
of one. Where there is only one option nobody is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ritual_dsl.compiler.expressions import Env, Expressions, Val
from ritual_dsl.compiler.record import ASKED, CHOSE, Recording, Site
from ritual_dsl.model import ir

if TYPE_CHECKING:
    from ritual_dsl.compiler.flow import Exits
    from ritual_dsl.compiler.statements import Statements

NONE: Exits = frozenset()


@dataclass(frozen=True)
class Question:
    """Who is asked where, and how the options are told: to a record one by one, to a caller as a sequence."""

    site: int
    who: str
    listed: list[tuple[str, str]]  # what stands in front of an option (a test, a loop, or nothing), and the option
    sequence: str


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

    def pick(self, count: str, question: Question) -> str:
        """The number of the option taken, of so many."""
        if count == "1":
            return "0"
        name = self.lines.new("r")
        if count.isdigit():
            self.ask(name, count, question)
            return name
        with self.lines.block(f"if {count} > 1:"):
            self.ask(name, count, question)
        with self.lines.block("else:"):
            self.lines.fail_if(f"{count} == 0")
            self.lines.emit(f"{name} = 0")
        return name

    def ask(self, name: str, count: str, question: Question) -> None:
        emit = self.lines.emit
        self.recording.write(ASKED, question.site, question.who, count)
        for head, option in question.listed if self.recording.on else ():
            depth = self.lines.depth
            if head:
                self.expressions.head(head)
            self.recording.write(option)
            self.lines.depth = depth
        match self.who_plays:
            case "python":
                emit(f"{name} = next(bot) % {count}")
            case "numba":
                emit("asked += 1")
                emit("bot += GOLDEN")
                emit("z = mix(bot)")
                self.lines.fail_if("z >= SAFE")
                emit(f"{name} = i64(z % u64({count}))" if count.isdigit() else f"{name} = rest(z, {count})")
            case _:
                emit("asked += 1")
                emit(f"{name} = ask({question.site}, {question.who}, {question.sequence})")
                self.lines.fail_if(f"not 0 <= {name} < {count}")

    # ---- one of a group

    def one_of(self, s: ir.Assign) -> Exits:
        asked = s.value
        assert isinstance(asked, ir.Asked)
        site = self.recording.site(Site(asked.label, asked.together, asked.type))
        self.lines.comment("choice", asked.label, span=asked.span)
        with self.lines.still():
            env = self.statements.env
            who = self.actor(asked, env)
            if self.is_set_of_seats(asked):
                option = self.seats(asked, env, site, who)
            else:
                option = self.members(asked, env, site, who)
            val = Val(option, asked.type, asked.may)
            if self.recording.on:
                val = self.expressions.atom(val)
                self.recording.write(CHOSE, site, who, val.code)
            self.statements.store(s.place, val)
        return self.statements.touched(s.place.cell)

    def is_set_of_seats(self, asked: ir.Asked) -> bool:
        """Whose members are in a table; without the option to take none of them."""
        type = asked.group.type
        plain = asked.condition is None and not asked.may
        return plain and type.is_set and type.kind in ("seat", "player") and self.tables.small

    def seats(self, asked: ir.Asked, env: Env, site: int, who: str) -> str:
        """Out of a set of seats: from a table of the members of all sets."""
        bits = self.expressions.atom(self.expressions.value(asked.group, env)).code
        if bits.isdigit():
            count = str(int(bits).bit_count())
        else:
            count = self.lines.new("n")
            self.lines.emit(f"{count} = {self.tables.count_table()}[{bits}]")
        listed = [(f"if ({bits} >> {i}) & 1 == 1:", str(i)) for i in range(self.codes.seats)]
        first = f"{self.tables.member_table()}[{bits} * {self.codes.seats}"
        sequence = f"{first}:{bits} * {self.codes.seats} + {count}]"
        return f"{first} + {self.pick(count, Question(site, who, listed, sequence))}]"

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
        i = self.lines.new("i")
        listed = [(f"for {i} in range({count}):", f"w[{at} + {i}]")]
        return f"w[{at} + {self.pick(count, Question(site, who, listed, f'w[{at}:{at} + {count}]'))}]"

    def most(self, group: ir.Expr) -> int:
        return self.codes.pieces(group.type.name) if group.type.kind == "pile" else self.codes.bits(group.type)[1]

    # ---- one of several options

    def option(self, s: ir.Choose) -> Exits:
        site = self.recording.site(Site(s.label, s.together, None, tuple(option.name for option in s.options)))
        self.lines.comment("choice", s.label, span=s.span)
        with self.lines.still():
            env = self.statements.env
            who = self.actor(s, env)
            conditions = [option.condition for option in s.options]
            tests = ["" if c is None else self.expressions.truth(c, env) for c in conditions]
        paired = last_exclude_each_other(tests)
        if not paired or self.recording.on or self.who_plays == "ask":
            tests = self.named(tests)
        count = str(len(tests) - 1) if paired else self.count(tests)
        listed = [(f"if {test}:" if test else "", str(number)) for number, test in enumerate(tests)]
        parts = [f"(({n},) if {test} else ())" if test else f"({n},)" for n, test in enumerate(tests)]
        picked = self.pick(count, Question(site, who, listed, " + ".join(parts)))
        exits = NONE
        for number, option in enumerate(s.options):
            with self.lines.block(self.head(number, tests, picked, paired)):
                self.lines.comment("option", option.name, *option.cites, span=option.span)
                self.recording.write(CHOSE, site, who, number)
                exits |= self.statements.steps(option.steps)
        return exits

    def named(self, tests: list[str]) -> list[str]:
        names = ["" if not test else self.lines.new("o") for test in tests]
        for name, test in zip(names, tests, strict=True):
            if test:
                self.lines.emit(f"{name} = {test}")
        return names

    def count(self, tests: list[str]) -> str:
        given = [test for test in tests if test]
        if not given:
            return str(len(tests))
        name = self.lines.new("n")
        self.lines.emit(f"{name} = {' + '.join([str(len(tests) - len(given)), *given])}")
        return name

    def head(self, number: int, tests: list[str], picked: str, paired: bool) -> str:
        """The test for an option: it is allowed, and as many allowed ones stand before it as were passed over."""
        if len(tests) == 1:
            return "if True:"
        if number == len(tests) - 1:
            return "else:"
        word = "elif" if number else "if"
        if paired and number == len(tests) - 2:
            return f"{word} {tests[number]}:"
        before = [test for test in tests[:number] if test]
        rank = " + ".join([str(number - len(before)), *before])
        allowed = f"{tests[number]} and " if tests[number] else ""
        return f"{word} {allowed}{picked} == {rank}:"


def last_exclude_each_other(tests: list[str]) -> bool:
    """Whether always one of the last two options is there, and all before them."""
    *others, one, other = ["", *tests]
    negated = (f"(not {one})", f"(not {other})")
    return not any(others) and bool(one) and bool(other) and (other == negated[0] or one == negated[1])
