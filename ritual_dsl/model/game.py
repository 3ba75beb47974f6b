"""The checked game: what is declared, every rule with its patches, every procedure with its steps.

In: made by `assemble`. Out: run by the engine, explained and printed by the tools.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from ritual_dsl.loading.parts import CardPart, GameFiles, Module
from ritual_dsl.loading.shape import Texts
from ritual_dsl.model import ir
from ritual_dsl.model.types import ENDS_OF, Type
from ritual_dsl.source import Span


@dataclass(frozen=True)
class Card:
    """A face: all copies of it are the same card."""

    id: str
    name: Texts
    text: Texts
    copies: int
    slot: str | None
    cites: tuple[str, ...]
    attributes: dict[str, ir.Value]
    changed_by: tuple[str, ...]
    piece: str  # "" for a card
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Zone:
    name: str
    cell: int
    single: bool
    piece: str  # the kind of pieces in it, "" for cards
    owner: Type | None
    audience: str  # everyone, everyone else, owner, nobody, or the name of a variable
    top_audience: str | None  # who sees the top of a pile, whoever sees the rest
    filled: bool
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Counter:
    name: str
    cell: int
    owner: Type | None
    low: int
    high: int
    starts: int
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Variable:
    name: str
    cell: int
    owner: Type | None
    type: Type
    starts: ir.Value
    audience: str
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Entry:
    """One way a clause can read: as the rulebook has it, or as a patch says. No body: the clause is gone."""

    body: ir.Expr | None
    guard: ir.Guard
    layer: str
    origin: str  # the module or card; "" for the rulebook
    label: str  # by which a patch can be patched itself
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)
    condition: ir.Expr | None = None  # of a limit: whom it limits
    overrides: tuple[Entry, ...] = ()  # patches of this patch, from the bottom
    over: frozenset[str] = frozenset()  # overlays it stands above, though of the same layer


class Patching(Protocol):
    """What entries of clauses, blocks of steps and patches as written have in common."""

    @property
    def layer(self) -> str: ...

    @property
    def origin(self) -> str: ...

    @property
    def over(self) -> frozenset[str]: ...


def rivals(a: Patching, b: Patching) -> bool:
    """Patches of one layer, of which none stands above the other."""
    patches = a.layer == b.layer and a.origin != "" and b.origin != ""
    return patches and a.origin not in b.over and b.origin not in a.over


@dataclass(frozen=True)
class Change:
    """A patch of a declaration or of another patch, as it stands in its text."""

    path: tuple[str, ...]
    layer: str
    origin: str
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Clause:
    label: str
    entries: tuple[Entry, ...]  # from the bottom; the topmost whose guard holds decides
    limits: tuple[Entry, ...]
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Rule:
    name: str
    params: tuple[tuple[str, Type], ...]
    combination: str  # any, all, value
    type: Type
    clauses: tuple[Clause, ...]
    cites: tuple[str, ...]
    card: str | None
    slots: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Procedure:
    """A procedure, or a card's answer to a trigger."""

    name: str
    params: tuple[tuple[str, Type], ...]
    ends: tuple[str, ...]
    any_time: bool
    by: ir.Expr | None  # of its inputs: a player or a set of them who may let it happen at any time; None: anybody
    only_when: ir.Expr | None  # of its inputs: what must hold where it happens at any time
    watch: ir.Expr | None  # it runs by itself once this holds
    steps: tuple[ir.Step, ...]
    patched: ir.Patched
    cites: tuple[str, ...]
    card: str | None
    slots: int
    span: Span = field(compare=False, repr=False)
    condition: ir.Expr | None = None  # of a handler


@dataclass(frozen=True)
class Signal:
    name: str
    params: tuple[tuple[str, Type], ...]
    handlers: tuple[str, ...]  # procedures, in the order of the cards
    card_param: int | None  # which parameter names the card whose handler runs


@dataclass(frozen=True)
class Member:
    """A local name that stands for every member of a group that satisfies a condition."""

    slot: int
    group: ir.Expr
    condition: ir.Expr | None


@dataclass(frozen=True)
class Report:
    """What odds report: a value, or how much a counter has changed (`subject` is None where it has no owner)."""

    name: str
    value: ir.Expr | None
    counter: Counter | None
    subject: ir.Expr | None
    gains: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Tally:
    """Reports about all members, sorted by a card."""

    members: tuple[Member, ...]
    card: ir.Expr
    reports: tuple[Report, ...]


