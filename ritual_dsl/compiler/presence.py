"""Which values may be absent: worked out before code is written, for names that are assigned to.

In: expressions, and what is known of the local names in them. Out: whether a value may be absent.
"""

from __future__ import annotations

from ritual_dsl.model import ir
from ritual_dsl.model.game import Entry, Game, Procedure, Variable, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.model.walk import walk

Maybe = dict[int, bool]


def assigned_slots(procedure: Procedure, game: Game, params: Maybe) -> dict[int, tuple[Type, bool]]:
    """The locals that steps bind or assign to: their types, and whether they may be absent."""
    assigned: dict[int, list[ir.Expr | ir.Asked]] = {}
    types: dict[int, Type] = {}
    for part in walk(procedure):
        match part:
            case ir.Assign(place=ir.Place(slot=int(slot)), value=value):
                assigned.setdefault(slot, []).append(value)
                if slot not in types or types[slot].kind == "none":
                    types[slot] = value.type
            case ir.ChangeSet(place=ir.Place(slot=int(slot))):
                assigned.setdefault(slot, [])
            case ir.Each(slot=slot, group=group):
                assigned.setdefault(slot, [])
                types[slot] = group.type.element()
    maybe = {slot: params.get(slot, False) for slot in assigned}
    changed = True
    while changed:
        changed = False
        for slot, values in assigned.items():
            if not maybe[slot] and any(may_be_absent(value, game, {**params, **maybe}) for value in values):
                maybe[slot] = changed = True
    return {slot: (types.get(slot, Type("set")), maybe[slot]) for slot in assigned}


def may_be_absent(e: ir.Expr | ir.Asked, game: Game, local: Maybe) -> bool:
    match e:
        case ir.Asked(may=may):
            return may
        case ir.Const(value=value):
            return value is None
        case ir.Local(slot=slot):
            return local.get(slot, False)
        case ir.Read(cell=cell):
            declared = next(d for d in game.declarations if d.cell == cell)
            if isinstance(declared, Zone):
                return declared.single
            return isinstance(declared, Variable) and declared.type.optional
        case ir.Ended() | ir.Holder() | ir.Top() | ir.First() | ir.Attribute():
            return True
        case ir.CallRule(rule=name, args=args):
            rule = game.rules[name]
            inputs = {i: may_be_absent(arg, game, local) for i, arg in enumerate(args)}
            bodies = [p.body for p in walk(rule) if isinstance(p, Entry) and p.body is not None]
            return rule.combination == "value" and any(may_be_absent(body, game, inputs) for body in bodies)
        case ir.Cases(rows=rows, otherwise=otherwise):
            return any(may_be_absent(value, game, local) for value in (*(v for _, v in rows), otherwise))
        case ir.OrElse(fallback=fallback):
            return may_be_absent(fallback, game, local)
        case _:
            return False
