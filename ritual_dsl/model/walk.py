"""All parts of a resolved tree, for checks that look for something everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ritual_dsl.model import game, ir
from ritual_dsl.model.game import Clause, Entry, Game, Procedure, Rule

# The fields of each kind of node that can hold others, the last one first.
PARTS: dict[type, tuple[str, ...]] = {
    kind: tuple(f.name for f in reversed(fields(kind)) if f.name not in ("span", "type"))
    for module in (ir, game)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
}


def walk(thing: object) -> Iterator[object]:
    """A node and everything in it, from the outside in."""
    todo: list[Any] = [thing]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo.extend(reversed(part))
        elif (names := PARTS.get(type(part))) is not None:
            yield part
            todo.extend([getattr(part, name) for name in names])


def rules_used(thing: Rule | Procedure | Clause | Entry | ir.Block) -> set[str]:
    """The rules that are asked when something is evaluated or run, guards included."""
    used = set()
    for part in walk(thing):
        match part:
            case ir.CallRule() | ir.Holder():
                used.add(part.rule)
            case ir.Guard() if part.rule is not None:
                used.add(part.rule)
    return used


def watched_cells(procedure: Procedure, game: Game) -> frozenset[int]:
    """What the condition of an `as soon as` reads."""
    return cells_read(procedure.watch, game)


def cells_read(condition: ir.Expr | None, game: Game, faces_only: bool = False) -> frozenset[int]:
    """What a condition reads, through all rules it asks; with `faces_only` not where it only counts what lies there."""
    cells: set[int] = set()
    seen: set[str] = set()
    zones = {zone.cell for zone in game.zones.values()} if faces_only else set()
    counted: set[int] = set()
    todo: list[object] = [condition]
    while todo:
        for part in walk(todo.pop()):
            match part:
                case ir.Read() | ir.Spread() if id(part) not in counted:
                    cells.add(part.cell)
                case ir.IsEmpty(operand=group) | ir.IsNone(operand=group) | ir.Size(group=group):
                    if isinstance(group, ir.Read | ir.Spread) and group.cell in zones:
                        counted.add(id(group))
                case ir.CallRule() | ir.Holder() | ir.Guard() if part.rule is not None and part.rule not in seen:
                    seen.add(part.rule)
                    todo.append(game.rules[part.rule])
    return frozenset(cells)
