"""When a ply is final: how long it must stand before what cannot be unsent may be sent.

The record, the lights and the terminal follow the hands at once; a move sent to a server, spoken,
or answered by an engine waits for this. Later play may still prove a final ply wrong, but that
could not have been known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from boardfw.inference.evidence import Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.kings_result import is_kings_step
from boardfw.inference.rivals import is_guessed, opposed, rival_captures
from boardfw.inference.tracker import Tracker
from boardfw.rules import QUEEN, Move
from boardfw.rules.attacks import BETWEEN
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, distance, occupancy_of, switches_in

GO_ON_US = 1_500_000
"""A piece that was carried and could go on along its path, or slid and could not, has come to stay:
a hand that thinks again lifts it sooner."""
RESTING_US = 6_000_000
"""A hand that slides a piece may rest on the path, and one that castles rook first may rest before
the king follows, for any time; without a reply, the ply is believed after this time."""
SLID_US = 150_000
"""A piece that comes to the next square in less time was slid: lifting it takes longer, for the
quickest hands."""
LIFTED = 3
"""A carried piece is in the air for at least this part (1/3) of the usual time."""
LEAST_US = 700_000
"""The same for a player in great haste: a passing piece leaves a square sooner."""
TOUCH_US = 200_000
"""A piece carried over a square closes its switch for less: until then it need not have landed."""
SWAPPED_US = 2_000_000
"""Two pieces lifted, one of them put back, look just like a capture until the other comes down: a
child that adjusts one piece on the path to another holds the first for 1.7 s."""
TOGETHER_US = 120_000
"""Pieces that leave their squares so close together were knocked over, or lifted by two hands."""
HELD_US = 30_000_000
"""Players think with a piece in their hand, or slowly set up what was knocked over, but hardly for
longer."""
SLIDERS = 64
"""Plies that show whether these hands slide pieces or carry them."""
SELDOM = 4
"""Hands that slide at least one in this many pieces may have slid one to the next square unseen."""
DOUBT_US = 1_500_000
"""The evidence is not clear, though no other game is near."""
ANSWERED_US = 600_000
"""The opponent has lifted a piece: for less time it may be a contact lost by itself."""
HURRY = 2
"""A passing piece rests on a square for less than this part (1/2) of the time of the last plies."""

UNHURRIED_US = HURRY * RESTING_US
"""Plies that take at least this long are unhurried."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the last ply stands."""

    rivalled: bool = False
    """Another game differs and is nearly as credible, or something stands wrong."""
    answered: bool = False
    """A piece of the opponent is in the air."""
    odd: bool = False
    """The evidence for it was not clear."""
    on_its_way: bool = False
    """The piece can go on along its path."""
    slid: bool = False
    """It was seen to come over the board, not through the air."""
    on_show: bool = False
    """It is a slid king that may go on to the centre, whatever the rules allow it, to show the
    result there."""
    in_hand: bool = False
    """It was just slid there; no switch tells whether the hand has let go of it."""
    swapped: bool = False
    """A piece was captured, and its square was seen to be empty."""
    together: bool = False
    """Another piece left its square at the same time: the captured one, or that of the last ply."""
    unshown: bool = False
    """A capture whose square never opened, by a piece that could have made another one."""
    half_made: bool = False
    """It is one half of a ply with two pieces."""
    tempo_us: int = UNHURRIED_US
    """How long the quicker of the two previous plies took,"""
    slower_us: int = UNHURRIED_US
    """and the slower one: adjusted pieces look like a capture, and one ply alone may be quick."""


def wait_us(ply: Standing) -> int | None:
    """How long a ply must have stood like this to be final; None if it will not be."""
    if ply.rivalled or ply.unshown or ((ply.odd or ply.swapped) and ply.answered):
        return None  # after an unclear ply or a capture, a piece in the air may belong to it
    longest_us = max(_waits_us(ply))
    return min(longest_us, ANSWERED_US) if ply.answered else longest_us


