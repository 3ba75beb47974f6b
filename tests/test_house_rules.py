"""The gallery of house rules: each valid, pinned, in all languages, with scenarios that pass."""

from __future__ import annotations

from pathlib import Path

import pytest

import ritual_dsl

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "house-rules.md").read_text(encoding="utf-8")
GALLERY = sorted((DOCS / "house-rules").glob("*.yaml"))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_the_gallery(path: Path) -> None:
    """Valid without a warning, pinned, in all languages, with scenarios that pass; and the page tells of it."""
    assert not ritual_dsl.check(str(path))
    game = ritual_dsl.load(str(path))
    module = next(m for m in game.modules if m.layer == "house")
    assert set(module.name) == set(module.text) == set(game.languages)
    assert f"(house-rules/{path.name})" in PAGE and "base_version: 1.0\n" in path.read_text("utf-8")


def test_the_gallery_has_what_people_try() -> None:
    assert len(GALLERY) >= 8
    assert ritual_dsl.test([str(DOCS / "house-rules")]).passed >= len(GALLERY)
