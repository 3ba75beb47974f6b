"""Overlays: what they change, in which order, and that they leave their base alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ritual_dsl
from ritual_dsl import load
from ritual_dsl.diagnostics import RitualError
from ritual_dsl.model.game import Game

BASE = "arkham_ritual"


def write(folder: Path, name: str, body: str, extends: str = BASE) -> str:
    (folder / f"{name}.yaml").write_text(f"extends: {extends}\nid: {name}\n{body}", encoding="utf-8")
    return str(folder / f"{name}.yaml")


def codes(reference: str) -> set[str]:
    return {d.code for d in ritual_dsl.check(reference) if d.is_error}


def body_of(game: Game, rule: str, label: str) -> str:
    """The topmost body of a clause, as it is written."""
    clause = next(c for c in game.rules[rule].clauses if c.label == label)
    span = clause.entries[-1].span
    return span.source.line(span.line).strip()


# ---- what an overlay may change


def test_declarations(tmp_path: Path) -> None:
    body = """rules: |
  replace sanity.starts: 9
  replace sanity.max: 9
  replace players: 3..8
  replace seats: the players
  replace zone hand: one card per seat, seen by everyone
  add Artifact.lantern
"""
    game = load(write(tmp_path, "all_of_them", body))
    assert (game.counters["sanity"].starts, game.counters["sanity"].high) == (9, 9)
    assert game.players == (3, 8)
    assert game.dummies_up_to == 0
    assert game.zones["hand"].audience == "everyone"
    assert game.enums["Artifact"][-1] == "lantern"


def test_a_slot_is_removed_with_its_cards(tmp_path: Path) -> None:
    path = write(tmp_path, "no_lens", "slots: {lens: remove}\n")
    game = load(path)
    assert "lens" not in game.files.manifest.slots
    assert not {"magical_orb", "shining_trapezohedron"} & game.deck.keys()
    assert sum(game.deck.values()) == sum(load(BASE).deck.values()) - 1
    assert codes(f"{path}+magical_orb") == {"RIT135"}
    other = write(tmp_path, "keeps_it", "slots: {lens: shining_trapezohedron}\n")
    assert "RIT139" in codes(f"{path}+{other}")
    assert codes(write(tmp_path, "misspelt", "slots: {lenz: remove}\n")) == {"RIT340"}


def test_a_ruling_is_removed_with_its_answers(tmp_path: Path) -> None:
    path = write(tmp_path, "settled", "rulings: {orb_removes_for: remove}\n")
    game = load(path)
    assert "orb_removes_for" not in game.files.rulings
    assert all(module.id != "orb_removes_for" for module in game.modules)
    assert codes(f"{path}+orb_removes_for=game") == {"RIT135"}
    assert codes(write(tmp_path, "misspelt", "rulings: {orb_removes_four: remove}\n")) == {"RIT135"}


def test_a_patch_of_what_another_module_declares_says_which(tmp_path: Path) -> None:
    path = write(tmp_path, "from_0", "rules: |\n  replace doom.starts: 0\n")
    [finding] = ritual_dsl.check(path)
    assert finding.code == "RIT403"
    assert finding.help == "`doom` belongs to `doom_track`: write it under `with doom_track:`"


def test_doom_from_0_only_with_the_track(tmp_path: Path) -> None:
    path = write(tmp_path, "from_0", "rules: |\n  with doom_track:\n    replace doom.starts: 0\n")
    assert "doom" not in load(path).counters
    assert load(f"{path}+doom_track").counters["doom"].starts == 0


def test_cards_slots_and_rulings(tmp_path: Path) -> None:
    body = """slots: {old_one: hastur, lens: none, pet: cat}
cards:
  gate_1: {copies: 2}
  gate_2: remove
  investigator: {slot: none}
  wary_student: {slot: none, artifact: none}
  cat:
    name: {en: Cat, ja: 猫}
    text: {en: It sleeps., ja: 寝ています。}
    kind: character
    color: sane
    slot: pet
rulings:
  yog_sothoth_least: others
