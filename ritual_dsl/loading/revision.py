"""Files as of a revision of a git checkout, read without touching the checkout.

In: a path and a revision. Out: a `CommitFile`, which reads like a path; or a finding.
Git is asked by its plumbing only (`rev-parse`, `ls-tree`, `cat-file`), without a shell, and may fetch nothing.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.files import display
from ritual_dsl.source import Span

REVISION = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_./~^{}@-]{0,199}")  # so it can be no option, path or range
SECONDS = 30
MOST_BYTES = 50_000_000  # a larger file is none of a game's, and is not read into memory
ALONE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
REGULAR = ("100644", "100755")


class GitFailed(Exception):
    """Git is missing, takes too long, or refuses; in words."""


@dataclass(frozen=True)
class Commit:
    """All files of a checkout as of one revision."""

    root: Path
    revision: str  # as the user wrote it
    id: str
    blobs: dict[str, str] = field(repr=False, compare=False)  # path -> name of its contents
    folders: frozenset[str] = field(repr=False, compare=False)


@dataclass(frozen=True)
class CommitFile:
    """A file or folder of a commit; `path` is relative to the root of the checkout."""

    commit: Commit
    path: str

    @property
    def name(self) -> str:
        return posixpath.basename(self.path)

    @property
    def parent(self) -> CommitFile:
        return CommitFile(self.commit, posixpath.dirname(self.path))

    def __truediv__(self, key: str, /) -> CommitFile:
        joined = posixpath.normpath(posixpath.join(self.path, key))
        return CommitFile(self.commit, "" if joined == "." else joined)

    def __lt__(self, other: CommitFile, /) -> bool:
        return self.path < other.path

    def is_file(self) -> bool:
        return self.path in self.commit.blobs

    def is_dir(self) -> bool:
        return self.path in self.commit.folders

    def glob(self, pattern: str, /) -> Iterator[CommitFile]:
        wanted = pattern.split("/")
        for below in self.below():
            parts = below.split("/")
            if len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted)):
                yield self / below

    def rglob(self, pattern: str, /) -> Iterator[CommitFile]:
        return (self / below for below in self.below() if fnmatchcase(posixpath.basename(below), pattern))

    def below(self) -> Iterator[str]:
        start = f"{self.path}/" if self.path else ""
        return (path.removeprefix(start) for path in self.commit.blobs if path.startswith(start))

    def exists(self) -> bool:
        return self.is_file() or self.is_dir()

    def open(self, mode: Literal["rb"], /) -> BinaryIO:
        blob = self.commit.blobs.get(self.path)
        if blob is None:
            raise FileNotFoundError(2, f"no such file in {self.commit.revision}")
        try:
            return BytesIO(git(self.commit.root, "cat-file", "blob", blob))
        except GitFailed as error:
            raise OSError(5, str(error)) from error

    def read_bytes(self) -> bytes:
        return self.open("rb").read()

    def on_disk(self) -> Path:
        return self.commit.root / self.path

    def __str__(self) -> str:
        return f"{self.path}@{self.commit.revision}"


def as_of(path: Path, revision: str, found: Findings, span: Span | None = None) -> CommitFile | None:
    """A path in the checkout around it, as of a revision."""
    if not REVISION.fullmatch(revision) or ".." in revision:
        hint = "a revision is a branch, a tag, a commit, or one of them with ~1 behind it"
        found.say("RIT131", f"`{revision[:60]}` is not a revision", span, help=hint)
        return None
    real = path.resolve()
    try:
        root = checkout_around(real)
        commit = read_commit(root, revision)
    except GitFailed as error:
        found.say("RIT131", str(error), span)
        return None
    return CommitFile(commit, "") / real.relative_to(root).as_posix()


def checkout_around(path: Path) -> Path:
    folder = next(p for p in (path, *path.parents) if p.is_dir())
    try:
        return Path(os.fsdecode(git(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n"))).resolve()
    except GitFailed as error:
        if "not a git repository" in str(error):
            raise GitFailed(f"{display(path)} is not in a git checkout, so it has no revisions") from error
        raise


def read_commit(root: Path, revision: str) -> Commit:
    try:
        found = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    except GitFailed as error:
        if str(error):
            raise
        raise GitFailed(f"there is no revision `{revision}` in the checkout {root.name}") from error
    name = found.decode("ascii").strip()
    blobs: dict[str, str] = {}
    for row in git(root, "ls-tree", "-r", "-z", "-l", "--full-tree", name).split(b"\0"):
        about, tab, path = row.partition(b"\t")
        mode, _, blob, size = about.decode("ascii").split() if tab else ("", "", "", "-")
        if mode in REGULAR and int(size) <= MOST_BYTES:
            blobs[os.fsdecode(path)] = blob
    folders = {str(parent) for path in blobs for parent in Path(path).parents}
    return Commit(root, revision, name, blobs, frozenset("" if f == "." else f for f in folders))


def git(folder: Path, *words: str) -> bytes:
    """The output of one git command; what it says on failure becomes the message."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            capture_output=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **ALONE, "LC_ALL": "C"},
            check=False,
        )
    except FileNotFoundError as error:
        raise GitFailed("a revision needs the program git, which was not found") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitFailed(f"git did not answer: {type(error).__name__}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(said[-1] if said else "")
    return done.stdout
