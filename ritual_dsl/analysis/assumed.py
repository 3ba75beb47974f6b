"""What may be taken for granted though no rule says so: which assumption a text means, and which worlds it leaves.

In: texts, and the worlds a story leaves open. Out: the worlds in which the assumptions hold; one that contradicts what
was seen is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ritual_dsl.analysis.dreamer import Assumed, Dreamer
from ritual_dsl.analysis.story import Story, World
from ritual_dsl.analysis.telling import MOST_TELLING, most_telling
from ritual_dsl.analysis.worlds import Stage
from ritual_dsl.diagnostics import RitualError, fail, near_miss
from ritual_dsl.engine.run import Run
from ritual_dsl.model.game import Assumption

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Taken:
    """The assumptions of a question as they were written, and what they mean: declared ones, or of a telling play."""

    labels: tuple[str, ...]
    declared: dict[str, Assumed]
    telling: dict[str, int | None]


def read(run: Run, texts: Iterable[str]) -> Taken:
    """`nothing fitted on Red Door`: a declared assumption, its inputs by id or by name in any language."""
    taken = Taken(tuple(dict.fromkeys(texts)), {}, {})
    for text in taken.labels:
        words, who = read_whose(run, normal(text))
        if words.removeprefix("they chose ").removeprefix("the ").removesuffix(" play") == MOST_TELLING:
            taken.telling[text] = who
        else:
            taken.declared[text] = read_one(run, text, words, who)
    return taken


def read_one(run: Run, text: str, words: str, who: int | None) -> Assumed:
    for assumption in run.game.assumptions.values():
        name = normal(assumption.name.replace("_", " "))
        if words == name and not assumption.params:
            return Assumed(assumption, who, ())
        if words.startswith(name + " ") and len(assumption.params) == 1:
            return Assumed(assumption, who, (read_input(run, words[len(name) + 1 :], assumption, text),))
    known = [a.name.replace("_", " ") for a in run.game.assumptions.values()] + [f"they chose the {MOST_TELLING} play"]
    hint = near_miss(text, known) or f"known: {'; '.join(known)}"
    raise fail("RIT753", f"nothing is known of the assumption `{text}`", help=hint)


def read_whose(run: Run, words: str) -> tuple[str, int | None]:
    """`… for A`: A's last choice is meant."""
    for position, name in enumerate(run.names[: run.state.players]):
        if words.endswith(f" for {normal(name)}"):
            return words.removesuffix(f" for {normal(name)}"), position
    return words, None


def read_input(run: Run, words: str, assumption: Assumption, text: str) -> Any:
    ((_, type),) = assumption.params
    if type.kind == "card":
        called = {
            normal(name): card.id
            for card in run.game.cards.values()
            for name in (card.id, *card.name.values())
            if card.piece == type.name
        }
    else:
        called = {normal(name): position for position, name in enumerate(run.names)}  # type: ignore[misc]
    if words not in called:
        hint = near_miss(words, called)
        raise fail("RIT753", f"`{words}` in `{text}` is no {type}", help=hint)
    return called[words]


def normal(text: str) -> str:
    return " ".join(WORD.findall(text.lower().replace("_", " ")))


def believe(
    taken: Taken, story: Story, dreamer: Dreamer, stages: list[Stage], last: list[World]
) -> tuple[list[World], dict[str, str]]:
    """The worlds in which the assumptions hold, one after the other; those that are left out, and why."""
    left, held, out = last, list[str](), dict[str, str]()
    for label in taken.labels:
        kept: list[World] | None
        if label in taken.declared:
            kept = [world for world in left if label not in world.doubts] if label in dreamer.met else None
        else:
            try:
                kept = most_telling(story, dreamer, stages, taken.telling[label])
            except RitualError:
                out[label] = "there are too many worlds to look at"
                continue
            kept = kept and [world for world in kept if world.doubts.isdisjoint(held)]
        if kept:
            left = kept
            held.append(label)
        else:
            out[label] = "nobody who is meant has chosen that" if kept is None else "it contradicts what was seen"
    return left, out
