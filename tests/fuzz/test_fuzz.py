"""A short run of the fuzzer, so that it keeps working; the long one is started by hand (docs/security.md)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("fuzz.py")


def fuzz(inputs: int, seed: int) -> str:
    words = [sys.executable, str(SCRIPT), "--inputs", str(inputs), "--seed", str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_few_hundred_inputs() -> None:
    assert "300 inputs, 0 broken" in fuzz(300, 7)


@pytest.mark.slow
def test_twenty_thousand_inputs() -> None:
    assert "20,000 inputs, 0 broken" in fuzz(20_000, 8)
