"""Writing what a user asked for: whole or not at all, and over nothing of theirs.

In: a path and its content. Out: the file; or an error, with the place left as it was.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.loading.files import display


def write_new(path: Path, text: str, force: bool = False) -> None:
    """A file that is not there yet, unless it may be replaced."""
    if path.exists() and (not force or not path.is_file()):
        hint = "choose another name, or --force to replace it" if path.is_file() else "choose another name"
        raise fail("RIT632", f"{display(path)} is there already, and was left as it is", help=hint)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise cannot(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


def write_folder(path: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """A folder of files, by their paths in it; only where there is none, or an empty one. Returns how many."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise fail("RIT632", f"{display(path)} is there already, and was left as it is", help="choose another folder")
    beside = path.absolute().with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    count = 0
    try:
        beside.mkdir(parents=True)
        for name, content in files:
            target = beside / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            count += 1
        beside.replace(path)
    except OSError as error:
        raise cannot(path, error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return count


def cannot(path: Path, error: OSError) -> RitualError:
    return fail("RIT635", f"{display(path)} cannot be written: {error.strerror or 'no access'}")
