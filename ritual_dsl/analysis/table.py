"""What a player has seen, read from a file.

In: a file like a scenario, in which pieces may be `unknown`, and whose eyes. Out: a `Table` with all that these eyes do
not see taken away, and what was done on it. A file that pins chance is a game as it was, and is played first to learn
what was to be seen in it.
"""

from __future__ import annotations

import copy
from collections.abc import Container
from dataclasses import replace
from pathlib import Path
from typing import Any

from ritual_dsl.analysis.story import Happened, Named, Place, Said, Story, Table, sees
from ritual_dsl.diagnostics import Findings, RitualError, fail, near_miss, ordered
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.bookkeeping import Pinned
from ritual_dsl.engine.choices import Choice, Question
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.state import Frame, State
from ritual_dsl.engine.views import observations
from ritual_dsl.loading.game_files import read_mapping
from ritual_dsl.loading.shape import Shape, head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.model.game import Counter, Game, Variable, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.scenarios.load import read_chance, read_do, read_players, read_seed
from ritual_dsl.scenarios.prepare import arguments
from ritual_dsl.scenarios.values import Values

KEYS = ("game", "players", "as", "given", "do", "choices", "seed", "shuffles", "draws", "seen")
UNKNOWN = "unknown"
Told = Said | Happened


class PartlyKnown(Values):
    """Pieces may be `unknown`, and one-card zones may be given for some owners only."""

    def __init__(self, run: Run, found: Findings) -> None:
        super().__init__(run, found)
        self.unknown: dict[Place, int] = {}

    def whole(self, zone: Zone, owners: Container[int], node: YamlNode) -> None:
        for position in range(len(self.run.state.cells[zone.cell])):
            if zone.single and position not in owners:
                self.unknown[zone.cell, position] = 1

    def give_zone(self, zone: Zone, node: YamlNode) -> list[str]:
        shares = self.by_owner(node, zone.owner) if zone.owner else {None: node}
        for owner, value in shares.items():
            items = value.items if isinstance(value, Sequence) else (value,)
            count = sum(isinstance(item, Scalar) and item.text == UNKNOWN for item in items)
            if count:
                self.unknown[zone.cell, owner] = count
        return super().give_zone(zone, node)

    def share(self, zone: Zone, node: YamlNode) -> list[str]:
        if isinstance(node, Scalar) and node.text == UNKNOWN:
            return []
        if isinstance(node, Sequence):
            known = [item for item in node.items if not (isinstance(item, Scalar) and item.text == UNKNOWN)]
            node = replace(node, items=tuple(known))
        return super().share(zone, node)


class Recorder(Machine):
    """Plays a game as it was, and writes down every answer, the forced ones too."""

    def __init__(self, run: Run, moves: list[Told], pinned: Pinned) -> None:
        super().__init__(run.game, pinned=pinned)
        self.run, self.moves, self.made = run, moves, list[Told]()

    def pose(self, question: Question, state: State, frame: Frame, choice: Choice) -> None:
        if len(choice.options) == 1:
            self.made.append(Said(self.run.who(choice), self.run.show(choice.options[0], choice.type)))
        super().pose(question, state, frame, choice)

    def replay(self) -> None:
        for move in self.moves:
            if self.choice is None:
                raise fail("RIT751", "nobody is asked any more", move.span)
            self.made.append(move)
            if isinstance(move, Happened):
                self.run.interrupt(move.procedure, move.args)
                continue
            who, shown = self.run.who(self.choice), [self.run.show(o, self.choice.type) for o in self.choice.options]
            if move.who != who or move.what not in shown:
                hint = near_miss(move.what, shown) if move.who == who else None
                asked = hint or f"{who} is asked `{self.choice.label}`: {listing(shown)}"
                raise fail("RIT751", f"{move.who} cannot say {move.what} here", move.span, help=asked)
            self.run.answer(self.run.option(move.what))


def only_scenario(root: Mapping | None, found: Findings) -> YamlNode | None:
    """The scenario of a file that holds one, such as `play` saves."""
    scenarios = root.get("scenarios") if root is not None else None
    if not isinstance(scenarios, Sequence):
        return None
    if len(scenarios.items) != 1:
        found.say("RIT610", f"one scenario is wanted, and {len(scenarios.items)} are here", head(scenarios.span))
        return None
    return scenarios.items[0]


def refuse_other_game(root: Mapping, game: Game, found: Findings) -> None:
    """What the file is about, where it says so."""
    node = root.get("game")
    if isinstance(node, Scalar) and parts_of(node.text) != parts_of(game.reference):
        message = f"the file is about `{node.text}`, not `{game.reference}`"
        found.say("RIT610", message, node.span, help=f"ritual deduce {node.text} …")


