"""`ritual schema`: JSON Schemas of the YAML files.

In: a kind of file, or nothing. Out: its schema; the list of kinds; or all of them in a folder.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import ritual_dsl
from ritual_dsl.cli import CLEAN
from ritual_dsl.diagnostics import Findings, RitualError
from ritual_dsl.diagnostics.human import count
from ritual_dsl.handover.schema import KINDS
from ritual_dsl.loading.rewrite import put

HELP = """
Without a kind, all kinds are listed. With --out, all schemas are written into a folder, or the one of the kind.
An editor finds a schema by a comment in the first line of a file:
  # yaml-language-server: $schema=schemas/overlay.json

example: ritual schema overlay > overlay.json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", nargs="?", metavar="KIND", help="a kind of file, such as overlay")
    parser.add_argument("--out", metavar="DIR", type=Path, help="write KIND.json there, of all kinds or this one")


def run(args: argparse.Namespace) -> int:
    kinds = [args.kind] if args.kind is not None else list(KINDS)
    texts = {kind: json.dumps(ritual_dsl.schema(kind), ensure_ascii=False, indent=2) for kind in kinds}
    if args.out is not None:
        write(args.out, texts)
        print(f"{args.out}: {count(len(texts), 'schema')}")
    elif args.kind is not None:
        print(texts[args.kind])
    else:
        print("\n".join(f"{kind:<9} {about}" for kind, (about, _) in KINDS.items()))
    return CLEAN


def write(folder: Path, texts: dict[str, str]) -> None:
    """Schemas are made anew with each version, so those of before are replaced."""
    found = Findings()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found.say("RIT635", f"{folder} cannot be written: {error.strerror or 'no access'}")
        raise RitualError(found) from error
    for kind, text in texts.items():
        put(folder / f"{kind}.json", text + "\n", found)
    if found:
        raise RitualError(found)