@dataclass(frozen=True)
class Deal:
    """Every share of a zone gets so many pieces of a pile."""

    zone: Zone
    pile: Zone
    count: int


@dataclass(frozen=True)
class Odds:
    """What is dealt in every possible way, what is run then, and what is reported."""

    deals: tuple[Deal, ...]
    procedure: str | None
    tallies: tuple[Tally, ...]
    slots: int
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)

    @property
    def reports(self) -> tuple[Report, ...]:
        return tuple(report for tally in self.tallies for report in tally.reports)


@dataclass(frozen=True)
class Measure:
    """What tools count: a sample each time a procedure ends, of each member of a group where there is one."""

    name: str
    procedure: str
    slot: int | None
    group: ir.Expr | None
    condition: ir.Expr | None
    value: ir.Expr | ir.Amount | None  # None: how often each key occurs
    key: ir.Expr | ir.Amount | None
    start: ir.Expr | None  # the seat from which places are counted
    slots: int
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)

    @property
    def is_share(self) -> bool:
        """Whether every sample is one of yes and no."""
        return self.value is None or (not isinstance(self.value, ir.Amount) and self.value.type.kind == "truth")


@dataclass(frozen=True)
class Assumption:
    """What may be taken for granted of somebody who makes the choice of this label."""

    name: str
    params: tuple[tuple[str, Type], ...]
    choice: str
    body: ir.Expr
    slots: int
    cites: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Game:
    reference: str
    files: GameFiles
    modules: tuple[Module, ...]
    enums: dict[str, tuple[str, ...]]
    pieces: dict[str, dict[str, Type]]  # attributes by kind of pieces, "" for cards
    players: tuple[int, int]
    dummies_up_to: int
    cards: dict[str, Card]
    parts: dict[str, CardPart]  # the cards as their files and all modules say
    deck: dict[str, int]  # card -> copies in play, in the order of the files
    zones: dict[str, Zone]
    counters: dict[str, Counter]
    variables: dict[str, Variable]
    rules: dict[str, Rule]
    procedures: dict[str, Procedure]
    signals: dict[str, Signal]
    odds: tuple[Odds, ...]
    measures: dict[str, Measure]
    assumptions: dict[str, Assumption]
    main: str
    winners: str | None
    cells: int
    redeclared: tuple[Change, ...]  # the patches of declarations that count, from the bottom
    overridden: tuple[tuple[Span, Change], ...]  # patches, and what took their place

    @property
    def id(self) -> str:
        return self.files.manifest.id

    @property
    def languages(self) -> tuple[str, ...]:
        return self.files.manifest.languages

    @property
    def most_seats(self) -> int:
        return max(self.players[1], self.dummies_up_to)

    @property
    def usual_players(self) -> int:
        """Five, or as near as the game allows."""
        low, high = self.players
        return max(low, min(5, high))

    @property
    def attributes(self) -> dict[str, Type]:
        """Of cards."""
        return self.pieces[""]

    def declared(self, name: str) -> Zone | Counter | Variable | None:
        return self.zones.get(name) or self.counters.get(name) or self.variables.get(name)

    @property
    def declarations(self) -> list[Zone | Counter | Variable]:
        return [*self.zones.values(), *self.counters.values(), *self.variables.values()]

    def supply(self, piece: str) -> list[str]:
        """All pieces of a kind that are in play, copy by copy, in the order of the files."""
        return [card for card, copies in self.deck.items() for _ in range(copies) if self.cards[card].piece == piece]

    def owners(self, owner: Type | None, players: int) -> list[Any]:
        """Who or what has a share of something, in order; nobody of what has no owners."""
        match owner:
            case None:
                return []
            case Type(kind="player"):
                return list(range(players))
            case Type(kind="seat"):
                return list(range(self.seats_for(players)))
            case Type(kind="number", low=int(low), high=int(high)):
                return list(range(low, high + 1))
            case _:
                return [card.id for card in self.cards.values() if card.piece == owner.name]

    def seats_for(self, players: int) -> int:
        return max(players, self.dummies_up_to)

    def values_of(self, type: Type) -> tuple[str, ...]:
        """The names an enum can have; of how a procedure ended, those it declares."""
        if type.name.startswith(ENDS_OF):
            return self.procedures[type.name.removeprefix(ENDS_OF)].ends
        return self.enums[type.name]

    def words(self, texts: Texts, lang: str | None = None) -> str:
        """A text in a language, else in the first one that has it."""
        for language in (lang, *self.languages):
            if language is not None and language in texts:
                return texts[language]
        return ""
