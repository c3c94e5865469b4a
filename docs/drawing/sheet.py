"""A sheet of paper on which one draws: SVG text, in millimetres."""

from __future__ import annotations

from html import escape
from math import atan2, cos, pi, sin
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

INK = "#1a1a1a"
PAPER = "#ffffff"
FAINT = "#8a8a8a"
# The colours of Okabe and Ito, which colour-blind people can tell apart; black is readable on each.
COLOURS = (
    "#62b5ea",
    "#e69f00",
    "#f0e442",
    "#c774b0",
    "#1fa57c",
    "#e0703a",
    "#d4d4d4",
    "#ffffff",
)
DEEP = "#8c2d04"
"""For a supply: nothing else is as dark, and words on it are white."""
TEXT_MM = 3.2


def ink_on(fill: str) -> str:
    """What can be read on a colour."""
    return PAPER if fill == DEEP else INK


class Sheet:
    """One picture. ``words`` says to those who cannot see it what it shows."""

    def __init__(self, width: float, height: float, words: str) -> None:
        self._size = width, height
        self._words = words
        self._shapes: list[str] = []

    def box(self, corner: Point, size: Point, fill: str = PAPER, round_mm: float = 0.0) -> None:
        """A rectangle, by its upper left corner."""
        (x, y), (width, height) = corner, size
        self._shapes.append(
            f'<rect x="{_mm(x)}" y="{_mm(y)}" width="{_mm(width)}" height="{_mm(height)}" '
            f'rx="{_mm(round_mm)}" fill="{fill}" stroke="{INK}" stroke-width="0.3"/>'
        )

    def line(self, *points: Point, ink: str = INK, width: float = 0.5) -> None:
        """A line from point to point."""
        path = " ".join(f"{_mm(x)},{_mm(y)}" for x, y in points)
        self._shapes.append(
            f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="{width:g}" '
            'stroke-linejoin="round" stroke-linecap="round"/>'
        )

    def arrow(self, start: Point, end: Point, ink: str = INK, width: float = 0.7) -> None:
        """A line with a head at its end."""
        angle = atan2(end[1] - start[1], end[0] - start[0])
        back = (end[0] - 2 * cos(angle), end[1] - 2 * sin(angle))
        self.line(start, back, ink=ink, width=width)
        wings = [_from(end, angle + turn, 2.6) for turn in (pi - 0.45, pi + 0.45)]
        self.shape(end, *wings, fill=ink)

    def shape(self, *points: Point, fill: str = INK) -> None:
        """A filled polygon."""
        path = " ".join(f"{_mm(x)},{_mm(y)}" for x, y in points)
        self._shapes.append(f'<polygon points="{path}" fill="{fill}"/>')

    def dot(self, centre: Point, radius: float, fill: str = INK) -> None:
        """A circle."""
        x, y = centre
        self._shapes.append(
            f'<circle cx="{_mm(x)}" cy="{_mm(y)}" r="{_mm(radius)}" fill="{fill}" '
            f'stroke="{INK}" stroke-width="0.3"/>'
        )

    def text(
        self,
        place: Point,
        words: str,
        *,
        size: float = TEXT_MM,
        anchor: str = "start",
        bold: bool = False,
        ink: str = INK,
    ) -> None:
        """One line; ``place`` is the middle of its height, at the side that ``anchor`` names."""
        x, y = place
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{_mm(x)}" y="{_mm(y + 0.36 * size)}" font-size="{_mm(size)}" '
            f'text-anchor="{anchor}" fill="{ink}"{weight}>{escape(words)}</text>'
        )

    def svg(self) -> str:
        """The picture as the text of a file."""
        width, height = map(_mm, self._size)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Verdana, sans-serif">'
        )
        paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        title = f"<title>{escape(self._words)}</title>"
        return "\n".join((head, title, paper, *self._shapes, "</svg>")) + "\n"


def _from(point: Point, angle: float, distance: float) -> Point:
    return point[0] + distance * cos(angle), point[1] + distance * sin(angle)


def _mm(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
