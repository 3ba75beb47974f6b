"""Did you mean …: the nearest of the known names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near_miss(wrong: str, known: Iterable[str]) -> str | None:
    """A question to put behind a message, or None when nothing is near."""
    close = difflib.get_close_matches(wrong[:80], sorted(set(known)), n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else None


def listing(names: Iterable[str], most: int = 8) -> str:
    """`a`, `b` or `c`: the names that would have been right, a long list cut short."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > most:
        return ", ".join(quoted[:most]) + f" … ({len(quoted)} in all)"
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + " or " + quoted[-1]
