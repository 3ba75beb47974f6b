"""`ritual check`: validate games, house rules and scenario files.

In: references and paths. Out: a report, in one of the formats, and an exit code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import ritual_dsl
from ritual_dsl.cli import CLEAN, reporting, status_of
from ritual_dsl.cli.progress import Line
from ritual_dsl.diagnostics import Diagnostic, fail, has_errors, ordered
from ritual_dsl.diagnostics.human import count, printable, report
from ritual_dsl.diagnostics.report import Case, Report
from ritual_dsl.loading.reference import game_folder, shipped_games

if TYPE_CHECKING:
    from ritual_dsl.analysis.deep import Deep

HELP = """
A path may be a game's folder, a file in it (the whole game is checked), a house-rule file,
a scenario file, or a folder of them. Without any, all shipped games are checked.
With --deep, games are played out and enumerated: can they run for ever, is there always something to
choose, is a card or a seat out of line. Each answer says whether it is proven or sampled.
Exit code: 0 clean, 1 errors (with --strict warnings too), 2 could not run.

example: ritual check ./house.yaml --strict --format sarif > findings.sarif
"""
SCENARIO = ".scenario.yaml"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", nargs="*", metavar="PATH or GAME", help="what to check; default: all shipped games")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--deep", action="store_true", help="look into games: do they end, is a card or seat favoured")
    reporting.arguments(parser)


def run(args: argparse.Namespace) -> int:
    targets = [found for word in args.targets for found in resolve(word)] if args.targets else shipped_games()
    cases = [check_one(target, args.strict) for target in dict.fromkeys(targets)]
    looked_into = [look_into(case) for case in cases if case.game and case.passed] if args.deep else []
    cases = [with_findings(case, looked_into, args.strict) for case in cases]
    status = max((status_of(case.findings, args.strict) for case in cases), default=CLEAN)
    extra = {"deep": [deep.as_json() for deep in looked_into]} if args.deep else {}
    root = reporting.root_for(args.format)
    checked = Report("check", tuple(cases), status, args.strict, root, extra=extra)
    if args.format == "human":
        show(checked)
        for deep in looked_into:
            print(f"\n{deep.text()}")
    else:
        reporting.emit(checked, args.format)
    return status


def look_into(case: Case) -> Deep:
    assert case.game is not None
    line = Line()
    try:
        return ritual_dsl.check_deep(case.game, line)
    finally:
        line.clear()


def with_findings(case: Case, looked_into: Sequence[Deep], strict: bool) -> Case:
    """A case with what was found by looking deeper."""
    more = [finding for deep in looked_into if deep.game.reference == case.game for finding in deep.findings]
    found = (*case.findings, *more)
    return replace(case, findings=found, passed=status_of(found, strict) == CLEAN) if more else case


def show(checked: Report) -> None:
    """Every finding once, then a line for each thing checked."""
    if checked.findings:
        print(report(checked.findings), file=sys.stderr)
        sys.stderr.flush()
    for case in checked.cases:
        print(f"{case.name}: {verdict(case.findings)}", flush=True)


def resolve(word: str) -> list[str]:
    """What a word of the command line leads to: references, and paths of scenario files."""
    path = existing(word)
    if word in shipped_games() or path is None or word.endswith(SCENARIO):
        return [word]
    if path.is_dir():
        return [as_path(path)] if game_folder(path) else inside(path)
    home = enclosing_game(path)
    return [as_path(home) if home else as_path(path)]


def existing(word: str) -> Path | None:
    """The file or folder of this name, if there is one."""
    try:
        path = Path(word).expanduser()
        return path if path.exists() else None
    except (OSError, RuntimeError):  # a long reference is no name of a file, and `~nobody` no folder
        return None


def inside(folder: Path) -> list[str]:
    """The games and scenario files of a folder; where there are none, the game around it."""
    games = [path.parent for path in sorted(folder.rglob("game.yaml"))]
    listed = [*games, *sorted(folder.rglob(f"*{SCENARIO}"))]
    return [as_path(path) for path in listed or [enclosing_game(folder / SCENARIO) or folder]]


def enclosing_game(path: Path) -> Path | None:
    """The game a file belongs to: the nearest folder above with a `game.yaml`, or beside it under `rules/`."""
    if path.is_file() and is_overlay(path):
        return None
    for folder in path.resolve().parents:
        if (folder / "game.yaml").is_file():
            return folder
        beside = folder.parent.parent / "rules" / folder.name
        if folder.parent.name == "cards" and (beside / "game.yaml").is_file():
            return beside
    return None


def is_overlay(path: Path) -> bool:
    """A house-rule file says what it extends, wherever it lies."""
    try:
        return path.suffix != ".ritual" and any(line.startswith("extends:") for line in path.open(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return False


def as_path(path: Path) -> str:
    """Written so that it is not taken for the name of a shipped game."""
    text = str(path)
    return text if path.is_absolute() or text.startswith(".") else f"./{text}"


def check_one(target: str, strict: bool) -> Case:
    found = tuple(findings(target))
    passed = status_of(found, strict) == CLEAN
    return Case(shown(target), "check", passed, found, game=None if target.endswith(SCENARIO) else target)


def findings(target: str) -> list[Diagnostic]:
    if not target.endswith(SCENARIO):
        found = ritual_dsl.check(target)
        overlay = Path(target).expanduser()
        scenarios = ritual_dsl.check_scenarios(overlay) if overlay.is_file() and not has_errors(found) else []
        return ordered([*found, *scenarios])
    if not Path(target).expanduser().is_file():
        return list(fail("RIT101", f"{target} cannot be read: no such file").diagnostics)
    return ritual_dsl.check_scenarios(Path(target).expanduser())


def shown(target: str) -> str:
    """A folder by its own name, everything else as it was written."""
    path = existing(target)
    return printable(path.resolve().name if path is not None and "/" in target and path.is_dir() else target)


def verdict(found: Sequence[Diagnostic]) -> str:
    if not found:
        return "clean"
    errors = sum(d.is_error for d in found)
    return f"{count(errors, 'error')}, {count(len(found) - errors, 'warning')}"
