"""A text on standard input, in place of a file.

In: the stream, and perhaps the name of the file that the text stands for. Out: what to check, and the text
to read in place of that file.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ritual_dsl.cli.targets import SCENARIO, as_path, of_file
from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.files import LARGEST_FILE, standing_in
from ritual_dsl.loading.locate import has_key

STDIN = "-"
NAMELESS = "<stdin>"


@dataclass(frozen=True, slots=True)
class Text:
    """What the text leads to, and where it is read."""

    target: str
    files: dict[Path, bytes]


def read_stdin(name: str | None, found: Findings) -> Text | None:
    """Without a name, a house rule or a scenario file is known by its keys."""
    raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
    if name is None:
        text = raw.decode("utf-8", "replace")
        if not has_key(text, "extends") and not has_key(text, "scenarios"):
            help = "name the file it stands for with --stdin-filename"
            found.say("RIT154", "nothing says what the text on standard input is", help=help)
            return None
        name = NAMELESS if has_key(text, "extends") else NAMELESS + SCENARIO
    path = Path(name)
    files = {path.resolve(): raw}
    if name.endswith(SCENARIO):
        return Text(as_path(path), files)
    with standing_in(files):
        return Text(of_file(path), files)
