"""What the names of a game mean, before any rule is resolved.

In: filled by `declare`. Out: asked by the resolvers, which also use it for suggestions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ritual_dsl.model.game import Counter, Variable, Zone
from ritual_dsl.model.types import ENDS_OF, Type
from ritual_dsl.source import Span

Params = tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class RuleHead:
    name: str
    params: Params
    type: Type
    combination: str
    card: str | None
    labels: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ProcedureHead:
    name: str
    params: Params
    ends: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass
class Names:
    """All declared names of a game with the modules chosen."""

    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pieces: dict[str, dict[str, Type]] = field(default_factory=lambda: {"": {}})  # attributes by kind, "" for cards
    zones: dict[str, Zone] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    rules: dict[str, RuleHead] = field(default_factory=dict)  # a card's own as card.rule
    procedures: dict[str, ProcedureHead] = field(default_factory=dict)
    signals: dict[str, Params] = field(default_factory=dict)
    assumptions: dict[str, Params] = field(default_factory=dict)
    cards: dict[str, Span] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # card -> its kind of pieces
    holder_rules: dict[str, str] = field(default_factory=dict)  # card -> the rule of its `while`
    places: dict[str, Span] = field(default_factory=dict)  # where each global name was declared
    added: set[str] = field(default_factory=set)  # those that a module or a card declares
    clashing: set[str] = field(default_factory=set)  # those of them that are local names elsewhere
    cells: int = 0

    def rule(self, name: str, card: str | None) -> RuleHead | None:
        """A rule as seen from a card's text: its own first."""
        own = self.rules.get(f"{card}.{name}") if card else None
        return own or self.rules.get(name)

    def owned(self, name: str) -> Zone | Counter | Variable | None:
        """A zone, counter or variable that has owners."""
        found = self.zones.get(name) or self.counters.get(name) or self.variables.get(name)
        return found if found is not None and found.owner is not None else None

    def enum_of(self, value: str) -> list[str]:
        return [name for name, values in self.enums.items() if value in values]

    def values(self, type: Type) -> tuple[str, ...]:
        if type.name.startswith(ENDS_OF):
            return self.procedures[type.name.removeprefix(ENDS_OF)].ends
        return self.enums.get(type.name, ())

    def all_words(self) -> list[str]:
        """Everything a name in an expression could have meant."""
        return [
            *self.zones,
            *self.counters,
            *self.variables,
            *(name.rpartition(".")[2] for name in self.rules),
            *self.cards,
            *(value for values in self.enums.values() for value in values),
            "players",
            "seats",
            "holder",
            "this",
            "ended",
        ]


def ends_type(procedure: str) -> Type:
    return Type("enum", ENDS_OF + procedure, optional=True)


@dataclass
class Slots:
    """Hands out the numbers of local names of one rule or procedure."""

    used: int = 0

    def new(self) -> int:
        self.used += 1
        return self.used - 1


@dataclass(frozen=True)
class Scope:
    """The local names at a place, and whose text it is."""

    slots: Slots
    local: dict[str, tuple[int, Type]] = field(default_factory=dict)
    card: str | None = None
    procedure: str | None = None
    pure: bool = True

    def having(self, name: str, type: Type) -> tuple[Scope, int]:
        slot = self.slots.new()
        return replace(self, local={**self.local, name: (slot, type)}), slot

    def of_card(self, card: str | None) -> Scope:
        return replace(self, card=card or self.card)


def open_scope(params: Params, card: str | None, procedure: str | None = None) -> Scope:
    scope = Scope(Slots(), card=card, procedure=procedure)
    for name, type in params:
        scope, _ = scope.having(name, type)
    return scope
