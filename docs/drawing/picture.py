"""Draws a scene as an animated SVG picture of the board, for the documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape

from boardfw.lights.cue import Cue, Hue, Look
from boardfw.lights.palette import on_screen
from boardfw.lights.patterns import STEADY, STEP_US, Rhythm
from boardfw.lights.scene import Scene
from boardfw.rules import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Piece, PieceType
from boardfw.squares import EVERY_SQUARE, FILES, Square, file_of, is_light, rank_of, squares_in
from docs.drawing.rhythms import NAMES, level_at

SIDE = 44
"""Side of a square; all lengths are pixels of the picture."""
MARGIN = 20
BOARD = 8 * SIDE + 2 * MARGIN
LEGEND = 420
CURVES = 328  # from the left of the legend: its longest sentence ends before them
ROW = 46
CURVE_US = 3_000_000  # the legend's curve of a rhythm: long enough for a period of each
CURVE_STEP_US = 60_000

# The pieces are drawn on squares of 44 with the base at 38: own outlines, so no font is needed.
_FOOT = "M11 38H33V35Q33 33 30 33H14Q11 33 11 35Z"
_OUTLINES: dict[PieceType, tuple[str, ...]] = {
    PAWN: ("M22 10a5.5 5.5 0 0 1 3.6 9.6L29 33H15L18.4 19.6A5.5 5.5 0 0 1 22 10Z", _FOOT),
    KNIGHT: (
        "M14 33Q14 26 21 22L14.5 24.5Q11.5 25.5 11 22.5L16 13L16.5 7.5L20.5 10.5"
        "Q31 11 31.5 24L31 33Z",
        _FOOT,
    ),
    BISHOP: (
        "M22 9.5Q30 16 27.5 23L29 33H15L16.5 23Q14 16 22 9.5Z",
        "M22 5.5a2.2 2.2 0 1 1 -.01 0Z",
        _FOOT,
    ),
    ROOK: (
        "M12.5 9H17V12H20V9H24V12H27V9H31.5V16.5L28.5 19L29.5 33H14.5L15.5 19L12.5 16.5Z",
        _FOOT,
    ),
    QUEEN: ("M9.5 12L16 20L17.5 9L22 19L26.5 9L28 20L34.5 12L30.5 33H13.5Z", _FOOT),
    KING: (
        "M14 33L10.5 20.5Q13.5 14.5 19.5 17.5L22 19L24.5 17.5Q30.5 14.5 33.5 20.5L30 33Z",
        "M20.5 5H23.5V8H26.5V11H23.5V16H20.5V11H17.5V8H20.5Z",
        _FOOT,
    ),
}
_STYLE = """\
text { font-family: sans-serif; font-size: 13px; fill: #ddd8cf }
.axis { font-size: 11px; fill: #8d877c; text-anchor: middle }
.curve { fill: none; stroke: #a59f93; stroke-width: 1.2 }
.look { font-size: 11px; fill: #a59f93 }
.white { fill: #f6f2e9; stroke: #1b1917; stroke-width: 1.4 }
.black { fill: #1b1917; stroke: #cfc8ba; stroke-width: 1.1 }
.hand { fill: none; stroke: #f6f2e9; stroke-width: 1.2; stroke-dasharray: 3 2.5 }"""


def picture(
    scene: Scene,
    pieces: Mapping[Square, Piece],
    title: str,
    *,
    in_hand: tuple[Square, Piece] | None = None,
    mono: bool = False,
    legend: bool = True,
) -> str:
    """SVG text. ``pieces`` stand on the board; the piece ``in_hand`` is dotted where it came from.

    ``mono``: as in the one-colour mode; ``legend``: with what each light means, at the right.
    """
    width = BOARD + LEGEND if legend else BOARD
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {BOARD}"'
        f' width="{width}" height="{BOARD}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_STYLE}\n{_motion(scene)}</style>",
        f'<rect width="{width}" height="{BOARD}" rx="8" fill="#262320"/>',
        *_squares(),
        *_axes(),
        *_lights(scene, mono),
        *(_piece(square, piece, _side(piece)) for square, piece in sorted(pieces.items())),
    ]
    if in_hand is not None:
        lines.append(_piece(*in_hand, "hand"))
    if legend:
        lines += _legend(scene, mono)
    return "\n".join([*lines, "</svg>", ""])


def look_in_words(look: Look, *, mono: bool = False) -> str:
    """Like "amber, pulse"."""
    hues = [hue.name.lower() for hue in _hues(look, mono)]
    strength = "faint " if look.level <= 0.25 else "dim " if look.level <= 0.6 else ""
    return f"{strength}{' and '.join(hues)}, {NAMES[look.rhythm]}"


def _corner(square: Square) -> tuple[int, int]:
    return MARGIN + SIDE * file_of(square), MARGIN + SIDE * (7 - rank_of(square))


def _squares() -> Iterable[str]:
    for square in EVERY_SQUARE:
        x, y = _corner(square)
        shade = "#736c61" if is_light(square) else "#4a453e"
        yield f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{shade}"/>'


def _axes() -> Iterable[str]:
    for number, letter in enumerate(FILES):
        middle = MARGIN + SIDE * number + SIDE // 2
        yield f'<text class="axis" x="{middle}" y="{BOARD - 6}">{letter}</text>'
        yield f'<text class="axis" x="{MARGIN // 2}" y="{middle + 4}">{8 - number}</text>'


def _lights(scene: Scene, mono: bool) -> Iterable[str]:
    for cue, where in scene.lit:
        for square in squares_in(where):
            x, y = _corner(square)
            yield from _light(cue.look, x + 2, y + 2, SIDE - 4, mono)


def _light(look: Look, x: int, y: int, side: int, mono: bool) -> Iterable[str]:
    if not look.level:
        return
    beat = "" if look.rhythm == STEADY else f' class="{NAMES[look.rhythm]}"'
    hue, *others = _hues(look, mono)
    layers = [*(("", other) for other in others), (beat, hue)]  # what comes up shows beneath
    rects = (
        f'<rect{moves} x="{x}" y="{y}" width="{side}" height="{side}" rx="5" fill="{_paint(of)}"/>'
        for moves, of in layers
    )
    yield f'<g opacity="{look.level:g}">{"".join(rects)}</g>'


def _hues(look: Look, mono: bool) -> tuple[Hue, ...]:
    if mono:
        return (Hue.WHITE,)
    return (look.hue,) if look.other is None else (look.hue, look.other)


def _paint(hue: Hue) -> str:
    brightest = max(hue.value)
    red, green, blue = hue.value
    rgb = on_screen((red * 255 // brightest, green * 255 // brightest, blue * 255 // brightest))
    return f"#{bytes(rgb).hex()}"


def _side(piece: Piece) -> str:
    return "white" if piece.color == WHITE else "black"


def _piece(square: Square, piece: Piece, style: str) -> str:
    x, y = _corner(square)
    paths = "".join(f'<path d="{outline}"/>' for outline in _OUTLINES[piece.piece_type])
    return f'<g class="{style}" transform="translate({x} {y})">{paths}</g>'


def _legend(scene: Scene, mono: bool) -> Iterable[str]:
    lit = [cue for cue, _ in scene.lit if cue.look.level]
    # One row is enough for cues with one sentence: the squares of a path, and stars.
    shown = list({cue.sentence: cue for cue in reversed(lit)}.values())[::-1]
    y = BOARD // 2 - len(shown) * ROW // 2
    for cue in shown:
        yield from _legend_row(cue, y, mono)
        y += ROW


def _legend_row(cue: Cue, y: int, mono: bool) -> Iterable[str]:
    look = cue.look
    yield f'<rect x="{BOARD}" y="{y}" width="32" height="32" fill="#5e5850"/>'
    yield from _light(look, BOARD + 2, y + 2, 28, mono)
    yield f'<text x="{BOARD + 42}" y="{y + 13}">{escape(cue.sentence)}</text>'
    words = look_in_words(look, mono=mono)
    yield f'<text class="look" x="{BOARD + 42}" y="{y + 29}">{escape(words)}</text>'
    yield _curve(look, BOARD + CURVES, y + 22)


def _curve(look: Look, x: int, y: int) -> str:
    """Three seconds of the light, one and a half pixels for each 60 ms, 11 pixels high."""
    times = range(0, CURVE_US, CURVE_STEP_US)
    heights = (11 * look.level * level_at(look.rhythm, t_us) for t_us in times)
    points = " ".join(f"{x + 1.5 * i:g},{y - height:.1f}" for i, height in enumerate(heights))
    return f'<polyline class="curve" points="{points}"/>'


def _motion(scene: Scene) -> str:
    rhythms = dict.fromkeys(cue.look.rhythm for cue, _ in scene.lit)
    moving = [rhythm for rhythm in rhythms if rhythm != STEADY]
    rules = [rule for rhythm in moving for rule in keyframes(rhythm)]
    if rules:
        # Readers who asked their computer for no motion see the lights at their brightest.
        still = "@media (prefers-reduced-motion: reduce) { rect { animation: none !important } }"
        rules.append(still)
    return "".join(f"{rule}\n" for rule in rules)


def keyframes(rhythm: Rhythm) -> Iterable[str]:
    """The rhythm's own table of levels as an animation, and a class that has it."""
    yield f"@keyframes {NAMES[rhythm]} {{{frames(rhythm)} }}"
    yield f".{NAMES[rhythm]} {{ animation: {NAMES[rhythm]} {pace(rhythm)} infinite }}"


def frames(rhythm: Rhythm) -> str:
    """Its levels as key frames of a style sheet, at the steps where a line through them bends."""
    count = len(rhythm)
    is_hard = _is_hard(rhythm)
    marks = [i for i in range(count) if (rhythm[i] != rhythm[i - 1] if is_hard else i % 5 == 0)]
    shown = "".join(
        f" {100 * i / count:.4g}% {{ opacity: {rhythm[i]:g} }}" for i in sorted({0, *marks})
    )
    return f"{shown} 100% {{ opacity: {rhythm[0]:g} }}"


def pace(rhythm: Rhythm) -> str:
    """Its period, and whether it jumps from level to level or glides."""
    timing = "step-end" if _is_hard(rhythm) else "linear"
    return f"{len(rhythm) * STEP_US / 1_000_000:g}s {timing}"


def _is_hard(rhythm: Rhythm) -> bool:
    return len(set(rhythm)) <= 2
