"""The interpreter: the meaning of the rules.

In: a `Game`, players, a seed, answers. Out: states, choices, logs, views and explanations.
"""

from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.run import Run

__all__ = ["Choice", "Run"]
