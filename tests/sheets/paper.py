"""What a PDF really draws: lines and filled rectangles in millimetres from the top left corner, fonts, text."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO

from pypdf import PdfReader
from pypdf.generic import ContentStream, DictionaryObject

MM = 72 / 25.4
Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]


@dataclass
class Drawn:
    width: float
    height: float
    lines: list[Box] = field(default_factory=list)  # x1, y1, x2, y2
    rects: list[Box] = field(default_factory=list)  # x, y, width, height


def times(a: Matrix, b: Matrix) -> Matrix:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def read(pdf: bytes) -> PdfReader:
    return PdfReader(BytesIO(pdf))


def drawn(pdf: bytes) -> list[Drawn]:
    reader = read(pdf)
    pages = []
    for page in reader.pages:
        box = page.mediabox
        result = Drawn(float(box.width) / MM, float(box.height) / MM)
        matrix: Matrix = (1, 0, 0, 1, 0, 0)
        stack: list[Matrix] = []
        path: list[tuple[float, float]] = []
        for operands, operator in ContentStream(page.get_contents(), reader).operations:
            numbers = [float(x) for x in operands] if operator in (b"cm", b"m", b"l", b"re", b"c") else []
            if operator == b"q":
                stack.append(matrix)
            elif operator == b"Q":
                matrix = stack.pop()
            elif operator == b"cm":
                matrix = times((*numbers,), matrix)  # type: ignore[arg-type]
            elif operator in (b"m", b"l"):
                x, y = numbers
                point = (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
                path = [point] if operator == b"m" else [*path, point]
            elif operator == b"re":
                x, y, w, h = numbers
                corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
                path = [
                    (matrix[0] * a + matrix[2] * b + matrix[4], matrix[1] * a + matrix[3] * b + matrix[5])
                    for a, b in corners
                ]
            elif operator == b"c":
                path = []
            elif operator in (b"S", b"f", b"f*"):
                points = [(x / MM, result.height - y / MM) for x, y in path]
                if operator == b"S" and len(points) == 2:
                    result.lines.append((*points[0], *points[1]))
                elif operator != b"S" and len(points) >= 4:
                    xs, ys = [x for x, _ in points], [y for _, y in points]
                    result.rects.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
                path = []
        pages.append(result)
    return pages


def fonts(pdf: bytes) -> dict[str, bool]:
    """Name -> whether it is embedded."""
    found: dict[str, bool] = {}
    for page in read(pdf).pages:
        resources = page["/Resources"].get_object()
        assert isinstance(resources, DictionaryObject)
        for font in (resources.get("/Font") or {}).values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            descriptor = inner["/FontDescriptor"].get_object()
            embedded = any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3"))
            found[str(inner["/BaseFont"])] = embedded
    return found
