"""Comparisons and arithmetic. An absent value equals nothing, and is no number."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.state import State
from ritual_dsl.model import ir
from ritual_dsl.source import Span

if TYPE_CHECKING:
    from ritual_dsl.engine.evaluate import Evaluator, Function, Locals

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def compare(sign: str, left: Function, other: ir.Expr, evaluator: Evaluator, span: Span) -> Function:
    match sign, other:
        case "=", ir.Const(value=constant) if constant is not None:
            return lambda s, x: left(s, x) == constant
        case "!=", ir.Const(value=constant) if constant is not None:
            return lambda s, x: left(s, x) != constant
        case "=", ir.Local(slot=slot):
            return lambda s, x: (v := left(s, x)) is not None and v == x[slot]
    right = evaluator.build(other)
    match sign:
        case "=":
            return lambda s, x: (v := left(s, x)) is not None and v == right(s, x)
        case "!=":
            return lambda s, x: (v := left(s, x)) is None or v != right(s, x)
        case _:
            return of_numbers(sign, left, right, span)


def arithmetic(sign: str, left: Function, right: Function, span: Span) -> Function:
    return modulo(left, right, span) if sign == "mod" else of_numbers(sign, left, right, span)


def of_numbers(sign: str, left: Function, right: Function, span: Span) -> Function:
    combine = OPERATORS[sign]

    def combined(s: State, x: Locals) -> Any:
        a = left(s, x)
        if a is None:
            raise absent(span)
        b = right(s, x)
        if b is None:
            raise absent(span)
        return combine(a, b)

    return combined


def modulo(left: Function, right: Function, span: Span) -> Function:
    def modulo(s: State, x: Locals) -> Any:
        divisor = right(s, x)
        if divisor is None:
            raise absent(span)
        if divisor == 0:
            raise fail("RIT504", "there is no remainder of a division by 0", span)
        value = left(s, x)
        if value is None:
            raise absent(span)
        return value % divisor

    return modulo


def absent(span: Span) -> RitualError:
    return fail("RIT504", "there is no number here: the value is absent", span)
