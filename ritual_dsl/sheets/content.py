"""What a sheet is made of, as plain data for its template.

In: a game, the languages of the sheet, options. Out: a mapping of JSON values. `docs/templates.md` describes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cached_property
from typing import Any

from ritual_dsl.diagnostics import Findings, RitualError, fail, has_errors
from ritual_dsl.loading.game_files import LANGUAGE
from ritual_dsl.loading.look import Look, read_look
from ritual_dsl.loading.yaml_nodes import Scalar
from ritual_dsl.model.game import Card, Game
from ritual_dsl.sheets import view
from ritual_dsl.sheets.faces import Faces
from ritual_dsl.sheets.geometry import CLEAR, MARK_DISTANCE, MARK_LENGTH, PAPERS, Page, lay_out
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.phrases import Speaker
from ritual_dsl.sheets.tokens import Tokens
from ritual_dsl.source import Source

Data = dict[str, Any]
FINGERPRINT = 10
STRIP = 4.0  # the height of ruler and colophon in the margin


class Content:
    """The data of all sheets of a game in one choice of languages."""

    def __init__(self, game: Game, langs: tuple[str, ...], options: Options, before: Game | None = None) -> None:
        self.game = game
        self.options = options
        self.before = before
        self.speaker = Speaker(game, langs)
        self.look = look_of(game)
        self.faces = Faces(game, self.look, self.speaker, options.ink)

    def common(self) -> Data:
        """What every sheet gets."""
        manifest = self.game.files.manifest
        width, height = PAPERS[self.options.paper]
        return {
            "game": self.game.id,
            "title": self.speaker.say(manifest.name, manifest.id),
            "about": self.speaker.say(manifest.about),
            "players": list(self.game.players),
            "langs": list(self.speaker.langs),
            "words": self.speaker.words,
            "version": manifest.version,
            "language": LANGUAGE,
            "modules": view.modules(self.game, self.speaker),
            "fingerprint": fingerprint(self.game),
            "ink": self.options.ink,
            "proof": self.options.proof,
            "paper": {"name": self.options.paper, "width": width, "height": height},
            "piece": {key: getattr(self.look.card, key) for key in ("width", "height", "corner")},
            "back": self.faces.back(),
        }

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character that the pages of these languages may need."""
        found: set[str] = set()
        for data in (self.rules(), self.aid(), Tokens(self.game, self.look, self.faces).all()):
            found.update(*texts(data))
        return frozenset(found | set(map(chr, range(32, 127))))

    # ---- cards

    def cards(self) -> Data:
        faces = self.printed_faces()
        copies = [number for number, face in enumerate(faces) for _ in range(face["copies"])]
        piece, options = self.look.card, self.options
        pages = lay_out(
            len(copies),
            (piece.width, piece.height),
            PAPERS[options.paper],
            backs=options.backs,
            marks=options.marks,
            bleed=options.bleed,
            offset=options.back_offset,
        )
        if not pages:
            raise fail("RIT668", f"a card of {piece.width:g} x {piece.height:g} mm does not fit this paper and backs")
        shown = [page_data(page, copies, options.bleed) for page in pages]
        return {**self.common(), "cards": faces, "pages": shown}

    def single_cards(self, bleed: float) -> Data:
        """Each face once, a page of its own; then the backs, one if all are alike."""
        faces = self.printed_faces()
        piece = self.look.card
        backs = range(len(faces) if told_apart(faces) else 1)
        sides = [*((number, "front") for number in range(len(faces))), *((number, "back") for number in backs)]
        pages = [
            {
                "width": piece.width + 2 * bleed,
                "height": piece.height + 2 * bleed,
                "lines": [],
                "note": None,
                "slots": [
                    {"piece": number, "side": side, "x": bleed, "y": bleed, "bleed": [bleed] * 4, "turned": False}
                ],
            }
            for number, side in sides
        ]
        return {**self.common(), "cards": faces, "pages": pages}

    def printed_faces(self) -> list[Data]:
        """All cards, or with an earlier game only those that differ from it."""
        cards = [card for card in self.game.cards.values() if card.piece == "" and card.copies]
        faces = {card.id: self.faces.face(card) for card in cards}
        if self.before is not None:
            copies = {card.id: differing_copies(card, self.game, self.before) for card in cards}
            faces = {name: {**face, "copies": copies[name]} for name, face in faces.items() if copies[name]}
        if not faces:
            what = "no card differs" if self.before is not None else "the game has no cards"
            raise fail("RIT669", f"{what}, so that there is nothing to print")
        return list(faces.values())

    # ---- rules

    def rules(self) -> Data:
        sections, other = view.sections(self.game, self.speaker)
        return {
            **self.common(),
            "sections": sections,
            "known": list(self.game.files.manifest.sections),
            "other": other,
            "groups": self.groups(),
            "rulings": view.rulings(self.game, self.speaker),
            "errata": view.errata(self.game, self.speaker),
        }

    def groups(self) -> list[Data]:
        """Cards by the value that groups them, in the order in which the rules declare the values."""
        word = self.look.face.get("grouped_by")
        type = self.game.attributes.get(word.text) if word else None
        order = {value: number for number, value in enumerate(self.game.enums.get(type.name, ()) if type else ())}
        groups: dict[str, Data] = {}
        for card in self.game.cards.values():
            if card.piece:
                continue
            face = self.faces.face(card)
            group = groups.setdefault(face["group"]["id"], {**face["group"], "cards": []})
            group["cards"].append({**face, "slot": card.slot, "rules": view.card_rules(self.game, card.id)})
        return [groups[name] for name in sorted(groups, key=lambda name: order.get(name, len(order)))]

    # ---- player aid

    def aid(self) -> Data:
        """What the game's look says in panels, and the deck with what its cards do."""
        common = self.common()
        told = [{**m, "text": []} if m["layer"] == "swapped" else m for m in common["modules"]]  # the deck says it
        return {**common, "modules": told, "panels": self.panels(), "groups": self.deck_groups()}

    def panels(self) -> list[Data]:
        """The panels of the player aid, as far as they hold for the chosen modules."""
        panels = []
        for panel in self.look.aid:
            lines = [
                {"text": self.speaker.say(line.text), "icon": self.faces.drawing(line.icon), "cites": list(line.cites)}
                for line in panel.lines
                if self.holds(line.needs, line.unless)
            ]
            if lines and self.holds(panel.needs, panel.unless):
                panels.append({"title": self.speaker.say(panel.title), "lines": lines})
        return panels

    def deck_groups(self) -> list[Data]:
        """What is in the deck. Cards without rules of their own leave it to the text of their group, if it has one."""
        groups = []
        for group in self.groups():
            cards = [
                card if card["rules"] or not group["text"] else {**card, "text": []}
                for card in group["cards"]
                if not card["alternate"]
            ]
            groups += [{**group, "cards": cards}] if cards else []
        return groups

    def holds(self, needs: Scalar | None, unless: Scalar | None) -> bool:
        chosen = {module.id for module in self.game.modules}
        return (needs is None or needs.text in chosen) and (unless is None or unless.text not in chosen)

    # ---- tokens

    def tokens(self) -> Data:
        data = Tokens(self.game, self.look, self.faces).all()
        if not any(data.values()):
            raise fail("RIT669", "the game has no tokens, so that there is nothing to print")
        return {**self.common(), **data}


