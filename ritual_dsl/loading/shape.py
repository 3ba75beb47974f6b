"""Reading YAML nodes by the shape expected at a place.

In: a node and what should be there. Out: the value, or None after a finding. Unknown keys are
findings with a suggestion; numbers are decimal and plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.source import Span
from ritual_dsl.syntax.parse import grammar

INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
ANY_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,19})")  # for places that state their own bounds
IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,59}")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
CITATION = re.compile(r"§[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
Texts = dict[str, str]


class Shape:
    """The readers, with the findings they add to."""

    def __init__(self, found: Findings) -> None:
        self.found = found

    def mapping(self, node: YamlNode | None, what: str, keys: Iterable[str] | None = None) -> Mapping | None:
        """A mapping; with `keys`, only those are known."""
        if node is None:
            return None
        if not isinstance(node, Mapping):
            self.wrong(node, f"{what} should be a mapping of names to values")
            return None
        if keys is not None:
            known = list(keys)
            for name, entry in node.entries.items():
                if name not in known:
                    hint = near_miss(name, known) or f"known here: {listing(known, 14)}"
                    self.found.say("RIT120", f"{what} has no key `{name}`", entry.key.span, help=hint)
        return node

    def require(self, mapping: Mapping, what: str, keys: Iterable[str]) -> None:
        for key in keys:
            if key not in mapping.entries:
                self.found.say("RIT121", f"{what} lacks the key `{key}`", head(mapping.span))

    def scalar(self, node: YamlNode | None, what: str) -> Scalar | None:
        if node is not None and not isinstance(node, Scalar):
            self.wrong(node, f"{what} should be a single text")
        return node if isinstance(node, Scalar) else None

    def text(self, node: YamlNode | None, what: str) -> str | None:
        scalar = self.scalar(node, what)
        return scalar.text if scalar is not None else None

    def identifier(self, node: YamlNode | None, what: str) -> str | None:
        text = self.text(node, what)
        if text is not None and node is not None and not IDENTIFIER.fullmatch(text):
            self.wrong(node, f"{what} `{text[:40]}` is not a name", "write a-z, 0-9 and _, first a letter")
            return None
        return text

    def id_of(self, key: Scalar, what: str) -> str | None:
        """The id of something that rules name."""
        text = self.identifier(key, f"the id of a {what}")
        if text in grammar()[1]:
            hint = f"rules could not name it; try {text}_{what}"
            self.found.say("RIT357", f"`{text}` is a word of the language, and no id of a {what}", key.span, help=hint)
            return None
        return text

    def integer(self, node: YamlNode | None, what: str, low: int, high: int) -> int | None:
        if node is None:
            return None
        text = self.text(node, what)
        if text is None:
            return None
        if not ANY_INTEGER.fullmatch(text):
            self.wrong(node, f"{what} should be a whole number, not `{text[:40]}`", number_help(text))
            return None
        value = int(text)
        if not low <= value <= high:
            self.wrong(node, f"{what} should be from {low} to {high}, not {value}")
            return None
        return value

    def texts(self, node: YamlNode | None, what: str, languages: Iterable[str]) -> Texts:
        """Words per language: {en: …, ja: …}."""
        mapping = self.mapping(node, what, languages)
        if mapping is None:
            return {}
        read = {key: self.text(entry.value, f"{what} ({key})") for key, entry in mapping.entries.items()}
        return {key: value for key, value in read.items() if value is not None}

    def sequence(self, node: YamlNode | None, what: str) -> tuple[YamlNode, ...]:
        if node is None:
            return ()
        if not isinstance(node, Sequence):
            self.wrong(node, f"{what} should be a list")
            return ()
        return node.items

    def words(self, node: YamlNode | None, what: str) -> tuple[str, ...]:
        """A word or a list of words."""
        if isinstance(node, Scalar):
            return (node.text,)
        read = [self.text(item, what) for item in self.sequence(node, what)]
        return tuple(word for word in read if word is not None)

    def languages(self, node: YamlNode | None) -> tuple[str, ...]:
        """Codes of languages, each once; an empty list is no declaration."""
        found = self.words(node, "the languages")
        if node is not None:
            wrong = [code for code in found if not LANGUAGE.fullmatch(code)]
            twice = [code for i, code in enumerate(found) if code in found[:i]]
            if isinstance(node, Sequence) and not node.items:
                self.found.say("RIT358", "no language is named", head(node.span), help="write `languages: [en]`")
            for code in wrong:
                hint = "write a code of two or three letters, such as en or ja"
                self.found.say("RIT358", f"`{code[:40]}` is not the code of a language", head(node.span), help=hint)
            for code in twice:
                self.found.say("RIT358", f"the language `{code}` stands twice", head(node.span))
        return tuple(dict.fromkeys(found))

    def cites(self, node: YamlNode | None) -> tuple[str, ...]:
        """Sections of the rulebook: §7-1, or a list of them."""
        found: list[str] = []
        for item in node.items if isinstance(node, Sequence) else [node] if node else []:
            text = self.text(item, "a citation")
            if text is not None and not CITATION.fullmatch(text):
                self.wrong(item, f"`{text[:40]}` is not a citation", "write § and a section, such as §7-1")
            elif text is not None:
                found.append(text)
        return tuple(found)

    def wrong(self, node: YamlNode, message: str, help: str | None = None) -> None:
        self.found.say("RIT122", message, head(node.span), help=help)


def number_help(text: str) -> str | None:
    if re.fullmatch(r"0[0-9]+", text):
        return f"`{text}` means 8 times something in some YAML and not in other: write it without leading zeros"
    return None


def head(span: Span) -> Span:
    """The first line of a stretch, so that a mark does not run over a whole block."""
    if span.end_line == span.line:
        return span
    return Span(span.source, span.line, span.column, span.line, len(span.source.line(span.line)) + 1)
