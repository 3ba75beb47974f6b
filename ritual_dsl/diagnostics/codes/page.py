"""A code's entry as a page: for `ritual explain`, and for `docs/diagnostics/`.

In: an entry; for the page in `docs/` also a whole example and what the program says to it. Out: text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import indent

from ritual_dsl.diagnostics.codes.entry import Code


def text(code: Code) -> str:
    """One code for the terminal."""
    return "\n\n".join(
        (
            f"{code.code} ({code.severity}): {code.title}",
            code.meaning,
            "bad:\n" + indent(code.bad, "  "),
            "good:\n" + indent(code.good, "  "),
            f"why: {code.why}",
        )
    )


def markdown(code: Code, files: Mapping[str, str], command: str | None, output: str) -> str:
    """One code as a page. The example is a case that the tests run."""
    parts = [
        f"# {code.code}: {code.title}",
        f"<!-- made from the table of codes: `ritual explain {code.code}` -->",
        f"{code.severity.capitalize()}. {code.meaning}",
        f"**Bad**\n\n{fence(code.bad)}",
        f"**Good**\n\n{fence(code.good)}",
        f"**Why:** {code.why}",
    ]
    if command is not None:
        parts.append("## A whole example")
        parts += [f"`{name}`\n\n{fence(content)}" for name, content in files.items() if content]
        parts.append(fence(f"$ {command}\n{output}"))
    return "\n\n".join(parts) + "\n"


def fence(content: str) -> str:
    return f"```text\n{content.rstrip()}\n```"


def index(codes: Iterable[Code]) -> str:
    """The list of all pages."""
    rows = [f"| [{c.code}]({c.code}.md) | {c.severity} | {c.title} |" for c in codes]
    head = "# Diagnostics\n\nEvery finding has a code. `ritual explain CODE` shows the same in the terminal.\n\n"
    return head + "\n".join(["| code | | |", "|---|---|---|", *rows]) + "\n"
