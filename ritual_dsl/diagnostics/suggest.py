"""Did you mean …: the nearest of the known names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

NEAR = 0.6
MANY = 1000


def near_miss(wrong: str, known: Iterable[str]) -> str | None:
    """A question to put behind a message, or None when nothing is near."""
    close = difflib.get_close_matches(wrong[:80], worth_comparing(wrong[:80], known), n=1, cutoff=NEAR)
    return f"did you mean `{close[0]}`?" if close else None


def worth_comparing(wrong: str, known: Iterable[str]) -> list[str]:
    """Names whose length lets them be near; of very many, those that begin alike."""
    least, most = len(wrong) * NEAR / (2 - NEAR), len(wrong) * (2 - NEAR) / NEAR
    names = [name for name in dict.fromkeys(known) if least <= len(name) <= most]
    if len(names) > MANY:
        names = [name for name in names if name[:2] == wrong[:2]][:MANY]
    return names


def listing(names: Iterable[str], most: int = 8) -> str:
    """`a`, `b` or `c`: the names that would have been right, a long list cut short."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > most:
        return ", ".join(quoted[:most]) + f" … ({len(quoted)} in all)"
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + " or " + quoted[-1]
