"""Cards to a spreadsheet and back: nothing is lost, nothing is made up, nothing is overwritten."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ritual_dsl
from ritual_dsl.cli import main
from ritual_dsl.diagnostics import Findings, RitualError
from ritual_dsl.handover.csv_text import FORMULA, MARK, read_rows, write_rows
from ritual_dsl.handover.from_csv import read_base
from ritual_dsl.handover.table import Table, table_of
from ritual_dsl.loading.files import UNSEEN
from ritual_dsl.source import Source

TINY = Path(__file__).parent.parent / "diagnostics" / "my_game"
GAMES = ["arkham_ritual", "arkham_ritual+hastur+doom_track", "shipwreck_arcana", str(TINY)]

letters = st.sampled_from("abc ,;\"'\n\t=+-@＝#:|>{}[]&*!%?`~0１§灯縄🜏é\u00a0\\")
any_text = st.text(letters | st.characters(exclude_categories=("Cs",)), max_size=12)
texts = any_text.filter(lambda text: not UNSEEN.search(text))


def law(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None)


def table(reference: str) -> Table:
    return table_of(read_base(reference))


def overlay_of(folder: Path, text: str, base: str) -> str:
    """Read a spreadsheet, write the overlay, and name it."""
    sheet, out = folder / "sheet.csv", folder / "overlay.yaml"
    sheet.write_text(text, encoding="utf-8", newline="")
    ritual_dsl.cards_from_csv(sheet, base, out, force=True)
    return str(out)


@pytest.mark.parametrize("game", GAMES)
def test_a_round_trip_changes_nothing(game: str, tmp_path: Path) -> None:
    assert ritual_dsl.cards_to_csv(game, tmp_path / "cards.csv") == len(table(game).cells)
    text, warnings = ritual_dsl.cards_from_csv(tmp_path / "cards.csv", game, tmp_path / "same.yaml")
    assert "cards:" not in text and not warnings
    assert table(str(tmp_path / "same.yaml")) == table(game)


@law(150)
@given(st.lists(st.lists(texts, min_size=2, max_size=4), min_size=1, max_size=5))
def test_cells_survive(rows: list[list[str]]) -> None:
    rows = [["id", "x"], *(["row", *row] for row in rows)]
    text = write_rows(rows)
    plain = text.removeprefix(MARK).replace("\r\n", "\n")
    read = read_rows(Source("x.csv", plain), Findings())
    assert read is not None
    assert [[cell.text for cell in row] for row in read] == rows
    for row in csv.reader(io.StringIO(text.removeprefix(MARK), newline="")):
        assert all(cell[:1] not in FORMULA.replace("'", "") for cell in row if cell)


@law(30)
@given(st.dictionaries(st.sampled_from(["rope", "map", "torch"]), st.lists(texts, min_size=4, max_size=4), max_size=3))
def test_every_change_of_words_arrives(tmp_path_factory: pytest.TempPathFactory, words: dict[str, list[str]]) -> None:
    folder = tmp_path_factory.mktemp("words")
    base = table(str(TINY))
    columns = ("name.en", "name.ja", "text.en", "text.ja")
    cells = {card: dict(row) for card, row in base.cells.items()}
    for card, changed in words.items():
        cells[card].update(zip(columns, changed, strict=True))
    wanted = Table(base.columns, cells)
    overlay = overlay_of(folder, write_rows(wanted.rows()), str(TINY))
    assert table(overlay) == wanted
    assert table(str(TINY)) == base
    text, _ = ritual_dsl.cards_from_csv(folder / "sheet.csv", overlay)
    assert "cards:" not in text


def test_cards_come_go_and_change(tmp_path: Path) -> None:
    sheet = """id;copies;color;slot;cite;name.en;name.ja;text.en;text.ja
