"""Loops that must end, by what each round of them uses up.

In: a game. Out: for each `repeat`, why it ends, or None where nothing is found. Two reasons are looked for: every
round takes a piece from a pile that nothing in the loop refills; or every round takes a member out of a set that
nothing in the loop adds to, and finds the next one in that set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ritual_dsl.model import ir
from ritual_dsl.model.game import Game, Procedure
from ritual_dsl.model.walk import walk

Test = Callable[[ir.Statement], bool]


@dataclass(frozen=True)
class Loop:
    procedure: Procedure
    node: ir.Repeat
    reason: str | None  # why it ends

    @property
    def name(self) -> str:
        return f"the `repeat` of `{self.procedure.name}` ({self.node.span.path}:{self.node.span.line})"


def loops(game: Game) -> Iterator[Loop]:
    for procedure in game.procedures.values():
        for part in walk(procedure):
            if isinstance(part, ir.Repeat):
                yield Loop(procedure, part, reason(part, procedure, game))


def reason(loop: ir.Repeat, procedure: Procedure, game: Game) -> str | None:
    inside = list(everything(loop.steps, game))
    for zone in game.zones.values():
        if zone.single or zone.owner is not None:
            continue
        takes = surely(loop.steps, lambda s, cell=zone.cell: takes_from(s, cell), game)  # type: ignore[misc]
        if takes and not any(fills(part, zone.cell) for part in inside):
            return f"every round takes from `{zone.name}`, and nothing in it puts anything back"
    for variable in game.variables.values():
        if variable.type.is_set and variable.owner is None and empties(loop, variable.cell, procedure, inside, game):
            return f"every round takes somebody or something out of `{variable.name}`, and nothing in it adds to it"
    return None


def takes_from(statement: ir.Statement, cell: int) -> bool:
    if not isinstance(statement, ir.Move) or statement.kind not in ("top", "random"):
        return False
    return statement.source is not None and statement.source.cell == cell and statement.to.cell != cell


def fills(part: object, cell: int) -> bool:
    return isinstance(part, ir.Move) and part.to.cell == cell


def empties(loop: ir.Repeat, cell: int, procedure: Procedure, inside: list[object], game: Game) -> bool:
    """A member is taken out; before the next round, another is chosen from what is left."""
    for number, step in enumerate(loop.steps):
        out = step.statement
        if not isinstance(out, ir.ChangeSet) or out.adds or out.place.cell != cell or step.patched != ir.Patched():
            continue
        if not isinstance(out.element, ir.Local):
            return False
        slot = out.element.slot
        others = [p for p in inside if p is not out and changes(p, cell)]
        chosen = [p for p in walk(procedure) if isinstance(p, ir.Assign) and p.place.slot == slot]
        rest = loop.steps[number + 1 :]
        again = surely(rest, lambda s, slot=slot: sets(s, slot), game)  # type: ignore[misc]
        return not others and again and all(from_set(assign, cell) for assign in chosen)
    return False


def sets(statement: ir.Statement, slot: int) -> bool:
    return isinstance(statement, ir.Assign) and statement.place.slot == slot


def changes(part: object, cell: int) -> bool:
    return isinstance(part, ir.ChangeSet | ir.Assign) and part.place.cell == cell


def from_set(assign: ir.Assign, cell: int) -> bool:
    asked = assign.value
    return (
        isinstance(asked, ir.Asked) and not asked.may and isinstance(asked.group, ir.Read) and asked.group.cell == cell
    )


def surely(steps: tuple[ir.Step, ...], test: Test, game: Game) -> bool:
    """Whether every way through the steps passes such a statement, or leaves the loop."""
    return any(surely_step(step, test, game) for step in steps)


def surely_step(step: ir.Step, test: Test, game: Game) -> bool:
    if step.patched.instead:
        return False  # something else may stand in its place
    statement = step.statement
    if test(statement):
        return True
    match statement:
        case ir.Stop() | ir.End():
            return True
        case ir.When(steps=steps, otherwise=otherwise):
            return surely(steps, test, game) and surely(otherwise, test, game)
        case ir.Choose(options=options):
            return all(surely(option.steps, test, game) for option in options)
        case ir.Call(procedure=name):
            return surely(game.procedures[name].steps, test, game)
        case _:
            return False


def everything(steps: tuple[ir.Step, ...], game: Game) -> Iterator[object]:
    """All that can run inside of steps, called procedures and handlers included."""
    seen: set[str] = set()
    todo: list[object] = [steps]
    while todo:
        for part in walk(todo.pop()):
            yield part
            names: tuple[str, ...] = ()
            if isinstance(part, ir.Call):
                names = (part.procedure,)
            elif isinstance(part, ir.Fire):
                names = game.signals[part.signal].handlers
            for name in names:
                if name not in seen:
                    seen.add(name)
                    todo.append(game.procedures[name])
