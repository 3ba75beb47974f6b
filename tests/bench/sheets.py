"""How long sheets take: `python tests/bench/sheets.py [GAME…]`. A build from a cold start, and edits under --watch."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from ritual_dsl import load
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.watch import Watcher

EDITS = 7


def build(game: str, folder: Path) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "ritual_dsl", "build", game], cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - started


def edits(game: str, folder: Path, sheet: str, format: str) -> float:
    """The median time from an edit of a card's text to the new sheet on disk and on the page."""
    card = next(card for card in load(game).cards.values() if not card.piece)
    house = folder / "house.yaml"

    def write(words: str) -> None:
        house.write_text(f"extends: {game}\nid: ours\ncards:\n  {card.id}:\n    text: {{en: {words}}}\n", "utf-8")

    write("First.")
    watcher = Watcher(str(house), "en", sheet, format, folder / "out", Options())
    taken = []
    try:
        watcher.look()
        for number in range(EDITS):
            write(f"Edit {number}.")
            started = time.perf_counter()
            assert watcher.look() and not watcher.board.problems
            taken.append(time.perf_counter() - started)
    finally:
        watcher.workshop.close()
    return median(taken)


def main(games: list[str]) -> None:
    for game in games:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{game}: build {build(game, Path(folder)):.1f} s")
            for sheet in ("cards", "rules", "aid", "tokens", "all"):
                seconds = edits(game, Path(folder), sheet, "html,pdf")
                print(f"{game}: an edit of {sheet}, HTML and PDF {seconds:.2f} s")


if __name__ == "__main__":
    main(sys.argv[1:] or ["arkham_ritual", "shipwreck_arcana"])
