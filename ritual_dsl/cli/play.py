"""`ritual play`: a game in the terminal, against bots or with several people at one keyboard.

In: a game and what people type. Out: what each of them may see, a transcript, saves and scenarios.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from ritual_dsl.diagnostics import Findings, RitualError, fail, has_errors, near_miss
from ritual_dsl.diagnostics.human import printable, report
from ritual_dsl.diagnostics.human import show as show_finding
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.machine import Choice
from ritual_dsl.engine.run import seat_names
from ritual_dsl.engine.session import Session, read_save, refuse_existing, refuse_foreign, write
from ritual_dsl.engine.views import Seat, observations, sentence, view, view_lines, words
from ritual_dsl.loading.reference import choose
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Game
from ritual_dsl.model.types import Type

HELP = """Play a game in the terminal: some seats are people, the others bots.

example:
  ritual play GAME --players 4 --seat A --seat C --seed 7 --save evening.json
  ritual play --resume evening.json --seat A --seat C
"""
COMMANDS = """  a number or a name   choose that option
  view                 what you see now
  log                  everything you have seen so far
  undo                 back to your last answer
  save FILE            save the game; `--resume FILE` goes on with it
  do NAME VALUE…       what may happen at any time: {any_time}
  quit                 leave"""
SCREEN = 60  # lines that push the last player's view away


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game reference; not needed with --resume")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (default: as few as the game allows)")
    parser.add_argument("--seat", action="append", metavar="A", help="a person's seat; or `all`, `none` (default: A)")
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed and answers give the same game")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save here on `quit` and at the end")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved game")
    parser.add_argument("--save-as", type=Path, metavar="FILE", help="write the finished game as a scenario file")
    parser.add_argument("--bots", choices=["random"], default="random", help="how the other seats play")


def run(args: argparse.Namespace) -> int:
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    session = open_session(args)
    if args.save is not None:
        refuse_foreign(args.save)
    if args.save_as is not None:
        if not args.save_as.name.endswith(".scenario.yaml"):
            raise fail("RIT701", f"{args.save_as} must end in .scenario.yaml")
        refuse_existing(args.save_as)
    try:
        finished = Table(session).play()
    except (EOFError, KeyboardInterrupt):
        print("\nGoodbye; nothing was saved.")
        return 0
    if finished:
        print_end(session)
    if args.save is not None:
        session.save(args.save)
        print(f"Saved in {args.save}.")
    if args.save_as is not None and finished:
        refuse_existing(args.save_as)
        write(args.save_as, session.scenario())
        print(f"Written as a scenario: {args.save_as}.")
    elif args.save_as is not None:
        print("The game is not over, so no scenario was written.")
    return 0


def load(reference: str) -> Game:
    found = Findings()
    chosen = choose(reference, found)
    game = assemble(chosen, found) if chosen is not None else None
    if game is None or has_errors(found):
        raise RitualError(found)
    return game


def open_session(args: argparse.Namespace) -> Session:
    if args.resume is None:
        if args.game is None:
            raise fail("RIT510", "no game given", help="name a game, or a save with --resume")
        game = load(args.game)
        count = args.players if args.players is not None else game.players[0]
        players = seat_names(game, count)[:count]
        seed = args.seed if args.seed is not None else secrets.randbelow(1 << 32)
        return Session(game, players, seed, people_of(args.seat, players))
    data = read_save(args.resume)
    given = {"game": args.game, "seed": args.seed}
    for key, value in given.items():
        if value is not None and value != data[key]:
            raise fail("RIT701", f"{args.resume} was saved with the {key} {data[key]}, not {value}")
    if args.players is not None and args.players != len(data["players"]):
        raise fail("RIT701", f"{args.resume} was saved with {len(data['players'])} players, not {args.players}")
    session = Session(load(data["game"]), data["players"], data["seed"], people_of(args.seat, data["players"]))
    session.load_moves(data["answers"])
    return session


def people_of(seats: list[str] | None, players: Sequence[str]) -> frozenset[int]:
    """The seats that people play."""
    wanted = [name for seat in seats or [players[0]] for name in seat.split(",") if name != "none"]
    if "all" in wanted:
        return frozenset(range(len(players)))
    for name in wanted:
        if name not in players:
            hint = near_miss(name, players) or f"possible: {listing([*players, 'all', 'none'])}"
            raise fail("RIT510", f"there is no seat `{printable(name)}`", help=hint)
    return frozenset(players.index(name) for name in wanted)


class Table:
    """The terminal: who sits at it, and what they have been told."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.told: dict[Seat, int] = {}
        self.at_keyboard: Seat = None

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
        people = sorted(self.session.people.intersection(choice.who))
        seat = people[0] if len(people) == 1 else None  # several together see what everybody sees
        self.hand_over(seat)
        self.tell(seat)
        self.show_view(seat)
        self.show_options(choice)
        while True:
            line = input("> ").strip()
            command, _, rest = line.partition(" ")
            if line in self.session.shown(choice) or line.isdigit():
                if self.choose(choice, line):
                    return True
                continue
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

    def choose(self, choice: Choice, line: str) -> bool:
        names = self.session.shown(choice)
        if line in names:
            self.session.answer(choice.options[names.index(line)])
            return True
        number = int(line) if len(line) < 10 and line.isascii() else 0
        if numbered(choice.type) and 1 <= number <= len(names):
            self.session.answer(choice.options[number - 1])
            return True
        self.refuse(line, choice)
        return False

    def refuse(self, line: str, choice: Choice) -> None:
        names = self.session.shown(choice)
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
        print("\n" * SCREEN)
        who = "everybody" if seat is None else self.session.run.names[seat]
        input(f"The keyboard goes to {who}. Press Enter when ready. ")

    def tell(self, seat: Seat, everything: bool = False) -> None:
        """What a player has observed since last told."""
        run = self.session.run
        seen = observations(run, seat)
        start = 0 if everything else min(self.told.get(seat, 0), len(seen))
        self.told[seat] = len(seen)
        for observation in seen[start:]:
            if observation[0] != "asked":
                print(f"- {printable(sentence(run, observation))}")

    def show_view(self, seat: Seat) -> None:
        run = self.session.run
        print(f"\n{'Everybody sees' if seat is None else run.names[seat] + ' sees'}:")
        print("\n".join(view_lines(run, view(run, seat))))

    def show_options(self, choice: Choice) -> None:
        print(f"\n{'All together' if choice.together else self.session.run.who(choice)}: {choice.label}?")
        for number, name in enumerate(self.session.shown(choice), 1):
            print(f"  {number}) {name}" if numbered(choice.type) else f"  {name}")


def numbered(type: Type) -> bool:
    """Options that are numbers themselves are named, not counted."""
    return type.kind != "number"


def print_error(error: Exception) -> None:
    found = error.diagnostics if isinstance(error, RitualError) else ()
    print("\n".join(show_finding(d) for d in found) or f"That does not work: {error}")


def print_end(session: Session) -> None:
    run = session.run
    print("\nThe game is over. What everybody saw:")
    for observation in observations(run, None):
        if observation[0] != "asked":
            print(f"- {sentence(run, observation)}")
    print(f"\nseed: {session.seed}")
    for name, value in view(run, None)["counters"].items():
        print(f"{name}: {words(value)}")
    if session.game.winners is not None:
        print(f"winners: {', '.join(run.winners()) or 'nobody'}")


def main(argv: Sequence[str] | None = None) -> int:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("ritual play", description=HELP, formatter_class=layout)
    arguments(parser)
    try:
        return run(parser.parse_args(argv))
    except RitualError as error:
        print(report(error.diagnostics), file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
