"""The rules that scenarios speak about: rule files, cards, variants, rulings, house rules.

In: a game. Out: `Part`s, each with its rules as they were written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ritual_dsl.loading.parts import GameFiles, Module, Ruling
from ritual_dsl.model.game import Game
from ritual_dsl.syntax import nodes as n


@dataclass(frozen=True)
class Part:
    """Rules with one name in reports: a rule file's, or those of a card, variant, ruling's option or house rule."""

    kind: str  # rules, card, erratum, variant, ruling, house
    name: str
    card: str | None
    items: tuple[n.Item, ...]


def parts_of(game: Game) -> Iterator[Part]:
    """What a scenario of this game is about: its house rules if it has any, else the whole game."""
    house = [module for module in game.modules if module.layer == "house"]
    if not house:
        yield from game_parts(game.files)
    for module in house:
        yield from module_parts(module, module.id)
        yield from ruling_parts(r for r in game.files.rulings.values() if r.span.path == module.span.path)


def game_parts(files: GameFiles) -> Iterator[Part]:
    """Everything, chosen or not."""
    by_file: dict[str, list[n.Item]] = {}
    for item in files.items:
        by_file.setdefault(item.span.path, []).append(item)
    for path, items in by_file.items():
        yield Part("rules", path.rpartition("/")[2], None, tuple(items))
    for card in files.cards.values():
        yield Part("card", card.id, card.id, card.items)
    for variant in files.variants.values():
        yield from module_parts(variant, variant.id)
    yield from ruling_parts(files.rulings.values())
    for erratum in files.errata.values():
        yield from module_parts(erratum.module, erratum.id)


def ruling_parts(rulings: Iterable[Ruling]) -> Iterator[Part]:
    for ruling in rulings:
        for option in ruling.options.values():
            yield from module_parts(option, option.reference)


def module_parts(module: Module, name: str) -> Iterator[Part]:
    yield Part(module.layer, name, None, module.items)
    for change in module.cards:
        own = change.card.items if change.card is not None else ()
        yield Part(module.layer, f"{name}: {change.id}", change.id, (*own, *change.patches))