"""
    assert codes(write(tmp_path, "table", body)) == {"RIT340"}  # the two who lost their slot leave it without a card
    path = write(tmp_path, "table", body.replace("pet: cat}", "pet: cat, witness: none}"))
    game = load(path)
    assert game.deck["gate_1"] == 2
    assert {"hastur", "investigator", "wary_student", "cat"} <= set(game.deck)
    assert not {"gate_2", "cthulhu", "magical_orb", "shining_trapezohedron"} & set(game.deck)
    assert "gate_2" not in game.cards
    assert next(m.option for m in game.modules if m.id == "yog_sothoth_least") == "others"
    again = load(f"{path}+yog_sothoth_least=all+cthulhu")
    assert next(m.option for m in again.modules if m.id == "yog_sothoth_least") == "all"
    assert "hastur" not in again.deck


def test_a_new_ruling_and_a_changed_one(tmp_path: Path) -> None:
    body = """rulings:
  doom_start:
    default: 0
  loud:
    question: {en: Loud?, ja: うるさい？}
    default: yes
    options:
      yes:
        text: {en: Loud., ja: うるさい。}
        rules: |
          replace loss.normal: 1
      no:
        text: {en: Not., ja: 静か。}
"""
    path = write(tmp_path, "questions", body)
    assert not codes(path)
    assert body_of(load(path), "loss", "normal") == "replace loss.normal: 1"
    assert body_of(load(f"{path}+loud=no"), "loss", "normal").startswith("normal: normal_loss(")
    assert load(f"{path}+doom_track").counters["doom"].starts == 0


def test_a_new_language_and_new_sections(tmp_path: Path) -> None:
    body = """languages: [fr]
sections:
  §H1:
    title: {en: At our table, ja: うちの卓, fr: Chez nous}
cards:
  cultist:
    name: {fr: Le sectateur}
    cite: §H1
"""
    path = write(tmp_path, "french", body)
    game = load(path)
    assert game.languages[-1] == "fr"
    assert game.cards["cultist"].name["fr"] == "Le sectateur"
    assert game.cards["cultist"].name["en"] == "Cultist"
    found = ritual_dsl.check(path)
    assert "RIT363" not in {d.code for d in found}
    assert any("missing in fr" in d.message for d in found)


def test_a_removed_card_is_still_a_name(tmp_path: Path) -> None:
    """The rulings of the game patch its rules, and need not be touched."""
    assert not codes(write(tmp_path, "tame", "cards:\n  hastur: remove\n  nyarlathotep: remove\n"))


def test_own_scenarios_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """rules: |
  replace normal_loss.count: failures + 1
scenarios:
  - name: one more
    players: 3
    given: {hand: {A: tome_cursed, B: gate_1, C: gate_2, dummy_1: idol_sane, dummy_2: chalice_sane}}
    do: score
    expect: {sanity: {A: 5, B: 7}}
  - name: wrong on purpose
    players: 3
    given: {hand: {A: tome_cursed, B: gate_1, C: gate_2, dummy_1: idol_sane, dummy_2: chalice_sane}}
    do: score
    expect: {sanity: {A: 6}}
