"""`ritual show`: the rules or a card after all patches, and where each line comes from.

In: a game reference, perhaps a name. Out: text, or JSON.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import ritual_dsl
from ritual_dsl.analysis.effective import Shown
from ritual_dsl.analysis.modules import as_text, modules_of
from ritual_dsl.analysis.written import Line
from ritual_dsl.cli import CLEAN
from ritual_dsl.diagnostics.human import printable, width

HELP = """
A name may be a rule, a procedure, a card, a variant, ruling or overlay, a declared thing, or a clause
such as cost.amount.
Without one, the whole game is shown. A line that counts only at times shows its guard.
--modules lists what can be switched: variants, rulings, errata, alternate cards, overlays.

example: ritual show my_game+./house.yaml lantern
"""
TEXT_COLUMNS = 78


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game reference")
    parser.add_argument("name", nargs="?", metavar="NAME", help="what to show; default: everything")
    parser.add_argument("--modules", action="store_true", help="list what can be switched")
    parser.add_argument("--format", choices=("human", "json"), default="human", help="default: human")
    parser.add_argument("--json", action="store_const", dest="format", const="json", help="short for --format json")


def run(args: argparse.Namespace) -> int:
    game = ritual_dsl.load(args.game)
    about = {"game": args.game, "id": game.id, "version": game.files.manifest.version}
    if args.modules:
        data = modules_of(game)
        print(dump({**about, **data}) if args.format == "json" else printed(as_text(game, data)))
        return CLEAN
    things = ritual_dsl.show(args.game, args.name)
    if args.format == "json":
        print(dump({**about, "shown": [as_data(thing) for thing in things]}))
    else:
        print("\n\n".join(as_lines(thing) for thing in things))
    return CLEAN


def dump(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False)


def as_data(thing: Shown) -> dict[str, Any]:
    return {"kind": thing.kind, "name": thing.name, "lines": [line_data(line) for line in thing.lines]}


def line_data(line: Line) -> dict[str, Any]:
    return {
        "text": line.text,
        "from": line.layer,
        "module": line.origin or None,
        "file": line.path,
        "line": line.line,
        "cite": list(line.cites),
        "guard": line.guard or None,
    }


def as_lines(thing: Shown) -> str:
    """The text on the left, where it comes from on the right."""
    rows = []
    for line in thing.lines:
        text = printable(line.text) + (f"   ({line.guard})" if line.guard else "")
        source = " ".join([line.layer, *([line.origin] if line.origin else []), line.place, *line.cites])
        pad = " " * max(2, TEXT_COLUMNS - width(text))
        rows.append(f"{text}{pad}[{source}]")
    return "\n".join(rows)


def printed(text: str) -> str:
    return "\n".join(printable(line) for line in text.splitlines())
