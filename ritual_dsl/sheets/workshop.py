"""The handle on the process that fills templates and typesets pages.

In: a template's name and plain data. Out: the text or the pages, or a finding: a fault in a template with its place,
a time limit that ran out, what has to be installed first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Any

from ritual_dsl.diagnostics import Diagnostic, Findings, RitualError, fail
from ritual_dsl.loading.files import display, read_source
from ritual_dsl.sheets.fonts import WebFonts
from ritual_dsl.source import Source, Span

FONTS = ("noto_cjk_sans_jp_regular", "noto_cjk_sans_jp_bold")
SECONDS = 60.0
LARGEST_RESULT = 400_000_000  # bytes
MOST_TEMPLATES = 60
NOWHERE = "http://127.0.0.1:9"  # where nobody listens: typesetting never reaches the network
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy")
KEPT = ("PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "TMPDIR", "TEMP", "LANG")


@dataclass(frozen=True)
class Typeset:
    """One file, or one a page, and what did not fit."""

    files: list[bytes]
    notes: list[dict[str, Any]]


def can_typeset() -> bool:
    return all(find_spec(name) for name in (*FONTS, "typst", "fontTools"))


def font_folders() -> list[Path]:
    """Where the fonts lie; raises when what typesetting needs is not installed."""
    specs = [find_spec(name) for name in FONTS]
    folders = [Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ()]
    if not can_typeset():
        raise fail(
            "RIT667",
            "PDF and PNG need Typst and the fonts of the sheets",
            help="pip install 'ritual-dsl[pdf]'; --format html works without",
        )
    return folders


def read_templates(folder: Path | None) -> dict[str, Source]:
    """A user's templates: the `*.j2` files of a folder, and nothing a link leads to."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise fail("RIT668", f"{display(folder)} is not a folder with templates")
    paths = sorted(path for path in folder.glob("*.j2") if path.is_file() and not path.is_symlink())
    if not paths or len(paths) > MOST_TEMPLATES:
        message = f"{display(folder)} holds {len(paths)} templates; from 1 to {MOST_TEMPLATES} are read"
        raise fail("RIT668", message, help="a template is called like the one it stands in for: cards.typ.j2")
    found = Findings()
    sources = {path.name: read_source(path, found) for path in paths}
    if found:
        raise RitualError(found)
    return {name: source for name, source in sources.items() if source is not None}


class Workshop:
    """Starts the process when it is first needed, keeps it for the next page, and ends it."""

    def __init__(self, templates: dict[str, Source] | None = None, seconds: float = SECONDS) -> None:
        self.templates = templates or {}
        self.seconds = seconds
        self.process: subprocess.Popen[bytes] | None = None
        self.web_fonts = WebFonts()

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()
            self.process = None

    def page(self, template: str, data: dict[str, Any], characters: frozenset[str] = frozenset()) -> str:
        """An HTML page, with a font for its characters where there is one to take them from."""
        font = self.web_fonts.data_uri(font_folders()[0], characters) if characters and can_typeset() else ""
        asked = {"template": template, "data": {**data, "font": font}, "format": "html"}
        return self.ask(asked).files[0].decode("utf-8")

    def typeset(self, template: str, data: dict[str, Any], format: str, ppi: float = 144) -> Typeset:
        font_folders()
        return self.ask({"template": template, "data": data, "format": format, "ppi": ppi})

    # ---- the pipe

    def ask(self, request: dict[str, Any]) -> Typeset:
        process = self.started()
        timer = Timer(self.seconds, process.kill)
        timer.start()
        try:
            header, files = self.exchange(process, request)
        finally:
            timer.cancel()
        if header is None:
            self.close()
            raise fail("RIT666", f"`{request['template']}` takes longer than {self.seconds:g} s, or too much memory")
        if "fault" in header:
            raise RitualError([self.finding(header, request["template"])])
        return Typeset(files, header.get("notes", []))

    def exchange(self, process: subprocess.Popen[bytes], request: dict[str, Any]) -> tuple[Any, list[bytes]]:
        """One question and its answer; no answer when the process is gone."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request).encode("utf-8") + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return None, []
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            return None, []
        header = json.loads(line)
        if sum(header["sizes"]) > LARGEST_RESULT:
            self.close()
            raise fail("RIT666", f"`{request['template']}` makes more than {LARGEST_RESULT // 1_000_000} MB")
        files = [process.stdout.read(size) for size in header["sizes"]]
        return (header if [len(file) for file in files] == header["sizes"] else None), files

    def started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            kept = {name: os.environ[name] for name in KEPT if name in os.environ}
            proxies = dict.fromkeys(PROXIES, NOWHERE)
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ritual_dsl.sheets.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**kept, **proxies, "PYTHONUTF8": "1"},
            )
            fonts = [str(folder) for folder in font_folders()] if can_typeset() else []
            setup = {"templates": {name: source.text for name, source in self.templates.items()}, "fonts": fonts}
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(setup).encode("utf-8") + b"\n")
        return self.process

    def finding(self, header: dict[str, Any], template: str) -> Diagnostic:
        """A fault with its place, where it lies in a template of the user."""
        message, line = " ".join(header["message"].split()), header["line"]
        if header["fault"] == "bounds":
            return Diagnostic("RIT666", f"`{template}`: {message}")
        source = self.templates.get(header["template"])
        if source is not None and line:
            width = len(source.line(line).rstrip())
            start = width - len(source.line(line).strip()) + 1
            return Diagnostic("RIT665", message, Span(source, line, start, line, width + 1))
        if span := self.written_at(header.get("written", ""), header.get("column", 1)):
            return Diagnostic("RIT665", message, span)
        if "could not be displayed" in message:
            return Diagnostic("RIT664", f"`{template}`: {message}")
        return Diagnostic("RIT665", f"`{header['template'] or template}`: {message}")

    def written_at(self, line: str, column: int) -> Span | None:
        """Where a line of typeset text stands in a template of the user."""
        for source in self.templates.values() if line.strip() else ():
            for number, text in enumerate(source.lines, 1):
                if text.rstrip() == line.rstrip():
                    end = len(text.rstrip()) + 1
                    return Span(source, number, min(column, end - 1), number, end)
        return None
