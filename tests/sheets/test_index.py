"""The page that shows a build speaks of each language in that language, with a font that has its characters."""

from __future__ import annotations

from typing import Any, cast

from ritual_dsl import load
from ritual_dsl.sheets.index import index_page
from ritual_dsl.sheets.workshop import Workshop


class Listener:
    """Takes the place of a workshop and keeps what it was asked for."""

    asked: tuple[dict[str, Any], frozenset[str]]

    def page(self, template: str, data: dict[str, Any], characters: frozenset[str]) -> str:
        self.asked = data["sheet"], characters
        return ""


def test_each_language_is_named_in_itself() -> None:
    listener = Listener()
    index_page(load("shipwreck_arcana"), cast(Workshop, listener), ["aid.en.html", "aid.ja.html", "aid.ko.pdf"], [])
    sheet, characters = listener.asked
    assert [lang["name"] for lang in sheet["languages"]] == ["English", "日本語", "한국어"]
    assert [lang["sheets"][0]["title"] for lang in sheet["languages"]] == ["Player aid", "プレイヤーエイド", "참조표"]
    assert characters >= set("日本語한국어プレイヤーエイド참조표")
