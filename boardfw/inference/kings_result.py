"""The result of a game as players show it with the two kings, which is no legal move.

Both kings stand on centre squares, in whatever order and however far apart in time they came
there; nothing else has changed, except that pieces in the centre may have been taken off. Kings
side by side are never a legal position, so this is never a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from boardfw.inference.evidence import PATIENCE_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.rules import BLACK, WHITE
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import SWITCH_BY_NAME, Switch, distance, is_light, occupancy_of

CENTRE: tuple[Switch, ...] = tuple(SWITCH_BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))
"""Whichever way round the board lies, these lie under the centre, and under squares as light."""
CENTRE_SWITCHES = occupancy_of(CENTRE)


def kings_result(hypothesis: Hypothesis, trace: Trace, now_us: int) -> str | None:
    """The result ("1-0", "0-1", "1/2-1/2") that the kings show on the board at rest, or None.

    A king may have taken another piece's place so quickly that its switch hardly opened, or have
    pushed it off. This is considered only where nothing else is seen; a push only when no king can
    still be in a hand and no other piece was pushed off.
    """
    homes = _homes(hypothesis)
    left = [_left_us(hypothesis, trace, home) for home in homes]
    if left == [None, None]:
        return None  # nearly always
    kings = list(zip(homes, left, strict=True))
    for seen in (_was_empty, _has_blinked, *(() if hypothesis.is_unseen else (_is_pushed,))):
        results = {_result(pair) for pair in _pairs(hypothesis, trace, now_us, kings, seen)}
        if results:
            return results.pop() if len(results) == 1 else None
    return None


def _result(pair: tuple[Switch, Switch]) -> str:
    light = [is_light(switch) for switch in pair]
    if light[0] != light[1]:
        return "1/2-1/2"
    return "1-0" if light[0] else "0-1"


def _pairs(
    hypothesis: Hypothesis,
    trace: Trace,
    now_us: int,
    kings: Sequence[tuple[Switch, int | None]],
    seen: _Seen,
) -> Iterator[tuple[Switch, Switch]]:
    """The switches of the centre over which White's king and Black's may stand now.

    ``kings``: where each of them stands in the game, and when it left its switch, if it did.
    """
    homes, left = zip(*kings, strict=True)
    standing, wrong = trace.now, hypothesis.wrong(trace.now)
    extra = wrong & standing
    if wrong & ~(CENTRE_SWITCHES | occupancy_of(homes)) or extra & ~CENTRE_SWITCHES:
        return
    if not extra and (None in left or seen is _is_pushed):
        return  # a king is in a hand, and a piece in the centre was adjusted
    # A king that captured unseen in the centre has pushed the piece off, or is still in a hand.
    is_pushing = seen is _is_pushed or (
        hypothesis.is_unseen and is_kings_step(hypothesis, has_stood=True)
    )
    if is_pushing and now_us - trace.t_us < PATIENCE_US:
        return
    choices = [list(_places(hypothesis, trace, *one, seen)) for one in kings]
    for pair in product(choices[0], choices[1]):
        # A king that left its square is there no longer, unless the other one is.
        is_home = any(standing >> home & 1 and home not in pair for home in homes)
        if pair[0] != pair[1] and not extra & ~occupancy_of(pair) and not is_home:
            yield pair


def comes_to_the_centre(hypothesis: Hypothesis, trace: Trace) -> bool:
    """Whether one king is off its square and may stand in the centre, or both kings are away.

    That is half of a result, so no switch is to blame; but then no other piece stands where it
    should not.
    """
    wrong = hypothesis.wrong(trace.now)
    away = [home for home in _homes(hypothesis) if wrong >> home & 1]
    if len(away) != 1:
        return bool(away) and not wrong & trace.now & ~CENTRE_SWITCHES
    left_us = _left_us(hypothesis, trace, away[0])
    return any(True for _ in _places(hypothesis, trace, away[0], left_us, _was_empty))


def lifts_first_king(hypothesis: Hypothesis, edge: Edge, trace: Trace) -> bool:
    """Whether an edge that is about to be fed lifts a king while the other one is at home."""
    if edge.closed:
        return False
    others = [home for home in _homes(hypothesis) if home != edge.switch]
    return len(others) == 1 and trace.is_closed(others[0])


def is_kings_step(hypothesis: Hypothesis, *, has_stood: bool) -> bool:
    """Whether the last ply may be a king on its way to the centre.

    On that way it comes nearer to the centre, and takes no piece but one that stands there.
    ``has_stood``: the board was at rest after it, so a king elsewhere did not merely pass.
    """
    if not hypothesis.moves or hypothesis.parent is None:
        return False
    last, before = hypothesis.moves[-1], hypothesis.parent.position
    is_king = last.origin == before.king(before.turn) and last.rook_step is None
    if not is_king or hypothesis.captured(last) not in (None, *CENTRE):
        return False
    ((origin, target),) = hypothesis.steps(last)
    return target in CENTRE or (not has_stood and _way(target) < _way(origin))


def _way(switch: Switch) -> int:
    """How many steps of a king it is to the centre."""
    return min(distance(switch, centre) for centre in CENTRE)


def before_kings(hypothesis: Hypothesis, trace: Trace) -> Hypothesis | None:
    """The game without its last ply, if that came to the centre with both kings in hands.

    None if it is no such step, or if the other king stood on its square until after it.
    """
    if hypothesis.parent is None or not is_kings_step(hypothesis, has_stood=True):
        return None
    left = [_left_us(hypothesis.parent, trace, home) for home in _homes(hypothesis.parent)]
    both_left = [left_us for left_us in left if left_us is not None]
    return (
        hypothesis.parent
        if len(both_left) == 2 and max(both_left) < hypothesis.state.landed_us
        else None
    )


def _homes(hypothesis: Hypothesis) -> list[Switch]:
    """Where the kings stand in the game, White's first."""
    kings = (hypothesis.position.king(color) for color in (WHITE, BLACK))
    return [hypothesis.orientation.switch(king) for king in kings]


