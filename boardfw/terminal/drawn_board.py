"""The drawn board: which piece is drawn on which square, and the widget that draws them.

Squares have the colours of their lights. On a real board pieces are known only from the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from boardfw.frame import DARK, Frame
from boardfw.game.phase import GamePhase
from boardfw.game.view import View
from boardfw.rules import KING, PAWN, Move, Piece, Position
from boardfw.squares import (
    EVERY_SWITCH,
    NAMES,
    Bitboard,
    Orientation,
    Switch,
    distance,
    file_of,
    is_light,
    occupancy_of,
    rank_of,
    squares_in,
    switch_at,
)
from boardfw.terminal.paint import ManyColours, Paint, style

UNKNOWN = "?"
"""A piece that the game does not know."""


def pieces_on_simulated(
    pieces: Mapping[Switch, str], view: View, promoted: Bitboard
) -> dict[Switch, str]:
    """Switch -> label. A piece on a ``promoted`` square is drawn as the game knows it.

    A player who clicks may leave the pawn on the board, or put back the queen after choosing a
    knight; and after a take-back the queen is a pawn again.
    """
    seen = dict(pieces)
    if view.phase is GamePhase.SETUP:
        return seen
    known = pieces_in_game(view.position, view.orientation)
    for switch, label in pieces.items():
        if known.get(switch, label) == label:
            continue
        piece, as_seen = Piece.of(known[switch]), Piece.of(label)
        if piece.color != as_seen.color or as_seen.piece_type == KING:
            continue
        if piece.piece_type == PAWN or promoted >> view.orientation.square(switch) & 1:
            seen[switch] = piece.letter
    return seen


@lru_cache(maxsize=2)  # the screen asks twenty times a second
def pieces_in_game(position: Position, orientation: Orientation) -> Mapping[Switch, str]:
    """Switch -> label of each piece of a position."""
    pieces = {square: position.piece_at(square) for square in squares_in(position.occupied)}
    return {orientation.switch(square): piece.letter for square, piece in pieces.items() if piece}


@lru_cache(maxsize=2)  # the screen asks twenty times a second
def promoted_pieces(moves: tuple[Move, ...]) -> Bitboard:
    """Squares, at the end of a game, of the pieces that began it as pawns and were promoted."""
    promoted = 0
    for move in moves:
        moved = bool(move.promotion or promoted >> move.origin & 1)
        promoted &= ~move.touched
        if moved:
            promoted |= 1 << move.target
    return promoted


def pieces_on_real(view: View) -> dict[Switch, str]:
    """Switch -> label on a real board, which senses only that a square is occupied."""
    known = pieces_in_game(view.position, view.orientation)
    standing = map(view.orientation.switch, squares_in(view.standing))
    return {switch: known.get(switch, UNKNOWN) for switch in standing}


def pieces_as_asked(pieces: Mapping[Switch, str], view: View) -> dict[Switch, str]:
    """Switch -> label after the next step that the board asks for during set-up."""
    surplus = view.orientation.switches(view.surplus)
    after = {switch: label for switch, label in pieces.items() if not surplus >> switch & 1}
    if view.asked and not view.surplus:
        piece, squares = view.asked
        after[view.orientation.switch(next(squares_in(squares)))] = piece.letter
    return after


def is_settled(pieces: Mapping[Switch, str], view: View) -> bool:
    """Whether the pieces stand, and are seen to stand, as in the game."""
    standing = view.orientation.squares(occupancy_of(pieces))
    return view.standing == view.position.occupied == standing


def visitor(pieces: Mapping[Switch, str], view: View, target: Switch) -> Switch | None:
    """The piece of the side to move, not its king, nearest to a switch; None: there is none."""
    position = view.position
    own = position.pieces(position.turn) & ~position.placement[KING]
    near = [switch for switch in map(view.orientation.switch, squares_in(own)) if switch in pieces]
    return min(near, key=lambda piece: _far(piece, target), default=None)


def _far(piece: Switch, target: Switch) -> tuple[int, int]:
    """At equal distance, a piece on the same file comes first."""
    return distance(piece, target), abs(file_of(piece) - file_of(target))


GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
"""White's pieces are outlines, Black's are filled: they differ without colours, too."""
LABELS = Style(color="rgb(128,134,146)", bgcolor="rgb(12,14,18)")
LABEL_WIDTH = 2


class Zoom(NamedTuple):
    """Size of one square, in characters; about twice as wide as high, as characters are not."""

    width: int
    height: int

    @property
    def board(self) -> Size:
        """Size of the whole board with its labels."""
        return Size(LABEL_WIDTH + 8 * self.width, 8 * self.height + 1)

    @property
    def middle(self) -> int:
        """The line of a square in which its piece is written."""
        return (self.height - 1) // 2

    @property
    def token_lines(self) -> range:
        """The lines of a square that a piece's token covers; the light is seen around it."""
        return range(1, self.height - 1) if self.height > 2 else range(1)

    @property
    def token_width(self) -> int:
        """Columns that a piece's token covers, an odd number."""
        return max(self.width - 4, min(self.width - 2, 3))


