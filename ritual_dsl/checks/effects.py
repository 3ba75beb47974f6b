"""What a part of the rules reads and writes, whatever it calls on the way.

In: resolved steps and expressions. Out: cells, and whether a procedure can be ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from ritual_dsl.checks.calls import cells_changed, procedures_run
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game
from ritual_dsl.model.walk import walk


class Effects:
    """Of one game; what was worked out is remembered."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.zones = frozenset(zone.cell for zone in game.zones.values())
        self.rule_reads: dict[str, frozenset[int]] = {}

    def reads(self, thing: object) -> frozenset[int]:
        """The cells something reads, through all rules it asks."""
        cells: set[int] = set()
        for part in walk(thing):
            match part:
                case ir.Read() | ir.Spread():
                    cells.add(part.cell)
                case ir.CallRule() | ir.Holder():
                    cells |= self.of_rule(part.rule)
                case ir.Guard() if part.rule is not None:
                    cells |= self.of_rule(part.rule)
        return frozenset(cells)

    def of_rule(self, name: str) -> frozenset[int]:
        if name not in self.rule_reads:
            self.rule_reads[name] = frozenset()  # calls are not circular; a fault is reported elsewhere
            self.rule_reads[name] = self.reads(self.game.rules[name])
        return self.rule_reads[name]

    def runs(self, thing: object) -> list[object]:
        """Steps, and every procedure they run."""
        found: list[object] = [thing]
        seen: set[str] = set()
        for part in found:  # grows while it is read
            for name in procedures_run(part, self.game):
                if name not in seen:
                    seen.add(name)
                    found.append(self.game.procedures[name])
        return found

    def called(self, statement: ir.Call | ir.Fire) -> set[str]:
        return procedures_run(statement, self.game)

    def writes(self, thing: object) -> frozenset[int]:
        """The cells that steps change, in whatever they run."""
        return frozenset(cell for part in self.runs(thing) for cell in self.written(part))

    def written(self, thing: object) -> Iterator[int]:
        """The cells changed in these steps themselves."""
        for part in walk(thing):
            yield from cells_changed(part)
            if isinstance(part, ir.Move) and part.kind == "all":
                yield from self.zones

    def ends(self, thing: object) -> bool:
        """Whether some `end` can be reached."""
        return any(isinstance(part, ir.End) for run in self.runs(thing) for part in walk(run))
