"""Plots: what is ours, what can be told apart, and what is refused before any game is played."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest

from ritual_dsl.cli import main
from ritual_dsl.cli.simulate import Progress
from ritual_dsl.plots import Mark, Panel, Strand, axis, is_ours, look, marked, svg, unbroken, write_plot

GAME = "arkham_ritual"


def exact(key: str, value: float) -> Mark:
    return Mark(key, value, value, value)


def test_a_plot_of_many_strands_is_ours(tmp_path: Path) -> None:
    path = tmp_path / "p.svg"
    panel = Panel("length", tuple(Strand(f"a game with a long name {i}", (exact("", i),)) for i in range(40)), False)
    write_plot(path, [panel])
    write_plot(path, [panel])
    assert is_ours(path)


def test_the_mark_of_a_png(tmp_path: Path) -> None:
    """It is a chunk of its own, with the right sum, and the other chunks stay as they are."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header)) + b"the rest"
    path = tmp_path / "p.png"
    path.write_bytes(png)
    assert not is_ours(path)
    path.write_bytes(marked(png))
    assert is_ours(path)
    added = marked(png)[33 : -len(b"the rest")]
    assert struct.unpack(">I", added[:4])[0] == len(added) - 12
    assert struct.unpack(">I", added[-4:])[0] == zlib.crc32(added[4:-4])


@pytest.mark.parametrize("name", ["p.gif", "nowhere/p.svg", "mine.svg", "mine.png"])
def test_refused_before_the_first_game(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for mine in ("mine.svg", "mine.png"):
        (tmp_path / mine).write_text("my own")
    assert main(["simulate", GAME, "--games", "5", "--plot", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "RIT699" in err


def test_strands_beyond_the_colours_differ() -> None:
    assert len({look(i) for i in range(32)}) == 32


def test_an_unknown_interval_is_hollow() -> None:
    known = Strand("known", (exact("", 2.0),))
    unknown = Strand("unknown", (Mark("", 3.0, 3.0, 3.0, is_known=False),))
    image = svg([Panel("length", (known, unknown), False)])
    assert len(re.findall('fill="#fff" stroke=', image)) == 1
    assert 'stroke-width="8"' not in image  # a bar is for what was worked out


def test_a_line_breaks_where_a_key_is_missing() -> None:
    strand = Strand("a", tuple(exact(key, 1.0) for key in ("1", "2", "4", "9")))
    runs = [[mark.key for mark in run] for run in unbroken(strand, ["1", "2", "3", "4", "9"])]
    assert runs == [["1", "2"], ["4"], ["9"]]


def test_an_axis_begins_at_the_lowest_value() -> None:
    found, place = axis(Panel("length", (Strand("a", (Mark("", 2.0, -0.1, 5.0),)),), False), 0, 100)
    assert found[0] == 0
    assert place(-0.1) == 0


def test_the_estimate_begins_with_the_first_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    progress = Progress()
    now = 160.0  # a minute to make ready
    progress(0, 1000)
    progress(100, 1000)
    now = 162.0
    progress(300, 1000)
    assert "300 of 1,000 games, 7 s left" in capsys.readouterr().err
    now = 164.0
    progress(500, None)
    assert "500 games, 4 s so far" in capsys.readouterr().err
