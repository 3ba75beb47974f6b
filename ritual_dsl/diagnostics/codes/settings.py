"""Codes about what counts: settings, comments, baselines, standard input."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error, warning

TABLE: tuple[Code, ...] = (
    error(
        "RIT150",
        "a setting that is not known",
        "`[tool.ritual]` or `ritual.toml` has a key, a code or a level that does not exist, or lowers an error.",
        '[codes]\nRIT361 = "of"',
        '[codes]\nRIT361 = "off"',
        "A misspelt setting would do nothing, and nobody would notice.",
    ),
    warning(
        "RIT151",
        "an allow that silences nothing",
        "`# ritual: allow CODE reason` stands at a line that has no such finding.",
        "lantern:      # ritual: allow RIT361 a translator is at work\n  name: {en: Lantern, ja: 灯り}",
        "lantern:\n  name: {en: Lantern, ja: 灯り}",
        "It would hide the next mistake in this line.",
    ),
    warning(
        "RIT152",
        "an allow that cannot count",
        "The comment gives no reason, names no code of the table or an error, or is not understood.",
        "lantern:      # ritual: allow RIT361",
        "lantern:      # ritual: allow RIT361 a translator is at work",
        "Who reads it next must know why, and errors cannot be wished away.",
    ),
    error(
        "RIT153",
        "not a baseline",
        "The file given with `--baseline` is damaged, of another version, or something else.",
        "ritual check ./my_game --baseline notes.txt",
        "ritual check ./my_game --baseline old.json --write-baseline",
        "Nothing a user wrote is overwritten, and no finding is hidden by mistake.",
    ),
    error(
        "RIT154",
        "a text of unknown kind",
        "The text on standard input is neither a house rule nor a scenario file, and no name says where it belongs.",
        "ritual check - < rules.ritual",
        "ritual check - --stdin-filename my_game/rules.ritual < rules.ritual",
        "Rules and cards can only be checked as part of their game.",
    ),
    error(
        "RIT162",
        "a fix without a file",
        "`--fix` changes files, and a text on standard input is none.",
        "ritual check --fix - < house.yaml",
        "ritual check --fix house.yaml",
        "What was fixed would be lost.",
    ),
    error(
        "RIT160",
        "no such kind of file",
        "`ritual schema` knows a schema for each kind of YAML file, and this is none of them.",
        "ritual schema card",
        "ritual schema cards",
        "`ritual schema` without a kind lists them.",
    ),
    error(
        "RIT161",
        "no first change to suggest",
        "`ritual new` begins with a counter that starts higher or lower, shown by a procedure that asks nothing. "
        "The game has no such pair.",
        "ritual new ./mine --extends ./dice      # ./dice has no counter",
        "ritual copy ./dice ./mine",
        "A house rule that changes nothing could not be tested.",
    ),
)