"""
    write(tmp_path, "more", body)
    monkeypatch.chdir(tmp_path)
    for reference in ("./more.yaml", f"{BASE}+./more.yaml"):
        report = ritual_dsl.test([reference])
        assert [r.scenario.name for r in report.results if not r.passed] == ["wrong on purpose"]
    assert len(ritual_dsl.test(["./more.yaml"]).results) == 2
    assert len(ritual_dsl.test(["."]).results) == 2


# ---- order


def test_who_extends_stands_above(tmp_path: Path) -> None:
    write(
        tmp_path,
        "below",
        "cards:\n  gate_1: {copies: 3}\nrules: |\n  replace normal_loss.count: 1\n  replace sanity.starts: 3\n",
    )
    above = "cards:\n  gate_1: {copies: 2}\nrules: |\n  replace normal_loss.count: 2\n  replace sanity.starts: 4\n"
    game = load(write(tmp_path, "above", above, "./below.yaml"))
    assert body_of(game, "normal_loss", "count") == "replace normal_loss.count: 2"
    assert game.counters["sanity"].starts == 4
    assert game.deck["gate_1"] == 2


def test_strangers_collide_unless_they_agree(tmp_path: Path) -> None:
    one = write(tmp_path, "one", "rules: |\n  replace normal_loss.count: 1\n")
    same = write(tmp_path, "same", "rules: |\n  replace normal_loss.count:  1   # as we said\n")
    two = write(tmp_path, "two", "rules: |\n  replace normal_loss.count: 2\n")
    assert not codes(f"{BASE}+{one}+{same}")
    assert codes(f"{BASE}+{one}+{two}") == {"RIT407"}


def test_a_file_counts_once(tmp_path: Path) -> None:
    one = write(tmp_path, "one", "rules: |\n  add fails.odd: false\n")
    write(tmp_path, "two", "", "./one.yaml")
    game = load(f"{BASE}+{one}+{tmp_path}/two.yaml+{tmp_path}/../{tmp_path.name}/one.yaml")
    assert [m.id for m in game.modules if m.layer == "house"] == ["one", "two"]


def test_house_rules_stand_above_rulings_and_variants(tmp_path: Path) -> None:
    path = write(tmp_path, "house", "rules: |\n  replace normal_loss.count: 3\n")
    game = load(f"{path}+doom_track")
    layers = [e.layer for c in game.rules["normal_loss"].clauses for e in c.entries]
    assert layers == ["rulebook", "variant", "house"]


@pytest.mark.parametrize(
    ("pin", "fits"), [("1", True), ("1.0", True), ("1.0.0", True), ("1.1", False), ("1.0.00", False)]
)
def test_pins(tmp_path: Path, pin: str, fits: bool) -> None:
    assert codes(write(tmp_path, "pinned", f"base_version: {pin}\n")) == (set() if fits else {"RIT136"})


def test_a_pin_is_of_what_is_extended(tmp_path: Path) -> None:
    write(tmp_path, "below", "version: 2.1\n")
    assert not codes(write(tmp_path, "above", "base_version: 2\n", "./below.yaml"))
    assert codes(write(tmp_path, "other", "base_version: 1\n", "./below.yaml")) == {"RIT136"}


def test_another_game(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    manifest = "language: 1\nid: tiny\nname: {en: Tiny}\nlanguages: [en]\nmain: game\n"
    (tmp_path / "tiny" / "game.yaml").write_text(manifest)
    path = write(tmp_path, "tiny_house", "", "./tiny")
    with pytest.raises(RitualError, match="RIT138"):
        load(f"{BASE}+{path}")


# ---- the base

changes = st.lists(
    st.sampled_from(
        [
            "cards: {gate_1: {copies: 3}, hastur: remove}",
            "slots: {zealot: mad_professor}",
            "rulings: {doom_start: 0}",
            "sections: {§H1: {title: {en: x, ja: x}}}",
            "languages: [fr]",
            "rules: |\n  replace sanity.max: 9\n  add Artifact.lamp\n  remove fails.resonance\n  before turn: nothing",
        ]
    ),
    unique=True,
)


@settings(max_examples=12, deadline=None, derandomize=True, database=None)
@given(changes)
def test_the_base_is_never_changed(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    """The same loaded files serve many references."""
    from ritual_dsl.checks import load_game
    from ritual_dsl.loading.selection import Loaded

    path = write(tmp_path_factory.mktemp("overlay"), "some", "\n".join(parts) + "\n")
    loaded = Loaded()
    before = load_game(BASE, None, loaded)
    changed = load_game(path, None, loaded)
    assert load_game(BASE, None, loaded) == before == load(BASE)
    assert len(loaded.games) == 1
    assert changed.modules != before.modules


# ---- the other modules of a game change it in the same way

TINY = Path(__file__).parent.parent / "diagnostics" / "my_game"


def test_an_erratum_may_change_the_game(tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "tiny")
    erratum = "typo:\n  cite: §4\n  lang: en\n  printed: {en: two}\n  meant: {en: three}\n"
    (tmp_path / "tiny" / "errata.yaml").write_text(f"{erratum}  rules: |\n    replace cost.amount: 3\n")
    house = write(tmp_path, "house", "rules: |\n  replace cost.amount: 4\n", "./tiny")
    layers = [e.layer for c in load(house).rules["cost"].clauses for e in c.entries]
    assert layers == ["rulebook", "erratum", "house"]


def test_a_variant_may_change_keys_of_cards(tmp_path: Path) -> None:
    shutil.copytree(TINY, tmp_path / "tiny")
    words = "name: {en: Ropes, ja: 縄}\ntext: {en: More ropes., ja: 縄が増えます。}\n"
    variant = f"id: ropes\n{words}cards:\n  rope: {{copies: 3}}\n  map: remove\n"
    (tmp_path / "tiny" / "variants" / "ropes.yaml").write_text(variant, encoding="utf-8")
    plain, changed = load(f"{tmp_path}/tiny"), load(f"{tmp_path}/tiny+ropes")
    assert (plain.deck["rope"], changed.deck["rope"]) == (1, 3)
    assert "map" in plain.cards and "map" not in changed.cards
    house = write(tmp_path, "house", "cards:\n  rope: {copies: 2}\n", "./tiny+ropes")
    assert load(house).deck["rope"] == 2
