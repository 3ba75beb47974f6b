"""Sheets that follow their files: what is edited is made again, what breaks shows its findings.

In: a game reference and what to render. Out: files, and a page on this machine that reloads by itself.
The last good sheets stay in place as long as something is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.diagnostics.human import report
from ritual_dsl.loading.game_files import cards_folder
from ritual_dsl.loading.look import look_files
from ritual_dsl.model.game import Game
from ritual_dsl.sheets.content import sources
from ritual_dsl.sheets.files import write_all
from ritual_dsl.sheets.options import Options, languages
from ritual_dsl.sheets.render import make
from ritual_dsl.sheets.serve import Board
from ritual_dsl.sheets.workshop import Workshop, read_templates

PAUSE = 0.12  # seconds between two looks at the files
Stamps = dict[Path, tuple[int, int]]


class Watcher:
    """One game, looked at again and again."""

    def __init__(
        self, reference: str, lang: str | None, sheet: str, formats: str, out: Path | None, options: Options
    ) -> None:
        self.reference = reference
        self.lang = lang
        self.sheet = sheet
        self.formats = sorted(formats.split(","), key=lambda word: word != "html")  # the quick one first
        self.out = out
        self.options = options
        self.board = Board()
        self.workshop = Workshop()
        self.files = first_files(reference)
        self.stamps: Stamps = {}

    def look(self) -> bool:
        """Make the sheets again if a file has changed; whether one has."""
        now = stamps(self.files)
        if now == self.stamps:
            return False
        self.stamps = now
        try:
            self.make()
        except RitualError as error:
            self.board.show_problems(report(error.diagnostics))
        return True

    def make(self) -> None:
        game = load(self.reference)
        self.files = watched(game, self.options)
        self.stamps = stamps(self.files)
        if self.options.templates is not None:
            templates = read_templates(self.options.templates)
            if templates != self.workshop.templates:
                self.workshop.close()
                self.workshop = Workshop(templates)
        out = self.out or Path("build") / game.id
        langs = languages(self.lang or game.languages[0], game.languages)
        for format in self.formats:
            made = make(game, self.workshop, langs, self.sheet, format, self.options, out)
            write_all(out, made, self.options.force)
            self.board.show_pages(made)

    def run(self, told: Callable[[str], None]) -> None:
        """Until somebody interrupts."""
        try:
            while True:
                begun = time.monotonic()
                if self.look():
                    took = time.monotonic() - begun
                    told(self.board.problems or f"made again in {took:.2f} s")
                time.sleep(PAUSE)
        except KeyboardInterrupt:
            told("stopped")
        finally:
            self.workshop.close()


def first_files(reference: str) -> set[Path]:
    """The files a reference names, in case the game does not even load."""
    return {Path(part).expanduser() for part in reference.split("+") if Path(part).expanduser().exists()} or {Path()}


def watched(game: Game, options: Options) -> set[Path]:
    """The files of a game and its look, the templates, and the folders in which new files would be."""
    folder = game.files.folder
    files = {Path(source.path) for source in sources(game)}
    if isinstance(folder, Path):  # and not a revision, which never changes
        files |= {folder, folder / "variants", folder / "art", Path(str(cards_folder(folder)))}
        files |= {Path(str(path)) for path in look_files(folder)}
    if options.templates is not None:
        files |= {options.templates, *options.templates.glob("*.j2")}
    return files


def stamps(files: set[Path]) -> Stamps:
    """When each file was last written, and how long it is; a file that is gone has no stamp."""
    found: Stamps = {}
    for path in files:
        try:
            status = path.stat()
        except OSError:
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found
