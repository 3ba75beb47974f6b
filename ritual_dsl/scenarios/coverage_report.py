"""Coverage for people and programs: a table, annotated source, and JSON.

In: a `Coverage`. Out: text, a self-contained HTML page, or plain data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ritual_dsl.diagnostics.human import printable
from ritual_dsl.scenarios.coverage import Coverage, Covered, Share
from ritual_dsl.scenarios.sites import KINDS, Site
from ritual_dsl.source import Source

PLURALS = {"clause": "clauses", "patch": "patches", "step": "steps", "option": "options", "branch": "branches"}
TITLES = {
    "rules": "rule files",
    "card": "cards",
    "erratum": "errata",
    "variant": "variants",
    "ruling": "rulings",
    "house": "house rules",
}


# ---------------------------------------------------------------- a table


def table(coverage: Coverage) -> str:
    """One row a part, then what was not exercised, with its place."""
    width = max([20, *(len(covered.part.name) + 2 for covered in coverage.parts)])
    lines = [row("", [PLURALS[kind] for kind in KINDS], "covered", width)]
    for kind, title in TITLES.items():
        members = [covered for covered in coverage.parts if covered.part.kind == kind]
        lines += [title] if members else []
        for covered in members:
            lines.append(row(f"  {covered.part.name}", *cells(covered), width))
    lines.append(row("total", *cells(coverage), width))
    missing = [site for covered in coverage.parts for site in covered.missing]
    if missing:
        lines += ["", "not exercised:"]
        lines += [f"  {site.span}: {site.words}: {excerpt(site)}" for site in missing]
    return "\n".join(lines)


def row(name: str, shares: list[str], last: str, width: int) -> str:
    return f"{name:<{width}}" + "".join(f"{share:>10}" for share in shares) + f"{last:>10}"


def fraction(share: Share) -> str:
    return f"{share.hit}/{share.all}" if share.all else "-"


def percent(share: Share) -> str:
    """Rounded down: only all of it is 100 %."""
    return f"{int(share.percent * 10) / 10:.1f} %"


def excerpt(site: Site) -> str:
    span = site.span
    line = span.source.line(span.line)
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return printable(line[span.column - 1 : end].strip())


# ---------------------------------------------------------------- data


def data(coverage: Coverage) -> dict[str, Any]:
    """The same as plain data; documented in `docs/coverage.md`."""
    return {
        "version": 1,
        "total": shares_data(coverage),
        "parts": [
            {
                "kind": covered.part.kind,
                "name": covered.part.name,
                "file": covered.sites[0].span.path,
                "shares": shares_data(covered),
                "missing": [site_data(site) for site in covered.missing],
            }
            for covered in coverage.parts
        ],
    }


def shares_data(of: Coverage | Covered) -> dict[str, Any]:
    whole = of.share()
    shares = {PLURALS[kind]: {"hit": of.share(kind).hit, "all": of.share(kind).all} for kind in KINDS}
    return {**shares, "percent": round(whole.percent, 2)}


def site_data(site: Site) -> dict[str, Any]:
    return {
        "line": site.span.line,
        "column": site.span.column,
        "kind": site.kind,
        "outcome": site.outcome,
        "message": site.words,
        "text": excerpt(site),
    }


# ---------------------------------------------------------------- annotated source


@dataclass(frozen=True)
class Row:
    number: int
    text: str
    state: str  # full, part, none, or plain where there is nothing to exercise
    notes: str


@dataclass(frozen=True)
class Page:
    """One source file with its marks."""

    path: str
    share: str
    rows: list[Row]


def html(coverage: Coverage) -> str:
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=PackageLoader("ritual_dsl.scenarios", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    head = [PLURALS[kind] for kind in KINDS]
    rows = [(covered.part.kind, covered.part.name, *cells(covered)) for covered in coverage.parts]
    whole = ("", "total", *cells(coverage))
    return environment.get_template("coverage.html.j2").render(head=head, rows=[*rows, whole], pages=pages(coverage))


def cells(of: Coverage | Covered) -> tuple[list[str], str]:
    return [fraction(of.share(kind)) for kind in KINDS], percent(of.share())


def pages(coverage: Coverage) -> list[Page]:
    files: dict[str, list[tuple[Site, bool]]] = {}
    sources: dict[str, Source] = {}
    for covered in coverage.parts:
        for site in covered.sites:
            files.setdefault(site.span.path, []).append((site, site.hit in covered.hits))
            sources[site.span.path] = site.span.source
    return [
        Page(path, percent(Share(sum(ok for _, ok in sites), len(sites))), annotated(sources[path], sites))
        for path, sites in files.items()
    ]


def annotated(source: Source, sites: list[tuple[Site, bool]]) -> list[Row]:
    by_line: dict[int, list[tuple[Site, bool]]] = {}
    for site, ok in sites:
        by_line.setdefault(site.span.line, []).append((site, ok))
    rows = []
    for number, text in enumerate(source.text.rstrip("\n").split("\n"), 1):
        here = by_line.get(number, [])
        hits = sum(ok for _, ok in here)
        state = "plain" if not here else "full" if hits == len(here) else "part" if hits else "none"
        notes = "; ".join(f"{excerpt(site)}: {site.words}" for site, ok in here if not ok)
        rows.append(Row(number, text, state, notes))
    return rows
