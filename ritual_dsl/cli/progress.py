"""One line on the terminal that says how far a long command is.

In: words. Out: the line, from the second second on, and only where somebody looks at a terminal.
"""

from __future__ import annotations

import sys
import time


class Line:
    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.shown = 0.0
        self.wanted = sys.stderr.isatty()

    def __call__(self, words: str) -> None:
        now = time.monotonic()
        if self.wanted and now - self.begun > 1 and now - self.shown > 0.2:
            self.shown = now
            print(f"\r{words}\x1b[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
