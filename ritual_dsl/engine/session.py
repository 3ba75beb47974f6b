"""A game in play with its history: undo, saved files, and the history as a scenario.

In: a game, players, a seed, and what people and bots did. Out: a run, a save file, a scenario file.
A history is replayed from the seed, so a save holds nothing but the answers.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ritual_dsl.diagnostics import RitualError, fail, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.chance import LARGEST_SEED
from ritual_dsl.engine.choices import Choice
from ritual_dsl.engine.possible import allow
from ritual_dsl.engine.run import Run
from ritual_dsl.loading.relative import read_from
from ritual_dsl.model.game import Game
from ritual_dsl.model.types import Type

FORMAT = 1
LARGEST_SAVE = 10_000_000  # bytes
PLAIN = re.compile(r"[A-Za-z_][\w+]*")


@dataclass(frozen=True)
class Move:
    """An answer, or a procedure that happened in between."""

    who: tuple[int, ...]
    option: Any = None
    procedure: str | None = None
    args: tuple[Any, ...] = ()


class Session:
    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        seed: int,
        people: frozenset[int] = frozenset(),
        folder: Path | None = None,
    ) -> None:
        self.game = game
        self.folder = folder or Path()  # where the paths of the game's reference start
        self.players = list(players)
        self.seed = seed
        self.people = people
        self.moves: list[Move] = []
        self.run = Run(game, self.players, seed=seed).start()

    def for_people(self, who: Sequence[int]) -> bool:
        return not self.people.isdisjoint(who)

    def answer(self, option: Any) -> None:
        assert self.run.choice is not None
        self.apply(Move(self.run.choice.who, option))

    def bot_answer(self) -> None:
        choice = self.run.choice
        assert choice is not None
        option = self.run.random_answer()
        self.run.answer(option)
        self.moves.append(Move(choice.who, option))

    def interrupt(self, procedure: str, words: Sequence[str], seat: frozenset[int] | None = None) -> None:
        """What may happen at any time, done by one of these players if a seat is given; refused, nothing happens."""
        definition = self.game.procedures.get(procedure)
        args: tuple[Any, ...] = ()
        if definition is not None and definition.any_time:
            params = definition.params
            if len(words) != len(params):
                wanted = ", ".join(f"{name}: {type}" for name, type in params) or "no values"
                raise fail("RIT501", f"`{procedure}` needs {wanted}")
            args = tuple(self.value(word, type) for word, (_, type) in zip(words, params, strict=True))
            if seat is not None:
                allow(self.run, definition, args, seat)
        who = self.run.choice.who if self.run.choice is not None else ()
        try:
            self.apply(Move(who, None, procedure, args))
        except RitualError:
            self.replay(self.moves)
            raise

    def apply(self, move: Move) -> None:
        if move.procedure is not None:
            self.run.interrupt(move.procedure, move.args)
        else:
            if not self.for_people(move.who):
                self.run.random_answer()  # a bot drew here when it was played
            self.run.answer(move.option)
        self.moves.append(move)

    def undo(self, who: Sequence[int]) -> bool:
        """Back to where these players last did something; False if they have not yet."""
        mine = self.people.intersection(who)
        for i in range(len(self.moves) - 1, -1, -1):
            if not mine.isdisjoint(self.moves[i].who):
                self.replay(self.moves[:i])
                return True
        return False

    def replay(self, moves: list[Move]) -> None:
        self.run = Run(self.game, self.players, seed=self.seed).start()
        self.moves = []
        for move in moves:
            self.apply(move)

    # ---- words and values

    def value(self, word: str, type: Type) -> Any:
        """A value from its name, by the type that is wanted."""
        match type.kind:
            case "seat" | "player":
                offered = self.players if type.kind == "player" else self.run.names
                if word in offered:
                    return self.run.names.index(word)
            case "card":
                offered = list(self.game.cards)
                if word in offered:
                    return word
            case "enum":
                offered = list(self.game.enums[type.name])
                if word in offered:
                    return word
            case "truth":
                offered = ["yes", "no"]
                if word in offered:
                    return word == "yes"
            case _:
                offered = ["a whole number"]
                if type.low is not None and type.high is not None:
                    offered = [f"{type.low}..{type.high}"]
                if re.fullmatch(r"-?[0-9]{1,9}", word) and within(int(word), type):
                    return int(word)
        raise fail("RIT501", f"`{word}` is no {type}", help=near_miss(word, offered) or f"possible: {listing(offered)}")

    def shown(self, choice: Choice) -> list[str]:
        return [self.run.show(option, choice.type) for option in choice.options]

    def call(self, move: Move) -> dict[str, dict[str, str]]:
        assert move.procedure is not None
        params = self.game.procedures[move.procedure].params
        given = {name: self.run.show(arg, type) for arg, (name, type) in zip(move.args, params, strict=True)}
        return {move.procedure: given}

    def history(self) -> list[tuple[str, Any]]:
        """Who answered what, as scenario files write it; what happened in between as ("do", call)."""
        run = Run(self.game, self.players, seed=self.seed).start()
        found: list[tuple[str, Any]] = []
        for move in self.moves:
            if move.procedure is not None:
                found.append(("do", self.call(move)))
                run.interrupt(move.procedure, move.args)
                continue
            assert run.choice is not None
            found.append((run.who(run.choice), run.show(move.option, run.choice.type)))
            run.answer(move.option)
        return found

    # ---- files

    def save(self, path: Path) -> None:
        refuse_foreign(path)
        write(path, self.saved(path.parent))

    def saved(self, folder: Path) -> str:
        """The text of a save in a folder."""
        answers = [{"do": what} if who == "do" else what for who, what in self.history()]
        players, reference = self.players, read_from(self.game.reference, self.folder, folder)
        data = {"format": FORMAT, "game": reference, "players": players, "seed": self.seed, "answers": answers}
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    def load_moves(self, answers: list[Any]) -> None:
        for number, answer in enumerate(answers, 1):
            try:
                self.load_move(answer)
            except RitualError as error:
                message = f"answer {number} of the saved game does not fit the rules: {error.diagnostics[0].message}"
                raise fail("RIT701", message, help="it was played with other rules, or changed since") from error

    def load_move(self, answer: Any) -> None:
        if isinstance(answer, dict):
            ((name, given),) = answer["do"].items()
            definition = self.game.procedures.get(name)
            wanted = [param for param, _ in definition.params] if definition is not None else []
            if set(wanted) != set(given):
                raise fail("RIT501", f"`{name}` does not take these values")
            self.interrupt(name, [given[param] for param in wanted])
            return
        choice = self.run.choice
        names = self.shown(choice) if choice is not None else []
        if choice is None or answer not in names:
            raise fail("RIT501", f"`{answer}` is not offered")
        self.answer(choice.options[names.index(answer)])

    def scenario(self, folder: Path) -> str:
        """The whole game as a scenario file in a folder."""
        reference = read_from(self.game.reference, self.folder, folder)
        lines = [f"game: {scalar(reference)}", "scenarios:", f"  - name: played with seed {self.seed}"]
        lines += [f"    players: [{', '.join(scalar(p) for p in self.players)}]", f"    seed: {self.seed}"]
        lines += [f"    do: {self.game.main}"]
        choices = [f"      - {{{scalar(who)}: {flow(what)}}}" for who, what in self.history()]
        lines += ["    choices:", *choices] if choices else []
        lines.append("    expect:")
        for counter in self.game.counters.values():
            values = self.run.state.cells[counter.cell]
            names = self.run.owner_names(counter.owner)
            by_name = {name: str(v) for name, v in zip(names, values, strict=True)} if counter.owner else str(values)
            lines.append(f"      {counter.name}: {flow(by_name)}")
        ended = list(self.run.state.ended.values())
        lines += [f"      ended: {ended[0]}"] if len(ended) == 1 else []
        return "\n".join(lines) + "\n"


def scalar(text: str) -> str:
    return text if PLAIN.fullmatch(text) or re.fullmatch(r"-?[0-9]+", text) else json.dumps(text, ensure_ascii=False)


def flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"
    return scalar(value)


def read_save(path: Path) -> dict[str, Any]:
    """The contents of a save file, known to have the right shape."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_SAVE + 1)
        data = json.loads(raw.decode()) if len(raw) <= LARGEST_SAVE else None
    except OSError as error:
        raise fail("RIT701", f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise fail("RIT701", f"{path} is not a saved game, or is damaged") from error
    if not isinstance(data, dict) or not {"format", "game", "players", "seed", "answers"} <= set(data):
        raise fail("RIT701", f"{path} is not a saved game")
    if data["format"] != FORMAT:
        raise fail("RIT701", f"{path} was saved in a format that this version does not read")
    names, seed, answers = data["players"], data["seed"], data["answers"]
    good = isinstance(data["game"], str) and type(seed) is int and 0 <= seed <= LARGEST_SEED
    good = good and isinstance(names, list) and all(isinstance(n, str) and PLAIN.fullmatch(n) for n in names)
    if not good or not isinstance(answers, list) or not all(is_answer(a) for a in answers):
        raise fail("RIT701", f"{path} is a damaged save")
    return data


def is_answer(answer: Any) -> bool:
    if not isinstance(answer, dict):
        return isinstance(answer, str)
    calls = answer.get("do")
    if not isinstance(calls, dict) or len(calls) != 1 or len(answer) != 1:
        return False
    return all(isinstance(given, dict) and all(isinstance(v, str) for v in given.values()) for given in calls.values())


def refuse_foreign(path: Path) -> None:
    """Only a save of ours may be written over."""
    if os.path.exists(path):  # unlike `path.exists()` for any text
        try:
            read_save(path)
        except RitualError as error:
            raise fail("RIT701", f"{path} exists and is not a saved game; it stays as it is") from error


def refuse_existing(path: Path) -> None:
    if os.path.exists(path):
        raise fail("RIT701", f"{path} exists already; it stays as it is", help="give another name")


def refuse_unwritable(path: Path) -> None:
    folder = path.parent
    if not os.path.isdir(folder):
        raise fail("RIT701", f"{path} cannot be written: there is no folder {folder}")
    if os.path.isdir(path) or not os.access(folder, os.W_OK | os.X_OK):
        raise fail("RIT701", f"{path} cannot be written: no access")


def write(path: Path, text: str) -> None:
    """All of the file or nothing of it."""
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise fail("RIT701", f"{path} cannot be written: {error.strerror}") from error


def within(number: int, type: Type) -> bool:
    return (type.low is None or type.low <= number) and (type.high is None or number <= type.high)
