"""Codes about play."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    # ---- play
    error(
        "RIT501",
        "not offered",
        "The answer is not among the options of the choice, or no choice is waiting.",
        "choices: [{A: A}]      # offered: B, C",
        "choices: [{A: B}]",
        "Only what the rules allow can be chosen.",
    ),
    error(
        "RIT502",
        "a loop without end",
        "A `repeat` has gone round more often than the limit.",
        "repeat until deck is empty:\n  nothing",
        "repeat until deck is empty:\n  move top of deck to discard",
        "The game would hang.",
    ),
    error(
        "RIT503",
        "too much work",
        "One run asked more questions than the limit.",
        "six `each` blocks in each other",
        "a rule that counts once",
        "The game would hang.",
    ),
    error(
        "RIT504",
        "an absent value",
        "A value is needed, and there is none: nobody is meant, or a clause is missing.",
        "move top of deck to hand[target]      # target is none",
        "when target is not none:\n  move top of deck to hand[target]",
        "Going on would mean to guess.",
    ),
    error(
        "RIT505",
        "a choice without options",
        "A player is asked, and nothing can be answered.",
        "p chooses target from players except players",
        "when some q in players except p has health[q] > 0:\n  let t = p chooses target from players except p",
        "The game would wait for ever.",
    ),
    error(
        "RIT506",
        "a move that cannot be made",
        "A card is taken from an empty place, or put where only one card fits and one lies already.",
        "move top of deck to hand[p]      # hand[p] holds a card",
        "move hand[p] to discard\nmove top of deck to hand[p]",
        "Cards neither appear nor vanish.",
    ),
    error(
        "RIT507",
        "out of bounds",
        "A variable is given a number outside of its range.",
        "variable step: 0..3, starts as 0\n…\nstep := step + 1      # at 3",
        "step := min(3, step + 1)",
        "Only counters keep to their bounds by themselves.",
    ),
    error(
        "RIT508",
        "two patches hold together",
        "In this state two patches of one layer say different things about one label.",
        "lantern and rope are held, and both replace cost.amount",
        "one replaces cost.amount, the other limits it",
        "Nothing says which of them counts. See RIT407.",
    ),
    error(
        "RIT509",
        "the wrong player answers",
        "Somebody other than the player asked has answered, or wants to do what is another's to do.",
        "choices: [{B: take}]      # A is asked",
        "choices: [{A: take}]",
        "The answer belongs to another choice, or one is missing before it; `do` is for those who are asked.",
    ),
    error(
        "RIT510",
        "the wrong number of players",
        "The game is not for this many players, or two have the same name.",
        "players: 1      # the game says 2..4",
        "players: 3",
        "The rules say nothing about such a table.",
    ),
    error(
        "RIT511",
        "a language that the game has not",
        "The cards are asked for in a language that the game does not declare.",
        "ritual play my_game --lang jp",
        "ritual play my_game --lang ja",
        "They have no names in it.",
    ),
    error(
        "RIT512",
        "not at this time",
        "What may happen at any time has a condition that does not hold, or there is nobody who may do it.",
        "do: {rest: {p: A}}      # procedure rest(p: player) at any time when health[p] < 7, and A has 7",
        "given: {health: {A: 5}}\ndo: {rest: {p: A}}",
        "Nothing that is refused passes in silence.",
    ),
)
