"""Chosen parts to a game: declare, gather patches, resolve.

In: `Chosen`. Out: a `Game`, and every fault found on the way. The model is complete even with
faults, so that later passes can find theirs; it must be run only if there are no errors.
"""

from __future__ import annotations

from collections.abc import Collection

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.part_reader import CARD_KEYS
from ritual_dsl.loading.parts import CardPart
from ritual_dsl.loading.reference import Chosen
from ritual_dsl.loading.shape import INTEGER
from ritual_dsl.loading.yaml_nodes import Scalar
from ritual_dsl.model import ir
from ritual_dsl.model.assumptions import resolve_assumptions
from ritual_dsl.model.declare import MOST_CARDS, Declarations
from ritual_dsl.model.expressions import Expressions
from ritual_dsl.model.game import Card, Clause, Entry, Game, Procedure, Rule, Signal
from ritual_dsl.model.measures import resolve_measures
from ritual_dsl.model.names import Names, Scope, open_scope
from ritual_dsl.model.odds import resolve_odds
from ritual_dsl.model.patches import Patches, Record, Text, bind, gather
from ritual_dsl.model.redeclare import redeclare
from ritual_dsl.model.statements import Statements, StepKey
from ritual_dsl.model.types import NUMBER, TRUTH, Type
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

DECLARED = n.ZoneDecl | n.CounterDecl | n.VariableDecl | n.RuleDecl | n.ProcedureDecl


def assemble(chosen: Chosen, found: Findings) -> Game | None:
    return _Assembly(chosen, found).game()


