"""Formatting: one layout, reached from everywhere, that says what the text said before."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import program, read, scramble

from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.layout import BLOCK, format_source
from ritual_dsl.source import Source
from ritual_dsl.syntax.format import MARGIN, content
from ritual_dsl.syntax.parse import parse_file

ROOT = Path(__file__).parent.parent.parent
CASES = Path(__file__).parent / "format"
RULES = sorted((ROOT / "rules").rglob("*.ritual"))
WITH_BLOCKS = [
    path
    for folder in ("rules", "cards")
    for path in sorted((ROOT / folder).rglob("*.yaml"))
    if BLOCK.search(path.read_text("utf-8"))
]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
seeds = st.integers(0, 2**32)


def formatted(text: str, name: str = "x.ritual") -> str:
    found = Findings()
    result = format_source(Source(name, text), found)
    assert result is not None, (list(found), text)
    return result.text


def named(paths: list[Path]) -> list[object]:
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in paths]


# ---------------------------------------------------------------- what is shipped


@pytest.mark.parametrize("path", named([*RULES, *WITH_BLOCKS]))
def test_shipped_files_are_formatted(path: Path) -> None:
    text = path.read_text("utf-8")
    assert formatted(text, path.name) == text


@pytest.mark.parametrize("path", named(PAGES))
def test_examples_in_the_docs_are_formatted(path: Path) -> None:
    for body in re.findall(r"^```ritual\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        assert formatted(body) == body


# ---------------------------------------------------------------- cases: `x.in.*` becomes `x.out.*`

INPUTS = sorted(CASES.glob("*.in.*"))


@pytest.mark.parametrize("path", [pytest.param(p, id=p.name) for p in INPUTS])
def test_case(path: Path) -> None:
    golden = path.with_name(path.name.replace(".in.", ".out."))
    actual = formatted(path.read_text("utf-8"), path.name)
    if os.environ.get("RITUAL_UPDATE"):
        golden.write_text(actual, "utf-8")
    assert actual == golden.read_text("utf-8")
    assert formatted(actual, path.name) == actual


# ---------------------------------------------------------------- properties


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RULES), seeds)
def test_every_layout_of_a_text_becomes_the_same(path: Path, seed: int) -> None:
    text = path.read_text("utf-8")
    bare = "".join(line for line in text.splitlines(keepends=True) if line.strip() and not line.startswith("#"))
    assert formatted(scramble(bare, Random(seed))) == bare


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RULES), seeds)
def test_no_comment_is_lost_and_the_meaning_stays(path: Path, seed: int) -> None:
    check_kept(scramble(path.read_text("utf-8"), Random(seed), comments=True))


@settings(max_examples=120, deadline=None)
@given(seeds)
def test_any_program_of_the_grammar(seed: int) -> None:
    random = Random(seed)
    plain = program(random)
    check_kept(plain)
    check_kept(scramble(plain, random, comments=True))
    assert formatted(scramble(formatted(plain), random)) == formatted(plain)


def check_kept(text: str) -> None:
    once = formatted(text)
    assert content(read(once)) == content(read(text))
    found = Findings()
    assert parse_file(Source("a", once), found) == parse_file(Source("b", text), found)
    assert not found
    assert formatted(once) == once
    check_layout(once)


def check_layout(text: str) -> None:
    """The promises of the layout, whatever the text."""
    assert text.endswith("\n") and not text.endswith("\n\n") and not text.startswith("\n") and "\n\n\n" not in text
    for line in text.splitlines():
        assert line == line.rstrip()
        code, mark, _ = line.partition("§")
        if mark and "#" not in code:
            assert len(code) == MARGIN or (len(code) > MARGIN and code.endswith("  "))
            assert not code.endswith("   ") or len(code) == MARGIN


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(WITH_BLOCKS), seeds)
def test_yaml_outside_of_rules_stays_byte_for_byte(path: Path, seed: int) -> None:
    """Rules blocks are scrambled in place: only their rows differ, and formatting brings them back."""
    random = Random(seed)
    text = re.sub(r"^ +#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
    out: list[str] = []
    block: list[str] = []
    indent: int | None = None
    for line in [*text.split("\n"), "end"]:
        width = len(line) - len(line.lstrip())
        if indent is not None and line.strip() and width <= indent:
            out += scrambled_block(block, indent, random)
            block, indent = [], None
        (out if indent is None else block).append(line)
        if indent is None and BLOCK.match(line):
            indent = width
    assert formatted("\n".join(out[:-1]), path.name) == text


def scrambled_block(block: list[str], indent: int, random: Random) -> list[str]:
    blank = len(block) - len("\n".join(block).rstrip().split("\n"))
    rows = block[: len(block) - blank]
    base = " " * (indent + random.randint(1, 6))
    body = scramble("\n".join(rows).replace("\n" + " " * (indent + 2), "\n").strip() + "\n", random).rstrip()
    return [*((base + row if row.strip() else row) for row in body.split("\n")), *([""] * blank)]
