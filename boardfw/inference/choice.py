"""Which piece a pawn became, as put-backs tell it: the switches see no other difference.

The first put-back after the arrival, however late, swaps the pawn for the piece; each further one
within four seconds of the previous drop steps on to the next piece.
"""

from __future__ import annotations

from itertools import pairwise

from boardfw.inference.evidence import CHOICE_US, GLANCE_US, LOOSE_US, PUT_BACK_US, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.rules import BISHOP, KNIGHT, QUEEN, ROOK, PieceType, Position
from boardfw.sensing.trace import Trace
from boardfw.squares import Switch

ORDER: tuple[PieceType, ...] = (QUEEN, KNIGHT, ROOK, BISHOP)
EXCHANGED = 2
"""How often a piece is put down where no choice was made: the pawn, and the piece in its place."""


def objection(hypothesis: Hypothesis, trace: Trace, until_us: int | None = None) -> Reason | None:
    """What speaks against the last ply's promotion piece; None if it is the one chosen.

    ``until_us``: put-backs count before this instant; a reply's arrival ends the choosing.
    """
    if not _is_choosing(hypothesis):
        return None
    drops, promotion = _drops(hypothesis, trace, until_us), hypothesis.moves[-1].promotion
    if promotion == _piece(len(drops)):
        return None
    if len(drops) <= EXCHANGED:
        return Reason.OTHER_PIECE
    is_one_less = promotion == _piece(len(drops) - 1)
    if is_one_less and _is_loose_first(hypothesis, trace, drops):
        return Reason.LOOSE_CHOICE
    return Reason.UNCHOSEN


def chosen(hypothesis: Hypothesis, trace: Trace, until_us: int | None = None) -> PieceType:
    """The piece that the put-backs since the last ply's arrival have chosen."""
    return _piece(len(_drops(hypothesis, trace, until_us)))


def next_chosen(hypothesis: Hypothesis, trace: Trace) -> PieceType:
    """The piece that one more put-back in time would choose."""
    return _piece(len(_drops(hypothesis, trace)) + 1)


def _piece(drops: int) -> PieceType:
    """The piece that is chosen by so many drops, the pawn's arrival among them."""
    return ORDER[max(drops - EXCHANGED, 0) % len(ORDER)]


def is_exchanged(hypothesis: Hypothesis, trace: Trace) -> bool:
    """Whether the pawn was exchanged: from then on each put-back chooses another piece."""
    return len(_drops(hypothesis, trace)) >= EXCHANGED


def is_loose(hypothesis: Hypothesis, trace: Trace) -> bool:
    """Whether one of the put-backs that chose was so quick that the contact may have been lost."""
    return any(
        away_us < LOOSE_US for away_us in _away_us(hypothesis, trace, _drops(hypothesis, trace))
    )


def _is_loose_first(hypothesis: Hypothesis, trace: Trace, drops: list[int]) -> bool:
    """Whether the first put-back may be a lost contact, and the next one, slower, the exchange."""
    first_us, next_us, *_ = _away_us(hypothesis, trace, drops)
    return first_us < LOOSE_US <= next_us


def _away_us(hypothesis: Hypothesis, trace: Trace, drops: list[int]) -> list[int]:
    """For how long the square was empty before each put-back."""
    (switch,) = hypothesis.targets()
    return [
        put_us - (trace.opened(switch, before_us, put_us) or before_us)
        for before_us, put_us in pairwise(drops)
    ]


def chosen_twin(hypothesis: Hypothesis, trace: Trace, until_us: int) -> Position:
    """The position after the last ply with the promotion piece that was chosen."""
    last, before = (
        hypothesis.moves[-1],
        hypothesis.parent.position if hypothesis.parent else hypothesis.position,
    )
    choice = last.origin, last.target, chosen(hypothesis, trace, until_us)
    twins = (m for m in before.legal_moves() if (m.origin, m.target, m.promotion) == choice)
    return before.play_unchecked(next(twins))


def open_until_us(hypothesis: Hypothesis, trace: Trace) -> int | None:
    """Until when another put-back would choose again; None if nothing is being chosen."""
    return _drops(hypothesis, trace)[-1] + CHOICE_US if _is_choosing(hypothesis) else None


def chooses(hypothesis: Hypothesis, switch: Switch) -> bool:
    """Whether a put-back on this switch chooses a promotion piece."""
    return _is_choosing(hypothesis) and switch in hypothesis.targets()


def _is_choosing(hypothesis: Hypothesis) -> bool:
    # A ply is taken back only after a reply, and that ended the choosing.
    return (
        bool(hypothesis.moves and hypothesis.moves[-1].promotion)
        and not hypothesis.state.took_back
        and not hypothesis.was_told
    )


def _drops(hypothesis: Hypothesis, trace: Trace, until_us: int | None = None) -> list[int]:
    """The arrival and the put-backs that choose: the first however late, the next ones quick."""
    (switch,), landed_us = hypothesis.targets(), hypothesis.state.landed_us
    drops, lifted_us = [landed_us], landed_us
    for edge in trace.edges(switch):
        if not edge.closed:
            lifted_us = edge.t_us
        if not edge.closed or edge.t_us <= landed_us or edge.t_us - lifted_us < PUT_BACK_US:
            continue
        if until_us is not None and edge.t_us >= until_us:
            break
        if len(drops) > 1 and edge.t_us - drops[-1] > CHOICE_US:
            break
        if lifted_us - drops[-1] < GLANCE_US:
            drops.pop()  # it rocked, or a neighbour passed by
        drops.append(edge.t_us)
    return drops
