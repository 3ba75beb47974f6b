"""`holder` means one seat, so its card must have one copy."""

from __future__ import annotations

from ritual_dsl.diagnostics import Findings
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game
from ritual_dsl.model.walk import walk


def many_holders(game: Game, found: Findings) -> None:
    for thing in (*game.rules.values(), *game.procedures.values()):
        for part in walk(thing):
            if isinstance(part, ir.Holder) and game.deck.get(part.card, 0) > 1:
                copies = game.deck[part.card]
                message = f"`{part.card}` has {copies} copies, so several may hold it; `holder` means one"
                found.say("RIT408", message, part.span, help=f"write {part.rule}(this, p)")
