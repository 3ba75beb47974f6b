"""Steps as flat code: what each does to the cells of a state.

In: resolved steps. Out: lines. With `record`, every event of the interpreter's log is written down as numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ritual_dsl.compiler.cards import Cards
from ritual_dsl.compiler.codes import Codes, unsupported
from ritual_dsl.compiler.counting import Counting
from ritual_dsl.compiler.expressions import Env, Expressions, Val
from ritual_dsl.compiler.lines import Lines, is_plain
from ritual_dsl.compiler.record import Recording
from ritual_dsl.compiler.rules import Rules
from ritual_dsl.compiler.work import Work
from ritual_dsl.engine.code import LOOP_LIMIT
from ritual_dsl.engine.evaluate import WORK_LIMIT
from ritual_dsl.engine.values import LARGEST
from ritual_dsl.model import ir
from ritual_dsl.model.game import Counter, Procedure, Variable
from ritual_dsl.model.names import Params, ends_type
from ritual_dsl.model.types import TRUTH, Type
from ritual_dsl.model.walk import watched_cells

if TYPE_CHECKING:
    from ritual_dsl.compiler.choices import Choices
    from ritual_dsl.compiler.flow import Exits, Flow

NONE: Exits = frozenset()
STOPS = 1_000_000  # values of `out` for a `stop` that leaves several loops


class Statements:
    def __init__(
        self,
        codes: Codes,
        lines: Lines,
        expressions: Expressions,
        rules: Rules,
        recording: Recording,
        counting: Counting,
        work: Work,
    ) -> None:
        self.codes = codes
        self.lines = lines
        self.expressions = expressions
        self.rules = rules
        self.recording = recording
        self.counting = counting
        self.tables = expressions.tables
        self.work = work
        self.cards = Cards(expressions, recording)
        procedures = codes.game.procedures.values()
        self.watches = [(p, watched_cells(p, codes.game)) for p in procedures if p.watch is not None]
        self.flow: Flow  # set by its maker: steps run procedures, procedures have steps
        self.choices: Choices

    @property
    def env(self) -> Env:
        return self.flow.frame.env

    # ---- steps and what patches put around them

    def steps(self, steps: tuple[ir.Step, ...]) -> Exits:
        """Steps in order; behind one that ends something nothing runs."""
        exits = NONE
        for step in steps:
            exits |= self.step(step)
        return exits

    def step(self, step: ir.Step) -> Exits:
        exits = NONE
        for block in step.patched.before:
            exits |= self.block(block)
        exits |= self.instead(step, list(reversed(step.patched.instead)))
        for block in step.patched.after:
            exits |= self.block(block)
        return exits

    def instead(self, step: ir.Step, blocks: list[ir.Block]) -> Exits:
        if not blocks:
            self.lines.comment(step.label or "", *step.cites, span=step.span)
            return self.statement(step.statement)
        first, *others = blocks
        test = self.counts(first)
        if test is None:
            return self.instead(step, others)
        if test == "":
            return self.block_steps(first)
        with self.lines.block(f"if {test}:"):
            exits = self.block_steps(first)
        with self.lines.block("else:"):
            exits |= self.instead(step, others)
        return exits

    def block(self, block: ir.Block) -> Exits:
        test = self.counts(block)
        if test is None:
            return NONE
        if test == "":
            return self.block_steps(block)
        with self.lines.block(f"if {test}:"):
            return self.block_steps(block)

    def block_steps(self, block: ir.Block) -> Exits:
        self.lines.comment("by", block.origin, *block.cites, span=block.span)
        return self.steps(block.steps)

    def counts(self, block: ir.Block) -> str | None:
        """When a patch counts: never (None), always (empty), or a condition."""
        with self.lines.still():
            guard = self.rules.guard(block.guard)
            if guard is None:
                return None
            test = " and ".join(guard)
            condition = block.condition
            if condition is None:
                return test
            if not test:
                return self.expressions.truth(condition, self.env)
            return self.expressions.both(test, lambda: self.expressions.truth(condition, self.env), "and")

    def statement(self, s: ir.Statement) -> Exits:
        bound = self.work.alone(s)
        if bound is not None:
            self.lines.emit(f"work += {bound}")
        match s:
            case ir.Assign(value=ir.Asked()):
                return self.choices.one_of(s)
            case ir.Assign(value=value):
                assert not isinstance(value, ir.Asked)
                with self.lines.still():
                    self.store(s.place, self.expressions.value(value, self.env, self.place_type(s.place)))
                return self.touched(s.place.cell)
            case ir.ChangeSet():
                with self.lines.still():
                    self.change_set(s)
                return self.touched(s.place.cell)
            case ir.Move():
                with self.lines.still():
                    cells = self.cards.move(s, self.env)
                return self.touched(*cells)
            case ir.Shuffle():
                self.cards.shuffle(s)
                return self.touched(s.place.cell)
            case ir.Show():
                with self.lines.still():
                    self.cards.show(s, self.env)
                return NONE
            case ir.Change():
                with self.lines.still():
                    self.change(s)
                return self.touched(*(line.cell for line in s.lines))
            case ir.End(procedure=procedure, how=how):
                name = self.tables.ended(procedure)
                number = self.codes.enum(ends_type(procedure))[how]
                self.lines.emit(f"{name} = {number}")
                self.recording.ended(procedure, number)
                return self.flow.end(procedure)
            case ir.Fire():
                return self.fire(s)
            case ir.Call(procedure=name, args=args):
                with self.lines.still():
                    vals = self.arguments(args, self.codes.game.procedures[name].params)
                return self.flow.left(self.flow.run(self.codes.game.procedures[name], vals))
            case ir.Nothing():
                return NONE
            case ir.Stop():
                return self.stop()
            case ir.When(condition=condition, steps=steps, otherwise=otherwise):
                with self.lines.still():
                    test = self.expressions.truth(condition, self.env)
                with self.lines.block(f"if {test}:"):
                    exits = self.steps(steps)
                if otherwise:
                    with self.lines.block("else:"):
                        exits |= self.steps(otherwise)
                return exits
            case ir.Repeat():
                return self.repeat(s)
            case ir.Each():
                return self.each(s)
            case ir.Choose():
                return self.choices.option(s)
            case _:
                assert_never(s)

    # ---- values

    def place_type(self, place: ir.Place) -> Type | None:
        if place.cell is None:
            return None
        declared = self.codes.declaration(place.cell)
        assert isinstance(declared, Variable)
        return declared.type

    def arguments(self, args: tuple[ir.Expr, ...], params: Params) -> list[Val]:
        return [self.expressions.value(a, self.env, type) for a, (_, type) in zip(args, params, strict=True)]

    def store(self, place: ir.Place, val: Val) -> None:
        """A value into a variable or local name, refused where the interpreter refuses it."""
        if val.type.kind == "number" and not val.type.is_set and not within(val.type, -LARGEST, LARGEST):
            val = self.expressions.atom(val)
            test = f"not {-LARGEST} <= {val.code} <= {LARGEST}"
            self.lines.fail_if(f"{self.expressions.present(val)} and {test}" if val.maybe else test)
        if place.slot is not None:
            self.lines.emit(f"{self.env[place.slot].code} = {val.code}")
            return
        assert place.cell is not None
        variable = self.codes.declaration(place.cell)
        assert isinstance(variable, Variable)
        type, name = variable.type, self.tables.cell(variable)
        owner = None
        if place.index is not None:
            owner = self.expressions.atom(Val(self.expressions.owner(variable, place.index, self.env), type)).code
            name = f"{name}[{owner}]"
        if type.is_set and (val.maybe or self.codes.bits(type) != self.codes.bits(val.type)):
            raise unsupported("sets of different bounds", variable.span)
        if not type.optional and not type.is_set:
            val = self.expressions.sure(val)
        bounded = type.low is not None and type.high is not None and not type.is_set
        if bounded and not within(val.type, type.low or 0, type.high or 0):
            val = self.expressions.atom(val)
            test = f"not {type.low} <= {val.code} <= {type.high}"
            self.lines.fail_if(f"{self.expressions.present(val)} and {test}" if val.maybe else test)
        self.lines.emit(f"{name} = {val.code}")
        self.recording.set(variable, owner, name)

    def change_set(self, s: ir.ChangeSet) -> None:
        place = s.place
        if place.slot is not None:
            old = self.env[place.slot]
        else:
            assert place.cell is not None
            variable = self.codes.declaration(place.cell)
            assert isinstance(variable, Variable)
            name = self.tables.cell(variable)
            if place.index is not None:
                name = f"{name}[{self.expressions.owner(variable, place.index, self.env)}]"
            old = Val(name, variable.type)
        first, count = self.codes.bits(old.type)
        member = self.expressions.value(s.element, self.env)
        if not s.adds and member.type.kind in ("seat", "player"):
            self.store(place, Val(f"({old.code} & {self.tables.all_but()}[{member.code}])", old.type))
            return
        if s.adds or member.type.kind == "number":
            member = self.expressions.atom(self.expressions.sure(member))
        if member.type.kind == "number":
            self.lines.fail_if(f"not {first} <= {member.code} < {first + count}")
        bit = f"1 << ({member.code} - {first})" if first else f"1 << {member.code}"
        new = f"{old.code} | {bit}" if s.adds else f"{old.code} & ~({bit})"
        if member.maybe:
            new = f"({new}) if {self.expressions.present(member)} else {old.code}"
        self.store(place, Val(f"({new})", old.type))

    # ---- counters

    def change(self, s: ir.Change) -> None:
        """All amounts first, then the losses, then the gains."""
        group = s.group
        if group is None:
            amounts = [self.amount(line, self.env) for line in s.lines]
            self.apply_all(s, [(line, None, amount) for line, amount in zip(s.lines, amounts, strict=True)])
        elif not group.type.is_set:
            member = self.expressions.atom(self.expressions.sure(self.expressions.value(group, self.env)))
            env = self.env if s.slot is None else {**self.env, s.slot: member}
            depth = self.lines.depth
            if s.condition is not None:
                self.expressions.head(f"if {self.expressions.truth(s.condition, env)}:")
            amounts = [self.amount(line, env) for line in s.lines]
            self.apply_all(s, [(line, member.code, amount) for line, amount in zip(s.lines, amounts, strict=True)])
            self.lines.depth = depth
        else:
            self.change_group(s, group)

    def amount(self, line: ir.ChangeLine, env: Env) -> str:
        return self.expressions.atom(self.expressions.sure(self.expressions.value(line.amount, env))).code

    def apply_all(self, s: ir.Change, changes: list[tuple[ir.ChangeLine, str | None, str]]) -> None:
        for line, owner, amount in sorted(changes, key=lambda change: change[0].gains):
            self.apply(line, owner, amount)

    def change_group(self, s: ir.Change, group: ir.Expr) -> None:
        """First every amount into the workspace, a negative one for who is left out; then what it does."""
        places, known = self.amounts_known(s, group)
        members = self.expressions.atom(self.expressions.value(group, self.env))
        whole = isinstance(group, ir.People)
        if not known:
            self.write_amounts(s, group, places)
        for gains in (False, True):
            some = [(line, at) for line, at in zip(s.lines, places, strict=True) if line.gains is gains]
            if not some:
                continue
            depth, name = self.lines.depth, self.lines.new("m")
            self.expressions.head(f"for {name} in range({self.member_count(group)}):")
            if not whole:
                self.expressions.head(f"if ({members.code} >> {name}) & 1 == 1:")
            for line, at in some:
                amount = self.lines.new()
                self.lines.emit(f"{amount} = w[{at} + {name}]")
                self.apply(line, name, amount, f"{amount} > 0")
            self.lines.depth = depth

    def amounts_known(self, s: ir.Change, group: ir.Expr) -> tuple[list[str], bool]:
        """Where the amounts stand, or are to be written: in the workspace, side by side."""
        places: list[str] = []
        for line in s.lines if s.condition is None else ():

            def amount(member: Val, line: ir.ChangeLine = line) -> Val:
                env = self.env if s.slot is None else {**self.env, s.slot: member}
                return self.expressions.sure(self.expressions.value(line.amount, env))

            place = self.expressions.known_for_all(group.type.kind, amount)
            if place is not None and place.isdigit():
                places.append(place)
        if len(places) == len(s.lines):
            return places, True
        return [str(self.tables.workspace(self.codes.seats)) for _ in s.lines], False

    def write_amounts(self, s: ir.Change, group: ir.Expr, places: list[str]) -> None:
        with self.expressions.members(group, self.env) as member:
            env = self.env if s.slot is None else {**self.env, s.slot: member}
            if s.condition is not None:
                for at in places:
                    self.lines.emit(f"w[{at} + {member.code}] = -1")
                self.expressions.head(f"if {self.expressions.truth(s.condition, env)}:")
            for line, at in zip(s.lines, places, strict=True):
                self.lines.emit(f"w[{at} + {member.code}] = {self.amount(line, env)}")

    def member_count(self, group: ir.Expr) -> int:
        only = isinstance(group, ir.People) and group.players_only
        return self.codes.players if only or group.type.kind == "player" else self.codes.seats

    def apply(self, line: ir.ChangeLine, owner: str | None, amount: str, test: str = "") -> None:
        """Within the counter's bounds; a seat without the counter neither gains nor loses."""
        counter = self.codes.declaration(line.cell)
        assert isinstance(counter, Counter)
        depth = self.lines.depth
        if test:
            self.expressions.head(f"if {test}:")
        name = self.tables.cell(counter)
        if counter.owner is not None:
            if owner is None or counter.owner.kind not in ("player", "seat"):
                raise unsupported("a counter with such owners that changes", counter.span)
            if counter.owner.kind == "player" and self.codes.seats > self.codes.players:
                self.expressions.head(f"if {owner} < {self.codes.players}:")
            name = f"{name}[{owner}]"
        new = self.lines.new()
        self.lines.emit(f"{new} = {name} {'+' if line.gains else '-'} {amount}")
        bound, sign = (counter.high, ">") if line.gains else (counter.low, "<")
        with self.lines.block(f"if {new} {sign} {bound}:"):
            self.lines.emit(f"{new} = {bound}")
        with self.lines.block(f"if {new} != {name}:"):
            self.counting.changed(line.cell, line.gains, f"{new} - {name}" if line.gains else f"{name} - {new}")
            self.lines.emit(f"{name} = {new}")
            self.recording.changed(counter, owner, new)
        self.lines.depth = depth

    # ---- procedures

    def forget_ending(self, procedure: Procedure) -> None:
        if procedure.ends:
            self.lines.emit(f"{self.tables.ended(procedure.name)} = -1")

    def fire(self, s: ir.Fire) -> Exits:
        """What answers a trigger, one after the other; an `end` in one of them skips the others."""
        signal = self.codes.game.signals[s.signal]
        handlers = [self.codes.game.procedures[name] for name in signal.handlers]
        with self.lines.still():
            vals = [self.kept(val) for val in self.arguments(s.args, signal.params)]
        at = signal.card_param
        runs: list[tuple[str, Procedure, list[Val]]] = []
        for handler in handlers:
            if handler.card is None:
                runs.append(("", handler, vals))
            elif at is not None:
                runs.append((f"{vals[at].code} == {self.codes.cards[handler.card]}", handler, vals))
        depth = self.lines.depth
        if at is not None and len(runs) > 2 and all(test for test, _, _ in runs):
            cards = frozenset(self.codes.cards[handler.card] for handler in handlers if handler.card is not None)
            self.expressions.head(f"if {self.tables.handled(cards)}[{vals[at].code}] == 1:")
        exits = self.one_after_the_other(runs)
        self.lines.depth = depth
        return exits

    def kept(self, val: Val) -> Val:
        """A value under a name that nothing else changes."""
        if val.code.startswith("t") and is_plain(val.code):
            return val
        name = self.lines.new()
        self.lines.emit(f"{name} = {val.code}")
        return Val(name, val.type, val.maybe)

    def one_after_the_other(self, runs: list[tuple[str, Procedure, list[Val]]]) -> Exits:
        exits = NONE
        with self.lines.aside(self.lines.depth + 1) as lines:
            for number, (test, procedure, vals) in enumerate(runs):
                depth = self.lines.depth
                if test:
                    self.expressions.head(f"if {test}:")
                found = self.flow.run(procedure, vals)
                if found and number + 1 < len(runs):
                    self.lines.emit("if out != 0:")
                    self.lines.out.append((self.lines.depth + 1, "break"))
                exits |= found
                self.lines.depth = depth
        self.flow.around(lines, bool(exits))
        return self.flow.left(exits)

    def touched(self, *cells: int | None) -> Exits:
        """What should happen as soon as something holds is looked at behind every step that touches it."""
        watches = [(p, c) for p, c in self.watches if not c.isdisjoint(cell for cell in cells if cell is not None)]
        if not watches:
            return NONE
        runs: list[tuple[str, Procedure, list[Val]]] = []
        with self.lines.still():
            for procedure, _ in watches:
                assert procedure.watch is not None
                test = self.kept(Val(self.expressions.truth(procedure.watch, {}), TRUTH))
                runs.append((test.code, procedure, []))
        return self.one_after_the_other(runs)

    # ---- loops

    def stop(self) -> Exits:
        loops = self.flow.frame.loops
        code = next(code for code in reversed(loops) if code is not None)
        if loops[-1] is not None:
            self.lines.emit("break")
            return NONE
        if self.flow.frame.part == "after":
            raise unsupported("a `stop` within two loops in an `after`", self.flow.frame.procedure.span)
        self.lines.emit(f"out = {code}")
        self.lines.emit("break")
        return frozenset({code})

    def repeat(self, s: ir.Repeat) -> Exits:
        """At most as often as the interpreter lets it go round; the work of all rounds is counted behind it."""
        code, rounds = STOPS + self.lines.names, self.lines.new("i")
        self.flow.frame.loops.append(code)
        with self.lines.block(f"for {rounds} in range({LOOP_LIMIT}):"):
            if s.until is not None:
                with self.lines.still():
                    test = self.expressions.truth(s.until, self.env)
                with self.lines.block(f"if {test}:"):
                    self.lines.emit("break")
            self.recording.check_room()
            exits = self.steps(s.steps)
        with self.lines.block("else:"):
            self.lines.emit("return FAILED")
        self.lines.emit(f"work += {self.work.of_turn(s)} * {rounds}")
        self.lines.fail_if(f"work > {WORK_LIMIT}")
        self.flow.frame.loops.pop()
        if code in exits:
            with self.lines.block(f"if out == {code}:"):
                self.lines.emit("out = 0")
        return self.flow.left(exits - {code})

    def each(self, s: ir.Each) -> Exits:
        """For those who are in the group now; whether each is meant is asked when it is their turn."""
        depth, start = self.lines.depth, len(self.lines.out)
        name = self.env[s.slot].code
        with self.lines.still():
            self.open_each(s.group, name)
        inside = len(self.lines.out)
        self.flow.frame.loops.append(None)
        if s.condition is not None:
            with self.lines.still():
                test = self.expressions.truth(s.condition, self.env)
            self.expressions.head(f"if {test}:")
        exits = self.steps(s.steps)
        self.lines.depth = depth
        self.flow.frame.loops.pop()
        if isinstance(s.group, ir.People) and all(text.startswith("#") for _, text in self.lines.out[inside:]):
            del self.lines.out[start:inside]  # nothing is done for anybody
            self.lines.out[start:] = [(depth, text) for _, text in self.lines.out[start:]]
        return self.flow.left(exits)

    def open_each(self, group: ir.Expr, name: str) -> None:
        head = self.expressions.head
        if isinstance(group, ir.People):
            head(f"for {name} in range({self.member_count(group)}):")
        elif group.type.is_set:
            first, count = self.codes.bits(group.type)
            bits = self.kept(self.expressions.value(group, self.env))
            head(f"for {name} in range({first}, {first + count}):")
            head(f"if {self.expressions.has(bits, Val(name, group.type.element()), first)}:")
        elif isinstance(group, ir.Read):
            array, top, end = self.expressions.pile(group, self.env)
            copy, at = self.tables.room(group.type.name), self.lines.new("i")
            count_name = self.lines.new()
            self.lines.emit(f"{count_name} = {end} - {top}")
            self.lines.copy(copy, "0", array, top, count_name)
            head(f"for {at} in range({count_name}):")
            self.lines.emit(f"{name} = {copy}[{at}]")
        else:
            raise unsupported("going through this group", group.span)


def within(type: Type, low: int, high: int) -> bool:
    return type.low is not None and type.high is not None and low <= type.low and type.high <= high
