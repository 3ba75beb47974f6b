"""The terminal of `ritual play`: who sits at it, what they are told, and what they may type.

In: a session. Out: answers to its choices, until the game is over or somebody quits.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ritual_dsl.diagnostics import RitualError, near_miss
from ritual_dsl.diagnostics.human import printable
from ritual_dsl.diagnostics.human import show as show_finding
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.session import Session
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import Seat, news, observations, view
from ritual_dsl.model.types import Type

COMMANDS = """  a number or a name   choose that option
  view                 what you see now
  log                  everything you have seen so far
  undo                 back to your last answer
  save FILE            save the game; `--resume FILE` goes on with it
  do NAME VALUE…       what may happen at any time: {any_time}
  quit                 leave"""
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled away, and back to the top
SCREEN = 60  # lines, where the output is no terminal


class Table:
    """The terminal: who sits at it, and what they have been told."""

    def __init__(self, session: Session, lang: str) -> None:
        self.session = session
        self.lang = lang
        self.told: dict[Seat, int] = {}
        self.at_keyboard: Seat = session.people

    @property
    def teller(self) -> Teller:
        return Teller(self.session.run, self.lang)

    def options(self, choice: Choice) -> list[str]:
        """The options as people read them."""
        return [printable(self.teller.value(option, choice.type)) for option in choice.options]

    def option(self, choice: Choice, line: str) -> int | None:
        """Which option is meant: by its name, its id or its number."""
        for names in (self.options(choice), self.session.shown(choice)):
            if line in names:
                return names.index(line)
        number = int(line) if len(line) < 10 and line.isascii() and line.isdigit() else 0
        return number - 1 if numbered(choice.type) and 1 <= number <= len(choice.options) else None

    def play(self) -> bool:
        """Until the game is over (True) or somebody quits."""
        session = self.session
        while not session.run.finished:
            choice = session.run.choice
            assert choice is not None
            if not session.for_people(choice.who):
                session.bot_answer()
            elif not self.ask(choice):
                return False
        for seat in session.people if len(session.people) == 1 else ():
            self.tell(seat)
        return True

    def ask(self, choice: Choice) -> bool:
        """One choice of a person; False to quit."""
        people = self.session.people.intersection(choice.who)
        seat = next(iter(people)) if len(people) == 1 else people  # several together: what they see alike
        self.hand_over(seat)
        self.tell(seat)
        self.show_view(seat)
        self.show_options(choice)
        while True:
            line = input("> ").strip()
            command, _, rest = line.partition(" ")
            picked = self.option(choice, line)
            if picked is not None:
                self.session.answer(choice.options[picked])
                return True
            match command:
                case "":
                    continue
                case "quit":
                    return False
                case "help":
                    print(COMMANDS.format(any_time=self.any_time()))
                case "view":
                    self.show_view(seat)
                    self.show_options(choice)
                case "log":
                    self.tell(seat, everything=True)
                case "save":
                    self.save(rest.strip())
                case "undo":
                    if self.session.undo(choice.who):
                        self.told.clear()
                        print("Taken back.")
                        return True
                    print("There is nothing of yours to take back.")
                case "do":
                    if self.interrupt(rest.split()):
                        return True
                case _:
                    self.refuse(line, choice)

    def refuse(self, line: str, choice: Choice) -> None:
        names = self.options(choice)
        line = printable(line[:80])
        hint = near_miss(line, names) or "offered: " + listing(names)
        print(f"`{line}` is not offered; {hint} (`help` lists commands)")

    def any_time(self) -> str:
        found = [p for p in self.session.game.procedures.values() if p.any_time]
        return ", ".join(" ".join([p.name, *(name.upper() for name, _ in p.params)]) for p in found) or "nothing here"

    def save(self, name: str) -> None:
        if not name:
            print("Save where? `save FILE`")
            return
        try:
            self.session.save(Path(name))
            print(f"Saved in {printable(name)}.")
        except (RitualError, ValueError) as error:
            print_error(error)

    def interrupt(self, parts: list[str]) -> bool:
        if not parts:
            print(f"What may happen at any time: {self.any_time()}")
            return False
        try:
            self.session.interrupt(parts[0], parts[1:])
        except RitualError as error:
            print_error(error)
            return False
        return True

    # ---- what is printed

    def hand_over(self, seat: Seat) -> None:
        """Nobody reads another's view: the keyboard changes hands in between."""
        if len(self.session.people) < 2 or seat == self.at_keyboard:
            return
        self.at_keyboard = seat
        print(CLEAR if sys.stdout.isatty() else "\n" * SCREEN)
        input(f"The keyboard goes to {self.who(seat)}. Press Enter when ready. ")

    def who(self, seat: Seat) -> str:
        if seat is None:
            return "everybody"
        return self.teller.people((seat,) if isinstance(seat, int) else tuple(sorted(seat)))

    def tell(self, seat: Seat, everything: bool = False) -> None:
        """What a player has observed since last told."""
        run = self.session.run
        seen = observations(run, seat)
        start = 0 if everything else min(self.told.get(seat, 0), len(seen))
        self.told[seat] = len(seen)
        for observation in news(run, seen, start):
            print(f"- {printable(self.teller.sentence(observation))}")

    def show_view(self, seat: Seat) -> None:
        run = self.session.run
        print(f"\n{self.who(seat)} {'see alike' if isinstance(seat, frozenset) else 'sees'}:")
        print("\n".join(printable(line) for line in self.teller.view_lines(view(run, seat))))

    def show_options(self, choice: Choice) -> None:
        together = " together" if len(choice.who) > 1 else ""
        print(f"\n{self.teller.people(choice.who)}{together}: {self.teller.word(choice.label)}?")
        for number, name in enumerate(self.options(choice), 1):
            print(f"  {number}) {name}" if numbered(choice.type) else f"  {name}")


def numbered(type: Type) -> bool:
    """Options that are numbers themselves are named, not counted."""
    return type.kind != "number"


def print_error(error: Exception) -> None:
    found = error.diagnostics if isinstance(error, RitualError) else ()
    print("\n".join(show_finding(d) for d in found) or f"That does not work: {error}")
