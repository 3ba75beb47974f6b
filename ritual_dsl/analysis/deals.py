"""All deals, taken together where they come out alike.

In: a state in which some places wait for a card of a pile. Out: one deal of each kind, and how many it stands for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ritual_dsl.analysis.symmetry import Exchange, Named, exchange
from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Game, Odds

MOST_KINDS = 250_000  # of deals: more are not run through


@dataclass(frozen=True)
class Place:
    """Where a card is dealt to, and the pile it comes from."""

    cell: int
    owner: int | None
    pile: int


@dataclass(frozen=True)
class Deals:
    """The table to deal at: faces with their copies, and places in groups that are alike."""

    base: State
    faces: tuple[tuple[int, str], ...]  # (pile, card)
    copies: tuple[int, ...]
    groups: tuple[tuple[Place, ...], ...]
    exchange: Exchange

    @property
    def count(self) -> int:
        """How many deals there are, each as likely: every copy is a card of its own, every place has its own."""
        total = 1
        for pile in {place.pile for group in self.groups for place in group}:
            size = sum(c for (p, _), c in zip(self.faces, self.copies, strict=True) if p == pile)
            total *= math.perm(size, sum(place.pile == pile for group in self.groups for place in group))
        return total

    def kinds(self) -> dict[tuple[int, ...], int]:
        """Kinds of deals and their number, card by card: each group in turn, every face that is left."""
        level = {(0,) * len(self.faces): 1}
        base = max([len(group) for group in self.groups], default=1) + 1
        for number, group in enumerate(self.groups):
            unit = base**number
            for place in group:
                open_faces = [i for i, (pile, _) in enumerate(self.faces) if pile == place.pile]
                level = self.deal_one(level, open_faces, unit, base)
                if len(level) > MOST_KINDS:
                    message = f"there are more than {MOST_KINDS:,} kinds of deals, of {self.count:,} in all"
                    raise fail("RIT641", message, help="odds are exact or not at all; try fewer players")
        return level

    def deal_one(
        self, level: dict[tuple[int, ...], int], faces: list[int], unit: int, base: int
    ) -> dict[tuple[int, ...], int]:
        following: dict[tuple[int, ...], int] = {}
        normal = self.exchange.normal
        dealt: dict[int, int] = {}
        for codes, weight in level.items():
            for i in faces:
                code = codes[i]
                if code not in dealt:
                    dealt[code] = digits(code, base)
                left = self.copies[i] - dealt[code]
                if left > 0:
                    key = normal((*codes[:i], code + unit, *codes[i + 1 :]))
                    following[key] = following.get(key, 0) + weight * left
        return following

    def hands(self, codes: tuple[int, ...]) -> Iterator[tuple[Place, str]]:
        """One deal of a kind: which card lies where."""
        base = max([len(group) for group in self.groups], default=1) + 1
        for number, group in enumerate(self.groups):
            waiting = list(group)
            for (pile, card), code in zip(self.faces, codes, strict=True):
                for _ in range(code // base**number % base):
                    assert waiting[0].pile == pile
                    yield waiting.pop(0), card

    def state(self, codes: tuple[int, ...]) -> State:
        return self.dealt(list(self.hands(codes)))

    def dealt(self, hands: Iterable[tuple[Place, str]]) -> State:
        """The table after one deal."""
        base = self.base
        cells = [copied(cell) for cell in base.cells]
        for place, card in hands:
            if place.owner is None:
                cells[place.cell] = card
            else:
                cells[place.cell][place.owner] = card
            cells[place.pile].remove(card)
        return State(base.players, base.seats, cells, base.chance, dict(base.ended))


def digits(code: int, base: int) -> int:
    total = 0
    while code:
        code, digit = divmod(code, base)
        total += digit
    return total


def copied(cell: Any) -> Any:
    """A cell for another state: lists are what a run changes in place."""
    return [copied(part) for part in cell] if isinstance(cell, list) else cell


def lay_out(base: State, odds: Odds, games: list[tuple[Game, Named]], exchanging: bool, viewer: int | None) -> Deals:
    """The places that wait, in groups of seats nobody can tell apart, and the cards they wait for."""
    game = games[0][0]
    groups: dict[object, list[Place]] = {}
    for zone, pile in odds.deals:
        shares = base.cells[zone.cell] if zone.owner else [base.cells[zone.cell]]
        for owner, share in enumerate(shares):
            if share is None:
                place = Place(zone.cell, owner if zone.owner else None, pile.cell)
                alike = seat_look(base, game, owner, viewer) if exchanging and zone.owner else owner
                groups.setdefault((zone.cell, alike), []).append(place)
    faces: list[tuple[int, str]] = []
    copies: list[int] = []
    for cell in dict.fromkeys(pile.cell for _, pile in odds.deals):
        for card, count in Counter(base.cells[cell]).items():
            faces.append((cell, card))
            copies.append(count)
    waiting = Counter(place.pile for group in groups.values() for place in group)
    for cell, count in waiting.items():
        if count > sum(c for (pile, _), c in zip(faces, copies, strict=True) if pile == cell):
            raise fail("RIT641", "there are more places than cards to deal", odds.span)
    names = [card for _, card in faces]
    if not exchanging or len(set(names)) < len(names):
        swaps = Exchange((), (), tuple(range(len(faces))))
    else:
        piles = {pile.cell for _, pile in odds.deals}
        swaps = exchange(names, copies, [(g, with_table(n, base, g, piles)) for g, n in games])
    return Deals(base, tuple(faces), tuple(copies), tuple(tuple(group) for group in groups.values()), swaps)


def with_table(names: Named, state: State, game: Game, piles: set[int]) -> Named:
    """What is on the table already cannot be exchanged, as if the rules named it."""
    cards, values = set(names.cards), set(names.values)
    for zone in game.zones.values():
        if zone.cell not in piles:
            cards |= cards_in(state.cells[zone.cell])
    for variable in game.variables.values():
        value = state.cells[variable.cell]
        held = {str(v) for v in (value if isinstance(value, frozenset) else (value,)) if v is not None}
        cards |= held if variable.type.kind == "card" else set()
        values |= held if variable.type.kind == "enum" else set()
    for card in cards:  # a value of a card that is named or lies there cannot be exchanged either
        values |= {str(value) for value in game.cards[card].attributes.values() if value is not None}
    return Named(cards, values, names.attributes)


def cards_in(cell: object) -> set[str]:
    if isinstance(cell, list):
        return {card for part in cell for card in cards_in(part)}
    return {cell} if isinstance(cell, str) else set()


def seat_look(state: State, game: Game, seat: int, viewer: int | None) -> tuple[object, ...]:
    """All that tells a seat from others before the deal: dummy or player, counters, what lies there, variables."""
    parts: list[object] = [seat < state.players, seat == viewer]
    owned = [c.cell for c in game.counters.values() if c.owner] + [z.cell for z in game.zones.values() if z.owner]
    for cell in owned:
        shares = state.cells[cell]
        parts.append(repr(shares[seat]) if seat < len(shares) else None)
    for variable in game.variables.values():
        if variable.type.kind in ("seat", "player"):
            value = state.cells[variable.cell]
            parts.append(seat in value if isinstance(value, frozenset) else seat == value)
    return tuple(parts)
