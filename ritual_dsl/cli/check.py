"""`ritual check`: validate games, house rules and scenario files.

In: references and paths, or a text on standard input; the user's settings and baseline. Out: a report, in one
of the formats, and an exit code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ritual_dsl.cli import CLEAN, could_not_run, reporting, status_of
from ritual_dsl.cli.progress import Line
from ritual_dsl.cli.stdin import STDIN, Text, read_stdin
from ritual_dsl.cli.targets import SCENARIO, existing, resolve, shown
from ritual_dsl.diagnostics import Diagnostic, Findings, RitualError, baseline, has_errors, ordered
from ritual_dsl.diagnostics.human import count, printable, report
from ritual_dsl.diagnostics.judge import Judged, Level, Silenced, settle, weigh
from ritual_dsl.diagnostics.report import Case, Report
from ritual_dsl.diagnostics.reporters.json import finding
from ritual_dsl.loading.files import display, is_file, read_source, standing_in
from ritual_dsl.loading.mending import mend
from ritual_dsl.loading.reference import shipped_games
from ritual_dsl.loading.rewrite import put
from ritual_dsl.loading.settings import find_settings

if TYPE_CHECKING:
    from ritual_dsl.analysis.deep import Deep

HELP = """
A path may be a game's folder, a file in it (the whole game is checked), a house-rule file,
a scenario file, a folder of them, or - for a text on standard input. Without any, all shipped
games are checked. Settings stand in `ritual.toml`, or in `[tool.ritual]` of `pyproject.toml`.
With --deep, games are played out and enumerated: can they run for ever, is there always something to
choose, is a card or a seat out of line. Each answer says whether it is proven or sampled.
With --fix, what can be put right with certainty is: files are changed, and comments stay.
Exit code: 0 clean, 1 errors (with --strict warnings too), 2 could not run.

example: ritual check ./house.yaml --strict --format sarif > findings.sarif
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("targets", nargs="*", metavar="PATH or GAME", help="what to check; default: all shipped games")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--deep", action="store_true", help="look into games: do they end, is a card or seat favoured")
    parser.add_argument("--fix", action="store_true", help="put right what is certain, in the files")
    parser.add_argument("--baseline", metavar="FILE", type=Path, help="findings listed there do not count")
    parser.add_argument("--write-baseline", action="store_true", help="list all findings of now in that file")
    parser.add_argument("--stdin-filename", metavar="FILE", help="with -: the file that the text stands for")
    reporting.arguments(parser)


def run(args: argparse.Namespace) -> int:
    own = Findings()
    settings = find_settings(Path.cwd(), own)
    fixed = fix_files(args, own) if args.fix else []
    text = read_stdin(args.stdin_filename, own) if STDIN in args.targets else None
    with standing_in(text.files if text else {}):
        judged = {target: weigh(examine(target), settings.levels) for target in targets_of(args.targets, text)}
        deep = look_deeper(judged) if args.deep else {}
    judged = {target: with_deeper(found, deep.get(target), settings.levels) for target, found in judged.items()}
    file = args.baseline or settings.baseline
    if args.write_baseline:
        return write_baseline(judged, file)
    if file is not None:
        judged = without_old(judged, file, own)
    if own:
        judged = {"settings": Judged(tuple(ordered(own))), **judged}
    strict = args.strict or settings.strict
    cases = tuple(case_of(target, found, strict) for target, found in judged.items())
    status = max((status_of(case.findings, strict) for case in cases), default=CLEAN)
    extra: dict[str, Any] = {"deep": [found.as_json() for found in deep.values()]} if args.deep else {}
    checked = Report("check", cases, status, strict, reporting.root_for(args.format), extra=extra)
    if args.fix:
        extra["fixed"] = [finding(d, checked) for d in fixed]
    if args.format == "human":
        show(checked)
        if args.fix:
            print(f"{count(len(fixed), 'finding')} fixed, {len(checked.findings)} left")
        for found in deep.values():
            print(f"\n{found.text()}")
    else:
        reporting.emit(checked, args.format)
    return status


def fix_files(args: argparse.Namespace, own: Findings) -> list[Diagnostic]:
    """Look and mend until nothing is left to mend: behind one fault there may be another."""
    if STDIN in args.targets:
        own.say("RIT162", "a text on standard input cannot be changed", help="name its file, without `-`")
        return []
    fixed: list[Diagnostic] = []
    while True:
        judged = [examine(target) for target in targets_of(args.targets, None)]
        done = mend(ordered(d for found in judged for d in found.counted), own)
        for d in done:
            print(printable(f"fixed {d.span}: {d.code} {d.message}"), file=sys.stderr)
        fixed += done
        if not done or own:
            return fixed


