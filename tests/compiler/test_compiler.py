"""Flat code means what the interpreter means, holds nothing a user wrote, and refuses what it does not know."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ritual_dsl import load
from ritual_dsl.checks import load_game
from ritual_dsl.cli import main
from ritual_dsl.compiler import compile_game, fast, runtime
from ritual_dsl.compiler.cache import cache_folder, source_file
from ritual_dsl.compiler.flat import DONE
from ritual_dsl.compiler.record import read_log
from ritual_dsl.diagnostics import Diagnostic, RitualError
from ritual_dsl.engine import Run
from ritual_dsl.loading.reference import Loaded
from ritual_dsl.simulation import simulate
from ritual_dsl.simulation.batches import Interpreted
from ritual_dsl.simulation.compiled import Compiled, Fast

sys.path.insert(0, str(Path(__file__).parent))
from differential import ARKHAM, GAMES, SHIPWRECK, Kinds, Pair, random_reference
from overlays import overlay

GAME = ARKHAM.game
needs_numba = pytest.mark.skipif(not fast.available(), reason="the extra `fast` is not installed")


def house(tmp_path: Path, rules: str, name: str = "house.yaml") -> str:
    path = tmp_path / name
    body = "".join(f"  {line}\n" for line in rules.splitlines())
    path.write_text(f"extends: {GAME}\nid: house\nrules: |\n{body}", encoding="utf-8")
    return str(path)


# ---- the same meaning


@pytest.mark.parametrize("pick", range(4))
@pytest.mark.parametrize("players", range(3, 8))
def test_every_card_with_every_number_of_players(pick: int, players: int) -> None:
    for variants in ((), ARKHAM.variants):
        pair = Pair(load("+".join((GAME, *(slot[pick % len(slot)] for slot in ARKHAM.slots), *variants))), players)
        assert [pair.compare(players, stream) for stream in range(4)] == ["same"] * 4


@pytest.mark.parametrize("reference", [SHIPWRECK.game, f"{SHIPWRECK.game}+two_hands"])
def test_piles_with_owners(reference: str) -> None:
    game = load(reference)
    for players in range(game.players[0], game.players[1] + 1):
        pair = Pair(game, players)
        assert [pair.compare(players, stream) for stream in range(4)] == ["same"] * 4


@pytest.mark.parametrize(("kinds", "least"), [(ARKHAM, 30), (SHIPWRECK, 10)], ids=lambda k: getattr(k, "game", ""))
def test_every_ruling(kinds: Kinds, least: int) -> None:
    loaded: Loaded = {}
    game = load_game(kinds.game, None, loaded)
    options = [(name, option) for name, ruling in game.files.rulings.items() for option in ruling.options]
    assert len(options) > least
    chance = random.Random(5)
    for name, option in options:
        cards = [chance.choice(slot) for slot in kinds.slots]
        game = load_game("+".join((kinds.game, *cards, kinds.variants[0], f"{name}={option}")), None, loaded)
        pair = Pair(game, chance.randrange(game.players[0], game.players[1] + 1))
        assert pair.compare(1, 0) == "same"


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.sampled_from(GAMES), st.integers(0, 6))
def test_random_house_rules(chance: random.Random, kinds: Kinds, more: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "house.yaml")
        reference = random_reference(chance, kinds, load(kinds.game))
        path.write_text(overlay(chance, reference, kinds.game), encoding="utf-8")
        try:
            game = load(str(path))
            fewest, most = game.players
            pair = Pair(game, fewest + more % (most - fewest + 1), kinds.most_work)
        except RitualError as error:
            assume(all(d.code == "RIT702" or d.code[:4] in ("RIT3", "RIT4") for d in error.diagnostics))
            assume(False)
            return
        for stream in range(3):
            assert pair.compare(1, stream) in ("same", "fault", "long", "left")


@pytest.mark.parametrize("reference", [f"{GAME}+hastur+doom_track", SHIPWRECK.game])
def test_flat_code_and_interpreter_add_up_the_same(reference: str) -> None:
    game = load(reference)
    flat, plain = Compiled(game, 4, 8).play(5, 60), Interpreted(game, 4, 8).play(5, 60)
    assert (flat.games, flat.decisions, flat.totals) == (plain.games, plain.decisions, plain.totals)


def test_a_caller_can_answer() -> None:
    """The form that asks, given the interpreter's own answers, ends where the interpreter ends."""
    game = load(GAME)
    flat = compile_game(game, 5, "ask", record=True)
    program = runtime.load(flat)
    run = Run(game, 5, seed=4).start()

    def answer(number: int, who: int, options: Sequence[int]) -> int:
        site = flat.sites[number]
        shown = tuple(site.names[o] if site.type is None else flat.codes.back(o, site.type) for o in options)
        assert run.choice is not None
        assert (site.label, shown) == (run.choice.label, run.choice.options)
        assert site.together or (who,) == run.choice.who
        answer = run.random_answer()
        run.answer(answer)
        return shown.index(answer)

    program.seed(4, 0)
    assert program.ask(answer) == DONE
    assert run.finished
    assert read_log(program.log, flat.codes, flat.sites).cells == run.state.cells


