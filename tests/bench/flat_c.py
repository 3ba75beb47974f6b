"""Flat code as C, to see how far from the limit numba's machine code is.

In: flat code of the form for numba. Out: the same as one C function, compiled with `cc -O3` where there is a compiler.
The statements are translated one by one; anything unknown is an error, so nothing is left out in silence.
"""

from __future__ import annotations

import ast
import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ritual_dsl.compiler.flat import FAILED, Flat
from ritual_dsl.compiler.runtime import start_of
from ritual_dsl.engine.run import BOT_STREAM

HEAD = """
#include <stdint.h>
typedef int64_t num;
typedef uint64_t bits64;
#define GOLDEN 0x9E3779B97F4A7C15ULL
#define SAFE 0xFFFFFFFFFFFF0000ULL

static inline bits64 mix(bits64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
static const num inverse[] = {0, 0, 2147483649, 1431655766, 1073741825, 858993460, 715827883, 613566757, 536870913,
                              477218589, 429496730, 390451573, 357913942};
static inline num rest(bits64 z, num bound) {
    if (bound > 12) return z % (bits64)bound;
    num r = z % 27720;
    return r - bound * ((r * inverse[bound]) >> 32);
}
static inline num below(num bound, bits64 *rng) {
    bits64 z = mix(rng[0] += GOLDEN);
    if (z >= SAFE) rng[2] = z;
    return rest(z, bound);
}
static inline num popcount(num x) { return __builtin_popcountll(x); }
static inline num mod(num a, num b) { num r = a % b; return r < 0 ? r + b : r; }
static inline void shuffle(num *pile, num first, num count, bits64 *rng) {
    for (num i = count - 1; i > 0; i--) {
        num j = below(i + 1, rng), x = pile[first + i];
        pile[first + i] = pile[first + j];
        pile[first + j] = x;
    }
}
"""
TAIL = """
num batch(bits64 start, bits64 bot, num first, num count, bits64 *rng, PARAMS) {
    for (num i = first; i < first + count; i++) {
        rng[0] = mix(start + (bits64)i * GOLDEN);
        rng[1] = mix(bot + (bits64)i * GOLDEN);
        rng[2] = 0;
        num status = game(rng, NAMES);
        if (status != 0) return i - first;
    }
    return count;
}
"""
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.RShift: ">>", ast.LShift: "<<",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "&&", ast.Or: "||",
    ast.Not: "!", ast.Invert: "~", ast.USub: "-",
}  # fmt: skip
WIDE = ("bot", "z")  # names of 64 bits without a sign


