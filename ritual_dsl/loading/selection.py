"""Picking modules one after the other, down to the game and up again through its overlays.

In: the words of a reference, each with the place it was written at. Out: a `Selection`: the game's files with
what overlays add to them, and the modules taken.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from ritual_dsl.diagnostics import Findings, Related, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.files import AnyPath, display
from ritual_dsl.loading.game_files import load_game, read_mapping
from ritual_dsl.loading.locate import Located, is_path, locate
from ritual_dsl.loading.part_reader import OVERLAY_KEYS, PartReader
from ritual_dsl.loading.parts import REMOVE, CardChange, CardPart, GameFiles, Module, Overlay, cards_after
from ritual_dsl.loading.rivals import Claims
from ritual_dsl.loading.shape import Shape
from ritual_dsl.loading.yaml_nodes import Mapping, Scalar
from ritual_dsl.source import Span

MOST_MODULES = 60
MOST_OVERLAYS = 20
LONGEST_WORD = 255
LONGEST_PATH = 1000


@dataclass
class Loaded:
    """Games and overlays read so far, for callers with many references."""

    games: dict[AnyPath, tuple[GameFiles | None, Findings]] = field(default_factory=dict)
    overlays: dict[AnyPath, tuple[Mapping | None, Findings]] = field(default_factory=dict)


@dataclass(frozen=True)
class Taken:
    """What a word of a reference brought in: overlays, and the version of the topmost."""

    overlays: frozenset[str]
    version: str


@dataclass
class Selection:
    found: Findings
    loaded: Loaded
    files: GameFiles | None = None
    modules: list[Module] = field(default_factory=list)  # variants and overlays
    picked: dict[str, Scalar] = field(default_factory=dict)  # slot -> a card asked for by name
    options: dict[str, str] = field(default_factory=dict)  # ruling -> the option asked for
    taken: dict[AnyPath, Taken] = field(default_factory=dict)  # overlays by their file
    open: list[AnyPath] = field(default_factory=list)  # overlays whose base is being read
    claims: Claims = field(default_factory=Claims)

    # ---- words of a reference

    def read(self, reference: str, here: AnyPath, span: Span | None, inside: bool = True) -> Taken | None:
        """A whole reference: what stands first, then its modules. None if its base cannot be read."""
        base, *names = [part.strip() for part in reference.split("+")]
        if len(names) > MOST_MODULES:
            self.found.say("RIT130", f"a reference with more than {MOST_MODULES} modules", span)
            return None
        taken = self.base(base, here, span, inside)
        if taken is None:
            return None
        overlays = taken.overlays
        for name in names:
            overlays |= self.take(name, here, span, inside)
        return Taken(overlays, taken.version)

    def base(self, word: str, here: AnyPath, span: Span | None, inside: bool) -> Taken | None:
        home = self.home(word, here) if inside else None
        if home is not None:
            return self.begin(home, word, span)
        located = self.locate(word, here, span, inside)
        if located is None:
            return None
        return self.begin(located.place, word, span) if located.is_game else self.overlay(located.place, span)

    def locate(self, word: str, here: AnyPath, span: Span | None, inside: bool) -> Located | None:
        too_long = len(word) > LONGEST_PATH or any(len(os.fsencode(part)) > LONGEST_WORD for part in word.split("/"))
        if too_long or "\0" in word or not word:
            self.found.say("RIT101", f"`{word[:40]}{'…' if word else ''}` cannot be the name of a file", span)
            return None
        return locate(word, here, self.found, span, inside)

    def home(self, word: str, here: AnyPath) -> AnyPath | None:
        """The game around a file, if the file calls it by its id."""
        folder = here
        while not is_path(word):
            if (folder / "game.yaml").is_file():
                files, _ = self.load(folder)
                return folder if files is not None and files.manifest.id == word else None
            if folder.parent == folder:
                return None
            folder = folder.parent
        return None

    def load(self, folder: AnyPath) -> tuple[GameFiles | None, Findings]:
        if folder not in self.loaded.games:
            own = Findings()
            self.loaded.games[folder] = (load_game(folder, own), own)
        return self.loaded.games[folder]

    def read_overlay(self, file: AnyPath) -> Mapping | None:
        if file not in self.loaded.overlays:
            own = Findings()
            self.loaded.overlays[file] = (read_mapping(file, own), own)
        body, said = self.loaded.overlays[file]
        self.found += said
        return body

    def begin(self, folder: AnyPath, word: str, span: Span | None) -> Taken | None:
        """The game below everything; an overlay that is added must extend the same one."""
        files, said = self.load(folder)
        if self.files is None:
            self.found += said
            if files is None:
                return None
            self.files = files
            errata = (erratum.module for erratum in files.errata.values())
            self.modules += [module for module in errata if module.items or module.cards]
        elif files is None or files.manifest.id != self.files.manifest.id:
            message = f"this extends `{word}`, and the game here is `{self.files.manifest.id}`"
            self.found.say("RIT138", message, span)
            return None
        return Taken(frozenset(), self.files.manifest.version)

    def take(self, name: str, here: AnyPath, span: Span | None, inside: bool) -> frozenset[str]:
        """One module; the overlays it brings in."""
        assert self.files is not None
        ruling, equals, option = name.partition("=")
        cards = self.cards()
        card = cards.get(name)
        if is_path(name):
            located = self.locate(name, here, span, inside)
            if located is not None and located.is_game:
                self.found.say("RIT135", f"{name} is a game, not a module", span)
            taken = self.overlay(located.place, span) if located is not None and not located.is_game else None
            return taken.overlays if taken is not None else frozenset()
        if equals:
            if self.known_option(ruling, option, span):
                self.options[ruling] = option
        elif card is not None and card.slot is not None:
            self.picked[card.slot.text] = Scalar(name, span or card.slot.span)
        elif name in self.files.variants:
            if all(m.id != name for m in self.modules):
                self.modules.append(self.files.variants[name])
        else:
            self.no_module(name, cards, span)
        return frozenset()

    def no_module(self, name: str, cards: dict[str, CardPart], span: Span | None) -> None:
        assert self.files is not None
        alternates = [c.id for c in cards.values() if c.slot is not None]
        known = [*alternates, *self.files.variants, *(f"{r}=" for r in self.files.rulings)]
        hint = near_miss(name, known) or "a module is an alternate card, a variant, ruling=option, or an overlay file"
        if name in cards:
            hint = f"`{name}` is in every deck: only a card with a slot can be swapped in"
        self.found.say("RIT135", f"there is no module `{name}`", span, help=hint)

    def known_option(self, name: str, option: str, span: Span | None) -> bool:
        assert self.files is not None
        ruling = self.files.rulings.get(name)
        if ruling is None:
            hint = near_miss(name, self.files.rulings)
            self.found.say("RIT135", f"there is no ruling `{name}`", span, help=hint)
        elif option not in ruling.options:
            hint = f"options: {listing(ruling.options)}"
            self.found.say("RIT135", f"the ruling `{name}` has no option `{option}`", span, help=hint)
        return ruling is not None and option in ruling.options

    # ---- overlays

    def overlay(self, file: AnyPath, span: Span | None) -> Taken | None:
        """An overlay on top of what it extends; a file counts once, however often it is named."""
        if file in self.taken:
            return self.taken[file]
        if file in self.open or len(self.open) >= MOST_OVERLAYS:
            way = " → ".join(display(place) for place in [*self.open[-4:], file])
            fault = "in a circle" if file in self.open else f"more than {MOST_OVERLAYS} deep"
            self.found.say("RIT132", f"the overlays extend each other {fault}: {way}", span)
            return None
        body = self.read_overlay(file)
        if body is None:
            return None
        shape = Shape(self.found)
        shape.mapping(body, "the overlay", OVERLAY_KEYS)
        shape.require(body, "the overlay", ("extends", "id"))
        extends = body.get("extends")
        name = shape.identifier(body.get("id"), "the id")
        reference = shape.text(extends, "what it extends")
        if name is None or reference is None or extends is None:
            return None
        self.open.append(file)
        below = self.read(reference, file.parent, extends.span)
        self.open.pop()
        if below is None or self.files is None or not self.free(name, body):
            return None
        self.taken[file] = self.lay(name, body, below)
        return self.taken[file]

    def free(self, name: str, body: Mapping) -> bool:
        """Patches are named by the id of their module, so ids differ."""
        assert self.files is not None
        known = {m.id: m.span for m in self.all_modules()} | {c.id: c.span for c in self.cards().values()}
        known |= {v.id: v.span for v in self.files.variants.values()}
        if name not in known:
            return True
        related = [Related("first here", known[name])]
        self.found.say("RIT137", f"the id `{name}` is in use", body.entries["id"].value.span, related=related)
        return False

    def lay(self, name: str, body: Mapping, below: Taken) -> Taken:
        """Put an overlay on top of all that was taken so far."""
        assert self.files is not None
        languages = Shape(self.found).languages(body.get("languages"))
        known = dict.fromkeys((*self.files.manifest.languages, *languages))
        reader = PartReader(self.found, tuple(known))
        overlay = self.without_slots(reader.overlay(name, body, self.files.rulings, below.overlays))
        self.check_pin(overlay, below.version)
        manifest = replace(
            self.files.manifest,
            languages=tuple(known),
            about={**self.files.manifest.about, **overlay.about},
            sections={**self.files.manifest.sections, **overlay.sections},
            slots={s: c for s, c in {**self.files.manifest.slots, **overlay.slots}.items() if c.text != REMOVE},
        )
        self.files = replace(self.files, manifest=manifest, rulings={**self.files.rulings, **overlay.rulings})
        for slot in overlay.slots:
            self.picked.pop(slot, None)
        for ruling, option in overlay.choices.items():
            if option.text == REMOVE and ruling in self.files.rulings:
                rest = {name: other for name, other in self.files.rulings.items() if name != ruling}
                self.files = replace(self.files, rulings=rest)
            elif self.known_option(ruling, option.text, option.span):
                self.options[ruling] = option.text
        self.claims.add(overlay, self.found)
        self.modules.append(overlay.module)
        return Taken(below.overlays | {name}, overlay.version or below.version)

    def without_slots(self, overlay: Overlay) -> Overlay:
        """A slot that is removed takes its cards along."""
        assert self.files is not None
        gone = {slot: word.span for slot, word in overlay.slots.items() if word.text == REMOVE}
        for slot in gone.keys() - self.files.manifest.slots.keys():
            hint = near_miss(slot, self.files.manifest.slots)
            self.found.say("RIT340", f"there is no slot `{slot}` to remove", gone[slot], help=hint)
        slots = {card.id: card.slot.text for card in self.cards().values() if card.slot is not None}
        removed = [CardChange(card, gone[slot], removed=True) for card, slot in slots.items() if slot in gone]
        return replace(overlay, module=replace(overlay.module, cards=(*overlay.module.cards, *removed)))

    def check_pin(self, overlay: Overlay, version: str) -> None:
        """`1.2` pins 1.2 and every 1.2.x."""
        pin = overlay.pinned
        if pin is not None and f"{version}.".startswith(f"{pin.text}.") is False:
            message = f"`{overlay.module.id}` was written for version {pin.text} of its base, which is {version}"
            self.found.say("RIT136", message, pin.span)

    # ---- what was picked

    def cards(self) -> dict[str, CardPart]:
        """The cards as far as modules were taken; faults are reported when all are."""
        assert self.files is not None
        return cards_after(self.files.cards, tuple(self.modules), Findings()).kept

    def slots(self) -> dict[str, Scalar]:
        assert self.files is not None
        return {**self.files.manifest.slots, **self.picked}

    def all_modules(self) -> list[Module]:
        assert self.files is not None
        rulings = self.files.rulings.values()
        answers = [r.options.get(self.options.get(r.id, r.default)) for r in rulings]
        return [*self.modules, *(answer for answer in answers if answer is not None)]