class _Assembly:
    def __init__(self, chosen: Chosen, found: Findings) -> None:
        self.chosen = chosen
        self.found = found
        self.deck = self.cards_in_play()
        self.texts = self.all_texts()
        declarations = Declarations(found)
        for card in (*chosen.cards.values(), *chosen.removed.values()):
            declarations.names.cards[card.id] = card.span
            declarations.names.kinds[card.id] = card.piece.text if card.piece else ""
        declarations.read(self.texts)
        self.names: Names = declarations.names
        self.step_labels = self.collect_step_labels()
        self.patches = self.gather_patches()
        redeclare(self.patches.declarations, declarations)
        self.players, self.seats = declarations.players, declarations.seats
        self.statements = Statements(self.names, self.patches.steps, found)
        self.expressions: Expressions = self.statements.expressions

    # ---- texts and cards

    def cards_in_play(self) -> dict[str, int]:
        """One card of each slot and all cards without; at least one there must be."""
        slots = {slot: card.text for slot, card in self.chosen.slots.items()}
        manifest = self.chosen.files.manifest
        removed = {c.id: c.span for m in self.chosen.modules for c in m.cards if c.removed}
        for slot, name in slots.items():
            picked = self.chosen.cards.get(name)
            if name != "none" and (picked is None or picked.slot is None or picked.slot.text != slot):
                fitting = [c.id for c in self.chosen.cards.values() if c.slot and c.slot.text == slot]
                hint = near_miss(name, fitting) or f"cards of this slot: {listing(fitting)}"
                if not fitting:
                    hint = f"no card has this slot; `slots: {{{slot}: none}}` leaves it empty"
                place = removed.get(name, self.chosen.slots[slot].span)
                self.found.say("RIT340", f"the slot `{slot}` has no card `{name}`", place, help=hint)
        deck = {}
        for card in self.chosen.cards.values():
            if card.slot is not None and card.slot.text not in slots:
                near = near_miss(card.slot.text, slots) or f"slots: {listing(slots) or 'none'}"
                self.found.say("RIT340", f"there is no slot `{card.slot.text}`", card.slot.span, help=near)
            if card.copies and (card.slot is None or slots.get(card.slot.text) == card.id):
                deck[card.id] = card.copies
        if not deck or sum(deck.values()) > MOST_CARDS:
            message = "the game has no cards" if not deck else f"the deck has more than {MOST_CARDS} cards"
            self.found.say("RIT341", message, manifest.span)
        return deck

    def all_texts(self) -> list[Text]:
        texts = [Text("rulebook", "", None, self.chosen.files.items)]
        for module in self.chosen.modules:
            texts.append(Text(module.layer, module.id, None, module.items, over=module.over))
            for change in module.cards:
                if change.patches:
                    in_play = change.id in self.deck
                    texts.append(Text(module.layer, module.id, change.id, change.patches, in_play, module.over))
        for card in (*self.chosen.cards.values(), *self.chosen.removed.values()):
            texts.append(Text("card", card.id, card.id, card.items, card.id in self.deck))
        return texts

    def collect_step_labels(self) -> dict[StepKey, Span]:
        """Every procedure, and every labelled step in it, however deep."""
        labels: dict[StepKey, Span] = {}
        for text in self.texts:
            for item in text.items:
                if isinstance(item, n.ProcedureDecl):
                    labels[item.name, None] = item.span
                    self.label_steps(item.steps, item.name, labels)
                elif isinstance(item, n.Handler):
                    self.label_steps(item.steps, text.origin, labels)
        return labels

    def label_steps(self, steps: tuple[n.Step, ...], home: str, labels: dict[StepKey, Span]) -> None:
        for step in steps:
            if step.label is not None:
                if (home, step.label) in labels:
                    self.found.say("RIT330", f"the step `{step.label}` stands twice in `{home}`", step.span)
                labels[home, step.label] = step.span
            match step.statement:
                case n.When(steps=inner, otherwise=otherwise):
                    self.label_steps(inner, home, labels)
                    self.label_steps(otherwise, home, labels)
                case n.Each(steps=inner) | n.Repeat(steps=inner):
                    self.label_steps(inner, home, labels)
                case n.Choose(options=options):
                    for option in options:
                        self.label_steps(option.steps, home, labels)

    # ---- patches

    def gather_patches(self) -> Patches:
        files = self.chosen.files
        active = [m.id for m in self.chosen.modules if m.option is None]
        known = [*files.variants, *active]
        records = gather(self.texts, active, known, self.names, self.found)
        for record in records:
            if record.guard.rule is not None and record.guard.card is not None:
                self.names.holder_rules.setdefault(record.guard.card, record.guard.rule)
        return bind(records, self.names, dict(self.step_labels), self.names_elsewhere(active), self.found)

    def names_elsewhere(self, active: Collection[str]) -> dict[str, str]:
        """What only variants declare that were not chosen, with the variant."""
        absent = [v for v in self.chosen.files.variants.values() if v.id not in active]
        return {item.name: v.id for v in absent for item in v.items if isinstance(item, DECLARED)}

    # ---- rules

    def rules(self) -> dict[str, Rule]:
        resolved = {}
        for text in self.texts:
            for item in text.items:
                if isinstance(item, n.RuleDecl):
                    name = f"{text.card}.{item.name}" if text.card else item.name
                    head = self.names.rules.get(name)
                    if head is not None and head.span == item.span:
                        resolved[name] = self.rule(item, name, text.card)
        return resolved

    def rule(self, item: n.RuleDecl, name: str, card: str | None) -> Rule:
        head = self.names.rules[name]
        scope = open_scope(head.params, card)
        clauses = {c.label: self.clause(name, c.label, c, head.type, scope) for c in item.clauses}
        for label in self.patches.labels.get(name, ()):
            if label not in clauses:
                clauses[label] = self.clause(name, label, None, head.type, scope)
                if head.combination == "value":
                    span = self.patches.clauses[name, label][0].node.span
                    self.found.say("RIT405", f"`{name}` gives one value: replace its clause", span)
        kept = tuple(c for c in clauses.values() if c.entries)
        return Rule(name, head.params, head.combination, head.type, kept, item.cites, card, scope.slots.used, item.span)

    def clause(self, rule: str, label: str, node: n.Clause | None, type: Type, scope: Scope) -> Clause:
        entries = []
        if node is not None:
            body = self.expressions.resolve(node.body, scope, type)
            entries.append(Entry(body, ir.Guard(), "rulebook", "", label, node.cites, node.span))
        for record in self.patches.clauses.get((rule, label), ()):
            entry = self.entry(record, type, scope)
            if record.in_play:
                entries.append(entry)
            if record.node.kind == "remove" and self.names.rules[rule].combination == "value" and not record.guard:
                self.found.say("RIT406", f"without `{label}`, `{rule}` has no value", record.node.span)
        limits = []
        for record in self.patches.limits.get((rule, label), ()):
            if type.kind != "number":
                self.found.say("RIT405", f"`{rule}` is no number that could be limited", record.node.span)
            entry = self.entry(record, NUMBER, scope)
            if record.in_play:
                limits.append(entry)
        first = node.span if node is not None else self.patches.clauses[rule, label][0].node.span
        cites = node.cites if node is not None else self.patches.clauses[rule, label][0].node.cites
        return Clause(label, tuple(entries), tuple(limits), cites, first)

    def entry(self, record: Record, type: Type, scope: Scope) -> Entry:
        node = record.node
        assert isinstance(node, n.ClausePatch)
        inner = scope.of_card(record.card)
        body = self.expressions.resolve(node.body, inner, type) if node.body is not None else None
        condition = self.expressions.truth(node.condition, inner) if node.condition is not None else None
        overrides = []
        for override in record.overrides:
            if isinstance(override.node, n.StepPatch):
                self.found.say("RIT405", "a patch of a clause is no step", override.node.span)
                continue
            resolved = self.entry(override, type, inner)
            if override.in_play:
                overrides.append(resolved)
        return Entry(
            body,
            record.guard,
            record.layer,
            record.origin,
            record.label,
            node.cites,
            node.span,
            condition,
            tuple(overrides),
            record.over,
        )

    # ---- procedures

    def procedures(self) -> tuple[dict[str, Procedure], dict[str, Signal]]:
        procedures: dict[str, Procedure] = {}
        handlers: dict[str, list[str]] = {name: [] for name in self.names.signals}
        for text in self.texts:
            for item in text.items:
                if isinstance(item, n.ProcedureDecl) and item.name in self.names.procedures:
                    procedures[item.name] = self.procedure(item)
                elif isinstance(item, n.Handler):
                    handler = self.handler(item, text, len(handlers.get(item.trigger, ())))
                    if handler is not None:
                        procedures[handler.name] = handler
                        if text.in_play:
                            handlers[item.trigger].append(handler.name)
        signals = {}
        for name, params in self.names.signals.items():
            at = next((i for i, (_, type) in enumerate(params) if type.kind == "card"), None)
            signals[name] = Signal(name, params, tuple(handlers[name]), at)
        return procedures, signals

    def procedure(self, item: n.ProcedureDecl) -> Procedure:
        head = self.names.procedures[item.name]
        scope = open_scope(head.params, None, item.name)
        only_when, watch = (
            self.expressions.truth(node, scope) if node is not None else None for node in (item.only_when, item.as_soon)
        )
        by = self.statements.doer(item.by, scope) if item.by is not None else None
        patched = self.statements.patched((item.name, None), scope)
        steps = self.statements.block(item.steps, scope, item.name, False)
        return Procedure(
            item.name,
            head.params,
            item.ends,
            item.any_time,
            by,
            only_when,
            watch,
            steps,
            patched,
            item.cites,
            None,
            scope.slots.used,
            item.span,
        )

    def handler(self, item: n.Handler, text: Text, number: int) -> Procedure | None:
        params = self.names.signals.get(item.trigger)
        if params is None:
            hint = near_miss(item.trigger, self.names.signals)
            self.found.say("RIT327", f"there is no trigger `{item.trigger}`", item.span, help=hint)
            return None
        if text.card is not None and all(type.kind != "card" for _, type in params):
            self.found.say("RIT328", f"`{item.trigger}` names no card, so no card can answer to it", item.span)
        scope = open_scope(params, text.card)
        condition = self.expressions.truth(item.condition, scope) if item.condition is not None else None
        steps = self.statements.block(item.steps, scope, text.origin, False)
        name = f"{text.origin}.{item.trigger}" + (f".{number}" if text.card is None else "")
        return Procedure(
            name,
            params,
            (),
            False,
            None,
            None,
            None,
            steps,
            ir.Patched(),
            item.cites,
            text.card,
            scope.slots.used,
            item.span,
            condition,
        )

    # ---- the whole

    def game(self) -> Game | None:
        manifest = self.chosen.files.manifest
        if self.players is None:
            self.found.say("RIT342", "the rules do not say `players: …`", manifest.span)
        cards = {card.id: self.card(card) for card in self.chosen.cards.values()}
        rules = self.rules()
        procedures, signals = self.procedures()
        self.audiences()
        main = manifest.main.text if manifest.main else ""
        if manifest.main is not None and main not in procedures:
            hint = near_miss(main, procedures)
            self.found.say("RIT325", f"there is no procedure `{main}`", manifest.main.span, help=hint)
        winners = self.winners(rules)
        self.supplies()
        if self.players is None:
            return None
        return Game(
            reference=self.chosen.reference,
            files=self.chosen.files,
            modules=self.chosen.modules,
            enums=self.names.enums,
            pieces=self.names.pieces,
            players=(self.players.low, self.players.high),
            dummies_up_to=self.seats.dummies_up_to if self.seats else 0,
            cards=cards,
            parts=self.chosen.cards,
            deck=self.deck,
            zones=self.names.zones,
            counters=self.names.counters,
            variables=self.names.variables,
            rules=rules,
            procedures=procedures,
            signals=signals,
            odds=resolve_odds(self.texts, self.names, self.expressions, self.found),
            measures=resolve_measures(self.texts, self.statements.expressions),
            assumptions=resolve_assumptions(self.texts, self.expressions, procedures.values()),
            main=main,
            winners=winners,
            cells=self.names.cells,
            redeclared=tuple(r.change for r in self.patches.declarations if r.in_play),
            overridden=self.patches.overridden(),
        )

    def supplies(self) -> None:
        """Every piece lies somewhere when the game starts: for each kind, one pile starts with all of it."""
        for piece in self.names.pieces:
            what = piece or "cards"
            filled = [zone for zone in self.names.zones.values() if zone.filled and zone.piece == piece]
            if len(filled) != 1 or filled[0].single or filled[0].owner is not None:
                place = filled[-1].span if filled else self.chosen.files.manifest.span
                self.found.say("RIT343", f"one pile `starts with all {what}`", place)

    def winners(self, rules: dict[str, Rule]) -> str | None:
        word = self.chosen.files.manifest.winners
        if word is None:
            return None
        rule = rules.get(word.text)
        if rule is None:
            self.found.say("RIT301", f"there is no rule `{word.text}`", word.span, help=near_miss(word.text, rules))
            return None
        if rule.type != TRUTH or [t.kind for _, t in rule.params] != ["player"]:
            self.found.say("RIT302", f"`{rule.name}` should be a truth rule of a player", word.span)
        return rule.name

    def audiences(self) -> None:
        zones = [(zone.audience, zone.span) for zone in self.names.zones.values()]
        zones += [(zone.top_audience, zone.span) for zone in self.names.zones.values() if zone.top_audience]
        for audience, span in [*zones, *((v.audience, v.span) for v in self.names.variables.values())]:
            if audience in ("everyone", "everyone else", "owner", "nobody"):
                continue
            variable = self.names.variables.get(audience)
            if variable is None or variable.type.kind != "player":
                hint = near_miss(audience, self.names.variables)
                message = f"`{audience}` is no variable that holds a player"
                self.found.say("RIT334", message, span, help=hint)

    def card(self, part: CardPart) -> Card:
        values: dict[str, ir.Value] = {}
        piece = part.piece.text if part.piece is not None else ""
        if part.piece is not None and piece not in self.names.pieces:
            hint = near_miss(piece, self.names.pieces)
            self.found.say("RIT338", f"there is no kind of pieces `{piece}`", part.piece.span, help=hint)
        attributes = self.names.pieces.get(piece, {})
        for name, type in attributes.items():
            given = part.attributes.get(name)
            if given is None and not type.optional:
                hint = near_miss(part.id, [c for c in self.chosen.cards if c != part.id]) if part.changed_by else None
                self.found.say("RIT121", f"the card `{part.id}` lacks the key `{name}`", part.span, help=hint)
            values[name] = self.attribute(given, name, type) if given is not None else None
        for name, given in part.attributes.items():
            if name not in attributes and piece in self.names.pieces:
                known = [*CARD_KEYS, *attributes]
                hint = near_miss(name, known) or f"known here: {listing(known, 14)}"
                self.found.say("RIT120", f"the card `{part.id}` has no key `{name}`", given.span, help=hint)
        slot = part.slot.text if part.slot else None
        words = (part.name, part.text, part.copies, slot, part.cites)
        return Card(part.id, *words, values, part.changed_by, piece, part.span)

    def attribute(self, given: Scalar, name: str, type: Type) -> ir.Value:
        text = given.text
        if type.optional and text == "none":
            return None
        if type.kind == "enum":
            if text in self.names.values(type):
                return text
            hint = near_miss(text, self.names.values(type)) or f"known: {listing(self.names.values(type))}"
            self.found.say("RIT310", f"`{text[:40]}` is not a {type.name}", given.span, help=hint)
        elif type.kind == "number":
            low, high = type.low or 0, type.high if type.high is not None else 999_999
            if INTEGER.fullmatch(text) and low <= int(text) <= high:
                return int(text)
            self.found.say("RIT310", f"`{name}` should be a number in {low}..{high}, not `{text[:40]}`", given.span)
        elif type.kind == "truth":
            if text in ("yes", "no"):
                return text == "yes"
            self.found.say("RIT310", f"`{name}` should be yes or no, not `{text[:40]}`", given.span)
        return None
