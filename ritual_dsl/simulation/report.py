"""Results for readers: a table, JSON, CSV, and panels to plot.

In: a `Simulation`. Out: text, or panels for `plots`.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from ritual_dsl.plots import Mark, Panel, Strand
from ritual_dsl.simulation import Simulation
from ritual_dsl.simulation.figures import Figure, MeasureFigures
from ritual_dsl.simulation.series import Series
from ritual_dsl.simulation.verdict import compare, number, sentences

SERIES = ("game", "players", "games", "seed", "bots", "engine")
COLUMNS = (*SERIES, "measure", "key", "samples", "mean", "sd", "low", "high")


def table(simulation: Simulation) -> str:
    """All series side by side, one line for each figure, and the verdict below."""
    series = [s for s in simulation.series if s.sums.games]
    if not series:
        return "no game was played"
    lines = [f"[{i}] {heading(s)}" for i, s in enumerate(series, 1)]
    rows = [["", *(f"[{i}]" for i in range(1, len(series) + 1))], *figure_rows(series)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines.append("")
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    said = sentences(compare(series))
    return "\n".join([*lines, *([""] if said else []), *said])


def heading(s: Series) -> str:
    rate = s.sums.games / s.seconds if s.seconds else 0
    played = f"{s.sums.games:,} games, seed {s.seed}, bots {s.bots}"
    return f"{s.name}: {played}; {s.engine}, {s.seconds:.1f} s, {rate:,.0f} games/s"


def figure_rows(series: list[Series]) -> list[list[str]]:
    """A line for each measure, or one for each of its keys; in brackets the 95 % interval."""
    found = [s.figures() for s in series]
    rows: list[list[str]] = []
    for name in dict.fromkeys(name for figures in found for name in figures):
        measures = [figures.get(name) for figures in found]
        keys = dict.fromkeys(key for m in measures if m is not None for key in m.figures)
        if any(m is not None and m.keyed for m in measures):
            rows.append([name, *("" for _ in series)])
        for key in sorted(keys, key=lambda k: key_order(series, name, k)):
            rows.append([f"  {key}" if key else name, *(cell(m, key) for m in measures)])
        if not keys:
            rows.append([name, *("no sample" for _ in series)])
    return rows


def key_order(series: list[Series], measure: str, key: str) -> tuple[int, str]:
    for s in series:
        for rows in s.rows:
            if rows.measure.name == measure and key in rows.names:
                return rows.names.index(key), ""
    return 0, key


def cell(measure: MeasureFigures | None, key: str) -> str:
    figure = measure.get(key) if measure is not None else None
    if measure is None or figure is None:
        return "-"
    mean = number(figure.mean, measure.is_share)
    if figure.interval is None:
        return f"{mean} [?]"
    low, high = (number(end, measure.is_share).removesuffix(" %") for end in figure.interval)
    return f"{mean} [{low}, {high}]"


def as_json(simulation: Simulation) -> str:
    """One object for one series; for several a list of them, and how they differ."""
    results = [series_json(s) for s in simulation.series]
    if len(results) == 1:
        return json.dumps(results[0], indent=1, ensure_ascii=False)
    played = [s for s in simulation.series if s.sums.games]
    differences = [c.to_json() for c in compare(played)]
    return json.dumps({"results": results, "differences": differences}, indent=1, ensure_ascii=False)


def series_json(s: Series) -> dict[str, Any]:
    seconds = max(s.seconds, 1e-9)
    return {
        "game": s.game.reference,
        "players": s.players,
        "games": s.sums.games,
        "seed": s.seed,
        "bots": s.bots,
        "engine": s.engine,
        "seconds": s.seconds,
        "games_per_second": s.sums.games / seconds,
        "decisions_per_second": s.sums.decisions / seconds,
        "measures": {name: measure.to_json() for name, measure in s.figures().items()},
    }


def as_csv(simulation: Simulation) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for s in simulation.series:
        head = (s.game.reference, s.players, s.sums.games, s.seed, s.bots, s.engine)
        for name, measure in s.figures().items():
            for key, f in measure.figures.items():
                writer.writerow((*head, name, key, f.samples, f.mean, f.sd, *(f.interval or ("", ""))))
    return out.getvalue()


def panels(simulation: Simulation) -> list[Panel]:
    """A panel for each measure: a line where the keys are numbers, else a mark for each key."""
    series = [s for s in simulation.series if s.sums.games]
    found = [s.figures() for s in series]
    result = []
    for name in dict.fromkeys(name for figures in found for name in figures):
        strands = []
        is_share = False
        for s, figures in zip(series, found, strict=True):
            measure = figures.get(name)
            if measure is not None and measure.figures:
                is_share = measure.is_share
                strands.append(Strand(s.name, tuple(mark(k, f) for k, f in measure.figures.items())))
        if strands:
            result.append(Panel(name, tuple(strands), is_share))
    return result


def mark(key: str, f: Figure) -> Mark:
    low, high = f.interval or (f.mean, f.mean)
    return Mark(key, f.mean, low, high, is_known=f.interval is not None)
