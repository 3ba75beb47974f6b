"""Schemas agree with the readers: what the games are made of is valid, and what the readers refuse is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ritual_dsl.cli import main
from ritual_dsl.handover.schema import KINDS, schema_of

checker = pytest.importorskip("check_jsonschema")

ROOT = Path(__file__).parent.parent.parent
FILES = {
    "game": "rules/*/game.yaml",
    "cards": "cards/*/*.yaml",
    "variant": "rules/*/variants/*.yaml",
    "rulings": "rules/*/rulings.yaml",
    "errata": "rules/*/errata.yaml",
    "overlay": "docs/house-rules/**/*.yaml",
    "scenario": "rules/**/*.scenario.yaml",
    "sheets": "rules/*/sheets.yaml",
    "mutants": "rules/**/mutants.yaml",
}
GOOD = {
    "overlay": "extends: my_game\nid: house\ncards: {lantern: remove, rope: {color: red, patch: 'x'}}\n",
    "deduce": "game: my_game\nplayers: [A, B]\nas: A\ngiven: {hand: {A: rope}}\ndo: turn\nchoices: [{A: take}]\n",
    "odds": "players: 5\ngiven: {hand: {A: rope}}\n",
}
BAD = {
    "game": ["id: my_game\n", "language: 2\nid: g\nname: {en: G}\nlanguages: [en]\nmain: m\n"],
    "cards": ["lantern: {name: Lantern}\n", "lantern: {copies: -1}\n", "Lantern: {}\n", "lantern: {colors: [red]}\n"],
    "variant": ["id: v\n", "id: v\nname: {en: V}\ntext: {en: T}\nrule: x\n"],
    "rulings": ["q: {question: {en: Q}}\n", "q: {question: {en: Q}, default: a, options: {a: {txt: {en: A}}}}\n"],
    "errata": ["e: {printed: wrong}\n", "e: {print: {en: wrong}}\n"],
    "overlay": ["id: h\n", "extends: g\nid: H\n", "extends: g\nid: h\nrules: [a]\n", "extends: g\nid: h\nx: 1\n"],
    "scenario": [
        "game: g\nscenarios: []\n",
        "scenarios: [{name: n, do: d}]\n",
        "scenarios: [{name: n, do: d, expect: {}}]\n",
        "scenarios: [{name: n, do: {a: 1, b: 2}, expect: {x: 1}}]\n",
        "scenarios: [{name: n, do: d, expects: {x: 1}, expect: {x: 1}}]\n",
    ],
    "deduce": ["players: 0\n", "choises: []\n"],
    "odds": ["player: 3\n", "given: [rope]\n"],
    "sheets": ["colors: {red: {ground: red}}\n", "tokens: {t: {form: square}}\n"],
    "mutants": ["equivalent: [{where: a, change: b}]\n", "same: []\n"],
}


def valid(kind: str, files: list[Path], folder: Path, capsys: pytest.CaptureFixture[str]) -> bool:
    """What `check-jsonschema --schemafile KIND.json FILE…` says."""
    schema = folder / f"{kind}.json"
    schema.write_text(json.dumps(schema_of(kind)), "utf-8")
    with pytest.raises(SystemExit) as leaving:
        checker.main(["--schemafile", str(schema), "--default-filetype", "yaml", *map(str, files)])
    said = capsys.readouterr()
    assert leaving.value.code in (0, 1) and "Traceback" not in said.err, said
    if leaving.value.code:
        assert "Schema validation errors" in said.out, said
    return leaving.value.code == 0


@pytest.mark.parametrize("kind", KINDS)
def test_good_files(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(ROOT.glob(FILES[kind])) if kind in FILES else []
    files = [path for path in files if kind != "overlay" or "\nextends:" in "\n" + path.read_text("utf-8")]
    if kind in GOOD:
        (tmp_path / "good.yaml").write_text(GOOD[kind], "utf-8")
        files.append(tmp_path / "good.yaml")
    assert files and valid(kind, files, tmp_path, capsys)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in BAD.items() for text in texts])
def test_bad_files(kind: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text(text, "utf-8")
    assert not valid(kind, [tmp_path / "bad.yaml"], tmp_path, capsys)


def test_every_kind_is_tried() -> None:
    assert set(BAD) == set(KINDS) == set(FILES) | set(GOOD)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert all(f"{kind} " in capsys.readouterr().out for kind in list(KINDS)[:1])
    assert main(["schema", "overlay"]) == 0
    assert json.loads(capsys.readouterr().out) == schema_of("overlay")
    assert main(["schema", "--out", str(tmp_path / "schemas")]) == 0
    assert {path.stem for path in (tmp_path / "schemas").iterdir()} == set(KINDS)
