"""Files to their canonical layout.

In: the text of a `.ritual` or YAML file. Out: the same text, its rules laid out anew, or None and
the faults that keep it from being read. Of YAML, only the rows of rules blocks change.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ritual_dsl.diagnostics import Findings, has_errors
from ritual_dsl.loading.files import display, read_source
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode, read_yaml
from ritual_dsl.source import Source
from ritual_dsl.syntax.format import INDENT, content, format_lines, scan_lines
from ritual_dsl.syntax.lexer import lines_of
from ritual_dsl.syntax.parse import parse_file, parse_lines

RULES = ".ritual"
YAML = (".yaml", ".yml")
BLOCK_KEYS = ("rules", "patch")
BLOCK = re.compile(rf"^[ -]*(?:{'|'.join(BLOCK_KEYS)}) *: *\|", re.MULTILINE)
FIXED_INDENT = re.compile(r"\|[+-]?[1-9]")


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file as it is, and as it should be."""

    source: Source
    text: str

    @property
    def changed(self) -> bool:
        return self.text != self.source.text

    def diff(self) -> str:
        old, new = self.source.text.splitlines(keepends=True), self.text.splitlines(keepends=True)
        rows = difflib.unified_diff(old, new, self.source.path, self.source.path, "as it is", "formatted")
        return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


@dataclass(frozen=True, slots=True)
class Block:
    """A rules block of a YAML file, and the column of its key."""

    value: Scalar
    column: int

    def base(self) -> int:
        """How far its rules are indented: two more than the key, unless the file fixes it (`|4`)."""
        header = self.value.span.source.line(self.value.span.line)[self.value.span.column - 1 :]
        return self.value.indent() if FIXED_INDENT.match(header) else self.column - 1 + len(INDENT)


def files_below(path: Path) -> list[Path]:
    """A file is itself; of a folder, the files with rules in them. Links and hidden folders are passed by."""
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files = [Path(folder, name) for name in sorted(names)]
        found += [file for file in files if not file.is_symlink() and has_rules(file)]
    return found


def has_rules(path: Path) -> bool:
    """A YAML file without rules need not even be one of a game."""
    if path.suffix not in YAML:
        return path.suffix == RULES
    source = read_source(path, Findings())
    return source is not None and BLOCK.search(source.text) is not None


def format_file(path: Path, found: Findings) -> Formatted | None:
    """A file by its path; its ending tells its kind."""
    if path.suffix not in (RULES, *YAML):
        found.say("RIT144", f"{display(path)} is neither a {RULES} file nor a YAML file")
        return None
    source = read_source(path, found)
    return format_source(source, found) if source else None


def format_source(source: Source, found: Findings) -> Formatted | None:
    """The canonical text, or None after a fault."""
    is_yaml = source.path.endswith(YAML) or BLOCK.search(source.text)
    text = format_yaml(source, found) if is_yaml else format_rules(source, found)
    return Formatted(source, text) if text is not None else None


def format_rules(source: Source, found: Findings) -> str | None:
    own = Findings()
    parse_file(source, own)
    found += own
    if has_errors(own):
        return None
    text = "\n".join(format_lines(source, lines_of(source))) + "\n"
    after = Source(source.path, text)
    insist(content(scan_lines(source, lines_of(source))) == content(scan_lines(after, lines_of(after))), source)
    return text


def format_yaml(source: Source, found: Findings) -> str | None:
    own = Findings()
    root = read_yaml(source, own)
    blocks = list(rules_blocks(root)) if root is not None else []
    for block in blocks:
        parse_lines(source, block.value.lines(), own)
    found += own
    if root is None or has_errors(own):
        return None
    rows = list(source.lines)
    for block in reversed(blocks):
        start = block.value.span.line
        count = len(block.value.rows())
        rows[start : start + count] = format_block(block)
    text = "\n".join(rows)
    insist(meaning(root) == meaning(read_yaml(Source(source.path, text), Findings())), source)
    return text


def insist(same: bool, source: Source) -> None:
    """The last guard: a layout that says something else is a fault of this program, and never written."""
    if not same:
        raise AssertionError(f"formatting would change what {source.path} says")


def format_block(block: Block) -> list[str]:
    """The rows of a block; blank ones behind it separate it from what follows, and stay."""
    rows = block.value.rows()
    lines = block.value.lines()
    while lines and not lines[-1].text.strip():
        lines.pop()
    return [*format_lines(block.value.span.source, lines, block.base()), *("" for _ in rows[len(lines) :])]


def rules_blocks(node: YamlNode) -> Iterator[Block]:
    """All rules of a file, in the order in which they stand in it."""
    match node:
        case Mapping():
            for entry in node.entries.values():
                if entry.key.text in BLOCK_KEYS and isinstance(entry.value, Scalar) and entry.value.literal:
                    yield Block(entry.value, entry.key.span.column)
                else:
                    yield from rules_blocks(entry.value)
        case Sequence():
            for item in node.items:
                yield from rules_blocks(item)
        case Scalar():
            return


def meaning(node: YamlNode | None, key: str = "") -> object:
    """What formatting must keep of a YAML file: all values, and of rules the tokens and comments."""
    match node:
        case Mapping():
            return {name: meaning(entry.value, name) for name, entry in node.entries.items()}
        case Sequence():
            return [meaning(item) for item in node.items]
        case Scalar() if node.literal and key in BLOCK_KEYS:
            return content(scan_lines(node.span.source, node.lines()))
        case _:
            return node
