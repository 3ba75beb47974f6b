"""Pages as a browser shows them: accessible in light and dark, on a phone, without scripts, and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, chromium

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.sheets.options import SHEETS

pytestmark = pytest.mark.skipif(
    chromium() is None, reason="chromium is not installed (apt-get install chromium): no page was looked at"
)
GAME = Path(__file__).parent.parent / "diagnostics" / "my_game"
AUDIT = (Path(__file__).parent / "audit.js").read_text("utf-8")
NAMED = {"link", "heading", "button", "searchbox", "textbox", "image", "img", "table"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    opened = Browser()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages")
    ritual_dsl.render("arkham_ritual+hastur+doom_track", lang="en,ja,ko,en+ja", out=out)
    return out


@pytest.mark.parametrize("lang", ["en", "ja", "ko", "en+ja"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_page_is_accessible(browser: Browser, folder: Path, sheet: str, lang: str) -> None:
    for width, scheme in ((1000, "light"), (1000, "dark"), (390, "light")):
        browser.open(folder / f"{sheet}.{lang}.html", width, scheme)
        assert browser.run(AUDIT) == [], (width, scheme)
    nameless = [role for role, name in browser.names() if role in NAMED and not name.strip()]
    assert nameless in ([], ["table"] * len(nameless))


def test_the_page_that_shows_a_build_is_accessible(browser: Browser, tmp_path: Path) -> None:
    assert main(["build", str(GAME), "--out", str(tmp_path)]) == 0
    for width, scheme in ((1000, "light"), (1000, "dark"), (390, "light")):
        browser.open(tmp_path / "index.html", width, scheme)
        assert browser.run(AUDIT) == [], (width, scheme)


def test_the_filter_leaves_what_fits(browser: Browser, folder: Path) -> None:
    browser.open(folder / "cards.en.html")
    shown = "[...document.querySelectorAll('.face[data-find]')].filter((f) => !f.hidden).length"
    assert browser.run(shown) == 23
    box = "document.getElementById('filter')"
    write = f"(() => {{ {box}.value = 'WORDS'; {box}.dispatchEvent(new Event('input')); }})()"
    browser.run(write.replace("WORDS", "gate awakens"))
    assert browser.run(shown) == 2
    browser.run(write.replace("WORDS", "nothing like it"))
    assert browser.run("document.getElementById('none-found').hidden") is False


def test_a_page_works_without_scripts(browser: Browser, folder: Path) -> None:
    browser.open(folder / "rules.en.html", scripts=False)
    assert browser.run("document.getElementById('filter').checkVisibility()") is False
    assert browser.run("document.querySelectorAll('article.card').length") == 23
    browser.page("Emulation.setScriptExecutionDisabled", value=False)


def test_a_browser_prints_every_copy_at_its_size(browser: Browser, folder: Path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="the extra `test` is not installed: PDFs are not read")
    from io import BytesIO

    browser.open(folder / "cards.en.html")
    browser.page("Emulation.setEmulatedMedia", media="print")
    count = "[...document.querySelectorAll('.face')].filter((f) => f.checkVisibility())"
    assert browser.run(f"{count}.length") == 28
    size = browser.run(f"(() => {{ const r = {count}[0].getBoundingClientRect(); return [r.width, r.height]; }})()")
    assert [value / 96 * 25.4 for value in size] == pytest.approx([63, 88], abs=0.1)
    pages = pypdf.PdfReader(BytesIO(browser.printed())).pages
    assert len(pages) <= 5
    assert float(pages[0].mediabox.width) == pytest.approx(210 / 25.4 * 72, abs=1)
