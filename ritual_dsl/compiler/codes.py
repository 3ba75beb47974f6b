"""Small whole numbers for everything in a game, and the constants of its flat code.

In: a game and a number of players. Out: the number of each card, name and place, and what an absent
value is. The same numbers turn a recorded game back into words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.model.game import Counter, Game, Variable, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span

ABSENT = -1
NO_NUMBER = -(1 << 40)  # an absent number; no number of a game is that small
MOST_BITS = 60  # members of a set that is kept as bits


def unsupported(what: str, span: Span | None = None) -> RitualError:
    """A construct that has no flat code; the interpreter plays such games."""
    return fail("RIT702", f"there is no flat code for {what}", span, help="the interpreter plays it, only slower")


@dataclass
class Codes:
    game: Game
    players: int
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    labels: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seats = self.game.seats_for(self.players)
        self.card_names = sorted(self.game.cards)  # in the order in which groups of cards are gone through
        self.cards = {name: number for number, name in enumerate(self.card_names)}
        self.declared = {d.cell: d for d in self.game.declarations}

    def declaration(self, cell: int) -> Zone | Counter | Variable:
        return self.declared[cell]

    def enum(self, type: Type) -> dict[str, int]:
        """The numbers of an enum's names: in the order of the alphabet, in which groups are gone through."""
        if type.name not in self.enums:
            self.enums[type.name] = {name: i for i, name in enumerate(sorted(self.game.values_of(type)))}
        return self.enums[type.name]

    def absent(self, type: Type) -> int:
        return NO_NUMBER if type.kind == "number" and not type.is_set else ABSENT

    def of(self, value: Any, type: Type) -> int:
        """The number that stands for a value."""
        if value is None:
            return self.absent(type)
        if isinstance(value, frozenset):
            first, _ = self.bits(type)
            return sum(1 << (self.of(v, type.element()) - first) for v in value)
        match type.kind:
            case "card":
                return self.cards[value]
            case "enum":
                return self.enum(type)[value]
            case _:
                return int(value)

    def back(self, number: int, type: Type) -> Any:
        """The value that a number stands for."""
        if type.is_set:
            first, count = self.bits(type)
            return frozenset(self.back(first + i, type.element()) for i in range(count) if number >> i & 1)
        if number == self.absent(type):
            return None
        match type.kind:
            case "card":
                return self.card_names[number]
            case "enum":
                return next(name for name, i in self.enum(type).items() if i == number)
            case "truth":
                return bool(number)
            case _:
                return number

    def bits(self, type: Type) -> tuple[int, int]:
        """Which number the lowest bit of a set stands for, and how many bits there are."""
        match type.kind:
            case "seat" | "player":
                return 0, self.seats
            case "card":
                count, first = len(self.cards), 0
            case "enum":
                count, first = len(self.enum(type)), 0
            case "number" if type.low is not None and type.high is not None:
                count, first = type.high - type.low + 1, type.low
            case _:
                raise unsupported(f"a {type}")
        if count > MOST_BITS:
            raise unsupported(f"a {type} with more than {MOST_BITS} members")
        return first, count

    def pieces(self, piece: str) -> int:
        """How many pieces of a kind there are."""
        return len(self.game.supply(piece))
