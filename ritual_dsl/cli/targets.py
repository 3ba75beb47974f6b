"""What the words of a command line lead to: games, house rules and scenario files.

In: words, and the files they name. Out: references to check, and paths of scenario files.
"""

from __future__ import annotations

from pathlib import Path

from ritual_dsl.diagnostics.human import printable
from ritual_dsl.loading.files import is_file
from ritual_dsl.loading.locate import is_overlay, overlays_in
from ritual_dsl.loading.reference import game_folder, shipped_games

SCENARIO = ".scenario.yaml"


def resolve(word: str) -> list[str]:
    """What a word of the command line leads to: references, and paths of scenario files."""
    path = existing(word)
    if word in shipped_games() or path is None or word.endswith(SCENARIO):
        return [word]
    if path.is_dir():
        return [as_path(path)] if game_folder(path) else inside(path)
    return [of_file(path)]


def of_file(path: Path) -> str:
    """The game a file belongs to, or the file itself."""
    return as_path(enclosing_game(path) or path)


def existing(word: str) -> Path | None:
    """The file or folder of this name, if there is one."""
    try:
        path = Path(word).expanduser()
        return path if word and path.exists() else None
    except (OSError, RuntimeError):  # a long reference is no name of a file, and `~nobody` no folder
        return None


def inside(folder: Path) -> list[str]:
    """The games, house rules and scenario files of a folder; where there are none, the game around it."""
    games = [path.parent for path in sorted(folder.rglob("game.yaml"))]
    overlays = [path for path in overlays_in(folder) if isinstance(path, Path)]
    listed = [*games, *overlays, *sorted(folder.rglob(f"*{SCENARIO}"))]
    return [as_path(path) for path in listed or [enclosing_game(folder / SCENARIO) or folder]]


def enclosing_game(path: Path) -> Path | None:
    """The game a file belongs to: the nearest folder above with a `game.yaml`, or beside it under `rules/`."""
    if is_file(path) and is_overlay(path):
        return None
    for folder in path.resolve().parents:
        if (folder / "game.yaml").is_file():
            return folder
        beside = folder.parent.parent / "rules" / folder.name
        if folder.parent.name == "cards" and (beside / "game.yaml").is_file():
            return beside
    return None


def as_path(path: Path) -> str:
    """Written so that it is not taken for the name of a shipped game."""
    text = str(path)
    return text if path.is_absolute() or text.startswith(".") else f"./{text}"


def shown(target: str) -> str:
    """A folder by its own name, everything else as it was written."""
    path = existing(target)
    return printable(path.resolve().name if path is not None and "/" in target and path.is_dir() else target)
