"""All deals, taken together where they come out alike.

In: tables at which some places wait for a card of a pile. Out: one deal of each kind, and how many it stands for.
Several tables, of different games, get the same deals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ritual_dsl.analysis.symmetry import Exchange, Named, exchange
from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Game, Odds

MOST_KINDS = 250_000  # of deals: more are not run through
Tell = Callable[[str], None]


def silence(words: str) -> None:
    """Nobody wants to know how far it is."""


@dataclass(frozen=True)
class Table:
    """A game before the deal: what lies there, what is dealt, and what its rules tell cards apart by."""

    game: Game
    odds: Odds
    names: Named
    state: State

    def dealt(self, hands: Iterable[tuple[Place, str]]) -> State:
        """The table after one deal."""
        cells = [copied(cell) for cell in self.state.cells]
        for place, card in hands:
            deal = self.odds.deals[place.deal]
            zone = deal.zone.cell
            if not deal.zone.single:
                (cells[zone] if place.share is None else cells[zone][place.share]).append(card)
            elif place.share is None:
                cells[zone] = card
            else:
                cells[zone][place.share] = card
            cells[deal.pile.cell].remove(card)
        return State(self.state.players, self.state.seats, cells, self.state.chance, dict(self.state.ended))


@dataclass(frozen=True)
class Place:
    """Where a card is dealt to: by which deal, to whose share, from which pile."""

    deal: int
    share: int | None
    pile: int


@dataclass(frozen=True)
class Deals:
    """Faces with their copies, and places in groups that are alike."""

    faces: tuple[tuple[int, str], ...]  # (pile, card)
    copies: tuple[int, ...]
    groups: tuple[tuple[Place, ...], ...]
    exchange: Exchange

    @property
    def count(self) -> int:
        """How many deals there are, each as likely: every copy is a card of its own, every place has its own."""
        waiting = Counter(place.pile for group in self.groups for place in group)
        return math.prod(math.perm(self.cards_of(pile), places) for pile, places in waiting.items())

    def cards_of(self, pile: int) -> int:
        return sum(copies for (home, _), copies in zip(self.faces, self.copies, strict=True) if home == pile)

    @property
    def base(self) -> int:
        """A kind of deal is a number for each face, whose digits say how many lie in each group."""
        return max([len(group) for group in self.groups], default=1) + 1

    def kinds(self) -> dict[tuple[int, ...], int]:
        """Kinds of deals and their number, card by card: each group in turn, every face that is left."""
        level = {(0,) * len(self.faces): 1}
        for number, group in enumerate(self.groups):
            unit = self.base**number
            for place in group:
                level = self.deal_one(level, [i for i, (pile, _) in enumerate(self.faces) if pile == place.pile], unit)
                if len(level) > MOST_KINDS:
                    message = f"there are more than {MOST_KINDS:,} kinds of deals, of {self.count:,} in all"
                    raise fail("RIT641", message, help="odds are exact or not at all; try fewer players")
        return level

    def deal_one(self, level: dict[tuple[int, ...], int], faces: list[int], unit: int) -> dict[tuple[int, ...], int]:
        following: dict[tuple[int, ...], int] = {}
        normal, base = self.exchange.normal, self.base
        dealt: dict[int, int] = {}
        for codes, weight in level.items():
            for i in faces:
                code = codes[i]
                if code not in dealt:
                    dealt[code] = digit_sum(code, base)
                left = self.copies[i] - dealt[code]
                if left > 0:
                    key = normal((*codes[:i], code + unit, *codes[i + 1 :]))
                    following[key] = following.get(key, 0) + weight * left
        return following

    def hands(self, codes: tuple[int, ...]) -> Iterator[tuple[Place, str]]:
        """One deal of a kind: which card lies where."""
        for number, group in enumerate(self.groups):
            waiting = list(group)
            for (_, card), code in zip(self.faces, codes, strict=True):
                for _ in range(code // self.base**number % self.base):
                    yield waiting.pop(0), card


def digit_sum(code: int, base: int) -> int:
    total = 0
    while code:
        code, digit = divmod(code, base)
        total += digit
    return total


def copied(cell: Any) -> Any:
    """A cell for another state: lists are what a run changes in place."""
    return [copied(part) for part in cell] if isinstance(cell, list) else cell


def lay_out(tables: Sequence[Table], exchanging: bool, viewer: int | None = None) -> Deals:
    """The places that wait, in groups that nobody can tell apart, and the cards they wait for."""
    first = tables[0]
    places = list(waiting_places(first))
    groups: dict[object, list[Place]] = {}
    seated = [deal.zone.owner is not None and deal.zone.owner.kind in ("seat", "player") for deal in first.odds.deals]
    per_seat = Counter(place.share for place in places if seated[place.deal])
    for number, place in enumerate(places):
        key: object = (place.deal, place.share) if exchanging else number
        if exchanging and seated[place.deal] and per_seat[place.share] == 1:  # with more, a seat changes as a whole
            key = (place.deal, tuple(seat_look(table, place.share or 0, viewer) for table in tables))
        groups.setdefault(key, []).append(place)
    faces: list[tuple[int, str]] = []
    copies: list[int] = []
    for number, deal in enumerate(first.odds.deals):
        if all(deal.pile.cell != pile for pile, _ in faces):
            for card, count in common_cards(tables, number).items():
                faces.append((deal.pile.cell, card))
                copies.append(count)
    deals = Deals(
        tuple(faces), tuple(copies), tuple(map(tuple, groups.values())), Exchange((), (), tuple(range(len(faces))))
    )
    for cell, count in Counter(place.pile for place in places).items():
        if count > deals.cards_of(cell):
            raise fail("RIT641", "there are more places than cards to deal", first.odds.span)
    names = [card for _, card in faces]
    if not exchanging or len(set(names)) < len(names):
        return deals
    swaps = exchange(names, copies, [(table.game, with_table(table)) for table in tables])
    return Deals(deals.faces, deals.copies, deals.groups, swaps)


def common_cards(tables: Sequence[Table], deal: int) -> Counter[str]:
    """What can be dealt at all of the tables."""
    first, *others = (Counter(table.state.cells[table.odds.deals[deal].pile.cell]) for table in tables)
    for other in others:
        first &= other
    return first


def waiting_places(table: Table) -> Iterator[Place]:
    for number, deal in enumerate(table.odds.deals):
        cell = table.state.cells[deal.zone.cell]
        for share, there in enumerate(cell if deal.zone.owner else [cell]):
            held = len(there) if isinstance(there, list) else there is not None
            for _ in range(deal.count - held):
                yield Place(number, share if deal.zone.owner else None, deal.pile.cell)


def with_table(table: Table) -> Named:
    """What is on the table already cannot be exchanged, as if the rules named it."""
    game, state = table.game, table.state
    cards, values = set(table.names.cards), set(table.names.values)
    piles = {deal.pile.cell for deal in table.odds.deals}
    for zone in game.zones.values():
        if zone.cell not in piles:
            cards |= cards_in(state.cells[zone.cell])
    for variable in game.variables.values():
        held = words_in(state.cells[variable.cell])
        cards |= held if variable.type.kind == "card" else set()
        values |= held if variable.type.kind == "enum" else set()
    for declared in game.declarations:
        if declared.owner is not None and declared.owner.kind == "card":
            shares = [repr(share) for share in state.cells[declared.cell]]
            usual = Counter(shares).most_common(1)[0][0] if shares else ""
            owners = game.owners(declared.owner, state.players)
            cards |= {card for card, share in zip(owners, shares, strict=True) if share != usual}
    for card in cards:  # a value of a card that is named or lies there cannot be exchanged either
        values |= {str(value) for value in game.cards[card].attributes.values() if value is not None}
    return Named(cards, values, table.names.attributes)


def cards_in(cell: object) -> set[str]:
    if isinstance(cell, list):
        return {card for part in cell for card in cards_in(part)}
    return {cell} if isinstance(cell, str) else set()


def words_in(value: object) -> set[str]:
    if isinstance(value, list | frozenset):
        return {word for part in value for word in words_in(part)}
    return {value} if isinstance(value, str) else set()


def seat_look(table: Table, seat: int, viewer: int | None) -> tuple[object, ...]:
    """All that tells a seat from others before the deal: dummy or player, counters, what lies there, variables."""
    state = table.state
    parts: list[object] = [seat < state.players, seat == viewer]
    for declared in table.game.declarations:
        if declared.owner is not None and declared.owner.kind in ("seat", "player"):
            shares = state.cells[declared.cell]
            parts.append(repr(shares[seat]) if seat < len(shares) else None)
    for variable in table.game.variables.values():
        if variable.type.kind in ("seat", "player"):
            parts.append(mentions(state.cells[variable.cell], seat, variable.owner is not None))
    return tuple(parts)


def mentions(value: Any, seat: int, shared: bool) -> object:
    """Where a variable speaks of a seat."""
    if shared:
        return tuple(mentions(part, seat, False) for part in value)
    return seat in value if isinstance(value, frozenset) else seat == value
