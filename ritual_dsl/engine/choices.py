"""Steps that ask: who chooses, from which options, and what the answer does.

In: resolved steps. Out: `Question`s, whose `ask` is an instruction; for callers, the `Choice` that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.evaluate import Function, Locals
from ritual_dsl.engine.state import Event, Frame, State
from ritual_dsl.engine.values import Store, ValueSteps
from ritual_dsl.model import ir
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

NAMED = Type("name")
Options = Callable[[State, Locals], tuple[Any, ...]]


@dataclass(slots=True)
class Choice:
    """What the machine waits for: who, under which label, and the options allowed now."""

    who: tuple[int, ...]
    together: bool
    label: str
    options: tuple[Any, ...]
    type: Type  # of the options; `name` for the options a rule spells out
    span: Span


class ChoiceSteps(ValueSteps):
    choice: Choice | None  # the one that waits
    asked: list[Choice]

    def pose(self, question: Question, state: State, frame: Frame, choice: Choice) -> None:
        """Wait for an answer, or, where there is only one, take it."""
        if len(choice.options) == 1:
            question.accept(state, frame, choice, choice.options[0])
            return
        frame.position -= 1
        self.choice = choice
        self.asked.append(choice)
        if self.keeps_log:
            state.log.append(Event("asked", (choice.label, choice.who, choice.options), only=frozenset(choice.who)))

    def lack(self, node: ir.Asked | ir.Choose) -> None:
        """There is nothing to choose."""
        raise fail("RIT505", f"the choice `{node.label}` has no option", node.span)

    def ask_one_of(self, statement: ir.Assign) -> Question:
        asked = statement.value
        assert isinstance(asked, ir.Asked)
        take = self.storing(statement.place, asked.type, statement.span)
        return Question(self, asked, asked.type, self.options_of(asked), take)

    def options_of(self, asked: ir.Asked) -> Options:
        members, slot, declined = self.evaluator.members(asked.group), asked.slot, (None,) if asked.may else ()
        if asked.condition is None:  # by face: two pieces alike are one option
            return lambda s, x: (*dict.fromkeys(members(s, x)), *declined)
        condition = self.evaluator.decision(asked.condition)

        def options(state: State, local: Locals) -> tuple[Any, ...]:
            allowed: dict[Any, None] = {}
            for member in members(state, local):
                if slot is not None:
                    local[slot] = member
                if condition(state, local):
                    allowed[member] = None
            return (*allowed, *declined)

        return options

    def ask_option(self, statement: ir.Choose, targets: dict[str, int]) -> Question:
        build: Callable[[ir.Expr], Function] = self.evaluator.decision
        tests = [(o.name, build(o.condition) if o.condition is not None else None) for o in statement.options]

        def options(state: State, local: Locals) -> tuple[Any, ...]:
            return tuple([name for name, test in tests if test is None or test(state, local)])

        def take(state: State, frame: Frame, option: Any) -> None:
            frame.position = targets[option]

        return Question(self, statement, NAMED, options, take)


class Question:
    """A choice as it stands in the rules: asks where there is more than one option, and takes the answer."""

    def __init__(
        self, machine: ChoiceSteps, node: ir.Asked | ir.Choose, type: Type, options: Options, take: Store
    ) -> None:
        self.machine = machine
        self.node = node
        self.type = type
        self.options = options
        self.take = take
        self.actor = machine.evaluator.build(node.actor)

    def ask(self, state: State, frame: Frame) -> bool:
        node = self.node
        actor = self.actor(state, frame.local)
        if actor is None or (node.together and not actor):
            raise fail("RIT504", "nobody is there to be asked", node.span)
        options = self.options(state, frame.local)
        if not options:
            self.machine.lack(node)
        who = tuple(sorted(actor)) if node.together else (actor,)
        choice = Choice(who, node.together, node.label, options, self.type, node.span)
        self.machine.pose(self, state, frame, choice)
        return True

    def accept(self, state: State, frame: Frame, choice: Choice, option: Any) -> None:
        if self.machine.keeps_log:
            self.machine.note(state, "chose", choice.label, choice.who, option)
        self.take(state, frame, option)

    def everything(self, state: State, local: Locals) -> list[Any]:
        """What could be chosen if no condition stood in the way."""
        if isinstance(self.node, ir.Choose):
            return [option.name for option in self.node.options]
        return list(self.machine.evaluator.members(self.node.group)(state, local))

    def condition_of(self, option: Any, local: Locals) -> tuple[ir.Expr | None, Locals]:
        """What must hold for an option to be offered, and the names in it."""
        if isinstance(self.node, ir.Choose):
            return next(o.condition for o in self.node.options if o.name == option), local
        if self.node.slot is None:
            return self.node.condition, local
        return self.node.condition, [option if slot == self.node.slot else named for slot, named in enumerate(local)]