def targets_of(words: Sequence[str], text: Text | None) -> list[str]:
    """References and scenario files, each once."""
    if not words:
        return shipped_games()
    found = [resolve(word) if word != STDIN else [text.target] if text else [] for word in words]
    return list(dict.fromkeys(target for group in found for target in group))


def examine(target: str) -> Judged:
    """What is to be said about a reference, with the scenarios of a house rule, or about a scenario file."""
    from ritual_dsl.checks import look_over, own_files
    from ritual_dsl.loading.reference import choose
    from ritual_dsl.scenarios import look_over_file

    found = Findings()
    path = existing(target) or Path(target)
    if target.endswith(SCENARIO):
        if not is_file(path):
            found.say("RIT101", f"{target} cannot be read: no such file")
        else:
            look_over_file(path, found)
        return settle(found)
    chosen = choose(target, found)
    look_over(chosen, found)
    if is_file(path) and not has_errors(found):
        look_over_file(path, found)
    return settle(found, own_files(chosen))


def look_deeper(judged: dict[str, Judged]) -> dict[str, Deep]:
    """The games that can be run, looked into."""
    from ritual_dsl import check_deep

    games = [target for target, found in judged.items() if not target.endswith(SCENARIO)]
    line = Line()
    try:
        return {game: check_deep(game, line) for game in games if not has_errors(judged[game].counted)}
    finally:
        line.clear()


def with_deeper(judged: Judged, deep: Deep | None, levels: Mapping[str, Level]) -> Judged:
    more = weigh(Judged(tuple(deep.findings)), levels).counted if deep else ()
    return replace(judged, counted=tuple(ordered([*judged.counted, *more])))


def case_of(target: str, judged: Judged, strict: bool) -> Case:
    return Case(
        name=shown(target),
        group="check",
        passed=status_of(judged.counted, strict) == CLEAN,
        findings=judged.counted,
        silenced=judged.silenced,
        undecided=judged.undecided,
        game=None if target.endswith(SCENARIO) else target,
    )


# ---- the baseline


def without_old(judged: dict[str, Judged], file: Path, own: Findings) -> dict[str, Judged]:
    """What the baseline lists is silenced, in every target it occurs in."""
    source = read_source(file, own)
    listed = baseline.parse(source.text, source.path, own) if source else None
    if listed is None:
        return judged
    known = baseline.covered(ordered(d for found in judged.values() for d in found.counted), listed, file.parent)
    return {
        target: replace(
            found,
            counted=tuple(d for d in found.counted if d not in known),
            silenced=(*found.silenced, *(Silenced(d, "baseline", display(file)) for d in found.counted if d in known)),
        )
        for target, found in judged.items()
    }


def write_baseline(judged: dict[str, Judged], file: Path | None) -> int:
    """List what is there now; a reference that leads nowhere is no finding to live with."""
    found = ordered(d for group in judged.values() for d in group.counted)
    lost = [d for d in found if could_not_run(d)]
    own = Findings(lost)
    if file is None:
        own.say("RIT153", "no file is named for the baseline", help="write `--baseline FILE --write-baseline`")
    elif file.exists():
        source = read_source(file, own)
        if source is not None:
            baseline.parse(source.text, source.path, own)
    if file is not None and not own:
        put(file, baseline.text(found, file.parent), own)
    if own:
        raise RitualError(own)
    print(f"{file}: {count(len(found), 'finding')} listed")
    return CLEAN


# ---- for people


def show(checked: Report) -> None:
    """Every finding once, then a line for each thing checked."""
    if checked.findings:
        print(report(checked.findings), file=sys.stderr)
        sys.stderr.flush()
    for case in checked.cases:
        print(f"{case.name}: {verdict(case)}", flush=True)


def verdict(case: Case) -> str:
    """The counts, what was silenced among them: nothing is hidden unseen."""
    errors = sum(d.is_error for d in case.findings)
    warnings = len(case.findings) - errors
    said = [f"{count(errors, 'error')}, {count(warnings, 'warning')}" if case.findings else "clean"]
    for by, words in (("allow", "allowed"), ("baseline", "in the baseline")):
        number = sum(s.by == by for s in case.silenced)
        if number:
            said.append(f"{number} {words}")
    if case.undecided:
        said.append(f"{count(case.undecided, 'question')} not decided")
    return "; ".join(said)
