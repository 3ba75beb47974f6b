"""What a change really does: two games compared in what they say and in what comes out.

In: two games, perhaps a number of players. Out: `Diff`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ritual_dsl.analysis.changes import CardChange, Change, all_changes, card_changes
from ritual_dsl.analysis.compare import Comparison, compare
from ritual_dsl.analysis.deals import Tell, silence
from ritual_dsl.analysis.odds import work_out
from ritual_dsl.analysis.symmetry import named
from ritual_dsl.analysis.witness_scenario import Witness, witness
from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.run import Run
from ritual_dsl.model.game import Game, Odds

DECLARED = ("zone", "counter", "variable")


@dataclass(frozen=True)
class Moved:
    """One report of one card before and after; None where the card is not there, or the odds cannot be worked out."""

    card: str
    report: str
    before: Fraction | None
    after: Fraction | None

    @property
    def change(self) -> Fraction:
        return (self.after or Fraction(0)) - (self.before or Fraction(0))


@dataclass(frozen=True)
class Diff:
    a: Game
    b: Game
    changes: list[Change]
    cards: list[CardChange]
    comparison: Comparison
    witness: Witness | None
    odds_players: int
    odds: list[Moved]
    not_covered: list[str]  # what changed and is not part of what the odds run
    notes: list[str]


def diff(a: Game, b: Game, players: int | None = None, tell: Tell = silence) -> Diff:
    low, high = max(a.players[0], b.players[0]), min(a.players[1], b.players[1])
    if low > high:
        raise fail("RIT650", f"no number of players fits both: {span_of(a)} and {span_of(b)}")
    if players is not None and not low <= players <= high:
        raise fail("RIT510", f"both games are for {low} to {high} players, not {players}")
    changes = all_changes(a, b)
    comparison = compare(a, b, [players] if players is not None else range(low, high + 1), tell)
    apart = comparison.smallest
    usual = players if players is not None else max(low, min(a.usual_players, high))
    notes: list[str] = []
    return Diff(
        a,
        b,
        changes,
        list(card_changes(a, b, changes)),
        comparison,
        witness(apart, a, b) if apart is not None else None,
        usual,
        moved_odds(a, b, usual, notes),
        not_covered(a, b, changes),
        notes,
    )


def span_of(game: Game) -> str:
    return f"{game.players[0]}..{game.players[1]}"


def moved_odds(a: Game, b: Game, players: int, notes: list[str]) -> list[Moved]:
    """Every figure that differs, the largest changes first."""
    tables: list[dict[str, dict[str, Fraction]]] = []
    for game in (a, b):
        try:
            tables.append(work_out(Run(game, players)).cards())
        except RitualError as error:
            notes.append(f"no odds of {game.reference}: {error.diagnostics[0].message}")
            return []
    moved = []
    for card in dict.fromkeys([*tables[0], *tables[1]]):
        rows = [table.get(card, {}) for table in tables]
        for report in dict.fromkeys([*rows[0], *rows[1]]):
            one = Moved(card, report, rows[0].get(report), rows[1].get(report))
            if one.before != one.after:
                moved.append(one)
    both = [m for m in moved if m.before is not None and m.after is not None]
    order = {report: i for i, report in enumerate(dict.fromkeys(m.report for m in moved))}
    both.sort(key=lambda m: (order[m.report], -abs(m.change)))
    return both + [m for m in moved if m.before is None or m.after is None]


def not_covered(a: Game, b: Game, changes: list[Change]) -> list[str]:
    """Changes of rules, procedures and declared things that nothing which was run could have noticed."""
    used: set[tuple[str, str]] = set()
    for game in (a, b):
        for odds in game.odds:
            used |= reached(game, odds)
    outside = []
    for change in changes:
        name = change.name.rpartition(".")[0] if change.kind == "rule" else change.name
        if change.kind in ("rule", "procedure", *DECLARED) and (change.kind, name) not in used:
            outside.append(f"{change.kind} {change.name}")
    return outside


def reached(game: Game, odds: Odds) -> set[tuple[str, str]]:
    """By kind and name, all that the odds can ask or change."""
    found = named(game, odds)
    cells = found.cells | {report.counter.cell for report in odds.reports if report.counter is not None}
    used = {("rule", name) for name in found.rules} | {("procedure", name) for name in found.procedures}
    used |= {("zone", zone.name) for zone in game.zones.values() if zone.cell in cells}
    used |= {("counter", counter.name) for counter in game.counters.values() if counter.cell in cells}
    return used | {("variable", variable.name) for variable in game.variables.values() if variable.cell in cells}
