"""Follows the men through a gesture: which moves stand on the board, from when to when.

Hands may let another move stand first, take plies back and play them again. What was shown is
read from who stands where after each touch, held against the legal moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.shell.accuracy.truth import Shown
from boardfw.squares import Occupancy, Square, occupancy_of

Colours = tuple[Occupancy, Occupancy]
"""Squares of the white and of the black men: it tells all legal moves apart but promotions."""
MOST_BACK = 8
"""Plies further back than this no hand takes back at once."""


def colours_of(men: Mapping[Square, str]) -> Colours:
    """Whose man stands where."""
    white = occupancy_of(square for square, label in men.items() if label.isupper())
    return white, occupancy_of(men) & ~white


class Walk:
    """The plies that stand on the board, while hands play on, undo and play again.

    ``moves``: the game, of which the first ``ply`` plies stand at the beginning.
    """

    def __init__(self, positions: Iterable[Position], moves: list[Move], ply: int) -> None:
        self.shown: list[Shown] = []
        self.undone: list[tuple[int, int]] = []
        """(ply of the game that is taken back, when its men are touched)."""
        self.landed: dict[int, int] = {}
        """When each ply of the game that was played here came to stand, the last time."""
        self._moves = moves[: ply + 1]
        self._trail = list(positions)[: ply + 1]
        self._standing: list[tuple[tuple[Move, ...], int]] = [((move,), 0) for move in moves[:ply]]
        self._left_us: int | None = None

    def see(self, t_us: int, colours: Colours) -> None:
        """After a touch the men stand so. Times do not decrease."""
        if colours == _colours(self._trail[-1]):
            self._left_us = None
            return
        if self._left_us is None:
            self._left_us = t_us
        if moves := self._replies(-1, colours):
            self._play(t_us, moves)
        elif back := self._plies_back(colours):
            self._take_back(t_us, back)
        elif len(self._trail) > 1 and (moves := self._replies(-2, colours)):
            left_us = self._left_us
            self._take_back(t_us, 1)
            self._left_us = left_us
            self._play(t_us, moves)

    def _replies(self, at: int, colours: Colours) -> tuple[Move, ...]:
        """The legal moves, more than one only of promotions, after which the men stand so."""
        position = self._trail[at]
        legal = position.legal_moves()
        return tuple(move for move in legal if _colours(position.play_unchecked(move)) == colours)

    def _plies_back(self, colours: Colours) -> int:
        earlier = self._trail[-2 : -2 - MOST_BACK : -1]
        return next((n for n, one in enumerate(earlier, 1) if _colours(one) == colours), 0)

    def _play(self, t_us: int, moves: tuple[Move, ...]) -> None:
        ply = len(self._standing)
        played = self._moves[ply] if ply < len(self._moves) else None
        if played in moves:
            moves = (played,)
            self.landed[ply] = t_us
        self._trail.append(self._trail[-1].play_unchecked(moves[0]))
        # A man closes his switch on his way down, before he stands.
        self._standing.append((moves, t_us if self._left_us is None else self._left_us))
        self._left_us = None

    def _take_back(self, t_us: int, plies: int) -> None:
        for _ in range(plies):
            self._trail.pop()
            moves, since_us = self._standing.pop()
            ply = len(self._standing)
            if moves == tuple(self._moves[ply : ply + 1]):
                self.undone.append((ply, t_us if self._left_us is None else self._left_us))
            else:
                self.shown += [Shown(ply, move.uci(), since_us, t_us) for move in moves]
        self._left_us = None


def _colours(position: Position) -> Colours:
    return position.men(WHITE), position.men(BLACK)
