"""Which cards can be exchanged without any rule noticing.

In: a game and its `odds` declarations. Out: `Exchange`: groups of faces and of values that can change places.

The rules tell cards apart by their names, by attributes, and by whether two are equal. So a renaming of faces and of
values of enums that leaves alone everything the rules name, and that carries the attributes the rules read along,
turns every deal into one that comes out the same, renamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ritual_dsl.model import game as g
from ritual_dsl.model import ir
from ritual_dsl.model.walk import walk


@dataclass
class Named:
    """What the rules behind some odds tell cards apart by."""

    cards: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    procedures: set[str] = field(default_factory=set)
    cells: set[int] = field(default_factory=set)


def named(game: g.Game, odds: g.Odds) -> Named:
    """Everything that can be asked while the odds are worked out, patches, guards and handlers included."""
    found = Named()
    if odds.procedure is not None:
        found.procedures.add(odds.procedure)
        found.procedures.update(p.name for p in game.procedures.values() if p.watch is not None)
    todo: list[object] = [odds.tallies, *(game.procedures[name] for name in sorted(found.procedures))]
    while todo:
        before = set(found.rules), set(found.procedures)
        for part in walk(todo.pop()):
            look_at(part, game, found)
        todo += [game.rules[name] for name in sorted(found.rules - before[0])]
        todo += [game.procedures[name] for name in sorted(found.procedures - before[1])]
    return found


def look_at(part: object, game: g.Game, found: Named) -> None:
    match part:
        case ir.Const(type=kind, value=value):
            into = found.cards if kind.kind == "card" else found.values if kind.kind == "enum" else set()
            into.update(str(v) for v in (value if isinstance(value, frozenset) else (value,)) if v is not None)
        case ir.CallRule(rule=rule):
            found.rules.add(rule)
        case ir.Holder(rule=rule, card=card):
            found.rules.add(rule)
            found.cards.add(card)
        case ir.Guard(rule=guard, card=card):
            found.rules.update([guard] if guard is not None else [])
            found.cards.update([card] if card is not None else [])
        case ir.Attribute(name=name):
            found.attributes.add(name)
        case ir.Call(procedure=procedure):
            found.procedures.add(procedure)
        case ir.Fire(signal=signal):
            found.procedures.update(game.signals[signal].handlers)
        case g.Procedure(card=card):
            found.cards.update([card] if card is not None else [])
        case ir.Read(cell=cell) | ir.Spread(cell=cell) | ir.Place(cell=int(cell)):
            found.cells.add(cell)
        case ir.Move(kind="all"):
            found.cells.update(zone.cell for zone in game.zones.values())
        case (
            ir.Local() | ir.People() | ir.Ended() | ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.Arithmetic()
            | ir.Builtin() | ir.IsNone() | ir.IsEmpty() | ir.Within() | ir.Size() | ir.Top() | ir.Without()
            | ir.Quantified() | ir.Aggregate() | ir.First() | ir.Cases() | ir.OrElse() | ir.Place() | ir.Asked()
            | ir.Assign() | ir.Move() | ir.Shuffle() | ir.Show() | ir.ChangeLine() | ir.Change() | ir.Each() | ir.End()
            | ir.ChangeSet() | ir.Stop() | ir.Nothing() | ir.When() | ir.Repeat() | ir.Option() | ir.Choose()
            | ir.Block() | ir.Patched() | ir.Step() | g.Rule() | g.Clause() | g.Entry() | g.Tally() | g.Member()
            | g.Report() | g.Counter()
        ):  # fmt: skip
            pass  # tells cards apart only by what stands inside of it
        case _:
            raise AssertionError(f"nothing says whether {type(part).__name__} tells cards apart")


@dataclass(frozen=True)
class Exchange:
    """Faces by their number: `twins` change places freely; a row of `blocks` with any other row of its block."""

    twins: tuple[tuple[int, ...], ...]
    blocks: tuple[tuple[tuple[int, ...], ...], ...]
    orbit: tuple[int, ...]  # of each face, the first face it can change places with

    def normal(self, codes: Sequence[int]) -> tuple[int, ...]:
        """The same deal, renamed so that deals which differ by an exchange mostly become one."""
        result = list(codes)
        for group in self.twins:
            for place, code in zip(group, sorted([codes[i] for i in group]), strict=True):
                result[place] = code
        for rows in self.blocks:
            for row, values in zip(rows, sorted([[result[i] for i in row] for row in rows]), strict=True):
                for place, code in zip(row, values, strict=True):
                    result[place] = code
        return tuple(result)


Seen = tuple[g.Game, Named]


def exchange(faces: Sequence[str], copies: Sequence[int], games: Sequence[Seen]) -> Exchange:
    """What can change places in all of the games at once."""
    fixed = {card for _, names in games for card in names.cards}
    free = [i for i, face in enumerate(faces) if face not in fixed]
    alike: dict[object, list[int]] = defaultdict(list)
    for i in free:
        alike[look(faces[i], games, None), copies[i]].append(i)
    twins = tuple(tuple(group) for group in alike.values() if len(group) > 1)
    blocks = tuple(tuple(b) for b in value_blocks(faces, copies, games, set(free)) if len(b) > 1)
    orbit = list(range(len(faces)))
    joined = [*twins, *(column for rows in blocks for column in zip(*rows, strict=True))]
    for group in [*joined, *joined]:  # twice: a block may join what twins have joined before
        first = min(orbit[i] for i in group)
        old = {orbit[i] for i in group}
        orbit = [first if o in old else o for o in orbit]
    return Exchange(twins, blocks, tuple(orbit))


def look(face: str, games: Sequence[Seen], but: str | None) -> tuple[object, ...]:
    """What the rules of all the games can see of a face, one attribute left out."""
    return tuple(
        (game.cards[face].piece, repr(game.cards[face].attributes.get(name)))
        for game, names in games
        for name in ["", *sorted(names.attributes)]
        if name != but
    )


def value_blocks(
    faces: Sequence[str], copies: Sequence[int], games: Sequence[Seen], free: set[int]
) -> Iterable[list[tuple[int, ...]]]:
    """For each enum, values that no rule names and whose faces correspond, one row of faces a value."""
    read = {name for _, names in games for name in names.attributes}
    named_values = {value for _, names in games for value in names.values}
    for enum, values in games[0][0].enums.items():
        own = {name for name in read if any(enum in enums_of(name, game) for game, _ in games)}
        if len(own) != 1 or not all(enums_of(min(own), game) == {enum} for game, _ in games):
            continue  # read in two places, a value would have to change in both
        attribute = min(own)
        rows: dict[object, list[tuple[int, ...]]] = defaultdict(list)
        for value in values:
            having = [i for i, face in enumerate(faces) if value in values_of(face, attribute, games)]
            if value in named_values or not having or not free.issuperset(having):
                continue
            if any(len(values_of(faces[i], attribute, games)) > 1 for i in having):
                continue  # the games do not agree about it
            shape = {i: (look(faces[i], games, attribute), copies[i]) for i in having}
            row = sorted(having, key=lambda i, shape=shape: (shape[i], i))  # type: ignore[misc]
            rows[tuple(shape[i] for i in row)].append(tuple(row))
        yield from rows.values()


def enums_of(attribute: str, game: g.Game) -> set[str]:
    """The enums an attribute takes its values from, in all kinds of pieces."""
    return {kinds[attribute].name for kinds in game.pieces.values() if attribute in kinds}


def values_of(face: str, attribute: str, games: Sequence[Seen]) -> set[object]:
    return {game.cards[face].attributes.get(attribute) for game, _ in games}
