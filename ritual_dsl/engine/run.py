"""A game in play: what a caller starts, answers, saves and looks at.

In: a game, players, a seed or a given state. Out: choices to answer, until the run has finished.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from ritual_dsl.diagnostics import Diagnostic, Related, RitualError, fail, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.blame import blamed
from ritual_dsl.engine.bookkeeping import Pinned
from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.permission import require, said
from ritual_dsl.engine.state import Frame, State, start_state
from ritual_dsl.engine.trace import Trace
from ritual_dsl.engine.witness import Witness
from ritual_dsl.model.game import Game
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

TAKEN = ("all", "do", "none")  # what scenarios and commands call several players, what happens, and nobody
LETTERS = "ABCDEFGHIJKL"
BOT_STREAM = 1 << 32  # bots draw from streams of their own


def seat_names(game: Game, players: int | Sequence[str]) -> list[str]:
    """The names of all seats: the players as given or A, B, C …, then dummy_1, dummy_2 …"""
    named = list(LETTERS[:players]) if isinstance(players, int) else list(players)
    low, high = game.players
    count = players if isinstance(players, int) else len(named)
    if not low <= count <= high:
        raise fail("RIT510", f"this game is for {low} to {high} players, not {count}")
    if len(set(named)) != len(named):
        raise fail("RIT510", "two players have the same name")
    for name in named:
        if name in TAKEN or re.fullmatch(r"dummy_[0-9]+", name) or not name.strip():
            raise fail("RIT510", f"a player cannot be called `{name}`: that means something else at the table")
    return named + [f"dummy_{i}" for i in range(1, game.seats_for(count) - count + 1)]


class Run:
    def __init__(
        self,
        game: Game,
        players: int | Sequence[str],
        seed: int = 0,
        stream: int = 0,
        state: State | None = None,
        trace: bool = False,
        pinned: Pinned | None = None,
        witness: Witness | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.game = game
        self.names = seat_names(game, players)
        self.trace = Trace() if trace else None
        self.machine = machine or Machine(game, self.trace, pinned, witness)  # one can play game after game
        count = players if isinstance(players, int) else len(players)
        self.state = state or start_state(game, count, Chance(seed, stream))
        self.bot = Chance(seed, BOT_STREAM + stream)
        self.started: Frame | None = None
        self.answers: list[Any] = []

    @property
    def choice(self) -> Choice | None:
        return self.machine.choice

    @property
    def finished(self) -> bool:
        return not self.state.frames

    def start(self, procedure: str | None = None, args: tuple[Any, ...] = ()) -> Run:
        """Run a procedure, by default the whole game, up to its first choice."""
        name = procedure or self.game.main
        require(self, self.game.procedures[name], args)
        self.machine.enter(self.state, name, args)
        self.started = copy.copy(self.state.frames[-1])
        self.machine.advance(self.state)
        return self

    def resume(self) -> Run:
        """Go on from a loaded state: the waiting choice is asked again."""
        if self.state.log and self.state.log[-1].kind == "asked":
            self.state.log.pop()
        work = self.state.work
        self.machine.advance(self.state)
        self.state.work = work  # it was counted when the choice was asked first
        return self

    def answer(self, option: Any) -> None:
        choice = self.machine.choice
        if choice is None:
            raise fail("RIT501", "no choice waits for an answer")
        if option not in choice.options:
            self.option(self.show(option, choice.type))
        self.answers.append(option)
        self.machine.answer(self.state, option)

    def option(self, text: str, span: Span | None = None) -> Any:
        """The option of the waiting choice that is written so; if it is not offered, which clauses say no."""
        choice = self.machine.choice
        assert choice is not None
        offered = {self.show(option, choice.type): option for option in choice.options}
        if text in offered:
            return offered[text]
        hint = near_miss(text, offered) or f"offered: {listing(offered)}"
        message = f"`{text}` is not offered at `{choice.label}`"
        raise RitualError([Diagnostic("RIT501", message, span or choice.span, hint, self.denials(text, choice))])

    def denials(self, text: str, choice: Choice) -> tuple[Related, ...]:
        """The clauses that do not allow what could be chosen otherwise."""
        frame = self.state.frames[-1]
        question = self.machine.code(frame.procedure).questions[frame.position]
        for option in question.everything(self.state, frame.local):
            condition, local = question.condition_of(option, frame.local)
            if condition is not None and self.show(option, choice.type) == text:
                work = self.state.work
                found = blamed(condition, Evaluator(self.game, Trace()), self.state, local)
                self.state.work = work  # nothing of the game has been asked
                return tuple(Related(said(d.name, bool(d.value)), d.entry.span) for d in found)
        return ()

    def interrupt(self, procedure: str, args: tuple[Any, ...]) -> None:
        """A procedure that may happen at any time, if its condition holds, before the waiting choice is answered."""
        definition = self.game.procedures.get(procedure)
        if definition is None or not definition.any_time:
            possible = [p.name for p in self.game.procedures.values() if p.any_time]
            raise fail("RIT501", f"`{procedure}` cannot happen at any time", help=f"possible: {listing(possible)}")
        require(self, definition, args)
        self.machine.enter(self.state, procedure, args)
        self.machine.advance(self.state)

    def ask(self, rule: str, args: tuple[Any, ...]) -> Any:
        """A rule's value now; after the run, as at its end, the started procedure still counting as running."""
        frames = self.state.frames
        if not frames and self.started is not None:
            self.state.frames = [self.started]
        try:
            return self.machine.evaluator.ask(self.game.rules[rule], args, self.state)
        finally:
            self.state.frames = frames

    def random_answer(self) -> Any:
        """What a bot without thought says: each option as likely."""
        assert self.machine.choice is not None
        options = self.machine.choice.options
        return options[self.bot.below(len(options))]

    def winners(self) -> list[str]:
        if self.game.winners is None:
            return []
        return [self.names[p] for p in range(self.state.players) if self.ask(self.game.winners, (p,))]

    # ---- words for people

    def show(self, value: Any, type: Type) -> str:
        """A value as scenario files write it."""
        if value is None:
            return "none"
        if isinstance(value, frozenset):
            return "[" + ", ".join(self.show(v, type.element()) for v in sorted(value)) + "]"
        if type.kind in ("seat", "player"):
            return self.names[value] if isinstance(value, int) and value < len(self.names) else str(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value)

    def owner_names(self, owner: Type | None) -> list[str]:
        """The owners of the shares of something, by name, in the order of the shares."""
        owners = self.game.owners(owner, self.state.players)
        return [self.show(value, owner) for value in owners] if owner is not None else []

    def share(self, name: str, position: int | None) -> str:
        """What a zone, counter or variable, or one owner's share of it, is called."""
        declared = self.game.declared(name)
        if position is None or declared is None:
            return name
        return f"{name} of {self.owner_names(declared.owner)[position]}"

    def who(self, choice: Choice) -> str:
        return "all" if choice.together else self.names[choice.who[0]]
