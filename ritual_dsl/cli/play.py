"""`ritual play`: a game in the terminal, against bots or with several people at one keyboard.

In: a game and what people type. Out: what each of them may see, a transcript, saves and scenarios.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ritual_dsl.checks import load_game
from ritual_dsl.cli import CLEAN, COULD_NOT_RUN, seed_number
from ritual_dsl.cli.lines import wrapped
from ritual_dsl.cli.printed import Printed
from ritual_dsl.cli.table import Table, print_error
from ritual_dsl.diagnostics import RitualError, as_asked, fail, near_miss
from ritual_dsl.diagnostics.human import printable
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.run import seat_names
from ritual_dsl.engine.session import (
    Session,
    read_save,
    refuse_existing,
    refuse_foreign,
    refuse_unwritable,
    write,
)
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import news, view
from ritual_dsl.loading.relative import read_from
from ritual_dsl.model.game import Game

HELP = """Play a game in the terminal: some seats are people, the others bots.

example:
  ritual play GAME --players 4 --seat A --seat C --seed 7 --save evening.json
  ritual play --resume evening.json --seat A --seat C
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game reference; not needed with --resume")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (default: as few as the game allows)")
    parser.add_argument("--seat", action="append", metavar="A", help="a person's seat; or `all`, `none` (default: A)")
    parser.add_argument("--seed", type=seed_number, metavar="S", help="the same seed and answers give the same game")
    parser.add_argument("--lang", metavar="L", help="the language to name cards in (default: the game's first)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save here, however the session ends")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved game")
    parser.add_argument("--save-as", type=Path, metavar="FILE", help="write the finished game as a scenario file")
    parser.add_argument("--bots", choices=["random"], default="random", help="how the other seats play")


def run(args: argparse.Namespace) -> int:
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    with as_asked():
        refuse_places(args.save, args.save_as)
    session = open_session(args)
    with as_asked():
        lang = language_of(session.game, args.lang)
    printed = Printed(session.game, lang)
    finished = False
    try:
        finished = Table(session, printed).play()
    except (EOFError, KeyboardInterrupt):
        print("\nGoodbye." if args.save is not None else "\nGoodbye; nothing was saved.")
    except RitualError:
        keep_all(args, session, finished)
        raise
    if finished:
        print_end(session, lang)
    return keep_all(args, session, finished)


def refuse_places(save: Path | None, save_as: Path | None) -> None:
    """Before anybody has played: whether the results can be written where they are wanted."""
    if save is not None:
        refuse_foreign(save)
        refuse_unwritable(save)
    if save_as is not None:
        if not save_as.name.endswith(".scenario.yaml"):
            raise fail("RIT701", f"{save_as} must end in .scenario.yaml")
        refuse_existing(save_as)
        refuse_unwritable(save_as)


def keep_all(args: argparse.Namespace, session: Session, finished: bool) -> int:
    """The files that were asked for."""
    kept = True
    if args.save is not None:
        kept = keep(args.save, session.saved(args.save.parent), refuse_foreign) and kept
    if args.save_as is not None and finished:
        kept = keep(args.save_as, session.scenario(args.save_as.parent), refuse_existing) and kept
    elif args.save_as is not None:
        print("The game is not over, so no scenario was written.")
    return CLEAN if kept else COULD_NOT_RUN


def keep(path: Path, text: str, refuse: Callable[[Path], None]) -> bool:
    """Write a file; where that fails after all, its text is printed, so that no game is lost."""
    try:
        refuse(path)
        write(path, text)
    except RitualError as error:
        print_error(error)
        print(f"This would have been {path}:\n\n{text}")
        return False
    print(f"Saved in {path}.")
    return True


def open_session(args: argparse.Namespace) -> Session:
    if args.resume is not None:
        return resume(args)
    with as_asked():
        if args.game is None:
            raise fail("RIT510", "no game given", help="name a game, or a save with --resume")
    game = load_game(args.game)
    count = args.players if args.players is not None else game.players[0]
    with as_asked():
        players = seat_names(game, count)[:count]
        people = people_of(args.seat, players)
    seed = args.seed if args.seed is not None else secrets.randbelow(1 << 32)
    return Session(game, players, seed, people)


def resume(args: argparse.Namespace) -> Session:
    folder = args.resume.parent
    with as_asked():
        data = read_save(args.resume)
        game = read_from(args.game, Path(), folder) if args.game is not None else None
        for key, value in {"game": game, "seed": args.seed}.items():
            if value is not None and value != data[key]:
                raise fail("RIT701", f"{args.resume} was saved with the {key} {data[key]}, not {value}")
        if args.players is not None and args.players != len(data["players"]):
            raise fail("RIT701", f"{args.resume} was saved with {len(data['players'])} players, not {args.players}")
        people = people_of(args.seat, data["players"])
    session = Session(load_game(data["game"], folder), data["players"], data["seed"], people, folder)
    with as_asked():
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


def language_of(game: Game, word: str | None) -> str:
    """The language cards are named in."""
    if word is not None and word not in game.languages:
        hint = near_miss(word, game.languages) or f"languages of the game: {listing(game.languages)}"
        raise fail("RIT511", f"there is no language `{printable(word)}` in this game", help=hint)
    return word or game.languages[0]


def print_end(session: Session, lang: str) -> None:
    run, teller = session.run, Teller(session.run, lang)
    print("\nThe game is over. What everybody saw:")
    for _, observation in news(run, None):
        print("\n".join(wrapped(teller.sentence(observation), "- ")))
    print(f"\nseed: {session.seed}")
    for name, value in view(run, None)["counters"].items():
        print(f"{teller.word(name)}: {teller.shares(value, str)}")
    if session.game.winners is not None:
        print(f"winners: {', '.join(run.winners()) or 'nobody'}")
