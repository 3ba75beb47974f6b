"""What `sheets.yaml` says fits the game, and its colours can be told apart by everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from ritual_dsl.checks.colours import apart, contrast
from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.look import Look, read_look
from ritual_dsl.loading.shape import Texts
from ritual_dsl.model.game import Game
from ritual_dsl.source import Source, Span, whole_file

READABLE = 4.5  # contrast of letters and their ground, as WCAG 2 counts it
DIFFERENT = 20.0  # distance of two grounds in CIE Lab, to any kind of eye


def unfit_looks(game: Game, found: Findings) -> None:
    """Every attribute, value, card and module named is there, and nothing is told by colour alone."""
    look = read_look(game.files.folder, game.languages, found)
    for what, word in look.places:
        known = list(names_of(what, game))
        if word.text not in known:
            hint = near_miss(word.text, known) or f"known: {listing(known)}"
            found.say("RIT660", f"there is no {what} `{word.text[:40]}`", word.span, help=hint)
    check_colours(look, game, found)
    place = sheet_file(game)
    for what, texts in worded(look):
        missing = [language for language in game.languages if texts and not texts.get(language, "").strip()]
        if missing:
            found.say("RIT361", f"{what} is missing in {', '.join(missing)}", place)


def names_of(what: str, game: Game) -> Iterable[str]:
    files = game.files
    match what.split():
        case ["attribute"]:
            return [name for attributes in game.pieces.values() for name in attributes]
        case ["value", "of", attribute]:
            types = [attributes[attribute] for attributes in game.pieces.values() if attribute in attributes]
            return [value for type in types for value in game.enums.get(type.name, ())]
        case ["card"]:
            return {**files.cards, **game.cards}
        case ["module"]:
            return (*files.variants, *files.rulings)
        case ["counter"]:
            declared = [item for v in files.variants.values() for item in v.items]
            return (*game.counters, *(getattr(item, "name", "") for item in declared))
        case _:
            raise AssertionError(what)


def check_colours(look: Look, game: Game, found: Findings) -> None:
    place = sheet_file(game)
    for name, colors in look.colors.items():
        if contrast(colors.ground, colors.ink) < READABLE:
            message = f"the ink of `{name}` has a contrast of {contrast(colors.ground, colors.ink):.1f} to its ground"
            found.say("RIT662", message, place, help=f"letters are readable from {READABLE}")
    attribute = look.face.get("colored_by")
    values = look.values.get(attribute.text, {}) if attribute else {}
    for (one, first), (two, second) in combinations(values.items(), 2):
        if first.colors not in look.colors or second.colors not in look.colors:
            continue
        distance = apart(look.colors[first.colors].ground, look.colors[second.colors].ground)
        if distance < DIFFERENT and first.colors != second.colors:
            message = f"`{one}` and `{two}` differ by {distance:.0f} to an eye that sees fewer colours"
            found.say("RIT662", message, place, help=f"make one ground lighter: {DIFFERENT:.0f} is enough")
        if (first.shape, first.edge) == (second.shape, second.edge):
            message = f"`{one}` and `{two}` are told apart by colour only"
            found.say("RIT662", message, place, help="give one of them another shape or edge")


def worded(look: Look) -> Iterator[tuple[str, Texts]]:
    for attribute, values in look.values.items():
        for name, value in values.items():
            yield f"the word for {attribute} `{name}`", value.name
            yield f"the text of {attribute} `{name}`", value.text
    for name, shown in look.attributes.items():
        yield f"the word for `{name}`", shown.name
    for token in look.tokens:
        yield f"the name of the token `{token.id}`", token.name
        yield f"the text of the token `{token.id}`", token.text
        for number, spot in enumerate(token.places, 1):
            yield f"place {number} of the token `{token.id}`", spot.name
            yield f"the text of place {number} of the token `{token.id}`", spot.text
    for number, panel in enumerate(look.aid, 1):
        yield f"the title of panel {number} of the player aid", panel.title
        for row, line in enumerate(panel.lines, 1):
            yield f"line {row} of panel {number} of the player aid", line.text


def sheet_file(game: Game) -> Span | None:
    """The file as a place; a check of many parts points at its beginning."""
    from ritual_dsl.loading.files import display
    from ritual_dsl.loading.look import FILE

    path = game.files.folder / FILE
    return whole_file(Source(display(path), path.read_bytes().decode("utf-8"))) if path.is_file() else None
