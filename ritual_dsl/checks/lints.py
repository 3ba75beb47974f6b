"""What a careful reviewer would ask, once for all of a game: nothing here keeps a game from being played.

In: a game's parts without errors. Out: warnings. They look at the game with every card in its deck and every module
chosen, the options of one ruling side by side, so that each line is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ritual_dsl.checks.deciding import idle_clauses, unreachable_cases
from ritual_dsl.checks.effects import Effects
from ritual_dsl.checks.happening import idle_patches, idle_steps
from ritual_dsl.checks.loops import stuck_loops
from ritual_dsl.checks.reads import early_reads
from ritual_dsl.checks.reasoner import Reasoner
from ritual_dsl.checks.unused import cards_in_no_deck, unused_declarations
from ritual_dsl.diagnostics import Findings
from ritual_dsl.loading.parts import Module
from ritual_dsl.loading.reference import Chosen, in_order
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Game

EXPECTED = "RIT407"  # the options of a ruling patch the same things


def review(chosen: Chosen, found: Findings) -> int:
    """All lints; how many questions could not be decided.

    Something may have its use in one variant only, so it is looked for in the game with every module; and a variant
    may leave something without use, so that it has none in the game as chosen either, unless it is a module's own.
    """
    said = Findings()
    undecided = look_through(whole_game(chosen, all_modules(chosen)), said)
    plain = Findings()
    if said:
        look_through(whole_game(chosen, chosen.modules), plain)
    files = {module.span.path for module in optional_modules(chosen)}
    found += [d for d in said if d in plain or (d.span is not None and d.span.path in files)]
    return undecided


def look_through(game: Game | None, found: Findings) -> int:
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


def optional_modules(chosen: Chosen) -> list[Module]:
    options = [option for ruling in chosen.files.rulings.values() for option in ruling.options.values()]
    return [*chosen.files.variants.values(), *options]


def all_modules(chosen: Chosen) -> list[Module]:
    others = [module for module in chosen.modules if module.layer not in ("variant", "ruling")]
    return [*optional_modules(chosen), *others]


def whole_game(chosen: Chosen, modules: Iterable[Module]) -> Game | None:
    """The game with every card in its deck and these modules; None if they do not fit together."""
    cards = {name: replace(card, slot=None) for name, card in chosen.cards.items()}
    everything = replace(chosen, cards=cards, slots={}, modules=in_order(modules))
    own = Findings()
    game = assemble(everything, own)
    return None if any(d.is_error and d.code != EXPECTED for d in own) else game
