"""A deck for Tabletop Simulator: grids of faces, and the saved object that cuts them up.

In: faces, each a page of its own. Out: the data of pages with up to 69 faces in ten columns, and the object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

COLUMNS = 10
MOST_FACES = 69  # the last of ten by seven places is what a hidden card shows
WIDEST = 4096  # pixels that every graphics card takes
MM_PER_INCH = 25.4


@dataclass(frozen=True)
class Image:
    """One picture of many faces."""

    data: dict[str, Any]
    first: int
    columns: int
    rows: int
    ppi: float


def sheets(data: dict[str, Any], side: str) -> list[Image]:
    """The pictures that hold all fronts, or all backs in the same order."""
    count = len(data["cards"])
    return [picture(data, side, first, min(MOST_FACES, count - first)) for first in range(0, count, MOST_FACES)]


def picture(data: dict[str, Any], side: str, first: int, count: int) -> Image:
    width, height = data["piece"]["width"], data["piece"]["height"]
    rows = max(2, -(-(count + 1) // COLUMNS))  # a picture has at least two rows
    slots = [
        {
            "piece": first + number,
            "side": side,
            "x": number % COLUMNS * width,
            "y": number // COLUMNS * height,
            "bleed": [0, 0, 0, 0],
            "turned": False,
        }
        for number in range(count)
    ]
    hidden = {"piece": 0, "side": "back", "x": (COLUMNS - 1) * width, "y": (rows - 1) * height}
    slots.append({**hidden, "bleed": [0, 0, 0, 0], "turned": False})
    page = {"width": COLUMNS * width, "height": rows * height, "lines": [], "note": None, "slots": slots}
    ppi = WIDEST / max(page["width"], page["height"]) * MM_PER_INCH
    return Image({**data, "pages": [page]}, first, COLUMNS, rows, int(ppi))


def saved_object(
    data: dict[str, Any], images: list[Image], urls: list[tuple[str, str]], unique: bool
) -> dict[str, Any]:
    """What the game loads from its folder of saved objects; an image has the addresses of its faces and its backs."""
    decks = {
        str(number): {
            "FaceURL": face,
            "BackURL": back,
            "NumWidth": image.columns,
            "NumHeight": image.rows,
            "BackIsHidden": True,
            "UniqueBack": unique,
        }
        for number, (image, (face, back)) in enumerate(zip(images, urls, strict=True), 1)
    }
    cards = []
    for number, face in enumerate(data["cards"]):
        sheet, place = number // MOST_FACES + 1, number % MOST_FACES
        cards += [card_object(face, str(sheet), 100 * sheet + place, decks)] * face["copies"]
    deck = {
        "Name": "DeckCustom",
        "Transform": transform(),
        "Nickname": data["title"][0]["text"],
        "Description": f"{data['version']} {data['fingerprint']}",
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": decks,
        "ContainedObjects": cards,
    }
    return {"SaveName": "", "GameMode": "", "ObjectStates": [deck]}


def card_object(face: dict[str, Any], sheet: str, number: int, decks: dict[str, Any]) -> dict[str, Any]:
    return {
        "Name": "Card",
        "Transform": transform(),
        "Nickname": " / ".join(entry["text"] for entry in face["name"] if entry["text"]),
        "Description": "\n\n".join(entry["text"] for entry in face["text"] if entry["text"]),
        "CardID": number,
        "CustomDeck": {sheet: decks[sheet]},
    }


def transform() -> dict[str, float]:
    return {
        **{"posX": 0, "posY": 1, "posZ": 0, "rotX": 0, "rotY": 180, "rotZ": 180},
        **{"scaleX": 1, "scaleY": 1, "scaleZ": 1},
    }
