"""House rules at random: any patch the language has, with any expression, as long as it is well typed."""

from __future__ import annotations

import random

FAILS = ("cursed", "resonance")
KINDS = ("artifact", "event", "character", "great_old_one", "sane", "cursed")
ARTIFACTS = ("candelabra", "chalice", "dagger", "idol", "tome")


class Overlays:
    """Writes overlays; `chance` decides everything, so that a test can shrink it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
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
                return self.one("heat", "mood", "(number of deck)", "(number of marked)", "(number of players)")
            case 3:
                return f"sanity[{player}]" if player else "(number of seats)"
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
            case 0 | 1 if seat:
                return f"hand[{seat}] is {self.one('', 'not ')}{self.one(*KINDS)}"
            case 2 if seat:
                return f"hand[{seat}].artifact = {self.one(*ARTIFACTS)}"
            case 3 if seat:
                return self.one(f"{seat} in players", f"{seat} in marked", f"active = {seat}", f"chosen = {seat}")
            case 4:
                return self.one("deck is empty", "discard is not empty", "ended is elder_sign", "chosen is none")
            case 5:
                return f"top of {self.one('deck', 'discard')} is {self.one(*KINDS)}"
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
                return f"fails({seat})"
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
                return [f"{pad}each {p} in players{where} {verb} {self.number(2, player=p)} sanity"]
            case 2:
                return [f"{pad}heat {self.one('gains', 'loses')} {self.number(1)}"]
            case 3:
                return [f"{pad}mood := min(5, {self.number(2)})"]
            case 4:
                return [f"{pad}chosen := active chooses pick_{p} from players"]
            case 5:
                return [f"{pad}{self.one('add active to', 'remove active from')} marked"]
            case 6:
                return [f"{pad}when deck is not empty:", f"{pad}  move top of deck to {self.one('discard', 'removed')}"]
            case 7:
                some = ("shuffle deck", "show top of deck to active", "shuffle discard", "chosen := none")
                return [pad + self.one(*some)]
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
                how = self.one("deck_empty", "elder_sign", "all_passed")
                return [f"{pad}when {self.truth(2)}:", f"{pad}  end round as {how}"]
            case 13:
                limit = f"{pad}  heat gains 1"
                until = f"heat = 9 or {self.truth(1)}"
                return [f"{pad}repeat until {until}:", limit, *self.steps(depth - 1, indent + 1, True)]
            case 14:
                value = f"first {p} in {self.one('players', 'marked')} clockwise {self.one('after', 'from')} active"
                key = f" with {self.one('lowest', 'highest')} {self.number(1, player=p)}" if depth % 2 else ""
                return [f"{pad}chosen := {value}{key}"]
        return [f"{pad}heat gains 1"]

    # ---- patches

    def patch(self) -> list[str]:
        match self.chance.randrange(11):
            case 0 | 1:
                return [f"add fails.{self.new('c')}: {self.truth(3, seat='p')}"]
            case 2:
                return [f"replace fails.cursed: {self.truth(3, seat='p')}"]
            case 3:
                return [f"replace normal_loss.count: min(9, {self.number(2)} + failures)"]
            case 4:
                return [f"limit loss.normal to {self.number(1)} when {self.truth(2, seat='p')}"]
            case 5:
                return [f"replace winners.left: {self.truth(2, player='p')}"]
            case 6:
                return ["remove fails.resonance"]
            case 7 | 8:
                where = self.one("before", "after")
                names = ("turn", "score", "deal", "round", "first_player", "round.play", "turn.pass_on", "awaken")
                what = self.one(*names)
                when = f" when {self.truth(1)}" if self.chance.random() < 0.4 else ""
                return [f"{where} {what}{when}:", *self.steps(2, 1)]
            case 9:
                return [f"instead of {self.one('turn.deck_out', 'round.judge')}:", *self.steps(2, 1)]
            case _:
                return [f"measure {self.new('x')}: each {self.one('turn', 'round', 'game')}, {self.number(2)}"]

    def rules(self) -> str:
        lines = ["counter heat: 0..9, starts at 2", "variable mood: 0..5, starts as 0", "variable chosen: player?"]
        lines += ["variable marked: set of player"]
        for _ in range(self.chance.randrange(1, 5)):
            lines += self.patch()
        return "\n".join(lines) + "\n"


def overlay(chance: random.Random, extends: str = "arkham_ritual") -> str:
    body = "".join(f"  {line}\n" for line in Overlays(chance).rules().splitlines())
    return f"extends: {extends}\nid: random_house\nrules: |\n{body}"
