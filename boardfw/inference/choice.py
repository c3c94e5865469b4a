"""Which man a pawn became, told by put-backs: twins differ in nothing else that switches see.

The first put-back after the arrival, however late, is the physical exchange of pawn for piece;
each further one within four seconds of the drop before it steps on to the next man.
"""

from __future__ import annotations

from boardfw.inference.evidence import CHOICE_US, GLANCE_US, PUT_BACK_US, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.rules import BISHOP, KNIGHT, QUEEN, ROOK, PieceType, Position
from boardfw.sensing.trace import Trace
from boardfw.squares import Square

ORDER: tuple[PieceType, ...] = (QUEEN, KNIGHT, ROOK, BISHOP)
EXCHANGED = 2
"""So often a man is put down where nobody has chosen: the pawn, and the piece in its place."""


def objection(hypothesis: Hypothesis, trace: Trace, until_us: int | None = None) -> Reason | None:
    """What speaks against the last ply's man: nothing if he is the one that was chosen.

    ``until_us``: put-backs count before this instant; a reply's arrival ends the choosing.
    """
    if not _is_choosing(hypothesis) or hypothesis.moves[-1].promotion == chosen(
        hypothesis, trace, until_us
    ):
        return None
    is_choice = len(_drops(hypothesis, trace, until_us)) > EXCHANGED
    return Reason.UNCHOSEN if is_choice else Reason.OTHER_PIECE


def chosen(hypothesis: Hypothesis, trace: Trace, until_us: int | None = None) -> PieceType:
    """The man that the put-backs since the last ply's arrival have chosen."""
    put_backs = len(_drops(hypothesis, trace, until_us)) - 1
    return ORDER[max(put_backs - 1, 0) % len(ORDER)]


def next_chosen(hypothesis: Hypothesis, trace: Trace) -> PieceType:
    """The piece that one more put-back would choose, made in time."""
    return ORDER[max(len(_drops(hypothesis, trace)) - 1, 0) % len(ORDER)]


def is_exchanged(hypothesis: Hypothesis, trace: Trace) -> bool:
    """Whether the pawn was exchanged: from then on each put-back chooses another piece."""
    return len(_drops(hypothesis, trace)) >= EXCHANGED


def chosen_twin(hypothesis: Hypothesis, trace: Trace, until_us: int) -> Position:
    """The position after the last ply, had its pawn become the man that was chosen."""
    last, before = (
        hypothesis.moves[-1],
        hypothesis.parent.position if hypothesis.parent else hypothesis.position,
    )
    way = last.origin, last.target, chosen(hypothesis, trace, until_us)
    twins = (m for m in before.legal_moves() if (m.origin, m.target, m.promotion) == way)
    return before.play_unchecked(next(twins))


def open_until_us(hypothesis: Hypothesis, trace: Trace) -> int | None:
    """Until when another put-back would choose again; None: nothing is being chosen."""
    return _drops(hypothesis, trace)[-1] + CHOICE_US if _is_choosing(hypothesis) else None


def chooses(hypothesis: Hypothesis, switch: Square) -> bool:
    """Whether a put-back on this switch chooses a man."""
    return _is_choosing(hypothesis) and hypothesis.switch(hypothesis.moves[-1].target) == switch


def _is_choosing(hypothesis: Hypothesis) -> bool:
    # Where a ply was taken back there had been a reply: it ended the choosing.
    return (
        bool(hypothesis.moves and hypothesis.moves[-1].promotion) and not hypothesis.state.took_back
    )


def _drops(hypothesis: Hypothesis, trace: Trace, until_us: int | None = None) -> list[int]:
    """The arrival and the put-backs that choose: the first however late, the next ones quick."""
    switch, landed_us = hypothesis.switch(hypothesis.moves[-1].target), hypothesis.state.landed_us
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
            drops.pop()  # a neighbour went by: nobody had been put down
        drops.append(edge.t_us)
    return drops
