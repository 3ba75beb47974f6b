"""Two games on the same deals: how many come out differently, and the smallest that does.

In: two games and numbers of players. Out: `Comparison`. Deals are run through in kinds, as for odds. Where there are
too many kinds, and for counters that do not stand as at the start, states are sampled, and that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Any

from ritual_dsl.analysis.deals import Deals, Place, Table, Tell, copied, lay_out, silence
from ritual_dsl.analysis.odds import counted, observations, reported
from ritual_dsl.analysis.probe import OrderMatters, Probe, TooMuch
from ritual_dsl.analysis.symmetry import named
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine.chance import Chance
from ritual_dsl.engine.state import State, start_state
from ritual_dsl.model.game import Game, Odds

SAMPLES = 600  # states of each kind of question, where not all are run through
Hands = tuple[tuple[Place, str], ...]
Counts = dict[str, Any]


@dataclass(frozen=True)
class Apart:
    """A state that comes out differently: what is dealt, and the counters that do not stand as at the start."""

    players: int
    odds: Odds
    hands: Hands
    counters: Counts


@dataclass
class Verdict:
    """How two games compare on the deals of one declaration, for one number of players."""

    odds: Odds
    players: int
    deals: int  # that both games can have
    before: int  # all deals of each game
    after: int
    differing: int
    kinds: int
    exact: bool


@dataclass
class Comparison:
    verdicts: list[Verdict] = field(default_factory=list)
    smallest: Apart | None = None
    sampled: int = 0  # states with other counters that were tried
    only_sampled: bool = False  # the smallest was found among these
    unmatched: list[str] = field(default_factory=list)  # procedures of odds that only one game declares

    @property
    def proven_same(self) -> bool:
        return bool(self.verdicts) and all(v.exact and not v.differing for v in self.verdicts)


def compare(a: Game, b: Game, players: Sequence[int], tell: Tell = silence) -> Comparison:
    result = Comparison()
    pairs = list(matching(a, b, result))
    for count in players:
        for one, two in pairs:
            tell(f"{one.procedure or 'deal'}, {count} players")
            pair = Pair.of(a, one, b, two, count)
            verdict, apart = run_through(pair)
            result.verdicts.append(verdict)
            if result.smallest is None:
                result.smallest = apart
    if result.smallest is None:
        for count in players:
            for one, two in pairs:
                tell(f"{one.procedure or 'deal'}, {count} players, other counters")
                pair = Pair.of(a, one, b, two, count)
                result.sampled += SAMPLES
                if result.smallest is None:
                    result.smallest = try_counters(pair)
        result.only_sampled = result.smallest is not None
    return result


def matching(a: Game, b: Game, result: Comparison) -> Iterator[tuple[Odds, Odds]]:
    """Declarations of both games that deal and run the same."""
    theirs = {signature(odds): odds for odds in b.odds}
    ours = {signature(odds): odds for odds in a.odds}
    for key, odds in ours.items():
        if key in theirs:
            yield odds, theirs[key]
    result.unmatched = sorted({key[0] for key in ours.keys() ^ theirs.keys()})


def signature(odds: Odds) -> tuple[str, tuple[tuple[str, str, int], ...]]:
    return odds.procedure or "deal", tuple((deal.zone.name, deal.pile.name, deal.count) for deal in odds.deals)


@dataclass(frozen=True)
class Pair:
    """The same question to two games."""

    tables: tuple[Table, Table]
    players: int

    @classmethod
    def of(cls, a: Game, one: Odds, b: Game, two: Odds, players: int) -> Pair:
        before, after = (
            Table(game, odds, named(game, odds), start_state(game, players, Chance(0)))
            for game, odds in ((a, one), (b, two))
        )
        pair = cls((before, after), players)
        for name, value in pair.set_alike.items():
            after.state.cells[b.counters[name].cell] = copied(value)
        return pair

    @property
    def set_alike(self) -> Counts:
        """Counters that start otherwise in the second game; there they are set as in the first, where they can be."""
        before, after = self.tables
        found = {}
        for name, counter in before.game.counters.items():
            other = after.game.counters.get(name)
            if other is None or other.owner != counter.owner or other.starts == counter.starts:
                continue
            if other.low <= counter.starts <= other.high:
                found[name] = before.state.cells[counter.cell]
        return found

    @cached_property
    def special(self) -> set[str]:
        """Cards that do something by themselves."""
        return {card for table in self.tables for card in with_rules(table.game)}

    def probes(self, exchanging: bool) -> tuple[Probe, Probe]:
        one, two = (Probe(table.game, table.odds, exchanging) for table in self.tables)
        return one, two

    def differs(self, probes: tuple[Probe, Probe], hands: Hands, counters: Counts | None = None) -> int:
        """In how many figures the games differ."""
        one, two = (
            outcome(table, probe, hands, counters or {}) for table, probe in zip(self.tables, probes, strict=True)
        )
        return sum(how_many(one[key], two[key]) for key in one.keys() & two.keys() if one[key] != two[key])


def how_many(one: Any, two: Any) -> int:
    """Of two unequal results, how many parts are not the same; a part that only one has counts as well."""
    if not isinstance(one, list) or not isinstance(two, list):
        return 1
    return sum(a != b for a, b in zip_longest(one, two, fillvalue=...))


def outcome(table: Table, probe: Probe, hands: Hands, counters: Counts) -> dict[Any, Any]:
    """All that can be compared: counters, how procedures ended, every report; or the fault that stopped it."""
    state = table.dealt(hands)
    for name, value in counters.items():
        state.cells[table.game.counters[name].cell] = list(value) if isinstance(value, list) else value
    before = {r.name: counted(r, state) for r in table.odds.reports if r.counter is not None}
    try:
        probe.outcome(state, table.odds.procedure)
        found = reports(table, probe, state, before)
    except TooMuch:
        raise
    except RitualError as error:
        return {"stopped": error.diagnostics[0].code}
    found["stopped"] = None
    found["ended"] = sorted(state.ended.items())
    for counter in table.game.counters.values():
        found["counter", counter.name] = state.cells[counter.cell]
    return found


def reports(table: Table, probe: Probe, state: State, before: dict[str, list[int]]) -> dict[Any, Any]:
    found: dict[Any, Any] = {("report", report.name): [] for report in table.odds.reports}
    local: list[Any] = [None] * table.odds.slots
    for tally in table.odds.tallies:
        for card in observations(tally, probe, state, local, None):
            for report in tally.reports:
                members = tuple(local[member.slot] for member in tally.members)
                found["report", report.name].append((members, card, reported(report, probe, state, local, before)))
    return found


# ---- all deals


def run_through(pair: Pair) -> tuple[Verdict, Apart | None]:
    try:
        return count_apart(pair, exchanging=True)
    except OrderMatters:
        pass
    except RitualError:
        return sample(pair)
    try:
        return count_apart(pair, exchanging=False)
    except RitualError:
        return sample(pair)


def count_apart(pair: Pair, exchanging: bool) -> tuple[Verdict, Apart | None]:
    deals = lay_out(pair.tables, exchanging)
    kinds, probes = deals.kinds(), pair.probes(exchanging)
    differing = 0
    simplest: tuple[Any, Hands] | None = None
    for codes, weight in kinds.items():
        hands = tuple(deals.hands(codes))
        apart = pair.differs(probes, hands)
        if apart:
            differing += weight
            rank = simplicity(pair, hands, apart)
            if simplest is None or rank < simplest[0]:
                simplest = rank, hands
    verdict = new_verdict(pair, deals, differing, len(kinds), exact=True)
    odds = pair.tables[0].odds
    return verdict, Apart(pair.players, odds, simplest[1], pair.set_alike) if simplest is not None else None


def new_verdict(pair: Pair, deals: Deals, differing: int, kinds: int, exact: bool) -> Verdict:
    before, after = (lay_out([table], False).count for table in pair.tables)
    return Verdict(pair.tables[0].odds, pair.players, deals.count, before, after, differing, kinds, exact)


def simplicity(pair: Pair, hands: Hands, apart: int) -> Any:
    """Few cards with rules of their own first, then few differences, then cards that stand first in the files."""
    order = list(pair.tables[0].game.deck)
    places = [order.index(card) for _, card in hands]
    return sum(card in pair.special for _, card in hands), apart, sum(places), places


def with_rules(game: Game) -> set[str]:
    """Cards that do something by themselves."""
    found = {p.card for p in game.procedures.values()} | {rule.card for rule in game.rules.values()}
    entries = [e for rule in game.rules.values() for clause in rule.clauses for e in (*clause.entries, *clause.limits)]
    return {card for card in found | {entry.guard.card for entry in entries} if card is not None}


# ---- samples


def random_hands(deals: Deals, chance: Chance) -> Hands:
    places = [place for group in deals.groups for place in group]
    hands: list[tuple[Place, str]] = []
    for pile in dict.fromkeys(place.pile for place in places):
        cards = [c for (home, c), n in zip(deals.faces, deals.copies, strict=True) for _ in range(n) if home == pile]
        chance.shuffle(cards)
        hands += zip([place for place in places if place.pile == pile], cards, strict=False)
    return tuple(hands)


def sample(pair: Pair) -> tuple[Verdict, Apart | None]:
    """Too many kinds to run through: some deals, by chance."""
    deals, probes, chance = lay_out(pair.tables, False), pair.probes(False), Chance(0)
    tried = [random_hands(deals, chance) for _ in range(SAMPLES)]
    apart = {hands: count for hands in tried if (count := pair.differs(probes, hands))}
    verdict = new_verdict(pair, deals, sum(hands in apart for hands in tried), SAMPLES, exact=False)
    odds = pair.tables[0].odds
    simplest = min(apart, key=lambda hands: simplicity(pair, hands, apart[hands]), default=None)
    return verdict, Apart(pair.players, odds, simplest, pair.set_alike) if simplest is not None else None


def try_counters(pair: Pair) -> Apart | None:
    """States with any deal and any counters, by chance; of one that differs, what need not be unusual is made usual."""
    deals, probes, chance = lay_out(pair.tables, False), pair.probes(False), Chance(0)
    found: list[tuple[Any, Apart]] = []
    for _ in range(SAMPLES):
        hands, counters = random_hands(deals, chance), random_counters(pair, chance)
        if pair.differs(probes, hands, counters):
            counters = reduce_counters(pair, probes, hands, counters)
            rank = unusual(pair, counters), simplicity(pair, hands, pair.differs(probes, hands, counters))
            found.append((rank, Apart(pair.players, pair.tables[0].odds, hands, counters)))
    return min(found, key=lambda ranked: ranked[0])[1] if found else None


def unusual(pair: Pair, counters: Counts) -> int:
    """How many counters do not stand as at the start."""
    starts = {name: counter.starts for name, counter in pair.tables[0].game.counters.items()}
    return sum(one != starts[name] for name, value in counters.items() for one in listed(value))


def listed(value: Any) -> list[int]:
    return value if isinstance(value, list) else [value]


def random_counters(pair: Pair, chance: Chance) -> Counts:
    found: Counts = {}
    for name, counter in pair.tables[0].game.counters.items():
        other = pair.tables[1].game.counters.get(name)
        if other is None:
            continue
        low, high = max(counter.low, other.low), min(counter.high, other.high)
        owners = pair.tables[0].state.cells[counter.cell]
        if counter.owner is None:
            found[name] = low + chance.below(high - low + 1)
        else:
            found[name] = [low + chance.below(high - low + 1) for _ in owners]
    return found


def reduce_counters(pair: Pair, probes: tuple[Probe, Probe], hands: Hands, counters: Counts) -> Counts:
    game = pair.tables[0].game
    for name, value in list(counters.items()):
        starts = game.counters[name].starts
        if not isinstance(value, list):
            usual = {**counters, name: starts}
            counters = usual if pair.differs(probes, hands, usual) else counters
            continue
        for i in range(len(value)):
            shares = list(counters[name])
            shares[i] = starts
            usual = {**counters, name: shares}
            counters = usual if pair.differs(probes, hands, usual) else counters
    return counters
