"""How long exact odds take: every deck a game allows, for every number of players.

    python tests/bench/odds.py                    # Arkham Ritual
    python tests/bench/odds.py shipwreck_arcana
    python tests/bench/odds.py ./house.yaml

A person runs this on a quiet machine. A deck is one card of each slot. The times are those of the whole command but for
the start of Python: load, check, deal, run. The limit: 2 s for each deck and number of players.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from itertools import product
from statistics import median

import ritual_dsl

SECONDS = 2.0


def decks(reference: str) -> list[str]:
    """A reference for every way to fill the slots."""
    alternates = defaultdict(list)
    for card in ritual_dsl.load(reference).files.cards.values():
        if card.slot is not None:
            alternates[card.slot.text].append(card.id)
    return ["+".join((reference, *cards)) for cards in product(*alternates.values())]


def measure(deck: str, players: int) -> tuple[float, int, int]:
    """Seconds, deals and kinds of deals of one command."""
    start = time.perf_counter()
    found = ritual_dsl.odds(deck, players)
    return time.perf_counter() - start, found.blocks[0].deals, sum(block.kinds for block in found.blocks)


def main() -> int:
    reference = sys.argv[1] if len(sys.argv) > 1 else "arkham_ritual"
    low, high = ritual_dsl.load(reference).players
    found = decks(reference)
    worst = 0.0
    print(f"{reference}: {len(found)} decks")
    print(f"{'players':>7} {'deals':>15} {'kinds':>13} {'fastest':>8} {'median':>8} {'slowest':>8}  slowest deck")
    for players in range(low, high + 1):
        rows = {deck: measure(deck, players) for deck in found}
        times = [seconds for seconds, _, _ in rows.values()]
        kinds = [kinds for _, _, kinds in rows.values()]
        slowest = max(rows, key=lambda deck: rows[deck][0])
        worst = max(worst, *times)
        print(
            f"{players:>7} {rows[slowest][1]:>15,} {min(kinds):>6,}-{max(kinds):<6,}"
            f" {min(times):>6.2f} s {median(times):>6.2f} s {max(times):>6.2f} s  {slowest}"
        )
    print("within the limit" if worst < SECONDS else "BEYOND THE LIMIT")
    return 0 if worst < SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