def test_draws_that_may_be_thrown_away_go_to_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(GAME)
    expected = Interpreted(game, 3, 2).play(0, 30)
    monkeypatch.setattr(runtime, "SAFE", (1 << 64) - (1 << 56))  # about every second game
    found = Compiled(game, 3, 2).play(0, 30)
    assert (found.games, found.decisions, found.totals) == (30, expected.decisions, expected.totals)


def test_chance_in_blocks_is_chance() -> None:
    from ritual_dsl.engine.chance import Chance

    chance = Chance(11, 3)
    state = chance.state
    assert runtime.draws(state, 70) == [chance.below(1 << 64) for _ in range(70)]


def test_a_loop_without_end_is_left_to_the_interpreter(tmp_path: Path) -> None:
    reference = house(tmp_path, "after score:\n  repeat:\n    nothing")
    flat = compile_game(load(reference), 3)
    program = runtime.load(flat)
    program.seed(1, 0)
    assert program.call() != DONE
    notes = simulate([reference], games=3, players=3).notes
    assert [d.code for d in notes] == ["RIT698", "RIT502"]


# ---- refusing


def test_what_has_no_flat_code_is_named_and_played_by_the_interpreter(tmp_path: Path) -> None:
    reference = house(tmp_path, "variable rare: set of 0..900\nafter score:\n  add number of deck to rare")
    game = load(reference)
    with pytest.raises(RitualError) as error:
        compile_game(game, 3)
    assert [d.code for d in error.value.diagnostics] == ["RIT702"]
    done = simulate([reference], games=5, players=3)
    assert [d.code for d in done.notes] == ["RIT703"]
    assert done.series[0].engine == "interpreter"
    assert done.series[0].sums.games == 5


@pytest.mark.parametrize("kinds", GAMES, ids=lambda kinds: kinds.game)
def test_every_shipped_game_has_flat_code(kinds: Kinds) -> None:
    done = simulate([kinds.game], games=3)
    assert not done.notes
    assert (done.series[0].sums.games, done.series[0].engine) == (3, "compiled")


def test_too_much_to_unfold(tmp_path: Path) -> None:
    steps = ["procedure deep_0:", "  heat gains 1"]
    for i in range(1, 30):
        steps += [f"procedure deep_{i}:", f"  deep_{i - 1}", f"  deep_{i - 1}"]
    reference = house(tmp_path, "\n".join(["counter heat: 0..9, starts at 0", *steps, "after score:", "  deep_29"]))
    with pytest.raises(RitualError) as error:
        compile_game(load(reference), 3)
    assert "lines" in error.value.diagnostics[0].message


# ---- nothing of the user


NAMES_OF_OURS = re.compile(
    r"[a-z]\d+(_\d+|_h|_e)?|[AHKOS]_?\w*\d+\w*|COUNT|BUT|MEMBER|FROM|NEXT|FAILED|TOO_LARGE|game|popcount|table|next|"
    r"shuffle|below|range|rng|bot|w|g|rows|totals|counts|log|ask|out|done|asked|touched|work|at|i|n|x|q|row|[nxq]_\d+"
)


@pytest.mark.parametrize("record", [False, True])
def test_only_our_own_names_and_numbers(record: bool, tmp_path: Path) -> None:
    """Whatever a card, rule, file or citation is called, it is at most in a comment."""
    folder = tmp_path / "x'); import os #\n__import__('os')"
    folder.mkdir()
    rules = "procedure import_os:                 §exec-eval\n  heat gains 1\ncounter heat: 0..9, starts at 0\n"
    rules += "rule __class__(p: seat): any of\n  eval: hand[p] is cursed\n"
    rules += "after score when some p in seats has __class__(p):\n  import_os\nmeasure exec: each game, heat"
    reference = house(folder, rules, "a\nraise SystemExit.yaml")
    flat = compile_game(load(reference), 3, record=record)
    tree = ast.parse(flat.source)
    for node in ast.walk(tree):
        assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Attribute, ast.JoinedStr, ast.Lambda, ast.Try))
        if isinstance(node, ast.Name):
            assert NAMES_OF_OURS.fullmatch(node.id), node.id
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int), node.value
    for line in flat.source.splitlines():
        assert not re.match(r"\s*(import|raise|from)\b", line)
    assert "#" not in flat.source
    comments = [line for line in flat.shown.splitlines() if "import_os" in line]
    assert comments and all(line.lstrip().startswith("#") for line in comments)


