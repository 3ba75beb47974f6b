"""Steps of procedures: from words to meanings.

In: syntax nodes, a scope, and the patches of steps by their labels. Out: resolved steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from ritual_dsl.diagnostics import Findings, Related, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.model import ir
from ritual_dsl.model.expressions import Expressions
from ritual_dsl.model.game import Zone
from ritual_dsl.model.names import Names, ProcedureHead, Scope
from ritual_dsl.model.patches import Record
from ritual_dsl.model.types import NUMBER, PLAYER, SEAT, Type, fits
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

StepKey = tuple[str, str | None]  # procedure or card, and the label of a step


class Statements:
    """Resolves the steps of one game."""

    def __init__(self, names: Names, patches: Mapping[StepKey, list[Record]], found: Findings) -> None:
        self.names = names
        self.patches = patches
        self.found = found
        self.expressions = Expressions(names, found)

    def block(self, steps: tuple[n.Step, ...], scope: Scope, home: str, loop: bool) -> tuple[ir.Step, ...]:
        """Steps in order; a `let` counts for those behind it."""
        resolved = []
        for step in steps:
            patched = self.patched((home, step.label), scope, loop) if step.label else ir.Patched()
            statement, scope = self.statement(step.statement, scope, home, loop)
            resolved.append(ir.Step(step.label, statement, step.cites, step.span, patched))
        return tuple(resolved)

    def patched(self, key: StepKey, scope: Scope, loop: bool = False) -> ir.Patched:
        kinds: dict[str, list[ir.Block]] = {"before": [], "instead": [], "after": []}
        for record in self.patches.get(key, ()):
            block = self.patch_block(record, scope, key[0], loop)
            if record.in_play and block is not None:
                kinds[block[0]].append(block[1])
        return ir.Patched(*(tuple(kinds[kind]) for kind in ("before", "instead", "after")))

    def patch_block(self, record: Record, scope: Scope, home: str, loop: bool) -> tuple[str, ir.Block] | None:
        """A patch of a step, as the topmost patch of that patch has it."""
        node = record.node
        assert isinstance(node, n.StepPatch)
        top, steps = record, node.steps
        for override in record.overrides:
            if not override.in_play:
                continue
            if isinstance(override.node, n.StepPatch):
                top, steps = override, override.node.steps
            elif override.node.kind == "remove":
                return None
        inner = scope.of_card(record.card)
        condition = self.expressions.truth(node.condition, inner) if node.condition else None
        resolved = self.block(steps, inner, home, loop)
        cites, span = top.node.cites or node.cites, top.node.span
        block = ir.Block(record.guard, condition, resolved, top.origin, top.layer, cites, span, top.over, record.label)
        return node.kind, block

    def statement(self, node: n.Statement, scope: Scope, home: str, loop: bool) -> tuple[ir.Statement, Scope]:
        e, span = self.expressions, node.span
        match node:
            case n.Let():
                value = self.source(node.value, scope, None)
                e.fresh(node.name, scope, span)
                inner, slot = scope.having(node.name, plain(value.type))
                return ir.Assign(span, ir.Place(None, slot=slot), value), inner
            case n.Assign():
                place, type = self.place(node.target, scope)
                return ir.Assign(span, place, self.source(node.value, scope, type)), scope
            case n.Move():
                return self.move(node, scope), scope
            case n.Shuffle():
                return ir.Shuffle(span, self.zone(node.pile, scope, pile=True)), scope
            case n.Show():
                return self.show(node, scope), scope
            case n.Change():
                return self.change(node, scope), scope
            case n.EachChange():
                group, inner, slot = e.bind(node.variable, node.group, scope, span)
                condition = e.truth(node.condition, inner) if node.condition else None
                lines = tuple(self.change_line(line, inner, span) for line in node.lines)
                return ir.Change(span, slot, group, condition, lines), scope
            case n.Each():
                group, inner, slot = e.bind(node.variable, node.group, scope, span)
                condition = e.truth(node.condition, inner) if node.condition else None
                rest = scope.slots.new()
                return ir.Each(span, slot, rest, group, condition, self.block(node.steps, inner, home, loop)), scope
            case n.End():
                return self.end(node), scope
            case n.Fire():
                return self.fire(node, scope), scope
            case n.Call():
                return self.call(node, scope), scope
            case n.ChangeSet():
                place, type = self.place(node.target, scope)
                if not type.is_set and type.kind != "unknown":
                    self.found.say("RIT302", f"this is a {type}; a set is wanted here", node.target.span)
                element = e.resolve(node.element, scope, type.element() if type.is_set else None)
                return ir.ChangeSet(span, node.adds, element, place), scope
            case n.Stop():
                if not loop:
                    self.found.say("RIT320", "`stop` leaves a `repeat`, and there is none around it", span)
                return ir.Stop(span), scope
            case n.Nothing():
                return ir.Nothing(span), scope
            case n.When():
                steps = self.block(node.steps, scope, home, loop)
                otherwise = self.block(node.otherwise, scope, home, loop)
                return ir.When(span, e.truth(node.condition, scope), steps, otherwise), scope
            case n.Repeat():
                until = e.truth(node.until, scope) if node.until else None
                count = scope.slots.new()
                return ir.Repeat(span, until, count, self.block(node.steps, scope, home, True)), scope
            case n.Choose():
                return self.choose(node, scope, home, loop), scope
            case _:
                assert_never(node)

    # ---- choices

    def source(self, node: n.Expr | n.Choice, scope: Scope, want: Type | None) -> ir.Expr | ir.Asked:
        if not isinstance(node, n.Choice):
            return self.expressions.resolve(node, scope, want)
        e, slot, condition = self.expressions, None, None
        if node.variable is None:
            group, kind = e.group(node.group, scope)
            if node.condition is not None:
                hint = "name the members: `from x in … where …`"
                self.found.say("RIT301", "nothing here has a name for `where` to ask about", node.span, help=hint)
        else:
            group, inner, slot = e.bind(node.variable, node.group, scope, node.span)
            kind = inner.local[node.variable][1]
            condition = e.truth(node.condition, inner) if node.condition is not None else None
        if want is not None and not fits(kind, want):
            self.found.say("RIT302", f"this chooses a {kind}; a {want} is wanted here", node.span)
        kind = replace(kind, optional=node.actor.may)
        actor = self.actor(node.actor, scope)
        return ir.Asked(node.span, actor, node.actor.together, node.actor.may, node.label, slot, group, condition, kind)

    def actor(self, actor_node: n.Actor, scope: Scope) -> ir.Expr:
        node = actor_node.who
        actor = self.expressions.resolve(node, scope)
        wanted = replace(PLAYER, is_set=actor_node.together)
        if not fits(actor.type, wanted):
            hint = "dummies choose nothing" if actor.type.kind == "seat" else None
            self.found.say("RIT302", f"this is a {actor.type}; a {wanted} is asked", node.span, help=hint)
        return actor

    def doer(self, node: n.Expr, scope: Scope) -> ir.Expr:
        """Who may let something happen at any time: a player, or any one of several."""
        actor = self.expressions.resolve(node, scope)
        if actor.type.kind not in ("player", "unknown"):
            hint = "dummies do nothing of their own" if actor.type.kind == "seat" else None
            message = f"this is a {actor.type}; a player does it, or any of a set of players"
            self.found.say("RIT302", message, node.span, help=hint)
        return actor

    def choose(self, node: n.Choose, scope: Scope, home: str, loop: bool) -> ir.Choose:
        options: dict[str, ir.Option] = {}
        for option in node.options:
            if option.name in options:
                first = Related("first here", options[option.name].span)
                self.found.say("RIT321", f"the option `{option.name}` stands twice", option.span, related=[first])
            condition = self.expressions.truth(option.condition, scope) if option.condition else None
            steps = self.block(option.steps, scope, home, loop)
            options[option.name] = ir.Option(option.name, condition, steps, option.cites, option.span)
        if node.actor.may:
            hint = "spell out the option to decline"
            self.found.say("RIT302", "of named options, one is always chosen", node.actor.span, help=hint)
        actor = self.actor(node.actor, scope)
        return ir.Choose(node.span, actor, node.actor.together, node.label, tuple(options.values()))

    # ---- places and cards

    def place(self, node: n.Expr, scope: Scope) -> tuple[ir.Place, Type]:
        """What can be set: a variable or a local name."""
        if isinstance(node, n.Name):
            if node.id in scope.local:
                slot, type = scope.local[node.id]
                return ir.Place(None, slot=slot), type
            variable = self.names.variables.get(node.id)
            if variable is not None:
                self.expressions.resolve(node, scope)  # which says so if it has owners
                return ir.Place(variable.cell), variable.type
            if node.id in self.names.counters:
                way_out = "counters change with `gains` and `loses`"
                self.found.say("RIT322", f"`{node.id}` is a counter and cannot be set", node.span, help=way_out)
                return ir.Place(None, slot=0), Type("unknown")
        if isinstance(node, n.Index) and isinstance(node.base, n.Name):
            variable = self.names.variables.get(node.base.id)
            read = self.expressions.resolve(node, scope) if variable is not None else None
            if variable is not None and read is not None:
                return ir.Place(variable.cell, read.index if isinstance(read, ir.Read) else None), variable.type
        hint = near_miss(node.id, [*scope.local, *self.names.variables]) if isinstance(node, n.Name) else None
        self.found.say("RIT322", "only a variable or a `let` name can be set", node.span, help=hint)
        return ir.Place(None, slot=0), Type("unknown")

    def zone(self, node: n.Expr, scope: Scope, pile: bool = False) -> ir.Place:
        """A zone, of one owner where it has owners."""
        base = node.base if isinstance(node, n.Index) else node
        zone = self.names.zones.get(base.id) if isinstance(base, n.Name) else None
        if zone is None:
            hint = near_miss(base.id, self.names.zones) if isinstance(base, n.Name) else None
            named = f"`{base.id}`" if isinstance(base, n.Name) else "this"
            self.found.say("RIT323", f"{named} is not a zone", base.span, help=hint)
            return ir.Place(0)
        if pile and zone.single:
            self.found.say("RIT302", f"`{zone.name}` is one card; a pile is wanted here", node.span)
        read = self.expressions.resolve(node, scope)
        if isinstance(read, ir.Spread):
            message = f"`{zone.name}` has one for each {zone.owner}: say whose"
            self.found.say("RIT305", message, node.span, help=f"write {zone.name}[…]")
        return ir.Place(zone.cell, read.index if isinstance(read, ir.Read) else None)

    def move(self, node: n.Move, scope: Scope) -> ir.Move:
        what, piece = node.what, None
        of_pile = what.kind in ("top", "random", "piece", "all_of")
        source = self.zone(what.place, scope, pile=of_pile) if what.place is not None else None
        to = self.zone(node.to, scope, pile=what.kind in ("all", "all_of") or node.bottom)
        from_zone, to_zone = (self.zone_at(place) if place is not None else None for place in (source, to))
        if what.kind == "place" and from_zone is not None and not from_zone.single:
            hint = f"write `top of {from_zone.name}`, or `all of {from_zone.name}`"
            self.found.say("RIT302", f"`{from_zone.name}` is a pile; say what of it is moved", what.span, help=hint)
        if from_zone is not None and to_zone is not None and from_zone.piece != to_zone.piece:
            message = f"{from_zone.piece or 'cards'} of `{from_zone.name}` cannot lie in `{to_zone.name}`"
            self.found.say("RIT302", message, node.span)
        if what.piece is not None:
            wanted = Type("card", from_zone.piece if from_zone is not None else "")
            piece = self.expressions.resolve(what.piece, scope, wanted)
        return ir.Move(node.span, what.kind, source, piece, to, node.bottom)

    def zone_at(self, place: ir.Place) -> Zone | None:
        return next((zone for zone in self.names.zones.values() if zone.cell == place.cell), None)

    def show(self, node: n.Show, scope: Scope) -> ir.Show:
        what = node.what
        if what.kind not in ("top", "place") or what.place is None:
            self.found.say("RIT302", "one card is shown at a time", what.span)
            return ir.Show(node.span, "place", ir.Place(0), self.expressions.resolve(node.to, scope))
        source = self.zone(what.place, scope, pile=what.kind == "top")
        return ir.Show(node.span, what.kind, source, self.expressions.argument(node.to, scope, PLAYER))

    # ---- counters

    def change(self, node: n.Change, scope: Scope) -> ir.Change:
        subject, counter = node.subject, node.counter
        if counter is None:
            own = subject.id if isinstance(subject, n.Name) else ""
            line = self.change_line(n.ChangeLine(node.span, node.gains, node.amount, own), scope, subject.span)
            return ir.Change(node.span, None, None, None, (line,))
        who = self.expressions.resolve(subject, scope)
        if not fits(who.type, SEAT):
            self.found.say("RIT302", f"this is a {who.type}; a player gains or loses", subject.span)
        line = self.change_line(n.ChangeLine(node.span, node.gains, node.amount, counter), scope, node.span)
        return ir.Change(node.span, None, who, None, (line,))

    def change_line(self, node: n.ChangeLine, scope: Scope, span: Span) -> ir.ChangeLine:
        counter = self.names.counters.get(node.counter)
        amount = self.expressions.resolve(node.amount, scope, NUMBER)
        if counter is None:
            hint = near_miss(node.counter, self.names.counters) or f"counters: {listing(self.names.counters)}"
            self.found.say("RIT324", f"there is no counter `{node.counter}`", span, help=hint)
            return ir.ChangeLine(node.gains, amount, 0)
        return ir.ChangeLine(node.gains, amount, counter.cell)

    # ---- procedures and triggers

    def end(self, node: n.End) -> ir.End:
        head = self.names.procedures.get(node.procedure)
        if head is None:
            hint = near_miss(node.procedure, self.names.procedures)
            self.found.say("RIT325", f"there is no procedure `{node.procedure}`", node.span, help=hint)
        elif node.how not in head.ends:
            hint = near_miss(node.how, head.ends) or ends_of(head)
            related = [Related("declared here", head.span)]
            message = f"`{node.procedure}` does not end as `{node.how}`"
            self.found.say("RIT326", message, node.span, help=hint, related=related)
        return ir.End(node.span, node.procedure, node.how)

    def fire(self, node: n.Fire, scope: Scope) -> ir.Fire:
        params = self.names.signals.get(node.name)
        if params is None:
            hint = near_miss(node.name, self.names.signals)
            self.found.say("RIT327", f"there is no trigger `{node.name}`", node.span, help=hint)
            return ir.Fire(node.span, node.name, ())
        args = self.expressions.arguments(node.name, params, node.args, node.span, scope, None)
        return ir.Fire(node.span, node.name, args)

    def call(self, node: n.Call, scope: Scope) -> ir.Call:
        head = self.names.procedures.get(node.name)
        if head is None:
            if self.names.rule(node.name, scope.card) is not None:
                message = f"`{node.name}` is a rule: it says something and does nothing"
                self.found.say("RIT325", message, node.span)
            else:
                hint = near_miss(node.name, self.names.procedures)
                self.found.say("RIT325", f"there is no procedure `{node.name}`", node.span, help=hint)
            return ir.Call(node.span, node.name, ())
        args = self.expressions.arguments(node.name, head.params, node.args, node.span, scope, head.span)
        return ir.Call(node.span, node.name, args)


def plain(type: Type) -> Type:
    """A local name can be set again, so it keeps no bounds."""
    return replace(type, low=None, high=None) if type.kind == "number" else type


def ends_of(head: ProcedureHead) -> str:
    if not head.ends:
        return f"`procedure {head.name} ends as …` would declare how it can"
    return f"it ends as {listing(head.ends)}"
