"""What decided: the record of evaluations of rules.

In: filled while rules are asked. Out: read by scenarios, `why` and explanations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.model.game import Clause, Entry, Game, Rule


@dataclass
class Decided:
    """One clause as it read when it was asked: by the rulebook or by a patch, with its value."""

    rule: str
    clause: Clause
    entry: Entry
    value: Any
    limit: bool = False
    decides: bool = True

    @property
    def name(self) -> str:
        """`rule.clause@patch`."""
        base = f"{self.rule}.{self.clause.label}"
        return f"{base}@{self.entry.origin}" if self.entry.origin else base

    @property
    def names(self) -> set[str]:
        return names_of(f"{self.rule}.{self.clause.label}", self.entry.origin, self.entry.label)


def names_of(plain: str, origin: str, label: str) -> set[str]:
    """All the ways to name what decided: with the patch, with the patch's label, and plainly."""
    return {plain, f"{plain}@{origin}", f"{plain}@{origin}.{label}"} if origin else {plain}


def known_names(game: Game) -> set[str]:
    """Everything that can decide."""
    found: set[str] = set()
    for rule in game.rules.values():
        for clause in rule.clauses:
            for entry in (*clause.entries, *clause.limits):
                for reading in (entry, *entry.overrides):
                    found |= names_of(f"{rule.name}.{clause.label}", reading.origin, reading.label)
    return found


@dataclass
class Evaluation:
    """A rule asked for certain inputs."""

    rule: Rule
    args: tuple[Any, ...]
    value: Any = None
    decided: list[Decided] = field(default_factory=list)
    inner: list[Evaluation] = field(default_factory=list)


@dataclass
class Trace:
    """All evaluations of a run; the last of each question is kept by its key."""

    last: dict[tuple[str, tuple[Any, ...]], Evaluation] = field(default_factory=dict)
    open: list[Evaluation] = field(default_factory=list)

    def decided(self) -> set[str]:
        """The names of all clauses and patches that decided something in the end."""
        return {name for e in self.last.values() for d in e.decided if d.decides for name in d.names}

    def begin(self, rule: Rule, args: tuple[Any, ...]) -> Evaluation:
        evaluation = Evaluation(rule, args)
        if self.open:
            self.open[-1].inner.append(evaluation)
        self.open.append(evaluation)
        return evaluation

    def finish(self, evaluation: Evaluation, value: Any) -> None:
        evaluation.value = value
        self.open.pop()
        self.last[evaluation.rule.name, evaluation.args] = evaluation