def texts(data: object) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from texts(value)


def look_of(game: Game) -> Look:
    found = Findings()
    look = read_look(game.files.folder, game.languages, found)
    if has_errors(found):
        raise RitualError(found)
    return look


def told_apart(faces: list[Data]) -> bool:
    """Whether the backs of cards are not all the same."""
    return any(face["back"] != faces[0]["back"] for face in faces)


def differing_copies(card: Card, game: Game, before: Game) -> int:
    """All copies of a card that reads or works otherwise; of one that is only more numerous, the new ones."""
    old = before.cards.get(card.id)
    if old is None:
        return card.copies
    keys = ("name", "text", "attributes", "slot", "cites")
    same = all(getattr(card, key) == getattr(old, key) for key in keys)
    if same and view.card_rules(game, card.id) == view.card_rules(before, card.id):
        return max(0, card.copies - old.copies)
    return card.copies


def page_data(page: Page, copies: list[int], bleed: float) -> Data:
    data = asdict(page)
    data["slots"] = [{**slot, "piece": copies[slot["piece"]]} for slot in data["slots"]]
    data["note"] = margin_note(page, bleed) if page.side == "front" else None
    return data


def margin_note(page: Page, bleed: float) -> Data:
    """Ruler and colophon go into the wider margin, outside the crop marks: below the cards, or beside them."""
    below = page.height - max(slot.y + slot.height for slot in page.slots)
    beside = min(slot.x for slot in page.slots)
    taken = bleed + MARK_DISTANCE + MARK_LENGTH + 0.5
    if min(below, 40.0) >= beside:
        room = below - taken
        y = page.height - below + taken + max(0.0, min(room - STRIP, 1.0))
        return {"x": 2 * CLEAR, "y": y, "length": page.width - 4 * CLEAR, "upright": False}
    x = max(STRIP, beside - taken)
    return {"x": x, "y": 2 * CLEAR, "length": page.height - 4 * CLEAR, "upright": True}


def fingerprint(game: Game) -> str:
    """Of the texts of rules and cards, of the modules chosen and of the deck; where the files lie does not matter."""
    whole = hashlib.sha256()
    chosen = [module.reference for module in game.modules]
    deck = [f"{card} {copies}" for card, copies in game.deck.items()]
    for text in (*sorted({source.text for source in sources(game)}), *chosen, *deck):
        raw = text.encode("utf-8")
        whole.update(len(raw).to_bytes(8, "big") + raw)
    return whole.hexdigest()[:FINGERPRINT]


def sources(game: Game) -> Iterable[Source]:
    files = game.files
    yield files.manifest.span.source
    parts = (*files.items, *files.cards.values(), *files.variants.values(), *files.rulings.values(), *game.modules)
    for part in parts:
        yield part.span.source
