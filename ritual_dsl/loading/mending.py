"""Putting right what can be put right with certainty.

In: findings that carry a fix. Out: their files written anew, each whole or not at all, and which findings that
settled. A fix is taken only if the file says the same afterwards; where it did not parse before, fixes touch nothing
but line ends, a byte order mark and zeros before a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ritual_dsl.diagnostics import Diagnostic, Findings, has_errors
from ritual_dsl.loading.layout import BLOCK_KEYS, YAML
from ritual_dsl.loading.rewrite import rewrite
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode, read_yaml
from ritual_dsl.source import Source, Span
from ritual_dsl.syntax.parse import parse_file, parse_lines


def mend(findings: Iterable[Diagnostic], found: Findings) -> list[Diagnostic]:
    """Apply every fix; what cannot be written is a finding."""
    by_source: dict[Source, list[Diagnostic]] = {}
    for finding in findings:
        if finding.fix is not None:
            by_source.setdefault(finding.fix.span.source, []).append(finding)
    fixed: list[Diagnostic] = []
    for source, group in by_source.items():
        taken, text = apply(source, group)
        path = Path(source.path)
        if taken and path.is_file() and rewrite(path, source.text, text, found):
            fixed += taken
    return fixed


def apply(source: Source, findings: Iterable[Diagnostic]) -> tuple[list[Diagnostic], str]:
    """The text after all fixes that keep its meaning, taken from the end so that places stay."""
    taken: list[Diagnostic] = []
    text, free = source.text, len(source.text)
    for finding in sorted(findings, key=lambda d: d.fix.span.sort_key() if d.fix else ("", 0, 0), reverse=True):
        assert finding.fix is not None
        start, end = offsets(finding.fix.span)
        after = text[:start] + finding.fix.text + text[end:]
        if end <= free and says_the_same(source, Source(source.path, text), Source(source.path, after)):
            text, free = after, start
            taken.append(finding)
    return taken[::-1], text


def offsets(span: Span) -> tuple[int, int]:
    before = span.source.text.split("\n")
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line) + 1)
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def says_the_same(source: Source, before: Source, after: Source) -> bool:
    old, new = meaning(before), meaning(after)
    return old is None or old == new


def meaning(source: Source) -> object | None:
    """What a file says, without comments and layout; None if that cannot be read."""
    found = Findings()
    if "\r" in source.text or source.text.startswith("\ufeff"):
        return None
    said: object
    if source.path.endswith(YAML):
        root = read_yaml(source, found)
        said = spoken(root, source, found) if root is not None else None
    else:
        said = parse_file(source, found)
    return None if has_errors(found) else said


def spoken(node: YamlNode, source: Source, found: Findings, key: str = "") -> object:
    match node:
        case Mapping():
            return {name: spoken(entry.value, source, found, name) for name, entry in node.entries.items()}
        case Sequence():
            return [spoken(item, source, found) for item in node.items]
        case Scalar() if node.literal and key in BLOCK_KEYS:
            return parse_lines(source, node.lines(), found)
        case Scalar():
            return node.text
