"""A game reference as another folder writes it, so that a file can be read where it lies.

In: a reference, the folder its paths start at, and another folder. Out: the reference for that folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from ritual_dsl.loading.locate import is_path, shipped_games


def read_from(reference: str, here: Path, folder: Path) -> str:
    """Paths are rewritten; names of shipped games and of modules, and absolute paths, stay."""
    base, *modules = [part.strip() for part in reference.split("+")]
    named = base if not is_path(base) and base.partition("@")[0] in shipped_games() else moved(base, here, folder)
    return "+".join([named, *(moved(name, here, folder) if is_path(name) else name for name in modules)])


def moved(name: str, here: Path, folder: Path) -> str:
    path = Path(name).expanduser()
    if path.is_absolute():
        return str(path)
    relative = os.path.relpath(here.absolute() / path, folder.absolute())
    return relative if relative.startswith(".") else f"./{relative}"
