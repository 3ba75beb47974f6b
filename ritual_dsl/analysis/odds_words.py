"""Odds for people and for programs.

In: `Result`s. Out: tables of text, JSON with exact fractions, and the panels of a chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.odds import Block, Result
from ritual_dsl.diagnostics.human import count
from ritual_dsl.model.game import Report
from ritual_dsl.plots import Mark, Panel, Strand


def as_json(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = {"game": result.game.reference, "players": result.players, "deals": result.blocks[0].deals}
    rows = {card: {name: fraction(value) for name, value in row.items()} for card, row in result.cards().items()}
    if result.viewer is not None:
        data["as"] = result.viewer
    if tells_own_card(result.blocks[0], result):
        first = result.blocks[0]
        key = first.odds.reports[0].name
        rows = {card: {"chance": fraction(first.chance(key, card)), **rows[card]} for card in first.seen[key]}
        data["all"] = {
            report.name: fraction(block.overall(report.name))
            for block in result.blocks
            for report in block.odds.reports
            if block.seen[report.name]
        }
    data["cards"] = rows
    data["enumerated"] = [enumerated(block) for block in result.blocks]
    return data


def tells_own_card(block: Block, result: Result) -> bool:
    """Whether there is one player to tell about, and what is sorted by card is sorted by who has it."""
    people = [m for tally in block.odds.tallies for m in tally.members if m.group.type.kind in ("seat", "player")]
    return result.viewer is not None and bool(people)


def enumerated(block: Block) -> dict[str, Any]:
    """What was dealt and run, and what was taken together."""
    return {
        "dealt": [{"zone": deal.zone.name, "pile": deal.pile.name, "each": deal.count} for deal in block.odds.deals],
        "run": block.odds.procedure,
        "reports": [report.name for report in block.odds.reports],
        "deals": block.deals,
        "kinds": block.kinds,
        "seats_alike": [list(group) for group in block.alike],
        "cards_alike": [list(group) for group in block.exchanged],
        "order_matters": not block.exchanging,
    }


def fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def as_text(result: Result) -> str:
    """A table for each declaration, and what it rests on."""
    parts = [f"{result.game.reference}, {count(result.players, 'player')}{view(result)}"]
    for block in result.blocks:
        if any(block.seen.values()):
            parts.append("\n".join([*table(block, result), "", *basis(block)]))
    return "\n\n".join(parts)


def view(result: Result) -> str:
    return f", as {result.viewer} sees it" if result.viewer is not None else ""


def table(block: Block, result: Result) -> list[str]:
    reports = [report for report in block.odds.reports if block.seen[report.name]]
    after = f"after {block.odds.procedure}" if block.odds.procedure else "as dealt"
    seen = [card for card in result.game.deck if any(card in block.seen[r.name] for r in reports)]
    chances = block is result.blocks[0] and tells_own_card(block, result)
    heads = [" ".join([after, *block.odds.cites]), *(["chance"] if chances else []), *(r.name for r in reports)]
    rows = [heads]
    for card in seen:
        own = [percent(block.chance(reports[0].name, card))] if chances else []
        rows.append([named(card, result), *own, *(cell(block, report, card) for report in reports)])
    if chances:
        rows.append(["in all", percent(Fraction(1)), *(shown(r, block.overall(r.name)) for r in reports)])
    return aligned(rows)


def named(card: str, result: Result) -> str:
    copies = result.game.deck[card]
    return f"{card} (×{copies})" if copies > 1 and result.viewer is None else card


def cell(block: Block, report: Report, card: str) -> str:
    return shown(report, block.value(report.name, card)) if card in block.seen[report.name] else "-"


def shown(report: Report, value: Fraction) -> str:
    """A chance as a percentage, a mean as a number, each with its exact fraction."""
    return percent(value) if chance(report) else f"{float(value):.3f} = {value}"


def percent(value: Fraction) -> str:
    return f"{float(value) * 100:.2f}% = {value}"


def aligned(rows: list[list[str]]) -> list[str]:
    """Columns side by side; the first to the left, decimals under each other."""
    rows = [[part for text in row for part in halves(text)] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        parts = [row[0].ljust(widths[0])]
        for i in range(2, len(row), 2):
            parts.append(row[i].rjust(widths[i]) + (" " + row[i + 1].ljust(widths[i + 1]) if widths[i + 1] else ""))
        lines.append("  ".join(parts).rstrip())
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]


def halves(text: str) -> tuple[str, str]:
    left, equals, right = text.partition(" = ")
    return left, f"= {right}" if equals else ""


def basis(block: Block) -> list[str]:
    """What was enumerated, and how symmetry was used."""
    dealt = " and ".join(f"`{deal.zone.name}` from `{deal.pile.name}`" for deal in block.odds.deals)
    kinds = f"{block.kinds:,} kind{'' if block.kinds == 1 else 's'}"
    deals = "the only deal" if block.deals == 1 else f"{block.deals:,} equally likely deals"
    lines = [f"exact: {deals} of {dealt}, run as {kinds}"]
    if not block.exchanging:
        return [*lines, "  only copies of a card were taken together: the order of seats or values matters here"]
    lines.append("  copies of a card count together")
    lines += [f"  seats that can change places: {', '.join(group)}" for group in block.alike]
    return lines + [f"  cards that can change places: {', '.join(group)}" for group in block.exchanged]


def panels(results: Sequence[Result]) -> list[Panel]:
    """A chart: a panel for each report, the games side by side."""
    found = []
    for name in dict.fromkeys(report.name for result in results for report in result.reports):
        strands = [strand(result, name) for result in results]
        if any(one.marks for one in strands):
            is_share = any(is_chance(result, name) for result in results)
            found.append(Panel(name, tuple(strands), is_share, is_exact=True))
    return found


def strand(result: Result, name: str) -> Strand:
    words, cards = result.game.words, result.game.cards
    values = {card: float(row[name]) for card, row in result.cards().items() if name in row}
    marks = tuple(Mark(words(cards[card].name), value, value, value) for card, value in values.items())
    return Strand(f"{result.game.reference}, {count(result.players, 'player')}{view(result)}", marks)


def is_chance(result: Result, name: str) -> bool:
    return any(report.name == name and chance(report) for report in result.reports)


def chance(report: Report) -> bool:
    return report.value is not None and report.value.type.kind == "truth"
