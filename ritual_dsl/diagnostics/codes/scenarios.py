"""Codes about scenario files."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    # ---- scenario files
    error(
        "RIT601",
        "an unknown name in a scenario",
        "`given` or `expect` names no zone, counter, variable, rule or clause of the game.",
        "given: {helth: 3}",
        "given: {health: 3}",
        "The scenario would test something else than it says.",
    ),
    error(
        "RIT602",
        "an unknown seat",
        "The seat named is not at the table.",
        "players: [A, B]\ngiven: {health: {C: 3}}",
        "players: [A, B]\ngiven: {health: {B: 3}}",
        "Seats the rules add are called dummy_1, dummy_2, …",
    ),
    error(
        "RIT603",
        "more copies than exist",
        "A card is laid out more often than the game has it, or is not in this deck.",
        "hand: {A: lantern, B: lantern}      # 1 copy",
        "hand: {A: lantern, B: rope}",
        "Such a table cannot come about.",
    ),
    error(
        "RIT604",
        "a zone partly given",
        "A zone with one card per seat is given for some seats only.",
        "players: [A, B]\ngiven: {hand: {A: lantern}}",
        "players: [A, B]\ngiven: {hand: {A: lantern, B: rope}}",
        "What the others hold would be left to chance.",
    ),
    error(
        "RIT605",
        "an unknown procedure in `do`",
        "The game has no such procedure, or it wants other inputs.",
        "do: tunr",
        "do: turn",
        "Nothing would be run.",
    ),
    error(
        "RIT606",
        "missing answers",
        "A choice is asked, and `choices` has no answer left.",
        "choices: []      # A is asked: take or pass",
        "choices: [{A: take}]",
        "A scenario never chooses by itself.",
    ),
    error(
        "RIT607",
        "answers left over",
        "The procedure is over, and `choices` still has answers.",
        "choices: [{A: take}, {B: pass}]      # only A is asked",
        "choices: [{A: take}]",
        "The game went another way than the scenario thinks.",
    ),
    error(
        "RIT608",
        "not a shuffle of these cards",
        "A result in `shuffles` does not hold exactly the cards that were shuffled.",
        "shuffles: [[lantern, lantern]]      # lantern and rope",
        "shuffles: [[rope, lantern]]",
        "A shuffle changes the order and nothing else.",
    ),
    error(
        "RIT609",
        "a scenario without `do`",
        "Nothing says which procedure is run.",
        "- name: a turn\n  expect: {health: 3}",
        "- name: a turn\n  do: turn\n  expect: {health: 3}",
        "Without it there is nothing to test.",
    ),
    error(
        "RIT610",
        "a value of the wrong type in a scenario",
        "The name takes another kind of value, or a number outside of its bounds.",
        "given: {health: lantern}",
        "given: {health: 3}",
        "Values are read as the rules declare them.",
    ),
    error(
        "RIT611",
        "no scenario of this name",
        "The file has no scenario of the name asked for, or none at all.",
        "ritual why turns.scenario.yaml 'a tunr'",
        "ritual why turns.scenario.yaml 'a turn'",
        "There is nothing to run.",
    ),
    error(
        "RIT612",
        "two scenarios of one name",
        "Names of scenarios are unique in a file.",
        "- name: a turn\n- name: a turn",
        "- name: a turn\n- name: a turn with an empty deck",
        "A report should say which of them failed.",
    ),
    error(
        "RIT613",
        "an expectation that does not hold",
        "The procedure ran, and what came out is not what `expect` says.",
        "do: score\nexpect: {health: {A: 3}}      # it is 2",
        "do: score\nexpect: {health: {A: 2}}",
        "Either the rules or the expectation is wrong: `ritual why` shows which clauses decided.",
    ),
)
