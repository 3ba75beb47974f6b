"""The two engines on the same seeds and choices: complete transcripts compared, number by number.

    python tests/compiler/differential.py --games 200000

runs for as long as it takes (with `--minutes 120`, that long), over both games, random decks, variants, rulings,
numbers of players and house rules, and stops at the first difference with everything needed to see it again.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ritual_dsl.checks import load_game
from ritual_dsl.compiler import compile_game
from ritual_dsl.compiler.flat import DONE, Flat
from ritual_dsl.compiler.record import read_log
from ritual_dsl.compiler.runtime import MaybeRejected, Program
from ritual_dsl.compiler.runtime import load as load_flat
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.engine import Run
from ritual_dsl.engine.evaluate import WORK_LIMIT
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.measures import Recorder
from ritual_dsl.loading.reference import Loaded
from ritual_dsl.model.game import Game
from ritual_dsl.simulation.compiled import Compiled, Fast

sys.path.insert(0, str(Path(__file__).parent))
from overlays import overlay


@dataclass(frozen=True)
class Kinds:
    """What a game can be changed by, and how often it is met."""

    game: str
    slots: tuple[tuple[str, ...], ...]  # one of each
    variants: tuple[str, ...]
    share: float
    most_work: int  # a game that takes longer (some house rules never let it end) is left out


GAMES = (
    Kinds(
        "arkham_ritual",
        (
            ("magical_orb", "shining_trapezohedron"),
            ("investigator", "wary_student"),
            ("cultist", "mad_professor"),
            ("cthulhu", "nyarlathotep", "yog_sothoth", "hastur"),
        ),
        ("doom_track", "most_sanity_wins"),
        0.75,
        20_000,
    ),
    Kinds("shipwreck_arcana", (), ("two_hands",), 0.25, 200_000),
)
ARKHAM, SHIPWRECK = GAMES


class Difference(AssertionError):
    """The engines do not agree."""


class Pair:
    """One game for one number of players, in both engines."""

    def __init__(self, game: Game, players: int, most_work: int = WORK_LIMIT) -> None:
        self.game = game
        self.most_work = most_work
        self.players = players
        self.flat: Flat = compile_game(game, players, record=True)
        self.program: Program = load_flat(self.flat)
        self.totals = [0] * self.flat.totals
        self.start()

    def start(self) -> None:
        self.machine = Machine(self.game)
        self.machine.evaluator.work_limit = self.most_work
        self.recorder = Recorder(self.game, self.players, self.machine.evaluator)
        self.recorder.totals = self.totals

    def compare(self, seed: int, stream: int) -> str:
        """Plays one game in both: `same`; `fault` if both stop; `left` if flat code left it to the interpreter."""
        fault = None
        self.machine.recorder = self.recorder
        run = Run(self.game, self.players, seed=seed, stream=stream, machine=self.machine)
        try:
            run.start()
            while not run.finished:
                run.answer(run.random_answer())
            self.recorder.finish_game()
        except RitualError as error:
            fault = error.diagnostics[0].code
            self.start()
        self.program.seed(seed, stream)
        try:
            status = self.program.call()
        except MaybeRejected:
            status = -1
        if status != DONE or fault == "RIT503":
            self.program.clear()
            self.program.totals[:] = self.totals
            return "long" if fault == "RIT503" else "fault" if fault else "left"
        where = f"{self.game.reference}, {self.players} players, seed {seed}, stream {stream}"
        if fault is not None:
            raise Difference(f"{where}: only the interpreter stops, with {fault}")
        recorded = read_log(self.program.log, self.flat.codes, self.flat.sites)
        for number, (ours, theirs) in enumerate(zip(run.state.log, recorded.log, strict=False)):
            if ours != theirs:
                raise Difference(f"{where}, event {number}: {ours} and {theirs}")
        pairs = {
            "number of events": (len(run.state.log), len(recorded.log)),
            "cells": (run.state.cells, recorded.cells),
            "ended": (run.state.ended, recorded.ended),
            "chance": (run.state.chance.state, self.program.rng[0]),
            "totals": (self.totals, self.program.totals),
        }
        for what, (one, other) in pairs.items():
            if one != other:
                raise Difference(f"{where}, {what}: {one} and {other}")
        return "same"


def random_reference(chance: random.Random, kinds: Kinds, game: Game) -> str:
    """A deck, variants and rulings at random."""
    words = [kinds.game, *(chance.choice(slot) for slot in kinds.slots)]
    words += [variant for variant in kinds.variants if chance.random() < 0.5]
    for name, ruling in game.files.rulings.items():
        if chance.random() < 0.3:
            words.append(f"{name}={chance.choice(list(ruling.options))}")
    return "+".join(words)


def run(games: int, minutes: float, seed: int, each: int) -> Counter[str]:
    chance = random.Random(seed)
    loaded: Loaded = {}
    bases = {kinds: load_game(kinds.game, None, loaded) for kinds in GAMES}
    found: Counter[str] = Counter()
    end = time.monotonic() + minutes * 60
    told = time.monotonic()
    while found["same"] < games and time.monotonic() < end:
        kinds = chance.choices(GAMES, [kinds.share for kinds in GAMES])[0]
        reference = random_reference(chance, kinds, bases[kinds])
        with tempfile.TemporaryDirectory() as folder:
            text = ""
            if chance.random() < 0.6:
                text = overlay(chance, reference, kinds.game)
                path = Path(folder, "house.yaml")
                path.write_text(text, encoding="utf-8")
                reference = f"{reference}+{path}"
            try:
                game = load_game(reference, None, loaded)
                players = chance.randrange(game.players[0], game.players[1] + 1)
                pair = Pair(game, players, kinds.most_work)
            except RitualError as error:
                found[f"refused: {error.diagnostics[0].code}"] += 1
                continue
            found[f"kinds of {kinds.game}"] += 1
            try:
                for stream in range(each):
                    how = pair.compare(found.total(), stream)
                    found[how] += 1
                    found[f"{how}, {kinds.game}"] += 1
            except Exception:
                print(f"{reference}, {pair.players} players\n\n{text}", file=sys.stderr)
                Path(tempfile.gettempdir(), "flat_difference.py").write_text(pair.flat.shown, encoding="utf-8")
                raise
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(dict(found), flush=True)
    return found


def run_machine_code(games: int, seed: int, each: int) -> Counter[str]:
    """The sums of machine code against those of plain flat code, over games at random."""
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    while found["same"] < games:
        kinds = chance.choices(GAMES, [kinds.share for kinds in GAMES])[0]
        game = load_game(random_reference(chance, kinds, load_game(kinds.game)))
        players = chance.randrange(game.players[0], game.players[1] + 1)
        one, other = Compiled(game, players, seed).play(0, each), Fast(game, players, seed).play(0, each)
        if (one.games, one.decisions, one.totals) != (other.games, other.decisions, other.totals):
            raise Difference(f"{game.reference}, {players} players, seed {seed}, {each} games")
        found.update({f"kinds of {kinds.game}": 1, "same": each, f"same, {kinds.game}": each})
        print(dict(found), flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="interpreter against flat code, for as long as you like")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--minutes", type=float, default=24 * 60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=300, help="games of each kind")
    parser.add_argument("--machine-code", action="store_true", help="against plain flat code, by their sums")
    options = parser.parse_args()
    if options.machine_code:
        print(dict(run_machine_code(options.games, options.seed, options.each)))
    else:
        print(dict(run(options.games, options.minutes, options.seed, options.each)))
