"""The package knows no game: no word of one stands in its code, and no name in the rules matters to it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

import ritual_dsl
from ritual_dsl import load
from ritual_dsl.engine import Run
from ritual_dsl.model.game import Game

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ritual_dsl"
GAME = "arkham_ritual"

# ---- no game in the code

PLAIN_WORDS = {"offer", "hand", "deck", "discard"}
VOCABULARY = """
    sanity insane madness doom fate omen omens cultist cultists hastur cthulhu
    nyarlathotep yog sothoth yog_sothoth old_one old_ones great_old_one elder elder_sign gate gates orb trapezohedron
    arkham innsmouth dunwich miskatonic lovecraft investigator investigators professor student
    candelabra chalice dagger idol tome artifact artifacts cursed sane resonance awaken infraction toll boon
    shipwreck arcana betrayal haunt haunts traitor traitors hero heroes explorer monster monsters
    doom_track most_sanity_wins
""".split()  # noqa: SIM905


def card_ids() -> set[str]:
    return {str(card) for path in (ROOT / "cards").glob("*/*.yaml") for card in yaml.safe_load(path.read_text("utf-8"))}


def game_ids() -> set[str]:
    return {path.parent.name for path in (ROOT / "rules").glob("*/game.yaml")}


def test_no_game_is_named_in_the_package() -> None:
    cards, games = card_ids(), game_ids()
    assert len(cards) >= 20
    assert GAME in games
    words = sorted((cards | games | set(VOCABULARY)) - PLAIN_WORDS, key=len, reverse=True)
    pattern = re.compile(rf"(?<![a-z0-9_])({'|'.join(map(re.escape, words))})(?![a-z0-9_])", re.IGNORECASE)
    files = [path for ending in ("py", "lark", "j2") for path in sorted(PACKAGE.rglob(f"*.{ending}"))]
    assert len(files) >= 20
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {match.group(1)}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for match in pattern.finditer(line.replace("pdf.artifact", ""))  # a function of Typst
    ]
    assert not hits, "words of a game in the package:\n" + "\n".join(hits)


# ---- every name replaced

MARK = "zz_"
NAME = re.compile(r"(?<![A-Za-z0-9_§./-])[a-z][a-z0-9_]*(?![A-Za-z0-9_])|(?<=[.])[a-z][a-z0-9_]*(?![A-Za-z0-9_])")
PRINTED = re.compile(r"^(\s*(?:- )?)(?:name|text|question|why|title|about|printed|meant):")
RULES = re.compile(r"^(\s*)rules: \|")
FORMAT = {"game.yaml": {"winners"}, ".scenario.yaml": {"game"}}  # keys of the files themselves
NOT_PLAYED = ("sheets.yaml", "mutants.yaml")  # how it looks, and what its scenarios cannot notice
SLOT_CARDS = (
    ("magical_orb", "shining_trapezohedron"),
    ("investigator", "wary_student"),
    ("cultist", "mad_professor"),
    ("cthulhu", "nyarlathotep", "yog_sothoth", "hastur"),
)


ALL_VARIANTS = ("doom_track", "most_sanity_wins")
FORMS: dict[str, list[tuple[str, ...]]] = {  # the modules with which every card and every variant is in one of them
    GAME: [(*(cards[i % len(cards)] for cards in SLOT_CARDS), *more) for i in range(4) for more in ((), ALL_VARIANTS)],
    "shipwreck_arcana": [(), ("two_hands",)],
}
TABLES = [(GAME, players) for players in range(3, 8)] + [("shipwreck_arcana", players) for players in (2, 5)]


def all_games(name: str) -> list[Game]:
    return [load("+".join((name, *modules))) for modules in FORMS[name]]


def declared_names(name: str) -> set[str]:
    """Cards, zones, counters, variables, rules, procedures, triggers, slots, attributes, enum values, choice labels."""
    names: set[str] = set()
    for game in all_games(name):
        things = (game.cards, game.zones, game.counters, game.variables)
        for group in (*things, game.rules, game.procedures, game.signals, *game.pieces.values()):
            for declared in group:
                names.update(re.findall(r"[a-z][a-z0-9_]*", declared))
        for values in game.enums.values():
            names.update(values)
        names.update(card.slot for card in game.cards.values() if card.slot is not None)
    for path in [*(ROOT / "rules" / name).rglob("*.ritual"), *(ROOT / "cards" / name).glob("*.yaml")]:
        names.update(re.findall(r"\bchooses? ([a-z][a-z0-9_]*)", path.read_text("utf-8")))
    return names


def renamed_text(text: str, names: set[str], file: str) -> str:
    keys = {key for ending, found in FORMAT.items() if file.endswith(ending) for key in found}

    def new(match: re.Match[str]) -> str:
        return MARK + match.group() if match.group() in names else match.group()

    def new_in_yaml(match: re.Match[str]) -> str:
        key = match.string[match.end() : match.end() + 1] == ":"
        return match.group() if key and match.group() in keys else new(match)

    lines: list[str] = []
    printed_at: int | None = None  # the indent of the printed text being skipped
    rules_at: int | None = None  # the indent of the rules block being read
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if line.strip():
            printed_at = None if printed_at is not None and indent <= printed_at else printed_at
            rules_at = None if rules_at is not None and indent <= rules_at else rules_at
        if file.endswith(".ritual") or rules_at is not None:
            lines.append(NAME.sub(new, line))
            continue
        printed = PRINTED.match(line) if printed_at is None else None
        if printed is not None:
            printed_at = len(printed.group(1))
        if printed_at is not None:
            lines.append(line)
            continue
        if RULES.match(line):
            rules_at = indent
        lines.append(NAME.sub(new_in_yaml, line))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("renamed")


def renamed(name: str, folder: Path) -> Path:
    """A copy of the game in which nothing has its old name."""
    target = folder / "rules" / name
    if target.is_dir():
        return target
    names = declared_names(name)
    assert len(names) >= 80
    for part in ("rules", "cards"):
        shutil.copytree(ROOT / part / name, folder / part / name, ignore=shutil.ignore_patterns(*NOT_PLAYED))
    for path in sorted(p for part in ("rules", "cards") for p in (folder / part / name).rglob("*")):
        if path.suffix in (".yaml", ".ritual"):
            text = renamed_text(path.read_text("utf-8"), names, path.name)
            if path.name.endswith(".scenario.yaml"):
                text = re.sub(rf"(\bgame: ){name}\b", lambda match: match.group(1) + str(target), text)
            path.write_text(text, "utf-8")
    return target


def finish(run: Run) -> Run:
    run.start()
    while not run.finished:
        run.answer(run.random_answer())
    return run


@pytest.mark.parametrize("name", FORMS)
def test_nothing_keeps_its_old_name(name: str, folder: Path) -> None:
    game = load(str(renamed(name, folder)))
    for group in (game.cards, game.zones, game.counters, game.variables, game.attributes, game.signals):
        assert group
        assert all(name.startswith(MARK) for name in group), sorted(group)
    parts = re.findall(r"[a-z][a-z0-9_]*", " ".join((*game.rules, *game.procedures)))
    assert all(part.startswith(MARK) for part in parts)
    assert game.main.startswith(MARK)
    assert game.winners is not None
    assert game.winners.startswith(MARK)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_renamed_game_plays_like_the_original(name: str, players: int, folder: Path) -> None:
    copy = renamed(name, folder)
    for modules in FORMS[name]:
        original = load("+".join((name, *modules)))
        if not original.players[0] <= players <= original.players[1]:
            continue
        others = (MARK + module if module in original.files.cards else module for module in modules)
        other = load("+".join((str(copy), *others)))
        for stream in range(3):
            there = finish(Run(original, players, seed=players, stream=stream))
            here = finish(Run(other, players, seed=players, stream=stream))
            assert here.winners() == there.winners()
            text = json.dumps(here.state.to_json(), sort_keys=False)
            assert MARK in text
            assert json.loads(text.replace(MARK, "")) == json.loads(json.dumps(there.state.to_json()))


@pytest.mark.parametrize(("name", "least"), [(GAME, 400), ("shipwreck_arcana", 300)])
def test_the_scenarios_of_a_renamed_game_pass(name: str, least: int, folder: Path) -> None:
    result = ritual_dsl.test([str(renamed(name, folder) / "scenarios")])
    assert result.failed == 0, result.text()
    assert result.passed >= least
