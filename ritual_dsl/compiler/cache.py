"""Where machine code is kept between runs.

In: source text. Out: the path of a file with exactly this text, beside which numba keeps what it makes of it; or
no path, and why.

What numba keeps can run code when it is read. So the folder must belong to this user and be open to nobody
else; if it is not, nothing is read from it or written to it. The text itself is never read to be run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path

from ritual_dsl.diagnostics import Diagnostic

MOST_FILES = 400  # of machine code, about 100 kB each; then the oldest go


def cache_folder() -> Path:
    """`RITUAL_CACHE`, or the usual place for what can be made again."""
    named = os.environ.get("RITUAL_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "ritual_dsl"


def fingerprint(source: str) -> str:
    """Of everything that is baked into flat code: the model, the number of players, the form."""
    return hashlib.sha256(source.encode()).hexdigest()[:32]


def source_file(source: str) -> tuple[str | None, Diagnostic | None]:
    folder = cache_folder()
    try:
        make_private(folder)
        forget_oldest(folder)
        path = folder / f"flat_{fingerprint(source)}.py"
        if not (path.is_file() and not path.is_symlink() and path.read_text(encoding="utf-8") == source):
            write(path, source)
            probe_room(folder)
        return str(path), None
    except (OSError, ValueError) as error:
        return None, not_kept(error)


def not_kept(error: Exception, damaged: bool = False) -> Diagnostic:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    message = f"machine code is not kept in {cache_folder()}: {reason}"
    hint = "what was kept is made anew next time" if damaged else "set RITUAL_CACHE to a folder of your own"
    return Diagnostic("RIT704", message, help=f"{hint}; the games go on")


def forget(path: str) -> bool:
    """Removes what is kept for a source, and says whether there was anything."""
    source = Path(path)
    kept = [*source.parent.glob(f"__pycache__/{source.stem}.*"), source]
    found = len(kept) > 1
    for file in kept:
        with contextlib.suppress(OSError):
            file.unlink()
    return found


def make_private(folder: Path) -> None:
    """The folder and the one numba makes in it: ours alone, and no link to elsewhere."""
    for place in (folder, folder / "__pycache__"):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = place.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise ValueError(f"{place.name} is no folder")
        if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
            raise ValueError(f"{place.name} belongs to somebody else, or others may write to it")


def write(path: Path, text: str) -> None:
    """All of the file or nothing of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".flat_")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def probe_room(folder: Path) -> None:
    """Machine code takes a few hundred kB; a full disk is found here and not in the middle of numba."""
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".room_")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(b"\0" * 4_000_000)
    finally:
        os.unlink(temporary)


def forget_oldest(folder: Path) -> None:
    kept = sorted((folder / "__pycache__").glob("flat_*"), key=lambda path: path.stat().st_mtime)
    for path in kept[: max(0, len(kept) - MOST_FILES)]:
        path.unlink(missing_ok=True)
    names = {path.name.partition(".")[0] for path in kept}
    for source in folder.glob("flat_*.py"):
        if source.stem not in names and len(kept) > MOST_FILES:
            source.unlink(missing_ok=True)
