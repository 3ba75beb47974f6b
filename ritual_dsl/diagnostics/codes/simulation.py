"""Codes about measures, compiling and simulation."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error, warning

TABLE: tuple[Code, ...] = (
    # ---- measures
    error(
        "RIT690",
        "nothing a measure can count",
        "A measure is a number or a truth, and is split by something with few values.",
        "measure favourite: each round, top of discard",
        "measure favourite: each round, by top of discard",
        "Means are made of numbers, shares of truths.",
    ),
    error(
        "RIT691",
        "a measure of something unknown",
        "The procedure or counter that a measure names is not declared.",
        "measure length: each game, runs of ruond",
        "measure length: each game, runs of round",
        "There would be nothing to count.",
    ),
    error(
        "RIT692",
        "a measure grows too large",
        "The samples of one game add up to more than a million.",
        "measure heat: each turn, 999999",
        "measure heat: each turn, warmth",
        "Sums are kept exactly, so that the figures do not depend on the number of workers.",
    ),
    warning(
        "RIT693",
        "a measure without a sample",
        "In all games played, the procedure of the measure never ended, or nothing satisfied its condition.",
        "measure crowd: each game, each p in players where false, health[p]",
        "measure crowd: each game, each p in players, health[p]",
        "A mean of nothing would divide by nothing, so none is shown.",
    ),
    # ---- simulation
    error(
        "RIT694",
        "a simulation that cannot start",
        "The number of games, players or workers, the bots, or what was asked to be reached, makes no sense.",
        "ritual simulate my_game --games 0",
        "ritual simulate my_game --games 10000",
        "Nothing could be computed.",
    ),
    error(
        "RIT695",
        "no measure",
        "The rules declare no measure, or none of the name asked for.",
        "ritual simulate my_game --until lenght=1%",
        "ritual simulate my_game --until length=1%",
        "What a simulation reports is declared in the rules.",
    ),
    error(
        "RIT696",
        "a worker was lost",
        "A process that played games died, more often than it is tried again.",
        "a machine without memory left",
        "fewer workers: --workers 1",
        "The results of the other workers are kept and shown.",
    ),
    error(
        "RIT697",
        "an extra is missing",
        "What was asked for needs a package that is not installed.",
        "ritual simulate my_game --engine numba",
        "pip install 'ritual-dsl[fast]'",
        "Extras keep the plain installation small.",
    ),
    error(
        "RIT698",
        "a game could not be played",
        "A game of a simulation stopped with a fault in the rules, which is shown as well.",
        "measure pace: each game, 10 mod (number of raised)",
        "measure pace: each game, 0 when raised is empty, otherwise 10 mod (number of raised)",
        "The games before it are counted and shown; its number and the seed play it again.",
    ),
    error(
        "RIT699",
        "a plot cannot be written",
        "The name of the file has an unknown ending, or its place cannot be written to.",
        "ritual simulate my_game --plot figures.gif",
        "ritual simulate my_game --plot figures.svg",
        "An image is written as SVG, or as PNG with an extra.",
    ),
    # ---- compiling
    error(
        "RIT702",
        "no flat code",
        "The compiler does not know this construct; the interpreter does.",
        "variable seen: set of 0..900      # more members than a number has bits",
        "variable seen: set of 0..40",
        "Flat code must mean exactly what the interpreter means, or not exist.",
    ),
    warning(
        "RIT703",
        "played by the interpreter",
        "A game, or a construct in it, has no flat code, so a simulation takes longer.",
        "variable seen: set of 0..900",
        "variable seen: set of 0..40",
        "The figures are the same; only the time differs.",
    ),
    warning(
        "RIT704",
        "machine code is not kept",
        "The folder for machine code is full, cannot be written to, or is open to others.",
        "RITUAL_CACHE=/tmp/shared ritual simulate my_game",
        "RITUAL_CACHE=~/.cache/ritual_dsl ritual simulate my_game",
        "Machine code that others could have put there is never run; it is made again each time.",
    ),
    error(
        "RIT705",
        "no cluster",
        "What `--on` names is not the address of a cluster's scheduler, or nobody answers there.",
        "ritual simulate my_game --on 10.0.0.7",
        "ritual simulate my_game --on dask:10.0.0.7:8786",
        "The batches would be sent nowhere.",
    ),
    warning(
        "RIT706",
        "not as exact as asked for",
        "All games that were allowed were played, and the intervals are still wider than `--until` says.",
        "ritual simulate my_game --until 0.1% --games 50",
        "ritual simulate my_game --until 60% --games 2000",
        "What is seldom met needs very many games; name the one measure you want: `--until MEASURE=0.1%`.",
    ),
)
