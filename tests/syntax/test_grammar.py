"""The grammar has one reading for every text: lark finds no conflict in it."""

from __future__ import annotations

from importlib import resources

import pytest
from lark import Lark
from lark.exceptions import GrammarError

from ritual_dsl.syntax.tables import Tokens

TEXT = resources.files("ritual_dsl.syntax").joinpath("ritual.lark").read_text(encoding="utf-8")


def strict(text: str) -> Lark:
    return Lark(text, parser="lalr", lexer=Tokens, strict=True)


def test_no_conflict() -> None:
    strict(TEXT)


def test_a_conflict_would_be_found() -> None:
    """The rule that lark resolves silently by default: an `excepted` that may be read in two ways."""
    with pytest.raises(GrammarError):
        strict(TEXT.replace("?excepted: postfix |", "?excepted: postfix | excepted excepted |"))
