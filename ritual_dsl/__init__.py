"""Rules of tabletop games as data: load, check, test, explain and print them.

In: game references such as `my_game+variant+./house.yaml`, and paths of scenario files.
Out: the same results as the commands. Each function imports what it needs when it is called,
so that `import ritual_dsl` stays quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ritual_dsl.analysis.deduce import Deduction
    from ritual_dsl.analysis.deep import Deep
    from ritual_dsl.analysis.diff import Diff
    from ritual_dsl.analysis.effective import Shown
    from ritual_dsl.analysis.odds import Result
    from ritual_dsl.diagnostics import Diagnostic
    from ritual_dsl.engine.session import Session
    from ritual_dsl.model.game import Game
    from ritual_dsl.scenarios import TestReport
    from ritual_dsl.scenarios.coverage import Coverage
    from ritual_dsl.scenarios.mutation import Mutation, Progress
    from ritual_dsl.sheets.building import Built
    from ritual_dsl.sheets.options import Options
    from ritual_dsl.simulation import Simulation

__version__ = "0.1.0"
__all__ = [
    "__version__",
    "build",
    "cards_from_csv",
    "cards_to_csv",
    "check",
    "check_deep",
    "check_scenarios",
    "copy",
    "deduce",
    "diff",
    "explain",
    "flat_code",
    "fmt",
    "load",
    "mutate",
    "new",
    "odds",
    "play",
    "render",
    "schema",
    "show",
    "simulate",
    "test",
    "why",
]


def load(reference: str, folder: Path | None = None) -> Game:
    """The checked game; raises `RitualError` if it has errors. Relative paths start at `folder`."""
    from ritual_dsl.checks import load_game

    return load_game(reference, folder)


def check(reference: str) -> list[Diagnostic]:
    """Everything there is to say about a game, errors and warnings."""
    from ritual_dsl.checks import check_game

    return check_game(reference)


def check_deep(reference: str, tell: Callable[[str], None] | None = None) -> Deep:
    """Whether a game ends, always has something to choose, and favours no card and no seat: proven or sampled."""
    from ritual_dsl.analysis.deals import silence
    from ritual_dsl.analysis.deep import look_deeper

    return look_deeper(load(reference), tell=tell or silence)


def check_scenarios(path: str | Path) -> list[Diagnostic]:
    """The faults of one scenario file, without running it."""
    from ritual_dsl.scenarios import check_file

    return check_file(Path(path))


def fmt(text: str, name: str = "rules.ritual") -> str:
    """A text in its canonical layout; `name` says whether it is YAML. Raises `RitualError` if it has faults."""
    from ritual_dsl.diagnostics import Findings, RitualError
    from ritual_dsl.loading.layout import format_source
    from ritual_dsl.source import Source

    found = Findings()
    done = format_source(Source(name, text), found)
    if done is None:
        raise RitualError(found)
    return done.text


def test(paths: list[str], coverage: Coverage | None = None) -> TestReport:
    """Run scenarios: files, folders, or the own scenarios of games; note in `coverage` what they exercised."""
    from ritual_dsl.scenarios import run_files

    return run_files(paths, coverage)


def mutate(
    paths: list[str], workers: int | None = None, progress: Progress | None = None
) -> tuple[Mutation, list[Diagnostic]]:
    """Change one thing of the rules at a time and see which changes no scenario notices."""
    from ritual_dsl.scenarios import mutate_files

    return mutate_files(paths, workers, progress)


def why(path: str | Path, name: str | None = None) -> str:
    """Run one scenario and explain each outcome, with citations."""
    from ritual_dsl.scenarios import explain

    return explain(Path(path), name)


def explain(code: str) -> str:
    """What a diagnostic means, with a bad and a good example."""
    from ritual_dsl.diagnostics import fail, near_miss
    from ritual_dsl.diagnostics.codes import CODES
    from ritual_dsl.diagnostics.codes.page import text

    wanted = code.strip().upper()
    known = CODES.get(wanted) or CODES.get(f"RIT{wanted}")
    if known is None:
        hint = near_miss(wanted, CODES) or "`ritual explain` lists all codes"
        raise fail("RIT631", f"there is no code `{code[:40]}`", help=hint)
    return text(known)


def play(reference: str, players: int | None = None, seed: int = 0) -> Session:
    """A game in play: `session.run.choice` waits for `session.answer(option)`, until `session.run.finished`."""
    from ritual_dsl.engine.run import seat_names
    from ritual_dsl.engine.session import Session

    game = load(reference)
    count = game.players[0] if players is None else players
    return Session(game, seat_names(game, count)[:count], seed)


def show(reference: str, name: str | None = None) -> list[Shown]:
    """What counts after all patches, each line with where it comes from: everything, or one thing by its name."""
    from ritual_dsl.analysis.effective import Effective
    from ritual_dsl.diagnostics import fail, near_miss

    effective = Effective(load(reference))
    if name is None:
        return list(effective.everything())
    shown = effective.named(name)
    if shown is None:
        raise fail("RIT631", f"{reference} has nothing called `{name}`", help=near_miss(name, effective.names()))
    return [shown]


def cards_to_csv(reference: str, path: Path, force: bool = False) -> int:
    """Write the cards of a game as a spreadsheet; returns how many."""
    from ritual_dsl.handover.csv_text import write_rows
    from ritual_dsl.handover.from_csv import read_base
    from ritual_dsl.handover.table import table_of
    from ritual_dsl.handover.writing import write_new

    table = table_of(read_base(reference))
    write_new(path, write_rows(table.rows()), force)
    return len(table.cells)


def cards_from_csv(
    path: Path, extends: str, out: Path | None = None, id: str | None = None, force: bool = False
) -> tuple[str, list[Diagnostic]]:
    """An overlay of what a spreadsheet changes in a game, and warnings about it; written to `out` if that is given."""
    from ritual_dsl.handover.from_csv import overlay_from
    from ritual_dsl.handover.writing import write_new

    text, warnings = overlay_from(path, extends, out, id)
    if out is not None:
        write_new(out, text, force)
    return text, warnings


def copy(reference: str, folder: Path) -> int:
    """Copy a whole game into a new folder; returns how many files it has."""
    from ritual_dsl.handover.copies import copy_game

    return copy_game(reference, folder)


def new(folder: Path, extends: str) -> list[str]:
    """Write a folder for a house rule on a game; returns the names of its files."""
    from ritual_dsl.handover.starter import write_starter

    return write_starter(folder, extends)


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one kind of YAML file."""
    from ritual_dsl.diagnostics import fail, near_miss
    from ritual_dsl.handover.schema import KINDS, schema_of

    if kind not in KINDS:
        hint = near_miss(kind, KINDS) or f"known: {', '.join(KINDS)}"
        raise fail("RIT160", f"there is no kind of file `{kind}`", help=hint)
    return schema_of(kind)


