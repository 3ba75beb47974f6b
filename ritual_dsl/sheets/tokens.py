"""Tokens: markers, tracks and boards, as plain data for a template.

In: a game and its look. Out: mappings with sizes in millimetres. Pieces of the game that are no cards are markers too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.look import Look, Piece, Place, Token
from ritual_dsl.loading.reference import Chosen, with_option
from ritual_dsl.loading.yaml_nodes import Scalar
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Counter, Game
from ritual_dsl.sheets.faces import Faces

Data = dict[str, Any]
SMALL = Piece(20, 20, 0)
MOST_SPOTS = 200


class Tokens:
    def __init__(self, game: Game, look: Look, faces: Faces) -> None:
        self.game = game
        self.look = look
        self.faces = faces

    def all(self) -> dict[str, list[Data]]:
        return {"markers": self.markers(), "tracks": self.tracks(), "boards": self.boards()}

    def markers(self) -> list[Data]:
        declared = [self.token(t) for t in self.look.tokens if t.form == "marker" and t.copies]
        pieces = [card for card in self.game.cards.values() if card.piece and card.copies]
        for card in pieces:
            size = self.look.pieces.get(card.piece, SMALL)
            face = self.faces.face(card)
            said = {key: face[key] for key in ("id", "name", "text", "label", "facts", "colors", "copies")}
            drawn = {"icon": face["picture"], "shape": face["tone"]["shape"]}
            declared.append({**said, **drawn, "width": size.width, "height": size.height})
        return declared

    def token(self, token: Token) -> Data:
        return {
            "id": token.id,
            "name": self.faces.speaker.say(token.name, token.id),
            "text": self.faces.speaker.say(token.text),
            "label": token.label,
            "facts": [],
            "icon": self.faces.drawing(token.icon),
            "shape": token.shape,
            "colors": self.faces.colors(token.colors),
            "width": token.width,
            "height": token.height,
            "copies": token.copies,
        }

    def tracks(self) -> list[Data]:
        """A spot for each value of a counter or an attribute, with the bounds it has in this game."""
        tracks = []
        for token in self.look.tokens:
            if token.form != "track" or not token.copies:
                continue
            counter, numbers = self.counter(token), self.numbers(token)
            if counter is not None:
                first = counter.starts if token.first == "start" else counter.low
                spots = list(range(first, counter.high + 1))[:MOST_SPOTS]
                tracks.append({**self.token(token), "spots": spots, "start": counter.starts})
            elif numbers:
                tracks.append({**self.token(token), "spots": numbers, "start": None})
        return tracks

    def numbers(self, token: Token) -> list[int]:
        """The values that an attribute can have."""
        name = token.attribute.text if token.attribute else ""
        types = [attributes[name] for attributes in self.game.pieces.values() if name in attributes]
        bounds = [(type.low, type.high) for type in types if type.low is not None and type.high is not None]
        return list(range(bounds[0][0], bounds[0][1] + 1))[:MOST_SPOTS] if bounds else []

    def counter(self, token: Token) -> Counter | None:
        """The counter a track is for: of this game, or of this game with the module that declares it."""
        if token.counter is None:
            return None
        module = self.game.files.variants.get(token.module.text) if token.module else None
        if token.counter.text in self.game.counters or module is None:
            return self.game.counters.get(token.counter.text)
        found = Findings()
        here = self.game
        slots = {c.slot: Scalar(c.id, c.span) for c in here.cards.values() if c.slot and c.id in here.deck}
        chosen = Chosen(here.reference, here.files, here.parts, {}, slots, here.modules)
        game = assemble(with_option(chosen, module, found), found)
        return game.counters.get(token.counter.text) if game else None

    def boards(self) -> list[Data]:
        boards = []
        for token in self.look.tokens:
            if token.form == "board":
                places = [spot for place in token.places for spot in self.spots(place)]
                boards.append({**self.token(token), "places": places})
        return boards

    def spots(self, place: Place) -> list[Data]:
        """One spot, or one for each value of an attribute."""
        if place.each is None:
            return [self.spot(place)]
        type = self.game.attributes.get(place.each.text)
        values = self.game.enums.get(type.name, ()) if type else ()
        looks = self.look.values.get(place.each.text, {})
        return [
            self.spot(replace(place, name=looks[v].name, icon=looks[v].icon))
            if v in looks
            else {**self.spot(place), "name": self.faces.speaker.say({}, v)}
            for v in values
        ]

    def spot(self, place: Place) -> Data:
        return {
            "name": self.faces.speaker.say(place.name),
            "text": self.faces.speaker.say(place.text),
            "icon": self.faces.drawing(place.icon),
            "colors": self.faces.colors(place.colors) if place.colors else None,
        }
