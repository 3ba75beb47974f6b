"""A spreadsheet of cards to an overlay of what differs from a game.

In: a CSV file, and the game it is compared with. Out: the text of an overlay; nothing, if it would have errors.
Cells become YAML nodes with their places in the spreadsheet, so that the checks of overlays point at cells.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import yaml

from ritual_dsl.checks import check_chosen
from ritual_dsl.diagnostics import Diagnostic, Findings, RitualError, fail, has_errors, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.handover.csv_text import MARK, Cell, read_rows
from ritual_dsl.handover.table import ID, PLAIN, Table, table_of
from ritual_dsl.loading.files import LARGEST_FILE, decode, display
from ritual_dsl.loading.reference import Chosen, choose, is_path
from ritual_dsl.loading.shape import IDENTIFIER
from ritual_dsl.loading.yaml_nodes import Entry, Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.source import Source, Span, whole_file

WORDED = ("name", "text")
Sheet = dict[str, tuple[Span, dict[str, Cell]]]  # card -> the place of its row, its cells by column


def read_base(reference: str) -> Chosen:
    found = Findings()
    chosen = choose(reference, found)
    if chosen is None or has_errors(found):
        raise RitualError(found)
    return chosen


def overlay_from(csv: Path, extends: str, out: Path | None, id: str | None) -> tuple[str, list[Diagnostic]]:
    """The overlay's text, as it should stand in `out`, and what there is to warn about; raises with every error."""
    found = Findings()
    chosen = read_base(extends)
    name = id or re.sub(r"[^a-z0-9_]+", "_", (out or csv).name.partition(".")[0].lower()).lstrip("_0123456789")
    if not IDENTIFIER.fullmatch(name):
        raise fail("RIT122", f"`{name[:40]}` is not an id", help="give it one with --id: a-z, 0-9 and _")
    source = read_sheet(csv, found)
    sheet = read_cards(source, table_of(chosen), found) if source is not None else None
    if source is None or sheet is None or has_errors(found):
        raise RitualError(found)
    cards = Mapping(dict(changes(sheet, table_of(chosen), source)), whole_file(source))
    body = Mapping({"cards": entry("cards", cards, whole_file(source))}, whole_file(source))
    said = check_chosen(choose(extends, found, on_top=(name, body)), found)
    if has_errors(said):
        raise RitualError(said)
    about_cells = [d for d in said if d.span is not None and d.span.source == source]
    return as_yaml(relocated(extends, out), name, chosen, cards), about_cells


def relocated(reference: str, out: Path | None) -> str:
    """A reference as it is written in a file elsewhere: paths start there."""
    if out is None:
        return reference
    folder = out.absolute().parent
    words = []
    for word in reference.split("+"):
        path, at, revision = word.partition("@")
        if is_path(path):
            moved = os.path.relpath(Path(path).expanduser().absolute(), folder)
            path = moved if moved.startswith("..") else f"./{moved}"
        words.append(path + at + revision)
    return "+".join(words)


def read_sheet(csv: Path, found: Findings) -> Source | None:
    """The text as spreadsheets save it: a mark in front, other line ends."""
    name = display(csv)
    try:
        with csv.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        found.say("RIT101", f"{name} cannot be read: {error.strerror or 'no such file'}")
        return None
    if len(raw) > LARGEST_FILE:
        found.say("RIT102", f"{name} is too large: at most {LARGEST_FILE // 1_000_000} MB are read")
        return None
    return decode(raw.removeprefix(MARK.encode()).replace(b"\r\n", b"\n").replace(b"\r", b"\n"), name, found)


