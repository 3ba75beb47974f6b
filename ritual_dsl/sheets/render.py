"""Sheets of a game, in every format.

In: a game or its reference, what to render, options. Out: files, all written or none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ritual_dsl.diagnostics import Diagnostic, RitualError, fail, ordered
from ritual_dsl.model.game import Game
from ritual_dsl.sheets import deck_image
from ritual_dsl.sheets.content import Content, look_of, told_apart
from ritual_dsl.sheets.files import write_all
from ritual_dsl.sheets.fonts import coverage
from ritual_dsl.sheets.options import FORMATS, SHEETS, Options, languages, several
from ritual_dsl.sheets.workshop import Typeset, Workshop, font_folders, read_templates
from ritual_dsl.source import Span

Made = dict[str, bytes]  # file name -> content
PAGE_PPI = 150


def render(
    game_or_reference: Game | str,
    lang: str | None = None,
    format: str = "html",
    out: Path = Path("build"),
    sheet: str = "all",
    options: Options | None = None,
) -> list[Path]:
    """Write sheets and return their paths: `<out>/<sheet>.<lang>.<format>`."""
    options = options or Options()
    game = loaded(game_or_reference)
    with Workshop(read_templates(options.templates)) as workshop:
        made = make(game, workshop, languages(lang, game.languages), sheet, format, options, out)
    return write_all(out, made, options.force)


def make(
    game: Game,
    workshop: Workshop,
    langs: list[tuple[str, ...]],
    sheet: str,
    format: str,
    options: Options,
    out: Path,
) -> Made:
    """Everything asked for, in memory; every fault of every sheet is found before anything is written."""
    formats = several("format", format, FORMATS)
    sheets = several("sheet", printable(game) if sheet == "all" else sheet, SHEETS)
    if formats == ("tts",) and "cards" not in sheets:
        raise fail("RIT668", f"the sheet `{sheet}` has no format `tts`", help="--sheet cards")
    before = loaded(options.changed_from) if options.changed_from else None
    made: Made = {}
    faults: list[Diagnostic] = []
    for chosen in langs:
        content = Content(game, chosen, options, before)
        for one in formats:
            for name in sheets if one != "tts" else ("cards",):
                try:
                    made.update(MAKERS[one](content, name, workshop, out))
                except RitualError as error:
                    faults += error.diagnostics
    if faults:
        raise RitualError(ordered(faults))
    return made


def loaded(game_or_reference: Game | str) -> Game:
    if isinstance(game_or_reference, Game):
        return game_or_reference
    from ritual_dsl import load  # the package's front door imports its tools

    return load(game_or_reference)


def printable(game: Game) -> str:
    """The sheets for which a game has something to print."""
    has = {"cards": any(not card.piece for card in game.cards.values()), "tokens": has_tokens(game)}
    return ",".join(name for name in SHEETS if has.get(name, True))


def has_tokens(game: Game) -> bool:
    return bool(look_of(game).tokens) or any(card.piece for card in game.cards.values())


# ---------------------------------------------------------------- formats


def make_html(content: Content, name: str, workshop: Workshop, out: Path) -> Made:
    data = getattr(content, name)()
    page = workshop.page(f"{name}.html.j2", {"sheet": data, "lang": data["langs"][0]}, content.characters)
    return {f"{file_name(content, name)}.html": page.encode("utf-8")}


def make_pdf(content: Content, name: str, workshop: Workshop, out: Path) -> Made:
    done = typeset(content, name, getattr(content, name)(), workshop, "pdf")
    return {f"{file_name(content, name)}.pdf": done.files[0]}


def make_png(content: Content, name: str, workshop: Workshop, out: Path) -> Made:
    """Each page, and each card with its bleed, as a printer on demand wants them."""
    done = typeset(content, name, getattr(content, name)(), workshop, "png", PAGE_PPI)
    made = {f"{file_name(content, name)}.{number}.png": page for number, page in enumerate(done.files, 1)}
    if name == "cards":
        data = content.single_cards(content.options.bleed)
        ids = [face["id"] for face in data["cards"]]
        names = [*ids, *([f"{card}.back" for card in ids] if told_apart(data["cards"]) else ["back"])]
        single = typeset(content, name, data, workshop, "png", content.options.ppi)
        made |= {f"{file_name(content, name)}/{n}.png": page for n, page in zip(names, single.files, strict=True)}
    return made


def make_tts(content: Content, name: str, workshop: Workshop, out: Path) -> Made:
    """A deck of Tabletop Simulator: images of the faces, of the backs, and the object that uses them."""
    data = content.single_cards(0.0)
    deck, unique = file_name(content, "deck"), told_apart(data["cards"])
    images = deck_image.sheets(data, "front")
    pages = {f"{deck}.{number}.png": image.data for number, image in enumerate(images, 1)}
    if unique:
        backs = {f"{deck}.{n}.back.png": i.data for n, i in enumerate(deck_image.sheets(data, "back"), 1)}
    else:
        backs = {f"{deck}.back.png": {**data, "pages": data["pages"][-1:]}}
    made: Made = {}
    for file, page in {**pages, **backs}.items():
        made[file] = typeset(content, name, page, workshop, "png", images[0].ppi).files[0]
    base = (content.options.base_url or out.resolve().as_uri()).rstrip("/")
    behind = [*backs] if unique else [*backs] * len(images)
    urls = [(f"{base}/{face}", f"{base}/{back}") for face, back in zip(pages, behind, strict=True)]
    saved = deck_image.saved_object(data, images, urls, unique)
    made[f"{deck}.json"] = json.dumps(saved, indent=2, ensure_ascii=False).encode("utf-8") + b"\n"
    return made


MAKERS: dict[str, Callable[[Content, str, Workshop, Path], Made]] = {
    "html": make_html,
    "pdf": make_pdf,
    "png": make_png,
    "tts": make_tts,
}


def file_name(content: Content, name: str) -> str:
    return f"{name}.{'+'.join(content.speaker.langs)}"


def typeset(
    content: Content, name: str, data: dict[str, Any], workshop: Workshop, format: str, ppi: float = 144
) -> Typeset:
    """Pages, after a look at every character and at everything that did not fit."""
    faults = list(missing_glyphs(data, content))
    if not faults:
        done = workshop.typeset(f"{name}.typ.j2", {"sheet": data}, format, ppi)
        faults = [overflow(note, name, content) for note in done.notes]
        if not faults:
            return done
    raise RitualError(ordered(faults))


# ---------------------------------------------------------------- what goes wrong on paper


def overflow(note: dict[str, Any], name: str, content: Content) -> Diagnostic:
    piece, lang = note["piece"], "+".join(content.speaker.langs)
    way = "too tall" if note["way"] == "tall" else "too wide"
    part = "name" if note["part"] == "name" else "text"
    message = f"the {part} of `{piece}` ({lang}) is {note['over']:.1f} mm {way} for its place on the sheet `{name}`"
    return Diagnostic("RIT663", message, place_of(piece, content, part), f"shorten the {part}")


def place_of(piece: str, content: Content, key: str, character: str = "") -> Span | None:
    """Where a card says something in a language of the sheet: with a character in question, where that one stands."""
    part = content.game.parts.get(piece)
    if part is None:
        return None
    for name, texts in (("name", part.name), ("text", part.text)):
        for lang in content.speaker.langs:
            origin = part.origins.get(f"{name}.{lang}")
            if origin and (character in texts.get(lang, "") if character else name == key):
                return origin.span
    return part.span


def missing_glyphs(data: dict[str, Any], content: Content) -> Iterator[Diagnostic]:
    known = coverage(font_folders()[0])
    seen: set[tuple[str, str]] = set()
    for owner, lang, text in phrases(data, ""):
        for character in known.missing(text):
            if (owner, character) not in seen:
                seen.add((owner, character))
                whose = f"`{owner}`" if owner else "the sheet"
                message = f"no font has “{character}” (U+{ord(character):04X}), which {whose} uses ({lang})"
                yield Diagnostic("RIT664", message, place_of(owner, content, "name", character))


def phrases(data: object, owner: str) -> Iterator[tuple[str, str, str]]:
    """Every piece of text in some language, with the id of what it belongs to."""
    if isinstance(data, dict):
        if data.keys() == {"lang", "text", "note"}:
            yield owner, data["lang"], data["text"] + data["note"]
            return
        inside = data.get("id") or owner
        for value in data.values():
            yield from phrases(value, inside)
    elif isinstance(data, list):
        for value in data:
            yield from phrases(value, owner)
