"""A machine that plays through a world: answers come from a story, chance from a script.

In: a table and assumptions. Out: a `World`. An answer that was not allowed, or something that would have looked
different, does not stop a world: it is noted as an objection, so that it can be told later.
"""

from __future__ import annotations

import copy
from collections import Counter
from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.story import (
    Happened,
    Move,
    Objection,
    Observation,
    Said,
    Table,
    World,
    hidden_piles,
    supply,
)
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.cards import Which, top_of
from ritual_dsl.engine.choices import Choice, Question
from ritual_dsl.engine.code import Instruction
from ritual_dsl.engine.evaluate import Evaluator, Function
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.state import Event, Frame, State
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.trace import Trace
from ritual_dsl.model import ir
from ritual_dsl.model.game import Assumption, Zone
from ritual_dsl.source import Span


class Impossible(Exception):
    """The world contradicts itself: something was done with a piece that is not there."""


class Dreamer(Machine):
    """A machine that answers from a history and takes chance from a script."""

    def __init__(self, table: Table, assumptions: dict[str, tuple[Assumption, tuple[Any, ...]]]) -> None:
        super().__init__(table.run.game)
        self.table = table
        self.assumptions = assumptions
        self.evaluator: DreamEvaluator = DreamEvaluator(self)
        self.hidden = hidden_piles(table)

    def dream(
        self, history: tuple[Move, ...], script: list[int], explain: bool = False, pause: str | None = None
    ) -> World | None:
        """One world; `script` grows by the choices of chance that it leaves open. With `pause`, it stops where this
        player does something, even if there is only one thing to do."""
        self.history, self.at, self.explain, self.pause = history, 0, explain, pause
        self.script, self.weight = script, Fraction(1)
        self.sizes: list[int] = []
        self.observed: list[Observation] = []
        self.log_at, self.astray = 0, False
        self.objections: list[Objection] = []
        self.doubts: set[str] = set()
        self.settled = {cell: (self.table.settled.get(cell, 0), 0) for cell in self.hidden}
        self.touched, self.choice, self.filled = set(), None, 0
        base = self.table.state
        cells = copy.deepcopy(base.cells)
        state = State(base.players, base.seats, cells, copy.copy(base.chance), dict(base.ended))
        try:
            self.fill(state)
            self.filled = len(self.sizes)
            if self.table.procedure is not None:
                self.enter(state, self.table.procedure, self.table.args)
                self.advance(state)
        except (Impossible, RitualError):
            return None
        self.sync(state)
        self.compare_told(state)
        for move in history[self.at :]:
            if isinstance(move, Said):
                self.oppose(f"{move.who} would not have been asked, and said {move.what}")
        return World(
            self.weight,
            state,
            tuple(self.objections),
            frozenset(self.doubts),
            tuple(self.observed),
            self.choice,
            tuple(script),
        )

    # ---- chance

    def pick(self, pairs: list[tuple[Any, int]], only: Any = None) -> Any:
        """One of several with their weights, as the script says; the only one that was seen, if it was."""
        total = sum(weight for _, weight in pairs)
        if only is not None:
            pairs = [pair for pair in pairs if pair[0] == only]
        if not pairs:
            raise Impossible
        place = 0
        if len(pairs) > 1 and not self.objections:  # a world that is ruled out needs no company
            if len(self.sizes) == len(self.script):
                self.script.append(0)
            place = self.script[len(self.sizes)]
            self.sizes.append(len(pairs))
        value, weight = pairs[place]
        self.weight *= Fraction(weight, total)
        return value

    def fill(self, state: State) -> None:
        """Give every unknown place its pieces, out of the pile where the rest of its kind lies."""
        for (cell, owner), count in self.table.unknown:
            zone = self.zones[cell]
            source = supply(self.game, zone.piece).cell
            pile: list[str] = state.cells[source]
            fixed = self.table.settled.get(source, 0)
            for _ in range(count):
                card = self.pick(sorted(Counter(pile[fixed:]).items()))
                del pile[pile.index(card, fixed)]
                share = state.cells[cell] if owner is None else state.cells[cell][owner]
                if not zone.single:
                    share.append(card)
                elif owner is None:
                    state.cells[cell] = card
                else:
                    state.cells[cell][owner] = card

    def settle(self, zone: Zone, state: State) -> None:
        """Decide which piece is on top of a pile whose order is open."""
        top, bottom = self.settled.get(zone.cell, (1, 0))
        pile: list[str] = state.cells[zone.cell]
        middle = pile[top : len(pile) - bottom]
        if top or not middle:
            return
        card = self.pick(sorted(Counter(middle).items()), self.expected_face(state))
        pile.remove(card)
        pile.insert(0, card)
        self.settled[zone.cell] = (1, bottom)

    def expected_face(self, state: State) -> str | None:
        """The face that was really seen next, where the next thing that happens shows one."""
        self.sync(state)
        truth = self.table.truth
        if truth is None or self.astray or len(self.observed) >= len(truth):
            return None
        following = truth[len(self.observed)]
        return following[-1] if following[0] in ("moved", "top", "shown") else None

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        card = self.pick(sorted(Counter(pile).items()), self.expected_face(state))
        return pile.index(card)

    def take(self, zone: Zone, owner: int | None, state: State, span: Span, which: Which) -> str:
        hidden = zone.cell in self.hidden
        if hidden and which is top_of:
            self.settle(zone, state)
        card = super().take(zone, owner, state, span, which)
        if hidden:
            top, bottom = self.settled[zone.cell]
            self.settled[zone.cell] = (max(0, top - 1), min(bottom, len(state.cells[zone.cell])))
        return card

    def put(self, card: str, zone: Zone, owner: int | None, state: State, span: Span, bottom: bool) -> None:
        super().put(card, zone, owner, state, span, bottom)
        if zone.cell in self.hidden:
            above, below = self.settled[zone.cell]
            self.settled[zone.cell] = (above, below + 1) if bottom else (above + 1, below)

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        zone, owned = self.spot(statement.place, statement.span)

        def run(state: State, frame: Frame) -> None:
            owner = owned(state, frame.local)
            self.touch(zone.cell)
            if zone.cell in self.hidden:
                self.settled[zone.cell] = (0, 0)
            self.note(state, "shuffled", zone.name, owner)
            self.note_top(state, zone)

        return run

    def gather(self, statement: ir.Move) -> Instruction:
        gather = super().gather(statement)

        def run(state: State, frame: Frame) -> None:
            if statement.to.cell in self.hidden:
                self.settled[statement.to.cell] = (0, 0)
            gather(state, frame)

        return run

    def note_top(self, state: State, zone: Zone) -> None:
        if zone.top_audience is not None and zone.cell in self.hidden:
            self.settle(zone, state)
        super().note_top(state, zone)

    def show(self, statement: ir.Show) -> Instruction:
        show = super().show(statement)

        def run(state: State, frame: Frame) -> None:
            if statement.source.cell in self.hidden:
                self.settle(self.zones[statement.source.cell], state)
            show(state, frame)

        return run

    # ---- answers

    def pose(self, question: Question, state: State, frame: Frame, choice: Choice) -> None:
        """Take the answer that was given; where none is left, wait."""
        self.sync(state)
        move = self.history[self.at] if self.at < len(self.history) else None
        forced = len(choice.options) == 1
        if not forced:
            state.log.append(Event("asked", (choice.label, choice.who, choice.options), only=frozenset(choice.who)))
            self.asked.append(choice)
        if isinstance(move, Happened):
            frame.position -= 1
            self.at += 1
            self.enter(state, move.procedure, move.args)
            return
        option, fits = self.meant(question, state, frame, choice, move)
        if move is None and (not forced or self.pauses(choice)):
            frame.position -= 1
            self.choice = choice
            return
        if move is None or (not fits and None in choice.options):  # nothing was said, so nothing was done
            question.accept(state, frame, choice, choice.options[0] if forced else None)
            return
        self.at += 1
        if not fits:
            raise Impossible
        self.doubt(choice, state)
        if option not in choice.options:
            clauses = self.blame(question, state, frame, option) if self.explain else ()
            self.oppose(f"{move.who} could not have chosen {move.what} at `{choice.label}`", clauses)
        self.weight *= max(1, self.everything(question, state, frame).count(option))  # either of two alike
        question.accept(state, frame, choice, option)

    def pauses(self, choice: Choice) -> bool:
        return choice.options != (None,) and self.table.run.who(choice) == self.pause

    def meant(
        self, question: Question, state: State, frame: Frame, choice: Choice, move: Move | None
    ) -> tuple[Any, bool]:
        """The option that an answer names, allowed or not, and whether there is one."""
        run = self.table.run
        if not isinstance(move, Said) or move.who != run.who(choice):
            return None, False
        for option in (*choice.options, *self.everything(question, state, frame)):
            if run.show(option, choice.type) == move.what:
                return option, True
        return None, False

    def everything(self, question: Question, state: State, frame: Frame) -> list[Any]:
        """What could be chosen if no condition stood in the way."""
        node = question.node
        if isinstance(node, ir.Choose):
            return [option.name for option in node.options]
        return list(self.evaluator.members(node.group)(state, frame.local))

    def doubt(self, choice: Choice, state: State) -> None:
        for name, (assumption, args) in self.assumptions.items():
            if assumption.choice == choice.label:
                local = [*args, *(None,) * (assumption.slots - len(args))]
                if not self.evaluator.value(assumption.body, state, local):
                    self.doubts.add(name)

    def blame(self, question: Question, state: State, frame: Frame, option: Any) -> tuple[str, ...]:
        """The clauses that did not allow an option."""
        node = question.node
        if isinstance(node, ir.Choose):
            condition = next(o.condition for o in node.options if o.name == option)
        else:
            condition = node.condition
            if node.slot is not None:
                frame.local[node.slot] = option
        if condition is None:
            return ()
        trace = Trace()
        DreamEvaluator(self, trace).value(condition, state, frame.local)
        return blamed(trace, option)

    # ---- what is seen

    def oppose(self, text: str, clauses: tuple[str, ...] = ()) -> None:
        self.objections.append(Objection(text, clauses))

    def sync(self, state: State) -> None:
        """Note what the eyes have seen since the last time, and whether it is what they really saw."""
        truth = self.table.truth
        while self.log_at < len(state.log):
            seen = state.log[self.log_at].seen_by(self.table.eyes)
            self.log_at += 1
            if seen is None:
                continue
            place = len(self.observed)
            self.observed.append(seen)
            if truth is None or self.astray or truth[place : place + 1] == (seen,):
                continue
            self.astray = True
            if place < len(truth):
                self.oppose(f"it would not have come to this: {Teller(self.table.run).sentence(truth[place])}")
            elif self.table.closed:
                self.oppose(f"more would have happened: {Teller(self.table.run).sentence(seen)}")

    def compare_told(self, state: State) -> None:
        """The values that public variables took, in order, against those that were heard."""
        for name, wanted in self.table.told.items():
            variable = self.game.variables[name]
            events = [e.public for e in state.log if e.kind == "set" and e.public[0] == name]
            taken = [value for _, _, value in events if value is not None][: len(wanted)]
            if taken != wanted:
                show = self.table.run.show
                said = ", ".join(show(value, variable.type) for value in taken) or "nothing"
                self.oppose(f"`{name}` would have been {said}")


