"""Findings of old that do not count yet: a file that lists them.

In: findings, and a baseline. Out: which of them it covers; or the file itself. A finding is known again by its
code, its file and its message, so lines may move; two alike need two entries.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ritual_dsl.diagnostics import Diagnostic, Findings

VERSION = 1
Key = tuple[str, str, str]
Baseline = Counter[Key]


def key(d: Diagnostic, folder: Path) -> Key:
    """Paths are relative to the folder of the baseline, so that it can be committed."""
    path = Path(os.path.relpath(d.span.path, folder)).as_posix() if d.span else ""
    return (d.code, path, d.message)


def covered(found: Iterable[Diagnostic], baseline: Baseline, folder: Path) -> set[Diagnostic]:
    """Those that the baseline lists; of more than it lists, the first."""
    left = baseline.copy()
    known = set()
    for d in found:
        mark = key(d, folder)
        if left[mark] > 0:
            left[mark] -= 1
            known.add(d)
    return known


def text(found: Iterable[Diagnostic], folder: Path) -> str:
    tally = Counter(key(d, folder) for d in found)
    entries = [
        {"code": code, "path": path, "message": message, "count": count}
        for (code, path, message), count in sorted(tally.items())
    ]
    return json.dumps({"ritual_baseline": VERSION, "findings": entries}, ensure_ascii=False, indent=2) + "\n"


def parse(content: str, name: str, found: Findings) -> Baseline | None:
    """What a baseline lists; None, and a finding, if it is none."""
    try:
        data = json.loads(content)
        if data["ritual_baseline"] != VERSION:
            found.say("RIT153", f"{name} is a baseline of another version")
            return None
        return Counter({(str(e["code"]), str(e["path"]), str(e["message"])): int(e["count"]) for e in data["findings"]})
    except (ValueError, TypeError, KeyError, RecursionError):
        found.say("RIT153", f"{name} is not a baseline, or is damaged", help="write it with --write-baseline")
        return None
