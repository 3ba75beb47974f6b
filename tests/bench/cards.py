"""A game with any number of cards, for measuring how cost grows.

In: a folder and a number. Out: a game there whose cards all have names, texts and rules. One card in
twenty-five is in the deck, the others wait for its slot, as in a collection of which a table plays a part.
"""

from __future__ import annotations

from pathlib import Path

CARDS_A_FILE = 250
CARDS_A_SLOT = 25

RULES = """\
enum Kind: tool, beast, place
enum Side: light, dark

card has kind: Kind, side: Side, weight: 0..9

players: 2..6

zone deck: a pile, face down, starts with all cards
zone hand: one card per player, seen by owner
zone heap: a pile, face up

counter life: per player, 0..20, starts at 10                             §2
variable active: player?

trigger dropped(c: card, who: player)

rule held(c: card, s: player): all of                                     §2
  there: hand[s] = c

rule fails(p: player): any of                                             §1
  dark: hand[p] is dark

rule loss(p: player): number                                              §1
  normal: number of q in players where fails(q)

procedure match:
  repeat until some p in players has life[p] = 0:
    bout

procedure bout:
  gather: move all cards to deck
  shuffle deck
  each p in players:
    move top of deck to hand[p]
  each p in players:
    move hand[p] to heap
    trigger dropped(top of heap, p)
  score

procedure score:                                                          §1
  each p in players where fails(p) loses loss(p) life
"""

CARD = """\
card_{number}:
  name: {{en: Card {number}}}
  copies: {copies}
  slot: slot_{slot}
  kind: {kind}
  side: {side}
  weight: {weight}
  cite: §1
  text:
    en: While somebody holds this, it changes who fails, and dropping it costs {weight}.
  rules: |
    rule heavy_{number}(p: player): all of                                §1
      weight: hand[p].weight > {weight}
      other: p != holder
    while held during score:
      add fails.card_{number}: heavy_{number}(p) and hand[p] is {kind}    §1
      replace heavy_{number}.weight: hand[p].weight > {limit}
      cap: limit loss.normal to {limit} when p = holder
    when dropped:
      who loses {weight} life                                             §2
"""


def write_game(folder: Path, cards: int) -> Path:
    """The folder of a game with so many cards."""
    (folder / "cards").mkdir(parents=True)
    slots = "".join(f"  slot_{n}: card_{n * CARDS_A_SLOT}\n" for n in range(cards // CARDS_A_SLOT))
    sections = "".join(f"  §{n}:\n    title: {{en: Section {n}}}\n    text: {{en: Words.}}\n" for n in (1, 2))
    head = "language: 1\nid: many\nversion: 1.0.0\nname: {en: Many}\nlanguages: [en]\nmain: match\n"
    (folder / "game.yaml").write_text(f"{head}slots:\n{slots}sections:\n{sections}", "utf-8")
    (folder / "rules.ritual").write_text(RULES, "utf-8")
    for start in range(0, cards, CARDS_A_FILE):
        text = "\n".join(card(n) for n in range(start, min(cards, start + CARDS_A_FILE)))
        (folder / "cards" / f"cards_{start:05}.yaml").write_text(text, "utf-8")
    return folder


def card(number: int) -> str:
    return CARD.format(
        number=number,
        copies=1,
        slot=number // CARDS_A_SLOT,
        kind=("tool", "beast", "place")[number % 3],
        side=("light", "dark")[number % 2],
        weight=number % 9,
        limit=1 + number % 4,
    )
