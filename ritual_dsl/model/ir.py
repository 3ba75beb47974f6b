"""Resolved rules: every name bound to what it means, every expression with its type.

In: made by the resolver from syntax nodes. Out: run by the engine, read by checks and tools.
A `cell` is the number of a declared zone, counter or variable in the state; a `slot` is the
number of a local name in a frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

Value: TypeAlias = "bool | int | str | frozenset[int] | frozenset[str] | tuple[str, ...] | list[str] | None"


@dataclass(frozen=True, slots=True)
class Expression:
    span: Span = field(compare=False, repr=False)
    type: Type


@dataclass(frozen=True, slots=True)
class Const(Expression):
    value: Value


@dataclass(frozen=True, slots=True)
class Local(Expression):
    slot: int


@dataclass(frozen=True, slots=True)
class Read(Expression):
    """A zone, counter or variable, of one owner where it has owners."""

    cell: int
    index: Expr | None


@dataclass(frozen=True, slots=True)
class Spread(Expression):
    """Everything in the shares of a zone, one owner after the other."""

    cell: int


@dataclass(frozen=True, slots=True)
class People(Expression):
    """All players, or all seats."""

    players_only: bool


@dataclass(frozen=True, slots=True)
class Ended(Expression):
    """How a procedure was ended; absent while it was not."""

    procedure: str


@dataclass(frozen=True, slots=True)
class Holder(Expression):
    """The seat for which a rule of (card, seat) holds."""

    rule: str
    card: str


@dataclass(frozen=True, slots=True)
class CallRule(Expression):
    rule: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Expression):
    card: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Not(Expression):
    operand: Expr


@dataclass(frozen=True, slots=True)
class And(Expression):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Expression):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Expression):
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Builtin(Expression):
    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IsNone(Expression):
    operand: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty(Expression):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Within(Expression):
    element: Expr
    group: Expr


@dataclass(frozen=True, slots=True)
class Size(Expression):
    group: Expr


@dataclass(frozen=True, slots=True)
class Top(Expression):
    pile: Expr


@dataclass(frozen=True, slots=True)
class Without(Expression):
    group: Expr
    element: Expr


@dataclass(frozen=True, slots=True)
class Quantified(Expression):
    kind: str  # some, no, every
    slot: int
    group: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Aggregate(Expression):
    """count, sum, highest or lowest of a term over the members of a group that satisfy a condition."""

    kind: str
    term: Expr
    slot: int
    group: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class First(Expression):
    slot: int
    group: Expr
    inclusive: bool
    start: Expr
    kind: str | None  # lowest, highest
    key: Expr | None


@dataclass(frozen=True, slots=True)
class Cases(Expression):
    rows: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class OrElse(Expression):
    value: Expr
    fallback: Expr


Expr: TypeAlias = (
    Const
    | Local
    | Read
    | Spread
    | People
    | Ended
    | Holder
    | CallRule
    | Attribute
    | Not
    | And
    | Or
    | Compare
    | Arithmetic
    | Builtin
    | IsNone
    | IsEmpty
    | Within
    | Size
    | Top
    | Without
    | Quantified
    | Aggregate
    | First
    | Cases
    | OrElse
)

# ---------------------------------------------------------------- measures


@dataclass(frozen=True, slots=True)
class Amount:
    """What is counted while a procedure runs: how often another one runs, or what a counter gains or loses."""

    span: Span = field(compare=False, repr=False)
    kind: str  # runs, gains, losses
    procedure: str | None  # of runs
    cell: int | None  # of gains and losses


# ---------------------------------------------------------------- guards


@dataclass(frozen=True, slots=True)
class Guard:
    """When a patch counts: while a rule holds of a card, and during a procedure."""

    rule: str | None = None
    card: str | None = None
    during: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.rule is not None or bool(self.during)


# ---------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class StatementBase:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something lies or is kept: a cell, of one owner where it has owners, or a local name."""

    cell: int | None
    index: Expr | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A choice whose answer is one of a group, of those in it that satisfy a condition, or none where it may be."""

    span: Span = field(compare=False, repr=False)
    actor: Expr
    together: bool
    may: bool
    label: str
    slot: int | None
    group: Expr
    condition: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class Assign(StatementBase):
    place: Place
    value: Expr | Asked


@dataclass(frozen=True, slots=True)
class Move(StatementBase):
    kind: str  # top, random, piece, all_of, all, place
    source: Place | None  # of `all`: the zone left out
    piece: Expr | None
    to: Place
    bottom: bool


@dataclass(frozen=True, slots=True)
class Shuffle(StatementBase):
    place: Place


@dataclass(frozen=True, slots=True)
class Show(StatementBase):
    kind: str
    source: Place
    to: Expr


@dataclass(frozen=True, slots=True)
class ChangeLine:
    gains: bool
    amount: Expr
    cell: int


@dataclass(frozen=True, slots=True)
class Change(StatementBase):
    """Members of a group (or one seat, or nobody for a counter without owner) gain and lose at once."""

    slot: int | None
    group: Expr | None  # a set of seats, one seat, or None
    condition: Expr | None
    lines: tuple[ChangeLine, ...]


@dataclass(frozen=True, slots=True)
class Each(StatementBase):
    slot: int
    rest: int  # the slot of those still to come
    group: Expr
    condition: Expr | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class End(StatementBase):
    procedure: str
    how: str


@dataclass(frozen=True, slots=True)
class Fire(StatementBase):
    signal: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(StatementBase):
    procedure: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ChangeSet(StatementBase):
    adds: bool
    element: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class Stop(StatementBase):
    pass


@dataclass(frozen=True, slots=True)
class Nothing(StatementBase):
    pass


@dataclass(frozen=True, slots=True)
class When(StatementBase):
    condition: Expr
    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat(StatementBase):
    until: Expr | None
    count: int  # the slot that counts its rounds against the limit
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    condition: Expr | None
    steps: tuple[Step, ...]
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Choose(StatementBase):
    actor: Expr
    together: bool
    label: str
    options: tuple[Option, ...]


Statement: TypeAlias = (
    Assign
    | Move
    | Shuffle
    | Show
    | Change
    | Each
    | End
    | Fire
    | Call
    | ChangeSet
    | Stop
    | Nothing
    | When
    | Repeat
    | Choose
)


@dataclass(frozen=True, slots=True)
class Block:
    """Steps that a patch puts before, after or in place of others."""

    guard: Guard
    condition: Expr | None
    steps: tuple[Step, ...]
    origin: str
    layer: str
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)
    over: frozenset[str] = frozenset()  # overlays it stands above, though of the same layer
    label: str = ""  # by which `because` names it


@dataclass(frozen=True, slots=True)
class Patched:
    """What patches add around a step or a whole procedure; of `instead` the last that counts is taken."""

    before: tuple[Block, ...] = ()
    instead: tuple[Block, ...] = ()
    after: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    label: str | None
    statement: Statement
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)
    patched: Patched = Patched()
