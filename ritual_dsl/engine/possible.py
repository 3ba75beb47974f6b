"""What may happen at any time, as far as a player can tell: for a terminal to list.

In: a run and whose eyes. Out: the procedures that nothing these eyes see rules out.
"""

from __future__ import annotations

from itertools import islice, product
from typing import Any

from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.evaluate import Evaluator
from ritual_dsl.engine.permission import names_for
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.views import Seat, sees
from ritual_dsl.model import ir
from ritual_dsl.model.game import Procedure, Variable, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.model.walk import cells_read

MOST_TRIED = 1000  # inputs that are tried to learn whether something could happen


def possible(run: Run, seat: Seat) -> list[Procedure]:
    return [p for p in run.game.procedures.values() if p.any_time and could_happen(run, p, seat)]


def could_happen(run: Run, procedure: Procedure, seat: Seat) -> bool:
    """With some inputs. What the seat does not see is not told by what is listed."""
    condition = procedure.only_when
    values = [candidates(run, type) for _, type in procedure.params]
    if condition is None or any(v is None for v in values) or asks_hidden(run, condition, seat):
        return True
    tried = list(islice(product(*(v for v in values if v is not None)), MOST_TRIED + 1))
    evaluator = Evaluator(run.game)
    work = run.state.work
    try:
        return len(tried) > MOST_TRIED or any(
            evaluator.applies(condition, run.state, names_for(procedure, args)) for args in tried
        )
    except RitualError:
        return True  # what is wrong with it is said where somebody asks for it
    finally:
        run.state.work = work  # nothing of the game has been asked


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


def asks_hidden(run: Run, condition: ir.Expr, seat: Seat) -> bool:
    """Whether it depends on something that the seat does not see; how many lie somewhere, everybody sees."""
    cells = cells_read(condition, run.game, faces_only=True)
    declarations: list[Zone | Variable] = [*run.game.zones.values(), *run.game.variables.values()]
    for declared in declarations:
        owners = range(len(run.state.cells[declared.cell])) if declared.owner is not None else (None,)
        if declared.cell in cells and not all(
            sees(run, seat, run.machine.audience(declared.audience, owner, run.state)) for owner in owners
        ):
            return True
    return False
