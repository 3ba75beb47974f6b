"""All of a game in one go: checked, its scenarios run, its odds worked out, its sheets made.

In: a game reference. Out: what was found, and the files below one folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ritual_dsl.analysis.known import start
from ritual_dsl.analysis.odds import work_out
from ritual_dsl.analysis.odds_words import as_json
from ritual_dsl.checks import check_game, load_game
from ritual_dsl.diagnostics import Diagnostic, RitualError, has_errors
from ritual_dsl.diagnostics.human import count
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios import TestReport, own_files, run_paths
from ritual_dsl.sheets.files import write_all
from ritual_dsl.sheets.index import index_page
from ritual_dsl.sheets.options import Options, languages
from ritual_dsl.sheets.render import make, printable
from ritual_dsl.sheets.workshop import Workshop, can_typeset

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Built:
    """What came of it; nothing is written where a scenario fails."""

    warnings: list[Diagnostic]
    tested: TestReport
    written: list[Path] = field(default_factory=list)


def build(reference: str, out: Path | None, force: bool, tell: Tell) -> Built:
    """Stops at the first stage that fails; `tell` hears of each as it is done."""
    found = check_game(reference)
    if has_errors(found):
        raise RitualError(found)
    checked = f"check: {count(len(found), 'warning') if found else 'clean'}"
    tell(checked)
    tested = run_paths(own_files(reference))
    if tested.failed:
        tell(f"test: {tested.failed} failed, {tested.passed} passed")
        return Built(found, tested)
    passed = f"test: {count(tested.passed, 'scenario')} passed" if tested.results else "test: there are no scenarios"
    tell(passed)
    game = load_game(reference)
    place = out or Path("build") / game.id
    if not can_typeset():
        tell("render: only HTML; `pip install 'ritual-dsl[pdf]'` adds the rest")
    written = write_all(place, sheets_of(game, [checked, passed], place), force)
    tell(f"render: {count(len(written), 'file')} in {place}\n  {place / 'index.html'}")
    return Built(found, tested, written)


def sheets_of(game: Game, notes: list[str], out: Path) -> dict[str, bytes]:
    """Every sheet in every language and format that can be made here, the odds, and the page that shows them."""
    with Workshop() as workshop:
        langs = languages(None, game.languages)
        made = make(game, workshop, langs, printable(game), "all" if can_typeset() else "html", Options(), out)
        odds = work_out(*start(game, game.usual_players, None, None)) if game.odds else None
        if odds is not None:
            made["odds.json"] = (json.dumps(as_json(odds), indent=1, ensure_ascii=False) + "\n").encode("utf-8")
        made["index.html"] = index_page(game, workshop, made, notes, odds)
    return made
