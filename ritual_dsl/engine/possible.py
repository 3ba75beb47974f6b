"""What may happen at any time, as far as players can tell: for a terminal to list, and to accept from them.

In: a run and whose eyes. Out: the procedures that are theirs and that nothing these eyes see rules out; or a refusal
that tells them nothing they do not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from ritual_dsl.diagnostics import RitualError, fail
from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.permission import called, doers, names_for
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.views import Seat, eyes, sees
from ritual_dsl.model import ir
from ritual_dsl.model.game import Procedure, Variable, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.model.walk import cells_read, walk

MOST_TRIED = 1000  # inputs that are tried to learn whether something could happen


# ---- what is listed


def possible(run: Run, seat: Seat) -> list[Procedure]:
    """What one of those who look could do."""
    return [p for p in run.game.procedures.values() if p.any_time and could_happen(run, p, seat)]


def could_happen(run: Run, procedure: Procedure, seat: Seat) -> bool:
    """With some inputs. What the seat does not see is not told by what is listed."""
    if procedure.by is not None and asks_hidden(run, procedure.by, seat):
        return False
    values = [candidates(run, type) for _, type in procedure.params]
    untold = {slot for slot, told in enumerate(values) if told is None}  # inputs that cannot be tried one by one
    work = run.state.work
    try:
        return any(holds_for_some(run, procedure, seat, untold, [told or [None] for told in values]))
    except RitualError:
        return True  # what is wrong with it is said where somebody asks for it
    finally:
        run.state.work = work  # nothing of the game has been asked


def holds_for_some(
    run: Run, procedure: Procedure, seat: Seat, untold: set[int], values: list[list[Any]]
) -> Iterator[bool]:
    """For each choice of inputs whether it is theirs and its condition holds, as far as that can be told."""
    by, condition, evaluator = procedure.by, procedure.only_when, Evaluator(run.game)
    if by is not None and asks_input(by, untold):
        by = None
    if condition is not None and (untold or asks_hidden(run, condition, seat)):
        condition = None
    for args in islice(product(*values), MOST_TRIED):
        local = names_for(procedure, args)
        if by is None or doers(by, evaluator, run.state, local) & eyes(run, seat):
            yield condition is None or evaluator.applies(condition, run.state, local)
    yield next(islice(product(*values), MOST_TRIED, None), None) is not None  # more than can be tried


def candidates(run: Run, type: Type) -> list[Any] | None:
    """Every value of a type; None if they cannot be told one by one."""
    match type:
        case Type(is_set=True) | Type(kind="number", low=None):
            return None
        case Type(kind="truth"):
            return [False, True]
        case Type(kind="enum"):
            return list(run.game.values_of(type))
    return run.game.owners(type, run.state.players)


def asks_input(e: ir.Expr, slots: set[int]) -> bool:
    return any(isinstance(part, ir.Local) and part.slot in slots for part in walk(e))


def asks_hidden(run: Run, e: ir.Expr, seat: Seat) -> bool:
    """Whether it depends on something that the seat does not see; how many lie somewhere, everybody sees."""
    cells = cells_read(e, run.game, faces_only=True)
    declarations: list[Zone | Variable] = [*run.game.zones.values(), *run.game.variables.values()]
    for declared in declarations:
        owners = range(len(run.state.cells[declared.cell])) if declared.owner is not None else (None,)
        if declared.cell in cells and not all(
            sees(run, seat, run.machine.audience(declared.audience, owner, run.state)) for owner in owners
        ):
            return True
    return False


# ---- what is accepted


def allow(run: Run, procedure: Procedure, args: tuple[Any, ...], seat: frozenset[int]) -> None:
    """Refuse what is not theirs to do, before its condition is asked; and of what they do not see, tell nothing."""
    work = run.state.work
    try:
        if is_theirs(run, procedure, args, seat):
            allow_hidden(run, procedure, args, seat)
    finally:
        run.state.work = work  # nothing of the game has been asked


def is_theirs(run: Run, procedure: Procedure, args: tuple[Any, ...], seat: frozenset[int]) -> bool:
    """False where it is nobody's; a refusal where it is somebody else's."""
    by, call = procedure.by, called(run, procedure, args)
    if by is None:
        return True
    if asks_hidden(run, by, seat):
        raise fail("RIT509", f"who may do `{call}` depends on what {any_of(run, seat)} does not see", by.span)
    who = doers(by, Evaluator(run.game), run.state, names_for(procedure, args))
    if who and not who & seat:
        raise fail("RIT509", f"`{call}` is for {any_of(run, who)} to do, not for {any_of(run, seat)}", by.span)
    return bool(who)


def allow_hidden(run: Run, procedure: Procedure, args: tuple[Any, ...], seat: frozenset[int]) -> None:
    """Refuse it without a reason, where its condition asks what they do not see."""
    condition, local = procedure.only_when, names_for(procedure, args)
    if condition is None or not asks_hidden(run, condition, seat):
        return
    try:
        holds = Evaluator(run.game).applies(condition, run.state, local)
    except RitualError:
        holds = False  # that something is absent would tell, too
    if not holds:
        message = f"`{called(run, procedure, args)}` cannot happen now: why, depends on what {any_of(run, seat)}"
        raise fail("RIT512", f"{message} does not see", condition.span)


def any_of(run: Run, seats: frozenset[int]) -> str:
    return " or ".join(run.names[p] for p in sorted(seats))