def _left_us(hypothesis: Hypothesis, trace: Trace, home: Switch) -> int | None:
    """When the king last left its switch; None if it did not."""
    return trace.opened(home, hypothesis.used_us(home), trace.t_us)


def _places(
    hypothesis: Hypothesis, trace: Trace, home: Switch, left_us: int | None, seen: _Seen
) -> Iterator[Switch]:
    """The switches of the centre over which the king that left ``home`` then may stand now."""
    for switch in CENTRE:
        if not trace.is_closed(switch):
            continue
        if switch == home or (
            left_us is not None and _came(hypothesis, trace, home, switch, left_us, seen)
        ):
            yield switch


def _came(
    hypothesis: Hypothesis, trace: Trace, home: Switch, switch: Switch, left_us: int, seen: _Seen
) -> bool:
    """Whether a king that left its square then may have come to another one."""
    # A king that is slid to the next square is there before it has left, for as long as pieces
    # have been over two squares on this board.
    slid_us = left_us - hypothesis.state.overlap_us if distance(home, switch) == 1 else left_us
    since_us = min(max(hypothesis.state.landed_us, slid_us), left_us)
    if not hypothesis.expected >> switch & 1:
        seen = _was_empty  # a piece that stood there before the king left is another one
    return seen(trace, switch, since_us)


_Seen: TypeAlias = Callable[[Trace, Switch, int], bool]
"""Whether a switch has shown since an instant that another piece stands there now."""


def _was_empty(trace: Trace, switch: Switch, since_us: int) -> bool:
    return trace.closed(switch, since_us) is not None


def _has_blinked(trace: Trace, switch: Switch, since_us: int) -> bool:
    return _was_empty(trace, switch, since_us) or trace.blinked(switch, since_us)


def _is_pushed(trace: Trace, switch: Switch, _since_us: int) -> bool:
    return trace.is_closed(switch)
