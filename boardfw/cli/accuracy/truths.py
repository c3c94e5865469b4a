"""The truth of a ply, from the gesture that played it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from boardfw.notation.fen import format_fen
from boardfw.rules import Move, Position
from boardfw.shell.accuracy.truth import PlyTruth
from boardfw.squares import Square
from hardware.sim.action import HandAction, perform
from hardware.sim.board import men_of
from hardware.sim.motion import Gesture

SHOWING = frozenset({"wrong_square", "illegal", "take_back"})
"""Tags of hands that let something else stand on the board before they make their move."""
TAKING_BACK = "take_back"


def truths(
    start: Position, moves: Sequence[Move], gestures: Sequence[Gesture]
) -> Iterator[PlyTruth]:
    """The truth of each ply; one gesture belongs to each move."""
    position = start
    for move, gesture in zip(moves, gestures, strict=True):
        yield _truth(position, move, gesture)
        position = position.play(move)


def _truth(position: Position, move: Move, gesture: Gesture) -> PlyTruth:
    twins = [one for one in position.legal_moves() if _are_twins(one, move)]
    return PlyTruth(
        uci=move.uci(),
        begin_us=gesture.actions[0].t_us,
        contact_us=_contact_us(move, gesture),
        end_us=gesture.end_us,
        tags=gesture.tags,
        shown=tuple(_shown(position, move, gesture)),
        twins=tuple(twin.uci() for twin in twins),
        taken_back=TAKING_BACK in gesture.tags,
    )


def _are_twins(one: Move, other: Move) -> bool:
    return one is not other and (one.steps(), one.victim) == (other.steps(), other.victim)


def _contact_us(move: Move, gesture: Gesture) -> int:
    """The man has landed, the victim is gone, the put-backs that choose a man are over."""
    times = [gesture.landed_us]
    if move.victim not in (None, move.target):
        times += [action.t_us for action in gesture.actions if action.square == move.victim]
    if move.promotion:
        times += [action.t_us for action in gesture.actions if action.square == move.target]
    return max(times)


def _shown(position: Position, move: Move, gesture: Gesture) -> Iterator[str]:
    """Other legal moves after which the men would stand as they stood during the gesture.

    A man who is only dragged over a square does not stand there.
    """
    if not SHOWING.intersection(gesture.tags) and len(move.steps()) < 2:
        return
    stood = list(_arrangements(men_of(format_fen(position)), gesture.actions))
    for other in position.legal_moves():
        if other is not move and men_of(format_fen(position.play(other))) in stood:
            yield other.uci()


def _arrangements(
    men: Mapping[Square, str], actions: Sequence[HandAction]
) -> Iterator[dict[Square, str]]:
    standing = dict(men)
    for action in actions:
        perform(standing, [action])
        yield dict(standing)
