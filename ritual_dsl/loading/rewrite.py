"""Writing a file anew: all of it or nothing.

In: a path, the text that was read from it, and the text to put there. Out: whether it was written;
a finding says why not. A file beside the target takes its place when it is complete, with the same
permissions. Of a link, the file that it points to is written, and the link stays.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.files import display

WRITABLE = 0o222


def rewrite(path: Path, old: str, new: str, found: Findings) -> bool:
    name = display(path)
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        status = target.stat()
        if not status.st_mode & WRITABLE or not os.access(target, os.W_OK):
            found.say("RIT143", f"{name} is read-only and was left as it is")
            return False
        try:
            with beside.open("x", encoding="utf-8", newline="\n") as file:
                file.write(new)
                file.flush()
                os.fsync(file.fileno())
            beside.chmod(status.st_mode & 0o7777)
            keep_owner(beside, status)
            if target.read_bytes() != old.encode("utf-8"):
                found.say("RIT143", f"{name} changed in the meantime and was left as it is", help="try again")
                return False
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        found.say("RIT143", f"{name} cannot be written: {error.strerror or 'no access'}")
        return False
    return True


def keep_owner(path: Path, status: os.stat_result) -> None:
    """Somebody else's file stays theirs, where the system lets us give it back."""
    mine = path.stat()
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid) and hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(path, status.st_uid, status.st_gid)


def put(path: Path, text: str, found: Findings) -> bool:
    """Write a file that is ours to write, new or in place of another: all of it or nothing."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            beside.write_text(text, encoding="utf-8", newline="\n")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        found.say("RIT143", f"{display(path)} cannot be written: {error.strerror or 'no access'}")
        return False
    return True