lantern;1;red;light;;Lantern;灯り;It shines.;光ります。
torch;2;blue;;;Torch;たいまつ;It burns.;燃えます。
map;;blue;;;Map;地図;It shows the way.;道を示します。
bell;3;red;;;Bell;鈴;It rings.;鳴ります。
"""
    game = read_base(overlay_of(tmp_path, sheet, str(TINY)))
    assert "rope" not in game.cards
    assert game.cards["torch"].copies == 2 and game.cards["torch"].slot is None
    assert game.cards["torch"].attributes["color"].text == "blue"
    assert game.cards["map"].copies == 1
    assert (game.cards["bell"].copies, game.cards["bell"].name["ja"]) == (3, "鈴")
    assert "torch:" in (tmp_path / "overlay.yaml").read_text(encoding="utf-8")
    assert "lantern:" not in (tmp_path / "overlay.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sheet", "codes", "place"),
    [
        ("name,id\nx,y\n", {"RIT634"}, "sheet.csv:1:1"),
        ('id,name.en\nrope,"Rope\n', {"RIT634"}, "sheet.csv:2:6"),
        ("id,copies,copies\nrope,1,2\n", {"RIT634"}, "sheet.csv:1:4"),
        ("id,copies\nrope,1,2\n", {"RIT634"}, "sheet.csv:2:8"),
        ("id,Über\nrope,1\n", {"RIT634"}, "sheet.csv:1:4"),
        ("id,copies\nrope,1\nrope,2\n", {"RIT116"}, "sheet.csv:3:1"),
        ("id,copies\nrope,2\nlantern,\nmap,many\ntorch,1\n", {"RIT122"}, "sheet.csv:4:5"),
        ("id,colr\nrope,red\nlantern,\nmap,\ntorch,\n", {"RIT120"}, "sheet.csv:2:6"),
        ("id,color\nrope,rde\nlantern,red\nmap,blue\ntorch,red\n", {"RIT310"}, "sheet.csv:2:6"),
        ("id,color\nrope,blue\nlantern,red\nmap,blue\ntorch,red\nbell,\n", {"RIT141"}, "sheet.csv:6:1"),
        ("id\nrope\nmap\n", {"RIT340"}, "sheet.csv:1:1"),
        ("id,copies\nrope,1\u202e\n", {"RIT140"}, "sheet.csv:2:7"),
        ("", {"RIT106"}, "sheet.csv:1:1"),
    ],
)
def test_a_faulty_sheet_writes_nothing(
    sheet: str, codes: set[str], place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sheet.csv").write_text(sheet, encoding="utf-8", newline="")
    with pytest.raises(RitualError) as raised:
        ritual_dsl.cards_from_csv(Path("sheet.csv"), str(TINY), Path("out.yaml"))
    errors = [d for d in raised.value.diagnostics if d.is_error]
    assert {d.code for d in errors} == codes
    assert place in {str(d.span) for d in errors}
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.csv"]


def test_files_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "cards.csv"
    mine.write_text("my own\n")
    assert main(["cards", str(TINY), "--csv", str(mine)]) == 2
    assert mine.read_text() == "my own\n"
    assert "RIT632" in capsys.readouterr().err
    assert main(["cards", str(TINY), "--csv", str(mine), "--force"]) == 0
    assert main(["cards", "--from-csv", str(mine), "--extends", str(TINY), "--out", str(mine)]) == 2
    assert mine.read_bytes().startswith(MARK.encode() + b"id,")
    assert main(["cards", str(TINY), "--csv", str(tmp_path / "no" / "where.csv")]) == 2
    assert main(["cards", str(TINY)]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cards.csv"]


def test_paths_start_at_the_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(TINY, tmp_path / "tiny")
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path)
    ritual_dsl.cards_to_csv("./tiny", Path("cards.csv"))
    text, _ = ritual_dsl.cards_from_csv(Path("cards.csv"), "./tiny+torch", Path("deep/own.yaml"))
    assert text.startswith("extends: ../tiny+torch\nid: own\n")
    assert ritual_dsl.load("./deep/own.yaml").deck["torch"] == 1


@pytest.mark.parametrize(
    "saved",
    [
        lambda text: "sep=;\r\n" + text.replace(",", ";"),
        lambda text: text.replace("\r\n", ",,,\r\n") + ",,,,,,\r\n",
        lambda text: text.replace("id,", " id ,", 1),
    ],
    ids=["a line that names the separator", "empty columns and rows at the edge", "spaces around a head"],
)
def test_as_spreadsheets_save_it(saved: Callable[[str], str], tmp_path: Path) -> None:
    sheet = tmp_path / "cards.csv"
    rows = [
        ["id", "copies", "name.en"],
        *([card, cells["copies"], cells["name.en"]] for card, cells in table(str(TINY)).cells.items()),
    ]
    sheet.write_text(saved(write_rows(rows).removeprefix(MARK)), encoding="utf-8", newline="")
    text, _ = ritual_dsl.cards_from_csv(sheet, str(TINY))
    assert "cards:" not in text


def test_a_text_of_several_lines_is_a_block(tmp_path: Path) -> None:
    sheet = tmp_path / "cards.csv"
    card = next(iter(table(str(TINY)).cells))
    rows = [
        ["id", "text.en"],
        *([c, "One.\nTwo." if c == card else cells["text.en"]] for c, cells in table(str(TINY)).cells.items()),
    ]
    sheet.write_text(write_rows(rows), encoding="utf-8", newline="")
    assert "en: |-\n        One.\n        Two.\n" in ritual_dsl.cards_from_csv(sheet, str(TINY))[0]
