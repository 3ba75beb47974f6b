"""Odds: what is dealt, run and reported, resolved.

In: the `odds …` declarations of all texts. Out: `Odds`, or a finding for each that cannot be worked out.
"""

from __future__ import annotations

from collections.abc import Iterable

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.model.expressions import Expressions
from ritual_dsl.model.game import Deal, Member, Odds, Report, Tally, Zone
from ritual_dsl.model.names import Names, Scope, open_scope
from ritual_dsl.model.patches import Text
from ritual_dsl.model.types import PLAYER, SEAT, fits
from ritual_dsl.syntax import nodes as n


def resolve_odds(texts: Iterable[Text], names: Names, expressions: Expressions, found: Findings) -> tuple[Odds, ...]:
    resolver = _Resolver(names, expressions, found)
    items = [item for text in texts if text.card is None for item in text.items]
    return tuple(resolver.odds(item) for item in items if isinstance(item, n.OddsDecl))


class _Resolver:
    def __init__(self, names: Names, expressions: Expressions, found: Findings) -> None:
        self.names = names
        self.expressions = expressions
        self.found = found
        self.reported: set[str] = set()

    def odds(self, node: n.OddsDecl) -> Odds:
        deals = [deal for deal in map(self.deal, node.deals) if deal is not None]
        scope = open_scope((), None, node.procedure)
        tallies = tuple(self.tally(tally, scope) for tally in node.tallies)
        procedure = self.procedure(node)
        return Odds(tuple(deals), procedure, tallies, scope.slots.used, node.cites, node.span)

    def procedure(self, node: n.OddsDecl) -> str | None:
        if node.procedure is None:
            return None
        head = self.names.procedures.get(node.procedure)
        if head is None:
            hint = near_miss(node.procedure, self.names.procedures)
            self.found.say("RIT325", f"there is no procedure `{node.procedure}`", node.span, help=hint)
            return None
        if head.params:
            self.found.say("RIT640", f"`{head.name}` needs {listing(name for name, _ in head.params)}", node.span)
        return head.name

    def deal(self, node: n.Deal) -> Deal | None:
        zone, pile = self.zone(node.zone, node), self.zone(node.pile, node)
        if zone is None or pile is None:
            return None
        if zone.single is not (node.count is None):
            message = f"`{zone.name}` has room for one" if zone.single else f"`{zone.name}` is a pile: say how many"
            hint = f"write `with {zone.name} from …`" if zone.single else f"write `with 2 {zone.name} from …`"
            self.found.say("RIT640", message, node.span, help=hint)
        if pile.single or pile.owner is not None:
            self.found.say("RIT640", f"`{pile.name}` is not one pile that could be dealt from", node.span)
        if pile.piece != zone.piece:
            self.found.say("RIT640", f"what lies in `{pile.name}` has no place in `{zone.name}`", node.span)
        return Deal(zone, pile, node.count or 1)

    def zone(self, name: str, node: n.Deal) -> Zone | None:
        zone = self.names.zones.get(name)
        if zone is None:
            hint = near_miss(name, self.names.zones)
            self.found.say("RIT323", f"`{name}` is not a zone", node.span, help=hint)
        return zone

    def tally(self, node: n.Tally, scope: Scope) -> Tally:
        members = []
        for member in node.members:
            group, scope, slot = self.expressions.bind(member.variable, member.group, scope, member.span)
            condition = self.expressions.truth(member.condition, scope) if member.condition is not None else None
            members.append(Member(slot, group, condition))
        card = self.expressions.resolve(node.card, scope)
        if card.type.is_set or card.type.kind not in ("card", "unknown"):
            self.found.say("RIT302", f"this is a {card.type}; a card is wanted here", node.card.span)
        return Tally(tuple(members), card, tuple(self.report(report, scope) for report in node.reports))

    def report(self, node: n.Report, scope: Scope) -> Report:
        if node.name in self.reported:
            self.found.say("RIT330", f"`{node.name}` is reported twice", node.span)
        self.reported.add(node.name)
        if node.gains is not None:
            return self.change(node, scope, node.gains)
        value = self.expressions.resolve(node.value, scope)
        if value.type.is_set or value.type.kind not in ("truth", "number", "unknown"):
            self.found.say("RIT640", f"this is a {value.type}; a truth or a number is reported", node.value.span)
        return Report(node.name, value, None, None, True, node.span)

    def change(self, node: n.Report, scope: Scope, gains: bool) -> Report:
        """`p gains health`, or `gloom gains` of a counter without owner."""
        subject = node.value
        word = node.counter or (subject.id if isinstance(subject, n.Name) else "")
        counter = self.names.counters.get(word)
        if counter is None:
            hint = near_miss(word, self.names.counters) or f"counters: {listing(self.names.counters)}"
            self.found.say("RIT324", f"there is no counter `{word}`", node.span, help=hint)
            return Report(node.name, None, None, None, gains, node.span)
        if (counter.owner is None) is not (node.counter is None):
            way_out = f"write `{word} gains`" if counter.owner is None else f"write `… gains {word}`"
            self.found.say("RIT305", f"say whose `{word}` it is if it has an owner", node.span, help=way_out)
        who = self.expressions.resolve(subject, scope) if node.counter is not None else None
        if who is not None and who.type.kind == "seat" and counter.owner == PLAYER:
            self.found.say("RIT306", "a player is wanted here; this seat may be a dummy", subject.span)
        elif who is not None and not fits(who.type, SEAT):
            self.found.say("RIT302", f"this is a {who.type}; a player gains or loses", subject.span)
        return Report(node.name, None, counter, who, gains, node.span)
