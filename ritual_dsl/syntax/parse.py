"""Rules text to nodes.

In: a `.ritual` file, or the lines of a `rules: |` block. Out: its items, and every fault found.
Each top-level item is parsed by itself, so one fault does not hide the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources

from lark import Lark, Token
from lark.exceptions import UnexpectedToken

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.source import Source
from ritual_dsl.syntax import nodes as n
from ritual_dsl.syntax.build import NodeBuilder, token_span
from ritual_dsl.syntax.lexer import Line, lines_of, tokenize
from ritual_dsl.syntax.tables import parser

FRIENDLY = {
    "NAME": "a name",
    "TYPE": "a type",
    "NUMBER": "a number",
    "COMPARE": "a comparison",
    "EOL": "the end of the line",
    "INDENT": "an indented block",
    "DEDENT": "the end of the block",
    "$END": "the end of the text",
}


@lru_cache(maxsize=1)
def grammar() -> tuple[Lark, dict[str, str]]:
    """The parser, and its reserved words and signs by their text."""
    text = resources.files("ritual_dsl.syntax").joinpath("ritual.lark").read_text(encoding="utf-8")
    lark = parser(text)
    words = {t.pattern.value: t.name for t in lark.terminals if t.pattern is not None}
    return lark, words


def parse_file(source: Source, found: Findings) -> tuple[n.Item, ...]:
    return parse_lines(source, lines_of(source), found)


def parse_lines(source: Source, lines: list[Line], found: Findings) -> tuple[n.Item, ...]:
    lark, words = grammar()
    before = len(found)
    tokens = tokenize(source, lines, words, found)
    if any(d.code == "RIT205" for d in found[before:]):
        return ()
    items: list[n.Item] = []
    builder = NodeBuilder(source)
    for chunk in top_level_items(tokens):
        try:
            tree = lark.parse(chunk)
        except UnexpectedToken as error:
            report(error, chunk, source, found)
            continue
        items += builder.transform(tree)
    return tuple(items)


def top_level_items(tokens: list[Token]) -> Iterator[list[Token]]:
    """The stream cut before every token that opens a line outside of all blocks."""
    chunk: list[Token] = []
    depth = 0
    opens = True
    for token in tokens:
        if depth == 0 and opens and token.type not in ("INDENT", "DEDENT") and chunk:
            yield chunk
            chunk = []
        depth += (token.type == "INDENT") - (token.type == "DEDENT")
        opens = token.type in ("EOL", "DEDENT")
        chunk.append(token)
    if chunk:
        yield chunk


def report(error: UnexpectedToken, chunk: list[Token], source: Source, found: Findings) -> None:
    """Say what stands there, what could stand there, and the likely slip."""
    _, words = grammar()
    texts = {name: text for text, name in words.items()}
    token = error.token
    if token.type == "$END":
        token = chunk[-1]
    expected = sorted(error.accepts or error.expected)
    shown = describe(token, token.type)
    wanted = [f"`{texts[e]}`" if e in texts else FRIENDLY.get(e, e) for e in expected]
    hint = None
    if token.type == "NAME":
        hint = near_miss(str(token), [texts[e] for e in expected if e in texts])
    elif token.type in texts and token.isalpha() and "NAME" in expected:
        hint = f"`{token}` is a word of the language and cannot be a name"
    if hint is None:
        hint = misspelt_word(token, chunk, words)
    if hint is None and 0 < len(wanted) <= 12:
        hint = "expected " + listing_plain(wanted)
    found.say("RIT206", f"{shown} cannot stand here", token_span(source, token), help=hint)


def misspelt_word(token: Token, chunk: list[Token], words: dict[str, str]) -> str | None:
    """The name right before a fault may have been meant as a word of the language."""
    at = next((i for i, t in enumerate(chunk) if t is token), 0)
    if at == 0 or chunk[at - 1].type != "NAME" or token.type not in ("NAME", "TYPE", "NUMBER"):
        return None
    return near_miss(str(chunk[at - 1]), [word for word in words if word.isalpha() and len(word) > 2])


def describe(token: Token, kind: str) -> str:
    return FRIENDLY[kind] if kind in ("EOL", "INDENT", "DEDENT", "$END") else f"`{token}`"


def listing_plain(wanted: list[str]) -> str:
    return wanted[0] if len(wanted) == 1 else ", ".join(wanted[:-1]) + " or " + wanted[-1]
