"""Files to sources: the only place that reads what a user names.

In: a `AnyPath`: a path on disk, or a file of a commit. Out: a `Source`, or a finding that says why there is none.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, Protocol

import ritual_dsl
from ritual_dsl.diagnostics import Findings, Fix
from ritual_dsl.diagnostics.allow import allows_in
from ritual_dsl.source import Source, Span, all_of, whole_file

LARGEST_FILE = 2_000_000
# Control characters but tab and line feed, line separators, what turns the direction of a line, halves of characters.
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")

NOT_FOLLOWED = "a stranger's link could show what is not theirs: copy the file here, or name it on the command line"
STANDING_IN: ContextVar[Mapping[Path, bytes]] = ContextVar("STANDING_IN", default=MappingProxyType({}))


class AnyPath(Protocol):
    """A file or folder, wherever it lies: what `Path` offers and a commit can offer as well."""

    @property
    def name(self) -> str: ...

    @property
    def parent(self) -> AnyPath: ...

    def __truediv__(self, key: str, /) -> AnyPath: ...

    def __lt__(self, other: Any, /) -> bool: ...

    def exists(self) -> bool: ...

    def is_file(self) -> bool: ...

    def is_dir(self) -> bool: ...

    def glob(self, pattern: str, /) -> Iterable[AnyPath]: ...

    def rglob(self, pattern: str, /) -> Iterable[AnyPath]: ...

    def open(self, mode: Literal["rb"], /) -> BinaryIO: ...

    def read_bytes(self) -> bytes: ...


@contextmanager
def standing_in(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """While it lasts, these texts are read in place of the files of these absolute paths."""
    token = STANDING_IN.set(texts)
    try:
        yield
    finally:
        STANDING_IN.reset(token)


def stand_in(path: AnyPath) -> bytes | None:
    texts = STANDING_IN.get()
    return texts.get(path.resolve()) if texts and isinstance(path, Path) else None


def is_file(path: AnyPath) -> bool:
    try:
        return path.is_file() or stand_in(path) is not None
    except OSError:  # a long reference is no name of a file
        return False


def read_source(path: AnyPath, found: Findings, shown: str | None = None) -> Source | None:
    """The text of a file; `shown` is the name by which messages call it."""
    name = shown or display(path)
    instead = stand_in(path)
    if instead is not None:
        return read_stream(io.BytesIO(instead), name, found)
    try:
        if not path.is_file():
            found.say("RIT101", f"{name} cannot be read: {'not a file' if path.exists() else 'no such file'}")
            return None
        if isinstance(path, Path) and leads_out(path):
            place = whole_file(Source(name, ""))
            found.say("RIT142", f"{name} is a link that leads out of `{home_of(path).name}`", place, help=NOT_FOLLOWED)
            return None
        with path.open("rb") as file:
            return read_stream(file, name, found)
    except OSError as error:
        found.say("RIT101", f"{name} cannot be read: {error.strerror or 'no such file'}")
        return None


def read_stream(stream: BinaryIO, name: str, found: Findings) -> Source | None:
    """A text from an open file, or from standard input; never more of it than is allowed."""
    raw = stream.read(LARGEST_FILE + 1)
    if len(raw) > LARGEST_FILE:
        message = f"{name} is too large: at most {LARGEST_FILE // 1_000_000} MB are read"
        found.say("RIT102", message, whole_file(Source(name, "")))
        return None
    return decode(raw, name, found)


def decode(raw: bytes, name: str, found: Findings) -> Source | None:
    """Plain UTF-8 with line feeds, and nothing else."""
    if b"\0" in raw:
        place = whole_file(Source(name, ""))
        found.say("RIT103", f"{name} is not a text file", place, help="a UTF-16 file must be saved as UTF-8")
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        place = Span(Source(name, ""), line, 1, line, 1)
        found.say("RIT103", f"{name} is not UTF-8: byte {raw[error.start]:#04x} in line {line}", place)
        return None
    source = Source(name, text)
    if text.startswith("\ufeff"):
        place = whole_file(Source(name, ""))
        hint, bare = "save it as UTF-8 without BOM", Fix(Span(source, 1, 1, 1, 2), "")
        found.say("RIT104", f"{name} begins with a byte order mark", place, help=hint, fix=bare)
        return None
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        end = len(source.line(line)) + 1
        span = Span(source, line, end, line, end + 1)
        fix = Fix(all_of(source), text.replace("\r\n", "\n")) if "\r" not in text.replace("\r\n", "") else None
        found.say("RIT105", f"{name} has carriage returns", span, help="save it with line feeds (LF) only", fix=fix)
        return None
    if unseen := UNSEEN.search(text):
        line = text.count("\n", 0, unseen.start()) + 1
        column = unseen.start() - text.rfind("\n", 0, unseen.start())
        message = f"a character that must not be in a file: U+{ord(unseen.group()):04X}"
        found.say("RIT140", message, Span(source, line, column, line, column + 1), help="take it out")
        return None
    if not text.strip():
        found.say("RIT106", f"{name} is empty", whole_file(source))
        return None
    found.allows += allows_in(source)
    return source


def shipped_folder() -> Path:
    """Where the rules of the shipped games lie: inside an installed package, or in its checkout."""
    package = Path(ritual_dsl.__file__).parent
    inside = package / "games" / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


def checkout_of(path: Path) -> Path | None:
    """The git checkout around a file or folder."""
    place = Path(os.path.abspath(path))
    return next((folder for folder in (place, *place.parents) if (folder / ".git").exists()), None)


def home_of(path: Path) -> Path:
    """Where a file may lead to by links: its checkout or, without one, its own folder."""
    return (checkout_of(path.parent) or path.parent).resolve()


def leads_out(path: Path) -> bool:
    linked = path.is_symlink() or checkout_of(path.parent) is not None
    return linked and not path.resolve().is_relative_to(home_of(path))


def display(path: AnyPath) -> str:
    """Relative to where the user stands, when it lies below; a shipped file relative to where games lie.

    Whatever stands in the name of a file, it is safe to print.
    """
    return UNSEEN.sub("\ufffd", relative(path))


def relative(path: AnyPath) -> str:
    if not isinstance(path, Path):
        return str(path)
    for folder in (Path.cwd(), shipped_folder().parent):
        try:
            return str(path.resolve().relative_to(folder.resolve()))
        except ValueError:
            continue
        except (OSError, RuntimeError):
            return str(path)
    return str(path.resolve())
