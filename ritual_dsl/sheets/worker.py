"""The process in which templates run and pages are typeset: apart, without network, with bounded memory.

In: lines of JSON on stdin, the first one being the setup. Out: for each, a line of JSON, then the bytes it announces.
Templates may be a stranger's: they are sandboxed here, and whoever started this process ends it when it takes too long.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import FunctionLoader, StrictUndefined, TemplateNotFound, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from ritual_dsl.sheets.typst_values import as_code

TEMPLATES = Path(__file__).parent / "templates"
POLICY = (
    "default-src 'none'; img-src 'self' data: file:; style-src 'unsafe-inline'; font-src data:; "
    "script-src 'sha256-{digest}'"
)
PROLOGUE = (  # stands before whatever a template writes: no page runs a script but the one named by its hash
    '<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
)
BUILT_IN = "ritual/"  # by this prefix a template of a user reaches the one it stands in for
LARGEST_TEXT = 20_000_000  # characters
MEMORY = 3_000_000_000  # bytes
Loader = Callable[[str], tuple[str, str, None] | None]
PLACE = re.compile(r"\.typ:(\d+):(\d+)")
LONGEST_LINE = 2000
NOTE: dict[str, Any] = {"piece": str, "part": str, "over": int | float, "way": str}


class TooLarge(Exception):
    """A template that writes without end."""


def main() -> None:
    limit_memory()
    pipe = sys.stdout.buffer
    setup = json.loads(sys.stdin.buffer.readline())
    with tempfile.TemporaryDirectory(prefix="ritual-press-") as root:
        press = Press(setup["templates"], setup["fonts"], root)
        for line in sys.stdin.buffer:
            header, blobs = press.answer(json.loads(line))
            pipe.write(json.dumps({**header, "sizes": [len(blob) for blob in blobs]}).encode() + b"\n")
            for blob in blobs:
                pipe.write(blob)
            pipe.flush()


def limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Press:
    def __init__(self, templates: Mapping[str, str], fonts: list[str], root: str) -> None:
        self.templates = templates
        self.fonts = fonts
        self.root = root
        self.shared_fonts: Any = None
        self.environments = {"html": self.environment(), "typ": self.environment(finalize=as_code)}

    def environment(self, **more: Any) -> ImmutableSandboxedEnvironment:
        made = ImmutableSandboxedEnvironment(
            loader=FunctionLoader(self.load),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            **more,
        )
        made.filters.update(linked=linked, anchor=anchor)
        return made

    def load(self, name: str) -> tuple[str, str, None] | None:
        """A user's template, or the built-in one of that name."""
        if name in self.templates:
            return self.templates[name], name, None
        path = TEMPLATES / name.removeprefix(BUILT_IN)
        if path.parent != TEMPLATES or not path.is_file():
            return None
        return path.read_text("utf-8"), BUILT_IN + path.name, None

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
        try:
            text = self.fill(request["template"], request["data"])
            if request["format"] == "html":
                return {}, [(prologue(request["data"]) + text).encode("utf-8")]
            return self.typeset(text.encode("utf-8"), request["format"], request["ppi"])
        except TemplateSyntaxError as error:
            return fault("template", error.message or "", error.name or "", error.lineno), []
        except TemplateNotFound as error:
            return fault("template", f"there is no template `{error.name}`", *last_place(error)), []
        except (TooLarge, MemoryError) as error:
            return fault("bounds", str(error) or "it wants more memory than there may be"), []
        except Exception as error:
            return fault("template", str(error)[:2000], *last_place(error)), []

    def fill(self, name: str, data: Mapping[str, Any]) -> str:
        template = self.environments["html" if name.endswith(".html.j2") else "typ"].get_template(name)
        parts: list[str] = []
        size = 0
        for part in template.generate(data):
            size += len(part)
            if size > LARGEST_TEXT:
                raise TooLarge(f"it writes more than {LARGEST_TEXT // 1_000_000} million characters")
            parts.append(part)
        return "".join(parts)

    def typeset(self, source: bytes, format: str, ppi: float) -> tuple[dict[str, Any], list[bytes]]:
        import typst

        if self.shared_fonts is None:
            self.shared_fonts = typst.Fonts(include_system_fonts=False, font_paths=self.fonts)
        main = Path(self.root) / "main.typ"  # a file, because only what is compiled from one can be asked for more
        main.write_bytes(source)
        compiler = typst.Compiler(main, root=self.root, font_paths=self.shared_fonts)
        profile = ["ua-1"] if format == "pdf" else []  # a missing sign is an error
        kind: Any = {"format": format, "pdf_standards": profile}
        try:
            made = compiler.compile(**kind, ppi=ppi)
            notes = json.loads(compiler.query("<overflow>", field="value"))
        except (typst.TypstError, RuntimeError) as error:
            message = getattr(error, "message", None) or str(error)
            return {**fault("typst", message), **written_place(error, source)}, []
        if not all(is_note(note) for note in notes):
            return fault("template", f"what bears the label <overflow> says {', '.join(NOTE)}"), []
        return {"notes": notes}, made if isinstance(made, list) else [made or b""]


def is_note(value: object) -> bool:
    """Whether a template says in the right form what did not fit."""
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key, kind in NOTE.items())


def prologue(data: Mapping[str, Any]) -> str:
    """The beginning of a page, with the hash of the filter script: any other script stays dead."""
    script = (TEMPLATES / "filter.js").read_text("utf-8").removesuffix("\n")  # as jinja2 includes it
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    return PROLOGUE.format(lang=escape(data["lang"]), policy=POLICY.format(digest=digest))


def fault(kind: str, message: str, template: str = "", line: int = 0) -> dict[str, Any]:
    return {"fault": kind, "message": message, "template": template, "line": line}


def written_place(error: Exception, source: bytes) -> dict[str, Any]:
    """The line that Typst stopped at, as it was written, and the column."""
    place = PLACE.search(str(getattr(error, "diagnostic", "")))
    lines = source.decode("utf-8").split("\n")
    if place is None or not 1 <= int(place[1]) <= len(lines):
        return {}
    return {"written": lines[int(place[1]) - 1][:LONGEST_LINE], "column": int(place[2]) + 1}


def last_place(error: Exception) -> tuple[str, int]:
    """The template and line in which something went wrong."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.endswith(".j2"):
            return frame.filename, frame.lineno or 0
    return "", 0


# ---------------------------------------------------------------- filters of the HTML templates


def anchor(cite: str) -> str:
    return "s-" + cite.removeprefix("§")


def linked(text: str, known: list[str]) -> Markup:
    """A text, escaped, in which the sections it names are links."""
    from ritual_dsl.loading.shape import CITATION

    parts: list[Markup] = []
    end = 0
    for match in CITATION.finditer(text):
        cite = match.group()
        parts.append(escape(text[end : match.start()]))
        link = Markup('<a href="#{}">{}</a>').format(anchor(cite), cite)
        parts.append(link if cite in known else escape(cite))
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


if __name__ == "__main__":
    main()
