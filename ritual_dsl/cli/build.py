"""`ritual build`: check, test and render a game in one go.

In: a game reference. Out: all sheets below `build/<game id>/` with a page that shows them, one line for each stage.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN, FAULTS
from ritual_dsl.diagnostics import RitualError, has_errors
from ritual_dsl.diagnostics.human import count, report
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios import own_files, run_paths

HELP = """
Stops at the first stage that fails: check, test the scenarios of the game or house rule, odds, all sheets.
PDF, PNG and the Tabletop Simulator deck need the extra `ritual-dsl[pdf]`; without it, HTML is written.

example: ritual build ./my_game --out printed
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game reference")
    parser.add_argument("--out", metavar="DIR", type=Path, help="where to write; default: build/<game id>")
    parser.add_argument("--force", action="store_true", help="replace files that were not made here")


def run(args: argparse.Namespace) -> int:
    found = ritual_dsl.check(args.game)
    if has_errors(found):
        raise RitualError(found)
    if found:
        print(report(found), file=sys.stderr)
    checked = f"check: {count(len(found), 'warning') if found else 'clean'}"
    print(checked, flush=True)

    tested = run_paths(own_files(args.game))
    if tested.failed:
        print(tested.text(), file=sys.stderr)
        print(f"test: {tested.failed} failed, {tested.passed} passed", flush=True)
        return FAULTS
    passed = f"test: {count(tested.passed, 'scenario')} passed" if tested.results else "test: there are no scenarios"
    print(passed, flush=True)

    game = ritual_dsl.load(args.game)
    out = args.out or Path("build") / game.id
    written = render(game, args.game, out, [checked, passed], args.force)
    print(f"render: {count(len(written), 'file')} in {out}")
    print(f"  {out / 'index.html'}")
    return CLEAN


def render(game: Game, reference: str, out: Path, notes: list[str], force: bool) -> list[Path]:
    """Every sheet in every language and format that can be made here, the odds, and the page that shows them."""
    from ritual_dsl.analysis.odds_words import as_json
    from ritual_dsl.sheets.files import write_all
    from ritual_dsl.sheets.index import index_page
    from ritual_dsl.sheets.options import Options, languages
    from ritual_dsl.sheets.render import make, printable
    from ritual_dsl.sheets.workshop import Workshop, can_typeset

    formats = "all" if can_typeset() else "html"
    if formats == "html":
        print("render: only HTML; `pip install 'ritual-dsl[pdf]'` adds the rest", file=sys.stderr)
    with Workshop() as workshop:
        langs = languages(None, game.languages)
        made = make(game, workshop, langs, printable(game), formats, Options(), out)
        odds = ritual_dsl.odds(reference) if game.odds else None
        if odds is not None:
            made["odds.json"] = (json.dumps(as_json(odds), indent=1, ensure_ascii=False) + "\n").encode("utf-8")
        made["index.html"] = index_page(game, workshop, made, notes, odds)
    return write_all(out, made, force)
