"""A choice as people read and answer it: who decides, and the options with what stands on their cards.

In: a session, its waiting choice, and what stands on cards. Out: lines, and the option that somebody means.
"""

from __future__ import annotations

from ritual_dsl.cli.board import Board
from ritual_dsl.cli.lines import wrapped
from ritual_dsl.cli.printed import BETWEEN, Printed
from ritual_dsl.diagnostics import near_miss
from ritual_dsl.diagnostics.human import printable
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.session import Session
from ritual_dsl.engine.teller import Teller

ECHOED = 64  # characters of what somebody typed


class Question:
    def __init__(self, session: Session, choice: Choice, printed: Printed) -> None:
        self.session = session
        self.choice = choice
        self.printed = printed
        self.teller = Teller(session.run, printed.lang)
        self.names = [printable(self.teller.value(option, choice.type)) for option in choice.options]
        self.numbered = choice.type.kind != "number"  # options that are numbers themselves are named, not counted

    def picked(self, line: str) -> int | None:
        """Which option is meant: by its name, its id or its number."""
        for names in (self.names, self.session.shown(self.choice)):
            if line in names:
                return names.index(line)
        number = int(line) if len(line) < 10 and line.isascii() and line.isdigit() else 0
        return number - 1 if self.numbered and 1 <= number <= len(self.names) else None

    def card(self, word: str) -> str:
        """The card that is meant: that of an option, or whatever is called so."""
        picked = self.picked(word)
        option = self.choice.options[picked] if picked is not None else None
        return option if self.choice.type.kind == "card" and option is not None else word

    def refusal(self, line: str) -> list[str]:
        line = printable(line[:ECHOED])
        hint = near_miss(line, self.names) or "offered: " + listing(self.names)
        return wrapped(f"`{line}` is not offered; {hint} (`help` lists commands)")

    # ---- what is printed

    def lines(self, board: Board, just_read: bool) -> list[str]:
        """The question; the text of cards in places is left out where the view just showed it."""
        lines = ["", *wrapped(self.heading())]
        if not self.numbered:
            numbers = [name for name, option in zip(self.names, self.choice.options, strict=True) if option is not None]
            lines += wrapped(", ".join(numbers), "  ")
        for number, (name, option) in enumerate(zip(self.names, self.choice.options, strict=True), 1):
            head = f"  {number}) " if self.numbered else "  "
            if option is None:
                lines += wrapped(f"{name} (decline)", head)
            elif self.numbered:
                lines += self.option_lines(head, name, option, board, just_read)
        return lines

    def heading(self) -> str:
        who, label = self.teller.people(self.choice.who), self.teller.word(self.choice.label)
        if len(self.choice.who) == 1:
            return f"{who} decides: {label}?{self.so_far()}"
        people = self.session.people.intersection(self.choice.who)
        absent = len(people) < len(self.choice.who)
        answering = f" ({self.teller.people(tuple(sorted(people)))} for all; the others are bots)" if absent else ""
        return f"{who} decide together{answering}: {label}?{self.so_far()}"

    def so_far(self) -> str:
        """What the same people have just chosen, before anything came of it."""
        chosen: list[str] = []
        for event in reversed(self.session.run.state.log):
            if event.kind not in ("asked", "chose") or event.public[1] != self.choice.who:
                break
            label, _, option = event.public
            if event.kind == "chose" and option is not None:
                shown = self.teller.value(option, self.teller.label_type(label, (option,)))
                chosen.insert(0, f"{self.teller.word(label)}: {shown}")
        return f" ({', '.join(chosen)})" if chosen else ""

    def option_lines(self, head: str, name: str, option: object, board: Board, just_read: bool) -> list[str]:
        card = self.session.game.cards.get(str(option)) if self.choice.type.kind == "card" else None
        if card is None:
            return wrapped(name, head)
        if card.piece:
            return wrapped(BETWEEN.join([name, *self.printed.facts(card)]), head)
        if card.id not in board.in_places:
            return self.printed.whole(card, head)
        indent = " " * (len(head) + 2)
        return wrapped(name, head) + ([] if just_read else self.printed.text(card, indent))
