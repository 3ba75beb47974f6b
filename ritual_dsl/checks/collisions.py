"""Two patches of one layer on one label that can hold together, with a state in which they do.

Guards without `while` are compared by what can run inside what. For two cards the state is
looked for: each card is put into every place, and both guards are asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ritual_dsl.checks.calls import reachable
from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.run import seat_names
from ritual_dsl.engine.state import Frame, State, start_state
from ritual_dsl.model import ir
from ritual_dsl.model.game import Entry, Game, rivals
from ritual_dsl.model.walk import walk

Patch = Entry | ir.Block


def colliding_patches(game: Game, found: Findings) -> None:
    reach = {name: reachable(name, game) for name in game.procedures}
    for label, a, b in rival_pairs(game):
        witness = together(a, b, game, reach)
        if witness is not None:
            related = [Related("the other patch", a.span)]
            message = f"`{b.origin}` and `{a.origin}` both patch `{label}` {witness}"
            found.say("RIT407", message, b.span, related=related)


def rival_pairs(game: Game) -> Iterator[tuple[str, Patch, Patch]]:
    """Patches of one layer that say different things about one clause, one patch, or one step."""
    for rule in game.rules.values():
        for clause in rule.clauses:
            stacks = [clause.entries, *(entry.overrides for entry in (*clause.entries, *clause.limits))]
            for a, b in (pair for stack in stacks for pair in combinations(stack, 2)):
                if rivals(a, b) and a.body != b.body:
                    yield f"{rule.name}.{clause.label}", a, b
    for name, procedure in game.procedures.items():
        for step in (part for part in walk(procedure) if isinstance(part, ir.Step)):
            for c, d in combinations(step.patched.instead, 2):
                if rivals(c, d) and c.steps != d.steps:
                    yield f"{procedure.card or name}.{step.label}", c, d


def together(a: Patch, b: Patch, game: Game, reach: dict[str, set[str]]) -> str | None:
    """In words, when both hold; None if no such state was found."""
    during = (*a.guard.during, *b.guard.during)
    for p, q in combinations(during, 2):
        if q not in reach.get(p, ()) and p not in reach.get(q, ()):
            return None
    if a.guard.rule is None and b.guard.rule is None:
        return f"whenever {running(during)}" if during else "in every state"
    return next(witnesses(a.guard, b.guard, during, game), None)


def witnesses(a: ir.Guard, b: ir.Guard, during: tuple[str, ...], game: Game) -> Iterator[str]:
    """States in which both guards hold, with each guarded card in one place."""
    evaluator = Evaluator(game)
    names = seat_names(game, game.players[1])
    cards = sorted({g.card for g in (a, b) if g.card is not None})
    for places in placings(cards, game):
        state = start_state(game, game.players[1], Chance(0))
        state.frames = [Frame(p, 0, []) for p in during]
        for card, (cell, owner) in zip(cards, places, strict=True):
            put(state, card, cell, owner)
        if evaluator.holds(a, state) and evaluator.holds(b, state):
            zones = {z.cell: z.name for z in game.zones.values()}
            spots = [zones[cell] + (f"[{names[o]}]" if o is not None else "") for cell, o in places]
            where = [f"`{card}` in {spot}" for card, spot in zip(cards, spots, strict=True)]
            yield "with " + " and ".join(where) + (f" while {running(during)}" if during else "")


def running(during: tuple[str, ...]) -> str:
    names = dict.fromkeys(during)
    return " and ".join(f"`{name}`" for name in names) + (" runs" if len(names) == 1 else " run")


Spot = tuple[int, int | None]


def placings(cards: list[str], game: Game) -> Iterator[tuple[Spot, ...]]:
    spots: list[Spot] = []
    for zone in game.zones.values():
        owners = len(game.owners(zone.owner, game.players[1]))
        spots += [(zone.cell, owner) for owner in range(owners)] or [(zone.cell, None)]
    if len(cards) == 1:
        yield from ((spot,) for spot in spots)
    else:
        yield from ((first, second) for first in spots for second in spots if first != second)


def put(state: State, card: str, cell: int, owner: int | None) -> None:
    share = state.cells[cell]
    if owner is not None:
        if isinstance(share[owner], list):
            share[owner].append(card)
        else:
            share[owner] = card
    elif isinstance(share, list):
        share.append(card)
    else:
        state.cells[cell] = card
