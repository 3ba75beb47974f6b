"""What counts: findings that are not allowed, not in the baseline, and not switched off.

In: what the passes said, the comments of the files, the user's settings. Out: what is left, and what was silenced.
Only warnings can be allowed or switched off: a game with errors does not run, whatever a comment says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from ritual_dsl.diagnostics import Diagnostic, Findings, Fix, has_errors, near_miss, ordered
from ritual_dsl.diagnostics.allow import Allow
from ritual_dsl.diagnostics.codes import CODES, Severity

Level = Severity | Literal["off"]


@dataclass(frozen=True, slots=True)
class Silenced:
    """A finding that does not count, and who says so."""

    finding: Diagnostic
    by: Literal["allow", "baseline"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """Findings in their order, those that were silenced, and how many questions were not decided."""

    counted: tuple[Diagnostic, ...] = ()
    silenced: tuple[Silenced, ...] = ()
    undecided: int = 0


def settle(found: Findings, is_own: Callable[[str], bool] = lambda path: True) -> Judged:
    """Apply the comments of the files. Those that do nothing are findings, in files that are `is_own`."""
    allows = {allow.key: allow for allow in found.allows if not fault_of(allow)}
    used: set[Allow] = set()
    counted: list[Diagnostic] = []
    silenced: list[Silenced] = []
    for d in ordered(found):
        allow = allows.get((d.span.path, d.span.line, d.code)) if d.span else None
        if allow is None:
            counted.append(d)
        else:
            used.add(allow)
            silenced.append(Silenced(d, "allow", allow.reason))
    own = [allow for allow in dict.fromkeys(found.allows) if is_own(allow.span.path) and allow not in used]
    complete = not has_errors(found)  # after an error some checks did not run
    return Judged(tuple(ordered([*counted, *about(own, complete)])), tuple(silenced), found.undecided)


def about(allows: Iterable[Allow], complete: bool) -> Iterable[Diagnostic]:
    for allow in allows:
        fault = fault_of(allow)
        if fault is not None:
            yield Diagnostic("RIT152", fault[0], allow.span, fault[1])
        elif complete:
            message = f"there is no {allow.code} in line {allow.line} to allow"
            fix = Fix(allow.span, f"# {allow.reason}")  # the words of its author stay
            yield Diagnostic("RIT151", message, allow.span, fix=fix)


def fault_of(allow: Allow) -> tuple[str, str | None] | None:
    """Why a comment cannot count, and the way out."""
    if allow.code is None:
        return "this comment is not understood", "write `# ritual: allow CODE reason`"
    if allow.code not in CODES:
        return f"there is no code {allow.code}", near_miss(allow.code, CODES)
    if CODES[allow.code].severity == "error":
        return f"{allow.code} is an error, and only warnings can be allowed", None
    if not allow.reason:
        return f"{allow.code} is allowed without a reason", f"write `# ritual: allow {allow.code} reason`"
    return None


def weigh(judged: Judged, levels: Mapping[str, Level]) -> Judged:
    """Severities as the settings have them; what is off goes."""
    if not levels:
        return judged
    counted = [
        d if d.code not in levels else replace(d, level=level)
        for d in judged.counted
        if (level := levels.get(d.code, d.severity)) != "off"
    ]
    return replace(judged, counted=tuple(counted))
