"""Types of values, and when one fits where another is wanted.

In: made by the resolver. Out: read by checks, engine and tools.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Type:
    """What kind a value is: truth, number, card, seat, player, enum, pile; perhaps a set of it, perhaps absent."""

    kind: str
    name: str = ""  # of an enum; of a card or pile, the kind of pieces, "" for cards
    low: int | None = None  # of a number with declared bounds
    high: int | None = None
    optional: bool = False
    is_set: bool = False

    def __str__(self) -> str:
        base = self.name if self.kind in ("enum", "card") and self.name else self.kind
        if self.kind == "number" and self.low is not None and self.low != self.high:
            base = f"{self.low}..{self.high}"
        if self.kind == "none":
            base = "none"
        return f"set of {base}" if self.is_set else base + ("?" if self.optional else "")

    def element(self) -> Type:
        """The type of what is in a set or pile."""
        return Type("card", self.name) if self.kind == "pile" else replace(self, is_set=False)

    @property
    def is_group(self) -> bool:
        return self.is_set or self.kind == "pile"


TRUTH = Type("truth")
NUMBER = Type("number")
CARD = Type("card")
SEAT = Type("seat")
PLAYER = Type("player")
NONE = Type("none", optional=True)
ENDS_OF = "result of "  # and the name of a procedure: the enum of how it can end
UNKNOWN = Type("unknown")  # after a fault: fits everywhere, so that one fault is reported once


def fits(value: Type, wanted: Type) -> bool:
    """Whether a value of one type can stand where the other is wanted.

    A value that may be absent can stand anywhere; its absence is found when it is used.
    """
    if "unknown" in (value.kind, wanted.kind):
        return True
    if value.kind == "none":
        return wanted.optional or wanted.is_set
    return value.is_set == wanted.is_set and fits_kind(value, wanted)


def fits_kind(value: Type, wanted: Type) -> bool:
    return same_kind(value, wanted) or (value.kind == "player" and wanted.kind == "seat")


def same_kind(a: Type, b: Type) -> bool:
    return a.kind == b.kind and a.name == b.name


def comparable(a: Type, b: Type) -> bool:
    """Whether asking if two values are equal makes sense."""
    if "unknown" in (a.kind, b.kind):
        return True
    people = {"seat", "player"}
    return a.is_set == b.is_set and (same_kind(a, b) or (a.kind in people and b.kind in people))


def join(types: Iterable[Type]) -> Type | None:
    """The type that covers all of several, or None when there is none."""
    result: Type | None = None
    for t in types:
        if result is None or result.kind in ("unknown", "none"):
            optional = result is not None and result.kind == "none"
            result = replace(t, optional=t.optional or optional) if not t.is_set else t
        elif t.kind in ("unknown", "none"):
            result = replace(result, optional=result.optional or t.kind == "none")
        elif not comparable(result, t):
            return None
        else:
            wide = SEAT if "seat" in (result.kind, t.kind) else result
            wide = NUMBER if result.kind == "number" and (result.low, result.high) != (t.low, t.high) else wide
            result = replace(wide, optional=result.optional or t.optional, is_set=result.is_set)
    return result
