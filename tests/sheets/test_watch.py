"""Sheets that follow their files: an edit shows, a fault is shown in its place, the last good sheet stays."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.serve import LOOPBACK, Board, serve
from ritual_dsl.sheets.watch import Watcher

HOUSE = "extends: arkham_ritual\nid: ours\ncards:\n  cthulhu:\n    text: {en: WORDS}\n"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE.replace("WORDS", "Once."), encoding="utf-8")
    return path


def test_an_edit_shows_and_a_fault_leaves_the_last_good_sheet(house: Path, tmp_path: Path) -> None:
    watcher = Watcher("./house.yaml", None, "cards", "html", tmp_path / "out", Options())
    page = lambda: watcher.board.pages["cards.en.html"].decode("utf-8")  # noqa: E731
    try:
        assert watcher.look() and not watcher.look()
        assert "Once." in page() and list(watcher.board.pages) == ["cards.en.html"]
        house.write_text(HOUSE.replace("WORDS", "Twice over."), encoding="utf-8")
        assert watcher.look() and "Twice over." in page() and not watcher.board.problems
        house.write_text(HOUSE.replace("extends", "extneds"), encoding="utf-8")
        assert watcher.look() and "RIT120" in watcher.board.problems and "house.yaml:1:1" in watcher.board.problems
        assert "Twice over." in page()
        assert "Twice over." in (tmp_path / "out" / "cards.en.html").read_text("utf-8")
        house.write_text(HOUSE.replace("WORDS", "Thrice and more."), encoding="utf-8")
        assert watcher.look() and "Thrice and more." in page() and not watcher.board.problems
    finally:
        watcher.workshop.close()


def test_a_game_that_is_broken_from_the_start(house: Path, tmp_path: Path) -> None:
    house.write_text("extends: nowhere\nid: ours\n", encoding="utf-8")
    watcher = Watcher("./house.yaml", None, "cards", "html", tmp_path / "out", Options())
    assert watcher.look() and watcher.board.problems and not watcher.board.pages
    house.write_text(HOUSE.replace("WORDS", "Mended."), encoding="utf-8")
    assert watcher.look() and b"Mended." in watcher.board.pages["cards.en.html"]
    watcher.workshop.close()


def test_a_reader_who_leaves_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    server = serve(Board())
    try:
        raise BrokenPipeError
    except BrokenPipeError:
        server.handle_error(None, (LOOPBACK, 1))  # type: ignore[arg-type]
    finally:
        server.shutdown()
        server.server_close()
    assert capsys.readouterr().err == ""


def test_only_this_machine_by_its_own_name_is_answered(house: Path, tmp_path: Path) -> None:
    watcher = Watcher("./house.yaml", None, "aid", "html", tmp_path / "out", Options())
    server = serve(watcher.board)
    root = f"http://{LOOPBACK}:{server.server_port}"
    try:
        assert server.server_address[0] == "127.0.0.1"
        watcher.look()
        assert b"<iframe" in urlopen(f"{root}/").read()
        news = json.loads(urlopen(f"{root}/news/0").read())
        assert news == {"version": 1, "problems": "", "pages": ["aid.en.html"]}
        assert urlopen(f"{root}/made/aid.en.html").read() == watcher.board.pages["aid.en.html"]
        for path, headers, status in (("/", {"Host": "evil.example"}, 403), ("/made/../house.yaml", {}, 404)):
            with pytest.raises(HTTPError) as caught:
                urlopen(Request(root + path, headers=headers))
            assert caught.value.code == status
    finally:
        server.shutdown()
        server.server_close()
        watcher.workshop.close()
