"""The pictures of the README, from real output: `python docs/images/make.py`."""

from __future__ import annotations

from pathlib import Path

from ritual_dsl import load
from ritual_dsl.sheets.content import Content, Data
from ritual_dsl.sheets.options import Options
from ritual_dsl.sheets.workshop import Workshop

HERE = Path(__file__).parent
GAME = "arkham_ritual"
GAP = 4.0


def strip(content: Content, names: list[str]) -> Data:
    """Some cards and a back in a row."""
    data = content.single_cards(0.0)
    numbers = {face["id"]: number for number, face in enumerate(data["cards"])}
    sides = [(numbers[name], "front") for name in names] + [(0, "back")]
    width, height = data["piece"]["width"], data["piece"]["height"]
    slots = [
        {"piece": n, "side": side, "x": GAP + i * (width + GAP), "y": GAP, "bleed": [0] * 4, "turned": False}
        for i, (n, side) in enumerate(sides)
    ]
    size = {"width": GAP + len(sides) * (width + GAP), "height": height + 2 * GAP}
    return {**data, "pages": [{**size, "slots": slots, "lines": [], "note": None}]}


def main() -> None:
    game = load(GAME)
    english, both = Content(game, ("en",), Options()), Content(game, ("en", "ja"), Options())
    cards = strip(both, ["tome_sane", "tome_cursed", "elder_sign", "cultist", "cthulhu"])
    with Workshop() as workshop:
        pictures = {
            "cards.png": workshop.typeset("cards.typ.j2", {"sheet": cards}, "png", 70).files[0],
            "aid.png": workshop.typeset("aid.typ.j2", {"sheet": english.aid()}, "png", 62).files[0],
            "tokens.png": workshop.typeset("tokens.typ.j2", {"sheet": english.tokens()}, "png", 64).files[1],
        }
    for name, picture in pictures.items():
        (HERE / name).write_bytes(picture)


if __name__ == "__main__":
    main()
