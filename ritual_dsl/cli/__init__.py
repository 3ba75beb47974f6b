"""The command `ritual`: one module a verb.

In: the words of a command line. Out: an exit code, with results on stdout and faults on stderr.
Only the chosen verb's module is imported, so that help answers at once. A verb's module has
`HELP`, `arguments(parser)` and `run(args) -> int`.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ritual_dsl import __version__

if TYPE_CHECKING:
    from ritual_dsl.diagnostics import Diagnostic, RitualError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
CLEAN, FAULTS, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130
CANNOT_BE_DONE = (
    *("RIT160", "RIT161", "RIT162"),
    *("RIT631", "RIT632", "RIT633", "RIT635"),
    *("RIT667", "RIT668", "RIT694", "RIT695", "RIT697", "RIT699", "RIT801"),
)

VERBS = (
    ("check", "ritual_dsl.cli.check", "validate games, house rules and scenario files"),
    ("fmt", "ritual_dsl.cli.fmt", "lay out rules in one canonical way"),
    ("test", "ritual_dsl.cli.test", "run scenario files"),
    ("why", "ritual_dsl.cli.why", "run one scenario and explain each outcome"),
    ("show", "ritual_dsl.cli.show", "the rules or a card after all patches, and where each line comes from"),
    ("cards", "ritual_dsl.cli.cards", "cards as a spreadsheet, and a spreadsheet as an overlay"),
    ("copy", "ritual_dsl.cli.copy", "a whole game, to edit"),
    ("new", "ritual_dsl.cli.new", "a folder for a house rule, with a scenario and a CI workflow"),
    ("schema", "ritual_dsl.cli.schema", "JSON Schemas of the YAML files"),
    ("play", "ritual_dsl.cli.play", "play in the terminal"),
    ("odds", "ritual_dsl.cli.odds", "exact odds of every card, as the game declares them"),
    ("deduce", "ritual_dsl.cli.deduce", "what a player can know of what they do not see"),
    ("diff", "ritual_dsl.cli.diff", "what a change really does: clauses, cards, deals, odds"),
    ("simulate", "ritual_dsl.cli.simulate", "play many games and count what the rules declare"),
    ("compile", "ritual_dsl.cli.compile", "the flat code of a game"),
    ("explain", "ritual_dsl.cli.explain", "what a diagnostic means, with a bad and a good example"),
    ("render", "ritual_dsl.cli.render", "write printable sheets"),
    ("build", "ritual_dsl.cli.build", "check, test and render a game in one go"),
)


class Verb(Protocol):
    """What a verb's module offers."""

    HELP: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; never lets a traceback through."""
    words = list(sys.argv[1:] if argv is None else argv)
    open_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that cannot show a letter is no fault
    try:
        code = dispatch(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has gone: what is left to flush at exit must go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except OSError as error:
        if error.errno not in FULL:
            return report_exception(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"the output cannot be written: {error.strerror}", file=sys.stderr)
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return report_exception(error)


def open_streams() -> None:
    """A stream that was closed for us reads nothing and writes nowhere."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def dispatch(words: list[str]) -> int:
    """Parse in two steps: the verb first, then its own words with its own module."""
    chosen = next((entry for entry in VERBS if words and entry[0] == words[0]), None)
    if chosen is None:
        return without_verb(words)
    name, module, summary = chosen
    verb = cast(Verb, import_module(module))
    parser = argparse.ArgumentParser(
        prog=f"ritual {name}",
        description=f"{summary}\n\n{verb.HELP.strip()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    verb.arguments(parser)
    try:
        args = parser.parse_args(words[1:])
    except SystemExit as leaving:
        return exit_code(leaving)
    return verb.run(args)


def without_verb(words: list[str]) -> int:
    """`--help`, `--version`, nothing, or a word that is no verb."""
    parser = argparse.ArgumentParser(
        prog="ritual",
        description="Rules of tabletop games as data.",
        epilog="example: ritual check ./house.yaml\n`ritual COMMAND --help` says more about a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ritual {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name, _, summary in VERBS:
        subparsers.add_parser(name, help=summary)
    if not words:
        parser.print_help()
        return COULD_NOT_RUN
    if not words[0].startswith("-"):
        from ritual_dsl.diagnostics.suggest import near_miss

        hint = near_miss(words[0], [name for name, _, _ in VERBS]) or "`ritual --help` lists the commands"
        print(f"there is no command `{words[0]}`: {hint}", file=sys.stderr)
        return COULD_NOT_RUN
    try:
        parser.parse_args(words)
    except SystemExit as leaving:
        return exit_code(leaving)
    return COULD_NOT_RUN


def exit_code(leaving: SystemExit) -> int:
    return leaving.code if isinstance(leaving.code, int) else CLEAN


def seed_number(text: str) -> int:
    """The word behind `--seed`."""
    from ritual_dsl.engine.chance import LARGEST_SEED

    if not (text.isascii() and text.isdigit()) or len(text) > 20 or int(text) > LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to {LARGEST_SEED}")
    return int(text)


def report_exception(error: Exception) -> int:
    """Findings as a report; anything else is our own fault and goes to a file."""
    from ritual_dsl.diagnostics import RitualError

    if isinstance(error, RitualError):
        return report_findings(error)
    return report_fault(error)


def report_findings(error: RitualError) -> int:
    from ritual_dsl.diagnostics import CannotRun
    from ritual_dsl.diagnostics.human import report

    print(report(error.diagnostics), file=sys.stderr)
    return COULD_NOT_RUN if isinstance(error, CannotRun) else status_of(error.diagnostics)


def status_of(diagnostics: Iterable[Diagnostic], strict: bool = False) -> int:
    """The exit code that findings call for; warnings count only where they are asked to."""
    found = list(diagnostics)
    errors = [d for d in found if d.is_error]
    if errors and all(could_not_run(d) for d in errors):
        return COULD_NOT_RUN
    return FAULTS if errors or (strict and found) else CLEAN


def could_not_run(finding: Diagnostic) -> bool:
    """Whether what was asked for cannot be done; a wrong name inside a file is a fault of that file."""
    named = finding.code == "RIT101" or finding.code.startswith("RIT13")
    return (named and finding.span is None) or finding.code in CANNOT_BE_DONE


def report_fault(error: Exception) -> int:
    import tempfile
    import traceback

    summary = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix="ritual-fault-", suffix=".txt", delete=False
        ) as file:
            file.write(f"ritual {__version__}, Python {sys.version}\n\n")
            traceback.print_exception(error, file=file)
        where = f"a report was written to {file.name}"
    except OSError:
        where = "no report could be written"
    print(f"error[RIT901]: internal fault: {summary}; {where}", file=sys.stderr)
    return COULD_NOT_RUN
