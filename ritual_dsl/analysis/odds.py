"""Exact odds of every card, as the game declares them.

In: a table before the deal, perhaps with what is known already. Out: `Result`: fractions, and what they rest on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ritual_dsl.analysis.deals import Deals, Table, Tell, lay_out, silence
from ritual_dsl.analysis.probe import OrderMatters, Probe
from ritual_dsl.analysis.symmetry import named
from ritual_dsl.diagnostics import fail
from ritual_dsl.engine.evaluate import Locals
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import State
from ritual_dsl.model.game import Game, Odds, Report, Tally


@dataclass
class Block:
    """What came out of one `odds` declaration: by report and card, how often it was seen and the sum of its values."""

    odds: Odds
    deals: int
    kinds: int
    exchanging: bool
    exchanged: tuple[tuple[str, ...], ...] = ()  # cards that can take each other's places
    alike: tuple[tuple[str, ...], ...] = ()  # places that can
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    sums: dict[str, dict[str, int]] = field(default_factory=dict)

    def value(self, report: str, card: str) -> Fraction:
        return Fraction(self.sums[report][card], self.seen[report][card])

    def chance(self, report: str, card: str) -> Fraction:
        """How likely the card is to be the one asked about, where one seat is asked about."""
        return Fraction(self.seen[report][card], self.deals)

    def overall(self, report: str) -> Fraction:
        return Fraction(sum(self.sums[report].values()), sum(self.seen[report].values()))


@dataclass
class Result:
    game: Game
    players: int
    blocks: list[Block]
    viewer: str | None = None

    @property
    def reports(self) -> list[Report]:
        return [report for block in self.blocks for report in block.odds.reports]

    def cards(self) -> dict[str, dict[str, Fraction]]:
        """Every card of the deck with its reports, in the order of the files."""
        table: dict[str, dict[str, Fraction]] = {}
        for card in self.game.deck:
            found = {
                report.name: block.value(report.name, card)
                for block in self.blocks
                for report in block.odds.reports
                if card in block.seen[report.name]
            }
            if found:
                table[card] = found
        return table


def work_out(run: Run, viewer: int | None = None, tell: Tell = silence) -> Result:
    """All odds from what lies on the table; with a viewer, about that player alone."""
    game = run.game
    if not game.odds:
        raise fail("RIT644", f"the rules of {game.id} declare no odds", help="write `odds with … from … after …:`")
    blocks = [work_out_block(game, odds, run.state, run.names, viewer, tell) for odds in game.odds]
    return Result(game, run.state.players, blocks, run.names[viewer] if viewer is not None else None)


def work_out_block(
    game: Game, odds: Odds, base: State, names: list[str], viewer: int | None = None, tell: Tell = silence
) -> Block:
    table = Table(game, odds, named(game, odds), base)
    try:
        return count(table, names, viewer, True, tell)
    except OrderMatters:
        return count(table, names, viewer, False, tell)


def count(table: Table, names: list[str], viewer: int | None, exchanging: bool, tell: Tell) -> Block:
    odds = table.odds
    deals = lay_out([table], exchanging, viewer)
    kinds = deals.kinds()
    probe = Probe(table.game, odds, exchanging)
    block = Block(odds, deals.count, len(kinds), exchanging)
    assert sum(kinds.values()) == block.deals
    for report in odds.reports:
        block.seen[report.name], block.sums[report.name] = {}, {}
    for number, (codes, weight) in enumerate(kinds.items()):
        tell(f"{odds.procedure or 'deal'}: {number:,} of {len(kinds):,} kinds of deals")
        add(block, probe, table.dealt(deals.hands(codes)), weight, viewer)
    if exchanging:
        share_out(block, deals)
        describe(block, deals, names)
    return block


def add(block: Block, probe: Probe, state: State, weight: int, viewer: int | None) -> None:
    before = {r.name: counted(r, state) for r in block.odds.reports if r.counter is not None}
    probe.outcome(state, block.odds.procedure)
    local: Locals = [None] * block.odds.slots
    for tally in block.odds.tallies:
        for card in observations(tally, probe, state, local, viewer):
            for report in tally.reports:
                seen, sums = block.seen[report.name], block.sums[report.name]
                value = reported(report, probe, state, local, before)
                seen[card] = seen.get(card, 0) + weight
                sums[card] = sums.get(card, 0) + weight * value


def observations(
    tally: Tally, probe: Probe, state: State, local: Locals, viewer: int | None, depth: int = 0
) -> Iterator[str]:
    """Every way to choose the members, with the card it is sorted under; the first person is the viewer, if any."""
    evaluator = probe.evaluator
    if depth == len(tally.members):
        card = evaluator.reported(tally.card, state, local)
        if card is not None:
            yield card
        return
    member = tally.members[depth]
    is_person = member.group.type.kind in ("seat", "player")
    for one in evaluator.members(member.group)(state, local):
        if is_person and viewer is not None and one != viewer:
            continue
        local[member.slot] = one
        if member.condition is None or evaluator.reported(member.condition, state, local):
            yield from observations(tally, probe, state, local, None if is_person else viewer, depth + 1)


def counted(report: Report, state: State) -> list[int]:
    assert report.counter is not None
    cell = state.cells[report.counter.cell]
    return list(cell) if report.counter.owner else [cell]


def reported(report: Report, probe: Probe, state: State, local: Locals, before: dict[str, list[int]]) -> int:
    if report.counter is not None:
        at = probe.evaluator.reported(report.subject, state, local) if report.subject is not None else 0
        change = counted(report, state)[at] - before[report.name][at]
        return change if report.gains else -change
    assert report.value is not None
    value = probe.evaluator.reported(report.value, state, local)
    if value is None:
        raise fail("RIT504", f"`{report.name}` has no value here", report.span)
    return int(value)


def share_out(block: Block, deals: Deals) -> None:
    """What was counted for one card holds for each it can change places with: all of them get the same share."""
    orbit = {card: deals.exchange.orbit[i] for i, (_, card) in enumerate(deals.faces)}
    for table in (*block.seen.values(), *block.sums.values()):
        for first in set(orbit.values()):
            cards = [card for card in orbit if orbit[card] == first]
            if len(cards) > 1 and any(card in table for card in cards):
                total = sum(table.get(card, 0) for card in cards)
                assert total % len(cards) == 0
                table.update(dict.fromkeys(cards, total // len(cards)))


def describe(block: Block, deals: Deals, names: list[str]) -> None:
    """In names, what was taken together."""
    faces = [card for _, card in deals.faces]
    rows = [tuple("/".join(faces[i] for i in row) for row in rows) for rows in deals.exchange.blocks]
    block.exchanged = (*(tuple(faces[i] for i in group) for group in deals.exchange.twins), *rows)
    seats = [deal.zone.owner is not None and deal.zone.owner.kind in ("seat", "player") for deal in block.odds.deals]
    block.alike = tuple(
        tuple(dict.fromkeys(names[place.share or 0] for place in group))
        for group in deals.groups
        if len({place.share for place in group}) > 1 and seats[group[0].deal]
    )
