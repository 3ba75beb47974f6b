"""Lark's tree to nodes: one method for each rule of `ritual.lark`.

In: the tree of one top-level item. Out: its node. Names of methods are names of grammar rules.
"""

from __future__ import annotations

from typing import Any, TypeVar

from lark import Token, v_args
from lark.tree import Meta

from ritual_dsl.source import Source, Span
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.build_measures import MeasureBuilder

T = TypeVar("T")
Children = list[Any]
Moment = tuple[bool, n.Expr | None, n.Expr | None, n.Expr | None]  # at any time: by whom, when; as soon as


@v_args(meta=True)
class NodeBuilder(MeasureBuilder):
    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source

    def span(self, meta: Meta) -> Span:
        """The stretch of a construct; of one with a block, its first line."""
        if meta.end_line == meta.line:
            return Span(self.source, meta.line, meta.column, meta.end_line, meta.end_column)
        end = len(self.source.line(meta.line).rstrip()) + 1
        return Span(self.source, meta.line, meta.column, meta.line, max(end, meta.column + 1))

    # ---- declarations

    def start(self, meta: Meta, c: Children) -> list[n.Item]:
        return c

    def enum(self, meta: Meta, c: Children) -> n.EnumDecl:
        name, *values, eol = c
        return n.EnumDecl(self.span(meta), str(name), tuple(map(str, values)), cites(eol))

    def attributes(self, meta: Meta, c: Children) -> n.AttributesDecl:
        return n.AttributesDecl(self.span(meta), None, tuple(c[:-1]), cites(c[-1]))

    def piece(self, meta: Meta, c: Children) -> n.AttributesDecl:
        name, *attributes, eol = c
        return n.AttributesDecl(self.span(meta), str(name), tuple(attributes), cites(eol))

    def attribute(self, meta: Meta, c: Children) -> n.Param:
        return n.Param(self.span(meta), str(c[0]), c[1])

    param = attribute

    def players(self, meta: Meta, c: Children) -> n.PlayersDecl:
        bounds, eol = c
        return n.PlayersDecl(self.span(meta), bounds.low, bounds.high, cites(eol))

    def seats(self, meta: Meta, c: Children) -> n.SeatsDecl:
        most, eol = c
        return n.SeatsDecl(self.span(meta), int(most or 0), cites(eol))

    def zone(self, meta: Meta, c: Children) -> n.ZoneDecl:
        name, (single, piece, owner), *traits, eol = c
        said: dict[str, str] = dict(traits)
        return n.ZoneDecl(
            self.span(meta),
            str(name),
            single,
            piece,
            owner,
            said.get("audience"),
            said.get("top"),
            said.get("filled"),
            len(said) < len(traits),
            cites(eol),
        )

    def pile(self, meta: Meta, c: Children) -> tuple[bool, str | None, n.TypeName | None]:
        return False, str(c[0]) if c[0] else None, c[1]

    def single(self, meta: Meta, c: Children) -> tuple[bool, str | None, n.TypeName | None]:
        return True, None if c[0].type == "CARD" else str(c[0]), c[1]

    def owner(self, meta: Meta, c: Children) -> n.TypeName:
        return self.type(meta, [c[0], None])

    def facing(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "audience", "everyone" if c[0].type == "UP" else "nobody"

    def seen(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "audience", c[0]

    def top_seen(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "top", c[-1]

    def audience(self, meta: Meta, c: Children) -> str:
        return " ".join(str(word) for word in c if word)

    def filled(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "filled", str(c[-1]) if c else "cards"

    def counter(self, meta: Meta, c: Children) -> n.CounterDecl:
        name, owner, bounds, starts, eol = c
        return n.CounterDecl(self.span(meta), str(name), owner, bounds.low, bounds.high, int(starts), cites(eol))

    def variable(self, meta: Meta, c: Children) -> n.VariableDecl:
        name, owner, type_, starts, seen, eol = c
        audience = seen[1] if seen else None
        start = self.atom(starts) if starts is not None else None
        return n.VariableDecl(self.span(meta), str(name), owner, type_, start, audience, cites(eol))

    def signal(self, meta: Meta, c: Children) -> n.SignalDecl:
        return n.SignalDecl(self.span(meta), str(c[0]), c[1])

    def type(self, meta: Meta, c: Children) -> n.TypeName:
        span = self.span(meta)
        is_set = isinstance(c[0], Token) and c[0].type == "SET"
        base = c[1] if is_set else c[0]
        optional = not is_set and c[1] is not None
        if isinstance(base, n.Range):
            return n.TypeName(span, "range", base.low, base.high, optional, is_set)
        return n.TypeName(span, str(base), 0, 0, optional, is_set)

    def range(self, meta: Meta, c: Children) -> n.Range:
        return n.Range(self.span(meta), int(c[0]), int(c[1]))

    def params(self, meta: Meta, c: Children) -> tuple[n.Param, ...]:
        return tuple(c)

    # ---- rules

    def rule(self, meta: Meta, c: Children) -> n.RuleDecl:
        name, params, combination, eol, *rest = c
        kind, type_ = ("value", combination) if isinstance(combination, n.TypeName) else (combination, None)
        clauses = tuple(x for x in rest if isinstance(x, n.Clause))
        return n.RuleDecl(self.span(meta), str(name), params or (), kind, type_, clauses, cites(eol))

    def any_of(self, meta: Meta, c: Children) -> str:
        return "any"

    def all_of(self, meta: Meta, c: Children) -> str:
        return "all"

    def clause(self, meta: Meta, c: Children) -> n.Clause:
        return n.Clause(self.span(meta), str(c[0]), *self.body(c[1:]))

    def body(self, c: Children) -> tuple[n.Expr, tuple[str, ...]]:
        """`value EOL` or a table of cases, with the citations of its line."""
        if isinstance(c[0], tuple):
            table, found = c[0]
            return table, found
        return self.atom(c[0]), cites(c[1])

    def cases(self, meta: Meta, c: Children) -> tuple[n.Cases, tuple[str, ...]]:
        eol, _, *rows, _ = c
        otherwise = rows.pop() if not isinstance(rows[-1], n.Case) else None
        return n.Cases(self.span(meta), tuple(rows), otherwise), cites(eol)

    def case(self, meta: Meta, c: Children) -> n.Case:
        return n.Case(self.span(meta), self.atom(c[0]), self.atom(c[1]))

    def default(self, meta: Meta, c: Children) -> Any:
        return self.atom(c[0])

    # ---- procedures

    def procedure(self, meta: Meta, c: Children) -> n.ProcedureDecl:
        name, params, ends, moment, *block = c
        at_any_time, by, only_when, as_soon = moment or (False, None, None, None)
        return n.ProcedureDecl(
            self.span(meta),
            str(name),
            params or (),
            ends or (),
            at_any_time,
            by,
            only_when,
            as_soon,
            self.steps(block),
            block_cites(block),
        )

    def ends(self, meta: Meta, c: Children) -> tuple[str, ...]:
        return tuple(map(str, c))

    def any_time(self, meta: Meta, c: Children) -> Moment:
        by, only_when = c[-2:]
        return True, self.maybe(by), self.maybe(only_when), None

    def as_soon(self, meta: Meta, c: Children) -> Moment:
        return False, None, None, self.atom(c[-1])

    def handler(self, meta: Meta, c: Children) -> n.Handler:
        name, condition, *block = c
        return n.Handler(self.span(meta), str(name), self.maybe(condition), self.steps(block), block_cites(block))

    def steps(self, block: Children) -> tuple[n.Step, ...]:
        """The steps among the children of a block, its layout left out."""
        return tuple(x for x in block if isinstance(x, n.Step))

    def step_line(self, meta: Meta, c: Children) -> n.Step:
        statement, found = c[0]
        return n.Step(statement.span, None, statement, found)

    def step(self, meta: Meta, c: Children) -> n.Step:
        label, (statement, found) = c
        return n.Step(self.span(meta), str(label) if label else None, statement, found)

    # Each statement comes with the citations of its first line.

    def assign(self, meta: Meta, c: Children) -> Any:
        return n.Assign(self.span(meta), self.atom(c[0]), self.atom(c[1])), cites(c[2])

    def let(self, meta: Meta, c: Children) -> Any:
        return n.Let(self.span(meta), str(c[0]), self.atom(c[2])), cites(c[3])

    def choice(self, meta: Meta, c: Children) -> n.Choice:
        actor, label, variable, group, condition = c
        name = str(variable) if variable else None
        return n.Choice(self.span(meta), actor, str(label), name, self.atom(group), self.maybe(condition))

    def actor(self, meta: Meta, c: Children) -> n.Actor:
        words = {word.type for word in c[1:] if word}
        return n.Actor(self.span(meta), self.atom(c[0]), "TOGETHER" in words, "MAY" in words)

    def move(self, meta: Meta, c: Children) -> Any:
        what, bottom, to, eol = c
        return n.Move(self.span(meta), what, self.atom(to), bottom is not None), cites(eol)

    def moved(self, meta: Meta, c: Children) -> n.Moved:
        span, first = self.span(meta), c[0]
        kind = first.type if isinstance(first, Token) else ""
        if kind in ("TOP", "RANDOM"):
            return n.Moved(span, kind.lower(), self.atom(c[1]))
        if c[1] is None:
            return n.Moved(span, "place", self.atom(first))
        return n.Moved(span, "piece", self.atom(c[1]), self.atom(first))

    def all_of_it(self, meta: Meta, c: Children) -> n.Moved:
        return n.Moved(self.span(meta), "all_of", self.atom(c[-1]))

    def all_cards(self, meta: Meta, c: Children) -> n.Moved:
        return n.Moved(self.span(meta), "all", self.maybe(c[-1]))

    def shuffle(self, meta: Meta, c: Children) -> Any:
        return n.Shuffle(self.span(meta), self.atom(c[0])), cites(c[1])

    def show(self, meta: Meta, c: Children) -> Any:
        return n.Show(self.span(meta), c[0], self.atom(c[1])), cites(c[2])

    def change(self, meta: Meta, c: Children) -> Any:
        subject, verb, amount, counter, eol = c
        name = str(counter) if counter else None
        return n.Change(self.span(meta), self.atom(subject), gains(verb), self.atom(amount), name), cites(eol)

    def each_change(self, meta: Meta, c: Children) -> Any:
        variable, group, condition, verb, amount, counter, eol = c
        span = self.span(meta)
        line = n.ChangeLine(span, gains(verb), self.atom(amount), str(counter))
        return n.EachChange(span, str(variable), self.atom(group), self.maybe(condition), (line,)), cites(eol)

    def each_changes(self, meta: Meta, c: Children) -> Any:
        variable, group, condition, eol, _, *lines, _ = c
        node = n.EachChange(self.span(meta), str(variable), self.atom(group), self.maybe(condition), tuple(lines))
        return node, cites(eol)

    def change_line(self, meta: Meta, c: Children) -> n.ChangeLine:
        return n.ChangeLine(self.span(meta), gains(c[0]), self.atom(c[1]), str(c[2]))

    def end(self, meta: Meta, c: Children) -> Any:
        return n.End(self.span(meta), str(c[0]), str(c[1])), cites(c[2])

    def fire(self, meta: Meta, c: Children) -> Any:
        return n.Fire(self.span(meta), str(c[0]), c[1]), cites(c[2])

    def call(self, meta: Meta, c: Children) -> Any:
        target = self.atom(c[0])
        if isinstance(target, n.Apply):
            return n.Call(target.span, target.name, target.args), cites(c[1])
        name = target.id if isinstance(target, n.Name) else ""
        return n.Call(target.span, name, ()), cites(c[1])

    def add_to(self, meta: Meta, c: Children) -> Any:
        return n.ChangeSet(self.span(meta), True, self.atom(c[0]), self.atom(c[1])), cites(c[2])

    def remove_from(self, meta: Meta, c: Children) -> Any:
        element, target, eol = c
        return n.ChangeSet(self.span(meta), False, self.atom(element), self.atom(target)), cites(eol)

    def stop(self, meta: Meta, c: Children) -> Any:
        return n.Stop(self.span(meta)), cites(c[-1])

    def nothing(self, meta: Meta, c: Children) -> Any:
        return n.Nothing(self.span(meta)), cites(c[-1])

    def each(self, meta: Meta, c: Children) -> Any:
        variable, group, condition, *block = c
        node = n.Each(self.span(meta), str(variable), self.atom(group), self.maybe(condition), self.steps(block))
        return node, block_cites(block)

    def when(self, meta: Meta, c: Children) -> Any:
        condition, *block, otherwise = c
        return n.When(self.span(meta), self.atom(condition), self.steps(block), otherwise or ()), block_cites(block)

    def else_(self, meta: Meta, c: Children) -> tuple[n.Step, ...]:
        return self.steps(c)

    def repeat(self, meta: Meta, c: Children) -> Any:
        until, *block = c
        return n.Repeat(self.span(meta), self.maybe(until), self.steps(block)), block_cites(block)

    def choose(self, meta: Meta, c: Children) -> Any:
        actor, label, eol, _, *options, _ = c
        return n.Choose(self.span(meta), actor, str(label), tuple(options)), cites(eol)

    def option(self, meta: Meta, c: Children) -> n.Option:
        name, condition, *block = c
        return n.Option(self.span(meta), str(name), self.maybe(condition), self.steps(block), block_cites(block))

    # ---- odds

    def odds(self, meta: Meta, c: Children) -> n.OddsDecl:
        deals = tuple(x for x in c if isinstance(x, n.Deal))
        procedure, eol, _, *tallies, _ = c[len(deals) :]
        return n.OddsDecl(self.span(meta), deals, str(procedure) if procedure else None, tuple(tallies), cites(eol))

    def deal(self, meta: Meta, c: Children) -> n.Deal:
        return n.Deal(self.span(meta), int(c[0]) if c[0] else None, str(c[1]), str(c[2]))

    def tally(self, meta: Meta, c: Children) -> n.Tally:
        members = tuple(x for x in c if isinstance(x, n.MemberOf))
        reports = tuple(x for x in c if isinstance(x, n.Report))
        return n.Tally(self.span(meta), members, self.atom(c[len(members)]), reports)

    def member_of(self, meta: Meta, c: Children) -> n.MemberOf:
        return n.MemberOf(self.span(meta), str(c[0]), self.atom(c[1]), self.maybe(c[2]))

    def report(self, meta: Meta, c: Children) -> n.Report:
        name, value, *changed, _ = c
        verb, counter = changed or (None, None)
        how = gains(verb) if verb is not None else None
        return n.Report(self.span(meta), str(name), self.atom(value), how, str(counter) if counter else None)

    # ---- assumptions

    def assume(self, meta: Meta, c: Children) -> n.AssumeDecl:
        name, params, label, body, eol = c
        return n.AssumeDecl(self.span(meta), str(name), params or (), str(label), self.atom(body), cites(eol))

    # ---- patches

    def guarded(self, meta: Meta, c: Children) -> n.Guarded:
        guards: dict[str, str] = dict(x for x in c if isinstance(x, tuple))
        patches = tuple(x for x in c if isinstance(x, n.ClausePatch | n.StepPatch | n.Guarded))
        return n.Guarded(self.span(meta), guards.get("while"), guards.get("during"), guards.get("with"), patches)

    def while_guard(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "while", str(c[0])

    def during_guard(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "during", str(c[0])

    def with_guard(self, meta: Meta, c: Children) -> tuple[str, str]:
        return "with", str(c[0])

    def patch(self, meta: Meta, c: Children) -> n.Patch:
        label, (make, *rest) = c
        *values, declared = rest if isinstance(rest[-1], n.ZoneDecl | n.SeatsDecl) else (*rest, None)
        node: n.Patch = make(self.span(meta), *values, str(label) if label else None, *([declared] if declared else []))
        return node

    def add(self, meta: Meta, c: Children) -> Any:
        body, found = self.body(c[1:])
        return n.ClausePatch, "add", c[0], body, None, found

    def replace(self, meta: Meta, c: Children) -> Any:
        return (n.ClausePatch, "replace", *self.add(meta, c)[2:])

    def add_value(self, meta: Meta, c: Children) -> Any:
        name, value, eol = c
        return n.ClausePatch, "add", (str(name), str(value)), None, None, cites(eol)

    def redeclare(self, meta: Meta, c: Children) -> Any:
        declared = c[0]
        name = declared.name if isinstance(declared, n.ZoneDecl) else "seats"
        return n.ClausePatch, "replace", (name,), None, None, declared.cites, declared

    def remove(self, meta: Meta, c: Children) -> Any:
        return n.ClausePatch, "remove", c[0], None, None, cites(c[1])

    def limit(self, meta: Meta, c: Children) -> Any:
        path, amount, condition, eol = c
        return n.ClausePatch, "limit", path, self.atom(amount), self.maybe(condition), cites(eol)

    def before(self, meta: Meta, c: Children) -> Any:
        return self.step_patch("before", c)

    def after(self, meta: Meta, c: Children) -> Any:
        return self.step_patch("after", c)

    def instead(self, meta: Meta, c: Children) -> Any:
        return self.step_patch("instead", [c[0], None, *c[1:]])

    def step_patch(self, kind: str, c: Children) -> Any:
        path, condition, *block = c
        return n.StepPatch, kind, path, self.maybe(condition), self.steps(block), block_cites(block)

    def path(self, meta: Meta, c: Children) -> tuple[str, ...]:
        return tuple(map(str, c))

    # ---- expressions

    def atom(self, x: Any) -> Any:
        """A token that stands for itself becomes a node; nodes stay what they are."""
        if not isinstance(x, Token):
            return x
        span = token_span(self.source, x)
        match x.type:
            case "NUMBER":
                return n.Number(span, int(x))
            case "TRUE" | "FALSE":
                return n.Truth(span, x.type == "TRUE")
            case _:
                return n.Name(span, str(x))

    def maybe(self, x: Any) -> Any:
        return None if x is None else self.atom(x)

    def conditional(self, meta: Meta, c: Children) -> n.Cases:
        value, condition, otherwise = map(self.atom, c)
        return n.Cases(self.span(meta), (n.Case(value.span, condition, value),), otherwise)

    def or_else(self, meta: Meta, c: Children) -> n.OrElse:
        return n.OrElse(self.span(meta), self.atom(c[0]), self.atom(c[1]))

    def binary(self, meta: Meta, operator: str, c: Children) -> n.Binary:
        return n.Binary(self.span(meta), operator, self.atom(c[0]), self.atom(c[-1]))

    def or_(self, meta: Meta, c: Children) -> n.Binary:
        return self.binary(meta, "or", c)

    def and_(self, meta: Meta, c: Children) -> n.Binary:
        return self.binary(meta, "and", c)

    def not_(self, meta: Meta, c: Children) -> n.Not:
        return n.Not(self.span(meta), self.atom(c[-1]))

    def compare(self, meta: Meta, c: Children) -> n.Binary:
        return self.binary(meta, str(c[1]), c)

    arithmetic = compare

    def is_(self, meta: Meta, c: Children) -> n.Is:
        return n.Is(self.span(meta), self.atom(c[0]), str(c[2]), c[1] is not None)

    def within(self, meta: Meta, c: Children) -> n.Within:
        return n.Within(self.span(meta), self.atom(c[0]), self.atom(c[-1]), len(c) > 2)

    def size(self, meta: Meta, c: Children) -> n.Size:
        return n.Size(self.span(meta), self.atom(c[-1]))

    def top(self, meta: Meta, c: Children) -> n.Top:
        return n.Top(self.span(meta), self.atom(c[-1]))

    def except_(self, meta: Meta, c: Children) -> n.Except:
        return n.Except(self.span(meta), self.atom(c[0]), self.atom(c[1]))

    def quantified(self, meta: Meta, c: Children) -> n.Quantified:
        kind, variable, group, body = c
        return n.Quantified(self.span(meta), str(kind), str(variable), self.atom(group), self.atom(body))

    def count_where(self, meta: Meta, c: Children) -> n.Count:
        variable, group, condition = c[-3:]
        return n.Count(self.span(meta), str(variable), self.atom(group), self.atom(condition))

    def sum_over(self, meta: Meta, c: Children) -> n.Sum:
        term, variable, group, condition = c
        return n.Sum(self.span(meta), self.atom(term), str(variable), self.atom(group), self.maybe(condition))

    def extreme(self, meta: Meta, c: Children) -> n.Extreme:
        kind, term, variable, group, condition = c
        where = self.maybe(condition)
        return n.Extreme(self.span(meta), str(kind), self.atom(term), str(variable), self.atom(group), where)

    def first(self, meta: Meta, c: Children) -> n.First:
        variable, group, way, start, kind, key = c
        return n.First(
            self.span(meta),
            str(variable),
            self.atom(group),
            way.type == "FROM",
            self.atom(start),
            str(kind) if kind else None,
            self.maybe(key),
        )

    def index(self, meta: Meta, c: Children) -> n.Index:
        return n.Index(self.span(meta), self.atom(c[0]), self.atom(c[1]))

    def member(self, meta: Meta, c: Children) -> n.Member:
        return n.Member(self.span(meta), self.atom(c[0]), str(c[1]))

    def apply(self, meta: Meta, c: Children) -> n.Apply:
        return n.Apply(self.span(meta), str(c[0]), c[1])

    def args(self, meta: Meta, c: Children) -> tuple[n.Expr, ...]:
        return tuple(map(self.atom, c))


# Rules of the grammar whose names are words of Python.
for _word in ("or", "and", "not", "is", "except", "else"):
    setattr(NodeBuilder, _word, NodeBuilder.__dict__[_word + "_"])


def cites(eol: Token) -> tuple[str, ...]:
    return tuple(str(eol).split())


def block_cites(block: Children) -> tuple[str, ...]:
    """A block opens with the EOL of its header; a one-line block has its step's citations."""
    for x in block:
        if isinstance(x, Token) and x.type == "EOL":
            return cites(x)
        if isinstance(x, n.Step):
            return x.cites
    return ()


def gains(verb: Token) -> bool:
    return verb.type == "GAINS"


def token_span(source: Source, token: Token) -> Span:
    line, column = token.line or 1, token.column or 1
    return Span(source, line, column, token.end_line or line, token.end_column or column + 1)
