"""Codes about names and types."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    # ---- names and types
    error(
        "RIT301",
        "an unknown name",
        "Nothing of this name is declared, or not here.",
        "when helth[p] = 0: nothing",
        "when health[p] = 0: nothing",
        "A misspelt name must not become a new thing.",
    ),
    error(
        "RIT302",
        "a value of the wrong type",
        "Another type is wanted here, or two types are compared that never agree.",
        "when health[p] = lantern: nothing",
        "when hand[p] = lantern: nothing",
        "The question would have no sense, and its answer would always be no.",
    ),
    error(
        "RIT303",
        "a value of several enums",
        "The word belongs to more than one enum, and nothing says which is meant.",
        "hand[p] is red      # a Color and a Team",
        "hand[p].color = red",
        "The two questions have different answers.",
    ),
    error(
        "RIT304",
        "`this`, `holder` or `ended` without its place",
        "`this` needs a card's rules, `holder` a card's `while` guard, `ended` a procedure that `ends as …`.",
        "rule safe(p: player): any of\n  own: p = holder",
        "while held:\n  add safe.own: p = holder",
        "There is no card, seat or end it could mean.",
    ),
    error(
        "RIT305",
        "whose?",
        "Something with an owner is named without one, or something without an owner with one.",
        "when health = 0: nothing",
        "when health[p] = 0: nothing",
        "Each owner has another value.",
    ),
    error(
        "RIT306",
        "a dummy where a player is needed",
        "A seat may be a dummy, and dummies have no such counter and make no choices.",
        "each s in seats:\n  when health[s] = 0: nothing",
        "each p in players:\n  when health[p] = 0: nothing",
        "A dummy has nothing to lose and nobody to ask.",
    ),
    error(
        "RIT307",
        "the wrong number of inputs",
        "A rule, procedure or built-in word is given more or fewer values than it takes.",
        "cost(p, 2)      # rule cost(p: player)",
        "cost(p)",
        "An input left out or left over hides a misunderstanding.",
    ),
    error(
        "RIT308",
        "a procedure used as a value",
        "A procedure does something and has no value.",
        "let x = turn(p)",
        "let x = cost(p)",
        "Only rules say something.",
    ),
    error(
        "RIT309",
        "compared with none",
        "Nothing equals `none`, not even `none`.",
        "when target = none: nothing",
        "when target is none: nothing",
        "Two absent values are not the same thing.",
    ),
    error(
        "RIT310",
        "not a value of this type",
        "An enum does not have this word, or an attribute's number or yes/no is outside of its type.",
        "color: rde",
        "color: red",
        "The card would match no rule.",
    ),
    error(
        "RIT311",
        "a name in use",
        "A name for `each`, `let` or a counted thing already means something here.",
        "each deck in players: nothing",
        "each p in players: nothing",
        "A word should mean one thing in one place.",
    ),
    error(
        "RIT312",
        "a table without otherwise",
        "The cases do not say what holds when none of them does.",
        "amount:\n  health[p] > 3: 2",
        "amount:\n  health[p] > 3: 2\n  otherwise: 0",
        "A missing case would surface in the middle of a game.",
    ),
    error(
        "RIT313",
        "an empty or endless range",
        "The first number is above the second, or too many lie between.",
        "each n in 7..1: nothing",
        "each n in 1..7: nothing",
        "No number would fit.",
    ),
)
