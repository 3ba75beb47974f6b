"""The rules as they were written: one class a construct of the grammar.

In: made by `parse`. Out: read by `model`, which resolves names and types.
Spans do not take part in equality, so two texts that say the same are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ritual_dsl.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    span: Span = field(compare=False, repr=False)


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """A type as written: a word of the language or an enum's name, perhaps a set or optional."""

    name: str
    low: int = 0
    high: int = 0
    optional: bool = False
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class Param(Node):
    """A named input of a rule, procedure or trigger, or an attribute of cards."""

    name: str
    type: TypeName


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name somebody declared, or one of the words this, holder, players, seats, ended, none."""

    id: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Range(Node):
    """The numbers from low to high, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A rule, a procedure or a builtin with arguments."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Index(Node):
    """The share of one owner: hand[p], health[p]."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Member(Node):
    """An attribute of a card, or a rule of a card: hand[p].color, lantern.lit."""

    base: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """and, or, a comparison, or arithmetic."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Is(Node):
    """A test by a word: an attribute's value, empty, or none."""

    subject: Expr
    word: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Within(Node):
    element: Expr
    group: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Size(Node):
    """How many there are in a group or pile."""

    group: Expr


@dataclass(frozen=True, slots=True)
class Top(Node):
    pile: Expr


@dataclass(frozen=True, slots=True)
class Except(Node):
    group: Expr
    element: Expr


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """some, no or every x in a group has a property."""

    kind: str
    variable: str
    group: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Count(Node):
    variable: str
    group: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Sum(Node):
    term: Expr
    variable: str
    group: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """The highest or lowest value over a group; 0 over an empty one."""

    kind: str
    term: Expr
    variable: str
    group: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class First(Node):
    """The first of a group going clockwise after (or from) a seat, perhaps of those with the lowest of something."""

    variable: str
    group: Expr
    inclusive: bool
    start: Expr
    kind: str | None
    key: Expr | None


@dataclass(frozen=True, slots=True)
class Case(Node):
    condition: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Cases(Node):
    """A table of cases, the first that holds decides; `value when condition, otherwise value` is one of two rows."""

    rows: tuple[Case, ...]
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class OrElse(Node):
    """A value that may be absent, and what stands in for it."""

    value: Expr
    fallback: Expr


Expr: TypeAlias = (
    Name
    | Number
    | Truth
    | Range
    | Apply
    | Index
    | Member
    | Not
    | Binary
    | Is
    | Within
    | Size
    | Top
    | Except
    | Quantified
    | Count
    | Sum
    | Extreme
    | First
    | Cases
    | OrElse
)

# ---------------------------------------------------------------- steps of procedures


@dataclass(frozen=True, slots=True)
class Actor(Node):
    """Who chooses: one player or several together, who may perhaps decline."""

    who: Expr
    together: bool
    may: bool


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """Who is asked, under which label, to pick one of a group, or of those in it that satisfy a condition."""

    actor: Actor
    label: str
    variable: str | None
    group: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Assign(Node):
    target: Expr
    value: Expr | Choice


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: str
    value: Expr | Choice


@dataclass(frozen=True, slots=True)
class Moved(Node):
    """What a move or show takes: one of a pile (its top, a random one, a certain one), all of it, every card of the
    game, or what lies in a place."""

    kind: str  # top, random, piece, all_of, all, place
    place: Expr | None
    piece: Expr | None = None


@dataclass(frozen=True, slots=True)
class Move(Node):
    what: Moved
    to: Expr
    bottom: bool


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    pile: Expr


@dataclass(frozen=True, slots=True)
class Show(Node):
    """A player is shown a card that stays where it is."""

    what: Moved
    to: Expr


@dataclass(frozen=True, slots=True)
class Change(Node):
    """Somebody gains or loses of a counter; a counter without owner changes by itself."""

    subject: Expr
    gains: bool
    amount: Expr
    counter: str | None


@dataclass(frozen=True, slots=True)
class ChangeLine(Node):
    gains: bool
    amount: Expr
    counter: str


@dataclass(frozen=True, slots=True)
class EachChange(Node):
    """Everybody of a group gains and loses at the same time."""

    variable: str
    group: Expr
    condition: Expr | None
    lines: tuple[ChangeLine, ...]


@dataclass(frozen=True, slots=True)
class Each(Node):
    """Steps for one after the other of a group."""

    variable: str
    group: Expr
    condition: Expr | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class End(Node):
    procedure: str
    how: str


