"""The documentation is true: its examples parse, load and run, and its figures are those of the code."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from sessions import FENCE, follow_page

import ritual_dsl
from ritual_dsl.diagnostics import Findings
from ritual_dsl.engine.chance import Chance, mix
from ritual_dsl.source import Source
from ritual_dsl.syntax.parse import grammar, parse_file

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").glob("*.md")), *(p for p in [ROOT / "README.md"] if p.is_file())]


def blocks(tag: str) -> list[object]:
    """Every fenced block with this tag, named by page and line."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match["tag"].strip() == tag:
                line = text.count("\n", 0, match.start()) + 1
                found.append(pytest.param(match["body"], id=f"{page.name}:{line}"))
    return found


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


FOLLOWED = ["deduce.md", "diff.md", "house-rules.md", "odds.md"]


@pytest.mark.parametrize("page", FOLLOWED)
def test_pages_can_be_followed(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (ROOT / "docs" / "house-rules").glob("*.yaml"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert follow_page((ROOT / "docs" / page).read_text("utf-8")) >= 2


def test_there_are_examples_of_each_kind() -> None:
    assert blocks("ritual") and blocks("yaml overlay") and blocks("yaml scenario")


def test_reserved_words_are_those_of_the_grammar() -> None:
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    section = page.partition("\n## Reserved words\n")[2]
    listed = re.findall(r"`([a-z]+)`", section.strip().split("\n\n")[1])
    words = grammar()[1]
    assert listed == sorted(word for word in words if word.isalpha())


def test_worked_example_of_chance() -> None:
    page = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    text = "".join(m["body"] for m in FENCE.finditer(page) if m["tag"].strip() == "text chance")
    rows = [(line.split()[0], line.split()[1:]) for line in text.splitlines()]

    def of(word: str) -> list[list[str]]:
        return [rest for head, rest in rows if head == word]

    seed, stream = int(of("seed")[0][0]), int(of("stream")[0][0])
    assert of("mixed") == [[f"{mix(seed):#018x}"]]
    chance = Chance(seed, stream)
    assert of("state") == [[f"{chance.state:#018x}"]]
    assert of("next") == [[f"{chance.next():#018x}"] for _ in of("next")]
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
