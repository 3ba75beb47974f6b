"""How different colours look, also to people who see fewer of them.

In: colours as `#rrggbb`. Out: contrast and distance. The simulations are the matrices of Viénot, Brettel and Mollon
(1999) for red and green blindness, a common one for blue blindness, and grey for printers without colour.
"""

from __future__ import annotations

Triple = tuple[float, float, float]
SEEN_BY: dict[str, tuple[Triple, Triple, Triple]] = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.1124, 0.8876, 0), (0.1124, 0.8876, 0), (0.0040, -0.0040, 1)),
    "deuteranopia": ((0.2928, 0.7072, 0), (0.2928, 0.7072, 0), (-0.0223, 0.0223, 1)),
    "tritanopia": ((1, 0.1446, -0.1446), (0, 0.8594, 0.1406), (0, 0.8594, 0.1406)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
LUMINANCE = (0.2126, 0.7152, 0.0722)
XYZ: tuple[Triple, Triple, Triple] = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
WHITE = (0.9505, 1.0, 1.089)


def linear(color: str) -> Triple:
    """The three amounts of light of `#rrggbb`."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return r, g, b


def times(matrix: tuple[Triple, Triple, Triple], light: Triple) -> Triple:
    x, y, z = (sum(m * c for m, c in zip(row, light, strict=True)) for row in matrix)
    return x, y, z


def luminance(color: str) -> float:
    return sum(m * c for m, c in zip(LUMINANCE, linear(color), strict=True))


def contrast(one: str, two: str) -> float:
    """From 1 (none) to 21 (black on white), as WCAG 2 counts it."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def lab(light: Triple) -> Triple:
    def f(t: float) -> float:
        return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116

    x, y, z = (f(max(0.0, c) / w) for c, w in zip(times(XYZ, light), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, two: str) -> float:
    """The distance of two colours to whoever sees the least difference."""
    return min(distance(times(m, linear(one)), times(m, linear(two))) for m in SEEN_BY.values())


def distance(one: Triple, two: Triple) -> float:
    squares = ((a - b) ** 2 for a, b in zip(lab(one), lab(two), strict=True))
    return float(sum(squares) ** 0.5)