def read_cards(source: Source, base: Table, found: Findings) -> Sheet | None:
    rows = read_rows(source, found)
    if rows is None:
        return None
    rows = without_margin(rows)
    if not rows or rows[0][0].text != ID:
        found.say("RIT634", f"the first column is not `{ID}`", rows[0][0].span if rows else whole_file(source))
        return None
    head = rows[0][1:]
    known = tuple(dict.fromkeys((*base.columns, *PLAIN)))
    for cell in head:
        twice = sum(other.text == cell.text for other in head) > 1
        if twice or not known_column(cell.text, known):
            hint = near_miss(cell.text, known) or f"columns: {listing(known, 20)}"
            wrong = "stands twice" if twice else "is none of the cards'"
            found.say("RIT634", f"the column `{cell.text[:40]}` {wrong}", cell.span, help=hint)
    sheet: Sheet = {}
    for first, *cells in rows[1:]:
        filled = [cell for cell in cells if cell.text]
        if len(cells) > len(head) and any(cell.text for cell in cells[len(head) :]):
            found.say("RIT634", f"this row has more cells than the {len(head) + 1} columns", cells[len(head)].span)
        elif first.text in sheet:
            found.say("RIT116", f"the card `{first.text[:40]}` stands twice", first.span)
        elif first.text or filled:
            sheet[first.text] = (first.span, dict(zip((c.text for c in head), cells, strict=False)))
    return sheet


def without_margin(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Heads without the spaces around them, and without columns at the right in which nothing stands."""
    if not rows:
        return []
    width = max(i + 1 for row in rows for i, cell in enumerate(row) if cell.text)
    return [[replace(cell, text=cell.text.strip()) for cell in rows[0][:width]], *(row[:width] for row in rows[1:])]


def known_column(column: str, known: tuple[str, ...]) -> bool:
    """A new attribute is found wrong later, with the attributes there are; a new language likewise."""
    key, dot, _ = column.partition(".")
    return column in known or (bool(dot) and key in WORDED) or re.fullmatch(r"[a-z][a-z0-9_]*", column) is not None


def changes(sheet: Sheet, base: Table, source: Source) -> Iterator[tuple[str, Entry]]:
    """For each card that differs: the keys that do, or its removal."""
    for card, (span, cells) in sheet.items():
        known = base.cells.get(card)
        before = known or {}
        changed = {column: cell for column, cell in cells.items() if cell.text != before.get(column, "")}
        if changed or known is None:
            yield card, entry(card, Mapping(dict(keys(changed, span)), span), span)
    for card in base.cells:
        if card not in sheet:
            yield card, entry(card, Scalar("remove", whole_file(source)), whole_file(source))


def keys(cells: dict[str, Cell], row: Span) -> Iterator[tuple[str, Entry]]:
    for key in WORDED:
        words = {c.removeprefix(f"{key}."): cell for c, cell in cells.items() if c.startswith(f"{key}.")}
        if words:
            node = {lang: entry(lang, Scalar(cell.text, cell.span), cell.span) for lang, cell in words.items()}
            yield key, entry(key, Mapping(node, row), row)
    for column, cell in cells.items():
        if column.partition(".")[0] not in WORDED or "." not in column:
            yield column, entry(column, value(column, cell), cell.span)


def value(column: str, cell: Cell) -> YamlNode:
    """What an empty cell means: one copy, no citation, no slot, an absent attribute."""
    if column == "cite":
        return Sequence(tuple(Scalar(cite, cell.span) for cite in cell.text.split()), cell.span)
    return Scalar(cell.text or ("1" if column == "copies" else "none"), cell.span)


def entry(key: str, node: YamlNode, span: Span) -> Entry:
    return Entry(Scalar(key, span), node)


def as_yaml(extends: str, name: str, chosen: Chosen, cards: Mapping) -> str:
    body: dict[str, object] = {"extends": extends, "id": name, "base_version": chosen.files.manifest.version}
    if cards.entries:
        body["cards"] = plain(cards)
    return yaml.dump(body, Dumper=_Dumper, allow_unicode=True, sort_keys=False, default_flow_style=False, width=110)


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks, as a person would write them."""

    def represent_str(self, data: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)


_Dumper.add_representer(str, _Dumper.represent_str)


def plain(node: YamlNode) -> object:
    match node:
        case Mapping():
            return {key: plain(found.value) for key, found in node.entries.items()}
        case Sequence():
            return [plain(item) for item in node.items]
        case Scalar():
            return int(node.text) if re.fullmatch(r"[1-9][0-9]{0,3}|0", node.text) else node.text
