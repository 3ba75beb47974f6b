"""A game as a text: at each step the state, what every player sees, the options, and what chance did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ritual_dsl.diagnostics import Findings
from ritual_dsl.engine import Run
from ritual_dsl.engine.chance import Chance, T
from ritual_dsl.engine.state import start_state
from ritual_dsl.engine.teller import Teller
from ritual_dsl.engine.views import observations, view
from ritual_dsl.loading.reference import choose
from ritual_dsl.model.assemble import assemble
from ritual_dsl.model.game import Counter, Game, Variable, Zone

GOOD = Path(__file__).parent / "good"
GAME = "arkham_ritual"
SEED = 11
ROUNDS = 2
MOST_STEPS = 60


class Recorded(Chance):
    """Chance that keeps the result of every shuffle and draw until it is told."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.results: list[str] = []

    def shuffle(self, items: list[T]) -> None:
        told = len(self.results)
        super().shuffle(items)
        self.results[told:] = ["shuffled to " + " ".join(map(str, items))]

    def below(self, bound: int) -> int:
        drawn = super().below(bound)
        self.results.append(f"drew {drawn} of {bound}")
        return drawn


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
        lines += [f"chance: {result}" for result in chance.results]
        chance.results.clear()
        lines += ["state:", *state_lines(run)]
        for seat in range(players):
            known = observations(run, seat)
            lines += [f"{run.names[seat]} observes:", *(f"  - {tell.sentence(o)}" for o in known[seen[seat] :])]
            seen[seat] = len(known)
            lines += [f"{run.names[seat]} sees:", *view_lines(tell, view(run, seat))]
        choice = run.choice
        rounds = sum(event.kind == "gathered" for event in run.state.log)
        if choice is None or rounds > ROUNDS:
            break
        answer = run.random_answer()
        options = ", ".join(run.show(option, choice.type) for option in choice.options)
        lines += [f"{run.who(choice)} chooses {choice.label} from: {options}", f"-> {run.show(answer, choice.type)}"]
        run.answer(answer)
    return "\n".join(lines) + "\n"


def view_lines(tell: Teller, seen: dict[str, Any]) -> list[str]:
    zones = {name: tell.shares(share, held) for name, share in seen["zones"].items()}
    rest = {name: tell.shares(share, str) for name, share in (seen["counters"] | seen["variables"]).items()}
    return [f"  {name}: {text}" for name, text in (zones | rest).items()]


def held(share: Any) -> str:
    """What lies in a zone: a card, a pile, or how many lie face down."""
    if isinstance(share, int):
        return f"{share} face down" if share else "empty"
    return " ".join(share) or "empty" if isinstance(share, list) else share or "none"


def state_lines(run: Run) -> list[str]:
    lines, tell = [], Teller(run)
    for zone in run.game.zones.values():
        lines.append(f"  {zone.name}: {tell.shares(shares_of(run, zone), held)}")
    for counter in run.game.counters.values():
        lines.append(f"  {counter.name}: {tell.shares(shares_of(run, counter), str)}")
    for variable in run.game.variables.values():
        words = tell.shares(shares_of(run, variable), lambda value, type=variable.type: run.show(value, type))
        lines.append(f"  {variable.name}: {words}")
    running = " > ".join(frame.procedure for frame in run.state.frames) or "nothing"
    return [*lines, f"  running: {running}", f"  chance: {run.state.chance.state:016x}"]


def shares_of(run: Run, declared: Zone | Counter | Variable) -> Any:
    """What lies in a cell, or in the shares of it; of those on cards, where something lies."""
    cell = run.state.cells[declared.cell]
    if declared.owner is None:
        return cell
    shares = dict(zip(run.owner_names(declared.owner), cell, strict=True))
    return {name: share for name, share in shares.items() if share or declared.owner.kind != "card"}