class Translator:
    """The function `game` and its constant tables."""

    def __init__(self) -> None:
        self.locals: set[str] = set()

    def module(self, source: str) -> str:
        out: list[str] = []
        for node in ast.parse(source).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[values])):
                    numbers = ast.literal_eval(values)
                    listed = ", ".join(map(str, (numbers[-1], *numbers)))  # what -1 finds stands in front
                    out.append(f"static const num {name}_[] = {{{listed}}};\n#define {name} ({name}_ + 1)")
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                    out.append(f"#define {name} {value}")
                case ast.FunctionDef(name="game"):
                    params = [arg.arg for arg in node.args.args]
                    body = "\n".join(line for part in node.body for line in self.statement(part))
                    names = ", ".join(f"num *restrict {p}" for p in params[1:])
                    declared = ", ".join(f"{name} = 0" for name in sorted(self.locals - {*params, *WIDE}))
                    wide = f"bits64 {', '.join(WIDE)};"
                    body = f"num {declared};\n{wide}\n{body}"
                    out.append(f"static num game(bits64 *restrict rng, {names}) {{\n{body}\n}}")
                    tail = TAIL.replace("PARAMS", ", ".join(f"num *{p}" for p in params[1:]))
                    out.append(tail.replace("NAMES", ", ".join(params[1:])))
                case ast.FunctionDef(name="popcount"):
                    pass
                case _:
                    raise TypeError(ast.dump(node))
        return HEAD + "\n".join(out)

    def block(self, nodes: list[ast.stmt]) -> list[str]:
        return ["{", *(line for node in nodes for line in self.statement(node)), "}"]

    def statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Assign(targets=targets, value=value):
                return [" = ".join(self.target(t) for t in targets) + f" = {self.expression(value)};"]
            case ast.AugAssign(target=target, op=op, value=value):
                return [f"{self.target(target)} {OPERATORS[type(op)]}= {self.expression(value)};"]
            case ast.If(test=test, body=body, orelse=other):
                lines = [f"if ({self.expression(test)})", *self.block(body)]
                return [*lines, "else", *self.block(other)] if other else lines
            case ast.While(test=test, body=body):
                return [f"while ({self.expression(test)})", *self.block(body)]
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args), body=body):
                self.locals.add(name)
                low, high = ("0", args[0]) if len(args) == 1 else (self.expression(args[0]), args[1])
                loop = [f"for ({name} = {low}; {name} < {self.expression(high)}; {name}++)", *self.block(body)]
                return [*loop, f"if ({name} == {self.expression(high)})", *self.block(node.orelse)]
            case ast.Return(value=ast.expr() as value):
                return [f"return {self.expression(value)};"]
            case ast.Expr(value=value):
                return [f"{self.expression(value)};"]
            case ast.Break():
                return ["break;"]
            case ast.Pass():
                return [";"]
            case _:
                raise TypeError(ast.dump(node))

    def target(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            self.locals.add(node.id)
        return self.expression(node)

    def expression(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return name
            case ast.Constant(value=value):
                return f"{int(value)}LL"
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return f"{name}[{self.expression(index)}]"
            case ast.BinOp(left=left, op=ast.Mod(), right=ast.Call(func=ast.Name(id="u64"), args=[right])):
                return f"({self.expression(left)} % (bits64){self.expression(right)})"
            case ast.Call(func=ast.Name(id="i64"), args=[value]):
                return f"((num){self.expression(value)})"
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return f"mod({self.expression(left)}, {self.expression(right)})"
            case ast.BinOp(left=left, op=op, right=right):
                return f"({self.expression(left)} {OPERATORS[type(op)]} {self.expression(right)})"
            case ast.UnaryOp(op=op, operand=operand):
                return f"({OPERATORS[type(op)]}{self.expression(operand)})"
            case ast.BoolOp(op=op, values=values):
                return "(" + f" {OPERATORS[type(op)]} ".join(self.expression(v) for v in values) + ")"
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [self.expression(side) for side in (left, *others)]
                tests = [f"({a} {OPERATORS[type(op)]} {b})" for a, op, b in zip(sides, ops, sides[1:], strict=False)]
                return f"({' && '.join(tests)})"
            case ast.IfExp(test=test, body=body, orelse=other):
                return f"({self.expression(test)} ? {self.expression(body)} : {self.expression(other)})"
            case ast.Call(func=ast.Name(id=name), args=args):
                return f"{name}({', '.join(self.expression(arg) for arg in args)})"
            case _:
                raise TypeError(ast.dump(node))


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


class CProgram:
    """The compiled C of a game, with the arrays it works on."""

    def __init__(self, flat: Flat, folder: Path) -> None:
        source, library = folder / "flat.c", folder / "flat.so"
        source.write_text(Translator().module(flat.source.replace("@jit\n", "")), encoding="utf-8")
        cc = compiler()
        assert cc is not None
        options = ["-O3", "-march=native", "-fno-strict-aliasing", "-w", "-shared", "-fPIC"]
        subprocess.run([cc, *options, str(source), "-o", str(library)], check=True)
        self.batch: Any = ctypes.CDLL(str(library)).batch
        self.batch.restype = ctypes.c_int64
        room = [flat.work, 3 * flat.rows + 1, flat.rows + 1, flat.totals + 1, 1, 1]
        self.rng = (ctypes.c_uint64 * 3)()
        self.arrays = [(ctypes.c_int64 * size)() for size in room]
        self.arrays += [(ctypes.c_int64 * len(values))(*values) for values in flat.arrays.values()]
        self.totals = self.arrays[3]

    def play(self, seed: int, first: int, count: int) -> None:
        starts = (ctypes.c_uint64(start_of(seed, 0)), ctypes.c_uint64(start_of(seed, BOT_STREAM)))
        numbers = (ctypes.c_int64(first), ctypes.c_int64(count))
        played = self.batch(*starts, *numbers, self.rng, *self.arrays)
        if played != count:
            raise RuntimeError(f"game {first + played} was not played (a status such as {FAILED})")
