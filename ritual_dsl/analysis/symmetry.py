"""Which cards can be exchanged without any rule noticing.

In: a game and its `odds` declarations. Out: `Exchange`: groups of faces and of values that can change places.

The rules tell cards apart by their names, by attributes, and by whether two are equal. So a renaming of faces and of
values of enums that leaves alone everything the rules name, and that carries the attributes the rules read along,
turns every deal into one that comes out the same, renamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
    todo: list[object] = [odds.tallies]
    if odds.procedure is not None:
        found.procedures.add(odds.procedure)
        todo.append(game.procedures[odds.procedure])
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
        case ir.Read(cell=cell) | ir.Place(cell=int(cell)):
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


def exchange(faces: Sequence[str], copies: Sequence[int], games: Iterable[tuple[g.Game, Named]]) -> Exchange:
    """What can change places in all of the games at once."""
    games = list(games)
    fixed = {card for _, names in games for card in names.cards}
    looks = [look(face, games) for face in faces]
    free = [i for i, face in enumerate(faces) if face not in fixed]
    alike: dict[object, list[int]] = defaultdict(list)
    for i in free:
        alike[looks[i], copies[i]].append(i)
    twins = tuple(tuple(group) for group in alike.values() if len(group) > 1)
    blocks = tuple(tuple(b) for b in value_blocks(faces, copies, games, set(free)) if len(b) > 1)
    orbit = list(range(len(faces)))
    joined = [*twins, *(column for rows in blocks for column in zip(*rows, strict=True))]
    for group in [*joined, *joined]:  # twice: a block may join what twins have joined before
        first = min(orbit[i] for i in group)
        old = {orbit[i] for i in group}
        orbit = [first if o in old else o for o in orbit]
    return Exchange(twins, blocks, tuple(orbit))


def look(face: str, games: Sequence[tuple[g.Game, Named]]) -> tuple[object, ...]:
    """What the rules can see of a face."""
    return tuple(
        game.cards[face].attributes[name] if face in game.cards else None
        for game, names in games
        for name in sorted(names.attributes)
    )


def value_blocks(
    faces: Sequence[str], copies: Sequence[int], games: Sequence[tuple[g.Game, Named]], free: set[int]
) -> Iterable[list[tuple[int, ...]]]:
    """For each enum, values that no rule names and whose faces correspond, one row of faces a value."""
    game = games[0][0]
    read = sorted({name for _, names in games for name in names.attributes})
    if any(attributes_of(face, other, read) != attributes_of(face, game, read) for other, _ in games for face in faces):
        return
    named_values = {value for _, names in games for value in names.values}
    for enum, values in game.enums.items():
        own = [a for a in read if game.attributes[a].kind == "enum" and game.attributes[a].name == enum]
        if len(own) != 1:
            continue  # read twice, a value would have to change in both places
        rows: dict[object, list[tuple[int, ...]]] = defaultdict(list)
        for value in values:
            having = [i for i, face in enumerate(faces) if game.cards[face].attributes[own[0]] == value]
            if value in named_values or not having or not free.issuperset(having):
                continue
            rest = [a for a in read if a != own[0]]
            shape = {i: (repr(attributes_of(faces[i], game, rest)), copies[i]) for i in having}
            row = sorted(having, key=lambda i, shape=shape: (shape[i], i))  # type: ignore[misc]
            rows[tuple(shape[i] for i in row)].append(tuple(row))
        yield from rows.values()


def attributes_of(face: str, game: g.Game, names: Sequence[str]) -> tuple[object, ...]:
    attributes: Mapping[str, object] = game.cards[face].attributes if face in game.cards else {}
    return tuple(attributes.get(name) for name in names)
