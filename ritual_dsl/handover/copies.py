"""A copy of a whole game, to edit.

In: a game by itself. Out: a folder with all its files, its cards in `cards/`, which is a game again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ritual_dsl.diagnostics import Findings, RitualError, fail
from ritual_dsl.handover.writing import write_folder
from ritual_dsl.loading.files import AnyPath, display
from ritual_dsl.loading.game_files import cards_folder
from ritual_dsl.loading.locate import locate

MOST_FILES = 4_000


def copy_game(reference: str, folder: Path) -> int:
    """Writes the copy; returns how many files it has."""
    if "+" in reference:
        hint = "copy the game; modules can be added to the copy as to the game"
        raise fail("RIT633", f"`{reference}` is a game with modules", help=hint)
    found = Findings()
    located = locate(reference, Path.cwd(), found, None, in_file=False)
    if located is None:
        raise RitualError(found)
    if not located.is_game:
        raise fail("RIT633", f"`{reference}` is an overlay: it is one file, which can be copied as it is")
    files = list(files_of(located.place))
    if len(files) > MOST_FILES:
        raise fail("RIT102", f"{display(located.place)} holds more than {MOST_FILES} files")
    return write_folder(folder, ((name, path.read_bytes()) for name, path in files))


def files_of(game: AnyPath) -> Iterator[tuple[str, AnyPath]]:
    yield from below(game, "")
    cards = cards_folder(game)
    if cards != game / "cards" and cards.is_dir():
        yield from below(cards, "cards/")


def below(folder: AnyPath, prefix: str) -> Iterator[tuple[str, AnyPath]]:
    """Every plain file below a folder; links and hidden files stay where they are."""
    for path in sorted(folder.rglob("*")):
        name = relative(path, folder)
        hidden = any(part.startswith((".", "__")) for part in name.split("/"))
        if path.is_file() and not hidden and not (isinstance(path, Path) and path.is_symlink()):
            yield prefix + name, path


def relative(path: AnyPath, folder: AnyPath) -> str:
    parts: list[str] = []
    while path != folder:
        parts.append(path.name)
        path = path.parent
    return "/".join(reversed(parts))
