"""Reports of `check` and `test` on standard output: the options they share.

In: a `Report` and the format asked for. Out: its text; for GitHub also the summary of the job.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path

from ritual_dsl.diagnostics.report import Report
from ritual_dsl.diagnostics.reporters import FORMATS, github, render


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="human", help="how to report; default: human")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="short for --format json")


def root_for(format: str) -> Path:
    """Services that read a whole repository want paths from its root."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    return Path(workspace) if workspace and format in ("github", "sarif") else Path.cwd()


def emit(report: Report, format: str) -> None:
    """UTF-8 whatever the terminal speaks: machines read it."""
    text = render(report, format) + "\n"
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    else:
        sys.stdout.write(text)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary and format == "github":
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(github.summary(report))
