"""Words that are missing, stale, or cite nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.loading.parts import CardChange
from ritual_dsl.loading.shape import Texts
from ritual_dsl.model.game import Game
from ritual_dsl.source import Span


def missing_texts(game: Game, found: Findings) -> None:
    """Every card, variant and ruling has its words in every language of the game."""
    for what, texts, span in worded(game):
        missing = [language for language in game.languages if not texts.get(language, "").strip()]
        if missing:
            found.say("RIT361", f"{what} is missing in {', '.join(missing)}", span)


def worded(game: Game) -> Iterator[tuple[str, Texts, Span]]:
    for card in game.cards.values():
        yield f"the name of `{card.id}`", card.name, card.span
        yield f"the text of `{card.id}`", card.text, card.span
    for variant in game.files.variants.values():
        yield f"the name of `{variant.id}`", variant.name, variant.span
        yield f"the text of `{variant.id}`", variant.text, variant.span
    for ruling in game.files.rulings.values():
        yield f"the question of `{ruling.id}`", ruling.question, ruling.span
        for name, option in ruling.options.items():
            yield f"the text of `{ruling.id}={name}`", option.text, option.span


def unknown_citations(game: Game, found: Findings) -> None:
    """A citation names a section of the game's table."""
    sections = game.files.manifest.sections
    if not sections:
        return
    for cites, span in cited(game):
        for cite in cites:
            if cite not in sections:
                found.say("RIT363", f"{cite} is not in the table of sections", span, help=near_miss(cite, sections))


def cited(game: Game) -> Iterator[tuple[tuple[str, ...], Span]]:
    for declared in (game.cards, game.zones, game.counters, game.variables):
        for thing in declared.values():
            yield thing.cites, thing.span
    for rule in game.rules.values():
        yield rule.cites, rule.span
        for clause in rule.clauses:
            for entry in (*clause.entries, *clause.limits):
                yield entry.cites, entry.span
    for procedure in game.procedures.values():
        yield procedure.cites, procedure.span
        for step in procedure.steps:
            yield step.cites, step.span
    for module in (*game.files.variants.values(), *game.modules):
        yield module.cites, module.span


def untouched_texts(game: Game, found: Findings) -> None:
    """A house rule that changes what a card does should change what it says."""
    for change in house_changes(game):
        stale = [language for language in game.languages if language not in said(change)]
        if stale and does_otherwise(change):
            message = f"`{change.id}` does something else now; its text in {', '.join(stale)} is the old one"
            found.say("RIT362", message, change.span)


def stale_texts(game: Game) -> dict[str, set[str]]:
    """Card -> the languages in which it says what it did before a house rule, or said before it."""
    stale: dict[str, set[str]] = {}
    for change in house_changes(game):
        if does_otherwise(change) or said(change):
            before = stale.get(change.id, set()) | {*game.languages}
            stale[change.id] = before - {*said(change)}
    return stale


def house_changes(game: Game) -> Iterator[CardChange]:
    return (change for module in game.modules if module.layer == "house" for change in module.cards)


def does_otherwise(change: CardChange) -> bool:
    return bool(change.patches) or "rules" in change.keys


def said(change: CardChange) -> Texts:
    return change.card.text if change.card is not None else {}
