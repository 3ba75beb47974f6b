"""Patched declarations: `replace health.max: 9`, `replace players: 3..8`, `replace zone hand: …`, `add Color.red`.

In: the patches that name a declaration, in the order of their layers. Out: the declarations as they count, changed in
place. The topmost patch decides.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from ritual_dsl.diagnostics import Findings, Related
from ritual_dsl.model.declare import MOST_PLAYERS, Declarations
from ritual_dsl.model.game import rivals
from ritual_dsl.model.names import Names
from ritual_dsl.model.patches import Record
from ritual_dsl.syntax import nodes as n


def redeclare(records: list[Record], declarations: Declarations) -> None:
    found, names = declarations.found, declarations.names
    refuse_rivals(records, found)
    for record in records:
        node = record.node
        assert isinstance(node, n.ClausePatch)
        if record.guard:
            found.say("RIT404", "a declaration cannot change in play: no guard here", node.span)
        elif node.path == ("players",):
            declarations.players = new_players(node, found) or declarations.players
        elif isinstance(node.declared, n.SeatsDecl):
            declarations.seats = node.declared
        elif isinstance(node.declared, n.ZoneDecl):
            cell = names.zones[node.declared.name].cell
            names.zones[node.declared.name] = declarations.new_zone(node.declared, cell)
        elif node.kind == "add":
            add_value(node, names, found)
        else:
            change_counter(node, names, found)
    check_counters(records, names, found)


def refuse_rivals(records: list[Record], found: Findings) -> None:
    """Two patches of one layer must not say different things about one declaration."""
    for a, b in combinations(records, 2):
        assert isinstance(a.node, n.ClausePatch) and isinstance(b.node, n.ClausePatch)
        same = (a.node.body, a.node.declared) == (b.node.body, b.node.declared)
        if a.node.path == b.node.path and rivals(a, b) and not same:
            message = f"`{b.origin}` and `{a.origin}` both patch `{'.'.join(b.node.path)}`, before any game begins"
            found.say("RIT407", message, b.node.span, related=[Related("the other patch", a.node.span)])


def new_players(node: n.ClausePatch, found: Findings) -> n.PlayersDecl | None:
    if isinstance(node.body, n.Range) and 1 <= node.body.low <= node.body.high <= MOST_PLAYERS:
        return n.PlayersDecl(node.span, node.body.low, node.body.high, node.cites)
    found.say("RIT332", f"players are a range within 1..{MOST_PLAYERS}", node.span)
    return None


def add_value(node: n.ClausePatch, names: Names, found: Findings) -> None:
    name, value = node.path
    if value in names.enums[name]:
        found.say("RIT330", f"`{value}` stands twice in `{name}`", node.span)
    names.enums[name] = tuple(dict.fromkeys((*names.enums[name], value)))


def change_counter(node: n.ClausePatch, names: Names, found: Findings) -> None:
    name, label = node.path
    if not isinstance(node.body, n.Number):
        found.say("RIT302", "a number is wanted here", node.span)
        return
    field = {"starts": "starts", "min": "low", "max": "high"}[label]
    names.counters[name] = replace(names.counters[name], **{field: node.body.value})  # type: ignore[arg-type]


def check_counters(records: list[Record], names: Names, found: Findings) -> None:
    """A counter starts within its bounds after all patches."""
    for counter in names.counters.values():
        places = [r.node.span for r in records if r.node.path[0] == counter.name]
        if places and not counter.low <= counter.starts <= counter.high:
            message = f"`{counter.name}` starts at {counter.starts}, outside of {counter.low}..{counter.high}"
            found.say("RIT335", message, places[-1])
