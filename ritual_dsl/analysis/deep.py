"""Looking deeper into a game: does it end, can everybody always do something, is a card or a seat out of line.

In: a game. Out: `Deep`: answers, each proven or sampled and saying so, and findings. Proofs are by enumeration, or by
what a loop uses up. Everything else is played out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ritual_dsl.analysis.deals import Tell, silence
from ritual_dsl.analysis.desire import look_into
from ritual_dsl.analysis.ending import Loop, loops
from ritual_dsl.analysis.odds import work_out
from ritual_dsl.analysis.playouts import GAMES, Playouts, choices, play_out
from ritual_dsl.diagnostics import Findings, RitualError
from ritual_dsl.engine.run import Run
from ritual_dsl.model import ir
from ritual_dsl.model.game import Game

OUT_OF_LINE = 3.5  # standard errors; less is what chance does with a dozen seats
ENDS, OPTIONS, CARDS, SEATS = (
    "Does it end?",
    "Is there always something to choose?",
    "Is there a card nobody could ever want, or ever refuse?",
    "Is a seat favoured by the rules alone?",
)


@dataclass(frozen=True)
class Answer:
    question: str
    basis: str  # proven, sampled, left out
    words: str


@dataclass
class Deep:
    game: Game
    players: int
    answers: list[Answer] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    def say(self, question: str, basis: str, words: str) -> None:
        self.answers.append(Answer(question, basis, words))

    def text(self) -> str:
        lines = [f"{self.game.reference}, looked into with {self.players} players"]
        for question in dict.fromkeys(answer.question for answer in self.answers):
            lines.append(f"  {question}")
            lines += [f"    {a.basis:<8} {a.words}" for a in self.answers if a.question == question]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        rows = [{"question": a.question, "basis": a.basis, "answer": a.words} for a in self.answers]
        return {"game": self.game.reference, "players": self.players, "answers": rows}


def look_deeper(game: Game, games: int = GAMES, tell: Tell = silence) -> Deep:
    deep = Deep(game, game.usual_players)
    played = play_out(game, deep.players, games, tell)
    ending(deep, played)
    options(deep, played)
    cards(deep)
    seats(deep, played)
    for fault in played.faults:
        deep.findings.append(fault)
    return deep


# ---- does it end


def ending(deep: Deep, played: Playouts) -> None:
    for loop in loops(deep.game):
        if loop.reason is not None:
            deep.say(ENDS, "proven", f"{loop.name} ends: {loop.reason}")
        else:
            deep.say(ENDS, "sampled", f"{loop.name} {seen_of(loop, played)}")
    any_time = [f"`{p.name}`" for p in deep.game.procedures.values() if p.any_time]
    if any_time:
        deep.say(ENDS, "left out", f"what may happen at any time: {', '.join(any_time)}")
    tried = f"{played.games:,} games at random and {played.habits} of players who always say the same"
    if not played.endless:
        deep.say(ENDS, "sampled", f"{tried}: all came to an end")
        return
    deep.say(ENDS, "sampled", f"{tried}: {len(played.endless)} did not end, first: {played.endless[0]}")
    main = deep.game.procedures[deep.game.main]
    message = f"a game can run for ever: {played.endless[0]}"
    deep.findings.say("RIT651", message, main.span, help="give the players, or chance, a way out of it")


def seen_of(loop: Loop, played: Playouts) -> str:
    seen = played.loops.get(loop.node.span)
    if seen is None:
        return "was never run"
    words = f"went round {seen.most} times at most"
    if seen.idle:
        words += f"; nothing bounds it: {seen.idle} of {seen.total:,} rounds changed nothing that could end it"
    return words


# ---- options


def options(deep: Deep, played: Playouts) -> None:
    found = [choice for procedure in deep.game.procedures.values() for choice in choices(procedure)]
    proven = labels(choice for choice in found if always_one(choice))
    asked = labels(choice for choice in found if not always_one(choice) and choice.span in played.asked)
    never = labels(choice for choice in found if not always_one(choice) and choice.span not in played.asked)
    games = f"in {played.games + played.habits:,} games"
    if proven:
        deep.say(OPTIONS, "proven", f"there is an option without condition, or a way to decline: {proven}")
    if any(fault.code == "RIT505" for fault in played.faults):
        deep.say(OPTIONS, "sampled", f"a choice without any option was met {games}")
    elif asked:
        deep.say(OPTIONS, "sampled", f"never without an option {games}: {asked}")
    if never:
        deep.say(OPTIONS, "left out", f"never asked {games}: {never}")


def labels(found: Iterable[ir.Asked | ir.Choose]) -> str:
    return ", ".join(dict.fromkeys(f"`{choice.label}`" for choice in found))


def always_one(choice: ir.Asked | ir.Choose) -> bool:
    if isinstance(choice, ir.Asked):
        return choice.may
    return any(option.condition is None for option in choice.options)


# ---- cards


def cards(deep: Deep) -> None:
    found = list(look_into(deep.game, deep.players))
    if not found:
        deep.say(CARDS, "left out", "no odds are declared about everybody by the one card they were dealt")
    for desire in found:
        after = f"after `{desire.odds.procedure}`" if desire.odds.procedure else "as dealt"
        if desire.ends is None:
            deep.say(CARDS, "left out", f"{after}: there are too many kinds of deals, or they cannot be run")
            continue
        for card, ends in desire.cards.items():
            words = ", ".join(f"{report} is never anything but {end}" for report, end in ends.items())
            deep.say(CARDS, "proven", f"`{card}`, {after}, whatever the others hold: {words}")
            message = f"whatever the others hold, for the holder of `{card}` {words}"
            deep.findings.say("RIT652", message, deep.game.cards[card].span)
        if not desire.cards:
            words = f"none {after}, in all {desire.deals:,} deals, going by {listed(desire.odds)}"
            deep.say(CARDS, "proven", words)


def listed(odds: Any) -> str:
    return " and ".join(dict.fromkeys(report.name for report in odds.reports))


# ---- seats


def seats(deep: Deep, played: Playouts) -> None:
    try:
        for block in work_out(Run(deep.game, deep.players)).blocks:
            if block.exchanging and block.odds.procedure:
                words = f"not after `{block.odds.procedure}`: in all {block.deals:,} deals, seats can change places"
                deep.say(SEATS, "proven", words)
    except RitualError as error:
        if error.diagnostics[0].code != "RIT644":
            deep.say(SEATS, "left out", f"what the odds run: {error.diagnostics[0].message}")
    if deep.game.winners is None or not played.games:
        return
    shares = ", ".join(f"{name} {share:.1%}" for name, share in win_shares(deep, played))
    deep.say(SEATS, "sampled", f"wins in {played.games} games at random, seats in order: {shares}")
    mean = sum(played.wins.values()) / (played.games * deep.players)
    error_of_mean = math.sqrt(max(mean * (1 - mean), 1e-9) / played.games)
    for name, share in win_shares(deep, played):
        if abs(share - mean) > OUT_OF_LINE * error_of_mean:
            message = f"seat {name} wins {share:.1%} of {played.games} games at random; the mean is {mean:.1%}"
            deep.findings.say("RIT653", message, deep.game.rules[deep.game.winners].span)


def win_shares(deep: Deep, played: Playouts) -> Iterator[tuple[str, float]]:
    names = Run(deep.game, deep.players).names
    for seat in range(deep.players):
        yield names[seat], played.wins[seat] / played.games