@dataclass(frozen=True, slots=True)
class Fire(Node):
    """A declared trigger goes off; the handlers that listen to it run."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ChangeSet(Node):
    """An element joins or leaves a variable that holds a set."""

    adds: bool
    element: Expr
    target: Expr


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """Leave the innermost repeat."""


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    pass


@dataclass(frozen=True, slots=True)
class When(Node):
    condition: Expr
    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    until: Expr | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Option(Node):
    name: str
    condition: Expr | None
    steps: tuple[Step, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """Who is asked to pick one of several named options, each with its own steps."""

    actor: Actor
    label: str
    options: tuple[Option, ...]


Statement: TypeAlias = (
    Assign
    | Let
    | Move
    | Shuffle
    | Show
    | Change
    | EachChange
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
class Step(Node):
    """A statement, perhaps with a label that patches can name."""

    label: str | None
    statement: Statement
    cites: tuple[str, ...]


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class EnumDecl(Node):
    name: str
    values: tuple[str, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttributesDecl(Node):
    """What every card has, or every piece of a kind of its own."""

    piece: str | None
    attributes: tuple[Param, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayersDecl(Node):
    low: int
    high: int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatsDecl(Node):
    dummies_up_to: int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ZoneDecl(Node):
    name: str
    single: bool
    piece: str | None  # None: cards
    owner: TypeName | None
    audience: str | None  # everyone, everyone else, owner, nobody, or a variable
    top_audience: str | None  # who sees the top of it, whoever sees the rest
    filled: str | None  # `cards` or the kind of pieces it starts with
    repeated: bool  # something of this was said twice
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CounterDecl(Node):
    name: str
    owner: TypeName | None
    low: int
    high: int
    starts: int
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VariableDecl(Node):
    name: str
    owner: TypeName | None
    type: TypeName
    starts: Expr | None
    audience: str | None
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SignalDecl(Node):
    """What can be triggered: a name and what its handlers are told."""

    name: str
    params: tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """How often a procedure ran, or how much of a counter was gained or lost."""

    kind: str  # runs, gains, losses
    name: str


@dataclass(frozen=True, slots=True)
class MeasureDecl(Node):
    """What is worth counting: a sample each time a procedure ends, perhaps of each member of a group."""

    name: str
    procedure: str
    variable: str | None
    group: Expr | None
    condition: Expr | None
    value: Expr | Amount | None  # None: how often each key occurs
    key: Expr | Amount | None
    start: Expr | None  # the seat from which places are counted
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clause(Node):
    label: str
    body: Expr
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleDecl(Node):
    """A pure question: its clauses combine as `any of`, `all of`, or give one value of a type."""

    name: str
    params: tuple[Param, ...]
    combination: str  # any, all, value
    type: TypeName | None
    clauses: tuple[Clause, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProcedureDecl(Node):
    name: str
    params: tuple[Param, ...]
    ends: tuple[str, ...]
    any_time: bool
    by: Expr | None  # who may let it happen at any time; anybody, if it is left out
    only_when: Expr | None  # what must hold where it happens at any time
    as_soon: Expr | None  # it runs by itself once this holds
    steps: tuple[Step, ...]
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Handler(Node):
    """What a card does when a trigger names it."""

    trigger: str
    condition: Expr | None
    steps: tuple[Step, ...]
    cites: tuple[str, ...]


# ---------------------------------------------------------------- odds


@dataclass(frozen=True, slots=True)
class Deal(Node):
    """Every share of a zone gets a card of a pile, or, where it is a pile itself, several."""

    count: int | None
    zone: str
    pile: str


@dataclass(frozen=True, slots=True)
class MemberOf(Node):
    variable: str
    group: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Report(Node):
    """A value to report, or, with a verb, how much of a counter somebody has gained or lost."""

    name: str
    value: Expr
    gains: bool | None
    counter: str | None


@dataclass(frozen=True, slots=True)
class Tally(Node):
    """Reports about members of groups, sorted by a card."""

    members: tuple[MemberOf, ...]
    card: Expr
    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class OddsDecl(Node):
    """What is dealt in every possible way, what is run then, and what is reported."""

    deals: tuple[Deal, ...]
    procedure: str | None
    tallies: tuple[Tally, ...]
    cites: tuple[str, ...]


# ---------------------------------------------------------------- assumptions


@dataclass(frozen=True, slots=True)
class AssumeDecl(Node):
    """What may be taken for granted, though no rule says so, of somebody who makes a certain choice."""

    name: str
    params: tuple[Param, ...]
    choice: str
    body: Expr
    cites: tuple[str, ...]


# ---------------------------------------------------------------- patches


@dataclass(frozen=True, slots=True)
class ClausePatch(Node):
    """add, replace, remove or limit a clause by its path; or replace a declaration, or add a value to an enum."""

    kind: str
    path: tuple[str, ...]
    body: Expr | None
    condition: Expr | None
    cites: tuple[str, ...]
    label: str | None = None
    declared: ZoneDecl | SeatsDecl | None = None  # in place of a body: what a whole declaration becomes


@dataclass(frozen=True, slots=True)
class StepPatch(Node):
    """before, after or instead of a procedure or one of its steps."""

    kind: str
    path: tuple[str, ...]
    condition: Expr | None
    steps: tuple[Step, ...]
    cites: tuple[str, ...]
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Guarded(Node):
    """Patches that count only while a rule holds, during a procedure, or with a module."""

    while_rule: str | None
    during: str | None
    with_module: str | None
    patches: tuple[Patch, ...]


Patch: TypeAlias = ClausePatch | StepPatch | Guarded

Item: TypeAlias = (
    EnumDecl
    | AttributesDecl
    | PlayersDecl
    | SeatsDecl
    | ZoneDecl
    | CounterDecl
    | VariableDecl
    | SignalDecl
    | MeasureDecl
    | RuleDecl
    | ProcedureDecl
    | Handler
    | OddsDecl
    | AssumeDecl
    | Patch
)