class DreamEvaluator(Evaluator):
    def __init__(self, dreamer: Dreamer, trace: Trace | None = None) -> None:
        super().__init__(dreamer.game, trace)
        self.dreamer = dreamer

    def build(self, e: ir.Expr) -> Function:
        match e:
            case ir.Top(pile=ir.Read(cell=cell)) if cell in hidden_piles(self.dreamer.table):
                zone, function = self.dreamer.zones[cell], super().build(e)

                def settled(state: State, local: list[Any]) -> Any:
                    self.dreamer.settle(zone, state)
                    return function(state, local)

                return settled
            case _:
                return super().build(e)


def blamed(trace: Trace, option: Any) -> tuple[str, ...]:
    """The clauses behind the most particular no about an option: those of the pieces it is about, else all."""
    found: list[tuple[int, Any]] = []
    todo = [(0, evaluation) for evaluation in trace.last.values()]
    while todo:
        depth, evaluation = todo.pop()
        todo += [(depth + 1, inner) for inner in evaluation.inner]
        if evaluation.value is False:
            found.append((depth + 100 * (option in evaluation.args), evaluation))
    if not found:
        return ()
    decided = [d for d in max(found, key=lambda pair: pair[0])[1].decided if d.decides]
    args = max(found, key=lambda pair: pair[0])[1].args
    own = [d for d in decided if d.entry.origin in args] or decided
    return tuple(f"{d.name} [{d.entry.span.path}:{d.entry.span.line}]" for d in own[:3])
