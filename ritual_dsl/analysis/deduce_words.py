"""A deduction, in words and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ritual_dsl.analysis.deduce import Deduction, Hidden
from ritual_dsl.analysis.story import Objection

BAR = 24


def as_text(found: Deduction) -> str:
    lines = [f"{found.game}, as {found.eyes} sees it"]
    lines.append(f"{found.consistent:,} of {found.worlds:,} worlds told apart agree with everything that was seen")
    lines += [f"left out: the assumption `{label}`: {why_not}" for label, why_not in found.left_out.items()]
    for hidden in found.hidden:
        lines += ["", f"{hidden.name}:", *values(hidden.sound)]
        kept = [label for label in found.assumptions if label not in found.left_out]
        if hidden.assumed is not None and kept:
            lines += [f"  if we assume: {'; '.join(kept)}", *values(hidden.assumed, "    ")]
        lines += [f"  not {value}: {why(reason)}" for value, reason in hidden.excluded.items()]
    if not found.hidden:
        lines += ["", "nothing is hidden that could be told apart"]
    return "\n".join(lines)


def values(weights: dict[str, Fraction], indent: str = "  ") -> list[str]:
    width = max((len(value) for value in weights), default=0)
    return [
        f"{indent}{value:<{width}}  {share!s:>9}  {float(share):6.1%}  {'█' * round(BAR * share)}".rstrip()
        for value, share in weights.items()
    ]


def why(reason: Objection) -> str:
    return reason.text + (f": {', '.join(reason.clauses)}" if reason.clauses else "")


def as_json(found: Deduction) -> dict[str, Any]:
    return {
        "game": found.game,
        "as": found.eyes,
        "worlds": found.worlds,
        "consistent": found.consistent,
        "assumptions": [{"text": a, "left_out": found.left_out.get(a)} for a in found.assumptions],
        "hidden": {hidden.name: hidden_json(hidden) for hidden in found.hidden},
    }


def hidden_json(hidden: Hidden) -> dict[str, Any]:
    body: dict[str, Any] = {"values": fractions(hidden.sound)}
    if hidden.assumed is not None:
        body["assumed"] = fractions(hidden.assumed)
    body["excluded"] = {
        value: [{"reason": reason.text, "clauses": list(reason.clauses)}] for value, reason in hidden.excluded.items()
    }
    return body


def fractions(weights: dict[str, Fraction]) -> dict[str, str]:
    return {value: f"{share.numerator}/{share.denominator}" for value, share in weights.items()}
