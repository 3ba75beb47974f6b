"""Drawings: SVG files of strangers, reduced to plain shapes.

In: a file of `art/`. Out: SVG text of known elements and attributes only, in one colour (`currentColor`) and
`none`, so that it can stand inside a page without bringing scripts, links or entities along.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.files import AnyPath, read_source
from ritual_dsl.source import Source, Span, whole_file

LARGEST = 20_000  # characters
MOST_SHAPES = 200
SHAPES = {
    "g": (),
    "path": ("d",),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height", "rx"),
    "line": ("x1", "y1", "x2", "y2"),
    "polyline": ("points",),
    "polygon": ("points",),
}
PAINT = ("fill", "stroke")
STYLE = ("stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule", "opacity", "transform")
COLOURS = ("none", "currentColor")
VALUE = re.compile(r"[A-Za-z0-9 .,()+\-\n]*")
NAMESPACE = "{http://www.w3.org/2000/svg}"
VIEW_BOX = re.compile(r"0 0 [1-9][0-9]{0,3} [1-9][0-9]{0,3}")


def read_drawing(path: AnyPath, found: Findings) -> str | None:
    source = read_source(path, found)
    if source is None:
        return None
    before = len(found)
    drawn = _drawing(source, found)
    return drawn if len(found) == before else None


def _drawing(source: Source, found: Findings) -> str:
    if len(source.text) > LARGEST or "<!" in source.text.replace("<!--", ""):
        hint = f"plain shapes of at most {LARGEST} characters, without DOCTYPE, ENTITY or CDATA"
        found.say("RIT661", f"{source.path} is not a plain drawing", whole_file(source), help=hint)
        return ""
    try:
        root = ElementTree.fromstring(source.text)
    except ElementTree.ParseError as error:
        line, column = error.position
        span = Span(source, line, column + 1, line, column + 2)
        found.say("RIT661", f"this is not XML: {error.args[0].partition(':')[0]}", span)
        return ""
    box = root.get("viewBox", "")
    if root.tag != NAMESPACE + "svg" or not VIEW_BOX.fullmatch(box):
        hint = 'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        found.say("RIT661", f"{source.path} is not an SVG drawing with a view box", whole_file(source), help=hint)
        return ""
    shapes = [_shape(shape, source, found) for shape in root]
    if sum(1 for _ in root.iter()) > MOST_SHAPES:
        found.say("RIT661", f"{source.path} has more than {MOST_SHAPES} shapes", whole_file(source))
    paint = "".join(_attribute(root, name, source, found) for name in (*PAINT, *STYLE))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{paint}>{"".join(shapes)}</svg>'


def _shape(shape: ElementTree.Element, source: Source, found: Findings) -> str:
    tag = shape.tag.removeprefix(NAMESPACE)
    if tag not in SHAPES:
        found.say("RIT661", f"{source.path} holds <{tag[:40]}>, which is no plain shape", _place(source, f"<{tag}"))
        return ""
    known = (*SHAPES[tag], *PAINT, *STYLE)
    for name in shape.keys():  # noqa: SIM118 (an element is no mapping)
        if name not in known:
            found.say("RIT661", f"<{tag}> has an attribute `{name[:40]}`, which is not kept", _place(source, name))
    written = "".join(_attribute(shape, name, source, found) for name in known)
    inside = "".join(_shape(child, source, found) for child in shape)
    return f"<{tag}{written}>{inside}</{tag}>"


def _attribute(shape: ElementTree.Element, name: str, source: Source, found: Findings) -> str:
    value = shape.get(name)
    if value is None:
        return ""
    if name in PAINT and value not in COLOURS:
        hint = "a drawing has one colour, which the sheet picks: currentColor or none"
        found.say("RIT661", f"`{name}` is `{value[:40]}`", _place(source, value), help=hint)
    elif not VALUE.fullmatch(value):
        found.say("RIT661", f"`{name}` holds `{value[:40]}`", _place(source, value), help="numbers and letters only")
    return f' {name}="{value}"'


def _place(source: Source, word: str) -> Span:
    """Where a word first stands: the parser does not say."""
    at = source.text.find(word)
    if at < 0:
        return whole_file(source)
    line = source.text.count("\n", 0, at) + 1
    column = at - (source.text.rfind("\n", 0, at) + 1) + 1
    return Span(source, line, column, line, column + len(word.partition("\n")[0]))
