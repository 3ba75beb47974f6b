"""A game as a text: at each step the state, what every player sees, the options, and what chance did."""

from __future__ import annotations

from pathlib import Path

from ritual_dsl.diagnostics import Findings
from ritual_dsl.engine import Run
from ritual_dsl.engine.chance import Chance, T
from ritual_dsl.engine.state import start_state
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import observations, view
from ritual_dsl.loading.reference import choose
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Game

GOOD = Path(__file__).parent / "good"
GAME = "arkham_ritual"
SEED = 11
ROUNDS = 2
MOST_STEPS = 60


class Recorded(Chance):
    """Chance that keeps the result of every shuffle until it is told."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.results: list[str] = []

    def shuffle(self, items: list[T]) -> None:
        super().shuffle(items)
        self.results.append(" ".join(map(str, items)))


def load(reference: str) -> Game:
    found = Findings()
    chosen = choose(reference, found)
    assert chosen is not None, found
    game = assemble(chosen, found)
    assert game is not None, found
    return game


def playthrough(game: Game, players: int, seed: int = SEED) -> str:
    """The first rounds of a game of bots, written out."""
    chance = Recorded(seed)
    run = Run(game, players, seed=seed, state=start_state(game, players, chance)).start()
    tell = Teller(run)
    lines = [f"game: {game.reference}", f"players: {players}", f"seed: {seed}"]
    seen = [0] * players
    for step in range(MOST_STEPS):
        lines += ["", f"== step {step}"]
        lines += [f"chance: shuffled to {result}" for result in chance.results]
        chance.results.clear()
        lines += ["state:", *state_lines(run)]
        for seat in range(players):
            known = observations(run, seat)
            lines += [f"{run.names[seat]} observes:", *(f"  - {tell.sentence(o)}" for o in known[seen[seat] :])]
            seen[seat] = len(known)
            lines += [f"{run.names[seat]} sees:", *tell.view_lines(view(run, seat))]
        choice = run.choice
        rounds = sum(event.kind == "gathered" for event in run.state.log)
        if choice is None or rounds > ROUNDS:
            break
        answer = run.random_answer()
        options = ", ".join(run.show(option, choice.type) for option in choice.options)
        lines += [f"{run.who(choice)} chooses {choice.label} from: {options}", f"-> {run.show(answer, choice.type)}"]
        run.answer(answer)
    return "\n".join(lines) + "\n"


def state_lines(run: Run) -> list[str]:
    cells = run.state.cells
    lines, tell = [], Teller(run)
    for zone in run.game.zones.values():
        held = cells[zone.cell]
        shares = dict(zip(run.names, held, strict=False)) if zone.owner else held
        lines.append(f"  {zone.name}: {tell.zone_words(shares)}")
    for counter in run.game.counters.values():
        value = cells[counter.cell]
        shares = dict(zip(run.names, value, strict=False)) if counter.owner else value
        lines.append(f"  {counter.name}: {tell.shares(shares, str)}")
    for variable in run.game.variables.values():
        lines.append(f"  {variable.name}: {run.show(cells[variable.cell], variable.type)}")
    running = " > ".join(frame.procedure for frame in run.state.frames) or "nothing"
    return [*lines, f"  running: {running}", f"  chance: {run.state.chance.state:016x}"]
