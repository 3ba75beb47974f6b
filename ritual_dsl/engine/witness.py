"""What a run exercised: stretches of the rules, each with what came of it.

In: told by the evaluator and the machine while rules are asked and steps are run. Out: `Hit`s,
which coverage compares with everything there is to exercise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from ritual_dsl.source import Span

S = TypeVar("S")
X = TypeVar("X")
T = TypeVar("T")
Hit = tuple[str, int, int, int, int, str]  # a stretch, and an outcome

RAN, TRUE, FALSE, TAKEN, PRESENT, ABSENT = "ran", "true", "false", "taken", "present", "absent"


def hit(span: Span, outcome: str) -> Hit:
    return (span.path, span.line, span.column, span.end_line, span.end_column, outcome)


@dataclass
class Witness:
    hits: set[Hit] = field(default_factory=set)

    def note(self, span: Span, outcome: str) -> None:
        self.hits.add(hit(span, outcome))

    def decision(self, span: Span, function: Callable[[S, X], T]) -> Callable[[S, X], T]:
        """The same function, whose truth is noted."""
        yes, no, add = hit(span, TRUE), hit(span, FALSE), self.hits.add

        def watched(state: S, local: X) -> T:
            value = function(state, local)
            add(yes if value else no)
            return value

        return watched

    def taken(self, span: Span, function: Callable[[S, X], T]) -> Callable[[S, X], T]:
        """The same function; that it was asked is noted."""
        reached, add = hit(span, TAKEN), self.hits.add

        def watched(state: S, local: X) -> T:
            add(reached)
            return function(state, local)

        return watched

    def fallback(self, span: Span, function: Callable[[S, X], T]) -> Callable[[S, X], T]:
        """The same function; whether its value was there or absent is noted."""
        there, gone, add = hit(span, PRESENT), hit(span, ABSENT), self.hits.add

        def watched(state: S, local: X) -> T:
            value = function(state, local)
            add(gone if value is None else there)
            return value

        return watched
