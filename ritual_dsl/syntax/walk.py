"""All nodes of a text, for tools that look for something everywhere.

In: nodes. Out: the nodes in them, or the same tree with one node changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

T = TypeVar("T")


def children(node: n.Node) -> Iterator[n.Node]:
    """The nodes directly in a node, in the order they were written."""
    for f in fields(node):
        value = getattr(node, f.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, n.Node):
                yield part


def exchanged(thing: T, old: n.Node, new: n.Node | None) -> T:
    """The same thing with one node, found by its place, exchanged or left out; what did not change is shared."""
    return _exchange(thing, old, new)  # type: ignore[no-any-return]


def _exchange(thing: Any, old: n.Node, new: n.Node | None) -> Any:
    if isinstance(thing, tuple):
        parts = [_exchange(part, old, new) for part in thing]
        same = all(a is b for a, b in zip(parts, thing, strict=True))
        return thing if same else tuple(part for part in parts if part is not None)
    if isinstance(thing, dict):
        values = {key: _exchange(value, old, new) for key, value in thing.items()}
        return thing if all(values[key] is thing[key] for key in thing) else values
    if not is_dataclass(thing) or isinstance(thing, type | Span):
        return thing
    if isinstance(thing, n.Node):
        if thing.span.path != old.span.path:
            return thing
        if type(thing) is type(old) and place(thing) == place(old) and thing == old:
            return new
    changed: dict[str, Any] = {}
    for f in fields(thing):
        value = getattr(thing, f.name)
        other = _exchange(value, old, new)
        if other is not value:
            changed[f.name] = other
    return replace(thing, **changed) if changed else thing


def place(node: n.Node) -> tuple[int, int, int, int]:
    span = node.span
    return span.line, span.column, span.end_line, span.end_column