def parts_of(reference: str) -> list[str]:
    """A game and its modules, wherever their files lie."""
    first, *modules = [part.rpartition("/")[2] for part in reference.split("+")]
    return [first, *sorted(modules)]


def read_story(game: Game, path: Path, viewer: str | None) -> Story:
    found = Findings()
    shape = Shape(found)
    root = read_mapping(path, found)
    scenario = only_scenario(root, found)
    stop_at(found)
    keys = KEYS if scenario is None else (*KEYS, "name", "expect")  # what came of it is not looked at
    body = shape.mapping(scenario or root, "the file", keys) if root is not None else None
    if body is None:
        raise RitualError(ordered(found))
    refuse_other_game(body if scenario is None or body.get("game") is not None else root or body, game, found)
    players = read_players(body.get("players"), shape) or game.usual_players
    chance = read_chance(body, shape)
    run = Run(game, players, seed=read_seed(body, shape))
    values = PartlyKnown(run, found)
    values.give(shape.mapping(body.get("given"), "given"))
    procedure, args = read_do(body, shape) if body.get("do") is not None else (None, None)
    stop_at(found)
    name = procedure.text if procedure is not None else None
    inputs = arguments(procedure, args, values) if procedure is not None else ()
    moves = [read_move(node, run, values) for node in shape.sequence(body.get("choices"), "the choices")]
    who = shape.text(body.get("as"), "the player") if viewer is None else viewer
    eyes = whose(run, who)
    told = read_told(body.get("seen"), shape, values)
    refuse_secrets(shape.mapping(body.get("given"), "given"), run, eyes, values)
    stop_at(found)
    as_it_was = any(body.get(key) is not None for key in ("seed", "shuffles", "draws"))
    settled = {
        zone.cell: 1
        for zone in game.zones.values()
        if zone.top_audience is not None
        and (as_it_was or given_first(body, zone))
        and eyes <= run.machine.audience(zone.top_audience, None, run.state)
    }
    table = Table(run, run.state, (), name, inputs, eyes, settled, None, told)
    if as_it_was and values.unknown:
        raise fail("RIT751", "a game as it was has nothing `unknown` in it", help="leave out what pins its chance")
    if as_it_was:
        return relive(table, moves, chance.pinned())
    return Story(hide(table, values.unknown), tuple(moves))


def stop_at(found: Findings) -> None:
    if found:
        raise RitualError(ordered(found))


def refuse_secrets(given: Mapping | None, run: Run, eyes: frozenset[int], values: Values) -> None:
    """A piece that nobody sees is under some pile or other; a value that somebody does not see is nowhere else."""
    for name, entry in given.entries.items() if given is not None else ():
        variable = run.game.variables.get(name)
        if variable is None:
            continue
        cell = run.state.cells[variable.cell]
        for owner, value in enumerate(cell) if variable.owner is not None else [(None, cell)]:
            if value != variable.starts and not eyes <= run.machine.audience(variable.audience, owner, run.state):
                place = run.share(name, owner)
                values.wrong(
                    entry.key, f"`{place}` is not seen by {called(run, eyes)}, and given", "RIT754", "leave it out"
                )


def called(run: Run, eyes: frozenset[int]) -> str:
    """One player by name, all of them as what they are."""
    return run.names[next(iter(eyes))] if len(eyes) == 1 else "everybody"


def given_first(body: Mapping, zone: Zone) -> bool:
    given = body.get("given")
    return isinstance(given, Mapping) and zone.name in given.entries


def whose(run: Run, viewer: str | None) -> frozenset[int]:
    """One player's eyes, or what all players see alike."""
    players = run.names[: run.state.players]
    if viewer is None:
        return frozenset(range(len(players)))
    if viewer not in players:
        hint = near_miss(viewer, players) or f"players: {listing(players, 12)}"
        raise fail("RIT602", f"nobody is called `{viewer}`", help=hint)
    return frozenset((players.index(viewer),))


