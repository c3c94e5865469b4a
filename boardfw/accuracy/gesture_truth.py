"""The true moves of a game and their times, read from the gestures that played it.

Hands may show another move first, take plies back and play them again. Which moves were shown,
and from when to when, follows from the pieces on the board after each touch and the legal moves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from operator import itemgetter

from boardfw.accuracy.truth import PlyTruth, Shown
from boardfw.players.game_player import pieces_on
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.squares import Bitboard, Occupancy, Orientation, Switch, occupancy_of, switch_at
from hardware.sim.gesture import Gesture, HandAction, perform
from hardware.sim.motion import SEEN_US
from hardware.sim.record import Simulated

Colours = tuple[Bitboard, Bitboard]
"""Squares of the white and of the black pieces. All legal moves but promotions differ in them."""
MOST_BACK = 8
"""Plies further back than this no hand takes back at once."""


def colours_of(
    pieces: Mapping[Switch, str], orientation: Orientation = Orientation.AS_WIRED
) -> Colours:
    """The squares of each colour, of the labels by the switches over which they stand."""
    white = occupancy_of(switch for switch, label in pieces.items() if label.isupper())
    return orientation.squares(white), orientation.squares(occupancy_of(pieces) & ~white)


class Walk:
    """The plies that stand on the board, while hands play on, undo and play again.

    ``moves``: the game, of which the first ``ply`` plies stand at the beginning.
    """

    def __init__(self, positions: Iterable[Position], moves: list[Move], ply: int) -> None:
        self.shown: list[Shown] = []
        self.undone: list[tuple[int, int]] = []
        """(ply of the game that is taken back, when its pieces are touched)."""
        self.landed: dict[int, int] = {}
        """When each ply of the game that was played here came to stand, the last time."""
        self._moves = moves[: ply + 1]
        self._trail = list(positions)[: ply + 1]
        self._standing: list[tuple[tuple[Move, ...], int]] = [((move,), 0) for move in moves[:ply]]
        self._left_us: int | None = None

    def see(self, t_us: int, colours: Colours) -> None:
        """Take the squares of both colours after a touch. Times do not decrease."""
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
        """The legal moves that lead to these squares; several only for promotions."""
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
        # A piece closes its switch on its way down, before it stands.
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
    return position.pieces(WHITE), position.pieces(BLACK)


Scans = Sequence[tuple[int, Occupancy]]


def truths(
    start: Position,
    moves: Sequence[Move],
    simulated: Simulated,
    orientation: Orientation = Orientation.AS_WIRED,
) -> tuple[tuple[PlyTruth, ...], tuple[Shown, ...]]:
    """Each ply, and what else was shown; one gesture belongs to each move."""
    positions = list(accumulate(moves, Position.play_unchecked, initial=start))
    plies: list[PlyTruth] = []
    shown: list[Shown] = []
    for ply, (move, gesture) in enumerate(zip(moves, simulated.gestures, strict=True)):
        plies.append(_ply(positions[ply], move, gesture, simulated.scans, orientation))
        # Castling shows a move even where nothing goes wrong.
        if gesture.showed_another or len(move.steps()) > 1:
            walk = _walked(Walk(positions, list(moves), ply), positions[ply], gesture, orientation)
            shown += walk.shown
            _play_again(plies, walk)
    return tuple(plies), tuple(shown)


def _ply(
    position: Position, move: Move, gesture: Gesture, scans: Scans, orientation: Orientation
) -> PlyTruth:
    return PlyTruth(
        uci=move.uci(),
        begin_us=gesture.begin_us,
        landed_us=_landed_us(move, gesture, orientation),
        contact_us=_contact_us(gesture, scans),
        tags=gesture.tags,
        twins=tuple(one.uci() for one in position.legal_moves() if are_twins(one, move)),
    )


def are_twins(one: Move, other: Move) -> bool:
    """True if two moves are promotions of the same pawn on the same square."""
    return one is not other and (one.steps(), one.captured) == (other.steps(), other.captured)


def _landed_us(move: Move, gesture: Gesture, orientation: Orientation) -> int:
    """When the piece has landed, the captured piece is gone and a promotion is chosen."""
    needed = {move.captured} - {move.target} | ({move.target} if move.promotion else set())
    square = orientation.square
    times = [_done_us(action) for action in gesture.actions if square(action.square) in needed]
    return max([gesture.landed_us, *times])


def _contact_us(gesture: Gesture, scans: Scans) -> int:
    """When a square that the gesture touched last read otherwise than before.

    A piece closes its switch before it stands, and may open it again while it rocks.
    """
    touched = occupancy_of(action.square for action in gesture.actions)
    begin = bisect_left(scans, gesture.begin_us, key=itemgetter(0))
    end = bisect_right(scans, gesture.settled_us, key=itemgetter(0))
    for at in range(end - 1, max(begin, 1) - 1, -1):
        if (scans[at][1] ^ scans[at - 1][1]) & touched:
            return scans[at][0]
    return gesture.landed_us


def _play_again(plies: list[PlyTruth], walk: Walk) -> None:
    """Plies that were taken back meanwhile, and when they were there again."""
    for ply, t_us in walk.undone:
        landed_us = walk.landed.get(ply, t_us)
        plies[ply] = replace(
            plies[ply],
            landed_us=max(plies[ply].landed_us, landed_us),
            contact_us=max(plies[ply].contact_us, landed_us),
            undone_us=(*plies[ply].undone_us, t_us),
        )


def _walked(walk: Walk, position: Position, gesture: Gesture, orientation: Orientation) -> Walk:
    pieces = pieces_on(position, orientation)
    touches = [
        (touch, touch is action)
        for action in gesture.actions
        for touch in (action, *_rests(action))
    ]
    resting: set[Switch] = set()
    for touch, is_meant in sorted(touches, key=lambda touch: _done_us(touch[0])):
        if not is_meant:
            # On the border of an occupied square a resting piece changes nothing.
            if touch.kind == "drop" and touch.square in pieces:
                continue
            if touch.kind == "lift" and touch.square not in resting:
                continue
            resting ^= {touch.square}
        perform(pieces, [touch])
        walk.see(_done_us(touch), colours_of(pieces, orientation))
    return walk


def _done_us(action: HandAction) -> int:
    """When a lift begins, or a drop has come down."""
    return action.until_us if action.kind == "drop" else action.t_us


def _rests(action: HandAction) -> Iterator[HandAction]:
    """Where the piece of a hand rests meanwhile, long enough to seem to have arrived."""
    for here, there in pairwise(action.path or ()):
        rested_us = there.t_us - here.t_us
        file, rank = round(here.x), round(here.y)
        on_board = 0 <= file < 8 and 0 <= rank < 8
        if on_board and here[1:] == there[1:] and here.z == 0 and rested_us >= SEEN_US:
            square = switch_at(file, rank)
            yield HandAction(here.t_us, "drop", square, action.label)
            yield HandAction(there.t_us, "lift", square, action.label)
