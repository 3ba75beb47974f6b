"""House rules at random: any patch the language has, with any expression, as long as it is well typed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

Write = Callable[["Overlays"], list[str]]


@dataclass(frozen=True)
class Words:
    """What house rules of a game can speak of; `{s}` is a seat or player, `{p}` a player."""

    numbers: tuple[str, ...]
    number_of: str
    counter: str  # of each player
    seat_truths: tuple[str, ...]
    truths: tuple[str, ...]
    deep_truth: str  # a rule of the game
    steps: tuple[str, ...]  # lines, separated by a bar
    end: tuple[str, ...]
    procedures: tuple[str, ...]
    steps_replaced: tuple[str, ...]
    measured: tuple[str, ...]
    patches: tuple[Write, ...]
    declared: tuple[str, ...] = ()


NOT = ("", "not ")
KINDS = ("artifact", "event", "character", "great_old_one", "sane", "cursed")
ARTIFACTS = ("candelabra", "chalice", "dagger", "idol", "tome")
COMMON = ("marked is empty", "mood > 2", "heat = 3", "picked is none", "deck is not empty", "deck is empty")

WORDS = {
    "arkham_ritual": Words(
        numbers=("heat", "mood", "(number of deck)", "(number of marked)", "(number of players)"),
        number_of="sanity[{p}]",
        counter="sanity",
        seat_truths=(
            *(f"hand[{{s}}] is {no}{kind}" for no, kind in product(NOT, KINDS)),
            *(f"hand[{{s}}].artifact = {artifact}" for artifact in ARTIFACTS),
        ),
        truths=(
            *COMMON,
            "discard is not empty",
            "ended is elder_sign",
            *(f"top of {pile} is {kind}" for pile, kind in product(("deck", "discard"), KINDS)),
        ),
        deep_truth="fails({s})",
        steps=(
            "when deck is not empty:|  move top of deck to discard",
            "when deck is not empty:|  move top of deck to removed",
            "shuffle deck",
            "shuffle discard",
            "show top of deck to active",
        ),
        end=("round as deck_empty", "round as elder_sign", "round as all_passed"),
        procedures=("turn", "score", "deal", "round", "first_player", "round.play", "turn.pass_on", "awaken"),
        steps_replaced=("turn.deck_out", "round.judge"),
        measured=("turn", "round", "game"),
        patches=(
            lambda o: [f"add fails.{o.new('c')}: {o.truth(3, seat='p')}"],
            lambda o: [f"add fails.{o.new('c')}: {o.truth(3, seat='p')}"],
            lambda o: [f"replace fails.cursed: {o.truth(3, seat='p')}"],
            lambda o: [f"replace normal_loss.count: min(9, {o.number(2)} + failures)"],
            lambda o: [f"limit loss.normal to {o.number(1)} when {o.truth(2, seat='p')}"],
            lambda o: [f"replace winners.left: {o.truth(2, player='p')}"],
            lambda o: ["remove fails.resonance"],
        ),
    ),
    "shipwreck_arcana": Words(
        numbers=("heat", "mood", "score", "doom", "(number of bag)", "(number of faded)", "(number of marked)"),
        number_of="(number of kept[{p}])",
        counter="calm",
        seat_truths=(
            "{s} in present",
            "kept[{s}] is not empty",
            "carried[{s}] is none",
            "(some ff in kept[{s}] has ff.value > 3)",
            *(f"{v} in line[{{s}}]" for v in (1, 4, 7)),
        ),
        truths=(
            *COMMON,
            "faded is not empty",
            "played is none",
            "right",
            "power_used",
            "misplaced",
            "said is empty",
            "top of deck is old",
            *(f"(some dd in row has {what})" for what in ("dd is cycle", "lying[dd] is not empty", "dd.moons = 2")),
            *(f"(no ff in lying has {what})" for what in ("ff.value = 3", "ff.hours > 1", "ff.value mod 2 = 0")),
        ),
        deep_truth="(stuck or some dd in row has cyclable(dd))",
        steps=(
            "when faded is not empty:|  move top of faded to bottom of deck",
            "when number of deck > 6:|  move top of deck to faded",
            "when heat = 0:|  move all of deck to faded",
            "mistaken[active] := true",
            "when number of bag > 8:|  move random of bag to open",
            "move all of open to bag",
            "move all of lying[row[1]] to lying[row[2]]",
            "remove 3 from line[active]",
            "add heat mod 7 + 1 to line[active]",
            "line[active] := 1..7",
            "shuffle faded",
            "shuffle deck",
            "show top of deck to active",
            "each ff in kept[active]:|  heat gains ff.value mod 3",
            "score gains 1",
            "doom loses 1",
        ),
        end=("game as lost", "game as won"),
        procedures=("turn", "begin", "play", "predict", "resolve", "fade", "use", "group_power", "turn.draw"),
        steps_replaced=("play.slide", "resolve.show_it", "fade_away.run_out", "use.back"),
        measured=("turn", "play", "game", "predict"),
        patches=(
            lambda o: [f"add accepts.{o.new('c')}: c is cycle and {o.truth(2)} and p > {o.number(1)}"],
            lambda o: [f"add accepts.{o.new('c')}: {o.truth(1)} and k < p"],
            lambda o: [f"replace fade_doom.amount: {o.number(1)} when {o.truth(2)}, otherwise 1"],
            lambda o: [f"replace wrong_doom.amount: min(3, {o.number(2)})"],
            lambda o: [f"replace right_score.amount: min(3, {o.number(2)})"],
            lambda o: [f"replace twice_guesses.amount: 1 + min(6, {o.number(2)})"],
            lambda o: [f"add usable.{o.new('c')}: {o.truth(2)}"],
            lambda o: [f"limit hours_on.total to {o.number(1)} when {o.truth(2)}"],
            lambda o: ["remove cyclable.no_fates"],
        ),
        declared=("counter calm: per player, 0..9, starts at 5",),
    ),
}


class Overlays:
    """Writes overlays; `chance` decides everything, so that a test can shrink it."""

    def __init__(self, chance: random.Random, words: Words) -> None:
        self.chance = chance
        self.words = words
        self.names = 0

    def one(self, *kinds: str) -> str:
        return self.chance.choice(kinds)

    def new(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    # ---- expressions

    def number(self, depth: int, player: str | None = None, seat: str | None = None) -> str:
        kind = self.chance.randrange(4 if depth <= 0 else 12)
        seat = seat or player
        deeper = lambda: self.number(depth - 1, player, seat)  # noqa: E731
        match kind:
            case 0 | 1:
                return str(self.chance.randrange(6))
            case 2:
                return self.one(*self.words.numbers)
            case 3:
                return self.words.number_of.format(p=player) if player else "(number of seats)"
            case 4:
                q = self.new("q")
                return f"(number of {q} in {self.one('seats', 'players')} where {self.truth(depth - 1, seat=q)})"
            case 5:
                q = self.new("q")
                term, where = self.number(depth - 1, player=q), self.truth(depth - 1, q)
                return f"(sum of {term} over {q} in players where {where})"
            case 6:
                q = self.new("q")
                return f"({self.one('highest', 'lowest')} {self.number(depth - 1, player=q)} of {q} in players)"
            case 7:
                return f"{self.one('min', 'max')}({deeper()}, {deeper()})"
            case 8:
                return f"({deeper()} + {deeper()})"
            case 9:
                return f"({deeper()} mod {self.chance.randrange(1, 5)})"
            case 10:
                return f"max(0, {deeper()} - {deeper()})"
            case _:
                return f"({deeper()} when {self.truth(depth - 1, player, seat)}, otherwise {deeper()})"

    def truth(self, depth: int, player: str | None = None, seat: str | None = None) -> str:
        kind = self.chance.randrange(6 if depth <= 0 else 12)
        seat = seat or player
        match kind:
            case 0 | 1 | 2 if player or (seat and self.words.deep_truth.count("{s}")):
                return self.one(*self.words.seat_truths).format(s=player or seat)
            case 3 if seat:
                return self.one(f"{seat} in players", f"{seat} in marked", f"active = {seat}", f"picked = {seat}")
            case 4 | 5:
                return self.one(*self.words.truths)
            case 6 | 7:
                left, right = self.number(depth - 1, player, seat), self.number(depth - 1, player, seat)
                return f"({left} {self.one('=', '!=', '<', '<=', '>', '>=')} {right})"
            case 8:
                q = self.new("q")
                group = self.one("seats", "players", "marked") + (f" except {seat}" if seat and depth % 2 else "")
                return f"({self.one('some', 'no', 'every')} {q} in {group} has {self.truth(depth - 1, seat=q)})"
            case 9:
                first, second = self.truth(depth - 1, player, seat), self.truth(depth - 1, player, seat)
                return f"({first} {self.one('and', 'or')} {second})"
            case 10:
                return f"not ({self.truth(depth - 1, player, seat)})"
            case 11 if seat and depth > 1:
                return self.words.deep_truth.format(s=seat)
        return self.one("deck is not empty", "mood > 2", "heat = 3", "marked is empty")

    # ---- steps

    def steps(self, depth: int, indent: int, loop: bool = False) -> list[str]:
        lines = []
        for _ in range(self.chance.randrange(1, 3)):
            lines += self.step(depth, indent, loop)
        return lines

    def step(self, depth: int, indent: int, loop: bool) -> list[str]:
        pad, p = "  " * indent, self.new("p")
        match self.chance.randrange(9 if depth <= 0 else 15):
            case 0 | 1:
                where = f" where {self.truth(1, player=p)}" if self.chance.random() < 0.5 else ""
                verb = self.one("loses", "gains")
                return [f"{pad}each {p} in players{where} {verb} {self.number(2, player=p)} {self.words.counter}"]
            case 2:
                return [f"{pad}heat {self.one('gains', 'loses')} {self.number(1)}"]
            case 3:
                return [f"{pad}mood := min(5, {self.number(2)})"]
            case 4:
                return [f"{pad}picked := active chooses pick_{p} from players"]
            case 5:
                return [f"{pad}{self.one('add active to', 'remove active from')} marked"]
            case 6 | 7:
                return [pad + line for line in self.one(*self.words.steps, "picked := none").split("|")]
            case 8 if loop:
                return [f"{pad}when {self.truth(1)}:", f"{pad}  stop"]
            case 9:
                body = self.steps(depth - 1, indent + 1, loop)
                other = self.steps(depth - 1, indent + 1, loop) if self.chance.random() < 0.4 else []
                return [f"{pad}when {self.truth(2)}:", *body, *([f"{pad}otherwise:", *other] if other else [])]
            case 10:
                group = self.one("players", "seats", "marked", "players except active")
                where = f" where {self.truth(1, seat=p)}" if self.chance.random() < 0.5 else ""
                return [f"{pad}each {p} in {group}{where}:", *self.steps(depth - 1, indent + 1, loop)]
            case 11:
                names = [self.new("o") for _ in range(3)]
                options = [f"{pad}  {names[0]}:", *self.steps(depth - 1, indent + 2, loop)]
                for name in names[1:]:
                    options += [f"{pad}  {name} when {self.truth(1)}:", *self.steps(depth - 1, indent + 2, loop)]
                return [f"{pad}active chooses mode_{p}:", *options]
            case 12:
                return [f"{pad}when {self.truth(2)}:", f"{pad}  end {self.one(*self.words.end)}"]
            case 13:
                limit = f"{pad}  heat gains 1"
                until = f"heat = 9 or {self.truth(1)}"
                return [f"{pad}repeat until {until}:", limit, *self.steps(depth - 1, indent + 1, True)]
            case 14:
                value = f"first {p} in {self.one('players', 'marked')} clockwise {self.one('after', 'from')} active"
                key = f" with {self.one('lowest', 'highest')} {self.number(1, player=p)}" if depth % 2 else ""
                return [f"{pad}picked := {value}{key}"]
        return [f"{pad}heat gains 1"]

    # ---- patches

    def patch(self) -> list[str]:
        match self.chance.randrange(11):
            case 7 | 8:
                when = f" when {self.truth(1)}" if self.chance.random() < 0.4 else ""
                what = f"{self.one('before', 'after')} {self.one(*self.words.procedures)}{when}:"
                return [what, *self.steps(2, 1)]
            case 9:
                return [f"instead of {self.one(*self.words.steps_replaced)}:", *self.steps(2, 1)]
            case 10:
                return [f"measure {self.new('x')}: each {self.one(*self.words.measured)}, {self.number(2)}"]
            case number:
                return self.words.patches[number](self)

    def rules(self) -> str:
        lines = ["counter heat: 0..9, starts at 2", "variable mood: 0..5, starts as 0", "variable picked: player?"]
        lines += ["variable marked: set of player", *self.words.declared]
        for _ in range(self.chance.randrange(1, 5)):
            lines += self.patch()
        return "\n".join(lines) + "\n"


def overlay(chance: random.Random, extends: str, game: str) -> str:
    body = "".join(f"  {line}\n" for line in Overlays(chance, WORDS[game]).rules().splitlines())
    return f"extends: {extends}\nid: random_house\nrules: |\n{body}"
