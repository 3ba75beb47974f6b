"""The parser of `ritual.lark`, built once and kept.

In: the text of the grammar. Out: a parser. Building one takes longer than checking a game, so its
tables are kept in the user's cache folder, under a name that changes with the grammar, the library
and the interpreter. They are read only if nobody else can have written them, and can be deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

import lark
from lark import Lark, Token
from lark.common import LexerConf
from lark.lexer import Lexer

OTHERS_WRITE = 0o022


class Tokens(Lexer):
    """Hands lark the tokens made by `lexer.py`."""

    def __init__(self, conf: LexerConf) -> None:
        pass

    def lex(self, data: list[Token]) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


def parser(text: str) -> Lark:
    path = kept_at(text)
    kept = read(path) if path else None
    if kept is not None:
        return kept
    built = Lark(text, parser="lalr", lexer=Tokens, propagate_positions=True, maybe_placeholders=True)
    if path is not None:
        keep(built, path)
    return built


def kept_at(text: str) -> Path | None:
    """Where the tables of this grammar lie; None for a user without a home."""
    version = hashlib.sha256("\0".join((text, lark.__version__, sys.version)).encode()).hexdigest()[:16]
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None
    return cache / "ritual_dsl" / f"{version}.tables" if cache.is_absolute() else None


def read(path: Path) -> Lark | None:
    """The kept parser; whatever is wrong with the file, it can be built anew."""
    try:
        with path.open("rb") as file:
            return Lark.load(file) if is_private(file.fileno()) and is_private(path.parent) else None
    except Exception:
        return None


def is_private(place: int | Path) -> bool:
    """Whether only this user can have written there."""
    status = os.stat(place)
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE)


def keep(built: Lark, path: Path) -> None:
    """For the next time, if this folder may be written."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                built.save(file)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
