"""Differences between the pieces that stand and a game, and harmless reasons for them."""

from __future__ import annotations

from boardfw.inference.hypothesis import Hypothesis
from boardfw.rules.move import Step
from boardfw.sensing.trace import Trace
from boardfw.squares import Bitboard, Occupancy, distance, only_in, switches_in

CARRY_US = 100_000
"""Carrying a piece takes at least this long, so no shorter gap hides a whole ply."""


def difference(hypothesis: Hypothesis, standing: Occupancy) -> tuple[Bitboard, Bitboard]:
    """(missing, extra) squares of the game; pieces merely lifted leave ``extra`` empty."""
    wrong, orientation = hypothesis.wrong(standing), hypothesis.orientation
    return orientation.squares(wrong & hypothesis.expected), orientation.squares(wrong & standing)


def is_on_a_border(hypothesis: Hypothesis, missing: Bitboard, extra: Bitboard) -> bool:
    """True if a piece may merely rest on its path to the next square, holding both switches."""
    if missing or extra.bit_count() > 1:
        return False
    target = only_in(extra)
    begun = {move.origin for move in hypothesis.legal_moves() if move.target == target}
    if hypothesis.parent is not None and len(hypothesis.targets()) == 1:
        # The last piece may be going on.
        moves = hypothesis.parent.legal_moves()
        last = hypothesis.moves[-1]
        begun |= {last.target for m in moves if (m.origin, m.target) == (last.origin, target)}
    return any(distance(origin, target) == 1 for origin in begun)


def unseen_capture(
    hypothesis: Hypothesis, trace: Trace, missing: Bitboard, extra: Bitboard
) -> Step | None:
    """One piece is away, and the last change is a piece arriving where another was lifted.

    The switches stand as if the first were in a hand and all others in place. A piece that was
    lifted there once more is the first captured one, put back for the capturing piece.
    """
    if (
        extra
        or missing.bit_count() != 1
        or not missing & hypothesis.position.pieces(hypothesis.position.turn)
    ):
        return None
    origin, orientation = only_in(missing), hypothesis.orientation
    landed_us, left_us = hypothesis.landed_us, trace.last_edge_us(orientation.switch(origin))
    if left_us is None or not landed_us < left_us < trace.t_us:
        return None
    came = [s for s in switches_in(trace.now) if trace.last_edge_us(s) == trace.t_us]
    if len(came) != 1 or len(trace.openings(came[0], landed_us)) != 1:
        return None
    return origin, orientation.square(came[0])


def hides_plies(hypothesis: Hypothesis, before: Occupancy, after: Occupancy) -> bool:
    """True if what is read after a gap is more than a single legal move explains.

    ``hypothesis``: the most credible game until then; ``before``: the switches settled until then.
    """
    if after == before:
        return False
    changed = hypothesis.orientation.squares(hypothesis.wrong(after))
    return not any(
        not changed & ~(move.touched | (0 if move.captured is None else 1 << move.captured))
        for move in hypothesis.legal_moves()
    )
