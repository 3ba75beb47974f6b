"""What can be switched in a game: variants, rulings, errata, alternate cards, and the overlays in play.

In: a game. Out: plain data, which `ritual show --modules` prints as text or JSON.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.loading.parts import Module, Ruling
from ritual_dsl.loading.shape import Texts
from ritual_dsl.model.game import Game
from ritual_dsl.source import Span

Data = dict[str, Any]


def modules_of(game: Game) -> Data:
    files = game.files
    taken = {module.id: module.option for module in game.modules if module.option is not None}
    active = {module.id for module in game.modules}
    return {
        "variants": [{**words(v), "in_play": v.id in active} for v in files.variants.values()],
        "rulings": [ruling(r, taken[r.id]) for r in files.rulings.values() if r.id in taken],
        "errata": [
            {
                "id": erratum.id,
                "language": erratum.lang,
                "printed": erratum.printed,
                "meant": erratum.meant,
                "cite": list(erratum.cites),
                **place(erratum.module.span),
            }
            for erratum in files.errata.values()
        ],
        "alternates": [alternates(game, slot, usual.text) for slot, usual in files.manifest.slots.items()],
        "overlays": [words(module) for module in game.modules if module.layer == "house"],
    }


def words(module: Module) -> Data:
    said = {"id": module.id, "name": module.name, "text": module.text, "cite": list(module.cites)}
    return {**said, **place(module.span)}


def ruling(found: Ruling, taken: str | None) -> Data:
    options = {name: option.text for name, option in found.options.items()}
    return {
        "id": found.id,
        "question": found.question,
        "options": options,
        "default": found.default,
        "taken": taken,
        "why": found.why,
        "cite": list(found.cites),
        **place(found.span),
    }


def alternates(game: Game, slot: str, usual: str) -> Data:
    cards = [card for card in game.cards.values() if card.slot == slot]
    in_deck = next((card.id for card in cards if card.id in game.deck), None)
    known: dict[str, Texts] = {card.id: card.name for card in cards}
    cites = sorted({cite for card in cards for cite in card.cites})
    return {"slot": slot, "cards": known, "default": usual, "in_deck": in_deck, "cite": cites}


def place(span: Span) -> Data:
    return {"file": span.path, "line": span.line}


def as_text(game: Game, data: Data) -> str:
    """For the terminal, in the game's first language."""
    say = game.words
    lines = []
    for variant in data["variants"]:
        mark = " (in play)" if variant["in_play"] else ""
        lines += [f"variant {variant['id']}{mark}: {say(variant['name'])}{cited(variant)}", f"  {say(variant['text'])}"]
    for question in data["rulings"]:
        lines.append(f"ruling {question['id']}: {say(question['question'])}{cited(question)}")
        for name, text in question["options"].items():
            marks = [w for w, o in (("default", question["default"]), ("in play", question["taken"])) if o == name]
            joined = ", ".join(marks)
            lines.append(f"  {name}{f' ({joined})' if marks else ''}: {say(text)}")
        lines += [f"  why: {say(question['why'])}"] if question["why"] else []
    for slot in data["alternates"]:
        cards = ", ".join(f"{card}{' (default)' if card == slot['default'] else ''}" for card in slot["cards"])
        lines += [f"slot {slot['slot']}: {cards}{cited(slot)}", f"  in the deck: {slot['in_deck'] or 'none'}"]
    for erratum in data["errata"]:
        lines.append(f"erratum {erratum['id']} ({erratum['language']}){cited(erratum)}")
        lines += [f"  printed: {say(erratum['printed'])}", f"  meant: {say(erratum['meant'])}"]
    for overlay in data["overlays"]:
        name = say(overlay["name"]) or overlay["id"]
        lines.append(f"overlay {overlay['id']}: {name}{cited(overlay)}  [{overlay['file']}]")
        lines += [f"  {say(overlay['text'])}"] if overlay["text"] else []
    return "\n".join(lines)


def cited(data: Data) -> str:
    return f"  {' '.join(data['cite'])}" if data["cite"] else ""
