"""Codes about patches."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    # ---- patches
    error(
        "RIT401",
        "an unknown module in a guard",
        "`with` names a module the game does not have.",
        "with long_nite:\n  remove score.bonus",
        "with long_night:\n  remove score.bonus",
        "The patch would never hold.",
    ),
    error(
        "RIT402",
        "a `while` that asks about no card",
        "`while` needs a truth rule of a card and a seat, and stands in a card's rules.",
        "while late:      # rule late(p: player)",
        "while held:      # rule held(c: card, s: seat)",
        "The guard asks whether this card is in force, and for whom.",
    ),
    error(
        "RIT403",
        "nothing of this label",
        "A patch names a clause, step or patch that does not exist.",
        "replace cost.amuont: 2",
        "replace cost.amount: 2",
        "The patch would do nothing.",
    ),
    error(
        "RIT404",
        "a guarded declaration",
        "Players, and a counter's start and bounds, cannot depend on what happens in play.",
        "while held:\n  replace health.max: 9",
        "replace health.max: 9",
        "They are fixed before the game begins.",
    ),
    error(
        "RIT405",
        "a patch of the wrong kind",
        "The label is there, but cannot be changed this way.",
        "add cost.second: 2      # cost gives one value",
        "replace cost.amount: 2",
        "Clauses are added, replaced, removed or limited; steps have before, after and instead.",
    ),
    error(
        "RIT406",
        "a rule left without value",
        "The only clause of a value is removed.",
        "remove cost.amount",
        "replace cost.amount: 0",
        "Who asks the rule would get no answer.",
    ),
    error(
        "RIT407",
        "two patches at once",
        "Two patches of one layer on one label can hold together and say different things.",
        "lantern: while held: replace cost.amount: 1\nrope:    while held: replace cost.amount: 3",
        "lantern: while held: replace cost.amount: 1\nrope:    while held: limit cost.amount to 3",
        "Nothing says which of them counts.",
    ),
    error(
        "RIT408",
        "`holder` of several copies",
        "A card with more than one copy asks for its `holder`.",
        "lantern:\n  copies: 2\n  rules: |\n    while held: add safe.own: p = holder",
        "lantern:\n  copies: 1\n  rules: |\n    while held: add safe.own: p = holder",
        "Two seats may hold it at once.",
    ),
    error(
        "RIT409",
        "two patches of one name",
        "A card or module gives two of its patches the same label.",
        "cap: limit cost.amount to 1\ncap: limit loss.amount to 1",
        "cost_cap: limit cost.amount to 1\nloss_cap: limit loss.amount to 1",
        "Others patch a patch by its label, which must say which one.",
    ),
)
