"""How fast games are played, all in one run: by hand, by the interpreter, as flat code, under numba, as C.

    python tests/bench/speed.py

Each figure is the best of several short stretches that take turns, in seconds of computing, so that what else the
machine does weighs little. Games are played without measures, as the game by hand has none. Before anything is timed,
the figures of the game by hand are compared with those of the compiled game.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import by_hand
from flat_c import CProgram, compiler

from ritual_dsl import load
from ritual_dsl.compiler import compile_game, fast, runtime
from ritual_dsl.engine.machine import Machine
from ritual_dsl.engine.run import Run
from ritual_dsl.simulation import simulate

GAME, PLAYERS, SEED = "arkham_ritual", by_hand.PLAYERS, 3
TURNS = 5  # stretches of each
YARDSTICK = 20_000  # games by hand whose figures are compared
SURE = 4.0  # standard errors
Play = Callable[[int], object]


def interpreted() -> Play:
    game = load(GAME)
    machine = Machine(game, keeps_log=False)

    def play(games: int) -> None:
        for stream in range(games):
            run = Run(game, PLAYERS, seed=SEED, stream=stream, machine=machine).start()
            while not run.finished:
                run.answer(run.random_answer())
            machine.forget()

    return play


def plain() -> Play:
    program = runtime.load(compile_game(load(GAME), PLAYERS, measures=False))

    def play(games: int) -> None:
        for stream in range(games):
            program.seed(SEED, stream)
            program.call()

    return play


def with_policy() -> Play:
    """Flat code that asks a Python function for every decision."""
    program = runtime.load(compile_game(load(GAME), PLAYERS, "ask", measures=False))

    def play(games: int) -> None:
        for stream in range(games):
            program.seed(SEED, stream)
            draws = program.bot.draws()

            def policy(site: int, who: int, options: Sequence[int], draws: Iterator[int] = draws) -> int:
                return next(draws) % len(options)

            program.ask(policy)

    return play


def machine_code() -> Play:
    program = fast.FastProgram(compile_game(load(GAME), PLAYERS, "numba", measures=False))
    return lambda games: program.play(SEED, 0, games)


def in_c(folder: Path) -> Play:
    program = CProgram(compile_game(load(GAME), PLAYERS, "numba", measures=False), folder)
    return lambda games: program.play(SEED, 0, games)


def rates(plays: dict[str, tuple[Play, int]]) -> dict[str, float]:
    best: dict[str, float] = {}
    for _ in range(TURNS):
        for name, (play, games) in plays.items():
            begun = time.process_time()
            play(games)
            best[name] = max(best.get(name, 0), games / (time.process_time() - begun))
    return best


def agrees() -> bool:
    """Whether the game by hand has the figures of the compiled game, as far as chance allows."""
    tally = by_hand.play(YARDSTICK, SEED)
    found = simulate([GAME], games=100_000, players=PLAYERS, seed=SEED, workers=1).series[0].figures()
    shares = {
        "no_winner": (tally.nobody_won, tally.games, found["no_winner"].figures[""]),
        **{f"round_ended {k}": (tally.ended[k], tally.rounds, f) for k, f in found["round_ended"].figures.items()},
        **{f"survival {k}": (tally.survived[k], tally.held[k], f) for k, f in found["survival"].figures.items()},
    }
    far = [name for name, (n, of, f) in shares.items() if abs(n / of - f.mean) > SURE * by_hand_error(n, of, f.error)]
    means = {"rounds_per_game": tally.rounds / tally.games, "turns_per_round": tally.turns / tally.rounds}
    for name, mean in means.items():
        f = found[name].figures[""]
        if abs(mean - f.mean) > SURE * f.error * math.sqrt(1 + 100_000 / YARDSTICK):
            far.append(name)
    print(f"by hand and compiled: {len(shares) + 2} figures compared, {len(far)} too far apart {' '.join(far)}")
    return not far


def by_hand_error(count: int, of: int, other: float) -> float:
    share = (count + 1) / (of + 2)
    return math.hypot(math.sqrt(2 * share * (1 - share) / of), other)  # samples of one round hang together


def start_up(folder: Path) -> float:
    """Seconds of computing of a whole process that plays with machine code it finds on disk: the least of three."""
    words = [sys.executable, "-m", "ritual_dsl", "simulate", GAME]
    words += ["--games", "1000", "--engine", "numba", "--workers", "1"]
    env = {**os.environ, "RITUAL_CACHE": str(folder / "cache")}
    seconds = []
    for _ in range(4):
        before = os.times()
        subprocess.run(words, check=True, capture_output=True, env=env)
        after = os.times()
        seconds.append(after[2] + after[3] - before[2] - before[3])  # of processes that have ended
    return min(seconds[1:])


def memory(games: int) -> float:
    """The most memory, in MB, of a process that plays so many games."""
    code = f"""
import resource
from ritual_dsl.simulation import simulate
simulate(["{GAME}"], games={games}, players={PLAYERS}, workers=1, engine="numba")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"""
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return int(found.stdout) / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main() -> int:
    held = agrees()
    plays: dict[str, tuple[Play, int]] = {
        "by hand, streams": (lambda games: by_hand.play(games, SEED), 2_000),
        "by hand, `random`": (lambda games: by_hand.play(games, SEED, streams=False), 3_000),
        "interpreter": (interpreted(), 250),
        "flat code, plain Python": (plain(), 4_000),
        "flat code, a policy asked": (with_policy(), 1_500),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if fast.available():
            plays["flat code, numba"] = (machine_code(), 200_000)
        if compiler() is not None:
            plays["flat code, C -O3"] = (in_c(folder), 200_000)
        found = rates(plays)
        print(f"\n{'games/s':>36}{'of streams':>14}{'of `random`':>14}")
        for kind, rate in found.items():
            ours = [rate / found["by hand, streams"], rate / found["by hand, `random`"]]
            print(f"{kind:26}{rate:>10,.0f}{ours[0]:>14.2f}{ours[1]:>14.2f}")
        yard = found["by hand, streams"]
        targets = [
            ("yardstick, games/s", yard, 5_000.0),
            ("interpreter / by hand", found["interpreter"] / yard, 0.15),
            ("plain Python / by hand", found["flat code, plain Python"] / yard, 3.0),
            ("a policy asked / by hand", found["flat code, a policy asked"] / yard, 3.0),
        ]
        if "flat code, numba" in found:
            targets.append(("numba / by hand", found["flat code, numba"] / yard, 150.0))
            targets.append(("1.2 s / start-up from cache", 1.2 / (seconds := start_up(folder)), 1.0))
            few, many = memory(100_000), memory(3_000_000)
            targets.append(("memory, 100,000 / 3,000,000 games", few / many, 0.95))
            print(f"\nstart-up from cache {seconds:.2f} s; memory {few:.0f} MB, for 30 times the games {many:.0f} MB")
            if "flat code, C -O3" in found:
                targets.append(("numba / C", found["flat code, numba"] / found["flat code, C -O3"], 0.6))
    print(f"\n{'target':36}{'wanted':>10}{'found':>10}")
    for what, value, wanted in targets:
        print(f"{what:36}{wanted:>10,.2f}{value:>10,.2f}  {'holds' if value >= wanted else 'FALLS SHORT'}")
    return 0 if held and all(value >= wanted for _, value, wanted in targets) else 1


if __name__ == "__main__":
    sys.exit(main())
