"""The truth of a game, from the gestures that played it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from operator import itemgetter

from boardfw.cli.accuracy.walk import Walk, colours_of
from boardfw.notation.fen import format_fen
from boardfw.rules import Move, Position
from boardfw.shell.accuracy.truth import PlyTruth, Shown
from boardfw.squares import Occupancy, Square, occupancy_of, square_at
from hardware.sim.action import HandAction, perform
from hardware.sim.board import men_of
from hardware.sim.gesture import Gesture
from hardware.sim.motion import SEEN_US
from hardware.sim.record import Simulated

Scans = Sequence[tuple[int, Occupancy]]


def truths(
    start: Position, moves: Sequence[Move], simulated: Simulated, turn: Square = 0
) -> tuple[tuple[PlyTruth, ...], tuple[Shown, ...]]:
    """Each ply, and what else was shown; one gesture belongs to each move.

    ``turn``: ``HALF_TURN`` on a board that is turned round, which the hands' squares are of.
    """
    positions = list(accumulate(moves, Position.play_unchecked, initial=start))
    plies: list[PlyTruth] = []
    shown: list[Shown] = []
    for ply, (move, gesture) in enumerate(zip(moves, simulated.gestures, strict=True)):
        plies.append(_ply(positions[ply], move, gesture, simulated.scans, turn))
        # Castling shows a move even where nothing goes wrong.
        if gesture.showed_another or len(move.steps()) > 1:
            walk = _walked(Walk(positions, list(moves), ply), positions[ply], gesture, turn)
            shown += walk.shown
            _play_again(plies, walk)
    return tuple(plies), tuple(shown)


def _ply(position: Position, move: Move, gesture: Gesture, scans: Scans, turn: Square) -> PlyTruth:
    return PlyTruth(
        uci=move.uci(),
        begin_us=gesture.begin_us,
        landed_us=_landed_us(move, gesture, turn),
        contact_us=_contact_us(gesture, scans),
        tags=gesture.tags,
        twins=tuple(one.uci() for one in position.legal_moves() if _are_twins(one, move)),
    )


def _are_twins(one: Move, other: Move) -> bool:
    return one is not other and (one.steps(), one.victim) == (other.steps(), other.victim)


def _landed_us(move: Move, gesture: Gesture, turn: Square) -> int:
    """The man has landed, the victim is gone, the put-backs that choose a man are over."""
    needed = {move.victim} - {move.target} | ({move.target} if move.promotion else set())
    times = [_done_us(action) for action in gesture.actions if action.square ^ turn in needed]
    return max([gesture.landed_us, *times])


def _contact_us(gesture: Gesture, scans: Scans) -> int:
    """When a square that the gesture touched last read otherwise than before.

    A man closes his switch before he stands, and may open it again while he rocks.
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


def _walked(walk: Walk, position: Position, gesture: Gesture, turn: Square) -> Walk:
    men = {square ^ turn: label for square, label in men_of(format_fen(position)).items()}
    touches = [(touch, touch is action) for action in gesture.actions for touch in _touches(action)]
    resting: set[Square] = set()
    for touch, is_meant in sorted(touches, key=lambda touch: _done_us(touch[0])):
        if not is_meant:
            # Beside somebody who stands there, a piece that rests on the border shows nothing.
            if touch.kind == "drop" and touch.square in men:
                continue
            if touch.kind == "lift" and touch.square not in resting:
                continue
            resting ^= {touch.square}
        perform(men, [touch])
        walk.see(_done_us(touch), colours_of({at ^ turn: label for at, label in men.items()}))
    return walk


def _touches(action: HandAction) -> tuple[HandAction, ...]:
    """What a hand does, and the squares on which its piece rests meanwhile."""
    return (action, *_rests(action))


def _done_us(action: HandAction) -> int:
    """When a lift begins, or a drop has come down."""
    return action.until_us if action.kind == "drop" else action.t_us


def _rests(action: HandAction) -> Iterator[HandAction]:
    """Where a man who is dragged over the board rests long enough to be taken for arrived."""
    for here, there in pairwise(action.way or ()):
        rested_us = there.t_us - here.t_us
        file, rank = round(here.x), round(here.y)
        on_board = 0 <= file < 8 and 0 <= rank < 8
        if on_board and here[1:] == there[1:] and here.z == 0 and rested_us >= SEEN_US:
            square = square_at(file, rank)
            yield HandAction(here.t_us, "drop", square, action.label)
            yield HandAction(there.t_us, "lift", square, action.label)
