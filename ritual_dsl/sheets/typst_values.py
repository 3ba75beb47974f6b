"""Values for Typst: every `{{ … }}` of a Typst template becomes a literal, so that no text can become markup.

In: plain data. Out: Typst code that means exactly that data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jinja2 import Undefined
from markupsafe import Markup

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def as_code(value: object) -> object:
    """What jinja2 writes for a value: code of its own (a macro's) as it is, anything else as a literal."""
    if isinstance(value, Markup | Undefined):
        return value
    return Markup(literal(value))  # a literal is safe by construction


def literal(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case int() | float():
            number = f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
            return f"({number})" if value < 0 else number
        case str():
            return '"' + "".join(character(c) for c in value) + '"'
        case Mapping():
            pairs = ", ".join(f"{literal(str(key))}: {literal(item)}" for key, item in value.items())
            return f"({pairs})" if pairs else "(:)"
        case Sequence():
            return "(" + "".join(f"{literal(item)}, " for item in value) + ")"
        case _:
            raise TypeError(f"a template was given a {type(value).__name__}")


def character(c: str) -> str:
    if c in ESCAPES:
        return ESCAPES[c]
    return c if c.isprintable() or c == " " else f"\\u{{{ord(c):x}}}"
