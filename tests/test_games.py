"""The page that compares the games tells what their files use of the language, each construct counted in the trees."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.locate import shipped_games
from ritual_dsl.loading.reference import choose
from ritual_dsl.syntax import nodes as n

PAGE = Path(__file__).parent.parent / "docs" / "games.md"
STALE = "the table is stale: RITUAL_UPDATE=1 python -m pytest tests/test_games.py"
Test = Callable[[Any], object]

# What can be written, how to know it in a tree, and what the third game has it for.
PLAYERS = ("player", "seat")
USES: list[tuple[str, Any, Test, str]] = [
    ("`card has …`", n.AttributesDecl, lambda d: d.piece is None, "items, omens, events"),
    ("`piece T has …`", n.AttributesDecl, lambda d: d.piece is not None, "rooms, monsters, tokens"),
    ("`seats: …` with dummies", n.SeatsDecl, lambda d: d.dummies_up_to > 0, ""),
    ("zone: a pile", n.ZoneDecl, lambda d: not d.single and d.owner is None, "stacks, discards"),
    (
        "zone per player or seat",
        n.ZoneDecl,
        lambda d: d.owner and d.owner.name in PLAYERS,
        "items",
    ),
    (
        "zone per place or card",
        n.ZoneDecl,
        lambda d: d.owner and d.owner.name not in PLAYERS,
        "tokens",
    ),
    ("`top seen by …`", n.ZoneDecl, lambda d: d.top_audience is not None, "the next room"),
    ("`seen by everyone else`", n.ZoneDecl, lambda d: d.audience == "everyone else", ""),
    ("`seen by owner`", n.ZoneDecl, lambda d: d.audience == "owner", "secret roles"),
    ("`seen by active`", n.ZoneDecl, lambda d: d.audience == "active", ""),
    ("`counter`", n.CounterDecl, lambda d: True, "traits, omens drawn"),
    ("`variable`", n.VariableDecl, lambda d: True, "whose turn, the haunt"),
    ("`variable … per …`", n.VariableDecl, lambda d: d.owner is not None, "sides"),
    ("`variable …, seen by nobody`", n.VariableDecl, lambda d: d.audience == "nobody", "what a haunt hides"),
    ("`rule …: any of`, `all of`", n.RuleDecl, lambda d: d.combination != "value", "who may do what"),
    ("`rule …: T`", n.RuleDecl, lambda d: d.combination == "value", "the haunt chart"),
    ("a table of cases", n.Cases, lambda d: len(d.rows) > 1, "results 4+, 1-3, 0"),
    ("`some … has`, `no … has`", n.Quantified, lambda d: d.kind != "every", "who is in a room"),
    ("`every … has`", n.Quantified, lambda d: d.kind == "every", "when all heroes are dead"),
    ("`sum of …`", n.Sum, lambda d: True, "dice"),
    ("`number of …`", (n.Count, n.Size), lambda d: True, "omens"),
    ("`a mod b`", n.Binary, lambda d: d.operator == "mod", ""),
    ("`highest … of`", n.Extreme, lambda d: d.kind == "highest", "ties"),
    ("`lowest … of`", n.Extreme, lambda d: d.kind == "lowest", "ties"),
    ("`first … clockwise`", n.First, lambda d: True, "who is next"),
    ("`p chooses …`", n.Actor, lambda d: not d.together, "moves, targets"),
    ("`… together choose …`", n.Actor, lambda d: d.together, "the heroes' plan"),
    ("`… may choose …`", n.Actor, lambda d: d.may, "trades"),
    ("`move top of`, `move all`", n.Moved, lambda d: d.kind in ("top", "all", "all_of"), "draws"),
    ("`move random of`", n.Moved, lambda d: d.kind == "random", "stealing"),
    ("`move c from …`", n.Moved, lambda d: d.kind == "piece", "items traded"),
    ("`move … to bottom of`", n.Move, lambda d: d.bottom, "stacks"),
    ("`shuffle`", n.Shuffle, lambda d: True, "stacks"),
    ("`show … to`", n.Show, lambda d: True, "secret books"),
    ("`x gains`", (n.Change, n.ChangeLine), lambda d: d.gains, "omens"),
    ("`x loses`", (n.Change, n.ChangeLine), lambda d: not d.gains, "damage"),
    ("`trigger` and `when …`", n.Fire, lambda d: True, "on entering a room"),
    ("`procedure … at any time`", n.ProcedureDecl, lambda d: d.any_time, "a floor mended"),
    ("`… at any time by …`", n.ProcedureDecl, lambda d: d.by is not None, "whoever stands there"),
    ("`… at any time when …`", n.ProcedureDecl, lambda d: d.only_when is not None, "where somebody stands"),
    ("`procedure … as soon as`", n.ProcedureDecl, lambda d: d.as_soon is not None, "death, victory"),
    ("`end … as`", n.End, lambda d: True, "each haunt's end"),
    ("`add`, `replace`, `remove`, `limit` a clause", n.ClausePatch, lambda d: True, "haunts"),
    ("`before …`", n.StepPatch, lambda d: d.kind == "before", "haunts"),
    ("`after …`", n.StepPatch, lambda d: d.kind == "after", "haunts"),
    ("`instead of …`", n.StepPatch, lambda d: d.kind not in ("before", "after"), "haunts"),
    ("`while … during …`", n.Guarded, lambda d: d.while_rule is not None or d.during is not None, "items held"),
    ("`with` a module", n.Guarded, lambda d: d.with_module is not None, ""),
    ("`odds`", n.OddsDecl, lambda d: True, "the haunt roll"),
    ("`odds with 2 …`", n.OddsDecl, lambda d: any(deal.count for deal in d.deals), "several items at once"),
    ("`measure`", n.MeasureDecl, lambda d: True, "who wins"),
    ("`assume`", n.AssumeDecl, lambda d: True, ""),
]


def parts(thing: object) -> Iterator[n.Node]:
    """Every node of rules below something."""
    if isinstance(thing, n.Node):
        yield thing
    if is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            if field.name != "span":
                yield from parts(getattr(thing, field.name))
    elif isinstance(thing, tuple | list):
        for item in thing:
            yield from parts(item)
    elif isinstance(thing, dict):
        yield from parts(list(thing.values()))


def table() -> str:
    trees = {}
    for game in shipped_games():
        chosen = choose(game, Findings())
        assert chosen is not None
        trees[game] = list(parts(chosen.files))
    names = [game.replace("_", " ").title() for game in trees]
    rows = [f"| written | {' | '.join(names)} | Betrayal would, for |", "|---|" + "---|" * (len(names) + 1)]
    for words, kind, test, third in USES:
        used = [any(isinstance(part, kind) and test(part) for part in tree) for tree in trees.values()]
        rows.append(f"| {words} | {' | '.join('yes' if is_used else '' for is_used in used)} | {third} |")
    return "\n".join(rows)


def test_the_table_says_what_is_there() -> None:
    page = PAGE.read_text("utf-8")
    start, end = page.index("| written |"), page.index("\n\n", page.index("| written |"))
    if os.environ.get("RITUAL_UPDATE"):
        PAGE.write_text(page[:start] + table() + page[end:], "utf-8")
    assert page[start:end] == table(), STALE


@pytest.mark.parametrize("row", USES, ids=lambda row: row[0])
def test_every_construct_has_two_games(row: tuple[str, Any, Test, str]) -> None:
    """A construct earns its place with two of the three games."""
    words = row[0]
    line = next(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {words} |"))
    used = [cell.strip() for cell in line.strip("|").split("|")[1:]]
    assert sum(bool(cell) for cell in used) >= (1 if words in ALONE else 2)


# Seats without a player, hands seen by all but their owner and a card seen by whose turn it is are needed before the
# language can say the first game at all; `mod` is arithmetic; an assumption is no rule, and needs a game of deduction.
ALONE = {"`seats: …` with dummies", "`seen by everyone else`", "`seen by active`", "`a mod b`", "`assume`"}
