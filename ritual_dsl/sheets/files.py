"""Files that are written and replaced, but only those that were made here and not touched since.

In: paths and bytes. Out: the files, each complete or not there, and beside them a list of what was made: lines as
`sha256sum` writes them, by which a later run knows its own files.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from ritual_dsl.diagnostics import fail
from ritual_dsl.loading.files import display

LIST = ".ritual-made"
ENTRY = re.compile(r"([0-9a-f]{64})  ([^\0\n]+)")
LARGEST_LIST = 1_000_000


def write_all(folder: Path, files: Mapping[str, bytes], force: bool = False) -> list[Path]:
    """All the files below a folder; nothing is written while one of them would replace somebody's own."""
    made = read_list(folder)
    if not force:
        for name in files:
            refuse_foreign(folder / name, made.get(name, set()))
    fresh = {name: {digest(content)} for name, content in files.items()}
    both = {name: made.get(name, set()) | fresh.get(name, set()) for name in {**made, **fresh}}
    write_list(folder, both)  # first: should the writing stop half way, old and new files are known
    for name, content in files.items():
        write(folder / name, content)
    write_list(folder, {**made, **fresh})
    return [folder / name for name in files]


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_list(folder: Path) -> dict[str, set[str]]:
    try:
        with (folder / LIST).open("rb") as file:
            text = file.read(LARGEST_LIST).decode("utf-8", "replace")
    except OSError:
        return {}
    made: dict[str, set[str]] = {}
    for line in text.splitlines():
        if match := ENTRY.fullmatch(line):
            made.setdefault(match[2], set()).add(match[1])
    return made


def write_list(folder: Path, made: Mapping[str, set[str]]) -> None:
    lines = sorted(f"{hash}  {name}\n" for name, hashes in made.items() for hash in hashes)
    write(folder / LIST, "".join(lines).encode("utf-8"))


def refuse_foreign(path: Path, known: set[str]) -> None:
    """A file that is not as it was written belongs to somebody else now."""
    try:
        if not os.path.lexists(path):
            return
        ours = digest(path.read_bytes()) in known
    except OSError as error:
        raise unwritable(path, error) from error
    if not ours:
        message = f"{display(path)} was not made by this tool, or was changed since, and is not overwritten"
        raise fail("RIT801", message, help="move it away, choose another folder with --out, or add --force")


def write(path: Path, content: bytes) -> None:
    """All of it or nothing: a file beside the target takes its place when complete."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error) from error
    try:
        try:
            with beside.open("xb") as file:
                file.write(content)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> Exception:
    return fail("RIT801", f"{display(path)} cannot be written: {error.strerror or 'no access'}")
