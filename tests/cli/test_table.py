"""What `ritual play` shows of the cards: in places, when they are new, at a choice, and when asked for."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from ritual_dsl import load
from ritual_dsl.cli.lines import UNIT, WORD, wrapped
from ritual_dsl.cli.printed import Printed
from ritual_dsl.diagnostics.human import width

sys.path.insert(0, str(Path(__file__).parent))
from test_play import play

GAME = "shipwreck_arcana"
TABLE = (GAME, "--players", "3", "--seed", "7")


def turns(text: str) -> list[str]:
    """What is printed from one prompt to the next."""
    return text.split("\n> ")


def test_places_show_their_cards_and_what_lies_on_them() -> None:
    text = turns(play(*TABLE, typed="A\n1\n1\nquit\n"))
    assert "1  The Belltower · Moons: 2 · back: Throw back a lower one\n       If the sum of your fates" in text[0]
    assert "lying" in text[0] and "lying:" not in text[0]  # nothing yet
    assert "play either here.\n       lying: Fate 2 · Hours: 1\n    2  The Huntress" in text[3]


def test_a_view_that_did_not_change_is_not_shown_again_and_options_say_what_stands_on_them() -> None:
    place = turns(play(*TABLE, typed="A\nFate 2\nquit\n"))[2]
    assert "A sees:" not in place
    assert "A decides: place? (fate: Fate 2)\n  1) The Belltower\n       If the sum of your fates can be" in place


def test_a_card_is_new_once() -> None:
    text = turns(play(*TABLE, typed="A\n1\n1\nnone\nquit\n"))
    assert "New here (`card NAME` shows it again):\n  Midnight · Moons: 3\n    Play the lower" in text[0]
    assert "  Fate 2 · Hours: 1\n    It takes up 1 hour" in text[1]
    assert "on top of 15 face down" in text[3] and "Play the lower" not in text[3]
    assert "It takes up 1 hour" not in text[3]


def test_powers_are_told_where_they_are_chosen() -> None:
    lines = ["A", "", "1", "1", "", "3", "", "1", "1", "", "1", "", "1", "1", "", ""]
    text = play(GAME, "--players", "2", "--seed", "7", "--seat", "all", typed="\n".join(lines))
    power = text[text.index("decides: power?") :]
    assert "back: Higher?: Before predicting, the others name a number" in power[: power.index("none (decline)")]


def test_any_card_of_the_game_can_be_looked_up() -> None:
    words = ["the mirror", "THE_MIRROR", "mirror", "the mirorr", "", "1", "9", "\x1b[31m" + "x" * 9000]
    typed = "A\n" + "".join(f"card {word}\n" for word in words) + "quit\n"
    found = turns(play(*TABLE, typed=typed))[2:]
    mirror = "  The Mirror · Moons: 1 · §L\n    If your fates are the same, play one here.\n    back: Twice: Before"
    assert all(text.startswith(mirror) for text in found[:3])
    assert "There is no card `the mirorr`; did you mean `the mirror`?" in found[3]
    assert "Which card?" in found[4]
    assert "  Fate 2 · Hours: 1 · Copies: 3 · §D4" in found[5]
    assert "There is no card `9`" in found[6]
    assert "\x1b" not in found[7] and len(found[7]) < 300


def test_what_a_player_may_look_up_is_the_same_for_everybody() -> None:
    typed = "A\n\ncard dawn\n1\n1\n\ncard dawn\nquit\n"
    text = turns(play(*TABLE, "--seat", "all", typed=typed))
    told = [part[: part.index("play either") if "play either" in part else None] for part in text if "§L" in part]
    assert len(told) == 2 and told[0] == told[1]


def test_cards_and_the_aid_are_shown_and_the_question_again() -> None:
    text = turns(play(*TABLE, typed="A\ncards\naid\nhelp\nquit\n"))
    assert "The Prophet · Moons: 2\n    If one of your fates" in text[2] and "Fate 2 · Hours: 1" in text[2]
    assert "Fading\n  - An arcana fades at the end of a turn" in text[3]
    assert "card NAME" in text[4] and "note WRITER P V" in text[4] and "reveal" not in text[4]
    assert all(part.rstrip().endswith("2) Fate 1 · Hours: 1") for part in text[2:5])


def test_a_team_is_told_who_decides_and_how_to_decline() -> None:
    typed = "\n".join(["1", "", "1", "1", "", "none", ""])
    text = play(*TABLE, "--seat", "all", typed=typed)
    assert "The keyboard goes to B and C, who decide together." in text
    assert "B and C see alike:" in text
    assert "B and C decide together: prediction?\n  1, 2, 3, 4, 5, 6, 7\n  none (decline)" in text
    alone = play(*TABLE, typed="A\n1\n1\nquit\n")
    assert "A and C decide together (A for all; the others are bots): prediction?" in alone
    assert "B and C decline prediction" in alone


def test_nothing_is_told_twice() -> None:
    """Neither to players who were told together before, nor after something was taken back."""
    text = play(*TABLE, "--seat", "all", typed="A\n\n1\n1\n\nquit\n")
    assert text.count("- deck is shuffled") == 1
    text = play(*TABLE, typed="A\n1\nundo\nquit\n")
    assert text.count("- deck is shuffled") == text.count("- active is now A") == 1


def test_what_somebody_saw_is_gone_when_several_have_played_to_the_end() -> None:
    text = play("arkham_ritual", "--seed", "3", "--seat", "all", typed="1\n" * 3000)
    assert "\n" * 50 + "\nThe game is over" in text.replace("\n\n\nThe", "\n\nThe")


def test_a_name_that_no_file_can_have() -> None:
    text = play(GAME, "--seed", "7", typed=f"save {'x' * 300}\nsave {'x' * 9000}\nquit\n")
    assert "cannot be written: File name too long" in text and "too long for the name of a file" in text
    assert "RIT701" in play(GAME, "--save", "x" * 300, code=2)


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("game", [GAME, "arkham_ritual"])
def test_lines_fit_a_terminal(game: str, lang: str) -> None:
    text = play(game, "--lang", lang, "--seed", "5", typed="1\ncards\naid\nhelp\n1\n1\n1\n1\n1\n1\n")
    assert max(width(line.removeprefix("> ")) for line in text.splitlines()) <= 80
    printed = Printed(load(game), lang)
    for card in printed.game.cards.values():
        assert printed.text(card, "")
        assert "[" not in " ".join(printed.whole(card, ""))  # nothing is missing in this language


@pytest.mark.parametrize("unit", [UNIT, WORD])
def test_wrapping_loses_nothing(unit: re.Pattern[str]) -> None:
    for text in (
        "a" * 300,
        "魔" * 130,
        "",
        "  ",
        "、" * 200,
        "「" * 160,
        "x「「 y",
        "가나 다라 " * 40,
        "1〜6の数" * 30,
    ):
        lines = wrapped(text, "  - ", unit)
        assert max(map(width, lines)) <= 80
        assert "".join(line[4:] for line in lines).replace(" ", "") == text.replace(" ", "")


def test_lines_break_where_the_language_breaks() -> None:
    assert wrapped("魔" * 39 + "、魔。") == ["魔" * 39 + "、", "魔。"]
    assert all(not line.startswith(("、", "。")) for line in wrapped("魔" * 40 + "。" + "魔" * 39 + "、"))
    assert wrapped("가나다라 " * 12)[0] == " ".join(["가나다라"] * 9)
