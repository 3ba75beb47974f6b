"""Changes that change nothing: a person has shown why no scenario can notice them.

In: `mutants.yaml` beside scenario files. Out: `Equivalent`s, each with its reason. An entry that fits no change, or
one that a scenario does notice, is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.loading.files import AnyPath
from ritual_dsl.loading.game_files import read_mapping
from ritual_dsl.loading.shape import Shape, head
from ritual_dsl.scenarios.mutation import NOTICED, REFUSED, Mutation
from ritual_dsl.source import Span

FILE = "mutants.yaml"
FILE_KEYS = ("equivalent",)
KEYS = ("where", "change", "reason")


@dataclass(frozen=True)
class Equivalent:
    where: str
    change: str
    reason: str
    span: Span = field(compare=False, repr=False)


def load_equivalents(files: Iterable[AnyPath], found: Findings) -> list[Equivalent]:
    """The entries beside all these scenario files."""
    folders = dict.fromkeys(path.parent for path in files)
    return [e for folder in folders if (folder / FILE).is_file() for e in read(folder / FILE, found)]


def read(path: AnyPath, found: Findings) -> list[Equivalent]:
    root = read_mapping(path, found)
    if root is None:
        return []
    shape = Shape(found)
    shape.mapping(root, "the file of mutants", FILE_KEYS)
    entries = []
    for node in shape.sequence(root.get("equivalent"), "the equivalent changes"):
        body = shape.mapping(node, "an equivalent change", KEYS)
        if body is not None:
            shape.require(body, "an equivalent change", KEYS)
            where, change, reason = (shape.text(body.get(key), f"the {key}") or "" for key in KEYS)
            entries.append(Equivalent(where, change, reason, head(body.span)))
    return entries


def judge(equivalents: list[Equivalent], mutation: Mutation, found: Findings) -> None:
    """Take the equivalent changes out of the survivors, and report entries that are wrong."""
    outcomes = {mutant.name: outcome for mutant, outcome in mutation.outcomes}
    for entry in equivalents:
        outcome = outcomes.get((entry.where, entry.change))
        if outcome is None:
            near = near_miss(entry.change, [change for where, change in outcomes if where == entry.where])
            hint = near or near_miss(entry.where, [where for where, _ in outcomes])
            found.say("RIT620", f"there is no change `{entry.change}` of `{entry.where}`", entry.span, help=hint)
        elif outcome.state == NOTICED:
            message = f"the scenario `{outcome.by}` notices this change, so it is not equivalent"
            found.say("RIT621", message, entry.span)
        elif outcome.state == REFUSED:
            found.say("RIT621", f"the check refuses this change: {outcome.by}", entry.span)
        else:
            mutation.equivalent[entry.where, entry.change] = entry.reason
