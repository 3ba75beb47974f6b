"""Words in the languages of a sheet.

In: texts by language. Out: for each language of the sheet what is said in it, as plain data; where a language has no
words, those of another one stand in, with a note that says so.
"""

from __future__ import annotations

from typing import Any

from ritual_dsl.loading.shape import Texts
from ritual_dsl.model.game import Game
from ritual_dsl.sheets.labels import labels

Phrase = list[dict[str, Any]]  # {lang, text, note}; a note says that a translation is missing


class Speaker:
    def __init__(self, game: Game, langs: tuple[str, ...]) -> None:
        self.game = game
        self.langs = langs
        self.words = joined(langs)

    def say(self, texts: Texts, instead: str = "") -> Phrase:
        if not any(text.strip() for text in texts.values()):
            return [{"lang": self.langs[0], "text": instead, "note": ""}] if instead else []
        said: Phrase = []
        for lang in self.langs:
            if texts.get(lang, "").strip():
                said.append({"lang": lang, "text": texts[lang].strip(), "note": ""})
                continue
            others = [other for other in (*self.game.languages, *texts) if texts.get(other, "").strip()]
            shown = others[0] if others[0] not in self.langs else ""
            text = texts[others[0]].strip() if shown or len(self.langs) == 1 else ""
            said.append({"lang": others[0], "text": text, "note": f"{lang}: {labels(lang)['missing']}"})
        return said


def joined(langs: tuple[str, ...]) -> dict[str, str]:
    """The sheet's own words, in all its languages."""
    first = labels(langs[0])
    return {key: " / ".join(dict.fromkeys(labels(lang)[key] for lang in langs)) for key in first}
