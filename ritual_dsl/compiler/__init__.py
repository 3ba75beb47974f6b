"""The compiler: the same meaning as the interpreter's, as flat code on small whole numbers.

In: a checked game with its variants, rulings and overlays, and a number of players. Out: `Flat` source, which
runs as plain Python or, with the extra `fast`, under numba.
"""

from ritual_dsl.compiler.flat import Flat, compile_game

__all__ = ["Flat", "compile_game"]
