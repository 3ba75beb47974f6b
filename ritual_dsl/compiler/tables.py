"""Where things of a game stand in flat code: names of cells, constant tables, room to work in.

In: asked while code is written. Out: the names used, and the tables and arrays that a run needs.
All names are made here, of letters and numbers; nothing a user wrote is one of them.
"""

from __future__ import annotations

from ritual_dsl.compiler.codes import ABSENT, Codes, unsupported
from ritual_dsl.engine.measures import Rows
from ritual_dsl.model import ir
from ritual_dsl.model.game import Counter, Variable, Zone
from ritual_dsl.model.types import Type

ROOM = 8  # a pile has this many times the room of its pieces, so that it is seldom moved back
ROOM_OF_SHARE = 2  # the same for each of many piles
MOST_ROOM = 1_000_000
MOST_SMALL = 8  # seats for which all sets of them are tabulated


class Tables:
    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self.constants: dict[str, tuple[int, ...]] = {}
        self.meanings: dict[str, str] = {}  # of constants, for readers
        self.endings: dict[str, str] = {}  # of a procedure: the name of how it ended
        self.maybe: dict[str, bool] = {}
        self.procedures = {name: i for i, name in enumerate(codes.game.procedures)}
        self.work = 0
        self.scalars: dict[str, int] = {}  # name -> what it starts as
        self.arrays: dict[str, list[int]] = {}  # name -> what it starts as
        self.starts: dict[str, tuple[int, int]] = {}  # name -> the part of it that a new game needs as it starts
        for declared in codes.game.declarations:
            self.declare(declared)

    @property
    def small(self) -> bool:
        return self.codes.seats <= MOST_SMALL

    # ---- cells

    def declare(self, declared: Zone | Counter | Variable) -> None:
        codes = self.codes
        name = self.cell(declared)
        if isinstance(declared, Zone):
            if declared.single:
                if declared.owner is None:
                    self.scalars[name] = ABSENT
                else:
                    self.array(name, [ABSENT] * len(codes.game.owners(declared.owner, codes.players)))
                return
            self.declare_pile(name, declared)
            return
        type = declared.type if isinstance(declared, Variable) else Type("number", low=declared.low, high=declared.high)
        start_value = codes.of(declared.starts, type)
        if declared.owner is None:
            self.scalars[name] = start_value
        else:
            self.array(name, [start_value] * len(codes.game.owners(declared.owner, codes.players)))

    def declare_pile(self, name: str, zone: Zone) -> None:
        """An array, in it where the top is and where it ends; with owners, one share behind the other."""
        codes = self.codes
        supply = codes.game.supply(zone.piece)
        room, size = len(supply), self.share(zone)
        if zone.owner is None:
            start = [codes.cards[card] for card in supply] if zone.filled else []
            self.array(name, [0] * room + start + [0] * (size - room - len(start)), room, room + len(start))
            self.scalars[f"{name}_h"] = room
            self.scalars[f"{name}_e"] = room + len(start)
            return
        owners = len(codes.game.owners(zone.owner, codes.players))
        if zone.filled or owners * size > MOST_ROOM:
            raise unsupported("this pile with owners", zone.span)
        self.array(name, [0] * (owners * size), 0, 0)
        for place in ("h", "e"):
            self.array(f"{name}_{place}", [owner * size + room for owner in range(owners)])

    def share(self, zone: Zone) -> int:
        """The room of one pile: that of all its pieces in front of it, for what is laid on top, and more behind."""
        return self.codes.pieces(zone.piece) * ((ROOM if zone.owner is None else ROOM_OF_SHARE) + 1)

    def array(self, name: str, values: list[int], first: int = 0, end: int | None = None) -> None:
        self.arrays[name] = values
        self.starts[name] = (first, len(values) if end is None else end)

    def cell(self, declared: Zone | Counter | Variable) -> str:
        letter = "z" if isinstance(declared, Zone) else "c" if isinstance(declared, Counter) else "v"
        return f"{letter}{declared.cell}"

    def pile(self, zone: Zone, owner: str | None) -> tuple[str, str, str]:
        """The array of a pile, and the names of where its top is and where it ends."""
        name = self.cell(zone)
        index = "" if owner is None else f"[{owner}]"
        return name, f"{name}_h{index}", f"{name}_e{index}"

    def base(self, zone: Zone, owner: str | None) -> str:
        """Where the top of a pile is at the start."""
        room = self.codes.pieces(zone.piece)
        return str(room) if owner is None else f"{owner} * {self.share(zone)} + {room}"

    def ended(self, procedure: str) -> str:
        name = self.endings[procedure] = f"e{self.procedures[procedure]}"
        self.scalars.setdefault(name, ABSENT)
        return name

    def workspace(self, count: int) -> int:
        self.work += count
        return self.work - count

    def room(self, piece: str) -> str:
        """An array for a copy of a pile."""
        name = f"y{len(self.arrays)}"
        self.arrays[name] = [0] * self.codes.pieces(piece)
        return name

    # ---- constants

    def attribute(self, piece: str, name: str, type: Type) -> tuple[str, bool]:
        """A table by card, the last entry for an absent card; and whether a card can lack it."""
        pieces = self.codes.game.pieces
        key = f"A{sorted(pieces).index(piece)}_{sorted(pieces[piece]).index(name)}"
        if key not in self.constants:
            cards = [self.codes.game.cards[card] for card in self.codes.card_names]
            found = [card.attributes.get(name) if card.piece == piece else None for card in cards]
            self.constants[key] = (*(self.codes.of(value, type) for value in found), self.codes.absent(type))
            self.meanings[key] = f"{name} of each card, at -1 of none"
            self.maybe[key] = any(card.piece == piece and card.attributes.get(name) is None for card in cards)
        return key, self.maybe[key]

    def keys(self, rows: Rows) -> str:
        """Which row of a measure a card or name belongs to."""
        key = rows.measure.key
        if key is None or isinstance(key, ir.Amount) or key.type.kind not in ("card", "enum"):
            return ""
        name = f"K{rows.offset}"
        numbers = {self.codes.of(value, key.type): i for i, value in enumerate(rows.keys[:-1])}
        self.constants[name] = tuple(numbers[i] for i in range(len(numbers)))
        self.meanings[name] = f"the row of {rows.measure.name} by its key"
        return name

    def positions(self, owner: Type) -> str:
        """Where the share of each card is."""
        key = f"O{sorted(self.codes.game.pieces).index(owner.name)}"
        if key not in self.constants:
            owners = self.codes.game.owners(owner, self.codes.players)
            at = {card: i for i, card in enumerate(owners)}
            self.constants[key] = tuple(at.get(card, 0) for card in self.codes.card_names)
            self.meanings[key] = "where the share of each card is"
        return key

    def count_table(self) -> str:
        """How many members each set of seats has."""
        if "COUNT" not in self.constants:
            self.constants["COUNT"] = tuple(bits.bit_count() for bits in range(1 << self.codes.seats))
            self.meanings["COUNT"] = "how many members each set of seats has"
        return "COUNT"

    def all_but(self) -> str:
        """All seats but one; the entry behind the last, at -1, is for nobody."""
        if "BUT" not in self.constants:
            everyone = (1 << self.codes.seats) - 1
            self.constants["BUT"] = (*(everyone ^ 1 << seat for seat in range(self.codes.seats)), everyone)
            self.meanings["BUT"] = "all seats but one, at -1 all"
        return "BUT"

    def handled(self, cards: frozenset[int]) -> str:
        """Whether a card is one of some; an absent card is not."""
        values = tuple(int(card in cards) for card in (*range(len(self.codes.cards)), ABSENT))
        known = [name for name, other in self.constants.items() if name.startswith("H") and other == values]
        name = known[0] if known else f"H{len(self.constants)}"
        self.constants[name] = values
        self.meanings[name] = "whether a card sets something off"
        return name

    def member_table(self) -> str:
        """The members of each set of seats, in order."""
        seats = self.codes.seats
        if "MEMBER" not in self.constants:
            rows: list[int] = []
            for bits in range(1 << seats):
                members = [seat for seat in range(seats) if bits >> seat & 1]
                rows += members + [ABSENT] * (seats - len(members))
            self.constants["MEMBER"] = tuple(rows)
            self.meanings["MEMBER"] = "the members of each set of seats, in order"
        return "MEMBER"

    def next_table(self, inclusive: bool) -> str:
        """The first member of each set of seats, clockwise from each seat."""
        name, seats = "FROM" if inclusive else "NEXT", self.codes.seats
        if name not in self.constants:
            way = "from" if inclusive else "after"
            self.meanings[name] = f"the first of each set of seats clockwise {way} each seat"
            steps = range(0 if inclusive else 1, seats + (not inclusive))
            self.constants[name] = tuple(
                next((s for step in steps if bits >> (s := (start + step) % seats) & 1), ABSENT)
                for bits in range(1 << seats)
                for start in range(seats)
            )
        return name
