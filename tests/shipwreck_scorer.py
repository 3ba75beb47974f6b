"""An independent model of The Shipwreck Arcana, written from the rulebook and the list of cards.

In: values of fates, names of cards. Out: what each arcana accepts, where a pair may go, what a turn brings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

HOURS_CARD = "the_hours"
LAST = 7
FATES = range(1, LAST + 1)
Condition = Callable[[int, int, Collection[int]], bool]


@dataclass(frozen=True)
class Arcana:
    moons: int
    power: str
    accepts: Condition  # the fate played, the fate kept, the values that lie in sight
    free: bool = False  # fades without doom


def among(low: int, high: int) -> Condition:
    return lambda p, k, v: low <= p <= high and not low <= k <= high


CARDS: dict[str, Arcana] = {
    "dawn": Arcana(3, "higher_than", lambda p, k, v: p > k),
    "midnight": Arcana(3, "higher_than", lambda p, k, v: p < k),
    "the_deep": Arcana(3, "higher_than", lambda p, k, v: p + k <= 5),
    "leviathan": Arcana(4, "discard_lower", lambda p, k, v: p + k >= 11),
    "the_belltower": Arcana(2, "discard_lower", lambda p, k, v: p + k in (3, 6, 9, 12)),
    "the_shore": Arcana(4, "discard_lower", lambda p, k, v: abs(p - k) in (4, 5, 6)),
    "the_beast": Arcana(1, "twice", lambda p, k, v: abs(p - k) == 1),
    "the_huntress": Arcana(1, "twice", lambda p, k, v: abs(p - k) == 2),
    "the_mirror": Arcana(1, "twice", lambda p, k, v: p == k),
    "the_blind_man": Arcana(1, "in_147", lambda p, k, v: True, free=True),
    "the_chalice": Arcana(2, "in_147", lambda p, k, v: True),
    "the_engine": Arcana(3, "in_567", lambda p, k, v: p in (2 * k, 3 * k) or k in (2 * p, 3 * p)),
    "the_lord": Arcana(3, "in_567", among(5, 7)),
    "the_judge": Arcana(3, "in_345", lambda p, k, v: p % 2 == k % 2),
    "the_noble": Arcana(3, "in_345", among(3, 5)),
    "the_servant": Arcana(2, "in_123", among(1, 3)),
    "the_stranger": Arcana(3, "in_123", lambda p, k, v: p % 2 != k % 2),
    "the_prophet": Arcana(2, "cycle", lambda p, k, v: k in v),
    "the_rider": Arcana(2, "cycle", lambda p, k, v: p != k and not {p, k} & set(v)),
    "the_key": Arcana(3, "old", lambda p, k, v: 7 <= p + k <= 9),
}


def hours(fate: int) -> int:
    return 1 if fate <= 3 else 2 if fate <= 6 else 3


def plays(row: Sequence[str], pair: tuple[int, int], seen: Collection[int]) -> dict[int, list[str]]:
    """For each fate that may be played, the cards it may be put on: arcana, or The Hours if no arcana takes either."""
    orders = (pair, pair[::-1])
    found = {p: [card for card in row if card in CARDS and CARDS[card].accepts(p, k, seen)] for p, k in orders}
    allowed = {p: cards for p, cards in found.items() if cards}
    return allowed or {p: [HOURS_CARD] for p in found}


@dataclass(frozen=True)
class Ended:
    score: int
    doom: int
    faded: tuple[str, ...]


def end_of_turn(
    row: Sequence[str], lying: Mapping[str, Sequence[int]], kept: int, said: Sequence[int], score: int, doom: int
) -> Ended:
    """Resolving the predictions and fading; the game stops at the seventh point or the seventh doom."""
    right = kept in said
    score += right
    doom += bool(said) and not right
    faded: list[str] = []
    for card in row:
        if max(score, doom) >= LAST:
            break
        if card in CARDS and sum(map(hours, lying.get(card, ()))) >= CARDS[card].moons:
            faded.append(card)
            doom += 0 if right or CARDS[card].free else 2
    return Ended(score, min(doom, LAST), tuple(faded))