HOSTILE = ("'); import os #", '"""', "a\nraise SystemExit", "lambda", "__builtins__", "ｅｖａｌ", "#\nx")


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", ["python", "numba", "ask"])
def test_texts_of_a_card_leave_no_trace(text: str, form: str, tmp_path: Path) -> None:
    """A name and a printed text may be anything that is let into a file at all: the source stays the same."""
    plain, odd = tmp_path / "plain.yaml", tmp_path / "odd.yaml"
    body = "extends: arkham_ritual\nid: house\ncards:\n  cultist:\n    name: {en: %s}\n    text: {en: %s}\n"
    plain.write_text(body % ("A", "B"), encoding="utf-8")
    odd.write_text(body % (json.dumps(text), json.dumps(text)), encoding="utf-8")
    plainly, oddly = (compile_game(load(str(path)), 3, form) for path in (plain, odd))
    assert plainly.source == oddly.source
    assert "plain.yaml" in plainly.shown  # in a comment, and only there
    assert plainly.shown.replace("plain.yaml", "odd.yaml") == oddly.shown


def test_show_names_the_clauses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", GAME, "--players", "3", "--show"]) == 0
    shown = capsys.readouterr().out
    parts = ("procedure turn §6 (turn.ritual:", "choice answer", "option take §6-2-1", "measure survival §7-1")
    for words in (*parts, "asks fails.resonance §7-1 (scoring.ritual:", "asks fails.cursed by cultist"):
        assert f"# {words}" in shown
    assert main(["compile", GAME]) == 0
    assert "fingerprint" in capsys.readouterr().out


# ---- machine code


@needs_numba
@pytest.mark.parametrize(
    "reference", [f"{GAME}+nyarlathotep+wary_student", pytest.param(SHIPWRECK.game, marks=pytest.mark.slow)]
)
def test_machine_code_adds_up_the_same(reference: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RITUAL_CACHE", str(tmp_path / "cache"))
    game = load(reference)
    notes: list[Diagnostic] = []
    found, expected = Fast(game, 3, 6, notes).play(40, 90), Interpreted(game, 3, 6).play(40, 90)
    assert not notes
    assert (found.games, found.decisions, found.totals) == (90, expected.decisions, expected.totals)
    assert list((tmp_path / "cache" / "__pycache__").glob("flat_*.nbc"))


@needs_numba
def test_kept_machine_code_that_is_damaged_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RITUAL_CACHE", str(tmp_path / "cache"))
    game = load(str(Path(__file__).parents[1] / "diagnostics" / "my_game"))
    expected = Fast(game, 3, 6).play(0, 20).decisions
    for file in (tmp_path / "cache" / "__pycache__").glob("*.nbc"):
        file.write_bytes(b"")
    notes: list[Diagnostic] = []
    assert Fast(game, 3, 6, notes).play(0, 20).decisions == expected > 0
    assert [note.code for note in notes] == ["RIT704"]
    assert not list((tmp_path / "cache" / "__pycache__").glob("*"))


def test_the_cache_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RITUAL_CACHE", str(folder))
    assert cache_folder() == folder
    path, note = source_file("x = 1\n")
    assert note is None and path is not None
    assert folder.stat().st_mode & 0o077 == 0
    Path(path).write_text("import os\n", encoding="utf-8")  # somebody changed it: it is written anew, never read
    assert source_file("x = 1\n")[0] == path
    assert Path(path).read_text(encoding="utf-8") == "x = 1\n"
    folder.chmod(0o777)
    path, note = source_file("x = 1\n")
    assert path is None and note is not None and note.code == "RIT704"


def test_a_cache_that_leads_elsewhere_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir(mode=0o700)
    link.symlink_to(real)
    monkeypatch.setenv("RITUAL_CACHE", str(link))
    path, note = source_file("x = 1\n")
    assert path is None and note is not None


def test_a_full_disk_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*words: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("RITUAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("ritual_dsl.compiler.cache.probe_room", full)
    path, note = source_file("y = 2\n")
    assert path is None
    assert note is not None
    assert note.code == "RIT704" and "No space left" in note.message


def test_help_stays_quick() -> None:
    """Neither numba nor numpy is imported before it is needed."""
    words = "import sys, ritual_dsl.simulation; print(sorted(m for m in ('numba', 'numpy') if m in sys.modules))"
    result = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, env=dict(os.environ))
    assert result.stdout.strip() == "[]", result.stderr
