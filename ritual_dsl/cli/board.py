"""What a player sees of the table, as lines: places with their cards and what lies on them, piles, counters, variables.

In: a run, a seat or several, and what stands on the cards. Out: lines made from that seat's view alone.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.cli.lines import WORD, wrapped
from ritual_dsl.cli.printed import BETWEEN, Printed
from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import start_state
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import HIDDEN, Seat, faces, view
from ritual_dsl.model.game import Variable, Zone


class Board:
    def __init__(self, run: Run, seat: Seat, printed: Printed) -> None:
        self.run = run
        self.printed = printed
        self.teller = Teller(run, printed.lang)
        self.seen = view(run, seat)
        self.in_places = [card for zone in self.open_places() for card in self.places(zone).values() if card]

    def lines(self) -> list[str]:
        zones, empty = [], []
        for zone in self.run.game.zones.values():
            share = self.seen["zones"][zone.name]
            if not any(share.values() if isinstance(share, dict) else (share,)):
                empty.append(self.teller.word(zone.name))
            elif zone in self.open_places():
                zones += self.open_lines(zone)
            else:
                zones += self.zone_lines(zone, share)
        zones += wrapped(", ".join(empty), "  empty: ", WORD) if empty else []
        return [*zones, *self.counter_lines(), *self.variable_lines()]

    def cards(self) -> list[str]:
        """The cards whose faces are seen."""
        return faces(self.seen)

    # ---- what lies where

    def open_places(self) -> list[Zone]:
        """Places of one card that everybody sees: players read what stands there."""
        return [zone for zone in self.run.game.zones.values() if zone.single and zone.audience == "everyone"]

    def places(self, zone: Zone) -> dict[str, str | None]:
        share = self.seen["zones"][zone.name]
        return share if isinstance(share, dict) else {"": share}

    def open_lines(self, zone: Zone) -> list[str]:
        """One line for each place, below it the text of its card and what lies on that."""
        places = self.places(zone)
        longest = max(len(owner) for owner in places)
        lines = wrapped(f"{self.teller.word(zone.name)}:", "  ")
        for owner, id in places.items():
            head = f"    {owner:{longest}}  "
            card = self.run.game.cards.get(id or "")
            if card is None:
                lines += wrapped("empty", head)
                continue
            indent = " " * len(head)
            lines += wrapped(BETWEEN.join([self.teller.card(card.id), *self.printed.front_facts(card)]), head)
            lines += self.printed.text(card, indent)
            lines += [line for lying in self.lying_on(card.id) for line in wrapped(lying, indent, WORD)]
        return lines

    def lying_on(self, card: str) -> list[str]:
        """What lies on a card, and what it comes to."""
        found = []
        for zone in self.run.game.zones.values():
            share = self.seen["zones"][zone.name]
            if on_cards(zone) and share.get(card):
                held = share[card]
                totals = self.printed.totals(held) if isinstance(held, list) else []
                found.append(f"{self.teller.word(zone.name)}: {BETWEEN.join([self.held(held), *totals])}")
        return found

    def zone_lines(self, zone: Zone, share: Any) -> list[str]:
        if on_cards(zone):  # what lies on a card in an open place is told there
            share = {card: held for card, held in share.items() if card not in self.in_places}
            if not share:
                return []
        return wrapped(self.teller.shares(share, self.held), f"  {self.teller.word(zone.name)}: ", WORD)

    def held(self, share: Any) -> str:
        """What lies in a zone: a card, a pile, or how many lie face down."""
        match share:
            case None:
                return "none"
            case int():
                return f"{share} face down" if share else "empty"
            case str():
                return self.card(share, "")
            case [top, second, *_] if top != HIDDEN and second == HIDDEN:
                return f"{self.pile([top])} on top of {len(share) - 1} face down"
            case _:
                return self.pile(share) or "empty"

    def pile(self, cards: list[str]) -> str:
        return ", ".join(self.card(id, self.back(id)) for id in cards)

    def card(self, id: str, remark: str) -> str:
        return f"{self.teller.card(id)} ({remark})" if remark else self.teller.card(id)

    def back(self, id: str) -> str:
        """In a pile, what the back is called: a card of a row may have been turned over."""
        return self.printed.back(self.run.game.cards[id])[0] if id in self.run.game.cards else ""

    # ---- counters and variables

    def counter_lines(self) -> list[str]:
        lines = []
        for name, value in self.seen["counters"].items():
            high = "" if isinstance(value, dict) else f" of {self.run.game.counters[name].high}"
            lines += wrapped(self.teller.shares(value, str) + high, f"  {self.teller.word(name)}: ", WORD)
        return lines

    def variable_lines(self) -> list[str]:
        """Those that are not as they were at the start."""
        first = start_state(self.run.game, self.run.state.players, Chance(0)).cells
        lines = []
        for name, seen in self.seen["variables"].items():
            text = self.variable(self.run.game.variables[name], seen, first)
            lines += wrapped(text, f"  {self.teller.word(name)}: ", WORD) if text else []
        return lines

    def variable(self, variable: Variable, seen: Any, first: list[Any]) -> str:
        value, before = self.run.state.cells[variable.cell], first[variable.cell]
        if variable.owner is None:
            return self.teller.value(value, variable.type) if value != before else ""
        owners = self.run.owner_names(variable.owner)
        shares = zip(owners, value, before, strict=True)
        told = {owner: share for owner, share, old in shares if owner in seen and share != old}
        return self.teller.shares(told, lambda share: self.teller.value(share, variable.type)) if told else ""


def on_cards(zone: Zone) -> bool:
    return zone.owner is not None and zone.owner.kind == "card"
