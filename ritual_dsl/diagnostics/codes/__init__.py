"""The table of codes: what each finding means, with a bad and a good example.

In: nothing. Out: `CODES`, which gives every `Diagnostic` its severity, `ritual explain` its words,
and `docs/diagnostics/` its pages.
Numbers by hundreds: 1 files, 2 syntax, 3 names, types and checks, 4 patches, 5 play, 6 scenarios and sheets,
7 saves, 9 faults.
"""

from __future__ import annotations

from ritual_dsl.diagnostics.codes import (
    analysis,
    files,
    game,
    house,
    lints,
    names,
    patches,
    play,
    scenarios,
    settings,
    sheets,
    simulation,
    syntax,
    tools,
)
from ritual_dsl.diagnostics.codes.entry import Code, Severity

__all__ = ["CODES", "TABLE", "Code", "Severity"]

TABLE: tuple[Code, ...] = (
    *files.TABLE,
    *settings.TABLE,
    *syntax.TABLE,
    *names.TABLE,
    *game.TABLE,
    *patches.TABLE,
    *lints.TABLE,
    *play.TABLE,
    *scenarios.TABLE,
    *house.TABLE,
    *analysis.TABLE,
    *sheets.TABLE,
    *simulation.TABLE,
    *tools.TABLE,
)
CODES: dict[str, Code] = {entry.code: entry for entry in TABLE}