def read_move(node: YamlNode, run: Run, values: Values) -> Told:
    if not isinstance(node, Mapping) or len(node.entries) != 1:
        raise fail("RIT610", "an answer says who and what: {A: take}", node.span)
    who, entry = next(iter(node.entries.items()))
    if who == "do" and isinstance(entry.value, Scalar):
        return read_happened(entry.value, None, run, values)
    if who == "do" and not (isinstance(entry.value, Mapping) and len(entry.value.entries) == 1):
        raise fail("RIT610", "one thing happens at a time: {do: {note: {…}}}", entry.value.span)
    if who == "do" and isinstance(entry.value, Mapping):
        call = next(iter(entry.value.entries.values()))
        return read_happened(call.key, call.value if isinstance(call.value, Mapping) else None, run, values)
    if who != "all" and who not in run.names:
        raise fail("RIT602", f"nobody is called `{who}`", entry.key.span, help=near_miss(who, run.names))
    if not isinstance(entry.value, Scalar):
        raise fail("RIT610", "one option is chosen", entry.value.span)
    return Said(who, entry.value.text, entry.value.span)


def read_happened(name: Scalar, given: Mapping | None, run: Run, values: Values) -> Happened:
    definition = run.game.procedures.get(name.text)
    if definition is None or not definition.any_time:
        possible = [p.name for p in run.game.procedures.values() if p.any_time]
        hint = near_miss(name.text, possible) or f"possible: {listing(possible)}"
        raise fail("RIT605", f"`{name.text}` cannot happen at any time", name.span, help=hint)
    return Happened(name.text, arguments(name, given, values), name.span)


def read_told(node: YamlNode | None, shape: Shape, values: Values) -> dict[Named, list[Any]]:
    """What variables and counters came to, and which pieces were seen to come to a place or shown there, in order."""
    body = shape.mapping(node, "what was seen")
    told: dict[Named, list[Any]] = {}
    for name, entry in body.entries.items() if body else ():
        declared = values.game.declared(name)
        if declared is None:
            hint = near_miss(name, [value.name for value in values.game.declarations])
            values.wrong(entry.key, f"`{name}` is no zone, counter or variable of the game", "RIT601", hint)
            continue
        type = type_of(declared)
        if declared.owner is not None and not isinstance(entry.value, Mapping):
            values.wrong(entry.value, f"`{name}` has one for each {declared.owner}: say whose", "RIT604")
            continue
        owned = values.by_owner(entry.value, declared.owner) if declared.owner is not None else {None: entry.value}
        for owner, value in owned.items():
            items = value.items if isinstance(value, Sequence) and not type.is_set else (value,)
            told[name, owner] = [values.value(item, type) for item in items]
    return told


def type_of(declared: Zone | Counter | Variable) -> Type:
    """What is seen of it at a time."""
    match declared:
        case Zone():
            return Type("card", declared.piece)
        case Counter():
            return Type("number", low=declared.low, high=declared.high)
        case Variable():
            return declared.type


def hide(table: Table, unknown: dict[Place, int]) -> Table:
    """Take away what the eyes do not see; how many pieces lie in each place stays known."""
    run, game = table.run, table.run.game
    state = copy.deepcopy(table.state)
    counts = dict(unknown)
    home = {zone.piece: state.cells[zone.cell] for zone in game.zones.values() if zone.filled}
    for zone in game.zones.values():
        if zone.filled:
            continue
        for owner, pieces in take_back(run, state, zone, table.eyes).items():
            counts[zone.cell, owner] = counts.get((zone.cell, owner), 0) + len(pieces)
            home[zone.piece] += pieces
    return replace(table, state=state, unknown=tuple(sorted(counts.items(), key=lambda item: repr(item[0]))))


def take_back(run: Run, state: State, zone: Zone, eyes: frozenset[int]) -> dict[int | None, list[str]]:
    """The pieces of a zone that the eyes do not see, by owner; they are taken out of it."""
    taken: dict[int | None, list[str]] = {}
    shares = state.cells[zone.cell] if zone.owner else [state.cells[zone.cell]]
    for position, share in enumerate(shares):
        owner = position if zone.owner else None
        pieces = share if isinstance(share, list) else [share] if share is not None else []
        if pieces and not sees(run, zone, owner, state, eyes):
            taken[owner] = pieces
            shares[position] = None if zone.single else []
    if not zone.owner:
        state.cells[zone.cell] = shares[0]
    return taken


def relive(table: Table, moves: list[Told], pinned: Pinned) -> Story:
    """Play the real game to learn what was seen and every answer that was given."""
    run = table.run
    before = copy.deepcopy(run.state)
    recorder = run.machine = Recorder(run, moves, pinned)
    if table.procedure is not None:
        run.start(table.procedure, table.args)
    recorder.replay()
    truth = observations(run, table.eyes)
    history = tuple(recorder.made)
    run.state = before
    return Story(replace(hide(replace(table, state=before), {}), truth=truth), history)
