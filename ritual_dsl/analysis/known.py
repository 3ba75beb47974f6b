"""What is known already: odds that start from a table in play, perhaps as one player sees it.

In: a file with `players` and `given`, as in scenarios, and perhaps a player's name. Out: a state in which everything
unknown is back in its pile, and whose seat it is.
"""

from __future__ import annotations

from pathlib import Path

from ritual_dsl.analysis.symmetry import named
from ritual_dsl.analysis.table import PartlyKnown, take_back, whose
from ritual_dsl.diagnostics import Findings, RitualError, fail, ordered
from ritual_dsl.engine.run import Run
from ritual_dsl.loading.game_files import read_mapping
from ritual_dsl.loading.shape import Shape, head
from ritual_dsl.loading.yaml_nodes import Mapping
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.load import read_players
from ritual_dsl.source import Span

KEYS = ("players", "given")


def start(game: Game, players: int | None, path: Path | None, viewer: str | None) -> tuple[Run, int | None]:
    """A table with what is known on it."""
    found = Findings()
    root = read_mapping(path, found) if path is not None else None
    if found:
        raise RitualError(ordered(found))
    shape = Shape(found)
    given = None
    seated: int | tuple[str, ...] = game.usual_players if players is None else players
    if root is not None:
        shape.mapping(root, "the file", KEYS)
        given = shape.mapping(root.get("given"), "given")
        if root.get("players") is not None:
            seated = read_players(root.get("players"), shape) or seated
            refuse_others(seated, players, root.entries["players"].key.span, found)
    run = Run(game, seated)
    PartlyKnown(run, found).give(given)
    if given is not None:
        refuse_piles(game, given, found)
    if found:
        raise RitualError(ordered(found))
    return run, hide(run, viewer) if viewer is not None else None


def refuse_others(seated: int | tuple[str, ...], players: int | None, span: Span, found: Findings) -> None:
    """The number of players is said once, or alike."""
    count = seated if isinstance(seated, int) else len(seated)
    if players is not None and players != count:
        found.say("RIT643", f"{count} players sit here, and {players} were asked for", span, help="leave --players out")


def refuse_piles(game: Game, given: Mapping, found: Findings) -> None:
    """A card that is known to be in the pile cannot be dealt from it."""
    for pile in {deal.pile.name for odds in game.odds for deal in odds.deals}:
        if pile in given.entries:
            message = f"`{pile}` cannot be given: its cards are the ones that are dealt"
            found.say("RIT643", message, head(given.entries[pile].key.span))


def hide(run: Run, viewer: str) -> int:
    """What a player does not see goes back to where it might as well be."""
    eyes = whose(run, viewer)
    piles = {deal.pile.cell for odds in run.game.odds for deal in odds.deals}
    dealt = {deal.zone.cell for odds in run.game.odds for deal in odds.deals}
    asked = {cell for odds in run.game.odds for cell in named(run.game, odds).cells}
    homes = {zone.piece: zone.cell for zone in run.game.zones.values() if zone.filled}
    for zone in run.game.zones.values():
        if zone.filled or zone.cell in piles:
            continue  # what lies there is what is seen nowhere else
        hidden = [piece for pieces in take_back(run, run.state, zone, eyes).values() for piece in pieces]
        if hidden and (zone.cell in asked - dealt or homes[zone.piece] in asked - piles):
            message = f"{viewer} does not see what lies in `{zone.name}`, and the rules ask about it"
            raise fail("RIT643", message, zone.span)
        run.state.cells[homes[zone.piece]] += hidden
    return next(iter(eyes))
