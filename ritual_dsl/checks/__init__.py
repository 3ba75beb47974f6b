"""What a game must satisfy beyond names and types: one check a file, run in order.

In: a game reference. Out: the game, or every finding about its files.
"""

from __future__ import annotations

from collections.abc import Callable

from ritual_dsl.checks.amounts import negative_amounts
from ritual_dsl.checks.calls import circular_calls, endless_watches
from ritual_dsl.checks.collisions import colliding_patches
from ritual_dsl.checks.holders import many_holders
from ritual_dsl.checks.lints import review
from ritual_dsl.checks.looks import unfit_looks
from ritual_dsl.checks.texts import missing_texts, unknown_citations, untouched_texts
from ritual_dsl.diagnostics import Diagnostic, Findings, RitualError, has_errors, ordered
from ritual_dsl.diagnostics.judge import settle
from ritual_dsl.loading.files import AnyPath
from ritual_dsl.loading.reference import Chosen, Loaded, choose, collector_paused, with_option
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Game

Check = Callable[[Game, Findings], None]
CHECKS: tuple[Check, ...] = (circular_calls, endless_watches, negative_amounts, many_holders, colliding_patches)
READING: tuple[Check, ...] = (missing_texts, unknown_citations, untouched_texts, unfit_looks)  # once a game


def load_game(reference: str, folder: AnyPath | None = None, loaded: Loaded | None = None) -> Game:
    """The game a reference names, ready to run; raises with every error found."""
    found = Findings()
    return ready(choose(reference, found, folder, loaded), found)


def ready(chosen: Chosen | None, found: Findings) -> Game:
    """Chosen parts as a game that can be run; raises with every error found."""
    game = assemble(chosen, found) if chosen is not None else None
    if game is not None and not has_errors(found):
        run_checks(game, found)
    if game is None or has_errors(found):
        raise RitualError(ordered(d for d in found if d.is_error))
    return game


def check_game(reference: str, folder: AnyPath | None = None) -> list[Diagnostic]:
    """Every finding about a game that no comment in its files allows."""
    found = Findings()
    return check_chosen(choose(reference, found, folder), found)


def check_chosen(chosen: Chosen | None, found: Findings) -> list[Diagnostic]:
    look_over(chosen, found)
    return list(settle(found, own_files(chosen)).counted)


@collector_paused()
def look_over(chosen: Chosen | None, found: Findings) -> None:
    """Find everything about a game as chosen, and with each variant and each option of its rulings."""
    if chosen is None:
        return
    try:
        check_variations(chosen, found)
    except RitualError as error:  # too many to go on
        found[:] = error.diagnostics


def own_files(chosen: Chosen | None) -> Callable[[str], bool]:
    """Whether a file is the user's: with house rules theirs alone, not those of the game below."""
    houses = {module.span.path for module in chosen.modules if module.layer == "house"} if chosen else set()
    return lambda path: not houses or path in houses


def check_variations(chosen: Chosen, found: Findings) -> None:
    for variation in variations(chosen, found):
        own = Findings()
        game = assemble(variation, own)
        if game is not None and not has_errors([*own, *found]):
            run_checks(game, own)
            if variation is chosen:
                for check in READING:
                    check(game, own)
        found += own
    if not has_errors(found):
        found.undecided += review(chosen, found)


def run_checks(game: Game, found: Findings) -> None:
    for check in CHECKS:
        check(game, found)
        if has_errors(found):  # a circle of calls would trap the checks behind it
            return


def variations(chosen: Chosen, found: Findings) -> list[Chosen]:
    """As chosen; with every variant; and with each option of each ruling on top of all variants."""
    every = chosen
    for variant in chosen.files.variants.values():
        every = with_option(every, variant, found)
    options = [
        with_option(every, option, found)
        for ruling in chosen.files.rulings.values()
        for name, option in ruling.options.items()
        if name != ruling.default
    ]
    singles = [with_option(chosen, variant, found) for variant in chosen.files.variants.values()]
    return [chosen, *singles, *([every] if len(singles) > 1 else []), *options]
