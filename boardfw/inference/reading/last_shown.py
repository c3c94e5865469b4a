"""What the board showed when it last stood still: the game that players leave when they set up."""

from __future__ import annotations

from itertools import chain

from boardfw.inference.evidence import REST_US
from boardfw.inference.reading.read_game import Game
from boardfw.rules import Piece
from boardfw.rules.move import common
from boardfw.rules.position import Position
from boardfw.squares import EVERY_SQUARE, Occupancy, Square

IN_THE_AIR = 3
"""This many pieces in the air are no ply and no take-back: the board is being set up."""
LAST_SQUARE = EVERY_SQUARE[-1]
SWEPT = 6
"""This many are not in the air even when both players are at their quickest."""


class LastShown:
    """The game at the last rest, and how many pieces have been in the air since."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """The game that the board showed when it last stood still."""
        self._before_home = game
        """The same before its newest steps, as far as these brought pieces home."""
        self._most_in_the_air = 0

    @property
    def was_set_up(self) -> bool:
        """True if more pieces have been in the air at once since then than any play lifts."""
        return self._most_in_the_air >= IN_THE_AIR

    def note_rest(self, rested_us: int, game: Game, standing: Occupancy) -> None:
        """Note that hands come to a board that has rested for so long."""
        wrong = game.expected ^ standing
        is_shown = not wrong & standing and wrong.bit_count() <= 1
        if rested_us < REST_US or not is_shown:
            return
        if not _brings_home(self._before_home, game):
            self._before_home = game
        self.game, self._most_in_the_air = game, 0

    def note_change(self, game: Game, standing: Occupancy) -> None:
        """Note what stands after a change."""
        self._most_in_the_air = max(self._most_in_the_air, in_the_air(game, standing))

    def abandoned(self, game: Game, final: int, *, is_asked: bool) -> Game:
        """Return the game as it was when its players stopped, and set the pieces up again.

        ``game``: the game as it is announced; its ``final`` plies were played.
        """
        before = self._before_home
        if not _begins_with(self.game, game, final):
            return _cut(game, final)
        if not _begins_with(before, game, final):
            return self.game
        was_undone = _begins_with(before, self.game, len(self.game.moves))
        # Who clears the board first, or asks for a new game, has played what was shown before.
        return self.game if (is_asked or self.was_set_up) and not was_undone else before


def in_the_air(game: Game, standing: Occupancy) -> int:
    """Return how many pieces are off the board."""
    return game.expected.bit_count() - standing.bit_count()


def is_played_on(ended: Game, game: Game, final: int) -> bool:
    """True if both sides have made plies since ``ended`` that do not bring pieces home.

    Of ``game`` the first ``final`` plies count. Who sets up pieces brings them home.
    """
    kept = common(ended.moves, game.moves)
    colors = {
        before.position.turn
        for before, after in game.plies_since(kept)
        if len(after.moves) <= final and not _brings_home(before, after)
    }
    return len(colors) == 2


def _begins_with(game: Game, other: Game, plies: int) -> bool:
    return common(game.moves, other.moves) >= plies


def _cut(game: Game, plies: int) -> Game:
    while len(game.moves) > plies and game.parent is not None:
        game = game.parent
    return game


def _brings_home(before: Game, after: Game) -> bool:
    """True if all that leads from one game to another puts pieces where they stand at the start.

    Plies that are undone may do so, and plies that are made.
    """
    kept = common(before.moves, after.moves)
    undone = (
        (was.position.piece_at(origin), origin)
        for was, ply in before.plies_since(kept)
        for origin, _ in ply.moves[-1].steps()
    )
    made = (
        (was.position.piece_at(origin), target)
        for was, ply in after.plies_since(kept)
        for origin, target in ply.moves[-1].steps()
    )
    return all(_stands_at_start(piece, square) for piece, square in chain(undone, made))


def _stands_at_start(piece: Piece | None, square: Square) -> bool:
    """True if the piece stands there at the start, whichever way round the next game lies."""
    start = Position.start()
    return piece in (start.piece_at(square), start.piece_at(LAST_SQUARE - square))
