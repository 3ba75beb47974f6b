"""A game reference to its parts: `my_game+other_card+variant+ruling=option+./house.yaml`.

In: the reference as a user wrote it. Out: `Chosen`: the game's files, the cards after the chosen
modules, one card for each slot, and the modules in the order of their layers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import ritual_dsl
from ritual_dsl.diagnostics import Findings, near_miss
from ritual_dsl.diagnostics.suggest import listing
from ritual_dsl.loading.game_files import MODULE_KEYS, PartReader, load_game, read_manifest, read_mapping
from ritual_dsl.loading.parts import LAYERS, CardPart, GameFiles, Module, Overlay, apply_change
from ritual_dsl.loading.shape import Shape

OVERLAY_KEYS = (*MODULE_KEYS, "extends", "base_version")
MOST_MODULES = 60
MOST_OVERLAYS = 20


@dataclass(frozen=True)
class Chosen:
    """A game with its modules picked."""

    reference: str
    files: GameFiles
    cards: dict[str, CardPart]
    slots: dict[str, str]  # slot -> the card in it
    modules: tuple[Module, ...]  # from the bottom layer to the top


def shipped_folder() -> Path:
    """Where the games of this package lie: inside an installed package, or in its checkout."""
    package = Path(ritual_dsl.__file__).parent
    inside = package / "games" / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


def shipped_games() -> list[str]:
    return sorted(p.parent.name for p in shipped_folder().glob("*/game.yaml"))


@dataclass
class Loaded:
    """Games and overlays read so far, for callers with many references."""

    games: dict[Path, tuple[GameFiles | None, Findings]] = field(default_factory=dict)
    overlays: dict[Path, tuple[Overlay | None, Findings]] = field(default_factory=dict)


def choose(reference: str, found: Findings, folder: Path | None = None, loaded: Loaded | None = None) -> Chosen | None:
    """Load what a reference names; relative paths start at `folder`."""
    here = folder or Path.cwd()
    base, *names = [part.strip() for part in reference.split("+")]
    if len(names) > MOST_MODULES:
        found.say("RIT130", f"a reference with more than {MOST_MODULES} modules")
        return None
    overlays: list[Overlay] = []
    files = base_files(base, here, found, overlays, loaded)
    if files is None:
        return None
    selection = _Selection(files, found, loaded)
    for overlay in reversed(overlays):
        selection.take_overlay(overlay)
    for name in names:
        selection.take(name, here)
    return selection.chosen(reference)


def load_once(folder: Path, found: Findings, loaded: Loaded | None) -> GameFiles | None:
    if loaded is None:
        return load_game(folder, found)
    if folder not in loaded.games:
        own = Findings()
        loaded.games[folder] = (load_game(folder, own), own)
    files, said = loaded.games[folder]
    found += said
    return files


def overlay_once(path: Path, found: Findings, loaded: Loaded | None) -> Overlay | None:
    if loaded is None:
        return load_overlay(path, found)
    key = path.resolve()
    if key not in loaded.overlays:
        own = Findings()
        loaded.overlays[key] = (load_overlay(path, own), own)
    overlay, said = loaded.overlays[key]
    found += said
    return overlay


def base_files(
    base: str, here: Path, found: Findings, overlays: list[Overlay], loaded: Loaded | None = None
) -> GameFiles | None:
    """The game below everything; the overlays on the way to it are collected, the nearest first."""
    name, at, revision = base.partition("@")
    if at:
        found.say("RIT131", f"a game as of a revision (`@{revision}`) is not supported yet")
        return None
    if len(overlays) > MOST_OVERLAYS:
        found.say("RIT132", "the overlays extend each other in a circle, or too many")
        return None
    path = (here / name).expanduser()
    if name in shipped_games() and not is_path(name):
        return load_once(shipped_folder() / name, found, loaded)
    if path.is_file():
        overlay = overlay_once(path, found, loaded)
        if overlay is None:
            return None
        overlays.append(overlay)
        return base_files(overlay.extends.partition("+")[0], path.parent, found, overlays, loaded)
    folder = game_folder(path)
    if folder is not None:
        return load_once(folder, found, loaded)
    if path.is_dir():
        found.say("RIT133", f"the folder {name} holds no game", help="a game's folder has a `game.yaml`")
    elif is_path(name):
        found.say("RIT101", f"{name} cannot be read: no such file")
    else:
        hint = near_miss(name, shipped_games()) or f"shipped games: {listing(shipped_games())}"
        found.say("RIT134", f"there is no game `{name}`", help=hint)
    return None


def is_path(name: str) -> bool:
    return "/" in name or name.startswith(".") or name.endswith((".yaml", ".yml"))


def game_folder(path: Path) -> Path | None:
    """The folder itself, or the only game below its `rules/`."""
    if (path / "game.yaml").is_file():
        return path
    below = sorted(path.glob("rules/*/game.yaml"))
    return below[0].parent if len(below) == 1 else None


def load_overlay(path: Path, found: Findings) -> Overlay | None:
    body = read_mapping(path, found)
    if body is None:
        return None
    shape = Shape(found)
    shape.mapping(body, "the overlay", OVERLAY_KEYS)
    shape.require(body, "the overlay", ("extends", "id"))
    extends = shape.text(body.get("extends"), "what it extends")
    name = shape.identifier(body.get("id"), "the id")
    if extends is None or name is None:
        return None
    reader = PartReader(found, overlay_languages(extends, path))
    pinned = shape.text(body.get("base_version"), "the version of the base")
    return Overlay(extends, pinned, reader.module(name, "house", body), path)


def overlay_languages(extends: str, path: Path) -> tuple[str, ...]:
    """The languages of the game at the bottom of an overlay; faults on the way are reported when it is loaded."""
    silent = Findings()
    for _ in range(MOST_OVERLAYS):
        name = extends.partition("+")[0]
        below = (path.parent / name).expanduser()
        if below.is_file():
            body = read_mapping(below, silent)
            extends, path = Shape(silent).text(body.get("extends") if body else None, "") or "", below
            continue
        folder = shipped_folder() / name if name in shipped_games() else game_folder(below)
        root = read_mapping(folder / "game.yaml", silent) if folder else None
        manifest = read_manifest(root, silent) if root else None
        return manifest.languages if manifest else ("en",)
    return ("en",)


class _Selection:
    """Picks one module after the other."""

    def __init__(self, files: GameFiles, found: Findings, loaded: Loaded | None) -> None:
        self.files = files
        self.found = found
        self.loaded = loaded
        self.cards = dict(files.cards)
        self.slots = {slot: word.text for slot, word in files.manifest.slots.items()}
        self.options = {ruling.id: ruling.default for ruling in files.rulings.values()}
        self.modules: list[Module] = []

    def take(self, name: str, here: Path) -> None:
        ruling, equals, option = name.partition("=")
        card = self.cards.get(name)
        if equals:
            self.take_ruling(ruling, option)
        elif card is not None and card.slot is not None:
            self.slots[card.slot.text] = name
        elif name in self.files.variants:
            if all(m.id != name for m in self.modules):
                self.modules.append(self.files.variants[name])
        elif is_path(name):
            path = (here / name).expanduser()
            if not path.is_file():
                self.found.say("RIT101", f"{name} cannot be read: no such file")
                return
            overlay = overlay_once(path, self.found, self.loaded)
            if overlay is not None:
                self.take_overlay(overlay)
        else:
            alternates = [c.id for c in self.cards.values() if c.slot is not None]
            known = [*alternates, *self.files.variants, *(f"{r}=" for r in self.files.rulings)]
            hint = (
                near_miss(name, known) or "a module is an alternate card, a variant, ruling=option, or an overlay file"
            )
            if card is not None:
                hint = f"`{name}` is in every deck: only a card with a slot can be swapped in"
            self.found.say("RIT135", f"there is no module `{name}`", help=hint)

    def take_ruling(self, name: str, option: str) -> None:
        ruling = self.files.rulings.get(name)
        if ruling is None:
            hint = near_miss(name, self.files.rulings)
            self.found.say("RIT135", f"there is no ruling `{name}`", help=hint)
        elif option not in ruling.options:
            hint = f"options: {listing(ruling.options)}"
            self.found.say("RIT135", f"the ruling `{name}` has no option `{option}`", help=hint)
        else:
            self.options[name] = option

    def take_overlay(self, overlay: Overlay) -> None:
        for name in overlay.extends.split("+")[1:]:
            self.take(name.strip(), overlay.path.parent)
        actual = self.files.manifest.version
        if overlay.version is not None and overlay.version != actual:
            self.found.say(
                "RIT136",
                f"`{overlay.module.id}` was written for version {overlay.version} of its base, which is {actual}",
                overlay.module.span,
            )
        for change in overlay.module.cards:
            card = self.cards.pop(change.id, None)
            if card is None and (change.removed or (change.card is None)):
                hint = near_miss(change.id, self.cards)
                self.found.say("RIT141", f"there is no card `{change.id}` to change", change.span, help=hint)
                continue
            new = apply_change(card, change, overlay.module.id)
            if new is not None:
                self.cards[change.id] = new
        self.modules.append(overlay.module)

    def chosen(self, reference: str) -> Chosen:
        for name, ruling in self.files.rulings.items():
            module = ruling.options.get(self.options[name])
            if module is not None:
                self.modules.append(module)
        order = sorted(self.modules, key=lambda m: LAYERS.index(m.layer))
        return Chosen(reference, self.files, self.card_order(), self.slots, tuple(order))

    def card_order(self) -> dict[str, CardPart]:
        """Cards in the order of the files; those an overlay adds come last."""
        known = [c for c in self.files.cards if c in self.cards]
        added = [c for c in self.cards if c not in self.files.cards]
        return {c: self.cards[c] for c in known + added}


def with_option(chosen: Chosen, module: Module) -> Chosen:
    """The same game with one module more, or a ruling's option in place of the one taken."""
    others = [m for m in chosen.modules if m.id != module.id]
    order = sorted([*others, module], key=lambda m: LAYERS.index(m.layer))
    return replace(chosen, modules=tuple(order))
