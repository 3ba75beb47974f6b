"""The machine: what each step does to a state.

In: a game. Out: instructions for `code`, and `advance`, which runs a state up to the next choice.
It holds nothing of a game in play but the choice that waits; everything else is in the `State`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.code import Code, Instruction, compile_procedure
from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.measures import Recorder
from ritual_dsl.engine.state import Event, Frame, State
from ritual_dsl.engine.trace import Happening, Trace
from ritual_dsl.engine.witness import Witness
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.model.walk import watched_cells
from ritual_dsl.source import Span

LARGEST = 1_000_000_000


@dataclass(frozen=True)
class Choice:
    """What the machine waits for: who, under which label, and the options allowed now."""

    who: tuple[int, ...]
    together: bool
    label: str
    options: tuple[Any, ...]
    type: Type  # of the options; `name` for the options a rule spells out
    span: Span


NAMED = Type("name")
Which = Callable[[list[str]], int]


@dataclass
class Pinned:
    """Results of chance that are set beforehand, in order; behind them, chance decides."""

    shuffles: list[list[str]] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)


class Machine:
    def __init__(
        self,
        game: Game,
        trace: Trace | None = None,
        pinned: Pinned | None = None,
        witness: Witness | None = None,
    ) -> None:
        self.game = game
        self.trace = trace
        self.evaluator = Evaluator(game, trace, witness)
        self.zones = {zone.cell: zone for zone in game.zones.values()}
        self.counters = {counter.cell: counter for counter in game.counters.values()}
        self.variables = {variable.cell: variable for variable in game.variables.values()}
        self.codes: dict[str, Code] = {}
        self.pinned = pinned or Pinned()
        self.watches = [(p, watched_cells(p, game)) for p in game.procedures.values() if p.watch is not None]
        self.watched = frozenset[int]().union(*(cells for _, cells in self.watches))
        self.touched: set[int] = set()
        self.choice: Choice | None = None
        self.asked: list[Choice] = []
        self.recorder: Recorder | None = None
        self.keeps_log = True

    def code(self, procedure: str) -> Code:
        code = self.codes.get(procedure)
        if code is None:
            code = self.codes[procedure] = compile_procedure(self.game.procedures[procedure], self)
        return code

    # ---- running

    def enter(self, state: State, procedure: str, args: tuple[Any, ...]) -> None:
        definition = self.game.procedures[procedure]
        state.ended.pop(procedure, None)
        state.frames.append(Frame(procedure, 0, [*args, *(None,) * (definition.slots - len(args))]))
        if self.recorder is not None:
            self.recorder.entered(procedure)

    def leave(self, state: State, frame: Frame) -> None:
        if self.recorder is not None:
            self.recorder.leaving(state, frame)
        state.frames.pop()

    def advance(self, state: State) -> None:
        """Run until a choice waits or nothing is left to run."""
        frames, codes = state.frames, self.codes
        self.choice = None
        while frames and self.choice is None:
            if self.touched:
                self.run_watches(state)
            frame, mark = frames[-1], len(state.log)
            position = frame.position
            code = codes.get(frame.procedure) or self.code(frame.procedure)
            instruction = code.instructions[position]
            frame.position += 1
            instruction(state, frame)
            if self.trace is not None:
                self.account(state, frame, position, mark)

    def touch(self, cell: int) -> None:
        """A cell has changed: what watches it is looked at before the next step."""
        if cell in self.watched:
            self.touched.add(cell)

    def run_watches(self, state: State) -> None:
        """What should happen as soon as its condition holds, in the order of the rules."""
        touched, self.touched = self.touched, set()
        for procedure, cells in reversed(self.watches):
            if not cells.isdisjoint(touched) and procedure.watch is not None:
                self.evaluator.work(state, procedure.span)
                if self.evaluator.applies(procedure.watch, state, [None] * procedure.slots):
                    self.enter(state, procedure.name, ())

    def answer(self, state: State, option: Any) -> None:
        """Take the answer to the waiting choice and go on."""
        assert self.choice is not None
        frame = state.frames[-1]
        instruction = self.code(frame.procedure).instructions[frame.position]
        assert isinstance(instruction, Question)
        choice, self.choice = self.choice, None
        mark = len(state.log)
        frame.position += 1
        instruction.accept(state, frame, choice, option)
        if self.trace is not None:
            self.account(state, frame, frame.position - 1, mark)
        self.advance(state)

    def account(self, state: State, frame: Frame, position: int, mark: int) -> None:
        """For the trace: what an instruction did, where it did something."""
        trace = self.trace
        assert trace is not None
        cause = self.code(frame.procedure).causes.get(position)
        asked, trace.top = trace.top, []
        if len(state.log) > mark and cause is not None:
            guard = cause.patch.guard if cause.patch is not None else ir.Guard()
            holder = self.evaluator.holder(guard.rule, guard.card, state) if guard.rule is not None else None
            events = tuple(state.log[mark:])
            depth = next((i for i, other in enumerate(state.frames) if other is frame), len(state.frames))
            trace.happened.append(Happening(cause, (*state.frames[:depth], frame), events, asked, holder))

    # ---- what is seen

    def audience(self, name: str, owner: int | None, state: State) -> frozenset[int]:
        """The players who see a zone or variable now."""
        everyone = frozenset(range(state.players))
        match name:
            case "everyone":
                return everyone
            case "nobody":
                return frozenset()
            case "owner":
                return everyone & {owner} if owner is not None else frozenset()
            case "everyone else":
                return everyone - {owner}
            case _:
                who = state.cells[self.game.variables[name].cell]
                return frozenset() if who is None else frozenset((who,))

    def note(
        self,
        state: State,
        kind: str,
        *public: Any,
        faces: tuple[str | None, ...] = (),
        seers: frozenset[int] = frozenset(),
    ) -> None:
        if self.keeps_log:
            state.log.append(Event(kind, public, faces, seers))

    # ---- values and sets

    def assign(self, statement: ir.Assign) -> Instruction:
        assert not isinstance(statement.value, ir.Asked)
        value = self.evaluator.build(statement.value)

        def run(state: State, frame: Frame) -> None:
            self.store(statement.place, value(state, frame.local), state, frame, statement.span)

        return run

    def store(self, place: ir.Place, value: Any, state: State, frame: Frame, span: Span) -> None:
        if isinstance(value, int) and not -LARGEST <= value <= LARGEST:
            raise fail("RIT507", "this number has grown out of all bounds", span)
        if place.slot is not None:
            frame.local[place.slot] = value
            return
        assert place.cell is not None
        variable = self.variables[place.cell]
        owner = self.owner(place, state, frame, span)
        if value is None and not (variable.type.optional or variable.type.is_set):
            raise fail("RIT504", f"`{variable.name}` is never absent", span)
        bounded = variable.type.low is not None and not variable.type.is_set and value is not None
        if bounded and not (variable.type.low or 0) <= value <= (variable.type.high or 0):
            raise fail("RIT507", f"{value} is outside of `{variable.name}`'s {variable.type}", span)
        if owner is None:
            state.cells[place.cell] = value
        else:
            state.cells[place.cell][owner] = value
        self.touch(place.cell)
        if not self.keeps_log:
            return
        seers = self.audience(variable.audience, owner, state)
        event = Event("set", (variable.name, owner, value), only=None if len(seers) == state.players else seers)
        state.log.append(event)

    def owner(self, place: ir.Place, state: State, frame: Frame, span: Span) -> int | None:
        """The position of the owner whose share is meant."""
        if place.index is None or place.cell is None:
            return None
        owner = self.evaluator.value(place.index, state, frame.local)
        return self.evaluator.positions[place.cell].of(owner, state.cells[place.cell], span)

    def change_set(self, statement: ir.ChangeSet) -> Instruction:
        element = self.evaluator.build(statement.element)
        place = statement.place

        def run(state: State, frame: Frame) -> None:
            member = element(state, frame.local)
            owner = self.owner(place, state, frame, statement.span)
            old = frame.local[place.slot] if place.slot is not None else state.cells[place.cell or 0]
            old = old if owner is None else old[owner]
            new = old | {member} if statement.adds else old - {member}
            self.store(place, frozenset(new), state, frame, statement.span)

        return run

    # ---- cards

    def spot(self, place: ir.Place, state: State, frame: Frame, span: Span) -> tuple[Zone, int | None]:
        assert place.cell is not None
        return self.zones[place.cell], self.owner(place, state, frame, span)

    def take(self, zone: Zone, owner: int | None, state: State, span: Span, which: Which) -> str:
        """One piece out of a zone: of a pile, the one that `which` points at."""
        cell = state.cells[zone.cell]
        self.touch(zone.cell)
        if not zone.single:
            pile: list[str] = cell[owner] if owner is not None else cell
            if not pile:
                raise fail("RIT506", f"`{zone.name}` is empty", span)
            return pile.pop(which(pile))
        card = cell[owner] if owner is not None else cell
        if card is None:
            raise fail("RIT506", f"there is no card in `{zone.name}`", span)
        if owner is not None:
            cell[owner] = None
        else:
            state.cells[zone.cell] = None
        return str(card)

    def put(self, card: str, zone: Zone, owner: int | None, state: State, span: Span, bottom: bool) -> None:
        cell = state.cells[zone.cell]
        self.touch(zone.cell)
        if not zone.single:
            pile: list[str] = cell[owner] if owner is not None else cell
            pile.insert(len(pile) if bottom else 0, card)
        elif (cell[owner] if owner is not None else cell) is not None:
            raise fail("RIT506", f"`{zone.name}` holds one card, and there is one already", span)
        elif owner is not None:
            cell[owner] = card
        else:
            state.cells[zone.cell] = card

    def move(self, statement: ir.Move) -> Instruction:
        span = statement.span
        if statement.kind == "all":
            return self.gather(statement)
        piece = self.evaluator.build(statement.piece) if statement.piece is not None else None
        place = statement.source
        assert place is not None

        def run(state: State, frame: Frame) -> None:
            source, owner = self.spot(place, state, frame, span)
            to, to_owner = self.spot(statement.to, state, frame, span)
            if statement.kind == "all_of":
                cell = state.cells[source.cell]
                for _ in range(len(cell if owner is None else cell[owner])):
                    carry(state, source, owner, to, to_owner, top_of)
                return
            if piece is not None:
                carry(state, source, owner, to, to_owner, a_certain(piece(state, frame.local), source, span))
            elif statement.kind == "random":
                carry(state, source, owner, to, to_owner, lambda pile: self.draw(pile, source, state, span))
            else:
                carry(state, source, owner, to, to_owner, top_of)

        def carry(state: State, source: Zone, owner: int | None, to: Zone, to_owner: int | None, which: Which) -> None:
            if not self.keeps_log:
                card = self.take(source, owner, state, span, which)
                self.put(card, to, to_owner, state, span, statement.bottom)
                return
            seers = self.audience(source.audience, owner, state)
            if source.top_audience is not None and which is top_of:
                seers |= self.audience(source.top_audience, None, state)
            before = state.cells[source.cell][:1] if source.top_audience is not None else None
            card = self.take(source, owner, state, span, which)
            self.put(card, to, to_owner, state, span, statement.bottom)
            seers |= self.audience(to.audience, to_owner, state)
            if to.top_audience is not None and state.cells[to.cell][0] == card:
                seers |= self.audience(to.top_audience, None, state)
            self.note(state, "moved", source.name, owner, to.name, to_owner, faces=(card,), seers=seers)
            if source.top_audience is not None and state.cells[source.cell][:1] != before:
                self.note_top(state, source)

        return run

    def draw(self, pile: list[str], zone: Zone, state: State, span: Span) -> int:
        """Where in a pile the piece is that chance picks."""
        if not self.pinned.draws:
            return state.chance.below(len(pile))
        return a_certain(self.pinned.draws.pop(0), zone, span)(pile)

    def note_top(self, state: State, zone: Zone) -> None:
        """The piece that lies on top now, for those who see the top."""
        pile = state.cells[zone.cell]
        if zone.top_audience is not None and pile:
            seers = self.audience(zone.top_audience, None, state)
            self.note(state, "top", zone.name, faces=(pile[0],), seers=seers)

    def gather(self, statement: ir.Move) -> Instruction:
        """Every card of the game, except those of one zone, under what is already there, zone by zone."""

        def run(state: State, frame: Frame) -> None:
            to, owner = self.spot(statement.to, state, frame, statement.span)
            left_out = {to.cell, statement.source.cell if statement.source else to.cell}
            gathered: list[str] = []
            for zone in self.zones.values():
                if zone.cell in left_out or zone.piece != to.piece:
                    continue
                cell = state.cells[zone.cell]
                shares = cell if zone.owner else [cell]
                for share in shares:
                    gathered += share if isinstance(share, list) else [share] if share is not None else []
                empty: list[Any] = [None if zone.single else [] for _ in shares]
                state.cells[zone.cell] = empty if zone.owner else empty[0]
                self.touch(zone.cell)
            self.touch(to.cell)
            pile = state.cells[to.cell]
            (pile[owner] if owner is not None else pile).extend(gathered)
            self.note(state, "gathered", to.name, owner)
            self.note_top(state, to)

        return run

    def shuffle(self, statement: ir.Shuffle) -> Instruction:
        def run(state: State, frame: Frame) -> None:
            zone, owner = self.spot(statement.place, state, frame, statement.span)
            cell = state.cells[zone.cell]
            pile: list[str] = cell[owner] if owner is not None else cell
            self.touch(zone.cell)
            if self.pinned.shuffles:
                pinned = self.pinned.shuffles.pop(0)
                if sorted(pinned) != sorted(pile):
                    message = f"a result of shuffling `{zone.name}` must have exactly its {len(pile)} cards"
                    raise fail("RIT608", message, statement.span)
                pile[:] = pinned
            else:
                state.chance.shuffle(pile)
            self.note(state, "shuffled", zone.name, owner)
            self.note_top(state, zone)

        return run

    def show(self, statement: ir.Show) -> Instruction:
        to = self.evaluator.build(statement.to)

        def run(state: State, frame: Frame) -> None:
            zone, owner = self.spot(statement.source, state, frame, statement.span)
            cell = state.cells[zone.cell]
            share = cell[owner] if owner is not None else cell
            card = share if zone.single else share[0] if share else None
            who = to(state, frame.local)
            if card is not None and who is not None:
                seers = frozenset((who,)) | self.audience(zone.audience, owner, state)
                if zone.top_audience is not None:
                    seers |= self.audience(zone.top_audience, owner, state)
                self.note(state, "shown", zone.name, owner, who, faces=(card,), seers=seers)

        return run

    # ---- counters

    def change(self, statement: ir.Change) -> Instruction:
        """All amounts first, then the losses, then the gains, within the counter's bounds."""
        evaluator = self.evaluator
        group = evaluator.build(statement.group) if statement.group is not None else None
        is_set = statement.group is not None and statement.group.type.is_set
        condition = evaluator.decision(statement.condition) if statement.condition is not None else None
        lines = [(line, evaluator.build(line.amount)) for line in statement.lines]

        def members(state: State, frame: Frame) -> list[int | None]:
            if group is None:
                return [None]
            value = group(state, frame.local)
            if value is None:
                raise fail("RIT504", "nobody is meant here: the value is absent", statement.span)
            return sorted(value) if is_set else [value]

        def run(state: State, frame: Frame) -> None:
            changes: list[tuple[bool, int, int | None, int]] = []
            for member in members(state, frame):
                if statement.slot is not None:
                    frame.local[statement.slot] = member
                if condition is not None and not condition(state, frame.local):
                    continue
                for line, amount in lines:
                    changes.append((line.gains, line.cell, member, amount(state, frame.local)))
            for gains, cell, member, amount_ in sorted(changes, key=lambda c: c[0]):
                self.apply(state, cell, member, amount_ if gains else -amount_, statement.span)

        return run

    def apply(self, state: State, cell: int, owner: int | None, delta: int, span: Span) -> None:
        counter = self.counters[cell]
        values = state.cells[cell]
        self.touch(cell)
        if counter.owner is None:
            new = min(max(values + delta, counter.low), counter.high)
            if new != values:
                state.cells[cell] = new
                self.count(cell, new - values)
                self.note(state, "changed", counter.name, None, new)
            return
        assert owner is not None
        if owner >= len(values):  # a seat without the counter neither gains nor loses
            return
        new = min(max(values[owner] + delta, counter.low), counter.high)
        if new != values[owner]:
            self.count(cell, new - values[owner])
            values[owner] = new
            self.note(state, "changed", counter.name, owner, new)

    def count(self, cell: int, delta: int) -> None:
        if self.recorder is not None:
            self.recorder.changed(cell, delta)

    # ---- procedures

    def call(self, statement: ir.Call) -> Instruction:
        args = [self.evaluator.build(a) for a in statement.args]

        def run(state: State, frame: Frame) -> None:
            self.enter(state, statement.procedure, tuple(a(state, frame.local) for a in args))

        return run

    def fire(self, statement: ir.Fire) -> Instruction:
        args = [self.evaluator.build(a) for a in statement.args]
        signal = self.game.signals[statement.signal]
        at = signal.card_param
        handlers = [self.game.procedures[name] for name in signal.handlers]

        def run(state: State, frame: Frame) -> None:
            values = tuple(a(state, frame.local) for a in args)
            for handler in reversed(handlers):
                if handler.card is None or (at is not None and values[at] == handler.card):
                    self.enter(state, handler.name, values)

        return run

    def end(self, statement: ir.End) -> Instruction:
        """Leave the running step of a procedure, or, where it does not run, what was started first."""
        name, how = statement.procedure, statement.how

        def run(state: State, frame: Frame) -> None:
            state.ended[name] = how
            self.note(state, "ended", name, how)
            frames = state.frames
            target = next((i for i in range(len(frames) - 1, -1, -1) if frames[i].procedure == name), -1)
            if target >= 0 and name == self.game.main:
                del frames[target + 1 :]
            for above in frames[target + 1 :]:
                above.position = max(above.position, self.code(above.procedure).after)
            if target >= 0:
                code = self.code(name)
                here = frames[target].position - 1
                running = next((end for start, end in code.steps if start <= here < end), None)
                frames[target].position = running if running is not None else max(here + 1, code.after)

        return run

    # ---- loops

    def open_loop(self, statement: ir.Repeat) -> Instruction:
        def run(state: State, frame: Frame) -> None:
            frame.local[statement.count] = 0

        return run

    def count_round(self, statement: ir.Repeat, limit: int) -> Instruction:
        def run(state: State, frame: Frame) -> None:
            frame.local[statement.count] += 1
            if frame.local[statement.count] > limit:
                raise fail("RIT502", f"this `repeat` has gone round {limit:,} times", statement.span)
            self.evaluator.work(state, statement.span)

        return run

    def open_each(self, statement: ir.Each) -> Instruction:
        members = self.evaluator.members(statement.group)

        def run(state: State, frame: Frame) -> None:
            frame.local[statement.rest] = list(members(state, frame.local))

        return run

    def next_of(self, statement: ir.Each, end: int) -> Instruction:
        def run(state: State, frame: Frame) -> None:
            rest = frame.local[statement.rest]
            if not rest:
                frame.position = end
            else:
                frame.local[statement.slot] = rest.pop(0)
                self.evaluator.work(state, statement.span)

        return run

    # ---- choices

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

    def ask_one_of(self, statement: ir.Assign) -> Instruction:
        asked = statement.value
        assert isinstance(asked, ir.Asked)
        members = self.evaluator.members(asked.group)
        condition = self.evaluator.decision(asked.condition) if asked.condition is not None else None
        slot = asked.slot

        def options(state: State, frame: Frame) -> tuple[Any, ...]:
            allowed: dict[Any, None] = {}  # by face: two pieces alike are one option
            for member in members(state, frame.local):
                if slot is not None:
                    frame.local[slot] = member
                if condition is None or condition(state, frame.local):
                    allowed[member] = None
            return (*allowed, None) if asked.may else tuple(allowed)

        def accept(state: State, frame: Frame, option: Any) -> None:
            self.store(statement.place, option, state, frame, statement.span)

        return Question(self, asked, asked.type, options, accept)

    def ask_option(self, statement: ir.Choose, targets: dict[str, int]) -> Instruction:
        conditions = {
            option.name: self.evaluator.decision(option.condition) if option.condition is not None else None
            for option in statement.options
        }

        def options(state: State, frame: Frame) -> tuple[Any, ...]:
            return tuple(name for name, test in conditions.items() if test is None or test(state, frame.local))

        def accept(state: State, frame: Frame, option: Any) -> None:
            frame.position = targets[option]

        return Question(self, statement, NAMED, options, accept)


