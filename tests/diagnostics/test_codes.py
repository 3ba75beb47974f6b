"""Every code is real: it has files that produce it, files that do not, and a page that says so.

`RITUAL_UPDATE=1` writes the pages of `docs/diagnostics/` anew, from the table and the cases.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import diagnostic_cases as cases
import pytest

from ritual_dsl.cli import main
from ritual_dsl.diagnostics.codes import CODES, Code
from ritual_dsl.diagnostics.codes.page import index, markdown
from ritual_dsl.sheets.workshop import can_typeset

STALE = "a page is stale: RITUAL_UPDATE=1 python -m pytest tests/diagnostics/test_codes.py"
PAGES = Path(__file__).parent.parent.parent / "docs" / "diagnostics"
# No files produce them: what is not installed, a lost worker, a full disk, our own faults.
ELSEWHERE = {"RIT667", "RIT696", "RIT697", "RIT704", "RIT901"}
TYPESET = {"RIT663", "RIT664"}
BY_FILES = [code for code in CODES if code not in ELSEWHERE]


@pytest.fixture(autouse=True)
def skip_what_cannot_be_typeset(request: pytest.FixtureRequest) -> None:
    code = getattr(request.node, "callspec", None) and request.node.callspec.params.get("code")
    if code in TYPESET and "files" in request.node.name and not can_typeset():
        pytest.skip("the extra `pdf` is not installed: nothing is typeset")


def half_of(code: str, name: str) -> cases.Half:
    half = cases.read_case(code).get(name)
    assert half, f"write tests/diagnostics/cases/{code}.txt with a half `=== {name}` (see diagnostic_cases.py)"
    return half


@pytest.mark.parametrize("code", BY_FILES)
def test_bad_files_produce_it(code: str, tmp_path: Path) -> None:
    status, output = half_of(code, "bad").run(tmp_path)
    assert code in cases.codes_in(output), output
    assert status != 0 or CODES[code].severity == "warning", output
    keep_page(CODES[code], output)


@pytest.mark.parametrize("code", BY_FILES)
def test_good_files_do_not(code: str, tmp_path: Path) -> None:
    status, output = half_of(code, "good").run(tmp_path)
    assert code not in cases.codes_in(output), output
    assert status == 0, output


def keep_page(code: Code, output: str) -> None:
    """The page in `docs/` is the one that table and case make."""
    bad = half_of(code.code, "bad")
    command = "ritual " + " ".join(f"'{word}'" if " " in word else word for word in bad.words())
    said = [part for part in output.split("\n\n") if code.code in part]
    page = markdown(code, bad.shown, command, "\n\n".join(said))
    path = PAGES / f"{code.code}.md"
    if os.environ.get("RITUAL_UPDATE"):
        path.write_text(page, encoding="utf-8")
    assert path.is_file() and path.read_text(encoding="utf-8") == page, STALE


def test_an_internal_fault_has_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class Broken(ModuleType):
        HELP = ""

        def arguments(self, parser: object) -> None:
            raise RuntimeError("broken")

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "ritual_dsl.cli.check", Broken("broken"))
    assert main(["check"]) == 2
    assert "error[RIT901]: internal fault: RuntimeError: broken" in capsys.readouterr().err


def test_without_the_extra_only_html_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("ritual_dsl.sheets.workshop.find_spec", lambda name: None)
    words = ["render", str(cases.HERE / cases.GAME), "--out", str(tmp_path), "--format"]
    assert main([*words, "pdf"]) == 2 and "RIT667" in capsys.readouterr().err
    assert main([*words, "html"]) == 0


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_pages_without_files(code: str) -> None:
    path = PAGES / f"{code}.md"
    page = markdown(CODES[code], {}, None, "")
    if os.environ.get("RITUAL_UPDATE"):
        path.write_text(page, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page, STALE


def test_there_are_no_pages_or_cases_of_unknown_codes() -> None:
    if os.environ.get("RITUAL_UPDATE"):
        (PAGES / "README.md").write_text(index(CODES.values()), encoding="utf-8")
    assert (PAGES / "README.md").read_text(encoding="utf-8") == index(CODES.values()), STALE
    assert {path.stem for path in PAGES.glob("RIT*.md")} == set(CODES)
    assert {path.stem for path in cases.FOLDER.glob("*.txt")} <= set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_explain_says_all_of_it(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code.lower()]) == 0
    said = " ".join(capsys.readouterr().out.split())
    entry = CODES[code]
    for part in (entry.title, entry.meaning, entry.bad, entry.good, entry.why):
        assert " ".join(part.split()) in said
