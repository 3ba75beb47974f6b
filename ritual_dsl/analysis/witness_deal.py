"""A deal that two games judge differently, where nothing is run after it.

In: such a deal. Out: the text of a file that `ritual odds --given` reads, and what each game says about the deal.
"""

from __future__ import annotations

from ritual_dsl.analysis.compare import Apart, Hands, reports, signature
from ritual_dsl.analysis.deals import Table
from ritual_dsl.analysis.probe import Probe
from ritual_dsl.analysis.symmetry import named
from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import start_state
from ritual_dsl.model.game import Game, Odds


def deal_text(apart: Apart, given: list[str]) -> str:
    return "\n".join([f"players: {apart.players}", "given:", *(f"  {line}" for line in given)]) + "\n"


def asked_of_deal(apart: Apart, game: Game) -> Run:
    """The deal on the table, and the trace of every report about it."""
    odds = own_odds(apart.odds, game)
    table = Table(game, odds, named(game, odds), start_state(game, apart.players, Chance(0)))
    return trace_reports(table, apart.hands)


def own_odds(odds: Odds, game: Game) -> Odds:
    """The declaration of a game that deals as this one does."""
    return next(one for one in game.odds if signature(one) == signature(odds))


def trace_reports(table: Table, hands: Hands) -> Run:
    run = Run(table.game, table.state.players, trace=True)
    run.state = table.dealt(hands)
    probe = Probe(table.game, table.odds, exchanging=False, trace=run.trace)
    reports(table, probe, run.state, {})
    return run
