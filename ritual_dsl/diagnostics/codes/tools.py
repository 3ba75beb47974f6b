"""Codes about saves, sheets and faults of the program."""

from __future__ import annotations

from ritual_dsl.diagnostics.codes.entry import Code, error

TABLE: tuple[Code, ...] = (
    # ---- saves and faults
    error(
        "RIT701",
        "a save that does not fit",
        "The saved game is damaged, or was played with other rules.",
        "a save of my_game opened with my_game+long_night",
        "a save of my_game opened with my_game",
        "Replaying it would lead to another table than the one saved.",
    ),
    error(
        "RIT801",
        "a sheet cannot be written",
        "The place cannot be written to, or is taken by a file that was not made here, or was changed since.",
        "render into a folder with a rules.en.html of your own",
        "render into another folder with --out, or replace it with --force",
        "Nothing a user wrote is overwritten without being asked.",
    ),
    error(
        "RIT901",
        "an internal fault",
        "The program itself is at fault, not your files.",
        "internal fault: …",
        "send the report file named in the message, with the game's files",
        "A fault that is reported can be mended.",
    ),
)
