"""Cases of diagnostics: for each code, files that produce it and files that do not.

A case is a text file, `cases/CODE.txt`. It begins with `=== bad`, and a second half with `=== good`. Each half
holds files, `--- PATH`, which are laid over a copy of `my_game/`; `$ ritual …` is the command, if it is not the
plain check or test of what is there. A file `<stdin>` is what standard input holds. `--- PATH escaped` is written
in Python's escapes for bytes, `--- PATH repeated N` has its text N times, and `--- PATH read-only` may not be written.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ritual_dsl.cli import main

HERE = Path(__file__).parent
FOLDER = HERE / "cases"
GAME = "my_game"
FILE = re.compile(r"--- (?P<path>\S+)(?: (?P<how>escaped|read-only|repeated (?P<times>\d+)))?")


@dataclass
class Half:
    """The files and the command of one half of a case."""

    files: dict[str, bytes] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)  # as text, those a page can show
    command: list[str] = field(default_factory=list)
    locked: set[str] = field(default_factory=set)

    def words(self) -> list[str]:
        if self.command:
            return self.command
        scenario = next((name for name in self.files if name.endswith(".scenario.yaml")), None)
        if scenario:
            return ["test", scenario]
        return ["check", "./house.yaml" if "house.yaml" in self.files else f"./{GAME}"]

    def run(self, folder: Path) -> tuple[int, str]:
        """The exit status, and everything printed."""
        shutil.copytree(HERE / GAME, folder / GAME)
        files = dict(self.files)
        stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(files.pop("<stdin>", b"")))
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o444 if name in self.locked else 0o644)
        out = io.StringIO()
        before = Path.cwd()
        os.chdir(folder)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                status = main(self.words())
        finally:
            os.chdir(before)
            sys.stdin = stdin
        return status, out.getvalue()


def codes_in(output: str) -> set[str]:
    return set(re.findall(r"\bRIT\d{3}\b", output))


def read_case(code: str) -> dict[str, Half]:
    """The halves of a case; empty if there is none."""
    path = FOLDER / f"{code}.txt"
    halves: dict[str, Half] = {}
    if not path.is_file():
        return halves
    text = path.read_text(encoding="utf-8")
    for name, body in re.findall(r"^=== (bad|good)\n(.*?)(?=^=== |\Z)", text, re.MULTILINE | re.DOTALL):
        halves[name] = read_half(body)
    return halves


def read_half(body: str) -> Half:
    half = Half()
    head, *files = re.split(r"^(?=--- )", body, flags=re.MULTILINE)
    if head.startswith("$ ritual "):
        half.command = shlex.split(head.splitlines()[0].removeprefix("$ ritual "))
    for file in files:
        first, _, content = file.partition("\n")
        match = FILE.fullmatch(first)
        assert match, first
        if match["how"] == "escaped":
            half.files[match["path"]] = codecs.escape_decode(content.replace("\n", "").encode())[0]  # type: ignore[arg-type]
        elif match["times"]:
            half.files[match["path"]] = content.encode() * int(match["times"])
        else:
            half.files[match["path"]] = content.encode()
            half.shown[match["path"]] = content
            half.locked |= {match["path"]} if match["how"] else set()
    return half
