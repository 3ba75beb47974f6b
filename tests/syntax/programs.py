"""Rules texts for tests: programs derived from the grammar, and texts laid out at random.

In: a source of chance. Out: text. What a program says makes no sense, but it parses: it is any
sentence of `ritual.lark`, new constructs included.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from random import Random

from lark import Token
from lark.grammar import NonTerminal, Rule, Symbol

from ritual_dsl.diagnostics import Findings
from ritual_dsl.source import Source
from ritual_dsl.syntax.format import LONGEST_JOINED
from ritual_dsl.syntax.lexer import LONGEST_LINE, Scan, lines_of, scan
from ritual_dsl.syntax.parse import grammar

DEPTH = 26
NAMES = ("hand", "p", "x_1", "left", "somebody", "q2")
OPEN = {"NAME": NAMES, "TYPE": ("Kind", "Color2"), "NUMBER": ("0", "7", "120"), "COMPARE": ("!=", "<", ">=")}
LAYOUT = ("EOL", "INDENT", "DEDENT")


def read(text: str) -> Scan:
    """The tokens and comments of a text that has no faults."""
    found = Findings()
    source = Source("program.ritual", text)
    result = scan(source, lines_of(source), grammar()[1], found)
    assert not found, (found, text)
    return result


# ---------------------------------------------------------------- from the grammar


@lru_cache(maxsize=1)
def table() -> tuple[dict[str, list[Rule]], dict[str, int]]:
    """The alternatives of every symbol, and the least depth at which it is all words."""
    rules: dict[str, list[Rule]] = defaultdict(list)
    for rule in grammar()[0].rules:
        rules[rule.origin.name].append(rule)
    depths: dict[str, int] = {}
    while len(depths) < len(rules):
        for name, choices in rules.items():
            known = [depth(rule, depths) for rule in choices if all(s.name in depths for s in inner(rule))]
            if known and name not in depths:
                depths[name] = min(known)
    return rules, depths


def inner(rule: Rule) -> list[Symbol]:
    return [symbol for symbol in rule.expansion if isinstance(symbol, NonTerminal)]


def depth(rule: Rule, depths: dict[str, int]) -> int:
    return 1 + max((depths[symbol.name] for symbol in inner(rule)), default=0)


def derive(name: str, random: Random, left: int = DEPTH) -> list[str]:
    """Terminals of one sentence; where it gets deep, the shortest way out is taken."""
    rules, depths = table()
    choices = [rule for rule in rules[name] if depth(rule, depths) <= left]
    shortest = min(depth(rule, depths) for rule in rules[name])
    rule = random.choice(choices or [rule for rule in rules[name] if depth(rule, depths) == shortest])
    words: list[str] = []
    for symbol in rule.expansion:
        words += derive(symbol.name, random, left - 1) if isinstance(symbol, NonTerminal) else [symbol.name]
    return words


def program(random: Random, items: int = 3) -> str:
    """A few items in a plain layout; none has a line that is too long."""
    texts = {name: text for text, name in grammar()[1].items()}
    rows: list[str] = []
    while items:
        row: list[str] = []
        item: list[str] = []
        level = 0
        longest = 0
        for terminal in derive("item", random):
            if terminal == "EOL":
                cite = random.choice(("", "", " §7", " §7-1 §12-Q3"))
                item.append("  " * level + " ".join(row) + cite)
                longest, row = max(longest, len(row)), []
            elif terminal in LAYOUT:
                level += 1 if terminal == "INDENT" else -1
            else:
                row.append(texts.get(terminal) or random.choice(OPEN[terminal]))
        if longest <= LONGEST_LINE:
            rows += item
            items -= 1
    return "\n".join(rows) + "\n"


# ---------------------------------------------------------------- the same text, laid out otherwise


def scramble(text: str, random: Random, comments: bool = False) -> str:
    """The same tokens with other spaces and indents; with `comments`, blank lines and comments too.

    Without comments, only short lines are broken: these become one line again.
    """
    out: list[str] = []
    row = ""
    widths = [0]
    level = brackets = 0
    starts = breaks = True
    tokens = read(text).tokens
    for at, token in enumerate(tokens):
        if token.type == "INDENT":
            level += 1
            widths[level:] = [widths[level - 1] + random.randint(1, 5)]
        elif token.type == "DEDENT":
            level -= 1
        elif token.type == "EOL":
            out.append(row + cites(token, random) + trailing(random, comments))
            row, starts = "", True
        else:
            if starts:
                out += own_lines(random, widths[level]) if comments else []
                row, starts = " " * widths[level] + token, False
                breaks = comments or is_short(tokens[at:], level)
                continue
            if brackets and breaks and random.random() < 0.1:
                row += random.choice(("\n", "\n      ")) if not comments else trailing(random, comments) + "\n  "
            row += " " * (random.choice((0, 1, 1, 3)) or not loose(row, token)) + token
            brackets += (token in ("(", "[")) - (token in (")", "]"))
    out += own_lines(random, 0) if comments else []
    return "\n".join(out) + random.choice(("", "\n", "\n\n\n"))


def is_short(tokens: list[Token], level: int) -> bool:
    end = next(i for i, token in enumerate(tokens) if token.type == "EOL")
    return 2 * level + sum(len(token) + 1 for token in tokens[:end]) <= LONGEST_JOINED


def loose(row: str, token: Token) -> bool:
    """Whether this token can stand right behind the text so far and still be a token of its own."""
    last = row[-1]
    return not (last.isalnum() or last in "_.:<>=!") or token in (",", ")", "]")


def cites(token: Token, random: Random) -> str:
    return "".join(f"{' ' * random.randint(1, 30)}{cite}" for cite in token.split())


def trailing(random: Random, comments: bool) -> str:
    return random.choice(("", "", "  # why", "# 狂気 §7 (", "   #", "  #: x  ") if comments else ("", "  "))


def own_lines(random: Random, width: int) -> list[str]:
    if random.random() < 0.6:
        return []
    comment = " " * max(0, width + random.choice((-3, 0, 0, 4))) + random.choice(("# own line", "#", "## [", "#x"))
    return random.choice(([""], ["", "  ", ""], [comment], ["", comment], [comment, "", "", comment], [comment, ""]))
