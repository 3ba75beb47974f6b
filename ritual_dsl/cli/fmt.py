"""`ritual fmt`: one canonical layout for rules.

In: files and folders, or `-` for a text on standard input. Out: the files laid out anew, or with
--check and --diff what would change.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ritual_dsl.cli import CLEAN, COULD_NOT_RUN, FAULTS, could_not_run
from ritual_dsl.diagnostics import Diagnostic, Findings
from ritual_dsl.diagnostics.human import count, report
from ritual_dsl.loading.files import display, read_stream
from ritual_dsl.loading.layout import Formatted, files_below, format_file, format_source
from ritual_dsl.loading.rewrite import rewrite

HELP = """
Formats .ritual files, and the `rules: |` and `patch: |` blocks of YAML files; the rest of a YAML
file stays as it is. Folders are searched; links in them are not followed. A file with faults is
left alone. `-` reads a text from standard input and writes it to standard output.
Exit code: 0 done, 1 a file has faults (with --check: or would change), 2 could not run.

example: ritual fmt --check --diff rules cards
"""
STDIN = "-"
NOT_RUN = ("RIT143", "RIT144")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files, folders, or - for standard input")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")


def run(args: argparse.Namespace) -> int:
    if STDIN in args.paths and len(args.paths) > 1:
        print("`-` stands alone: a text from standard input, or files", file=sys.stderr)
        return COULD_NOT_RUN
    found = Findings()
    done = format_stdin(args, found) if args.paths == [STDIN] else format_files(args, found)
    if found:
        sys.stdout.flush()
        print(report(found), file=sys.stderr)
    return max([status(d) for d in found], default=FAULTS if args.check and any(f.changed for f in done) else CLEAN)


def format_stdin(args: argparse.Namespace, found: Findings) -> list[Formatted]:
    source = read_stream(sys.stdin.buffer, "<stdin>", found)
    done = format_source(source, found) if source else None
    if done is not None and not args.check and not args.diff:
        sys.stdout.write(done.text)
    if done is not None and args.diff:
        sys.stdout.write(done.diff())
    return [done] if done else []


def format_files(args: argparse.Namespace, found: Findings) -> list[Formatted]:
    paths = list(dict.fromkeys(file for word in args.paths for file in files_below(Path(word).expanduser())))
    done: list[Formatted] = []
    for path in paths:
        file = format_file(path, found)
        if file is None:
            continue
        if args.diff:
            sys.stdout.write(file.diff())
        elif file.changed and (args.check or rewrite(path, file.source.text, file.text, found)):
            print(f"{'would format' if args.check else 'formatted'} {display(path)}")
        done.append(file)
    changed = sum(file.changed for file in done)
    verb = "would change" if args.check or args.diff else "changed"
    print(f"{count(len(paths), 'file')}: {changed} {verb}, {len(paths) - len(done)} with faults", file=sys.stderr)
    return done


def status(finding: Diagnostic) -> int:
    return COULD_NOT_RUN if could_not_run(finding) or finding.code in NOT_RUN else FAULTS
