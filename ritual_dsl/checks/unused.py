"""What is declared and never used: rules, zones, counters, variables, values of enums, procedures, triggers, cards.

Looked for in all texts of a game, whichever modules are chosen: what only a variant or a card uses is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.parts import Module
from ritual_dsl.model.game import Game
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.walk import children

# Fields of nodes that give a name to something or say how, and use nothing.
NAMING = frozenset({"label", "cites", "kind", "operator", "variable", "path"})
DECLARING = (
    n.EnumDecl, n.CounterDecl, n.VariableDecl, n.ZoneDecl, n.RuleDecl, n.ProcedureDecl, n.SignalDecl, n.Param, n.Let,
)  # fmt: skip


def unused_declarations(game: Game, found: Findings) -> None:
    texts = list(all_texts(game))
    used = {word for _, items in texts for item in items for word in words(item)}
    used |= words_outside(game)
    for _, items in texts:
        for item in items:
            for code, what, name, span in declared(item):
                if name not in used:
                    found.say(code, f"{what} `{name}` is never used", span)


def cards_in_no_deck(game: Game, found: Findings) -> None:
    """A card without a slot is in every deck, unless there are no copies of it."""
    for part in game.files.cards.values():
        if not part.copies:
            found.say("RIT434", f"`{part.id}` has no copies, so it is in no deck", part.span)


def all_texts(game: Game) -> Iterator[tuple[str | None, tuple[n.Item, ...]]]:
    """The rules of the game, of every card, and of every module, chosen or not."""
    yield None, game.files.items
    for part in {**game.files.cards, **game.parts}.values():
        yield part.id, part.items
    for module in all_modules(game):
        yield None, module.items
        for change in module.cards:
            yield change.id, (*(change.card.items if change.card is not None else ()), *change.patches)


def all_modules(game: Game) -> Iterator[Module]:
    yield from game.files.variants.values()
    for ruling in game.files.rulings.values():
        yield from ruling.options.values()
    yield from (erratum.module for erratum in game.files.errata.values())
    yield from (module for module in game.modules if module.layer == "house")


def declared(item: n.Item) -> Iterator[tuple[str, str, str, Span]]:
    match item:
        case n.RuleDecl():
            yield "RIT430", "the rule", item.name, item.span
        case n.ZoneDecl():
            if item.filled is None:  # the pile with all cards is there to hold them
                yield "RIT431", "the zone", item.name, item.span
        case n.CounterDecl():
            yield "RIT431", "the counter", item.name, item.span
        case n.VariableDecl():
            yield "RIT431", "the variable", item.name, item.span
        case n.EnumDecl():
            for value in item.values:
                yield "RIT432", f"the {item.name}", value, item.span
        case n.ProcedureDecl():
            if not item.any_time and item.as_soon is None:
                yield "RIT433", "the procedure", item.name, item.span
        case n.SignalDecl():
            yield "RIT433", "the trigger", item.name, item.span
        case _:
            pass


def words(node: n.Node) -> Iterator[str]:
    """The names a text uses."""
    for f in fields(node):
        value = getattr(node, f.name)
        if f.name in NAMING or (f.name == "name" and isinstance(node, DECLARING)):
            continue
        if f.name in ("values", "ends") and isinstance(node, n.EnumDecl | n.ProcedureDecl):
            continue
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, str):
                yield part
    for child in children(node):
        yield from words(child)


def words_outside(game: Game) -> set[str]:
    """Names that the manifest and the cards use."""
    manifest = game.files.manifest
    used = {word.text for word in (manifest.main, manifest.winners) if word is not None}
    for part in {**game.files.cards, **game.parts}.values():
        used |= {given.text for given in part.attributes.values()}
    return used
