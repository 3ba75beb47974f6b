"""Codes 660 to 689: how a game looks on paper."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error, warning

TABLE: tuple[Code, ...] = (
    error(
        "RIT660",
        "the look names what is not there",
        "`sheets.yaml` speaks of an attribute, value, card, counter, module, colour or drawing that does not exist.",
        "face: {colored_by: colr}",
        "face: {colored_by: color}",
        "The sheet would quietly come out without it.",
    ),
    error(
        "RIT661",
        "not a plain drawing",
        "A drawing consists of plain shapes in one colour: no scripts, links, images, styles or entities.",
        '<path d="M0 0h9v9z" fill="#c00"/>',
        '<path d="M0 0h9v9z" fill="currentColor"/>',
        "Drawings stand inside pages that people open, and take the colour of their place.",
    ),
    warning(
        "RIT662",
        "colours that are hard to tell apart",
        "Two tones look alike to somebody, or letters stand out too little from their ground.",
        "ground: '#c0392b', ink: '#27ae60'",
        "ground: '#7a1f1a', ink: '#fff3e8'",
        "One reader in twenty sees red and green as one colour, and sheets are printed in grey too.",
    ),
    error(
        "RIT663",
        "text overflows its piece",
        "At the smallest size that can be read, the text is still taller or wider than its place.",
        "a card text of 90 words",
        "a card text of 30 words; the long version in a section of the rules",
        "The rest would be cut off, or run over its neighbours.",
    ),
    error(
        "RIT664",
        "a character that no font has",
        "The text holds a character for which the fonts of the sheets have no sign.",
        "name: {en: Cat 🐈}",
        "name: {en: Cat}",
        "It would be printed as an empty box.",
    ),
    error(
        "RIT665",
        "a template that does not work",
        "A template is not jinja2 or not Typst, uses a name that it is not given, or does what templates may not do.",
        "{% block card_front %}{{ card.nmae }}{% endblok %}",
        "{% block card_front %}{{ card.name }}{% endblock %}",
        "There is no sheet to write.",
    ),
    error(
        "RIT666",
        "a sheet beyond all bounds",
        "Making the sheet took too long, or it came out too large.",
        "{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}",
        "{% for card in cards %}{{ card.id }}{% endfor %}",
        "Templates and games may come from strangers; none of them may stall a machine.",
    ),
    error(
        "RIT667",
        "what PDF and PNG need is not installed",
        "Typst or the fonts are missing: they come with an extra of the package.",
        "pip install ritual-dsl",
        "pip install 'ritual-dsl[pdf]'",
        "Sheets in HTML need nothing more; the others are typeset.",
    ),
    error(
        "RIT668",
        "an option that a sheet does not have",
        "The language, sheet, format, paper or another option is not known, or does not go together with the others.",
        "ritual render my_game --lang jp",
        "ritual render my_game --lang ja",
        "Nothing was written, because it is not clear what was meant.",
    ),
    error(
        "RIT669",
        "nothing to print",
        "The sheet would be empty: no card differs, or the game has nothing of this kind.",
        "ritual render my_game --sheet cards --changed-from my_game",
        "ritual render my_game+./house.yaml --sheet cards --changed-from my_game",
        "An empty sheet looks like a mistake.",
    ),
)
