"""Coverage: which clauses, patches, steps, options and branches the scenarios exercised.

In: scenario files. Out: a `Coverage`, part by part, which `coverage_report` prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ritual_dsl.engine.witness import Hit, Witness
from ritual_dsl.model.game import Game
from ritual_dsl.scenarios.parts import Part, parts_of
from ritual_dsl.scenarios.sites import Site, sites_of


@dataclass(frozen=True)
class Share:
    """How many of how many."""

    hit: int = 0
    all: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.hit + other.hit, self.all + other.all)

    @property
    def percent(self) -> float:
        """Of nothing, all is covered."""
        return 100.0 * self.hit / self.all if self.all else 100.0


@dataclass(frozen=True)
class Covered:
    """A part with what was exercised of it."""

    part: Part
    sites: tuple[Site, ...]
    hits: frozenset[Hit]

    def share(self, kind: str | None = None) -> Share:
        sites = [s for s in self.sites if kind in (None, s.kind)]
        return Share(sum(s.hit in self.hits for s in sites), len(sites))

    @property
    def missing(self) -> list[Site]:
        return [s for s in self.sites if s.hit not in self.hits]


@dataclass
class Coverage:
    """Filled run by run."""

    games: dict[int, Game] = field(default_factory=dict)
    runs: list[frozenset[Hit]] = field(default_factory=list)

    def add(self, game: Game, witness: Witness) -> None:
        self.games[id(game)] = game
        self.runs.append(frozenset(witness.hits))

    @cached_property
    def parts(self) -> list[Covered]:
        """Every part that has something to exercise, in the order of the files."""
        hits: frozenset[Hit] = frozenset().union(*self.runs)
        found = {(part.name, part.items): part for game in self.games.values() for part in parts_of(game)}
        return [Covered(part, sites, hits) for part, sites in sites_of(found.values()).items() if sites]

    def share(self, kind: str | None = None) -> Share:
        return total(covered.share(kind) for covered in self.parts)


def total(shares: Iterable[Share]) -> Share:
    return sum(shares, Share())
