"""The kept parser is the built one, and a file that is not ours is never read."""

from __future__ import annotations

import pickle
from importlib import resources
from pathlib import Path

import pytest

from ritual_dsl.diagnostics import Findings
from ritual_dsl.source import Source
from ritual_dsl.syntax import parse
from ritual_dsl.syntax.tables import kept_at, parser

TEXT = resources.files("ritual_dsl.syntax").joinpath("ritual.lark").read_text(encoding="utf-8")
RULES = "rule fails(p: seat): any of  §7\n  cursed: hand[p] is cursed\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def parsed(monkeypatch: pytest.MonkeyPatch) -> tuple[object, object]:
    lark = parser(TEXT)
    words = {t.pattern.value: t.name for t in lark.terminals if t.pattern is not None}
    monkeypatch.setattr(parse, "grammar", lambda: (lark, words))
    found = Findings()
    items = parse.parse_file(Source("a.ritual", RULES), found)
    parse.parse_file(Source("b.ritual", RULES.replace("any of", "any off")), found)
    return words, (items, [(d.code, d.message, d.help) for d in found])


def test_built_and_kept_are_the_same(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = parsed(monkeypatch)
    assert [path.suffix for path in (cache / "ritual_dsl").iterdir()] == [".tables"]
    assert (cache / "ritual_dsl").stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr("ritual_dsl.syntax.tables.Lark.__init__", lambda *_, **__: pytest.fail("built again"))
    assert parsed(monkeypatch) == built


def test_another_grammar_has_other_tables(cache: Path) -> None:
    assert kept_at(TEXT) != kept_at(TEXT + "\n")


class Trap:
    """Unpickled, it would leave a trace."""

    def __reduce__(self) -> object:
        return (Path.touch, (Path("trace").absolute(),))


@pytest.mark.parametrize("spoilt", ["garbage", "trap", "folder"])
def test_a_bad_file_is_built_anew(spoilt: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(cache)
    built = parsed(monkeypatch)
    path = kept_at(TEXT)
    assert path is not None
    if spoilt == "garbage":
        path.write_bytes(b"no tables")
    elif spoilt == "trap":
        path.write_bytes(pickle.dumps(Trap()))
        path.chmod(0o666)
    else:
        path.parent.chmod(0o777)
        path.write_bytes(pickle.dumps(Trap()))
    assert parsed(monkeypatch) == built
    assert not Path("trace").exists()


def test_no_cache_where_none_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert parsed(monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert kept_at(TEXT) is None
