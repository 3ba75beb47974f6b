"""Mutations of texts: what a slip of the hand, a broken tool or a hostile stranger makes of a file.

In: a text, other texts to take pieces from, and a source of chance. Out: another text, as bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Mutation = Callable[[str, str, Random], str]
PIECE = re.compile(r"\w+|\s+|[^\w\s]")

WORDS = """
    rule procedure while during with replace add remove limit to when otherwise any of all number some no every in has
    sum over highest lowest first clockwise after before instead each move top deck hand players seats holder this ended
    none empty is not and or mod let repeat until stop nothing end as chooses choose together from trigger zone counter
    variable enum card one a pile per seat player truth set starts at face down up seen by everyone else owner nobody
    0 1 7 999999 1000000 007 §7-1 § §§ : := = != <= ( ) [ ] . .. , ? + - * #
    cthulhu fails cursed extends cards rules patch
""".split()  # noqa: SIM905

YAML_BITS = (
    "&a ", "*a", "!!python/object/apply:os.system ['true']", "!x ", "<<: ", "---\n", "...\n", "? ", ": ", "- ", "|",
    "|2", ">-", "{", "}", "[", "]", '"', "'", "\\", '"\\e[31m"', '"\\ud800"', '"\\x00"', '"\\L"', "~", "null", "yes",
    "@", "%YAML 9.9\n", "`", "0o17", "1e999", "rules: |\n", "patch: |+\n", "extends: ../../etc/passwd\n", "cards:\n",
    "extends: house.yaml\n",
)  # fmt: skip
SIGNS = (
    "\0", "\x1b[2J", "\x07", "\r", "\t", "\x85", "\u2028", "\u202e", "\u2066", "\ufeff", "\xa0",
    "\u3000", "é", "狂", "𝔘", "\u0301", "\x7f",
)  # fmt: skip


def pieces(text: str) -> list[str]:
    return PIECE.findall(text)


def replace_piece(text: str, other: str, random: Random) -> str:
    parts = pieces(text)
    new = (random.choice(WORDS), random.choice(pieces(other) or [""]), "")
    parts[random.randrange(len(parts))] = random.choice(new)
    return "".join(parts)


def swap_names(text: str, other: str, random: Random) -> str:
    """A name for another, so that the text still parses and says something else."""
    found = list(re.finditer(r"[a-z_]+", text))
    if not found:
        return text
    old, new = random.choice(found), random.choice(found).group()
    return text[: old.start()] + new + text[old.end() :]


def insert_word(text: str, other: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return f"{text[:at]} {random.choice(WORDS)} {text[at:]}"


def insert_bit(text: str, other: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice((*YAML_BITS, *SIGNS)) + text[at:]


def swap_pieces(text: str, other: str, random: Random) -> str:
    parts = pieces(text)
    i, j = random.randrange(len(parts)), random.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]
    return "".join(parts)


def delete_stretch(text: str, other: str, random: Random) -> str:
    at = random.randrange(len(text))
    return text[:at] + text[at + random.choice((1, 2, 10, 200)) :]


def repeat_stretch(text: str, other: str, random: Random) -> str:
    at = random.randrange(len(text))
    length = random.choice((1, 2, 5, 20, 100))
    times = random.choice((2, 3, 50, 400)) if length < 20 else 3
    return text[:at] + text[at : at + length] * times + text[at + length :]


def move_line(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def indent_line(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines))
    line = lines[at]
    lines[at] = random.choice((" " + line, "  " + line, line[1:], line[2:], "\t" + line.strip()))
    return "\n".join(lines)


def take_lines(text: str, other: str, random: Random) -> str:
    """Lines of another file come in."""
    lines, theirs = text.split("\n"), other.split("\n")
    start = random.randrange(len(theirs))
    at = random.randrange(len(lines) + 1)
    return "\n".join([*lines[:at], *theirs[start : start + random.randint(1, 8)], *lines[at:]])


def keep_lines(text: str, other: str, random: Random) -> str:
    """Most of the file is gone."""
    lines = text.split("\n")
    start = random.randrange(len(lines))
    return "\n".join(lines[start : start + random.randint(1, 12)])


def nest(text: str, other: str, random: Random) -> str:
    """Something opens again and again, and may close."""
    at = random.randrange(len(text) + 1)
    times = random.choice((3, 39, 41, 200, 5000))
    kinds = (("(", ")"), ("[", "]"), ("{a: ", "}"), ("not ", ""), ("when x: ", ""), ("- ", ""))
    opening, closing = random.choice(kinds)
    return text[:at] + opening * times + random.choice(("", "x" + closing * times)) + text[at:]


def deepen(text: str, other: str, random: Random) -> str:
    """Blocks in blocks in blocks."""
    lines = text.split("\n")
    at = random.randrange(len(lines) + 1)
    indent = len(lines[at - 1]) - len(lines[at - 1].lstrip()) if at else 0
    head = random.choice(("repeat:", "when true:", "each p in players:", "while held:", "a:", "-"))
    rows = [" " * (indent + 2 * level) + head for level in range(random.choice((2, 5, 30, 60, 300)))]
    return "\n".join([*lines[:at], *rows, *lines[at:]])


def change_number(text: str, other: str, random: Random) -> str:
    numbers = list(re.finditer(r"[0-9]+", text))
    if not numbers:
        return text + "0"
    found = random.choice(numbers)
    new = random.choice(("0", "1", "12", "99", "400", "999999", "1000000", "9" * 30, "-1", "010", "1.5"))
    return text[: found.start()] + new + text[found.end() :]


MUTATIONS: tuple[Mutation, ...] = (
    swap_names, swap_names, swap_names, replace_piece, replace_piece, insert_word, insert_bit, swap_pieces,
    delete_stretch, repeat_stretch, move_line, indent_line, take_lines, keep_lines, nest, deepen, change_number,
)  # fmt: skip


def mutate(text: str, other: str, random: Random) -> bytes:
    """A few mutations, seldom with broken bytes on top."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        if text:
            text = random.choice(MUTATIONS)(text, other, random)
    raw = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.02 and raw:
        at = random.randrange(len(raw))
        raw = raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]
    return raw
