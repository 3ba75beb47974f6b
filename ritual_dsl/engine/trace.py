"""What decided: the record of evaluations of rules.

In: filled while rules are asked. Out: read by scenarios, `why` and explanations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ritual_dsl.engine.state import Event, Frame
from ritual_dsl.model import ir
from ritual_dsl.model.game import Clause, Entry, Game, Procedure, Rule
from ritual_dsl.model.walk import walk

if TYPE_CHECKING:
    from ritual_dsl.engine.code import Cause


@dataclass
class Decided:
    """One clause as it read when it was asked: by the rulebook or by a patch, with its value."""

    rule: str
    clause: Clause
    entry: Entry
    value: Any
    limit: bool = False
    decides: bool = True
    holder: int | None = None  # of the card whose patch counts

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
    for procedure in game.procedures.values():
        for name, patched in patched_parts(procedure):
            for block in (*patched.before, *patched.instead, *patched.after):
                found |= names_of(name, block.origin, block.label) - {name}
    return found


def patched_parts(procedure: Procedure) -> Iterator[tuple[str, ir.Patched]]:
    """A procedure and its labelled steps, as patches call them, with what patches add to them."""
    yield procedure.name, procedure.patched
    for part in walk(procedure):
        if isinstance(part, ir.Step):
            yield step_name(procedure, part), part.patched


def step_name(procedure: Procedure, step: ir.Step) -> str:
    """By the procedure or the card, and the label."""
    return f"{procedure.card or procedure.name}.{step.label}"


@dataclass
class Evaluation:
    """A rule asked for certain inputs."""

    rule: Rule
    args: tuple[Any, ...]
    value: Any = None
    decided: list[Decided] = field(default_factory=list)
    inner: list[Evaluation] = field(default_factory=list)


@dataclass
class Happening:
    """What one step did: its events, the rules it asked, and, by a patch of a card, that card's holder."""

    cause: Cause
    frames: tuple[Frame, ...]  # the calls, the outermost first
    events: tuple[Event, ...]
    asked: list[Evaluation]
    holder: int | None


@dataclass
class Trace:
    """An account of a run: what happened, the patches of steps that were run, the last evaluation of each question."""

    happened: list[Happening] = field(default_factory=list)
    patches: set[str] = field(default_factory=set)
    top: list[Evaluation] = field(default_factory=list)  # asked by the step that is being run
    last: dict[tuple[str, tuple[Any, ...]], Evaluation] = field(default_factory=dict)
    open: list[Evaluation] = field(default_factory=list)

    def decided(self) -> set[str]:
        """The names of all clauses and patches that decided something in the end."""
        return self.patches.union(*(d.names for e in self.last.values() for d in e.decided if d.decides))

    def begin(self, rule: Rule, args: tuple[Any, ...]) -> Evaluation:
        evaluation = Evaluation(rule, args)
        if self.open:
            self.open[-1].inner.append(evaluation)
        self.open.append(evaluation)
        return evaluation

    def finish(self, evaluation: Evaluation, value: Any) -> None:
        evaluation.value = value
        self.open.pop()
        if not self.open:
            self.top.append(evaluation)
        self.last[evaluation.rule.name, evaluation.args] = evaluation
