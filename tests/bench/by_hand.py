"""Arkham Ritual by hand: the yardstick for the engines, as one would write it in Python without a rules language.

In: a number of games, where chance comes from, and a policy, which is asked for every decision. Out: what happened in
them. Five players, the deck of the rulebook. It shares no code with the package; `speed.py` checks that its figures
agree with those of the compiled game.

Chance comes from Python's `random`, whose generator is written in C, or from `Stream`, the generator that
`docs/how-it-works.md` asks of every engine, so that a seed and the number of a game give that game again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

PLAYERS = 5
MOST_SANITY = 7

Policy = Callable[[int, str, Sequence[Any]], Any]  # who is asked, what, and the options


class Kind(Enum):
    ARTIFACT = "artifact"
    EVENT = "event"
    CHARACTER = "character"
    GREAT_OLD_ONE = "great_old_one"


class Ended(Enum):
    ALL_PASSED = "all_passed"
    ELDER_SIGN = "elder_sign"
    GREAT_OLD_ONE = "great_old_one"
    DECK_EMPTY = "deck_empty"


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    kind: Kind
    is_cursed: bool = False
    artifact: str | None = None


class Stream:
    """The documented generator: splitmix64, draws by rejection, Fisher-Yates from the end."""

    MASK = (1 << 64) - 1
    GOLDEN = 0x9E3779B97F4A7C15

    def __init__(self, seed: int, stream: int) -> None:
        self.state = self.mix((self.mix(seed) + stream * self.GOLDEN) & self.MASK)

    def mix(self, z: int) -> int:
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            self.state = (self.state + self.GOLDEN) & self.MASK
            draw = self.mix(self.state)
            if draw < limit:
                return draw % bound

    def choice(self, options: Sequence[Any]) -> Any:
        return options[self.below(len(options))]

    def shuffle(self, items: list[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def make_deck() -> list[Card]:
    deck = []
    for artifact in ("candelabra", "chalice", "dagger", "idol", "tome"):
        sane = Card(f"{artifact}_sane", Kind.ARTIFACT, False, artifact)
        deck += [sane, sane, Card(f"{artifact}_cursed", Kind.ARTIFACT, True, artifact)]
    deck += [Card(name, Kind.EVENT) for name in ("elder_sign", "gate_1", "gate_2", "magical_orb")]
    deck += [Card(name, Kind.CHARACTER) for name in ("investigator", "cultist")]
    return [*deck, Card("cthulhu", Kind.GREAT_OLD_ONE, True)]


@dataclass
class Tally:
    """What is counted over many games."""

    games: int = 0
    rounds: int = 0
    turns: int = 0
    decisions: int = 0
    nobody_won: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)  # by card: held at the end of a scored round
    survived: Counter[str] = field(default_factory=Counter)


class Game:
    def __init__(self, deck: list[Card], chance: random.Random | Stream, policy: Policy, tally: Tally) -> None:
        self.all_cards = deck
        self.chance = chance
        self.policy = policy
        self.tally = tally
        self.sanity = [MOST_SANITY] * PLAYERS
        self.active: int | None = None
        self.deck: list[Card] = []
        self.hands: list[Card] = []

    def choose(self, who: int, label: str, options: Sequence[Any]) -> Any:
        """Ask the policy, unless there is nothing to decide."""
        if len(options) == 1:
            return options[0]
        self.tally.decisions += 1
        return self.policy(who, label, options)

    def play(self) -> None:
        while all(self.sanity):
            self.round()
        self.tally.games += 1
        self.tally.nobody_won += not any(self.sanity)

    def round(self) -> None:
        self.deck = self.all_cards.copy()
        self.chance.shuffle(self.deck)
        self.hands = [self.deck.pop() for _ in range(PLAYERS)]
        self.active = self.first_player()
        ended = None
        while ended is None:
            ended = self.turn(self.active)
        self.tally.rounds += 1
        self.tally.ended[ended.value] += 1
        if ended is not Ended.GREAT_OLD_ONE:
            self.score()

    def first_player(self) -> int:
        """At first as all agree; later whoever has least, the nearest behind the last active player."""
        if self.active is None:
            return int(self.choose(0, "first_active", range(PLAYERS)))
        least = min(self.sanity)
        return next(p for p in self.clockwise_after(self.active) if self.sanity[p] == least)

    def clockwise_after(self, start: int) -> list[int]:
        return [(start + step) % PLAYERS for step in range(1, PLAYERS + 1)]

    def turn(self, active: int) -> Ended | None:
        """One card goes round; returns how the round ended, if it did."""
        self.tally.turns += 1
        raised = [p for p in range(PLAYERS) if p != active]
        offer = self.deck.pop()
        target = self.choose(active, "offer_to", raised)
        while True:
            raised.remove(target)
            if self.choose(target, "answer", ("take", "pass" if raised else "refuse")) == "take":
                break
            if not raised:
                return Ended.ALL_PASSED
            target = self.choose(target, "pass_to", raised)
        discarded, self.hands[target] = self.hands[target], offer
        if discarded.kind is Kind.EVENT:
            ended = self.event(discarded, target)
            if ended is not None:
                return ended
        if not self.deck:
            return Ended.DECK_EMPTY
        self.active = next((p for p in self.clockwise_after(active) if p in raised), (active + 1) % PLAYERS)
        return None

    def event(self, card: Card, who: int) -> Ended | None:
        """What a discarded event does."""
        match card.name:
            case "elder_sign":
                return Ended.ELDER_SIGN
            case "gate_1" | "gate_2":
                return self.awaken()
            case "magical_orb" if self.deck and self.choose(who, "orb", ("keep", "remove")) == "remove":
                self.deck.pop()
        return None

    def awaken(self) -> Ended | None:
        """The Great Old One takes from all but its holder as many markers as there are others."""
        holder = next((p for p, card in enumerate(self.hands) if card.kind is Kind.GREAT_OLD_ONE), None)
        if holder is None:
            return None
        for p in range(PLAYERS):
            if p != holder:
                self.lose(p, PLAYERS - 1)
        return Ended.GREAT_OLD_ONE

    def lose(self, p: int, amount: int) -> None:
        self.sanity[p] = max(0, self.sanity[p] - amount)

    def score(self) -> None:
        reversed_ = any(card.name == "cultist" for card in self.hands)
        artifacts = Counter(card.artifact for card in self.hands if card.artifact is not None)
        fails = [card.is_cursed != reversed_ or artifacts[card.artifact] > 1 for card in self.hands]
        failures = sum(fails)
        for p, card in enumerate(self.hands):
            self.tally.held[card.name] += 1
            if fails[p]:
                self.lose(p, failures)
                continue
            self.tally.survived[card.name] += 1
            if card.name == "investigator":
                self.sanity[p] = min(MOST_SANITY, self.sanity[p] + 1)


def play(games: int, seed: int = 0, streams: bool = True) -> Tally:
    """Many games with bots to whom each option is as likely; with or without streams that can be repeated."""
    tally, deck = Tally(), make_deck()
    chance: random.Random | Stream = random.Random(seed)
    bot = chance

    def at_random(who: int, label: str, options: Sequence[Any]) -> Any:
        return bot.choice(options)

    for number in range(games):
        if streams:
            chance, bot = Stream(seed, number), Stream(seed, (1 << 32) + number)
        Game(deck, chance, at_random, tally).play()
    return tally
