"""The rules of a game as what a sheet shows: numbered sections, the rules that cite them, rulings, errata.

In: a `Game` and a speaker. Out: plain data for a template.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ritual_dsl.loading.parts import Module
from ritual_dsl.model.game import Game
from ritual_dsl.sheets.faces import chosen_modules
from ritual_dsl.sheets.phrases import Speaker
from ritual_dsl.source import Span
from ritual_dsl.syntax import nodes as n

Data = dict[str, Any]
LAST_PART = re.compile(r"-[^-]+$|(?<=[A-Za-z])[0-9]+$")  # of a citation: §6-2 is a part of §6, §E1 of §E


def modules(game: Game, speaker: Speaker) -> list[Data]:
    """What makes this game another than the rulebook's: modules, and cards swapped in."""
    shown: list[Data] = []
    for module in chosen_modules(game):
        ruling = game.files.rulings.get(module.id) if module.layer == "ruling" else None
        name, cites = (ruling.question, ruling.cites) if ruling else (module.name, module.cites)
        shown.append(
            {
                "reference": module.reference,
                "layer": module.layer,
                "name": speaker.say(name, module.id),
                "text": speaker.say(module.text),
                "cites": list(cites),
            }
        )
    usual = {word.text for word in game.files.manifest.slots.values()}
    for card in game.cards.values():
        if card.slot is not None and card.id in game.deck and card.id not in usual:
            said = {"name": speaker.say(card.name, card.id), "text": speaker.say(card.text)}
            shown.append({"reference": card.id, "layer": "swapped", **said, "cites": list(card.cites)})
    return shown


def sections(game: Game, speaker: Speaker) -> tuple[list[Data], list[Data]]:
    """Sections with their rules; and the rules that cite none. Each is shown once, where it cites first."""
    table = game.files.manifest.sections
    homes: dict[str, list[Data]] = {cite: [] for cite in table}
    see: dict[str, list[Data]] = {cite: [] for cite in table}
    other: list[Data] = []
    for number, (item, module) in enumerate(items(game), 1):
        rule = rule_data(number, item, module, game)
        known = [cite for cite in rule["cites"] if cite in homes]
        (homes[known[0]] if known else other).append(rule)
        for cite in known[1:]:
            see[cite].append({"anchor": rule["anchor"], "name": rule["name"]})
    shown = [
        {
            "cite": cite,
            "level": level(cite, table),
            "title": speaker.say(section.title),
            "text": speaker.say(section.text),
            "rules": homes[cite],
            "see": see[cite],
        }
        for cite, section in table.items()
    ]
    return shown, other


def level(cite: str, known: Container[str]) -> int:
    """In how many other sections a section lies."""
    around = LAST_PART.sub("", cite)
    return level(around, known) + 1 if around != cite and around in known else 0


def rule_data(number: int, item: n.Item, module: Module | None, game: Game) -> Data:
    ruling = game.files.rulings.get(module.id) if module and module.option else None
    inherited = ruling.cites if ruling else module.cites if module else ()
    return {
        "anchor": f"r-{number}",
        "name": title(item),
        "cites": list(dict.fromkeys((*cited(item), *inherited))),
        "module": module.reference if module else "",
        "lines": block(item.span),
    }


def items(game: Game) -> Iterator[tuple[n.Item, Module | None]]:
    for item in game.files.items:
        yield item, None
    for module in game.modules:
        for item in module.items:
            yield item, module


def card_rules(game: Game, name: str) -> list[str]:
    """The card's own rules after the overlays, then what modules patch in its name."""
    items = [*game.parts[name].items]
    for module in game.modules:
        items += [item for change in module.cards if change.id == name for item in change.patches]
    return [block(item.span) for item in items]


def rulings(game: Game, speaker: Speaker) -> list[Data]:
    picked = {m.id: m.option for m in game.modules if m.layer == "ruling"}
    return [
        {
            "id": ruling.id,
            "question": speaker.say(ruling.question, ruling.id),
            "why": speaker.say(ruling.why),
            "cites": list(ruling.cites),
            "differs": picked.get(ruling.id, ruling.default) != ruling.default,
            "options": [
                {
                    "id": name,
                    "text": speaker.say(option.text),
                    "chosen": name == picked.get(ruling.id, ruling.default),
                    "default": name == ruling.default,
                }
                for name, option in ruling.options.items()
            ],
        }
        for ruling in game.files.rulings.values()
    ]


def errata(game: Game, speaker: Speaker) -> list[Data]:
    return [
        {"lang": e.lang, "cites": list(e.cites), "printed": speaker.say(e.printed), "meant": speaker.say(e.meant)}
        for e in game.files.errata.values()
    ]


# ---------------------------------------------------------------- the text of rules


def cited(node: object) -> Iterator[str]:
    """The citations of a node, its own first, then those inside it."""
    yield from getattr(node, "cites", ())
    if isinstance(node, tuple):
        for element in node:
            yield from cited(element)
    elif is_dataclass(node) and not isinstance(node, Span):
        for part in fields(node):
            if part.name not in ("span", "cites"):
                yield from cited(getattr(node, part.name))


def title(item: n.Item) -> str:
    """The kind of an item and what it is about."""
    match item:
        case n.EnumDecl(name=name):
            return f"enum {name}"
        case n.AttributesDecl(piece=piece):
            return f"piece {piece} has" if piece else "card has"
        case n.PlayersDecl():
            return "players"
        case n.SeatsDecl():
            return "seats"
        case n.ZoneDecl(name=name):
            return f"zone {name}"
        case n.CounterDecl(name=name):
            return f"counter {name}"
        case n.VariableDecl(name=name):
            return f"variable {name}"
        case n.SignalDecl(name=name):
            return f"trigger {name}"
        case n.MeasureDecl(name=name):
            return f"measure {name}"
        case n.RuleDecl(name=name):
            return f"rule {name}"
        case n.ProcedureDecl(name=name):
            return f"procedure {name}"
        case n.Handler(trigger=name):
            return f"when {name}"
        case n.AssumeDecl(name=name):
            return f"assume {name}"
        case n.OddsDecl(procedure=name):
            return f"odds after {name}" if name else "odds"
        case n.ClausePatch(kind=kind, path=path) | n.StepPatch(kind=kind, path=path):
            return f"{kind} {'.'.join(path)}"
        case n.Guarded():
            guards = (("while", item.while_rule), ("during", item.during), ("with", item.with_module))
            return " ".join(f"{word} {name}" for word, name in guards if name)


def block(span: Span) -> str:
    """The lines of an item as written: its first line and the deeper ones below, without the common indent."""
    source = span.source
    indent = depth(source.line(span.line))
    lines = [source.line(span.line)]
    waiting: list[str] = []  # blank lines and comments count only if the item goes on behind them
    brackets = opened(lines[0])
    for number in range(span.line + 1, len(source.lines) + 1):
        line = source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            waiting.append(line)
        elif depth(line) > indent or brackets > 0:
            lines += [*waiting, line]
            waiting = []
            brackets += opened(line)
        else:
            break
    return "\n".join(line[min(indent, depth(line)) :].rstrip() for line in lines)


def depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def opened(line: str) -> int:
    code = line.partition("#")[0]
    return sum(code.count(c) for c in "([") - sum(code.count(c) for c in ")]")
