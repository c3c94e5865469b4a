"""What hands say without a move by the rules: the result, shown with the two kings.

Both kings stand on centre squares, in whatever order and however far apart in time they came
there; nothing else has changed, but that pieces in the centre may have been taken off. Kings side
by side are never a legal position, so this is never a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from boardfw.inference.evidence import PATIENCE_US
from boardfw.inference.hypothesis import Line
from boardfw.rules import BLACK, WHITE
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import BY_NAME, Occupancy, Square, distance, is_light, occupancy_of

CENTRE: tuple[Square, ...] = tuple(BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))
CENTRE_SQUARES: Occupancy = occupancy_of(CENTRE)


def kings_result(line: Line, trace: Trace, now_us: int) -> str | None:
    """The result ("1-0", "0-1", "1/2-1/2") that the kings show on the board at rest, or None.

    A king may have taken another piece's place so quickly that its switch hardly opened, or have
    pushed it off. That is thought of only where nothing else is seen, and the latter only when
    nobody can have a king in a hand any more, nor anybody else was pushed off.
    """
    homes = _homes(line)
    left = [_left_us(line, trace, home) for home in homes]
    if left == [None, None]:
        return None  # nearly always
    kings = list(zip(homes, left, strict=True))
    for seen in (_was_empty, _has_blinked, *(() if line.is_unseen else (_is_pushed,))):
        results = {_result(pair) for pair in _pairs(line, trace, now_us, kings, seen)}
        if results:
            return results.pop() if len(results) == 1 else None
    return None


def _result(pair: tuple[Square, Square]) -> str:
    light = [is_light(square) for square in pair]
    if light[0] != light[1]:
        return "1/2-1/2"
    return "1-0" if light[0] else "0-1"


def _pairs(
    line: Line, trace: Trace, now_us: int, kings: Sequence[tuple[Square, int | None]], seen: _Seen
) -> Iterator[tuple[Square, Square]]:
    """The centre squares of the game on which White's king and Black's may stand now.

    ``kings``: where each of them stands in the game, and when it left its square, if it did.
    """
    homes, left = zip(*kings, strict=True)
    standing = line.switches(trace.now)
    wrong = line.switches(line.wrong(trace.now))
    extra = wrong & standing
    if wrong & ~(CENTRE_SQUARES | occupancy_of(homes)) or extra & ~CENTRE_SQUARES:
        return
    if not extra and (None in left or seen is _is_pushed):
        return  # a king is in a hand, and a piece in the centre was adjusted
    # A king that took somebody in the centre unseen has pushed it off, or is still in a hand.
    is_pushing = seen is _is_pushed or (line.is_unseen and is_kings_step(line, has_stood=True))
    if is_pushing and now_us - trace.t_us < PATIENCE_US:
        return
    choices = [list(_places(line, trace, *one, seen)) for one in kings]
    for pair in product(choices[0], choices[1]):
        # A king that left its square is there no longer, unless the other one is.
        is_home = any(standing >> home & 1 and home not in pair for home in homes)
        if pair[0] != pair[1] and not extra & ~occupancy_of(pair) and not is_home:
            yield pair


def comes_to_the_centre(line: Line, trace: Trace) -> bool:
    """Whether one king is off its square and may stand in the centre, or both kings are away.

    That is half of a result, and no switch is to blame for it; but then no other piece stands
    where it should not.
    """
    wrong = line.wrong(trace.now)
    away = [home for home in _homes(line) if wrong >> line.switch(home) & 1]
    if len(away) != 1:
        return bool(away) and not line.switches(wrong & trace.now) & ~CENTRE_SQUARES
    left_us = _left_us(line, trace, away[0])
    return any(True for _ in _places(line, trace, away[0], left_us, _was_empty))


def lifts_first_king(line: Line, edge: Edge, trace: Trace) -> bool:
    """Whether an edge that is about to be taken lifts a king, the other one being at home."""
    if edge.closed:
        return False
    square, homes = line.switch(edge.square), _homes(line)
    others = [home for home in homes if home != square]
    return len(others) == 1 and trace.is_closed(line.switch(others[0]))


def is_kings_step(line: Line, *, has_stood: bool) -> bool:
    """Whether the last ply may be a king on its way to the centre.

    ``has_stood``: the board was at rest after it, so a king elsewhere did not merely pass.
    """
    if not line.moves or line.parent is None:
        return False
    last, before = line.moves[-1], line.parent.position
    is_king = last.origin == before.king(before.turn) and last.rook_step is None
    return is_king and (bool(CENTRE_SQUARES >> last.target & 1) or not has_stood)


def before_kings(line: Line, trace: Trace) -> Line | None:
    """The game without its last ply, if that came to the centre with both kings in hands.

    None: the last ply is no such step, or the other king stood on its square until after it.
    """
    if line.parent is None or not is_kings_step(line, has_stood=True):
        return None
    left = [_left_us(line.parent, trace, home) for home in _homes(line.parent)]
    both_left = [left_us for left_us in left if left_us is not None]
    return line.parent if len(both_left) == 2 and max(both_left) < line.ledger.landed_us else None


def _homes(line: Line) -> list[Square]:
    """Where the kings stand in the game, White's first."""
    return [line.position.king(color) for color in (WHITE, BLACK)]


def _left_us(line: Line, trace: Trace, home: Square) -> int | None:
    """When the king last left his square, if he did."""
    switch = line.switch(home)
    return trace.opened(switch, line.used_us(switch), trace.t_us)


def _places(
    line: Line, trace: Trace, home: Square, left_us: int | None, seen: _Seen
) -> Iterator[Square]:
    """The centre squares on which the king of a square, which left it then, may stand now."""
    for square in CENTRE:
        if not trace.is_closed(line.switch(square)):
            continue
        if square == home or (
            left_us is not None and _came(line, trace, home, square, left_us, seen)
        ):
            yield square


def _came(
    line: Line, trace: Trace, home: Square, square: Square, left_us: int, seen: _Seen
) -> bool:
    """Whether a king that left its square then may have come to another one."""
    switch = line.switch(square)
    # A king that is slid to the next square is there before it has left, for as long as pieces
    # have been over two squares on this board.
    slid_us = left_us - line.ledger.overlap_us if distance(home, square) == 1 else left_us
    since_us = min(max(line.ledger.landed_us, slid_us), left_us)
    if not line.expected >> switch & 1:
        seen = _was_empty  # whoever stood there before the king left is somebody else
    return seen(trace, switch, since_us)


_Seen: TypeAlias = Callable[[Trace, Square, int], bool]
"""Whether a switch has shown since an instant that another piece stands there now."""


def _was_empty(trace: Trace, switch: Square, since_us: int) -> bool:
    return trace.closed(switch, since_us) is not None


def _has_blinked(trace: Trace, switch: Square, since_us: int) -> bool:
    return _was_empty(trace, switch, since_us) or trace.blinked(switch, since_us)


def _is_pushed(trace: Trace, switch: Square, _since_us: int) -> bool:
    return trace.is_closed(switch)
