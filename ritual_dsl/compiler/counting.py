"""Measures as flat code: the same samples and sums that the interpreter's recorder makes.

In: what is entered, left and changed. Out: lines that count, and at the end of a game add to `totals`. A measure
without a key counts under names of its own; one with keys in `g`, with a list of the rows touched.
"""

from __future__ import annotations

from ritual_dsl.compiler.codes import Codes
from ritual_dsl.compiler.expressions import Env, Expressions, Val
from ritual_dsl.engine.measures import LARGEST_SUM, MOST_RUNS, ROW, Rows, amount_name, amounts, layout
from ritual_dsl.model import ir
from ritual_dsl.model.game import Measure, Procedure
from ritual_dsl.model.types import NUMBER


class Counting:
    def __init__(self, codes: Codes, expressions: Expressions, on: bool) -> None:
        self.codes = codes
        self.expressions = expressions
        self.lines = expressions.lines
        self.tables = expressions.tables
        self.rows = layout(codes.game, codes.players) if on else []
        self.watched = sorted({a for rows in self.rows for a in amounts(rows.measure)}, key=str)
        self.measured = {rows.measure.procedure for rows in self.rows}

    @property
    def size(self) -> int:
        """How many rows there are."""
        return sum(rows.size for rows in self.rows) // ROW

    def name(self, amount: tuple[str, str | int]) -> str:
        return f"a{self.watched.index(amount)}"

    def begun(self, amount: tuple[str, str | int], procedure: str) -> str:
        return f"b{self.watched.index(amount)}_{self.tables.procedures[procedure]}"

    # ---- what happens

    def start(self) -> None:
        for amount in self.watched:
            self.lines.emit(f"{self.name(amount)} = 0")
        for number, rows in enumerate(self.rows):
            if rows.measure.key is None:
                self.lines.emit(f"n_{number} = x_{number} = q_{number} = 0")
            elif rows.measure.value is None:
                self.lines.emit(f"n_{number} = 0")

    def entered(self, procedure: Procedure) -> None:
        if procedure.name in self.measured:
            measures = [rows.measure for rows in self.rows if rows.measure.procedure == procedure.name]
            for amount in sorted({a for measure in measures for a in amounts(measure)}, key=str):
                self.lines.emit(f"{self.begun(amount, procedure.name)} = {self.name(amount)}")
        self.count(("runs", procedure.name), "1")

    def changed(self, cell: int, gains: bool, by: str) -> None:
        self.count(("gains" if gains else "losses", cell), by)

    def count(self, amount: tuple[str, str | int], by: str) -> None:
        if amount in self.watched:
            self.lines.emit(f"{self.name(amount)} += {by}")

    def leaving(self, procedure: Procedure, unless: int | None) -> None:
        """The samples taken when a procedure ends."""
        if procedure.name not in self.measured:
            return
        depth = self.lines.depth
        if unless is not None:
            self.expressions.head(f"if out != {unless}:")
        for number, rows in enumerate(self.rows):
            if rows.measure.procedure == procedure.name:
                self.lines.comment("measure", rows.measure.name, *rows.measure.cites, span=rows.measure.span)
                with self.lines.still():
                    self.sample(number, rows)
        self.lines.depth = depth

    # ---- samples

    def sample(self, number: int, rows: Rows) -> None:
        measure = rows.measure
        if measure.group is None:
            self.one_sample(number, rows, {})
            return
        with self.expressions.members(measure.group, {}) as member:
            env: Env = {} if measure.slot is None else {measure.slot: member}
            if measure.condition is not None:
                self.expressions.head(f"if {self.expressions.truth(measure.condition, env)}:")
            self.one_sample(number, rows, env)

    def one_sample(self, number: int, rows: Rows, env: Env) -> None:
        measure, emit = rows.measure, self.lines.emit
        if measure.key is None:
            value = self.expressions.atom(self.amount(measure, env))
            emit(f"n_{number} += 1")
            emit(f"x_{number} += {value.code}")
            emit(f"q_{number} += {value.code} * {value.code}")
            return
        row = self.lines.new("i")
        emit(f"{row} = {rows.offset // ROW} + {self.key(rows, env)}")
        value = self.expressions.atom(self.amount(measure, env)) if measure.value is not None else Val("1", NUMBER)
        if measure.value is None:
            emit(f"n_{number} += 1")
        with self.lines.block(f"if g[{row}] == 0:"):
            emit(f"rows[touched] = {row}")
            emit("touched += 1")
        emit(f"g[{row}] += 1")
        emit(f"g[{self.size} + {row}] += {value.code}")
        if not measure.is_share:
            emit(f"g[{2 * self.size} + {row}] += {value.code} * {value.code}")

    def amount(self, measure: Measure, env: Env) -> Val:
        value = measure.value
        if isinstance(value, ir.Amount):
            return Val(self.running(value, measure), NUMBER)
        assert value is not None
        if value.type.kind == "truth":
            return Val(f"1 if {self.expressions.truth(value, env)} else 0", NUMBER)
        val = self.expressions.value(value, env)
        if val.maybe:
            val = self.expressions.atom(val)
            return Val(f"{val.code} if {self.expressions.present(val)} else 0", NUMBER)
        return val

    def running(self, amount: ir.Amount, measure: Measure) -> str:
        name = amount_name(amount)
        if name == ("runs", measure.procedure):
            return self.name(name)
        return f"({self.name(name)} - {self.begun(name, measure.procedure)})"

    def key(self, rows: Rows, env: Env) -> str:
        """Which row a sample belongs to."""
        measure, key = rows.measure, rows.measure.key
        last = len(rows.names) - 1
        if isinstance(key, ir.Amount):
            name = self.lines.new()
            self.lines.emit(f"{name} = {self.running(key, measure)}")
            with self.lines.block(f"if {name} > {MOST_RUNS}:"):
                self.lines.emit(f"{name} = {MOST_RUNS}")
            return name
        assert key is not None
        val = self.expressions.atom(self.expressions.value(key, env))
        if measure.start is not None:
            start = self.expressions.atom(self.expressions.value(measure.start, env))
            tests = [self.expressions.present(v) for v in (val, start) if v.maybe]
            tests += [f"{val.code} < {last}"] if last < self.codes.seats else []
            place = f"({val.code} - {start.code}) % {last}"
            return f"({place} if {' and '.join(tests)} else {last})" if tests else f"({place})"
        table = self.tables.keys(rows)
        index = f"{table}[{val.code}]" if val.type.kind in ("card", "enum") else val.code
        if val.type.kind == "number" and rows.keys[0]:
            index = f"({val.code} - {rows.keys[0]})"
        if val.type.kind == "number":
            self.lines.fail_if(f"not {rows.keys[0]} <= {val.code} <= {rows.keys[-2]}" + self.unless_absent(val))
        return f"({index} if {self.expressions.present(val)} else {last})" if val.maybe else index

    def unless_absent(self, val: Val) -> str:
        return f" and {self.expressions.present(val)}" if val.maybe else ""

    # ---- the end of a game

    def finish(self) -> None:
        """Every sum of this game to the totals."""
        for number, rows in enumerate(self.rows):
            if rows.measure.key is None:
                self.fold(f"n_{number}", f"x_{number}", f"q_{number}", str(rows.offset))
        for number, rows in enumerate(self.rows):
            if rows.measure.key is not None and rows.measure.value is None:
                self.fold(f"n_{number}", "0", "0", str(rows.offset + rows.all_keys * ROW))
        if any(rows.measure.key is not None for rows in self.rows):
            self.finish_keys()

    def finish_keys(self) -> None:
        emit = self.lines.emit
        with self.lines.block("for i in range(touched):"):
            emit("row = rows[i]")
            emit("n = g[row]")
            emit(f"x = g[{self.size} + row]")
            emit("q = x")
            for kind, rows in ((k, r) for k, r in enumerate(self.rows) if r.measure.key is not None):
                first = rows.offset // ROW
                inside = f"if {first} <= row < {first + rows.all_keys}:"
                if rows.measure.value is None:
                    with self.lines.block(inside):
                        emit(f"n = n_{kind}")
                elif not rows.measure.is_share:
                    with self.lines.block(inside):
                        emit(f"q = g[{2 * self.size} + row]")
            for part in range(3):
                emit(f"g[{f'{part * self.size} + ' if part else ''}row] = 0")
            self.fold("n", "x", "q", f"row * {ROW}")

    def fold(self, n: str, x: str, q: str, at: str) -> None:
        """Six sums of one row. A game that is too large is only noted: its batch is played again without it."""
        with self.lines.block(f"if {n} > {LARGEST_SUM} or {q} > {LARGEST_SUM}:"):
            self.lines.emit("done = TOO_LARGE")
        sums = {0: n, 2: f"{n} * {n}"}
        if x != "0":
            sums |= {1: x, 3: f"{n} * {x}", 4: f"{x} * {x}", 5: q}
        base = self.lines.new("i")
        self.lines.emit(f"{base} = {at}")
        for i, value in sorted(sums.items()):
            self.lines.emit(f"totals[{base} + {i}] += {value}")
