"""Where the first word of a reference leads: a shipped game, a folder, an overlay file, each perhaps as of a revision.

In: a word such as `my_game`, `./folder`, `./house.yaml` or `my_game@main`, and where it was written.
Out: the game's folder or the overlay's file, or a finding.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.files import AnyPath, checkout_of, is_file, read_source, shipped_folder
from ritual_dsl.loading.revision import CommitFile, as_of
from ritual_dsl.source import Span

OVERLAYS = (".yaml", ".yml")


@dataclass(frozen=True)
class Located:
    """A game's folder, or an overlay's file."""

    place: AnyPath
    is_game: bool


def shipped_games() -> list[str]:
    return sorted(p.parent.name for p in shipped_folder().glob("*/game.yaml"))


def is_shipped(name: str) -> bool:
    return not is_path(name) and name in shipped_games()


def is_path(name: str) -> bool:
    return "/" in name or name.startswith(".") or name.partition("@")[0].endswith(OVERLAYS)


def game_folder(path: AnyPath) -> AnyPath | None:
    """The folder itself, or the only game below its `rules/`."""
    if (path / "game.yaml").is_file():
        return path
    below = sorted(path.glob("rules/*/game.yaml"))
    return below[0].parent if len(below) == 1 else None


def overlays_in(folder: AnyPath) -> list[AnyPath]:
    """The house-rule files of a folder: they say what they extend."""
    found = sorted(path for ending in OVERLAYS for path in folder.glob(f"*{ending}"))
    return [path for path in found if path.is_file() and is_overlay(path)]


def is_overlay(path: AnyPath) -> bool:
    """A house-rule file says what it extends, wherever it lies."""
    source = read_source(path, Findings()) if not path.name.endswith(".ritual") else None
    return source is not None and has_key(source.text, "extends")


def has_key(text: str, key: str) -> bool:
    """Whether a text of YAML has this key, seen without reading the rest of it."""
    return any(line.startswith(f"{key}:") for line in text.splitlines())


def locate(word: str, here: AnyPath, found: Findings, span: Span | None, in_file: bool) -> Located | None:
    """What a word names, read from `here`. Files are untrusted, so a word in a file may not name everything."""
    name, revision = split_revision(word, here)
    place = named_place(name, here)
    if in_file and not is_shipped(name) and not is_near(name, place, here, found, span):
        return None
    if revision is not None:
        on_disk = place.on_disk() if isinstance(place, CommitFile) else place
        assert isinstance(on_disk, Path)
        commit_file = as_of(on_disk, revision, found, span)
        if commit_file is None:
            return None
        place = commit_file
    if is_file(place):
        return Located(place, False)
    folder = game_folder(place)
    if folder is not None:
        return Located(folder, True)
    explain_absence(word, name, place, found, span)
    return None


def is_near(name: str, place: AnyPath, here: AnyPath, found: Findings, span: Span | None) -> bool:
    """Whether a place is a file of a game, in the checkout of the file that names it."""
    if not isinstance(place, Path) or not isinstance(here, Path):
        return True  # a commit holds no links, and nothing but itself
    home = checkout_of(here)
    if place.is_file() and place.suffix not in OVERLAYS:
        message = f"`{name[:80]}` is no game: a file that another file names ends in {listing(OVERLAYS)}"
    elif home is not None and not place.resolve().is_relative_to(home.resolve()):
        message = f"`{name[:80]}` leads out of the checkout `{home.name}`"
    else:
        return True
    found.say("RIT142", message, span, help="what lies elsewhere is named on the command line: GAME+./overlay.yaml")
    return False


def explain_absence(word: str, name: str, place: AnyPath, found: Findings, span: Span | None) -> None:
    if isinstance(place, CommitFile):
        found.say("RIT131", f"{name} is not in revision `{place.commit.revision}`", span)
    elif place.is_dir():
        found.say("RIT133", f"the folder {name} holds no game", span, help="a game's folder has a `game.yaml`")
    elif is_path(name):
        found.say("RIT101", f"{name} cannot be read: {'not a file' if place.exists() else 'no such file'}", span)
    else:
        hint = near_miss(name, shipped_games()) or f"shipped games: {listing(shipped_games())}"
        found.say("RIT134", f"there is no game `{name}`", span, help=hint)


def split_revision(word: str, here: AnyPath) -> tuple[str, str | None]:
    """`NAME@REVISION`; an `@` inside the path of a file that exists belongs to the path."""
    if "@" not in word or exists(named_place(word, here)):
        return word, None
    cuts = [i for i, sign in enumerate(word) if sign == "@"]
    cut = next((i for i in cuts if exists(named_place(word[:i], here))), cuts[0])
    return word[:cut], word[cut + 1 :]


def exists(place: AnyPath) -> bool:
    return is_file(place) or place.is_dir()


def named_place(name: str, here: AnyPath) -> AnyPath:
    """A shipped game by its name, everything else as a path; beside a file of a commit, as of that commit."""
    if not is_shipped(name):
        return Path(os.path.normpath((here / name).expanduser())) if isinstance(here, Path) else here / name
    folder = shipped_folder() / name
    if isinstance(here, CommitFile) and folder.resolve().is_relative_to(here.commit.root):
        return CommitFile(here.commit, folder.resolve().relative_to(here.commit.root).as_posix())
    return folder