def top_of(pile: list[str]) -> int:
    return 0


def a_certain(piece: str | None, zone: Zone, span: Span) -> Which:
    def find(pile: list[str]) -> int:
        if piece not in pile:
            raise fail("RIT506", f"there is no `{piece or 'none'}` in `{zone.name}`", span)
        return pile.index(piece)

    return find


class Question:
    """The instruction of a choice: asks where there is more than one option, and takes the answer."""

    def __init__(self, machine: Machine, node: ir.Asked | ir.Choose, type: Type, options: Any, accept: Any) -> None:
        self.machine = machine
        self.node = node
        self.type = type
        self.options = options
        self.take = accept
        self.actor = machine.evaluator.build(node.actor)

    def __call__(self, state: State, frame: Frame) -> None:
        actor = self.actor(state, frame.local)
        if actor is None or (self.node.together and not actor):
            raise fail("RIT504", "nobody is there to be asked", self.node.span)
        who = tuple(sorted(actor)) if self.node.together else (actor,)
        options = self.options(state, frame)
        if not options:
            raise fail("RIT505", f"the choice `{self.node.label}` has no option", self.node.span)
        choice = Choice(who, self.node.together, self.node.label, options, self.type, self.node.span)
        self.machine.pose(self, state, frame, choice)

    def accept(self, state: State, frame: Frame, choice: Choice, option: Any) -> None:
        self.machine.note(state, "chose", choice.label, choice.who, option)
        self.take(state, frame, option)
