"""The documentation is true: its examples parse, load and run, and its figures are those of the code."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from pathlib import Path

import pytest
from sessions import ROOT, blocks_of, follow_page, output_of

import ritual_dsl
from ritual_dsl.diagnostics import Findings
from ritual_dsl.engine.chance import Chance, mix
from ritual_dsl.loading.game_files import read_manifest
from ritual_dsl.loading.yaml_nodes import Mapping, read_yaml
from ritual_dsl.sheets.workshop import can_typeset
from ritual_dsl.source import Source
from ritual_dsl.syntax.parse import grammar, parse_file

PAGES = [*sorted((ROOT / "docs").glob("*.md")), *(p for p in [ROOT / "README.md"] if p.is_file())]

KINDS = {
    "sh": "run",
    "console": "run, its output compared",
    "ritual": "parsed",
    "yaml overlay": "checked as a house rule",
    "yaml scenario": "run as a scenario file",
    "yaml manifest": "read as a manifest",
    "yaml cards": "checked as cards that a house rule changes",
    "yaml variant": "checked in a copy of the game",
    "yaml rulings": "checked in a copy of the game",
    "yaml errata": "checked in a copy of the game",
    "json simulation": "compared with a report",
    "text chance": "worked out",
    "text pseudocode": "read by people; the worked example tells whether it is true",
}


def blocks(kind: str) -> list[object]:
    """Every fenced block of a kind, named by page and line."""
    pages = [(page, blocks_of(page.read_text(encoding="utf-8"))) for page in PAGES]
    return [
        pytest.param(block.body, id=f"{page.name}:{block.line}")
        for page, found in pages
        for block in found
        if block.kind == kind
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_tried(page: Path) -> None:
    for block in blocks_of(page.read_text(encoding="utf-8")):
        assert block.file is not None or block.kind in KINDS, f"{page.name}:{block.line}: {' '.join(block.words)}"


@pytest.mark.parametrize("body", blocks("ritual"))
def test_rules_parse(body: str) -> None:
    found = Findings()
    items = parse_file(Source("example.ritual", body), found)
    assert not list(found)
    assert items


@pytest.mark.parametrize("body", blocks("yaml overlay"))
def test_overlays_load(body: str, tmp_path: Path) -> None:
    path = tmp_path / "overlay.yaml"
    path.write_text(body, encoding="utf-8")
    assert not [d for d in ritual_dsl.check(str(path)) if d.is_error]


@pytest.mark.parametrize("body", blocks("yaml scenario"))
def test_scenarios_pass(body: str, tmp_path: Path) -> None:
    path = tmp_path / "example.scenario.yaml"
    path.write_text(body, encoding="utf-8")
    result = ritual_dsl.test([str(path)])
    assert result.failed == 0
    assert result.passed > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_can_be_followed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with the files that pages take for granted."""
    text = page.read_text("utf-8")
    if "--templates" in text and not can_typeset():
        pytest.skip("typesetting needs ritual-dsl[pdf]")
    for folder in (ROOT / "docs" / "house-rules", ROOT / "tests" / "pages"):
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    shutil.copytree(tmp_path / "my_game", tmp_path / "rules" / "my_game")
    (tmp_path / "cards").mkdir()
    monkeypatch.chdir(tmp_path)
    follow_page(text)


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_examples_of_each_kind(kind: str) -> None:
    assert blocks(kind)


@pytest.mark.parametrize("body", blocks("yaml manifest"))
def test_manifests_are_read(body: str) -> None:
    found = Findings()
    root = read_yaml(Source("game.yaml", body), found)
    assert isinstance(root, Mapping)
    assert read_manifest(root, found) is not None
    assert not found


@pytest.mark.parametrize("body", blocks("yaml cards"))
def test_cards_are_read(body: str, tmp_path: Path) -> None:
    path = tmp_path / "overlay.yaml"
    path.write_text("extends: arkham_ritual\nid: page\ncards:\n" + textwrap.indent(body, "  "), encoding="utf-8")
    assert not [d for d in ritual_dsl.check(str(path)) if d.is_error]


PLACES = {
    "yaml variant": "variants/most_sanity_wins.yaml",
    "yaml rulings": "rulings.yaml",
    "yaml errata": "errata.yaml",
}


@pytest.mark.parametrize("kind", PLACES)
def test_parts_of_a_game_are_read(kind: str, tmp_path: Path) -> None:
    """In place of the game's own file."""
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    (body,) = (block.body for block in blocks_of(page) if block.kind == kind)
    ritual_dsl.copy("arkham_ritual", tmp_path / "game")
    (tmp_path / "game" / PLACES[kind]).write_text(body, encoding="utf-8")
    assert not [d for d in ritual_dsl.check(str(tmp_path / "game")) if d.is_error]


@pytest.mark.parametrize("body", blocks("json simulation"))
def test_reports_of_simulations_have_these_keys(body: str) -> None:
    shown = json.loads(body)
    status, lines = output_of("ritual simulate arkham_ritual --games 30 --json")
    actual = json.loads("\n".join(lines))
    assert status == 0
    same_keys(shown, actual[0] if isinstance(actual, list) else actual)


def same_keys(shown: object, actual: object) -> None:
    """What is shown is there, of the same kind."""
    if isinstance(shown, dict):
        assert isinstance(actual, dict)
        for key, value in shown.items():
            same_keys(value, actual[key])
    else:
        assert type(shown) is type(actual), (shown, actual)


def test_reserved_words_are_those_of_the_grammar() -> None:
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    section = page.partition("\n## Reserved words\n")[2]
    listed = re.findall(r"`([a-z]+)`", section.strip().split("\n\n")[1])
    words = grammar()[1]
    assert listed == sorted(word for word in words if word.isalpha())


def test_worked_example_of_chance() -> None:
    page = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    text = "".join(block.body for block in blocks_of(page) if block.kind == "text chance")
    rows = [(line.split()[0], line.split()[1:]) for line in text.splitlines()]

    def of(word: str) -> list[list[str]]:
        return [rest for head, rest in rows if head == word]

    seed, stream = int(of("seed")[0][0]), int(of("stream")[0][0])
    assert of("mixed") == [[f"{mix(seed):#018x}"]]
    chance = Chance(seed, stream)
    assert of("state") == [[f"{chance.state:#018x}"]]
    assert of("next") == [[f"{chance.below(1 << 64):#018x}"] for _ in of("next")]
    chance = Chance(seed, stream)
    assert [int(n) for n in of("below")[0]] == [chance.below(6) for _ in of("below")[0]]
    check_shuffle(of("shuffle")[0], of("swap"), seed, stream)


def check_shuffle(items: list[str], swaps: list[list[str]], seed: int, stream: int) -> None:
    """The swaps written out are the ones drawn, and end where `shuffle` ends."""
    chance = Chance(seed, stream)
    steps = list(items)
    assert [int(i) for i, *_ in swaps] == list(range(len(items) - 1, 0, -1))
    for i, j, _, *shown in swaps:
        assert int(j) == chance.below(int(i) + 1)
        steps[int(i)], steps[int(j)] = steps[int(j)], steps[int(i)]
        assert steps == shown
    Chance(seed, stream).shuffle(items)
    assert items == steps
