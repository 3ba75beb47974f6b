"""Codes about odds, differences between games, and deep checks."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error, warning

TABLE: tuple[Code, ...] = (
    error(
        "RIT640",
        "odds that cannot be worked out",
        "Cards are dealt from a pile to zones with room for one card; what is run takes no inputs; what is reported is"
        " a truth or a number.",
        "odds with discard from deck after score:",
        "odds with hand from deck after score:",
        "There must be a known number of deals, each as likely, and something to count in them.",
    ),
    error(
        "RIT641",
        "too many deals, or too few cards",
        "The deals are of so many kinds that running them all takes too long, or there are more places than cards.",
        "twelve players and sixty different cards",
        "the same game with five players",
        "Odds are exact or not at all.",
    ),
    error(
        "RIT642",
        "not settled by the deal",
        "What is run asks a player, shuffles, or looks at the order of a pile that was not dealt.",
        "odds with hand from deck after turn:",
        "odds with hand from deck after score:",
        "Every deal has to come out in one way.",
    ),
    error(
        "RIT643",
        "odds cannot start from this",
        "What is given is what the odds would deal, is hidden from the player asked about although the rules ask for"
        " it, or leaves no card to deal.",
        "given: {deck: [lantern]}",
        "given: {discard: [lantern]}",
        "What is known must leave equally likely deals of the rest.",
    ),
    error(
        "RIT644",
        "no odds",
        "The rules of the game declare no odds.",
        "ritual odds my_game",
        "odds with hand from deck after score:\n  each p in players by hand[p]:\n    survives: not fails(p)",
        "What is worth counting is a matter of the game.",
    ),
    error(
        "RIT650",
        "games that cannot be compared",
        "The two games have no number of players in common.",
        "ritual diff my_game ./for_eight_to_ten.yaml",
        "ritual diff my_game ./for_four_to_six.yaml",
        "The same deals are run in both.",
    ),
    warning(
        "RIT651",
        "a game that can run for ever",
        "A game that was played out, at random or by players who always say the same, did not come to an end.",
        "repeat until deck is empty:\n  p chooses answer:\n    draw: move top of deck to discard\n    wait: nothing",
        "repeat until deck is empty:\n  move top of deck to discard",
        "What never ends is no game.",
    ),
    warning(
        "RIT652",
        "a card nobody could ever want, or ever refuse",
        "Whatever the others hold, everything that the odds report about its holder is at one end.",
        "add safe.always: hand[p] is lantern",
        "add safe.lit: hand[p] is lantern and number of deck > 3",
        "A card that is always best or always worst leaves nothing to decide.",
    ),
    warning(
        "RIT653",
        "a favoured seat",
        "Games at random are won from one seat far more, or far less, often than from the others.",
        "add alive.first: p != first q in players clockwise after p",
        "add alive.left: health[p] > 0",
        "The rules alone should not decide who wins.",
    ),
    error(
        "RIT750",
        "too many worlds",
        "There are more ways in which the unknown could have fallen than are looked at one by one.",
        "do: game      # from the first shuffle, and nothing is known",
        "given: {hand: {B: rope, C: map}}      # what lies in sight",
        "What is deduced is exact or not said at all.",
    ),
    error(
        "RIT751",
        "a game that did not go like this",
        "The file is a game as it was, with its chance, and an answer in it cannot have been given.",
        "seed: 7\nchoices: [{A: fly}]",
        "seed: 7\nchoices: [{A: keep}]",
        "What was seen cannot be learned from a game that was not played.",
    ),
    error(
        "RIT752",
        "what cannot have happened",
        "No way in which the unknown could have fallen allows everything the file says.",
        "given: {hand: {A: unknown}, discard: [rope, rope]}\nchoices: [{A: rope}]",
        "given: {hand: {A: unknown}, discard: [rope]}\nchoices: [{A: rope}]",
        "Something was noted down wrongly, or the rules were broken.",
    ),
    error(
        "RIT753",
        "an unknown assumption",
        "The rules declare no such assumption, or it is not about what is named.",
        "--assume 'nothing fited on Rope'",
        "--assume 'nothing fitted on Rope'",
        "An assumption is as exact as a rule, so the game declares it.",
    ),
    error(
        "RIT754",
        "a secret that is given",
        "The file gives the value of a variable that the player does not see.",
        "given: {secret: {A: red}}      # only A sees it, and B asks",
        "given: {hand: {B: rope}}",
        "Pieces that a player does not see are taken back to where they might as well be; a value has no such place.",
    ),
)