ZOOMS = (Zoom(11, 5), Zoom(9, 4), Zoom(7, 3), Zoom(5, 2), Zoom(3, 1))


def zoom_for(width: int, height: int) -> Zoom:
    """The largest zoom that fits, or else the smallest."""
    fits = (zoom for zoom in ZOOMS if zoom.board.width <= width and zoom.board.height <= height)
    return next(fits, ZOOMS[-1])


class Squares(Widget):
    """Draws the board; only squares that have changed are drawn again."""

    class Touched(Message):
        """A button of the mouse went down on a square; ``aside``: the right one."""

        def __init__(self, square: Switch, aside: bool) -> None:
            super().__init__()
            self.square = square
            self.aside = aside

    class LetGo(Message):
        """The button of the mouse came up on a square."""

        def __init__(self, square: Switch) -> None:
            super().__init__()
            self.square = square

    def __init__(self, *, letters: bool = False) -> None:
        super().__init__()
        self.letters = letters
        self.paint: Paint = ManyColours()
        self._zoom = ZOOMS[-2]
        self._flipped = False
        self._orientation = Orientation.AS_WIRED
        self._frame: Frame = DARK
        self._pieces: Mapping[Switch, str] = {}

    def show(self, frame: Frame, pieces: Mapping[Switch, str], orientation: Orientation) -> None:
        """Draw this from now on."""
        if orientation != self._orientation:
            self._orientation = orientation
            self.refresh()
        old_frame, old_pieces = self._frame, self._pieces
        if frame == old_frame and pieces == old_pieces:
            return
        self._frame, self._pieces = frame, pieces
        changed = (
            square
            for square in EVERY_SWITCH
            if frame[square] != old_frame[square] or pieces.get(square) != old_pieces.get(square)
        )
        self.refresh(*map(self._region, changed))

    def fit(self, zoom: Zoom) -> None:
        """Draw the board in this size."""
        self._zoom = zoom
        self.styles.width, self.styles.height = zoom.board
        self.refresh(layout=True)

    def flip(self) -> None:
        """See the board from the other side."""
        self._flipped = not self._flipped
        self.refresh()

    def square_under(self, x: int, y: int) -> Switch | None:
        """The square at a place of this widget, if there is one."""
        column, row = (x - LABEL_WIDTH) // self._zoom.width, y // self._zoom.height
        return self._square(column, row) if 0 <= column < 8 and 0 <= row < 8 else None

    def centre_of(self, square: Switch) -> tuple[int, int]:
        """The centre of a square on this widget, column and line."""
        region = self._region(square)
        return region.x + region.width // 2, region.y + self._zoom.middle

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A square is touched at the press, as with a finger."""
        square = self.square_under(event.x, event.y)
        if square is not None:
            self.post_message(self.Touched(square, aside=event.button == 3))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A dragged piece is let go here."""
        square = self.square_under(event.x, event.y)
        if square is not None:
            self.post_message(self.LetGo(square))

    def render_line(self, y: int) -> Strip:
        """One line of the screen, as textual asks for it."""
        row, line = divmod(y, self._zoom.height)
        if row > 7:
            return (
                Strip(self._file_labels())
                if row == 8 and line == 0
                else Strip.blank(self.size.width, LABELS)
            )
        rank = self._label(0, row)[1] if line == self._zoom.middle else ""
        segments = [Segment(rank.ljust(LABEL_WIDTH), LABELS)]
        for column in range(8):
            segments += self._cell(self._square(column, row), line)
        return Strip(segments)

    def _file_labels(self) -> list[Segment]:
        names = [self._label(column, 7)[0] for column in range(8)]
        text = "".join(name.center(self._zoom.width) for name in names)
        return [Segment(" " * LABEL_WIDTH + text, LABELS)]

    def _cell(self, square: Switch, line: int) -> list[Segment]:
        """One line of one square; a piece is drawn on a token of its colour."""
        ground = self.paint.ground(self._frame[square], is_light_square=is_light(square))
        plain = style(ground.ink, ground.paper)
        label = self._pieces.get(square)
        if label is None or line not in self._zoom.token_lines:
            return [Segment(ground.fill * self._zoom.width, plain)]
        symbol = self._symbol(label) if line == self._zoom.middle else ""
        token = symbol.center(self._zoom.token_width)
        beside = Segment(ground.fill * ((self._zoom.width - len(token)) // 2), plain)
        return [beside, Segment(token, self.paint.piece(is_black=label.islower())), beside]

    def _symbol(self, label: str) -> str:
        return label if self.letters or label == UNKNOWN else GLYPHS[label]

    def _label(self, column: int, row: int) -> str:
        return NAMES[self._orientation.square(self._square(column, row))]

    def _square(self, column: int, row: int) -> Switch:
        return switch_at(7 - column, row) if self._flipped else switch_at(column, 7 - row)

    def _region(self, square: Switch) -> Region:
        width, height = self._zoom
        column, row = file_of(square), 7 - rank_of(square)
        if self._flipped:
            column, row = 7 - column, 7 - row
        return Region(LABEL_WIDTH + column * width, row * height, width, height)
