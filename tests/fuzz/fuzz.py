"""Fuzzing: mutations of the shipped files against loader, parser, checker and formatter.

    python tests/fuzz/fuzz.py --inputs 200000 --seed 1     # about an hour on one core
    python tests/fuzz/fuzz.py --replay tests/fuzz/found/parse-1-4711.bin

Every input must be answered with findings or a result: without an exception, in under 2 seconds of
processor time, with all that is printed free of control characters, and what can be formatted must say the
same afterwards. The whole run must stay under 500 MB. An input that breaks this is written to
`tests/fuzz/found/`, with the traceback beside it.
"""

from __future__ import annotations

import argparse
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType

from mutate import mutate

from ritual_dsl.checks import ready
from ritual_dsl.checks.lints import review
from ritual_dsl.diagnostics import Findings, RitualError, ordered
from ritual_dsl.diagnostics.human import report
from ritual_dsl.loading.files import UNSEEN, decode
from ritual_dsl.loading.game_files import read_manifest
from ritual_dsl.loading.layout import format_source
from ritual_dsl.loading.part_reader import PartReader
from ritual_dsl.loading.reference import Loaded, choose
from ritual_dsl.loading.yaml_nodes import Mapping, read_yaml
from ritual_dsl.scenarios import run_files
from ritual_dsl.source import Source
from ritual_dsl.syntax.parse import parse_file

ROOT = Path(__file__).resolve().parent.parent.parent
FOUND = Path(__file__).parent / "found"
SECONDS = 2.0
MEGABYTES = 500
ADDRESS_SPACE = 2_000_000_000
SOME = 4000  # characters: larger files are cut, so that inputs stay small and many
SHARES = {"parse": 3, "format": 3, "load": 3, "check": 3, "test": 1}
LANGUAGES = ("en", "ja", "ko")


class TooSlow(Exception):
    """An input took longer than allowed."""


# ---------------------------------------------------------------- targets


def try_parser(source: Source, found: Findings) -> None:
    parse_file(source, found)


def try_formatter(source: Source, found: Findings) -> None:
    """Raises if the layout would change what the text says; once more changes nothing."""
    done = format_source(source, found)
    if done is not None:
        again = format_source(Source(source.path, done.text), Findings())
        assert again is not None and not again.changed


def try_loader(source: Source, found: Findings) -> None:
    """The file as each kind of YAML file there is."""
    root = read_yaml(source, found)
    reader = PartReader(found, LANGUAGES)
    if isinstance(root, Mapping):
        read_manifest(root, found)
        reader.variant(root)
        reader.overlay("input", root, {}, frozenset())
        for entry in root.entries.values():
            for read in (reader.card, reader.ruling, reader.erratum):
                read(entry.key, entry.value)


class Checker:
    """A mutated overlay on a shipped game, on disk: loaded, assembled, checked and, without errors, reviewed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "house.yaml"
        self.loaded = Loaded()

    def __call__(self, source: Source, found: Findings) -> None:
        self.path.write_text(source.text, "utf-8")
        self.loaded.overlays.clear()
        own = Findings()
        chosen = choose(f"./{self.path.name}", own, self.path.parent, self.loaded)
        try:
            ready(chosen, own)
        except RitualError as error:
            found += error.diagnostics
        else:
            assert chosen is not None
            review(chosen, found)


class Tester:
    """A mutated scenario file, on disk: read and run."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "input.scenario.yaml"

    def __call__(self, source: Source, found: Findings) -> None:
        self.path.write_text(source.text, "utf-8")
        done = run_files([str(self.path)])
        found += done.diagnostics
        assert not UNSEEN.search(done.text()), "a control character in the report"


Target = Callable[[Source, Findings], None]


