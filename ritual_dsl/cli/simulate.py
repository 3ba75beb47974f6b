"""`ritual simulate`: play many games and count what their rules declare.

In: game references. Out: a table, JSON or CSV on stdout; perhaps a plot.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from ritual_dsl.cli import CLEAN, FAULTS, INTERRUPTED, seed_number
from ritual_dsl.diagnostics import has_errors
from ritual_dsl.diagnostics.human import report as report_findings
from ritual_dsl.plots import check_plot, write_plot
from ritual_dsl.simulation import simulate
from ritual_dsl.simulation.report import as_csv, as_json, panels, table

HELP = """
Several games are shown side by side. What is counted is declared in the rules (`measure …`). The same
seed gives the same figures, whatever the number of workers. Ctrl-C shows the results so far.

example: ritual simulate my_game my_game+long_night --games 100000 --players 3-5 --plot out.svg
"""
FORMATS = {"table": table, "json": as_json, "csv": as_csv}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games_to_play", metavar="GAME", nargs="+", help="a game reference; several are compared")
    parser.add_argument("--games", metavar="N", type=int, help="how many games of each (default: 1000)")
    parser.add_argument("--players", metavar="N", help="a number, or a range such as 3-5 (default: 5, if possible)")
    parser.add_argument("--seed", metavar="S", type=seed_number, default=0, help="of all chance (default: 0)")
    parser.add_argument("--bots", metavar="B", default="random", help="random, or one for each seat with commas")
    parser.add_argument("--workers", metavar="N", type=int, help="processes (default: one for each core)")
    parser.add_argument("--on", metavar="dask:ADDRESS", help="play on a cluster (extra `dask`)")
    parser.add_argument("--until", metavar="P%", help="until the intervals are that small: 0.2%%, or MEASURE=0.2%%")
    parser.add_argument("--engine", metavar="E", default="auto", help="auto (default), interpreter, compiled or numba")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="write an image, .svg or .png")
    parser.add_argument("--format", choices=tuple(FORMATS), default="table")
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="short for --format json")
    parser.add_argument("--csv", dest="format", action="store_const", const="csv", help="short for --format csv")


def run(args: argparse.Namespace) -> int:
    if args.plot is not None:
        check_plot(args.plot)
    progress = Progress() if sys.stderr.isatty() else None
    done = simulate(
        args.games_to_play,
        games=args.games,
        players=args.players,
        seed=args.seed,
        bots=args.bots,
        workers=args.workers,
        until=args.until,
        engine=args.engine,
        on=args.on,
        progress=progress,
    )
    if progress is not None:
        progress.clear()
    print(FORMATS[args.format](done).rstrip("\n"))
    if done.interrupted:
        print("interrupted: these are the results so far", file=sys.stderr)
    if done.notes:
        print(report_findings(done.notes), file=sys.stderr)
    if args.plot is not None and any(s.sums.games for s in done.series):
        write_plot(args.plot, panels(done))
    if done.interrupted:
        return INTERRUPTED
    return FAULTS if has_errors(done.notes) else CLEAN


class Progress:
    """One line on the terminal: how far, and how long yet."""

    def __init__(self) -> None:
        self.begun: float | None = None  # when the first games were done
        self.first = 0  # how many those were
        self.shown = 0.0
        self.say("making ready")  # which takes a while where machine code is made

    def __call__(self, games: int, wanted: int | None) -> None:
        now = time.monotonic()
        if self.begun is None:
            if games:
                self.begun, self.first = now, games
            return
        seconds = now - self.begun
        if seconds < 1 or now - self.shown < 0.2:
            return
        self.shown = now
        words = f"{games:,} games, {seconds:.0f} s so far"
        if wanted:
            left = seconds * (wanted - games) / max(1, games - self.first)
            words = f"{games:,} of {wanted:,} games, {left:.0f} s left"
        self.say(words)

    def say(self, words: str) -> None:
        print(f"\r{words}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        self.say("")
