"""Values in scenario files, read by the type a declared name has.

In: YAML nodes and a run whose seats have names. Out: values of the engine, or a finding.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Container
from typing import Any

from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.engine.run import Run
from ritual_dsl.loading.shape import INTEGER, head
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar, Sequence, YamlNode
from ritual_dsl.model.game import Counter, Variable, Zone
from ritual_dsl.model.types import Type
from ritual_dsl.source import Span


class Values:
    def __init__(self, run: Run, found: Findings) -> None:
        self.run = run
        self.game = run.game
        self.found = found
        self.placed: dict[str, list[Span]] = {}  # where each card is given

    def wrong(self, node: YamlNode, message: str, code: str = "RIT610", help: str | None = None) -> None:
        self.found.say(code, message, head(node.span), help=help)

    def value(self, node: YamlNode, type: Type) -> Any:
        """A value of a type; None after a finding, or for the word none."""
        if type.is_set:
            if not isinstance(node, Sequence):
                self.wrong(node, f"a list is wanted here: [{self.wanted(type.element())}, …]")
                return frozenset()
            members = (self.value(item, type.element()) for item in node.items)
            return frozenset(member for member in members if member is not None)
        if not isinstance(node, Scalar):
            self.wrong(node, f"{self.wanted(type)} is wanted here, not a {kind_of(node)}")
            return None
        text = node.text
        if text == "none" and type.optional:
            return None
        match type.kind:
            case "number":
                number = int(text) if INTEGER.fullmatch(text) else None
                if number is None:
                    self.wrong(node, f"a whole number is wanted here, not `{text}`")
                elif type.low is not None and type.high is not None and not type.low <= number <= type.high:
                    self.wrong(node, f"a number from {type.low} to {type.high} is wanted here, not {number}")
                else:
                    return number
            case "truth":
                if text in ("yes", "no", "true", "false"):
                    return text in ("yes", "true")
                self.wrong(node, f"yes or no is wanted here, not `{text}`")
            case "seat" | "player":
                return self.seat(node, type.kind == "player")
            case "card":
                return self.card(node, type.name)
            case "enum":
                known = self.game.values_of(type)
                if text in known:
                    return text
                self.wrong(node, f"`{text}` is not one of {listing(known)}", help=near_miss(text, known))
        return None

    def wanted(self, type: Type) -> str:
        """A type, in the words of a message."""
        match type.kind:
            case "number":
                word = "a whole number"
            case "truth":
                word = "yes or no"
            case "enum":
                return "one of " + listing([*self.game.values_of(type), *(["none"] if type.optional else [])], 12)
            case _:
                word = f"a {type.name or type.kind}"
        return word + (" or none" if type.optional else "")

    def word(self, node: YamlNode, known: list[str]) -> str | None:
        """One of some words."""
        if not isinstance(node, Scalar):
            self.wrong(node, f"one word is wanted here, not a {kind_of(node)}")
        elif node.text in known:
            return node.text
        else:
            hint = near_miss(node.text, known) or f"known: {listing(known)}"
            self.wrong(node, f"`{node.text}` cannot stand here", help=hint)
        return None

    def chooser(self, node: Scalar) -> None:
        """A player, or `all` for several together."""
        if node.text != "all":
            self.seat(node, player=True)

    def seat(self, node: Scalar, player: bool = False) -> int | None:
        names = self.run.names[: self.run.state.players] if player else self.run.names
        if node.text in names:
            return names.index(node.text)
        self.wrong(
            node,
            f"nobody is called `{node.text}`",
            "RIT602",
            near_miss(node.text, names) or f"seats: {listing(names, 12)}",
        )
        return None

    def card(self, node: Scalar, piece: str = "") -> str | None:
        if node.text not in self.game.cards:
            self.wrong(node, f"there is no card `{node.text}`", "RIT601", near_miss(node.text, self.game.cards))
            return None
        if self.game.cards[node.text].piece != piece:
            self.wrong(node, f"`{node.text}` is no {piece or 'card'}", "RIT601")
            return None
        if node.text not in self.game.deck:
            hint = "name it in the game reference: a card of a slot is swapped in with `+`"
            self.wrong(node, f"`{node.text}` is not in this deck", "RIT603", hint)
            return None
        return node.text

    def by_owner(self, node: YamlNode, owner: Type) -> dict[int, YamlNode]:
        """{A: …, B: …} by the positions of the owners; a list for places in order, or one value for every owner."""
        owners = self.game.owners(owner, self.run.state.players)
        if owner.kind == "number" and isinstance(node, Sequence):
            if len(node.items) != len(owners):
                self.wrong(node, f"there are {len(owners)} places here, and {len(node.items)} are given")
            return dict(enumerate(node.items[: len(owners)]))
        if not isinstance(node, Mapping):
            return dict.fromkeys(range(len(owners)), node)
        result = {}
        for entry in node.entries.values():
            value = self.value(entry.key, owner)
            if value in owners:
                result[owners.index(value)] = entry.value
            elif value is not None:
                self.wrong(entry.key, f"there is no share for `{entry.key.text}` here")
        return result

    # ---- given

    def give(self, given: Mapping | None) -> None:
        """Set up the state; pieces not named follow in the pile that starts with all of their kind."""
        state, game = self.run.state, self.game
        used: Tally[str] = Tally()
        listed: dict[str, list[str]] = {}
        for name, entry in given.entries.items() if given else ():
            zone = game.zones.get(name)
            if zone is not None:
                cards = self.give_zone(zone, entry.value)
                used.update(cards)
                if zone.filled:
                    listed[zone.piece] = cards
            elif name in game.counters:
                self.give_counter(game.counters[name], entry.value)
            elif name in game.variables:
                self.give_variable(game.variables[name], entry.value)
            else:
                known = [*game.zones, *game.counters, *game.variables]
                self.wrong(
                    entry.key, f"there is no zone, counter or variable `{name}`", "RIT601", near_miss(name, known)
                )
        for card, count in used.items():
            if count > game.deck[card]:
                message = f"`{card}` is given {count} times; there are {game.deck[card]} in the deck"
                self.found.say("RIT603", message, self.placed[card][game.deck[card]])
        for zone in game.zones.values():
            if zone.filled:
                rest = [c for c, copies in game.deck.items() for _ in range(copies - used[c])]
                there = [c for c in rest if game.cards[c].piece == zone.piece]
                state.cells[zone.cell] = listed.get(zone.piece, []) + there

    def give_zone(self, zone: Zone, node: YamlNode) -> list[str]:
        state = self.run.state
        if zone.owner is None:
            cards = self.share(zone, node)
            state.cells[zone.cell] = (cards[0] if cards else None) if zone.single else cards
            return cards
        if not isinstance(node, Mapping) and not (zone.owner.kind == "number" and isinstance(node, Sequence)):
            self.wrong(node, f"`{zone.name}` has one for each {zone.owner}: say whose", "RIT604")
            return []
        owners = self.by_owner(node, zone.owner)
        self.whole(zone, owners, node)
        found = []
        for owner, value in owners.items():
            cards = self.share(zone, value)
            state.cells[zone.cell][owner] = (cards[0] if cards else None) if zone.single else cards
            found += cards
        return found

    def whole(self, zone: Zone, owners: Container[int], node: YamlNode) -> None:
        """A scenario says of everybody what they have, or of nobody."""
        missing = [name for i, name in enumerate(self.run.owner_names(zone.owner)) if i not in owners]
        if missing and zone.single:
            message = f"`{zone.name}` is given for some and not for {listing(missing)}"
            self.wrong(node, message, "RIT604", "give it wholly or not at all")

    def share(self, zone: Zone, node: YamlNode) -> list[str]:
        """What lies in a zone, or in one owner's share of it."""
        if not zone.single and not isinstance(node, Sequence):
            self.wrong(node, f"a list of {zone.piece or 'cards'} is wanted here")
            return []
        items = node.items if isinstance(node, Sequence) and not zone.single else (node,)
        values = [(self.value(item, Type("card", zone.piece, optional=True)), item.span) for item in items]
        for card, span in values:
            self.placed.setdefault(card, []).append(span)
        return [card for card, _ in values if card is not None]

    def give_counter(self, counter: Counter, node: YamlNode) -> None:
        state = self.run.state
        if counter.owner is None:
            state.cells[counter.cell] = self.counted(counter, node)
            return
        for owner, value in self.by_owner(node, counter.owner).items():
            state.cells[counter.cell][owner] = self.counted(counter, value)

    def give_variable(self, variable: Variable, node: YamlNode) -> None:
        state = self.run.state
        if variable.owner is None:
            state.cells[variable.cell] = self.value(node, variable.type)
            return
        for owner, value in self.by_owner(node, variable.owner).items():
            state.cells[variable.cell][owner] = self.value(value, variable.type)

    def counted(self, counter: Counter, node: YamlNode) -> int:
        value = self.value(node, Type("number"))
        if value is not None and not counter.low <= value <= counter.high:
            self.wrong(node, f"`{counter.name}` is from {counter.low} to {counter.high}, not {value}")
            return counter.low
        return value if value is not None else counter.low


def kind_of(node: YamlNode) -> str:
    return "list" if isinstance(node, Sequence) else "mapping" if isinstance(node, Mapping) else "single word"
