"""A game reference to its parts: `my_game+other_card+variant+ruling=option+./house.yaml`.

In: the reference as a user wrote it. Out: `Chosen`: the game's files, the cards after the chosen
modules, one card for each slot, and the modules in the order of their layers.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.files import AnyPath, shipped_folder
from ritual_dsl.loading.locate import game_folder, is_path, shipped_games
from ritual_dsl.loading.parts import LAYERS, CardPart, GameFiles, Module, cards_after
from ritual_dsl.loading.selection import Loaded, Selection
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar

__all__ = [
    "Chosen",
    "Loaded",
    "choose",
    "collector_paused",
    "game_folder",
    "is_path",
    "shipped_folder",
    "shipped_games",
    "with_option",
]


@contextmanager
def collector_paused() -> Iterator[None]:
    """A game is built of many parts and drops almost none: looking for garbage would cost more the more there are."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@dataclass(frozen=True)
class Chosen:
    """A game with its modules picked."""

    reference: str
    files: GameFiles  # overlays included: their sections, slots and rulings
    cards: dict[str, CardPart]
    removed: dict[str, CardPart]  # taken out by an overlay; rules may still name them
    slots: dict[str, Scalar]  # slot -> the card in it, or the word none
    modules: tuple[Module, ...]  # from the bottom layer to the top


@collector_paused()
def choose(
    reference: str,
    found: Findings,
    folder: AnyPath | None = None,
    loaded: Loaded | None = None,
    on_top: tuple[str, Mapping] | None = None,
) -> Chosen | None:
    """Load what a reference names; relative paths start at `folder`, the place of the file that holds it.

    In a file of a game's own folder, the id of that game means that game and not the shipped one.
    `on_top` is the id and body of an overlay that is in no file yet.
    """
    selection = Selection(found, loaded or Loaded())
    taken = selection.read(reference, folder or Path.cwd(), None, inside=folder is not None)
    if selection.files is None:
        return None
    if taken is not None and on_top is not None:
        selection.lay(*on_top, taken)
    modules = in_order(selection.all_modules())
    cards = cards_after(selection.files.cards, modules, found)
    return Chosen(reference, selection.files, cards.kept, cards.removed, selection.slots(), modules)


def in_order(modules: Iterable[Module]) -> tuple[Module, ...]:
    return tuple(sorted(modules, key=lambda m: LAYERS.index(m.layer)))


def with_option(chosen: Chosen, module: Module, found: Findings) -> Chosen:
    """The same game with one module more, or a ruling's option in place of the one taken."""
    others = [m for m in chosen.modules if m.id != module.id]
    modules = in_order([*others, module])
    cards = cards_after(chosen.files.cards, modules, found)
    return replace(chosen, modules=modules, cards=cards.kept, removed=cards.removed)
