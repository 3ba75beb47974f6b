"""What counts after all patches: rules, procedures, declarations and cards, each line with where it comes from.

In: a game. Out: `Shown` things. A patch without a guard takes the place of what it patches; one with a guard
stands below it, with the guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ritual_dsl.analysis.written import Line, Text, clause_body, guard_words, rows, written
from ritual_dsl.model import ir
from ritual_dsl.model.game import Change, Clause, Entry, Game, Patching, Procedure, Rule
from ritual_dsl.model.walk import walk
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

RULEBOOK = "rulebook"


@dataclass(frozen=True)
class Shown:
    """One thing of a game, as it counts."""

    kind: str  # declaration, rule, procedure, card, module
    name: str
    lines: tuple[Line, ...]


class Effective:
    """Everything that counts in a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.overridden = dict(game.overridden)
        self.modules = {module.id: module for module in game.modules}
        self.homes = {item.span: module.id for module in game.modules for item in module.items}

    def everything(self) -> Iterator[Shown]:
        yield from self.declarations()
        for rule in self.game.rules.values():
            if rule.card is None:
                yield self.rule(rule)
        for procedure in self.game.procedures.values():
            if procedure.card is None:
                yield self.procedure(procedure)
        for name in self.game.cards:
            yield self.card(name)

    def named(self, name: str) -> Shown | None:
        """A rule, procedure, card, module, declared thing, or a single clause such as `cost.amount`."""
        game = self.game
        if name in game.rules:
            return self.rule(game.rules[name])
        if name in game.procedures:
            return self.procedure(game.procedures[name])
        if name in game.cards:
            return self.card(name)
        module = self.module(name)
        if module is not None:
            return module
        rule, _, label = name.rpartition(".")
        if rule in game.rules and any(c.label == label for c in game.rules[rule].clauses):
            return self.rule(game.rules[rule], label)
        return next((shown for shown in self.declarations() if shown.name == name), None)

    def names(self) -> list[str]:
        declared = [shown.name for shown in self.declarations()]
        files = self.game.files
        known = [*self.game.rules, *self.game.procedures, *self.game.cards, *self.modules]
        return [*known, *files.variants, *declared]

    def text(self, origin: str, cites: tuple[str, ...] = ()) -> Text:
        """The rulebook's, a module's, or a card's own as it was given last."""
        module = self.modules.get(origin)
        if module is not None:
            ruling = self.game.files.rulings.get(origin)
            return Text(module.layer, origin, cites or module.cites or (ruling.cites if ruling is not None else ()))
        part = self.game.parts.get(origin)
        given = part.origins.get("rules") if part is not None else None
        own = cites or (part.cites if part is not None else ())
        return Text(given.layer, given.module, own) if given is not None else Text(RULEBOOK, "", own)

    def text_of(self, patch: Patching, cites: tuple[str, ...] = ()) -> Text:
        """Of a patch, in its own layer."""
        return Text(patch.layer, patch.origin, cites or self.text(patch.origin).cites)

    def module(self, name: str) -> Shown | None:
        """A variant, ruling or overlay: its rules as they are written, taken or not."""
        found = self.modules.get(name) or self.game.files.variants.get(name)
        if found is None:
            return None
        ruling = self.game.files.rulings.get(name)
        options = list(ruling.options.values()) if ruling is not None else [found]
        lines: list[Line] = []
        for option in options:
            at = option.span
            text = Text(option.layer, option.reference, option.cites or (ruling.cites if ruling is not None else ()))
            lines.append(Line(f"{option.reference}:", text.layer, text.origin, at.path, at.line, text.cites))
            spans = [item.span for item in option.items]
            spans += [patch.span for change in option.cards for patch in change.patches]
            lines += [line.indented() for span in spans for line in written(span, text)]
        return Shown("module", name, tuple(lines))

    # ---- declarations

    def declarations(self) -> Iterator[Shown]:
        texts = [("", self.game.files.items), *((module.id, module.items) for module in self.game.modules)]
        for origin, items in texts:
            for item in items:
                match item:
                    case n.RuleDecl() | n.ProcedureDecl() | n.Handler():
                        continue
                    case n.ClausePatch() | n.StepPatch() | n.Guarded():
                        continue
                    case n.PlayersDecl():
                        yield self.declaration("players", item.span, origin)
                    case n.SeatsDecl():
                        yield self.declaration("seats", item.span, origin)
                    case n.AttributesDecl():
                        yield self.declaration("card has", item.span, origin)
                    case n.OddsDecl():
                        yield self.declaration("odds", item.span, origin)
                    case _:
                        yield self.declaration(item.name, item.span, origin)

    def declaration(self, name: str, span: Span, origin: str) -> Shown:
        """As it is after its patches, with the patches below."""
        lines = written(span, self.text(origin))
        changes = [change for change in self.game.redeclared if change.path[0] == name]
        whole = [change for change in changes if len(change.path) == 1]
        if whole:
            top = written(whole[-1].span, self.text(whole[-1].origin))
            lines = [replace(top[0], text=top[0].text.removeprefix("replace ")), *top[1:]]
        elif changes:
            lines[0] = replace(lines[0], text=self.declared_now(name, lines[0].text))
            patches = [line for c in changes for line in written(c.span, self.text(c.origin))]
            lines += [line.indented() for line in patches]
        return Shown("declaration", name, tuple(lines))

    def declared_now(self, name: str, before: str) -> str:
        counter = self.game.counters.get(name)
        if counter is not None:
            head = before.partition(":")[0]
            owner = f"per {counter.owner}, " if counter.owner is not None else ""
            return f"{head}: {owner}{counter.low}..{counter.high}, starts at {counter.starts}"
        return f"enum {name}: {', '.join(self.game.enums[name])}"

    # ---- rules

    def rule(self, rule: Rule, only: str | None = None) -> Shown:
        origin = rule.card or self.homes.get(rule.span, "")
        head, *_ = written(rule.span, self.text(origin))
        lines = [line for clause in rule.clauses if only in (None, clause.label) for line in self.clause(rule, clause)]
        return Shown("rule", rule.name, (head, *(line.indented() for line in lines)))

    def clause(self, rule: Rule, clause: Clause) -> Iterator[Line]:
        """What the clause says always, then what it says under a guard, then its limits."""
        always = max((i for i, entry in enumerate(clause.entries) if not entry.guard), default=None)
        base = rule.card or self.homes.get(rule.span, "")
        for position, entry in enumerate(clause.entries):
            if always is not None and position < always:
                continue
            for line in self.entry(entry, clause.label, self.text(base, rule.cites)):
                yield line.indented(2 if position != (always or 0) else 0)
        for limit in clause.limits:
            yield from (line.indented() for line in self.entry(limit, clause.label, self.text_of(limit)))

    def entry(self, entry: Entry, label: str, base: Text) -> Iterator[Line]:
        """An entry as the patches of it have it; one that is gone for good leaves no line."""
        guard = guard_words(entry.guard)
        chosen = next((o for o in reversed(entry.overrides) if not o.guard), entry)
        if chosen.body is not None or guard:
            yield from clause_body(chosen.span, label, self.text_of(chosen) if chosen.origin else base, guard)
        for override in (o for o in entry.overrides if o.guard):
            both = f"{guard} {guard_words(override.guard)}".strip()
            lines = clause_body(override.span, label, self.text_of(override), both)
            yield from (line.indented() for line in lines)

    # ---- procedures

    def procedure(self, procedure: Procedure) -> Shown:
        """The steps as they are written, with the patches of each step where they count."""
        origin = procedure.card or self.homes.get(procedure.span, "")
        head, *body = written(procedure.span, self.text(origin))
        steps = {s.span.line: s for s in walk(procedure.steps) if isinstance(s, ir.Step) and own(s, procedure)}
        lines = [head, *self.blocks(procedure.patched.before, 2)]
        hidden = 0
        pending: list[tuple[int, list[Line]]] = []  # what follows a step, by its last line
        for line in body:
            while pending and pending[-1][0] < line.line:
                lines += pending.pop()[1]
            step = steps.get(line.line)
            if step is not None and line.line > hidden:
                depth = len(line.text) - len(line.text.lstrip())
                last = max(number for _, number, _ in rows(step.span))
                lines += self.blocks(step.patched.before, depth)
                pending.append((last, [*self.instead(step, depth), *self.blocks(step.patched.after, depth)]))
                hidden = last if any(not block.guard for block in step.patched.instead) else hidden
            if line.line > hidden:
                lines.append(line)
        while pending:
            lines += pending.pop()[1]
        return Shown("procedure", procedure.name, (*lines, *self.blocks(procedure.patched.after, 2)))

    def instead(self, step: ir.Step, depth: int) -> list[Line]:
        """From the topmost block that always counts."""
        blocks = step.patched.instead
        always = max((i for i, block in enumerate(blocks) if not block.guard), default=0)
        return self.blocks(blocks[always:], depth)

    def blocks(self, blocks: tuple[ir.Block, ...], depth: int) -> list[Line]:
        found = [line for b in blocks for line in written(b.span, self.text_of(b, b.cites), guard_words(b.guard))]
        return [line.indented(depth) for line in found]

    # ---- cards

    def card(self, name: str) -> Shown:
        """What is printed, then what it does."""
        part, card = self.game.parts[name], self.game.cards[name]
        made = Text(RULEBOOK, "") if name in self.game.files.cards else self.text(part.changed_by[0])
        lines = [Line(f"{name}:", made.layer, made.origin, part.span.path, part.span.line, part.cites)]
        values = {
            **{f"name.{language}": words for language, words in card.name.items()},
            **{f"text.{language}": words for language, words in card.text.items()},
            **{key: given.text for key, given in part.attributes.items()},
            "copies": str(card.copies),
            "slot": card.slot or "none",
            "piece": card.piece,
        }
        for key, origin in part.origins.items():
            if key in values:
                at = origin.span
                text = f"  {key}: {' '.join(values[key].split())}"
                lines.append(Line(text, origin.layer, origin.module, at.path, at.line, part.cites))
        lines += [line.indented() for line in self.card_rules(name)]
        return Shown("card", name, tuple(lines))

    def card_rules(self, name: str) -> Iterator[Line]:
        for item in self.game.parts[name].items:
            if isinstance(item, n.RuleDecl):
                yield from self.rule(self.game.rules[f"{name}.{item.name}"]).lines
            elif isinstance(item, n.Handler):
                yield from self.procedure(self.game.procedures[f"{name}.{item.trigger}"]).lines
            else:
                yield from self.patches(item.span, self.text(name))
        for changer in self.game.modules:
            for change in changer.cards:
                if change.id == name:
                    for patch in change.patches:
                        if patch.span not in {c.span for c in self.overridden.values()}:
                            yield from self.patches(patch.span, self.text(changer.id))

    def patches(self, span: Span, text: Text) -> Iterator[Line]:
        """Patches as written; one that another patch took the place of, as that one has it."""
        taken = {(at.path, at.line): change for at, change in self.overridden.items()}
        for line in written(span, text):
            change: Change | None = taken.get((line.path, line.line))
            if change is None:
                yield line
                continue
            depth = len(line.text) - len(line.text.lstrip())
            yield from (new.indented(depth) for new in written(change.span, self.text(change.origin)))


def own(step: ir.Step, procedure: Procedure) -> bool:
    """Whether a step is written in the procedure itself, and not in a patch of it."""
    return step.span.source == procedure.span.source and step.span.line > procedure.span.line
