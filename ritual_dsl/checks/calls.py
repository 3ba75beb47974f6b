"""Rules and procedures that call each other in a circle would never end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.model import ir
from ritual_dsl.model.game import Entry, Game, Procedure, Rule
from ritual_dsl.model.walk import rules_used, walk, watched_cells

Patch = Entry | ir.Block


def circular_calls(game: Game, found: Findings) -> None:
    rules = {name: sorted(rules_used(rule)) for name, rule in game.rules.items()}
    procedures = {name: sorted(procedures_run(p, game)) for name, p in game.procedures.items()}
    report(rules, game.rules, "rule", rules_used, found)
    report(procedures, game.procedures, "procedure", lambda part: procedures_run(part, game), found)


def endless_watches(game: Game, found: Findings) -> None:
    """What runs as soon as something holds must not change what it looks at."""
    for procedure in game.procedures.values():
        if procedure.watch is None:
            continue
        watched = watched_cells(procedure, game)
        for name in sorted(reachable(procedure.name, game)):
            for part in walk(game.procedures[name]):
                if not watched.isdisjoint(cells_changed(part)) and isinstance(part, ir.StatementBase):
                    message = f"`{procedure.name}` changes what it watches, and would run again and again"
                    found.say("RIT353", message, part.span, related=[Related("it watches this", procedure.span)])


def reachable(start: str, game: Game) -> set[str]:
    """A procedure and all that can run while it runs."""
    seen, todo = {start}, [start]
    while todo:
        for following in procedures_run(game.procedures[todo.pop()], game) - seen:
            seen.add(following)
            todo.append(following)
    return seen


def cells_changed(part: object) -> set[int]:
    match part:
        case ir.Assign(place=place) | ir.ChangeSet(place=place) | ir.Shuffle(place=place):
            return {place.cell} if place.cell is not None else set()
        case ir.Move(source=source, to=to):
            return {place.cell for place in (source, to) if place is not None and place.cell is not None}
        case ir.Change(lines=lines):
            return {line.cell for line in lines}
    return set()


def procedures_run(thing: object, game: Game) -> set[str]:
    """What a procedure or its steps call, the handlers of their triggers included."""
    run: set[str] = set()
    for part in walk(thing):
        if isinstance(part, ir.Call):
            run.add(part.procedure)
        elif isinstance(part, ir.Fire):
            run.update(game.signals[part.signal].handlers)
    return run


def report(
    calls: dict[str, list[str]],
    things: dict[str, Rule] | dict[str, Procedure],
    what: str,
    called: Callable[[Patch], set[str]],
    found: Findings,
) -> None:
    done: set[str] = set()
    for start in calls:
        circle = find_circle(start, calls, done)
        if circle:
            way = " → ".join([*circle, circle[0]])
            message = f"this {what} comes back to itself: {way}"
            spans = [things[name].span for name in circle]
            patch = next(closing_patches(circle, things, called), None)
            if patch is not None:
                message, spans = f"with this patch a {what} comes back to itself: {way}", [patch.span, *spans]
            related = [Related("part of the circle", span) for span in spans[1:]]
            found.say("RIT350", message, spans[0], related=related)


def closing_patches(
    circle: list[str], things: dict[str, Rule] | dict[str, Procedure], called: Callable[[Patch], set[str]]
) -> Iterator[Patch]:
    """The patches through which a circle goes."""
    for name, following in zip(circle, [*circle[1:], circle[0]], strict=True):
        for part in walk(things[name]):
            if isinstance(part, Entry | ir.Block) and part.origin and following in called(part):
                yield part


def find_circle(start: str, calls: dict[str, list[str]], done: set[str]) -> list[str]:
    """Depth first, without recursion; nodes once finished are not looked at again."""
    path: list[str] = []
    todo: list[tuple[str, Iterable[str]]] = []

    def open_node(name: str) -> None:
        path.append(name)
        todo.append((name, iter(calls.get(name, ()))))

    if start in done:
        return []
    open_node(start)
    while todo:
        name, rest = todo[-1]
        following = next(iter(rest), None)
        if following is None:
            todo.pop()
            path.pop()
            done.add(name)
        elif following in path:
            done.update(path)
            return path[path.index(following) :]
        elif following not in done and following in calls:
            open_node(following)
    return []
