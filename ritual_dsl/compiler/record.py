"""A game written down as numbers, and those numbers read back as the interpreter's log.

In: what each step would put into the log. Out: lines that write it into `log`; and `read_log`, which makes
events, and the state at the end, out of the numbers. Only written where somebody wants a transcript.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.compiler.codes import ABSENT, Codes
from ritual_dsl.compiler.lines import Lines
from ritual_dsl.compiler.tables import Tables
from ritual_dsl.engine.state import Event
from ritual_dsl.model.game import Counter, Variable, Zone
from ritual_dsl.model.names import ends_type
from ritual_dsl.model.types import Type

LOG_ROOM = 400_000  # numbers of one game
LOG_MARGIN = 100_000  # more than is written between two looks at how much room is left
MOVED, GATHERED, SHUFFLED, SHOWN, CHANGED, SET, ENDED, ASKED, CHOSE, TOP, LAST = range(11)


@dataclass(frozen=True)
class Site:
    """A choice in the rules: its label, and what its options are."""

    label: str
    together: bool
    type: Type | None  # None: the names that follow
    names: tuple[str, ...] = ()


@dataclass
class Recording:
    codes: Codes
    lines: Lines
    tables: Tables
    on: bool
    sites: list[Site] = field(default_factory=list)

    def site(self, site: Site) -> int:
        self.sites.append(site)
        return len(self.sites) - 1

    def write(self, *numbers: object) -> None:
        if self.on:
            for i, number in enumerate(numbers):
                self.lines.emit(f"log[at + {i}] = {number}")
            self.lines.emit(f"at += {len(numbers)}")

    def check_room(self) -> None:
        if self.on:
            self.lines.fail_if(f"at > {LOG_ROOM - LOG_MARGIN}")

    # ---- who sees it

    def audience(self, name: str, owner: str | None) -> str:
        everyone = (1 << self.codes.players) - 1
        match name:
            case "everyone":
                return str(everyone)
            case "nobody":
                return "0"
            case "owner":
                return f"(1 << {owner} & {everyone})" if owner is not None else "0"
            case "everyone else":
                return f"({everyone} & ~(1 << {owner}))" if owner is not None else str(everyone)
            case _:
                who = self.tables.cell(self.codes.game.variables[name])
                return f"(1 << {who} if {who} >= 0 else 0)"

    def seers(self, zone: Zone, owner: str | None, from_top: bool) -> str:
        """Who sees a piece of a zone before something happens to it."""
        name = self.lines.new()
        audiences = [self.audience(zone.audience, owner)]
        if from_top and zone.top_audience is not None:
            audiences.append(self.audience(zone.top_audience, None))
        self.lines.emit(f"{name} = {' | '.join(audiences)}")
        return name

    def top(self, zone: Zone) -> str:
        """What lies on top of a pile."""
        array, head, end = self.tables.pile(zone, None)
        return f"({array}[{head}] if {head} < {end} else {ABSENT})"

    # ---- events

    @contextmanager
    def move(
        self, source: Zone, owner: str | None, to: Zone, to_owner: str | None, card: str, from_top: bool
    ) -> Iterator[None]:
        """Around the lines that carry a piece: who saw it before and who sees it after, and what lies on top then."""
        if not self.on:
            yield
            return
        seers, before = self.seers(source, owner, from_top), self.lines.new()
        if source.top_audience is not None:
            self.lines.emit(f"{before} = {self.top(source)}")
        yield
        self.lines.emit(f"{seers} |= {self.audience(to.audience, to_owner)}")
        if to.top_audience is not None:
            with self.lines.block(f"if {self.top(to)} == {card}:"):
                self.lines.emit(f"{seers} |= {self.audience(to.top_audience, None)}")
        self.write(MOVED, source.cell, shown(owner), to.cell, shown(to_owner), card, seers)
        if source.top_audience is not None:
            with self.lines.block(f"if {self.top(source)} != {before}:"):
                self.note_top(source)

    def note_top(self, zone: Zone) -> None:
        """The piece that lies on top now, for those who see the top."""
        if self.on and zone.top_audience is not None:
            with self.lines.block(f"if {self.top(zone)} >= 0:"):
                self.write(TOP, zone.cell, self.top(zone), self.audience(zone.top_audience, None))

    def gathered(self, zone: Zone, owner: str | None) -> None:
        self.write(GATHERED, zone.cell, shown(owner))
        self.note_top(zone)

    def shuffled(self, zone: Zone, owner: str | None) -> None:
        self.write(SHUFFLED, zone.cell, shown(owner))
        self.note_top(zone)

    def shown(self, zone: Zone, owner: str | None, who: str, card: str) -> None:
        audiences = [self.audience(zone.audience, owner)]
        if zone.top_audience is not None:
            audiences.append(self.audience(zone.top_audience, owner))
        with self.lines.block(f"if {card} >= 0 and {who} >= 0:"):
            self.write(SHOWN, zone.cell, shown(owner), who, card, " | ".join([f"(1 << {who})", *audiences]))

    def changed(self, counter: Counter, owner: str | None, new: str) -> None:
        self.write(CHANGED, counter.cell, shown(owner if counter.owner is not None else None), new)

    def set(self, variable: Variable, owner: str | None, value: str) -> None:
        self.write(SET, variable.cell, shown(owner), value, self.audience(variable.audience, owner))

    def ended(self, procedure: str, how: int) -> None:
        self.write(ENDED, self.tables.procedures[procedure], how)

    def last(self) -> None:
        """The state at the end."""
        if not self.on:
            return
        self.write(LAST)
        for declared in self.codes.game.declarations:
            name = self.tables.cell(declared)
            if isinstance(declared, Zone) and not declared.single:
                owners = range(len(self.codes.game.owners(declared.owner, self.codes.players)))
                for owner in [str(i) for i in owners] if declared.owner is not None else [None]:
                    _, head, end = self.tables.pile(declared, owner)
                    self.write(f"{end} - {head}")
                    with self.lines.block(f"for i in range({head}, {end}):"):
                        self.write(f"{name}[i]")
            elif declared.owner is not None:
                for i in range(len(self.tables.arrays[name])):
                    self.write(f"{name}[{i}]")
            else:
                self.write(name)
        for name, procedure in self.codes.game.procedures.items():
            if procedure.ends:
                self.write(self.tables.ended(name))


def shown(owner: str | None) -> str:
    return str(ABSENT) if owner is None else owner


# ---- reading


@dataclass
class Recorded:
    """A game as the interpreter would have logged it, and how it ended."""

    log: list[Event]
    cells: list[Any]
    ended: dict[str, str]


def read_log(numbers: Sequence[int], codes: Codes, sites: Sequence[Site]) -> Recorded:
    return _Reader(numbers, codes, sites).read()


class _Reader:
    def __init__(self, numbers: Sequence[int], codes: Codes, sites: Sequence[Site]) -> None:
        self.numbers = numbers
        self.at = 0
        self.codes = codes
        self.sites = sites
        self.procedures = list(codes.game.procedures)

    def next(self) -> int:
        self.at += 1
        return int(self.numbers[self.at - 1])

    def owner(self) -> int | None:
        number = self.next()
        return None if number == ABSENT else number

    def seats(self) -> frozenset[int]:
        bits = self.next()
        return frozenset(seat for seat in range(self.codes.seats) if bits >> seat & 1)

    def card(self) -> str:
        return self.codes.card_names[self.next()]

    def cell(self) -> Zone | Counter | Variable:
        return self.codes.declaration(self.next())

    def read(self) -> Recorded:
        log: list[Event] = []
        while (kind := self.next()) != LAST:
            log.append(self.event(kind))
        game = self.codes.game
        cells: list[Any] = [None] * game.cells
        for declared in game.declarations:
            cells[declared.cell] = self.content(declared)
        ended: dict[str, str] = {}
        for name, procedure in game.procedures.items():
            if procedure.ends and (how := self.codes.back(self.next(), ends_type(name))) is not None:
                ended[name] = how
        return Recorded(log, cells, ended)

    def content(self, declared: Zone | Counter | Variable) -> Any:
        if isinstance(declared, Zone) and not declared.single:
            owners = self.codes.game.owners(declared.owner, self.codes.players)
            return [self.pile() for _ in owners] if declared.owner is not None else self.pile()
        type = Type("card") if isinstance(declared, Zone) else Type("number")
        type = declared.type if isinstance(declared, Variable) else type
        if declared.owner is None:
            return self.codes.back(self.next(), type)
        return [self.codes.back(self.next(), type) for _ in self.codes.game.owners(declared.owner, self.codes.players)]

    def pile(self) -> list[str]:
        return [self.card() for _ in range(self.next())]

    def event(self, kind: int) -> Event:
        match kind:
            case 0:
                moved = (self.cell().name, self.owner(), self.cell().name, self.owner())
                return Event("moved", moved, (self.card(),), self.seats())
            case 1:
                return Event("gathered", (self.cell().name, self.owner()))
            case 2:
                return Event("shuffled", (self.cell().name, self.owner()))
            case 3:
                zone, owner, seat = self.cell().name, self.owner(), self.next()
                return Event("shown", (zone, owner, seat), (self.card(),), self.seats())
            case 4:
                return Event("changed", (self.cell().name, self.owner(), self.next()))
            case 5:
                variable, owner = self.cell(), self.owner()
                assert isinstance(variable, Variable)
                value, seers = self.codes.back(self.next(), variable.type), self.seats()
                only = None if len(seers) == self.codes.players else seers
                return Event("set", (variable.name, owner, value), only=only)
            case 6:
                procedure = self.procedures[self.next()]
                return Event("ended", (procedure, self.codes.back(self.next(), ends_type(procedure))))
            case 7:
                site, who = self.who()
                options = tuple(self.option(site) for _ in range(self.next()))
                return Event("asked", (site.label, who, options), only=frozenset(who))
            case 9:
                return Event("top", (self.cell().name,), (self.card(),), self.seats())
            case _:
                site, who = self.who()
                return Event("chose", (site.label, who, self.option(site)))

    def who(self) -> tuple[Site, tuple[int, ...]]:
        site = self.sites[self.next()]
        return site, tuple(sorted(self.seats())) if site.together else (self.next(),)

    def option(self, site: Site) -> Any:
        number = self.next()
        return site.names[number] if site.type is None else self.codes.back(number, site.type)
