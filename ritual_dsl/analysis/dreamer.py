"""A machine that makes the moves of a story in a world: what is seen and allowed there tells whether it can be real.

In: a table and assumptions. Out: for a world and a move, every world it can lead to. An answer that was not allowed, or
something that would have looked different, does not stop a world: it is noted as an objection, so that it can be told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.onlooker import Onlooker
from ritual_dsl.analysis.reading import VeiledEvaluator
from ritual_dsl.analysis.story import (
    DECLINED,
    Begun,
    Declined,
    Happened,
    Move,
    Over,
    Said,
    Table,
    World,
)
from ritual_dsl.analysis.undecided import Pools, copy_cells
from ritual_dsl.analysis.veiled import Impossible
from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.blame import blamed
from ritual_dsl.engine.choices import Choice, Question
from ritual_dsl.engine.permission import doers, names_for
from ritual_dsl.engine.state import Event, Frame, State
from ritual_dsl.engine.trace import Trace
from ritual_dsl.model import ir
from ritual_dsl.model.game import Assumption

Script = tuple[int, ...]

MOST_RUNS = 30_000  # moves made, in all worlds together
HOPELESS = 20  # times as many after one move: not even tried
MOST_WORK = 60_000_000  # rules asked and members looked at, and things that happened
WORK_OF_EVENT = 60


@dataclass(frozen=True)
class Assumed:
    """An assumption of the last choice of its kind: whose (None: of anybody but those who look on), and its inputs."""

    assumption: Assumption
    who: int | None
    args: tuple[Any, ...]


class Dreamer(Onlooker):
    """A machine that takes answers from a story and chance from a script."""

    def __init__(self, table: Table, assumed: dict[str, Assumed], notes: bool = False) -> None:
        super().__init__(table, notes)
        self.assumed = assumed
        self.asker = VeiledEvaluator(self, Trace())  # asked what decided
        self.fault: RitualError | None = None  # of the rules, in some world
        self.met: set[str] = set()  # assumptions whose choice was made
        self.runs = self.work = 0
        self.most_runs = MOST_RUNS
        self.world: World = World(Fraction(1), table.state, Pools(), None)

    def first(self) -> World:
        """The world before anything was done, in which nothing has been decided yet."""
        base = self.table.state
        cells, pools = self.veil()
        state = State(base.players, base.seats, cells, base.chance, dict(base.ended))
        return World(Fraction(1), state, pools, None, heard=(0,) * len(self.told))

    def outcomes(self, world: World, move: Move) -> Iterator[tuple[World, Script]]:
        """Every world that a move leads to: the last decision that can be made anew is made anew."""
        script: list[int] = []
        while True:
            after = self.make(world, move, script)
            sizes = self.sizes
            hopeless = not any(script) and math.prod(sizes) > HOPELESS * self.most_runs
            if hopeless and not self.wide:  # where most is ruled out at once, there is no need to multiply
                raise too_many()
            if after is not None:
                yield after, tuple(script)
            del script[len(sizes) :]
            while script and script[-1] + 1 == sizes[len(script) - 1]:
                script.pop()
            if not script:
                return
            script[-1] += 1

    def make(self, world: World, move: Move, script: list[int], explain: bool = False) -> World | None:
        """One world that a move leads to; the script grows by the decisions that it leaves open."""
        self.count()
        state = self.load(world, script, explain)
        try:
            self.do(move, state)
            self.sync(state)
            if isinstance(move, Over):
                self.miss()
        except Impossible:
            return None
        except RitualError as error:
            if any(found.code == "RIT503" for found in error.diagnostics):
                raise
            self.fault = error
            return None
        finally:
            self.work += state.work + WORK_OF_EVENT * len(state.log)
        log, state.log, state.work = state.log, [], 0
        assert self.log_at == len(log)
        return replace(
            self.world,
            weight=world.weight * self.weight,
            state=state,
            pools=self.pools,
            waiting=self.choice,
            heard=tuple(self.heard),
            doubts=frozenset(self.doubts),
            observed=tuple(self.observed),
            seen=self.seen,
            objections=tuple(self.objections),
        )

    def count(self) -> None:
        """What strangers write must not keep a machine busy for ever."""
        self.runs += 1
        if self.runs > self.most_runs or self.work > MOST_WORK:
            raise too_many()

    def load(self, world: World, script: list[int], explain: bool) -> State:
        self.world, self.script, self.explain = world, script, explain
        self.sizes, self.weight, self.choice = [], Fraction(1), world.waiting
        self.pools = {mark: pool.copy() for mark, pool in world.pools.items() if pool}
        self.doubts, self.blind, self.coming = set(world.doubts), False, None
        self.touched, self.asked = set(), []
        s = world.state
        frames = [Frame(f.procedure, f.position, copy_cells(f.local)) for f in s.frames]
        state = State(s.players, s.seats, copy_cells(s.cells), s.chance, dict(s.ended), frames)
        self.look_on(world, state)
        return state

    def branch(self, size: int) -> int:
        if len(self.objections) > len(self.world.objections):
            return 0  # a world that has just been ruled out needs no company
        return super().branch(size)

    # ---- moves

    def do(self, move: Move, state: State) -> None:
        match move:
            case Begun():
                if self.table.procedure is not None:
                    self.enter(state, self.table.procedure, self.table.args)
                    self.advance(state)
            case Happened():
                self.interrupt(move, state)
            case Said():
                self.say(move, state)
            case Declined():
                self.reply(state, None)
            case Over():
                if self.table.truth is None:
                    self.pass_over(state)

    def interrupt(self, move: Happened, state: State) -> None:
        if self.choice is None:
            self.oppose(f"`{move.procedure}` would have come too late")
            return
        procedure = self.game.procedures[move.procedure]
        local = names_for(procedure, move.args)
        if procedure.by is not None and not doers(procedure.by, self.evaluator, state, local):
            self.oppose(f"`{move.procedure}` could not have happened: nobody could do it")
            return
        if procedure.only_when is not None and not self.evaluator.applies(procedure.only_when, state, local):
            clauses = self.clauses(procedure.only_when, state, local) if self.explain else ()
            self.oppose(f"`{move.procedure}` could not have happened", clauses)
            return
        self.enter(state, move.procedure, move.args)
        self.advance(state)

    def say(self, move: Said, state: State) -> None:
        """Give the answer that was given; what nobody spoke of before it was declined."""
        while True:
            if self.table.truth is None and move.what == DECLINED:
                self.pass_over(state)
            if self.choice is None:
                self.oppose(f"{move.who} would not have been asked, and said {move.what}")
                return
            question, frame = self.question(state)
            all_of_them = question.everything(state, frame.local)
            option, fits = self.meant(move, all_of_them)
            if fits:
                break
            if None not in self.choice.options:
                if move.what == DECLINED and self.table.truth is None:
                    return  # of a question that was passed over
                raise Impossible
            self.reply(state, None)
        self.doubt(self.choice, state)
        if option not in self.choice.options:
            condition, local = question.condition_of(option, frame.local)
            clauses = self.clauses(condition, state, local) if self.explain else ()
            self.oppose(f"{move.who} could not have chosen {move.what} at `{self.choice.label}`", clauses)
        self.weight *= max(1, all_of_them.count(option))  # either of two alike
        self.reply(state, option)

    def pass_over(self, state: State) -> None:
        """Nobody speaks of questions to which nothing can be said."""
        while self.choice is not None and self.choice.options == (None,):
            self.reply(state, None)

    def reply(self, state: State, option: Any) -> None:
        self.answer(state, option)
        self.sync(state)

    def question(self, state: State) -> tuple[Question, Frame]:
        """The one that waits, as it stands in the rules."""
        frame = state.frames[-1]
        return self.code(frame.procedure).questions[frame.position], frame

    def pose(self, question: Question, state: State, frame: Frame, choice: Choice) -> None:
        """Wait for the answer, even if there is only one."""
        frame.position -= 1
        self.choice = choice
        if len(choice.options) > 1:
            state.log.append(Event("asked", (choice.label, choice.who, choice.options), only=frozenset(choice.who)))

    def lack(self, node: ir.Asked | ir.Choose) -> None:
        if not self.objections:  # where something was done that is not allowed, what comes of it need not be either
            super().lack(node)

    def meant(self, move: Said, all_of_them: list[Any]) -> tuple[Any, bool]:
        """The option that an answer names, allowed or not, and whether there is one."""
        run, choice = self.table.run, self.choice
        if choice is not None and move.who == run.who(choice):
            for option in (*choice.options, *all_of_them):
                if run.show(option, choice.type) == move.what:
                    return option, True
        return None, False

    def doubt(self, choice: Choice, state: State) -> None:
        """Which assumptions do not hold of this choice; what was so of an earlier one counts no more."""
        for name, assumed in self.assumed.items():
            is_meant = not self.table.eyes.issuperset(choice.who) if assumed.who is None else assumed.who in choice.who
            if assumed.assumption.choice == choice.label and is_meant:
                self.met.add(name)
                local = [*assumed.args, *(None,) * (assumed.assumption.slots - len(assumed.args))]
                holds = self.evaluator.value(assumed.assumption.body, state, local)
                (self.doubts.discard if holds else self.doubts.add)(name)

    def clauses(self, condition: ir.Expr | None, state: State, local: list[Any]) -> tuple[str, ...]:
        """What decided that a condition does not hold."""
        if condition is None:
            return ()
        found = blamed(condition, self.asker, state, local)
        told = [(f"{d.name} holds" if d.value is True else d.name, d.entry.span) for d in found]
        told = told or [(condition.span.quoted(), condition.span)]
        return tuple(f"{name} [{span.path}:{span.line}]" for name, span in told)


def too_many() -> RitualError:
    message = "there are too many ways the unknown could have fallen to look at them all"
    return fail("RIT750", message, help="ask for one player, say more of what is known, or start later")
