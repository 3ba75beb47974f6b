"""A folder for a house rule: an overlay, a scenario that shows what it does, and what CI needs.

In: a folder's name and a game. Out: the files, which pass check, test and fmt at once. The first change is found
in the game itself: a counter that starts one lower or higher, where a procedure that asks nothing shows it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2.sandbox

from ritual_dsl import __version__
from ritual_dsl.checks import load_game, ready
from ritual_dsl.diagnostics import Findings, RitualError, fail
from ritual_dsl.engine.run import Run
from ritual_dsl.engine.session import scalar
from ritual_dsl.handover.schema import schema_of
from ritual_dsl.handover.writing import write_folder
from ritual_dsl.loading.reference import choose, is_path
from ritual_dsl.loading.relative import read_from
from ritual_dsl.loading.shape import IDENTIFIER
from ritual_dsl.loading.yaml_nodes import Mapping, read_yaml
from ritual_dsl.model.game import Counter, Game
from ritual_dsl.source import Source

TEMPLATES = Path(__file__).parent / "starter_files"
SCHEMAS = ("overlay", "scenario")
SHORT_WORK = 200_000  # a procedure that shows a start is a short one


@dataclass(frozen=True)
class First:
    """The first change: a counter, how it starts now, and a procedure after which one sees it."""

    counter: Counter
    start: int
    procedure: str
    players: int


def write_starter(folder: Path, extends: str) -> list[str]:
    game = load_game(extends)
    name = identifier(folder)
    first = next(candidates(game, name), None)
    if first is None:
        hint = "write an overlay by hand, or copy the whole game with `ritual copy`"
        raise fail("RIT161", f"nothing in {extends} suggests a first change", help=hint)
    values = {
        "extends": scalar(read_from(extends, Path.cwd(), folder)),
        "game": extends,
        "shipped": not is_path(extends),
        "id": name,
        "title": title(folder),
        "languages": game.languages,
        "first": first,
        "version": __version__,
    }
    files = {path: fill(template, values) for path, template in TEMPLATE_OF.items()}
    files |= {f"schemas/{kind}.json": json.dumps(schema_of(kind), indent=2) + "\n" for kind in SCHEMAS}
    write_folder(folder, ((path, text.encode()) for path, text in files.items()))
    return list(files)


TEMPLATE_OF = {
    "house.yaml": "house.yaml.jinja",
    "house.scenario.yaml": "house.scenario.yaml.jinja",
    "README.md": "readme.md.jinja",
    ".github/workflows/ritual.yml": "workflow.yml.jinja",
    ".pre-commit-config.yaml": "pre-commit.yaml.jinja",
}


def fill(template: str, values: dict[str, Any]) -> str:
    """`[[ … ]]` and `[% … %]`, since workflows have braces of their own."""
    environment = jinja2.sandbox.SandboxedEnvironment(
        variable_start_string="[[",
        variable_end_string="]]",
        block_start_string="[%",
        block_end_string="%]",
        comment_start_string="[#",
        comment_end_string="#]",
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.from_string((TEMPLATES / template).read_text("utf-8")).render(values)


def identifier(folder: Path) -> str:
    """The folder's name as an id, as far as it can be one."""
    words = re.sub(r"[^a-z0-9]+", "_", folder.absolute().name.lower()).strip("_")[:40]
    return words if IDENTIFIER.fullmatch(words) else f"house_{words}".rstrip("_")


def title(folder: Path) -> str:
    return json.dumps(identifier(folder).replace("_", " ").capitalize())


# ---- the first change


def candidates(game: Game, name: str) -> Iterator[First]:
    """Every counter and procedure where a changed start shows, as it does in the unchanged game."""
    for counter in game.counters.values():
        start = counter.starts - 1 if counter.starts > counter.low else counter.starts + 1
        changed = with_start(game, name, counter, start) if start <= counter.high else None
        for procedure in game.procedures.values() if changed is not None else ():
            if procedure.params or procedure.watch is not None:
                continue
            before, after = (outcome(each, procedure.name, counter) for each in (game, changed))
            if before == {counter.starts} and after == {start}:
                yield First(counter, start, procedure.name, game.usual_players)


def with_start(game: Game, name: str, counter: Counter, start: int) -> Game | None:
    text = f"extends: it\nid: {name}\nrules: |\n  replace {counter.name}.starts: {start}\n"
    body = read_yaml(Source("house.yaml", text), Findings())
    assert isinstance(body, Mapping)
    found = Findings()
    try:
        return ready(choose(game.reference, found, on_top=(name, body)), found)
    except RitualError:
        return None


def outcome(game: Game | None, procedure: str, counter: Counter) -> set[int] | None:
    """The values of a counter after a procedure; None if it asks something or cannot be run by itself."""
    assert game is not None
    run = Run(game, game.usual_players)
    run.machine.evaluator.work_limit = SHORT_WORK
    try:
        run.start(procedure, ())
    except RitualError:
        return None
    cell = run.state.cells[counter.cell]
    return None if run.choice is not None else set(cell) if isinstance(cell, list) else {cell}
