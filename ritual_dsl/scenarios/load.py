"""Scenario files to scenarios: what is given, what is done, what is expected.

In: a `*.scenario.yaml` file. Out: `Scenario`s with untyped YAML inside; `run` reads it by the
names the game declares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ritual_dsl.diagnostics import Diagnostic, Findings, Related
from ritual_dsl.engine.bookkeeping import Pinned
from ritual_dsl.engine.chance import LARGEST_SEED
from ritual_dsl.loading.files import AnyPath
from ritual_dsl.loading.game_files import read_mapping
from ritual_dsl.loading.shape import Shape, head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.source import Span

FILE_KEYS = ("game", "scenarios")
KEYS = ("name", "cite", "game", "players", "given", "do", "choices", "seed", "shuffles", "draws", "expect")


@dataclass(frozen=True)
class Chance:
    """The shuffles and draws a file fixes, as written."""

    shuffles: tuple[tuple[Scalar, ...], ...]
    draws: tuple[Scalar, ...]

    def pinned(self) -> Pinned:
        """For one run, which uses it up."""
        return Pinned([[card.text for card in shuffle] for shuffle in self.shuffles], [d.text for d in self.draws])


@dataclass(frozen=True)
class Scenario:
    name: str
    game: str
    path: AnyPath
    span: Span
    body: Mapping
    game_span: Span  # where its game is named
    cites: tuple[str, ...]
    players: int | tuple[str, ...] | None  # None: as many as the game is usually played with
    given: Mapping | None
    procedure: Scalar | None
    args: Mapping | None
    choices: tuple[YamlNode, ...]
    seed: int
    chance: Chance
    expect: Mapping | None
    faults: tuple[Diagnostic, ...] = ()  # of what is written; such a scenario is not run

    def place(self, key: str) -> Span:
        """Where a key's value stands, or else the scenario."""
        node = self.body.get(key)
        return head(node.span) if node is not None else self.span


def load_scenarios(path: AnyPath, found: Findings) -> list[Scenario]:
    """The scenarios of a file: one of scenarios, or an overlay, whose own are about itself."""
    root = read_mapping(path, found)
    if root is None:
        return []
    shape = Shape(found)
    if "extends" in root.entries:
        game: Scalar | None = Scalar(f"./{path.name}", head(root.span))
    else:
        shape.mapping(root, "the scenario file", FILE_KEYS)
        game = shape.scalar(root.get("game"), "the game")
    scenarios: list[Scenario] = []
    seen: dict[str, Span] = {}
    nodes = shape.sequence(root.get("scenarios"), "the scenarios")
    if not nodes and not ("extends" in root.entries and "scenarios" not in root.entries):
        found.say("RIT611", "the file holds no scenario", head(root.span), help="list them below `scenarios:`")
    for node in nodes:
        faults = Findings()
        scenario = read_scenario(node, game, path, Shape(faults))
        if scenario is None:
            found += faults
            continue
        scenario = replace(scenario, faults=tuple(faults))
        if scenario.name in seen:
            first = [Related("first here", seen[scenario.name])]
            found.say("RIT612", f"two scenarios are called `{scenario.name}`", scenario.span, related=first)
        seen[scenario.name] = scenario.span
        scenarios.append(scenario)
    return scenarios


def read_scenario(node: YamlNode, default_game: Scalar | None, path: AnyPath, shape: Shape) -> Scenario | None:
    body = shape.mapping(node, "the scenario", KEYS)
    if body is None:
        return None
    span = head(body.span)
    name = shape.text(body.get("name"), "the name")
    if name is None:
        shape.found.say("RIT121", "the scenario lacks the key `name`", span)
        return None
    game = shape.scalar(body.get("game"), "the game") or default_game
    if game is None or not game.text:
        shape.found.say("RIT121", "neither the file nor the scenario names a `game`", span)
        return None
    procedure, args = read_do(body, shape)
    expect = shape.mapping(body.get("expect"), "expect")
    if body.get("expect") is None or (expect is not None and not expect.entries):
        shape.found.say("RIT614", "the scenario expects nothing", span, help="say below `expect:` what must come of it")
    return Scenario(
        name=name,
        game=game.text,
        game_span=game.span,
        path=path,
        span=span,
        body=body,
        cites=shape.cites(body.get("cite")),
        players=read_players(body.get("players"), shape),
        given=shape.mapping(body.get("given"), "given"),
        procedure=procedure,
        args=args,
        choices=shape.sequence(body.get("choices"), "the choices"),
        seed=read_seed(body, shape),
        chance=read_chance(body, shape),
        expect=expect,
    )


def read_seed(body: Mapping, shape: Shape) -> int:
    return shape.integer(body.get("seed"), "the seed", 0, LARGEST_SEED) or 0


def read_chance(body: Mapping, shape: Shape) -> Chance:
    shuffles = shape.sequence(body.get("shuffles"), "shuffles")
    return Chance(
        tuple(scalars(shuffle, "a shuffle", shape) for shuffle in shuffles),
        scalars(body.get("draws"), "the draws", shape),
    )


def read_players(node: YamlNode | None, shape: Shape) -> int | tuple[str, ...] | None:
    if isinstance(node, Sequence):
        return shape.words(node, "the players")
    return shape.integer(node, "the number of players", 1, 99)


def scalars(node: YamlNode | None, what: str, shape: Shape) -> tuple[Scalar, ...]:
    """A list of names."""
    items = shape.sequence(node, what)
    for item in items:
        if not isinstance(item, Scalar):
            shape.wrong(item, f"{what} should be a list of names")
    return tuple(item for item in items if isinstance(item, Scalar))


def read_do(body: Mapping, shape: Shape) -> tuple[Scalar | None, Mapping | None]:
    """A procedure, or one with arguments: `{penalty: {p: B}}`."""
    node = body.get("do")
    if node is None:
        shape.found.say("RIT609", "the scenario does nothing: `do` is missing", head(body.span))
    if isinstance(node, Scalar):
        return node, None
    if isinstance(node, Mapping) and len(node.entries) == 1:
        entry = next(iter(node.entries.values()))
        return entry.key, shape.mapping(entry.value, "the arguments")
    if node is not None:
        shape.wrong(node, "`do` names one procedure")
    return None, None