def targets(folder: Path) -> dict[str, tuple[Target, list[str]]]:
    """What is tried, and the texts whose mutations it gets."""
    games = sorted(path.parent.name for path in ROOT.glob("rules/*/game.yaml"))
    rules = [text for game in games for text in texts(f"rules/{game}/*.ritual")]
    yaml = [text for game in games for text in texts(f"cards/{game}/*.yaml") + texts(f"rules/{game}/**/*.yaml")]
    overlays = texts("tests/bad/*/house.yaml")
    scenarios: list[str] = []
    for game in games:
        cards = [block for text in texts(f"cards/{game}/*.yaml") for block in text.split("\n\n") if block[:1].islower()]
        overlays += [head(game) + "cards:\n" + indented(card) for card in cards]
        overlays += [head(game) + "rules: |\n" + indented(own_names(text)) for text in texts(f"rules/{game}/*.ritual")]
        for text in texts(f"rules/{game}/**/*.scenario.yaml"):
            first, *rest = text.split("\n  - name:")
            scenarios += [f"{first}\n  - name:{scenario}" for scenario in rest]
    return {
        "parse": (try_parser, rules),
        "format": (try_formatter, rules + yaml),
        "load": (try_loader, yaml),
        "check": (Checker(folder), overlays),
        "test": (Tester(folder), scenarios),
    }


def texts(pattern: str) -> list[str]:
    paths = sorted(ROOT.glob(pattern))
    return [text for path in paths if (text := path.read_bytes().decode("utf-8", "replace")).strip()]


def own_names(rules: str) -> str:
    """Rules of a rulebook as those of a house rule, what they declare renamed so that it is new."""
    return re.sub(r"^(rule|procedure|zone|counter|variable|enum|trigger) (\w)", r"\1 \2x", rules, flags=re.MULTILINE)


def head(game: str) -> str:
    return f"extends: {game}\nid: house\nname: {{en: House, ja: 家, ko: 집}}\n"


def indented(text: str) -> str:
    return "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))


# ---------------------------------------------------------------- one input


def cut(text: str, random: Random) -> str:
    """A stretch of whole lines of a long text."""
    if len(text) <= SOME:
        return text
    lines = text.split("\n")
    start = random.randrange(len(lines))
    return "\n".join(lines[start : start + 60])


def try_input(target: Target, name: str, raw: bytes) -> Findings:
    """Everything that happens to a file, its report included."""
    found = Findings()
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        source = decode(raw, "input", found)
        if source is not None:
            target(source, found)
    except RitualError as error:
        found = Findings(error.diagnostics)
    finally:
        shown = report(ordered(found))
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert not UNSEEN.search(shown), "a control character in the report"
    return found


def too_slow(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


# ---------------------------------------------------------------- the run


def run(inputs: int, seed: int, folder: Path) -> int:
    tried: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    broken = 0
    start = time.monotonic()
    kinds = targets(folder)
    everything = [text for _, seeds in kinds.values() for text in seeds]
    for number in range(inputs):
        random = Random(f"{seed} {number}")
        name = random.choices(tuple(SHARES), tuple(SHARES.values()))[0]
        target, seeds = kinds[name]
        raw = mutate(cut(random.choice(seeds), random), random.choice(everything), random)
        tried[name] += 1
        try:
            codes.update({d.code for d in try_input(target, name, raw)} or {"clean"})
        except (Exception, RecursionError, MemoryError):
            broken += 1
            keep(name, seed, number, raw)
        if (number + 1) % 10_000 == 0 or number + 1 == inputs:
            rate = (number + 1) / (time.monotonic() - start)
            print(f"{number + 1:,} inputs, {broken} broken, {rate:.0f} a second, {megabytes():.0f} MB", flush=True)
    print("tried:", ", ".join(f"{name} {count:,}" for name, count in tried.most_common()))
    print("codes:", ", ".join(f"{code} {count:,}" for code, count in codes.most_common()))
    return 1 if broken or megabytes() > MEGABYTES else 0


def keep(name: str, seed: int, number: int, raw: bytes) -> None:
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{name}-{seed}-{number}.bin"
    path.write_bytes(raw)
    path.with_suffix(".txt").write_text(traceback.format_exc(), "utf-8")
    print(f"broken: {path}: {traceback.format_exc().splitlines()[-1][:150]}", flush=True)


def replay(path: Path, folder: Path) -> int:
    name = path.name.partition("-")[0]
    print(report(try_input(targets(folder)[name][0], name, path.read_bytes())))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", type=Path, metavar="FILE", help="one input that was found, again")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    signal.signal(signal.SIGVTALRM, too_slow)
    with tempfile.TemporaryDirectory() as folder:
        return replay(args.replay, Path(folder)) if args.replay else run(args.inputs, args.seed, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
