"""What stands on cards and on the player aid, for a terminal.

In: a game and a language; the sheets know what is printed. Out: lines of text. Nothing here depends on a game in play.
"""

from __future__ import annotations

from ritual_dsl.cli.lines import wrapped
from ritual_dsl.diagnostics import near_miss
from ritual_dsl.diagnostics.human import printable
from ritual_dsl.model.game import Card, Game
from ritual_dsl.sheets.content import Content
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.phrases import Phrase

BETWEEN = " · "


class Printed:
    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self.content = Content(game, (lang,), Options())
        self.faces = self.content.faces

    def name(self, card: Card) -> str:
        return self.game.words(card.name, self.lang) or card.id

    # ---- what stands on a card

    def facts(self, card: Card) -> list[str]:
        """Its attributes: a value that has a name of its own by that, another one behind the attribute's."""
        found = []
        told = self.faces.look.face.get("labelled_by")
        for key, value in card.attributes.items():
            if told is not None and key == told.text and str(value) in self.name(card):
                continue
            look = self.faces.look.values.get(key, {}).get(str(value))
            named = said(self.faces.named(key, str(value)))
            if value is not None and named != self.name(card):
                found.append(named if look is not None and look.name else f"{self.attribute(key)}: {named}")
        return found

    def attribute(self, key: str) -> str:
        look = self.faces.look.attributes.get(key)
        return said(self.content.speaker.say(look.name if look else {}, key))

    def front_facts(self, card: Card) -> list[str]:
        """Without what the back tells, of which only the name is given."""
        name, _ = self.back(card)
        return [*(fact for fact in self.facts(card) if fact != name), *([f"back: {name}"] if name else [])]

    def text(self, card: Card, head: str) -> list[str]:
        text = said(self.faces.said(card))
        return wrapped(text, head) if text else []

    def back(self, card: Card) -> tuple[str, str]:
        """What the back of this card is called and says; nothing where all backs are alike."""
        back = self.faces.back_of(card)
        return (said(back["name"]), said(back["text"])) if back["id"] else ("", "")

    def whole(self, card: Card, head: str, more: tuple[str, ...] = ()) -> list[str]:
        """Both sides of a card."""
        name, text = self.back(card)
        facts = [fact for fact in self.facts(card) if fact != name]
        indent = " " * (len(head) + 2)
        lines = wrapped(BETWEEN.join([self.name(card), *facts, *more]), head) + self.text(card, indent)
        return lines + (wrapped(f"{name}: {text}" if text else name, f"{indent}back: ") if name else [])

    def totals(self, cards: list[str]) -> list[str]:
        """How many there are of what stands on cards as so many drawings."""
        counts: dict[str, int] = {}
        for id in cards:
            for key, value in self.game.cards[id].attributes.items() if id in self.game.cards else ():
                look = self.faces.look.attributes.get(key)
                if look is not None and look.icon and isinstance(value, int):
                    counts[key] = counts.get(key, 0) + value
        return [f"{self.attribute(key)}: {count}" for key, count in counts.items()]

    # ---- what players may look up

    def lookup(self, word: str) -> list[str]:
        """Any card of the game, by its name or id. They are the same for everybody, so this tells nobody anything."""
        names = {card.id: (plain(self.name(card)), plain(card.id)) for card in self.game.cards.values()}
        found = [id for id, called in names.items() if plain(word) in called]
        parts = [id for id, called in names.items() if plain(word) in called[0]]
        if found or len(parts) == 1:
            cards = [self.game.cards[id] for id in found or parts]
            return [line for card in cards for line in self.whole(card, "  ", self.remarks(card))]
        hint = near_miss(plain(word), [name for called in names.values() for name in called])
        return wrapped(f"There is no card `{printable(word[:80])}`; {hint or '`cards` shows those you see'}")

    def remarks(self, card: Card) -> tuple[str, ...]:
        words = self.content.speaker.words
        copies = (f"{words['copies']}: {card.copies}",) if card.copies > 1 else ()
        alternate = (words["alternate"],) if card.id not in self.game.deck and not card.piece else ()
        changes = self.faces.changes.get(card.id)
        changed = (f"{words['changed']} {', '.join(changes)}",) if changes else ()
        return (*copies, *alternate, *changed, *card.cites)

    def introduction(self) -> list[str]:
        manifest = self.game.files.manifest
        title, about = (self.game.words(texts, self.lang) for texts in (manifest.name, manifest.about))
        return [*wrapped(title or self.game.id), *(wrapped(about) if about else [])]

    def aid(self) -> list[str]:
        """The player aid, if the game has one."""
        lines = []
        for panel in self.content.panels():
            lines += wrapped(said(panel["title"]))
            for line in panel["lines"]:
                lines += wrapped(" ".join([said(line["text"]), *line["cites"]]), "  - ")
        return lines or ["This game has no player aid."]


def said(phrase: Phrase) -> str:
    """In one language; a missing translation is marked."""
    return " ".join(entry["text"] + (f" [{entry['note']}]" if entry["note"] else "") for entry in phrase)


def plain(name: str) -> str:
    """However somebody types it."""
    return " ".join(name.casefold().replace("_", " ").split())
