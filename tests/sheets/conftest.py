"""What the tests of sheets share: a workshop takes a second to open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ritual_dsl.sheets.workshop import Workshop


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    with Workshop() as shop:
        yield shop
