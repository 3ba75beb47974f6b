"""Assumptions: what may be taken for granted when somebody's play is read.

In: the `assume …` declarations of all texts, and the procedures in which choices are made. Out: resolved assumptions.
"""

from __future__ import annotations

from collections.abc import Iterable

from ritual_dsl.diagnostics import near_miss
from ritual_dsl.model import ir
from ritual_dsl.model.expressions import Expressions
from ritual_dsl.model.game import Assumption, Procedure
from ritual_dsl.model.names import open_scope
from ritual_dsl.model.patches import Text
from ritual_dsl.model.walk import walk
from ritual_dsl.syntax import nodes as n


def resolve_assumptions(
    texts: Iterable[Text], expressions: Expressions, procedures: Iterable[Procedure]
) -> dict[str, Assumption]:
    parts = (part for procedure in procedures for part in walk(procedure))
    labels = {part.label for part in parts if isinstance(part, ir.Asked | ir.Choose)}
    found: dict[str, Assumption] = {}
    for item in [item for text in texts if text.card is None for item in text.items]:
        if not isinstance(item, n.AssumeDecl) or item.name not in expressions.names.assumptions:
            continue
        if item.choice not in labels:
            hint = near_miss(item.choice, labels)
            expressions.found.say("RIT339", f"nobody is asked `{item.choice}`", item.span, help=hint)
        params = expressions.names.assumptions[item.name]
        scope = open_scope(params, None)
        body = expressions.truth(item.body, scope)
        used = scope.slots.used
        found[item.name] = Assumption(item.name, params, item.choice, body, used, item.cites, item.span)
    return found
