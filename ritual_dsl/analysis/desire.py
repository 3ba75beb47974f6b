"""Cards that nobody could ever want, or that nobody could ever refuse.

In: a game, as its odds see it. Out: cards that, whatever the others hold, are always at one end of everything reported
about their holder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ritual_dsl.analysis.deals import Deals, Place, Table, lay_out
from ritual_dsl.analysis.odds import counted, observations, reported
from ritual_dsl.analysis.probe import OrderMatters, Probe
from ritual_dsl.analysis.symmetry import named
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.state import State, start_state
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Odds, Tally

LOW, HIGH = "lowest", "highest"


@dataclass
class Desire:
    """What was found with one declaration: cards always at an end, by report; None where that could not be run."""

    odds: Odds
    deals: int
    ends: dict[str, dict[str, str]] | None  # card -> report -> which end

    @property
    def cards(self) -> dict[str, dict[str, str]]:
        """Cards at an end of every report."""
        asked = {report.name for tally in self.odds.tallies if own_card(tally, self.odds) for report in tally.reports}
        return {card: ends for card, ends in (self.ends or {}).items() if set(ends) == asked}


def look_into(game: Game, players: int) -> Iterator[Desire]:
    for odds in game.odds:
        if any(own_card(tally, odds) for tally in odds.tallies):
            yield try_all(game, odds, players)


def own_card(tally: Tally, odds: Odds) -> bool:
    """Whether the reports are about everybody, sorted by the one card each of them was dealt."""
    card, members = tally.card, tally.members
    if len(members) != 1 or members[0].condition is not None or not isinstance(members[0].group, ir.People):
        return False
    dealt = [d.zone for d in odds.deals if d.zone.owner is not None and d.zone.owner.kind in ("seat", "player")]
    if not isinstance(card, ir.Read) or [zone.cell for zone in dealt] != [card.cell] or not dealt[0].single:
        return False
    return isinstance(card.index, ir.Local) and card.index.slot == members[0].slot


def try_all(game: Game, odds: Odds, players: int) -> Desire:
    table = Table(game, odds, named(game, odds), start_state(game, players, Chance(0)))
    for exchanging in (True, False):
        try:
            deals = lay_out([table], exchanging, viewer=0)
            return Desire(odds, deals.count, find_ends(table, deals, Probe(game, odds, exchanging)))
        except OrderMatters:
            continue
        except RitualError:
            break
    return Desire(odds, 0, None)


def find_ends(table: Table, deals: Deals, probe: Probe) -> dict[str, dict[str, str]]:
    """Every deal of the others, and every card the first player could hold with it."""
    own = next(place for group in deals.groups for place in group if is_own(place, table))
    others = replace(deals, groups=tuple(g for g in deals.groups if own not in g))
    tallies = [tally for tally in table.odds.tallies if own_card(tally, table.odds)]
    reports = [report.name for tally in tallies for report in tally.reports]
    ends = {(face, report, end): True for face in range(len(deals.faces)) for report in reports for end in (LOW, HIGH)}
    differs = dict.fromkeys(reports, False)
    for codes in others.kinds():
        hands = list(others.hands(codes))
        held = [card for _, card in hands]
        found: dict[int, dict[str, int]] = {}
        for face, (pile, card) in enumerate(deals.faces):
            if pile == own.pile and held.count(card) < deals.copies[face]:
                found[face] = values(table, tallies, probe, table.dealt([*hands, (own, card)]))
        for report in reports:
            seen = [row[report] for row in found.values()]
            differs[report] |= len(set(seen)) > 1
            for face, row in found.items():
                ends[face, report, LOW] &= row[report] == min(seen)
                ends[face, report, HIGH] &= row[report] == max(seen)
    return gathered(deals, ends, [report for report in reports if differs[report]])


def is_own(place: Place, table: Table) -> bool:
    owner = table.odds.deals[place.deal].zone.owner
    return place.share == 0 and owner is not None and owner.kind in ("seat", "player")


def values(table: Table, tallies: list[Tally], probe: Probe, state: State) -> dict[str, int]:
    before = {r.name: counted(r, state) for r in table.odds.reports if r.counter is not None}
    probe.outcome(state, table.odds.procedure)
    local = [None] * table.odds.slots
    found: dict[str, int] = {}
    for tally in tallies:
        for _ in observations(tally, probe, state, local, 0):
            for report in tally.reports:
                found[report.name] = reported(report, probe, state, local, before)
    return found


def gathered(deals: Deals, ends: dict[tuple[int, str, str], bool], reports: list[str]) -> dict[str, dict[str, str]]:
    """A card is at an end if all cards it can change places with are."""
    found: dict[str, dict[str, str]] = {}
    orbit = deals.exchange.orbit
    for face, (_, card) in enumerate(deals.faces):
        alike = [other for other in range(len(orbit)) if orbit[other] == orbit[face]]
        for report in reports:
            for end in (LOW, HIGH):
                if all(ends[other, report, end] for other in alike):
                    found.setdefault(card, {})[report] = end
    return found