def odds(
    reference: str,
    players: int | None = None,
    given: str | Path | None = None,
    viewer: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """Exact odds of every card, as the game declares them; perhaps from what is known, as one player sees it."""
    from ritual_dsl.analysis.deals import silence
    from ritual_dsl.analysis.known import start
    from ritual_dsl.analysis.odds import work_out

    game = load(reference)
    run, seat = start(game, players, Path(given) if given is not None else None, viewer)
    return work_out(run, seat, tell or silence)


def diff(before: str, after: str, players: int | None = None, tell: Callable[[str], None] | None = None) -> Diff:
    """What reads differently in two games, which deals come out differently, and how the odds move."""
    from ritual_dsl.analysis.deals import silence
    from ritual_dsl.analysis.diff import diff as compare

    return compare(load(before), load(after), players, tell or silence)


def deduce(reference: str, given: str | Path, viewer: str | None = None, assume: Iterable[str] = ()) -> Deduction:
    """What a player can know of what they do not see, from a file that says what was seen and done."""
    from ritual_dsl.analysis.deduce import deduce
    from ritual_dsl.analysis.table import read_story

    return deduce(read_story(load(reference), Path(given), viewer), assume)


def render(
    reference: str,
    lang: str | None = None,
    format: str = "html",
    out: Path | None = None,
    sheet: str = "all",
    options: Options | None = None,
) -> list[Path]:
    """Write printable sheets and return their paths."""
    from ritual_dsl.sheets.render import render as render_sheets

    return render_sheets(reference, lang=lang, format=format, out=out or Path("build"), sheet=sheet, options=options)


def build(
    reference: str, out: Path | None = None, force: bool = False, tell: Callable[[str], None] | None = None
) -> Built:
    """Check, test and render a game in one go, below `build/<game id>/` or in `out`."""
    from ritual_dsl.analysis.deals import silence
    from ritual_dsl.sheets.building import build as build_all

    return build_all(reference, out, force, tell or silence)


def simulate(
    references: Sequence[str],
    games: int | None = None,
    players: str | int | None = None,
    seed: int = 0,
    bots: str = "random",
    workers: int | None = None,
) -> Simulation:
    """Play many games of each and count what the rules declare."""
    from ritual_dsl.simulation import simulate as play_many

    return play_many(references, games=games, players=players, seed=seed, bots=bots, workers=workers)


def flat_code(reference: str, players: int | None = None) -> str:
    """The flat code that simulations of a game run."""
    from ritual_dsl.compiler import compile_game

    game = load(reference)
    return compile_game(game, game.usual_players if players is None else players).source
