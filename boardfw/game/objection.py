"""Why what a hand has done is no move: told where one piece stands wrong, and the rest is right."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.game.mismatch import Mismatch, difference
from boardfw.inference.evidence import REST_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.planner import Step
from boardfw.inference.tracker import Tracker
from boardfw.rules import PAWN, ROOK, Position
from boardfw.rules.move import Step as Attempt
from boardfw.rules.move import castling_move
from boardfw.rules.reasons import Reason, why_not
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, distance, occupancy_of, squares_in


@dataclass(frozen=True, slots=True)
class Objection:
    """An attempt that is no legal move. Squares are squares of the game."""

    origin: Square
    target: Square
    reason: Reason
    is_capture: bool = False
    """Whether a piece was taken off the target first, so that its switch reads as it should."""

    @property
    def repair(self) -> tuple[Step, ...]:
        """How to undo a capture: the piece goes home, and the captured one comes from the box."""
        return (self.target, self.origin), (None, self.target)


def objection(rest_us: int, tracker: Tracker, mismatch: Mismatch) -> Objection | None:
    """What is to be said against what stands on the board, at rest for ``rest_us``."""
    hypothesis = tracker.best
    if mismatch.extra:
        attempt = meant(hypothesis.position, mismatch.missing, mismatch.extra)
    else:
        attempt = _capture(hypothesis, tracker.trace) if rest_us >= REST_US else None
    if attempt is None:
        return None
    jumped = hypothesis.moves[-1].skipped if hypothesis.moves else None
    reason = why_not(hypothesis.position, *attempt, jumped)
    return reason and Objection(*attempt, reason, is_capture=not mismatch.extra)


def meant(position: Position, missing: Occupancy, extra: Occupancy) -> Attempt | None:
    """The attempt that left and came to these squares, if that is clear; else None."""
    if missing.bit_count() == extra.bit_count() == 1:
        return missing.bit_length() - 1, extra.bit_length() - 1
    return _castling(position, missing, extra) or _en_passant(position, missing, extra)


def _castling(position: Position, missing: Occupancy, extra: Occupancy) -> Attempt | None:
    """King and rook stand as if they had castled: the king's square, and the rook's."""
    king = position.king(position.turn)
    rooks = position.pieces_of(ROOK, position.turn)
    for rook in squares_in(rooks):
        if rook >> 3 == king >> 3:
            steps = castling_move(king, rook).steps()
            left, came = (occupancy_of(squares) for squares in zip(*steps, strict=True))
            if (left & ~came, came & ~left) == (missing, extra):
                return king, rook
    return None


def _en_passant(position: Position, missing: Occupancy, extra: Occupancy) -> Attempt | None:
    """A pawn went diagonally to an empty square, and the pawn beside it was taken off."""
    own = missing & position.pieces_of(PAWN, position.turn)
    taken = missing & position.pieces_of(PAWN, 1 - position.turn)
    if own.bit_count() != 1 or taken.bit_count() != 1 or own | taken != missing:
        return None
    origin, target = own.bit_length() - 1, extra.bit_length() - 1
    is_diagonal = extra.bit_count() == 1 and distance(origin, target) == 1
    return (origin, target) if is_diagonal and extra in (taken << 8, taken >> 8) else None


def _capture(hypothesis: Hypothesis, trace: Trace) -> Attempt | None:
    """One piece is away, and the last change is a piece arriving where another was lifted.

    The switches stand as if the first were in a hand and all others in place. A piece that was
    lifted there once more is the first captured one, put back for the capturing piece.
    """
    missing, extra = difference(hypothesis, trace.now)
    if (
        extra
        or missing.bit_count() != 1
        or not missing & hypothesis.position.pieces(hypothesis.position.turn)
    ):
        return None
    origin = missing.bit_length() - 1
    landed_us, left_us = hypothesis.state.landed_us, trace.last_edge_us(hypothesis.switch(origin))
    came = [s for s in squares_in(trace.now) if trace.last_edge_us(s) == trace.t_us]
    if left_us is None or not landed_us < left_us < trace.t_us or len(came) != 1:
        return None
    is_captured = len(trace.openings(came[0], landed_us)) == 1
    return (origin, hypothesis.switch(came[0])) if is_captured else None
