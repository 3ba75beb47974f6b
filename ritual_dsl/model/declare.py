"""Declarations: the first pass over all texts, which gives every name its meaning.

In: texts in the order of their layers. Out: `Names`, with the heads of rules and procedures.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ritual_dsl.diagnostics import Findings, Related, near_miss
from ritual_dsl.model.game import Counter, Variable, Zone
from ritual_dsl.model.ir import Value
from ritual_dsl.model.names import Names, Params, ProcedureHead, RuleHead
from ritual_dsl.model.patches import Text
from ritual_dsl.model.types import TRUTH, UNKNOWN, Type
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

MOST_PLAYERS = 12
MOST_CARDS = 400
MOST_PLACES = 100
WORDS = ("truth", "number", "card", "seat", "player")
RESERVED = ("because", "error", "asked", "shown", "ended")  # keys of a scenario's `expect`
FUNCTIONS = ("min", "max")


class Declarations:
    """Collects the names of a game; `players` and `seats` come along."""

    def __init__(self, found: Findings) -> None:
        self.found = found
        self.names = Names()
        self.players: n.PlayersDecl | None = None
        self.seats: n.SeatsDecl | None = None

    def read(self, texts: Iterable[Text]) -> None:
        texts = list(texts)
        for text in texts:
            for item in text.items:
                if isinstance(item, n.EnumDecl):
                    self.enum(item, text)
                elif isinstance(item, n.AttributesDecl) and item.piece is not None and text.card is None:
                    self.piece(item, item.piece)
        for text in texts:
            before = len(self.names.places)
            for item in text.items:
                self.item(item, text)
            if text.origin:  # the newest names stand last
                self.names.added |= set(islice(reversed(self.names.places), len(self.names.places) - before))

    def item(self, item: n.Item, text: Text) -> None:
        match item:
            case n.RuleDecl():
                self.rule(item, text.card)
            case n.EnumDecl() | n.Handler() | n.ClausePatch() | n.StepPatch() | n.Guarded():
                return
            case _ if text.card is not None:
                self.found.say("RIT331", "a card's rules hold rules, patches and `when …`, not declarations", item.span)
            case n.AttributesDecl():
                known = self.names.pieces[item.piece or ""]
                for attribute in item.attributes:
                    if attribute.name in known:
                        self.found.say("RIT330", f"the attribute `{attribute.name}` is declared twice", attribute.span)
                    known[attribute.name] = self.type(attribute.type)
            case n.PlayersDecl():
                self.once(self.players, item, "players")
                self.players = item
                if not 1 <= item.low <= item.high <= MOST_PLAYERS:
                    self.found.say("RIT332", f"players are a range within 1..{MOST_PLAYERS}", item.span)
            case n.SeatsDecl():
                self.once(self.seats, item, "seats")
                self.seats = item
            case n.ZoneDecl():
                self.zone(item)
            case n.CounterDecl():
                self.counter(item)
            case n.VariableDecl():
                self.variable(item)
            case n.SignalDecl():
                if self.claim(item.name, item.span):
                    self.names.signals[item.name] = self.params(item.params)
            case n.MeasureDecl():
                self.claim(item.name, item.span)
            case n.AssumeDecl():
                if self.claim(item.name, item.span):
                    self.names.assumptions[item.name] = self.params(item.params)
            case n.ProcedureDecl():
                if self.claim(item.name, item.span):
                    head = ProcedureHead(item.name, self.params(item.params), item.ends, item.span)
                    self.names.procedures[item.name] = head
                    if item.as_soon is not None and item.params:
                        self.found.say("RIT329", f"`{item.name}` runs by itself, so it takes nothing", item.span)
            case n.OddsDecl():
                return  # it names nothing that a rule could use

    def once(self, first: n.PlayersDecl | n.SeatsDecl | None, item: n.Node, what: str) -> None:
        if first is not None:
            related = [Related("first here", first.span)]
            self.found.say("RIT330", f"`{what}` is declared twice", item.span, related=related)

    def claim(self, name: str, span: Span) -> bool:
        """Every global name has one meaning."""
        if name in RESERVED:
            self.found.say("RIT333", f"`{name}` is a word of scenario files and cannot be declared", span)
            return False
        if name.rpartition(".")[2] in FUNCTIONS:
            self.found.say("RIT356", f"`{name}` is a function of the language and cannot be declared", span)
            return False
        if name in self.names.places:
            related = [Related("first here", self.names.places[name])]
            self.found.say("RIT330", f"`{name}` is declared twice", span, related=related)
            return False
        self.names.places[name] = span
        return True

    def enum(self, item: n.EnumDecl, text: Text) -> None:
        if text.card is not None:
            self.found.say("RIT331", "a card's rules hold rules, patches and `when …`, not declarations", item.span)
        if item.name in self.names.enums or item.name in self.names.pieces:
            self.found.say("RIT330", f"the type `{item.name}` is declared twice", item.span)
            return
        doubles = [v for v in item.values if item.values.count(v) > 1]
        if doubles:
            self.found.say("RIT330", f"`{doubles[0]}` stands twice in `{item.name}`", item.span)
        self.names.enums[item.name] = item.values

    def piece(self, item: n.AttributesDecl, name: str) -> None:
        if name in self.names.enums or name in self.names.pieces:
            self.found.say("RIT330", f"the type `{name}` is declared twice", item.span)
            return
        self.names.pieces[name] = {}

    def owner(self, node: n.TypeName | None) -> Type | None:
        """Who has a share: seats, players, cards, or the places of a range."""
        if node is None:
            return None
        type = self.type(node)
        if type.kind in ("seat", "player", "card"):
            return type
        if type.kind == "number" and type.low is not None and type.high is not None:
            if type.high - type.low < MOST_PLACES:
                return type
            self.found.say("RIT313", f"there can be {MOST_PLACES} places at most", node.span)
        elif type.kind != "unknown":
            self.found.say("RIT334", f"a {type} owns nothing", node.span, help="`per` seat, player, card or 1..4")
        return None

    def cell(self) -> int:
        self.names.cells += 1
        return self.names.cells - 1

    def zone(self, item: n.ZoneDecl) -> None:
        if self.claim(item.name, item.span):
            self.names.zones[item.name] = self.new_zone(item, self.cell())

    def new_zone(self, item: n.ZoneDecl, cell: int) -> Zone:
        piece = item.piece or ""
        if piece and self.type(n.TypeName(item.span, piece)).kind not in ("card", "unknown"):
            self.found.say("RIT302", f"`{piece}` is no kind of pieces", item.span)
            piece = ""
        if item.filled is not None and item.filled != (piece or "cards"):
            message = f"`{item.name}` cannot start with {item.filled}, which do not lie here"
            self.found.say("RIT343", message, item.span)
        if item.repeated:
            hint = "`face up`, `face down` and `seen by …` all say who sees it"
            self.found.say("RIT355", f"`{item.name}` is described twice in the same respect", item.span, help=hint)
        owner = self.owner(item.owner)
        audience = item.audience or "everyone"
        self.seer(item.name, audience, owner, item.span)
        if item.top_audience is not None and (item.single or owner is not None):
            self.found.say("RIT334", f"`{item.name}` is no single pile, so it has no top to see", item.span)
        return Zone(
            item.name,
            cell,
            item.single,
            piece if piece in self.names.pieces else "",
            owner,
            audience,
            item.top_audience,
            item.filled is not None,
            item.cites,
            item.span,
        )

    def seer(self, name: str, audience: str, owner: Type | None, span: Span) -> None:
        if audience in ("owner", "everyone else") and (owner is None or owner.kind not in ("seat", "player")):
            self.found.say("RIT334", f"`{name}` has no owner who could see it or not", span)

    def counter(self, item: n.CounterDecl) -> None:
        if not self.claim(item.name, item.span):
            return
        if not item.low <= item.starts <= item.high:
            message = f"`{item.name}` starts at {item.starts}, outside of {item.low}..{item.high}"
            self.found.say("RIT335", message, item.span)
        cell, owner = self.cell(), self.owner(item.owner)
        counter = Counter(item.name, cell, owner, item.low, item.high, item.starts, item.cites, item.span)
        self.names.counters[item.name] = counter

    def variable(self, item: n.VariableDecl) -> None:
        if not self.claim(item.name, item.span):
            return
        type = self.type(item.type)
        audience = item.audience or "everyone"
        starts = self.start_value(item, type)
        owner = self.owner(item.owner)
        self.seer(item.name, audience, owner, item.span)
        variable = Variable(item.name, self.cell(), owner, type, starts, audience, item.cites, item.span)
        self.names.variables[item.name] = variable

    def start_value(self, item: n.VariableDecl, type: Type) -> Value:
        """What a variable holds before anything happens: said, or nothing."""
        start = item.starts
        word = start.id if isinstance(start, n.Name) else None
        if type.is_set and (start is None or word == "none"):
            return frozenset()
        if type.is_set and type.kind == "number" and isinstance(start, n.Range):
            return frozenset(range(start.low, start.high + 1)) if start.high - start.low < MOST_CARDS else frozenset()
        if type.optional and (start is None or word == "none"):
            return None
        match type.kind, start:
            case "number", n.Number(value=value):
                if type.low is not None and not type.low <= value <= (type.high or 0):
                    self.found.say("RIT335", f"`{item.name}` starts outside of {type}", item.span)
                return value
            case "truth", n.Truth(value=truth):
                return truth
            case "enum", n.Name(id=value) if value in self.names.enums.get(type.name, ()):
                return value
        if type.kind != "unknown":
            hint = "write `starts as …`, or let it be absent with `?`" if start is None else None
            self.found.say("RIT336", f"`{item.name}` needs a {type} to start as", item.span, help=hint)
        return None

    def rule(self, item: n.RuleDecl, card: str | None) -> None:
        name = f"{card}.{item.name}" if card else item.name
        if not self.claim(name, item.span):
            return
        type = self.type(item.type) if item.type else TRUTH
        labels = tuple(clause.label for clause in item.clauses)
        for label in labels:
            if labels.count(label) > 1:
                self.found.say("RIT330", f"the clause `{label}` stands twice in `{item.name}`", item.span)
                break
        if item.combination == "value" and len(item.clauses) != 1:
            self.found.say("RIT337", f"`{item.name}` gives one value, so it has one clause", item.span)
        self.names.rules[name] = RuleHead(
            name, self.params(item.params), type, item.combination, card, labels, item.span
        )

    def params(self, params: tuple[n.Param, ...]) -> Params:
        seen: set[str] = set()
        for param in params:
            if param.name in seen:
                self.found.say("RIT330", f"the input `{param.name}` stands twice", param.span)
            seen.add(param.name)
        return tuple((param.name, self.type(param.type)) for param in params)

    def type(self, node: n.TypeName) -> Type:
        if node.name == "range":
            if node.low > node.high:
                self.found.say("RIT313", f"the range {node.low}..{node.high} is empty", node.span)
            return Type("number", "", node.low, node.high, node.optional, node.is_set)
        if node.name in WORDS:
            return Type(node.name, optional=node.optional, is_set=node.is_set)
        if node.name in self.names.enums:
            return Type("enum", node.name, optional=node.optional, is_set=node.is_set)
        if node.name in self.names.pieces:
            return Type("card", node.name, optional=node.optional, is_set=node.is_set)
        hint = near_miss(node.name, [*self.names.enums, *self.names.pieces, *WORDS])
        self.found.say("RIT338", f"there is no type `{node.name}`", node.span, help=hint)
        return UNKNOWN
