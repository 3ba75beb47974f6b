"""How long `ritual check` takes, cold, and how its cost grows with the number of cards.

    python tests/bench/check.py            # figures, and whether they are within the limits
    python tests/bench/check.py --runs 9

A person runs this on a quiet machine. Every figure comes from a process of its own. The limits: a
shipped game under 0.6 s; a card of 10,000 at most 1.3 times a card of 1,000, within 1 GB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from cards import write_game

SHIPPED_SECONDS = 0.6
GROWTH = 1.3
MEGABYTES = 1000
COMMAND = [sys.executable, "-m", "ritual_dsl", "check"]


@dataclass(frozen=True)
class Figure:
    wall: float
    cpu: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s   {self.cpu:6.2f} s of CPU   {self.megabytes:5.0f} MB"


def measure(target: str) -> Figure:
    """One check in a process of its own, which must find nothing."""
    start = time.perf_counter()
    process = subprocess.Popen([*COMMAND, target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    said = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit(f"{target} is not clean:\n{said[:2000]}")
    return Figure(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)


def best(target: str, runs: int) -> Figure:
    """The quickest of some runs: the one that others disturbed least."""
    return min((measure(target) for _ in range(runs)), key=lambda figure: figure.wall)


def card(figure: Figure, few: Figure, cards: int) -> float:
    """Milliseconds a card, without what it costs to start."""
    return (figure.cpu - few.cpu) / (cards - 25) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="runs of which the best counts (default 5)")
    runs = parser.parse_args().runs
    shipped = best("arkham_ritual", runs)
    print(f"arkham_ritual   {shipped}")
    with tempfile.TemporaryDirectory() as folder:
        few = best(str(write_game(Path(folder, "few"), 25)), runs)
        print(f"25 cards        {few}   mostly the start")
        thousand = best(str(write_game(Path(folder, "a"), 1_000)), runs)
        print(f"1,000 cards     {thousand}   {card(thousand, few, 1_000):.2f} ms for each more")
        many = best(str(write_game(Path(folder, "b"), 10_000)), min(runs, 2))
        print(f"10,000 cards    {many}   {card(many, few, 10_000):.2f} ms for each more")
    growth = card(many, few, 10_000) / card(thousand, few, 1_000)
    print(f"growth          {growth:.2f} times the cost of a card")
    kept = shipped.wall < SHIPPED_SECONDS and growth <= GROWTH and many.megabytes <= MEGABYTES
    print("within the limits" if kept else "BEYOND THE LIMITS")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
