"""Expressions: from words to meanings.

In: syntax nodes and a scope. Out: resolved expressions; every unknown name and wrong type is a
finding, after which resolution goes on with a value of unknown type.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ritual_dsl.diagnostics import Findings, Related, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.model import ir
from ritual_dsl.model.game import Counter, Variable
from ritual_dsl.model.names import Names, Params, Scope, ends_type
from ritual_dsl.model.types import (
    NONE,
    NUMBER,
    PLAYER,
    SEAT,
    TRUTH,
    UNKNOWN,
    Type,
    comparable,
    fits,
    join,
)
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

BUILTINS = {"min": 2, "max": 2}  # functions of numbers, and how many they take
LARGEST_RANGE = 1000


class Expressions:
    """Resolves expressions of one game."""

    def __init__(self, names: Names, found: Findings) -> None:
        self.names = names
        self.found = found

    def resolve(self, node: n.Expr, scope: Scope, want: Type | None = None) -> ir.Expr:
        """The meaning of an expression; with `want`, it must be of that type."""
        result = self.meaning(node, scope, want)
        if want is not None and not fits(result.type, want):
            help = self.whose(result)
            self.found.say("RIT302", f"this is a {result.type}; a {want} is wanted here", node.span, help=help)
            return ir.Const(node.span, UNKNOWN, None)
        return result

    def truth(self, node: n.Expr, scope: Scope) -> ir.Expr:
        return self.resolve(node, scope, TRUTH)

    def number(self, node: n.Expr, scope: Scope) -> ir.Expr:
        return self.resolve(node, scope, NUMBER)

    def group(self, node: n.Expr, scope: Scope) -> tuple[ir.Expr, Type]:
        """A set or pile, and the type of what is in it."""
        result = self.resolve(node, scope)
        if result.type.is_group:
            return result, result.type.element()
        if result.type.kind != "unknown":
            self.found.say("RIT302", f"this is a {result.type}; a set or pile is wanted here", node.span)
        return result, UNKNOWN

    def meaning(self, node: n.Expr, scope: Scope, want: Type | None) -> ir.Expr:
        match node:
            case n.Name():
                return self.name(node, scope, want)
            case n.Number():
                return ir.Const(node.span, Type("number", low=node.value, high=node.value), node.value)
            case n.Truth():
                return ir.Const(node.span, TRUTH, node.value)
            case n.Range():
                return self.range(node)
            case n.Apply():
                return self.apply(node, scope)
            case n.Index():
                return self.index(node, scope)
            case n.Member():
                return self.member(node, scope)
            case n.Not():
                return ir.Not(node.span, TRUTH, self.truth(node.operand, scope))
            case n.Binary():
                return self.binary(node, scope)
            case n.Is():
                return self.is_word(node, scope)
            case n.Within():
                return self.within(node, scope)
            case n.Size():
                return ir.Size(node.span, NUMBER, self.group(node.group, scope)[0])
            case n.Top():
                pile = self.resolve(node.pile, scope)
                if pile.type.kind not in ("pile", "unknown"):
                    self.found.say("RIT302", f"this is a {pile.type}; a pile is wanted here", node.pile.span)
                    return ir.Const(node.span, UNKNOWN, None)
                return ir.Top(node.span, replace(pile.type.element(), optional=True), pile)
            case n.Except():
                return self.without(node, scope)
            case n.Quantified():
                group, inner, slot = self.bind(node.variable, node.group, scope, node.span)
                return ir.Quantified(node.span, TRUTH, node.kind, slot, group, self.truth(node.body, inner))
            case n.Count():
                group, inner, slot = self.bind(node.variable, node.group, scope, node.span)
                one = ir.Const(node.span, NUMBER, 1)
                condition = self.truth(node.condition, inner)
                return ir.Aggregate(node.span, NUMBER, "count", one, slot, group, condition)
            case n.Sum() | n.Extreme():
                group, inner, slot = self.bind(node.variable, node.group, scope, node.span)
                kind = "sum" if isinstance(node, n.Sum) else node.kind
                term = self.number(node.term, inner)
                where = self.truth(node.condition, inner) if node.condition else None
                return ir.Aggregate(node.span, NUMBER, kind, term, slot, group, where)
            case n.First():
                return self.first(node, scope)
            case n.Cases():
                return self.cases(node, scope, want)
            case n.OrElse():
                return self.or_else(node, scope, want)
            case _:
                assert_never(node)

    # ---- names

    def name(self, node: n.Name, scope: Scope, want: Type | None) -> ir.Expr:
        names, word, span = self.names, node.id, node.span
        if want is not None and want.kind == "enum" and word in names.values(want):
            return ir.Const(span, replace(want, optional=False), word)
        if word in scope.local:
            slot, type = scope.local[word]
            return ir.Local(span, type, slot)
        match word:
            case "players":
                return ir.People(span, replace(PLAYER, is_set=True), True)
            case "seats":
                return ir.People(span, replace(SEAT, is_set=True), False)
            case "none":
                return ir.Const(
                    span, want if want and want.is_set else NONE, frozenset() if want and want.is_set else None
                )
            case "this":
                return self.this(span, scope)
            case "holder":
                return self.holder(span, scope)
            case "ended":
                return self.ended(span, scope, want)
        declared = names.zones.get(word) or names.counters.get(word)
        if declared is not None or word in names.variables:
            return self.cell(word, None, span)
        rule = names.rule(word, scope.card)
        if rule is not None:
            return self.call(rule.name, (), node, scope)
        if word in names.cards:
            return ir.Const(span, self.piece_type(word), word)
        enums = names.enum_of(word)
        if len(enums) == 1:
            return ir.Const(span, Type("enum", enums[0]), word)
        if enums:
            kinds = listing(enums)
            self.found.say("RIT303", f"`{word}` is a value of {kinds}, and nothing here says of which", span)
        elif word in names.procedures:
            self.no_value(word, span)
        else:
            hint = near_miss(word, [*scope.local, *names.all_words()])
            self.found.say("RIT301", f"there is nothing called `{word}` here", span, help=hint)
        return ir.Const(span, UNKNOWN, None)

    def no_value(self, procedure: str, span: Span) -> None:
        self.found.say("RIT308", f"`{procedure}` is a procedure: it does something, and has no value", span)

    def this(self, span: Span, scope: Scope) -> ir.Expr:
        if scope.card is None:
            self.found.say("RIT304", "`this` is the card in whose rules it stands; this is no card's rule", span)
            return ir.Const(span, UNKNOWN, None)
        return ir.Const(span, self.piece_type(scope.card), scope.card)

    def piece_type(self, card: str) -> Type:
        return Type("card", self.names.kinds.get(card, ""))

    def holder(self, span: Span, scope: Scope) -> ir.Expr:
        rule = self.names.holder_rules.get(scope.card or "")
        if rule is None or scope.card is None:
            self.found.say(
                "RIT304",
                "`holder` is the seat of a card's `while` guard; there is none here",
                span,
                help="name a rule of a card and a seat: `while held …`",
            )
            return ir.Const(span, UNKNOWN, None)
        return ir.Holder(span, replace(SEAT, optional=True), rule, scope.card)

    def ended(self, span: Span, scope: Scope, want: Type | None) -> ir.Expr:
        """How the procedure around this place was ended, else the only one that can be."""
        can_end = [p.name for p in self.names.procedures.values() if p.ends]
        procedure = scope.procedure if scope.procedure in can_end else can_end[0] if len(can_end) == 1 else None
        if procedure is None:
            self.found.say("RIT304", "`ended` needs one procedure that `ends as …`", span)
            return ir.Const(span, UNKNOWN, None)
        value = ir.Ended(span, ends_type(procedure), procedure)
        if want is TRUTH:
            return ir.Not(span, TRUTH, ir.IsNone(span, TRUTH, value))
        return value

    def cell(self, word: str, index: ir.Expr | None, span: Span) -> ir.Expr:
        """A declared zone, counter or variable, read."""
        names = self.names
        if word in names.variables:
            variable = names.variables[word]
            return self.of_owner(word, variable, variable.type, index, span)
        zone = names.zones.get(word)
        if zone is not None and zone.owner and index is None:
            return ir.Spread(span, Type("pile", zone.piece), zone.cell)
        if zone is not None:
            type = Type("card", zone.piece, optional=True) if zone.single else Type("pile", zone.piece)
            return ir.Read(span, type, zone.cell, index)
        counter = names.counters[word]
        return self.of_owner(word, counter, Type("number", low=counter.low, high=counter.high), index, span)

    def of_owner(
        self, word: str, owned: Counter | Variable, type: Type, index: ir.Expr | None, span: Span
    ) -> ir.Expr:
        if owned.owner and index is None:
            message = f"`{word}` has one for each {owned.owner}: say whose"
            self.found.say("RIT305", message, span, help=f"write {word}[…]")
            return ir.Const(span, UNKNOWN, None)
        return ir.Read(span, type, owned.cell, index)

    def whose(self, value: ir.Expr) -> str | None:
        """The hint for one who named a zone and meant one owner's share of it."""
        if not isinstance(value, ir.Spread):
            return None
        name = next(zone.name for zone in self.names.zones.values() if zone.cell == value.cell)
        return f"this is all of `{name}`; for one share of it write {name}[…]"

    def index(self, node: n.Index, scope: Scope) -> ir.Expr:
        base = node.base
        word = base.id if isinstance(base, n.Name) else None
        names = self.names
        owned = names.owned(word or "")
        if owned is None or owned.owner is None:
            self.resolve(node.index, scope)
            declared = (*names.zones, *names.counters, *names.variables)
            if word is None or word in declared:
                self.found.say("RIT305", "only what is declared with `per` has shares", base.span)
            else:
                hint = near_miss(word, [name for name in declared if names.owned(name)])
                self.found.say("RIT301", f"there is nothing called `{word}` here", base.span, help=hint)
            return ir.Const(node.span, UNKNOWN, None)
        index = self.resolve(node.index, scope)
        if owned.owner.kind == "player" and index.type.kind == "seat":
            self.found.say(
                "RIT306",
                f"`{word}` belongs to players; this seat may be a dummy, which has none",
                node.index.span,
            )
        elif not fits(index.type, owned.owner):
            self.found.say("RIT302", f"this is a {index.type}; a {owned.owner} is wanted here", node.index.span)
        return self.cell(word or "", index, node.span)

    def member(self, node: n.Member, scope: Scope) -> ir.Expr:
        base = node.base
        if isinstance(base, n.Name) and f"{base.id}.{node.name}" in self.names.rules and base.id not in scope.local:
            return self.call(f"{base.id}.{node.name}", (), node, scope)
        card = self.resolve(base, scope)
        if card.type.kind != "card" or card.type.is_set:
            if card.type.kind != "unknown":
                help = self.whose(card)
                self.found.say("RIT302", f"this is a {card.type}; a card is wanted here", base.span, help=help)
            return ir.Const(node.span, UNKNOWN, None)
        attributes = self.names.pieces[card.type.name]
        type = attributes.get(node.name)
        if type is None:
            what = f"`{card.type.name}`" if card.type.name else "cards"
            hint = near_miss(node.name, attributes) or f"known: {listing(attributes)}"
            self.found.say("RIT301", f"{what} have no attribute `{node.name}`", node.span, help=hint)
            return ir.Const(node.span, UNKNOWN, None)
        return ir.Attribute(node.span, replace(type, optional=True), card, node.name)

    # ---- calls

    def apply(self, node: n.Apply, scope: Scope) -> ir.Expr:
        if node.name in BUILTINS:
            args = tuple(self.number(arg, scope) for arg in node.args)
            if len(args) != BUILTINS[node.name]:
                self.found.say("RIT307", f"`{node.name}` takes {BUILTINS[node.name]} numbers", node.span)
                return ir.Const(node.span, NUMBER, 0)
            return ir.Builtin(node.span, NUMBER, node.name, args)
        rule = self.names.rule(node.name, scope.card)
        if rule is None:
            for arg in node.args:
                self.resolve(arg, scope)
            if node.name in self.names.procedures:
                self.no_value(node.name, node.span)
            else:
                hint = near_miss(node.name, [*self.names.rules, *BUILTINS])
                self.found.say("RIT301", f"there is no rule `{node.name}`", node.span, help=hint)
            return ir.Const(node.span, UNKNOWN, None)
        return self.call(rule.name, node.args, node, scope)

    def call(self, name: str, args: tuple[n.Expr, ...], node: n.Expr, scope: Scope) -> ir.Expr:
        rule = self.names.rules[name]
        given = self.arguments(name, rule.params, args, node.span, scope, rule.span)
        return ir.CallRule(node.span, rule.type, name, given)

    def arguments(
        self, name: str, params: Params, args: tuple[n.Expr, ...], span: Span, scope: Scope, place: Span | None
    ) -> tuple[ir.Expr, ...]:
        if len(args) != len(params):
            wanted = ", ".join(f"{p}: {t}" for p, t in params) or "nothing"
            where = [Related("declared here", place)] if place else []
            self.found.say("RIT307", f"`{name}` takes {wanted}; given here: {len(args)}", span, related=where)
            return tuple(self.resolve(arg, scope) for arg in args)
        return tuple(self.argument(arg, scope, type) for arg, (_, type) in zip(args, params, strict=True))

    def argument(self, node: n.Expr, scope: Scope, want: Type) -> ir.Expr:
        result = self.meaning(node, scope, want)
        if want.kind == "player" and result.type.kind == "seat" and not result.type.is_set:
            self.found.say("RIT306", "a player is wanted here; this seat may be a dummy", node.span)
        elif not fits(result.type, want):
            self.found.say("RIT302", f"this is a {result.type}; a {want} is wanted here", node.span)
        return result

    # ---- operators

    def binary(self, node: n.Binary, scope: Scope) -> ir.Expr:
        match node.operator:
            case "and":
                return ir.And(node.span, TRUTH, self.truth(node.left, scope), self.truth(node.right, scope))
            case "or":
                return ir.Or(node.span, TRUTH, self.truth(node.left, scope), self.truth(node.right, scope))
            case "=" | "!=":
                return self.equality(node, scope)
            case "<" | "<=" | ">" | ">=":
                left, right = self.number(node.left, scope), self.number(node.right, scope)
                return ir.Compare(node.span, TRUTH, node.operator, left, right)
            case _:
                left, right = self.number(node.left, scope), self.number(node.right, scope)
                return ir.Arithmetic(node.span, NUMBER, node.operator, left, right)

    def equality(self, node: n.Binary, scope: Scope) -> ir.Expr:
        left = self.meaning(node.left, scope, None)
        if left.type.kind == "none" or (isinstance(node.right, n.Name) and node.right.id == "none"):
            self.found.say("RIT309", "nothing equals none, not even none", node.span, help="write `is none`")
            return ir.Const(node.span, TRUTH, False)
        right = self.meaning(node.right, scope, left.type if left.type.kind == "enum" else None)
        if not comparable(left.type, right.type):
            self.found.say("RIT302", f"a {left.type} is never equal to a {right.type}", node.span)
        return ir.Compare(node.span, TRUTH, node.operator, left, right)

    def is_word(self, node: n.Is, scope: Scope) -> ir.Expr:
        subject = self.resolve(node.subject, scope)
        test = self.word_test(node, subject)
        return ir.Not(node.span, TRUTH, test) if node.negated else test

    def word_test(self, node: n.Is, subject: ir.Expr) -> ir.Expr:
        span, type, word = node.span, subject.type, node.word
        if type.kind == "unknown":
            return ir.Const(span, TRUTH, False)
        if word == "none" or (word == "empty" and type.kind == "card"):
            return ir.IsNone(span, TRUTH, subject)
        if word == "empty":
            if not type.is_group:
                self.found.say("RIT302", f"a {type} is never empty: that is a question to a set or a zone", span)
            return ir.IsEmpty(span, TRUTH, subject)
        if type.kind == "card" and not type.is_set:
            return self.card_test(span, subject, word)
        if type.kind == "enum":
            if word not in self.names.values(type):
                hint = near_miss(word, self.names.values(type)) or f"known: {listing(self.names.values(type))}"
                self.found.say("RIT310", f"`{word}` is not a {replace(type, optional=False)}", span, help=hint)
            return ir.Compare(span, TRUTH, "=", subject, ir.Const(span, replace(type, optional=False), word))
        help = self.whose(subject) or "compare with = instead"
        self.found.say("RIT302", f"`is {word}` cannot be asked of a {type}", span, help=help)
        return ir.Const(span, TRUTH, False)

    def card_test(self, span: Span, subject: ir.Expr, word: str) -> ir.Expr:
        """`hand[p] is heavy`: the one attribute that can have this value; or a card by its id."""
        attributes = self.names.pieces[subject.type.name]
        having = [(name, t) for name, t in attributes.items() if word in self.names.values(t)]
        if len(having) == 1:
            name, type = having[0]
            attribute = ir.Attribute(span, replace(type, optional=True), subject, name)
            return ir.Compare(span, TRUTH, "=", attribute, ir.Const(span, type, word))
        if having:
            names = listing(name for name, _ in having)
            self.found.say("RIT303", f"`{word}` is a value of {names}", span, help=f"write .{having[0][0]} = {word}")
        elif word in self.names.cards:
            return ir.Compare(span, TRUTH, "=", subject, ir.Const(span, self.piece_type(word), word))
        else:
            known = [v for t in attributes.values() for v in self.names.values(t)]
            hint = near_miss(word, [*known, *self.names.cards, "empty", "none"])
            self.found.say("RIT310", f"no attribute of a card can be `{word}`", span, help=hint)
        return ir.Const(span, TRUTH, False)

    def within(self, node: n.Within, scope: Scope) -> ir.Expr:
        group, kind = self.group(node.group, scope)
        element = self.resolve(node.element, scope, kind if kind.kind == "enum" else None)
        if not comparable(element.type, kind):
            self.found.say("RIT302", f"a {element.type} is never in a set of {kind}", node.span)
        test = ir.Within(node.span, TRUTH, element, group)
        return ir.Not(node.span, TRUTH, test) if node.negated else test

    def without(self, node: n.Except, scope: Scope) -> ir.Expr:
        group, kind = self.group(node.group, scope)
        element = self.resolve(node.element, scope, kind if kind.kind == "enum" else None)
        whole_set = element.type.is_set and comparable(element.type.element(), kind)
        if not whole_set and not comparable(element.type, kind):
            self.found.say("RIT302", f"a {element.type} is never in a set of {kind}", node.span)
        return ir.Without(node.span, group.type, group, element)

    # ---- forms with a variable of their own

    def bind(self, word: str, group: n.Expr, scope: Scope, span: Span) -> tuple[ir.Expr, Scope, int]:
        resolved, kind = self.group(group, scope)
        self.fresh(word, scope, span)
        inner, slot = scope.having(word, kind)
        return resolved, inner, slot

    def fresh(self, word: str, scope: Scope, span: Span) -> None:
        """A local name must not hide another name."""
        place = self.names.places.get(word)
        if word not in scope.local and place is None:
            return
        if word in self.names.added and place is not None and place.path != span.path:
            if word not in self.names.clashing:  # once is enough: the declaration is what is new
                related = [Related("for example here", span)]
                message = f"`{word}` is a local name of rules elsewhere, and cannot be declared"
                self.found.say("RIT311", message, place, help="take another name", related=related)
            self.names.clashing.add(word)
            return
        related = [Related("declared here", place)] if place else []
        message = f"`{word}` already has a meaning here"
        self.found.say("RIT311", message, span, help="take another name", related=related)

    def first(self, node: n.First, scope: Scope) -> ir.Expr:
        group, inner, slot = self.bind(node.variable, node.group, scope, node.span)
        start = self.resolve(node.start, scope, SEAT)
        key = self.number(node.key, inner) if node.key else None
        kind = replace(group.type.element(), optional=True) if group.type.is_set else UNKNOWN
        if not fits(kind, SEAT):
            self.found.say("RIT302", "only players and seats sit clockwise", node.group.span)
        return ir.First(node.span, kind, slot, group, node.inclusive, start, node.kind, key)

    def cases(self, node: n.Cases, scope: Scope, want: Type | None) -> ir.Expr:
        rows = tuple((self.truth(r.condition, scope), self.resolve(r.value, scope, want)) for r in node.rows)
        if node.otherwise is None:
            self.found.say("RIT312", "a table of cases ends with `otherwise`", node.span, help="a case is missing")
            return ir.Const(node.span, UNKNOWN, None)
        otherwise = self.resolve(node.otherwise, scope, want)
        type = join([*(value.type for _, value in rows), otherwise.type])
        if type is None:
            self.found.say("RIT302", "the cases give values of different types", node.span)
            type = UNKNOWN
        return ir.Cases(node.span, type, rows, otherwise)

    def or_else(self, node: n.OrElse, scope: Scope, want: Type | None) -> ir.Expr:
        value, fallback = self.resolve(node.value, scope, want), self.resolve(node.fallback, scope, want)
        type = join([replace(value.type, optional=False), fallback.type])
        if type is None:
            self.found.say("RIT302", f"a {value.type} or else a {fallback.type}: the types differ", node.span)
            type = UNKNOWN
        return ir.OrElse(node.span, type, value, fallback)

    def range(self, node: n.Range) -> ir.Expr:
        if not node.low <= node.high < node.low + LARGEST_RANGE:
            self.found.say("RIT313", f"the range {node.low}..{node.high} is empty or too long", node.span)
            return ir.Const(node.span, UNKNOWN, None)
        type = Type("number", low=node.low, high=node.high, is_set=True)
        return ir.Const(node.span, type, frozenset(range(node.low, node.high + 1)))
