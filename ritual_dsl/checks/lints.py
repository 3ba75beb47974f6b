"""What a careful reviewer would ask, once for all of a game: nothing here keeps a game from being played.

In: a game's parts without errors. Out: warnings. They look at the game with every card in its deck and every module
chosen, the options of one ruling side by side, so that each line is looked at once.
"""

from __future__ import annotations

from dataclasses import replace

from ritual_dsl.checks.deciding import idle_clauses, unreachable_cases
from ritual_dsl.checks.effects import Effects
from ritual_dsl.checks.happening import idle_patches, idle_steps
from ritual_dsl.checks.loops import stuck_loops
from ritual_dsl.checks.reads import early_reads
from ritual_dsl.checks.reasoner import Reasoner
from ritual_dsl.checks.unused import cards_in_no_deck, unused_declarations
from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.reference import Chosen, in_order
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Game

EXPECTED = "RIT407"  # the options of a ruling patch the same things


def review(chosen: Chosen, found: Findings) -> int:
    """All lints; how many questions could not be decided."""
    game = whole_game(chosen)
    if game is None:
        return 0
    reasoner, effects = Reasoner(game), Effects(game)
    unused_declarations(game, found)
    cards_in_no_deck(game, found)
    idle_clauses(game, reasoner, found)
    unreachable_cases(game, reasoner, found)
    idle_patches(game, reasoner, found)
    idle_steps(game, reasoner, effects, found)
    stuck_loops(game, effects, found)
    early_reads(game, effects, found)
    return reasoner.undecided


def whole_game(chosen: Chosen) -> Game | None:
    """The game with all it could have; None if its modules do not fit together."""
    options = [option for ruling in chosen.files.rulings.values() for option in ruling.options.values()]
    variants = chosen.files.variants.values()
    others = [module for module in chosen.modules if module.layer not in ("variant", "ruling")]
    cards = {name: replace(card, slot=None) for name, card in chosen.cards.items()}
    everything = replace(chosen, cards=cards, slots={}, modules=in_order([*variants, *options, *others]))
    own = Findings()
    game = assemble(everything, own)
    return None if any(d.is_error and d.code != EXPECTED for d in own) else game