def _waits_us(ply: Standing) -> Iterator[int]:
    """How long each thing that may still happen is waited for."""
    yield _paced(GO_ON_US, ply.tempo_us) if ply.in_hand else TOUCH_US
    if ply.half_made or (ply.on_its_way and ply.slid):
        yield RESTING_US
    elif ply.on_its_way:
        yield _paced(GO_ON_US, ply.tempo_us)
    if ply.on_show:
        yield _paced(RESTING_US, ply.tempo_us)
    if ply.swapped:
        yield _paced(SWAPPED_US, ply.slower_us)
    if ply.together:
        yield HELD_US  # pieces that were knocked over are set up one after the other
    if ply.odd:
        yield DOUBT_US


def _paced(unhurried_us: int, tempo_us: int) -> int:
    """How long to wait for hands in a hurry, whose plies take so long."""
    return max(LEAST_US, min(unhurried_us, tempo_us // HURRY))


def made(hypothesis: Hypothesis) -> Standing:
    """How the last ply of a hypothesis was made, leaving aside what goes on around it."""
    if hypothesis.parent is None:
        return Standing()
    move = hypothesis.moves[-1]
    others = [
        other for other in hypothesis.parent.legal_moves() if other.touched >> move.origin & 1
    ]
    emptied = (f.t_us for f in hypothesis.state.found if f.reason is Reason.EMPTIED)
    emptied_us = next(emptied, None)
    is_swept = emptied_us is not None and abs(emptied_us - hypothesis.state.left_us) <= TOGETHER_US
    slid = _was_slid(hypothesis, _slid_us(hypothesis))
    goes_on = any(_goes_on(move, other) for other in others)
    tempos_us = _tempos_us(hypothesis)
    return Standing(
        odd=_is_odd(hypothesis),
        unshown=is_guessed(hypothesis) and _has_several_captures(others),
        on_its_way=goes_on,
        on_show=slid and is_kings_step(hypothesis, has_stood=False),
        in_hand=slid,
        slid=goes_on and (slid or _is_slid_unseen(hypothesis)),
        swapped=emptied_us is not None,
        together=is_swept or left_together(hypothesis),
        half_made=any(_is_half_of(move, other) for other in others),
        tempo_us=min(*tempos_us, UNHURRIED_US),
        slower_us=min(max(tempos_us), UNHURRIED_US),
    )


def _has_several_captures(moves: list[Move]) -> bool:
    """Whether a piece with these moves may capture one of several others where it stands."""
    return len({move.captured for move in moves if move.captured == move.target}) > 1


def _is_odd(hypothesis: Hypothesis) -> bool:
    """Whether the evidence for the last ply is not clear."""
    return not is_clear(hypothesis) or _is_twinned(hypothesis) or _has_strayed(hypothesis)


def is_clear(hypothesis: Hypothesis) -> bool:
    """Whether nothing about the evidence for the last ply is odd."""
    return not any(finding.reason.is_odd for finding in hypothesis.state.found)


def _has_strayed(hypothesis: Hypothesis) -> bool:
    """Whether a piece stood on a wrong square since the last ply began: it may be going home."""
    begun, left_us = hypothesis.state.begun, hypothesis.state.left_us
    found = begun.found if begun else ()
    return any(f.reason is Reason.STOOD and f.t_us >= left_us for f in found)


def left_together(hypothesis: Hypothesis) -> bool:
    """Whether the piece of the last ply left its square at the same time as that of the one before,
    so that neither ply confirms the other."""
    before = hypothesis.parent
    if before is None or before.parent is None:
        return False  # before the first ply no piece left: its time is that of the game's beginning
    return abs(before.state.left_us - hypothesis.state.left_us) <= TOGETHER_US


def _was_knocked(hypothesis: Hypothesis, trace: Trace) -> bool:
    """Whether the captured piece left its square at the same time as one that is back on its own:
    both may have been knocked over, and the other one set up first."""
    found = hypothesis.state.found
    emptied_us = next(f.t_us for f in found if f.reason is Reason.EMPTIED)
    others = hypothesis.expected & trace.now & ~occupancy_of(hypothesis.targets())
    return any(
        max(hypothesis.used_us(switch), emptied_us - TOGETHER_US) < left_us
        for switch in switches_in(others)
        if (left_us := trace.opened(switch, emptied_us - TOGETHER_US, emptied_us + TOGETHER_US))
    )


def is_lesser(hypothesis: Hypothesis) -> bool:
    """Whether the last ply made a pawn another piece than a queen, as put-backs chose it.

    There may have been none, unless an opponent that is not at the board named the piece.
    """
    return hypothesis.moves[-1].promotion not in (0, QUEEN) and not hypothesis.was_told


def _was_slid(hypothesis: Hypothesis, slid_us: int) -> bool:
    """Whether the piece of the last ply was seen on its path, or came in less than ``slid_us``."""
    passed = any(finding.reason is Reason.PASSED for finding in hypothesis.state.found)
    return passed or _flight_us(hypothesis) < slid_us


def _flight_us(hypothesis: Hypothesis) -> int:
    """For how long the piece of the last ply was over neither of its squares."""
    return hypothesis.state.landed_us - hypothesis.state.left_us


def _slid_us(hypothesis: Hypothesis) -> int:
    """A piece that came to the next square in less time was slid: these hands take longer to lift
    one, as pieces show that went further."""
    flights = [_flight_us(ply) for ply in _recent_plies(hypothesis) if not _is_next(ply.moves[-1])]
    if not flights:
        return SLID_US
    ordered, middle = sorted(flights), len(flights) // 2
    # The module statistics would cost each start a hundredth of a slow processor's time.
    median_us = (ordered[middle] + ordered[~middle]) // 2
    return max(SLID_US, median_us // LIFTED)


def _recent_plies(hypothesis: Hypothesis) -> list[Hypothesis]:
    """The hypotheses after each ply before the last one, the latest first, as far as they tell of
    the hands; castling is made otherwise."""
    plies = (ply for _, ply in islice(hypothesis.plies_since(0), 1, SLIDERS))
    return [ply for ply in plies if ply.moves[-1].rook_step is None]


def _is_slid_unseen(hypothesis: Hypothesis) -> bool:
    """Whether the piece of the last ply may have been slid to the next square.

    A piece that goes further is seen on its path if it is slid, and most that go to the next square
    come there too soon to have been lifted; of hands that have done neither nothing is known.
    """
    if not _is_next(hypothesis.moves[-1]):
        return False
    plies, slid_us = _recent_plies(hypothesis), _slid_us(hypothesis)
    far = [_was_slid(ply, SLID_US) for ply in plies if ply.moves[-1].passed]
    near = [_was_slid(ply, slid_us) for ply in plies if _is_next(ply.moves[-1])]
    return any(sum(told) * SELDOM >= len(told) for told in (far, far + near))


def _is_next(move: Move) -> bool:
    """Whether a move goes to the next square."""
    return distance(move.origin, move.target) == 1


def _passed(hypothesis: Hypothesis, trace: Trace) -> bool:
    """Whether something has moved on the path of the last ply since its piece left."""
    path = switches_in(hypothesis.passed(hypothesis.moves[-1]))
    return any((trace.last_edge_us(s) or -1) >= hypothesis.state.left_us for s in path)


def _is_twinned(hypothesis: Hypothesis) -> bool:
    """Whether the ply was made while a pawn is believed to be another piece than was chosen."""
    return hypothesis.parent is not None and hypothesis.parent.state.twin is not None


def standing(ply: Standing, tracker: Tracker) -> Standing:
    """How the last ply of the best hypothesis, ``made`` like this, stands now."""
    hypothesis = tracker.best
    ply = _with_what_came_since(ply, tracker)
    lifted = hypothesis.wrong(tracker.trace.now) & hypothesis.expected
    rivalled = _is_unclear(ply, tracker, lifted) or opposed(tracker)
    if not (rivalled or lifted):
        return ply  # as it was made: nothing around it matters
    return replace(ply, rivalled=rivalled, answered=bool(lifted))


def _with_what_came_since(ply: Standing, tracker: Tracker) -> Standing:
    """The same ply with what later edges, and rivals that have gone, say of how it was made."""
    hypothesis, trace = tracker.best, tracker.trace
    if ply.on_its_way and not ply.slid and _passed(hypothesis, trace):
        ply = replace(ply, slid=True)
    if ply.swapped and not ply.together and _was_knocked(hypothesis, trace):
        ply = replace(ply, together=True)
    if ply.unshown and hypothesis.is_told and not rival_captures(tracker):
        ply = replace(ply, unshown=False)  # no reply will tell, and nothing else can have been
    return ply


def _is_unclear(ply: Standing, tracker: Tracker, lifted: Occupancy) -> bool:
    """Whether something stands wrong, or these pieces in the air may belong to another game."""
    hypothesis, trace = tracker.best, tracker.trace
    if hypothesis.wrong(trace.now) & trace.now or lifted & ~hypothesis.own:
        return True
    if not lifted:
        return False
    return (
        _is_no_reply(hypothesis, lifted)
        or (ply.together and bool(lifted & _other_captured_pieces(hypothesis)))
        or _may_stand_there(hypothesis, trace, lifted)
    )


def _is_no_reply(hypothesis: Hypothesis, lifted: Occupancy) -> bool:
    """Whether pieces in the air may be the beginning of something else than a reply.

    A second king in the air may show the result. Two pieces of one side that do not castle may be
    cleared away, or belong to both sides in another game: one captures the other.
    """
    position = hypothesis.position
    king = 1 << hypothesis.orientation.switch(position.king(position.turn))
    is_result = bool(lifted & king) and is_kings_step(hypothesis, has_stood=True)
    return is_result or bool(lifted & _answers(hypothesis)) or not _may_castle(hypothesis, lifted)


def _may_castle(hypothesis: Hypothesis, lifted: Occupancy) -> bool:
    """Whether the pieces in the air are one, or a king and a rook that may castle."""
    if lifted.bit_count() <= 1:
        return True
    squares = hypothesis.orientation.squares(lifted)
    return any(move.rook_step and not squares & ~move.touched for move in hypothesis.legal_moves())


def _other_captured_pieces(hypothesis: Hypothesis) -> Occupancy:
    """Switches of the pieces that the piece of the last ply could have captured instead."""
    origin, before = (
        hypothesis.moves[-1].origin,
        hypothesis.parent.position if hypothesis.parent else hypothesis.position,
    )
    captured_pieces = (
        hypothesis.captured(move) for move in before.legal_moves() if move.origin == origin
    )
    return occupancy_of(captured for captured in captured_pieces if captured is not None)


def _answers(hypothesis: Hypothesis) -> Occupancy:
    """Switches lifted as an answer; lifting a piece to capture it looks the same."""
    found = hypothesis.state.found
    return occupancy_of(
        f.switch for f in found if f.reason is Reason.ANSWERED and f.switch is not None
    )


def _may_stand_there(hypothesis: Hypothesis, trace: Trace, lifted: Occupancy) -> bool:
    """Whether a piece in the air may be the one that stands where the last ply ended.

    It may if it was lifted before that landed, or came back; or later, if it may have been slid
    there from the square beside: then both switches are closed for as long as a hand likes.
    """
    ends = hypothesis.targets()
    landed_us = max([hypothesis.state.landed_us, *(trace.last_edge_us(end) or 0 for end in ends)])
    return any(
        trace.left_before(s, landed_us) or any(distance(s, end) == 1 for end in ends)
        for s in switches_in(lifted)
    )


def _goes_on(move: Move, other: Move) -> bool:
    """Whether the piece of ``move`` may go on in the same direction, to make ``other``."""
    return other.origin == move.origin and bool(
        BETWEEN[other.origin][other.target] >> move.target & 1
    )


def _is_half_of(move: Move, other: Move) -> bool:
    """Whether ``other`` is ``move`` and one more piece."""
    return len(other.steps()) > 1 and other != move and set(move.steps()) < set(other.steps())


def _tempos_us(hypothesis: Hypothesis) -> list[int]:
    """How long each of the two plies before the last one took; the first ply of a game may take any
    time, and counts as unhurried."""
    times_us: list[int] = []
    for _ in range(2):
        hypothesis = hypothesis.parent or hypothesis
        if hypothesis.parent is None or hypothesis.parent.parent is None:
            return [*times_us, UNHURRIED_US]
        times_us.append(hypothesis.state.landed_us - hypothesis.parent.state.landed_us)
    return times_us
