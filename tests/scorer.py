"""An independent scorer of Arkham Ritual, written from the rulebooks.

In: every seat's card, the players' sanity, the doom marker's spot (or None) and the rulings in force.
Out: what scoring a round (`score`) or a discarded Gate (`awaken`) does. The scenarios are checked against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MOST_SANITY = 7
ARTIFACTS = ("candelabra", "chalice", "dagger", "idol", "tome")
CHARACTERS = ("investigator", "wary_student", "cultist", "mad_professor")
GREAT_OLD_ONES = ("cthulhu", "nyarlathotep", "yog_sothoth", "hastur")
# Every ruling with its options, the default first.
RULINGS: dict[str, tuple[str, ...]] = {
    "dummies_count_as_failing": ("yes", "no"),
    "dummy_characters_act": ("yes", "no"),
    "dummy_great_old_one_acts": ("yes", "no"),
    "hastur_counts_dummy_cursed": ("yes", "no"),
    "wary_student_cap_with_doom": ("yes", "no"),
    "wary_student_cap_vs_great_old_one": ("no", "yes"),
    "doom_sets_great_old_one_amount": ("yes", "no"),
    "nyarlathotep_most_includes_holder": ("no", "yes"),
    "nyarlathotep_gain": ("actual", "nominal"),
    "yog_sothoth_least": ("all", "others", "all_no_holder_tie"),
    "variant_zero_can_win": ("no", "yes"),
    "tie_break_last_active": ("last", "first"),
    "trapezohedron_empty_deck": ("nothing", "lose"),
    "trapezohedron_zero": ("at_once", "after_round"),
    "orb_removes_for": ("round", "game"),
    "doom_start": ("1", "0"),
    "doom_max": ("7", "5", "6", "8"),
    "doom_advances_after_great_old_one": ("yes", "no"),
    "infraction_card": ("hand", "seen"),
    "infraction_zero": ("after_round", "at_once"),
}


@dataclass(frozen=True)
class Table:
    """One position: `hands` for players and dummies, `sanity` for players only."""

    hands: Mapping[str, str]
    sanity: Mapping[str, int]
    doom: int | None = None
    rulings: Mapping[str, str] = field(default_factory=dict)

    def ruling(self, name: str) -> str:
        option = self.rulings.get(name, RULINGS[name][0])
        if option not in RULINGS[name]:
            raise ValueError(f"{name} has no option {option}")
        return option

    def is_dummy(self, seat: str) -> bool:
        return seat not in self.sanity

    def holder(self, card: str) -> str | None:
        """Whoever holds the card, if the card acts there."""
        for seat, held in self.hands.items():
            if held == card:
                switch = "dummy_characters_act" if card in CHARACTERS else "dummy_great_old_one_acts"
                return None if self.is_dummy(seat) and self.ruling(switch) == "no" else seat
        return None

    def normal(self, failing: int) -> int:
        """7-3, or 13 in its place: the markers each of `failing` seats loses."""
        return failing if self.doom is None else self.doom

    def judged(self, seats: list[str]) -> int:
        """How many of these seats count as failing."""
        dummies_too = self.ruling("dummies_count_as_failing") == "yes"
        return sum(dummies_too or not self.is_dummy(seat) for seat in seats)


@dataclass(frozen=True)
class Scored:
    fails: frozenset[str]
    loss: dict[str, int]
    sanity: dict[str, int]


@dataclass(frozen=True)
class Awakened:
    toll: dict[str, int]
    boon: dict[str, int]
    sanity: dict[str, int]


def is_cursed(card: str) -> bool:
    return card.endswith("_cursed") or card in GREAT_OLD_ONES


def artifact(card: str) -> str | None:
    kind = card.rpartition("_")[0]
    return kind if kind in ARTIFACTS else None


def resonates(table: Table, seat: str) -> bool:
    mine = artifact(table.hands[seat])
    others = [artifact(card) for other, card in table.hands.items() if other != seat]
    return mine is not None and mine in others


def survives(table: Table, seat: str) -> bool:
    card = table.hands[seat]
    wanted = is_cursed(card) if table.holder("cultist") else not is_cursed(card)
    if table.holder("mad_professor") and artifact(card) is None:
        return False
    return wanted and not resonates(table, seat) and seat != table.holder("wary_student")


def score(table: Table) -> Scored:
    """Sections 7 and 10-3: the end of a round that no Great Old One ended."""
    failing = [seat for seat in table.hands if not survives(table, seat)]
    amount = table.normal(table.judged(failing))
    loss = {seat: amount if seat in failing else 0 for seat in table.hands}
    student = table.holder("wary_student")
    if student is not None and (table.doom is None or table.ruling("wary_student_cap_with_doom") == "yes"):
        loss[student] = min(loss[student], 1)
    sanity = {player: max(0, had - loss[player]) for player, had in table.sanity.items()}
    investigator = table.holder("investigator")
    if investigator is not None and investigator in sanity and investigator not in failing:
        sanity[investigator] = min(MOST_SANITY, sanity[investigator] + 1)
    return Scored(frozenset(failing), loss, sanity)


def awaken(table: Table) -> Awakened | None:
    """Section 10-4: a Gate is discarded. None if there is no Great Old One to answer it."""
    acting = [(old_one, seat) for old_one in TOLLS if (seat := table.holder(old_one)) is not None]
    if not acting:
        return None
    [(old_one, holder)] = acting
    toll = TOLLS[old_one](table, holder)
    student = table.holder("wary_student")
    if student is not None and student in toll and table.ruling("wary_student_cap_vs_great_old_one") == "yes":
        toll[student] = min(toll[student], 1)
    boon = dict.fromkeys(table.sanity, 0)
    if old_one == "nyarlathotep" and holder in boon:
        actual = table.ruling("nyarlathotep_gain") == "actual"
        boon[holder] = sum(min(lost, table.sanity[p]) if actual else lost for p, lost in toll.items())
    sanity = {p: min(MOST_SANITY, max(0, had - toll[p]) + boon[p]) for p, had in table.sanity.items()}
    return Awakened(toll, boon, sanity)


def winners(table: Table, sanity: Mapping[str, int], most_sanity_wins: bool) -> set[str]:
    """Section 8, for a game that is over with this sanity."""
    zero_wins = most_sanity_wins and table.ruling("variant_zero_can_win") == "yes"
    least = max(sanity.values()) if most_sanity_wins else 1
    return {player for player, left in sanity.items() if left >= least and (left > 0 or zero_wins)}


def old_one_normal(table: Table, failing: int) -> int:
    return table.normal(failing) if table.ruling("doom_sets_great_old_one_amount") == "yes" else failing


def cthulhu(table: Table, holder: str) -> dict[str, int]:
    return {player: 0 if player == holder else len(table.hands) - 1 for player in table.sanity}


def nyarlathotep(table: Table, holder: str) -> dict[str, int]:
    holder_too = table.ruling("nyarlathotep_most_includes_holder") == "yes"
    most = max(had for player, had in table.sanity.items() if holder_too or player != holder)
    failing = [player for player, had in table.sanity.items() if had == most and player != holder]
    return {p: old_one_normal(table, len(failing)) if p in failing else 0 for p in table.sanity}


def yog_sothoth(table: Table, holder: str) -> dict[str, int]:
    reading = table.ruling("yog_sothoth_least")
    compared = [p for p in table.sanity if p != holder or reading != "others"]
    fewest = min(table.sanity[p] for p in compared)
    least = [p for p in compared if table.sanity[p] == fewest]
    makes_a_tie = [p for p in least if p != holder or reading != "all_no_holder_tie"]
    if len(makes_a_tie) > 1:
        return {p: max(0, had - 1) if p == holder else 1 for p, had in table.sanity.items()}
    return {p: 0 if p == holder or p in least else had for p, had in table.sanity.items()}


def hastur(table: Table, holder: str) -> dict[str, int]:
    victims = [seat for seat, card in table.hands.items() if artifact(card)]
    dummies_too = table.ruling("hastur_counts_dummy_cursed") == "yes"
    counted = [seat for seat in table.hands if dummies_too or seat in table.sanity or seat == holder]
    cursed = [seat for seat in counted if is_cursed(table.hands[seat])]
    amount = old_one_normal(table, table.judged(victims)) + len(cursed)
    return {player: amount if player in victims else 0 for player in table.sanity}


TOLLS: dict[str, Callable[[Table, str], dict[str, int]]] = {
    "cthulhu": cthulhu,
    "nyarlathotep": nyarlathotep,
    "yog_sothoth": yog_sothoth,
    "hastur": hastur,
}
