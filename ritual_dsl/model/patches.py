"""Patches: gathered from all texts, each bound to the label it names.

In: the items of rulebook, modules and cards in the order of their layers. Out: `Record`s, sorted
by target: clauses of rules, limits on them, steps, declarations, and other patches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from ritual_dsl.diagnostics import Findings, Related, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.model import ir
from ritual_dsl.model.game import Change
from ritual_dsl.model.names import Names, Params
from ritual_dsl.model.types import CARD, SEAT, TRUTH, Type, fits
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

WITH = "`with` names a variant or a house rule; the answers of a ruling have rules of their own"


@dataclass(frozen=True)
class Text:
    """A stretch of rules from one origin: the rulebook, a module, or a card."""

    layer: str
    origin: str  # "" for the rulebook
    card: str | None
    items: tuple[n.Item, ...]
    in_play: bool = True
    over: frozenset[str] = frozenset()  # overlays this one extends


@dataclass
class Record:
    """One patch, where it comes from, and the patches made to it in turn."""

    node: n.ClausePatch | n.StepPatch
    layer: str
    origin: str
    card: str | None
    guard: ir.Guard
    in_play: bool
    over: frozenset[str] = frozenset()
    overrides: list[Record] = field(default_factory=list)

    @property
    def change(self) -> Change:
        return Change(self.node.path, self.layer, self.origin, self.node.cites, self.node.span)

    @property
    def label(self) -> str:
        """Its own label, else the rule or procedure it patches."""
        return self.node.label or (self.node.path[-2] if len(self.node.path) > 1 else self.node.path[0])


@dataclass
class Patches:
    """All patches of a game by what they touch."""

    clauses: dict[tuple[str, str], list[Record]] = field(default_factory=dict)
    limits: dict[tuple[str, str], list[Record]] = field(default_factory=dict)
    labels: dict[str, list[str]] = field(default_factory=dict)  # of each rule, those in `clauses`
    steps: dict[tuple[str, str | None], list[Record]] = field(default_factory=dict)
    declarations: list[Record] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)  # all of them

    def overridden(self) -> tuple[tuple[Span, Change], ...]:
        """Patches that another patch always takes the place of, with the topmost such."""
        tops = [(r, [o for o in r.overrides if o.in_play and not o.guard]) for r in self.records]
        return tuple((record.node.span, top[-1].change) for record, top in tops if top)


def gather(
    texts: Iterable[Text], modules: Collection[str], known: Collection[str], names: Names, found: Findings
) -> list[Record]:
    """Every patch of every text, guards worked out; what stands under an absent module is left out."""
    records: list[Record] = []
    for text in texts:
        for item in text.items:
            if isinstance(item, n.ClausePatch | n.StepPatch | n.Guarded):
                records += flatten(item, text, ir.Guard(), modules, known, names, found)
    return records


def flatten(
    item: n.Patch,
    text: Text,
    guard: ir.Guard,
    modules: Collection[str],
    known: Collection[str],
    names: Names,
    found: Findings,
) -> Iterator[Record]:
    if not isinstance(item, n.Guarded):
        yield Record(item, text.layer, text.origin, text.card, guard, text.in_play, text.over)
        return
    if item.with_module is not None and item.with_module not in modules:
        if item.with_module not in known:
            hint = near_miss(item.with_module, known) or WITH
            found.say("RIT401", f"there is no module `{item.with_module}`", item.span, help=hint)
        return
    inner = narrow(guard, item, text.card, names, found)
    for patch in item.patches:
        yield from flatten(patch, text, inner, modules, known, names, found)


def narrow(guard: ir.Guard, item: n.Guarded, card: str | None, names: Names, found: Findings) -> ir.Guard:
    during = guard.during
    if item.during is not None:
        if item.during not in names.procedures:
            hint = near_miss(item.during, names.procedures)
            found.say("RIT325", f"there is no procedure `{item.during}`", item.span, help=hint)
        during = (*during, item.during)
    if item.while_rule is None:
        return ir.Guard(guard.rule, guard.card, during)
    rule = names.rule(item.while_rule, card)
    if rule is None:
        hint = near_miss(item.while_rule, names.rules)
        found.say("RIT301", f"there is no rule `{item.while_rule}`", item.span, help=hint)
        return guard
    if not guards_card(rule.params, rule.type):
        found.say("RIT402", f"`while {rule.name}` needs a truth rule of (a card, a seat)", item.span)
        return guard
    if card is None:
        found.say("RIT402", "`while` asks about a card, and this is no card's text", item.span)
        return guard
    return ir.Guard(rule.name, card, during)


def guards_card(params: Params, type: Type) -> bool:
    kinds = [t for _, t in params]
    return type == TRUTH and len(kinds) == 2 and kinds[0] == CARD and fits(kinds[1], SEAT)


def bind(
    records: list[Record],
    names: Names,
    step_labels: dict[tuple[str, str | None], object],
    elsewhere: dict[str, str],
    found: Findings,
) -> Patches:
    """Sort patches by target; patches of patches hang below the patch they name."""
    patches = Patches(records=records)
    index = _Index(records)
    for record in records:
        binder = _Binder(record, index, names, step_labels, patches)
        if not binder.bind():
            path = ".".join(record.node.path)
            message = f"there is nothing labelled `{path}` to {binder.verb()}"
            module = elsewhere.get(record.node.path[0])
            with_it = f"`{record.node.path[0]}` belongs to `{module}`: write it under `with {module}:`"
            found.say("RIT403", message, record.node.span, help=with_it if module else binder.hint(path))
    for (origin, label), named in index.labelled.items():
        own = [record for record in named if record.node.label is not None]
        for record in own[1:]:
            first = [Related("the first", own[0].node.span)]
            message = f"`{origin}` has two patches called `{label}`" if origin else f"two patches are called `{label}`"
            found.say("RIT409", message, record.node.span, related=first, help="give them different labels")
    return patches


class _Index:
    """The patches by the names under which others find them, so that cost stays linear in their number."""

    def __init__(self, records: list[Record]) -> None:
        self.records = records
        self.labelled: dict[tuple[str, str], list[Record]] = {}
        self.added: dict[str, list[Record]] = {}
        for record in records:
            self.labelled.setdefault((record.origin, record.label), []).append(record)
            if record.node.kind == "add":
                path = ".".join(record.node.path)
                for name in {path, f"{record.origin}.{path}"}:
                    self.added.setdefault(name, []).append(record)


class _Binder:
    def __init__(
        self,
        record: Record,
        index: _Index,
        names: Names,
        step_labels: dict[tuple[str, str | None], object],
        patches: Patches,
    ) -> None:
        self.record = record
        self.index = index
        self.names = names
        self.step_labels = step_labels
        self.patches = patches

    def bind(self) -> bool:
        return self.bind_patch() or (
            self.bind_step() if isinstance(self.record.node, n.StepPatch) else self.bind_clause()
        )

    def bind_patch(self) -> bool:
        """`lantern.cap`: a patch of another text, by its label."""
        path = self.record.node.path
        if len(path) != 2 or self.record.node.kind in ("add", "limit", "before", "after"):
            return False
        named = [r for r in self.index.labelled.get((path[0], path[1]), ()) if r is not self.record]
        if len(named) != 1 or self.is_rule_clause(path):
            return False
        named[0].overrides.append(self.record)
        return True

    def is_rule_clause(self, path: tuple[str, ...]) -> bool:
        rule = self.names.rules.get(path[0])
        return rule is not None and path[1] in rule.labels

    def bind_clause(self) -> bool:
        node = self.record.node
        assert isinstance(node, n.ClausePatch)
        path = node.path
        if self.names_declaration(node):
            self.patches.declarations.append(self.record)
            return True
        rule_name, label = ".".join(path[:-1]), path[-1]
        own = f"{self.record.card}.{rule_name}"
        rule = self.names.rules.get(own) or self.names.rules.get(rule_name)
        if rule is None or (node.kind != "add" and not self.clause_exists(rule.name, label)):
            return False
        table = self.patches.limits if node.kind == "limit" else self.patches.clauses
        if table is self.patches.clauses and (rule.name, label) not in table:
            self.patches.labels.setdefault(rule.name, []).append(label)
        table.setdefault((rule.name, label), []).append(self.record)
        return True

    def names_declaration(self, node: n.ClausePatch) -> bool:
        path = node.path
        if node.declared is not None:
            return isinstance(node.declared, n.SeatsDecl) or path[0] in self.names.zones
        if node.kind == "add":
            return len(path) == 2 and path[0] in self.names.enums
        counter = len(path) == 2 and path[0] in self.names.counters and path[1] in COUNTER_LABELS
        return node.kind == "replace" and (path == ("players",) or counter)

    def clause_exists(self, rule: str, label: str) -> bool:
        """Declared with the rule, or added by a patch of any text that this one could stand above."""
        if label in self.names.rules[rule].labels:
            return True
        adders = self.index.added.get(f"{rule}.{label}", [])
        return any(self.record.node.kind == "limit" or not self.is_another_cards(adder) for adder in adders)

    def is_another_cards(self, adder: Record) -> bool:
        """Whether it is a card's own text, above which nothing stands but a patch of that very patch."""
        return adder.card is not None and adder.origin == adder.card != self.record.origin

    def bind_step(self) -> bool:
        path = self.record.node.path
        key: tuple[str, str | None] = (path[0], path[1] if len(path) > 1 else None)
        if len(path) > 2 or key not in self.step_labels:
            return False
        if key[1] is None and self.record.node.kind == "instead":
            return False
        self.patches.steps.setdefault(key, []).append(self.record)
        return True

    def known(self) -> list[str]:
        clauses = [f"{rule.name}.{label}" for rule in self.names.rules.values() for label in rule.labels]
        steps = [f"{home}.{label}" if label else home for home, label in self.step_labels]
        others = [f"{r.origin}.{r.label}" for r in self.index.records if r.origin]
        if isinstance(self.record.node, n.StepPatch):
            return steps + others
        counters = [f"{c}.{label}" for c in self.names.counters for label in COUNTER_LABELS]
        added = self.names.enums if self.record.node.kind == "add" else ()
        enums = [f"{enum}.{self.record.node.path[-1]}" for enum in added]
        return [*clauses, *others, *counters, *self.names.zones, *enums, "players"]

    def hint(self, path: str) -> str | None:
        words = tuple(path.split("."))
        adders = [adder for adder in self.index.added.get(path, ()) if self.is_another_cards(adder)]
        if adders and isinstance(self.record.node, n.ClausePatch):
            own = f"{adders[0].origin}.{adders[0].label}"
            return f"the card `{adders[0].origin}` adds it: {self.record.node.kind} `{own}`"
        if len(words) == 2 and len(self.index.labelled.get((words[0], words[1]), ())) > 1:
            return f"`{words[0]}` has several patches called `{words[1]}`: labels of their own tell them apart"
        labels = [f"{home}.{label}" for home, label in self.step_labels if label and (home,) == words]
        if self.record.node.kind == "instead" and labels:
            return f"a labelled step is replaced, not a whole procedure: {listing(labels)}"
        return near_miss(path, [name for name in self.known() if name != path])

    def verb(self) -> str:
        kind = self.record.node.kind
        return {"before": "put steps before", "after": "put steps after", "instead": "put steps in place of"}.get(
            kind, kind
        )


COUNTER_LABELS = ("starts", "min", "max")
