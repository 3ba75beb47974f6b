"""The terminal of `ritual play`: who sits at it, what they are told, and what they may type.

In: a session. Out: answers to its choices, until the game is over or somebody quits.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ritual_dsl.cli.board import Board
from ritual_dsl.cli.lines import wrapped
from ritual_dsl.cli.printed import Printed
from ritual_dsl.cli.question import ECHOED, Question
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.diagnostics.human import printable
from ritual_dsl.diagnostics.human import show as show_finding
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.possible import possible
from ritual_dsl.engine.session import Session
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import Observation, Seat, eyes, news

COMMANDS = {
    "a number or a name": "choose that option; `none` declines",
    "view": "what you see now; of variables, those that changed",
    "card NAME": "both sides of a card of the game, or of the option with that number",
    "cards": "all cards that you see, with what stands on them",
    "aid": "the rules in short",
    "log": "everything you have seen so far",
    "undo": "back to your last answer",
    "save FILE": "save the game; `--resume FILE` goes on with it",
    "do NAME VALUE…": "what may happen at any time, now: ",
    "quit": "leave",
}
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled away, and back to the top
LONGEST_PATH = 1000
SCREEN = 60  # lines, where the output is no terminal


class Table:
    """The terminal: who sits at it, and what they have been told."""

    def __init__(self, session: Session, printed: Printed) -> None:
        self.session = session
        self.printed = printed
        self.told: dict[int, dict[int, Observation]] = {}  # player -> event -> as that player was told of it
        self.read: dict[int, set[str]] = {}  # player -> cards that were shown whole
        self.on_screen: list[str] = []  # the view that whoever is at the keyboard has read last
        self.at_keyboard: Seat = session.people

    @property
    def teller(self) -> Teller:
        return Teller(self.session.run, self.printed.lang)

    def play(self) -> bool:
        """Until the game is over (True) or somebody quits."""
        session = self.session
        if session.people:
            show([*self.printed.introduction(), "Type `help` for the commands, `aid` for the rules in short.", ""])
        while not session.run.finished:
            choice = session.run.choice
            assert choice is not None
            if not session.for_people(choice.who):
                session.bot_answer()
            elif not self.ask(choice):
                return False
        if len(session.people) == 1:
            self.tell(session.people)
        elif session.people:
            clear()  # what the last one saw
        return True

    def ask(self, choice: Choice) -> bool:
        """One choice of a person; False to quit."""
        seat = self.session.people.intersection(choice.who)  # several together: what they see alike
        question = Question(self.session, choice, self.printed)
        self.hand_over(seat)
        self.tell(seat)
        self.show_table(seat, question)
        while True:
            line = input("> ").strip()
            picked = question.picked(line)
            if picked is not None:
                self.session.answer(choice.options[picked])
                return True
            if line == "quit":
                return False
            if self.command(line, question, seat):
                return True

    def command(self, line: str, question: Question, seat: frozenset[int]) -> bool:
        """Whether it changed the game, so that the question is another."""
        word, _, rest = line.partition(" ")
        match word:
            case "view":
                self.on_screen = []
                self.show_table(seat, question)
            case "help" | "?" | "cards" | "aid" | "log":
                self.inform(word, seat)
                show(question.lines(self.board(seat), just_read=True))
            case "card":
                card = question.card(rest.strip())
                show(self.printed.lookup(card) if card else ["Which card? `card NAME`; `cards` shows those you see."])
            case "save":
                self.save(rest.strip())
            case "undo":
                return self.undo(question.choice)
            case "do":
                return self.interrupt([part[:ECHOED] for part in rest.split()])
            case _ if word:
                show(question.refusal(line))
        return False

    def inform(self, word: str, seat: frozenset[int]) -> None:
        """What is long, so that the question is asked again behind it."""
        match word:
            case "cards":
                self.show_cards(self.board(seat).cards())
            case "aid":
                show(self.printed.aid())
            case "log":
                self.tell(seat, everything=True)
            case _:
                show(self.help())

    def help(self) -> list[str]:
        told = COMMANDS | {name: text + self.any_time() for name, text in COMMANDS.items() if text.endswith(" ")}
        return [line for name, text in told.items() for line in wrapped(text, f"  {name:20} ")]

    def any_time(self) -> str:
        found = possible(self.session.run, self.session.people)
        return ", ".join(" ".join([p.name, *(name.upper() for name, _ in p.params)]) for p in found) or "nothing now"

    def save(self, name: str) -> None:
        if not name:
            print("Save where? `save FILE`")
            return
        if len(name) > LONGEST_PATH:
            print("That is too long for the name of a file.")
            return
        try:
            self.session.save(Path(name))
            print(f"Saved in {printable(name)}.")
        except (RitualError, ValueError) as error:
            print_error(error)

    def undo(self, choice: Choice) -> bool:
        if not self.session.undo(choice.who):
            print("There is nothing of yours to take back.")
            return False
        events = len(self.session.run.state.log)
        for told in self.told.values():
            for number in [number for number in told if number >= events]:
                del told[number]
        self.on_screen = []
        print("Taken back.")
        return True

    def interrupt(self, parts: list[str]) -> bool:
        """Everybody at this keyboard may speak up, whoever has it now."""
        if not parts:
            print(f"What may happen at any time, now: {self.any_time()}")
            return False
        try:
            self.session.interrupt(parts[0], parts[1:], self.session.people)
        except RitualError as error:
            print_error(error)
            return False
        return True

    # ---- what is printed

    def board(self, seat: frozenset[int]) -> Board:
        return Board(self.session.run, seat, self.printed)

    def hand_over(self, seat: frozenset[int]) -> None:
        """Nobody reads another's view: the keyboard changes hands in between."""
        if len(self.session.people) < 2 or seat == self.at_keyboard:
            return
        self.at_keyboard = seat
        self.on_screen = []
        clear()
        together = ", who decide together" if len(seat) > 1 else ""
        input(f"The keyboard goes to {self.who(seat)}{together}. Press Enter when ready. ")
        print()

    def who(self, seat: frozenset[int]) -> str:
        return self.teller.people(tuple(sorted(seat)))

    def tell(self, seat: frozenset[int], everything: bool = False) -> None:
        """What players have observed, several alike, that one of them was not yet told as precisely."""
        run = self.session.run
        for number, observation in news(run, seat):
            event = run.state.log[number]
            known = [self.told.get(p, {}).get(number) in (observation, event.seen_by(eyes(run, p))) for p in seat]
            if everything or not all(known):
                show(wrapped(self.teller.sentence(observation), "- "))
            for player, knows in zip(seat, known, strict=True):
                if not knows:
                    self.told.setdefault(player, {})[number] = observation

    def show_table(self, seat: frozenset[int], question: Question) -> None:
        """The question, below the view where that is not still on the screen, and cards that are new."""
        board = self.board(seat)
        lines = board.lines()
        changed = lines != self.on_screen
        self.on_screen = lines
        if changed:
            print(f"\n{self.who(seat)} {'see alike' if len(seat) > 1 else 'sees'}:")
            show(lines)
            self.show_new(seat, board)
        show(question.lines(board, just_read=changed))

    def show_new(self, seat: frozenset[int], board: Board) -> None:
        """What stands on cards that one of them has not read; places show their cards all the time."""
        read = set.intersection(*(self.read.setdefault(player, set()) for player in seat))
        new = [card for card in board.cards() if card not in read and card not in board.in_places]
        if new:
            print("\nNew here (`card NAME` shows it again):")
            self.show_cards(new)
        for player in seat:
            self.read[player].update(new)

    def show_cards(self, ids: list[str]) -> None:
        for id in ids:
            show(self.printed.whole(self.session.game.cards[id], "  "))
        if not ids:
            print("No face of a card is to be seen.")


def show(lines: list[str]) -> None:
    if lines:
        print("\n".join(lines))


def clear() -> None:
    print(CLEAR if sys.stdout.isatty() else "\n" * SCREEN)


def print_error(error: Exception) -> None:
    found = error.diagnostics if isinstance(error, RitualError) else ()
    print("\n".join(show_finding(d) for d in found) or f"That does not work: {error}")
