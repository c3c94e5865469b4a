"""What hands say without moving a man by the rules: the result, shown with the two kings.

Both kings are lifted before either is put down, then both stand on centre squares, and nothing
else has changed (a man who was in the way may have been taken off).
"""

from __future__ import annotations

from boardfw.inference.line import Line
from boardfw.inference.weights import REST_US
from boardfw.rules import BLACK, WHITE
from boardfw.sensing.trace import Trace
from boardfw.squares import ALL, BY_NAME, Occupancy, Square, is_light, occupancy_of, squares_in

CENTRE: tuple[Square, ...] = tuple(BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))


def kings_result(line: Line, trace: Trace) -> str | None:
    """The result ("1-0", "0-1", "1/2-1/2") that the kings show on this board, or None."""
    kings: list[Square] = []
    lifted_us: list[int] = []
    for color in (WHITE, BLACK):
        king = line.switch(line.position.king(color))
        up_us = trace.opened(king, line.used_us(king), trace.t_us)
        if up_us is None:
            return None  # nearly always
        kings.append(king)
        lifted_us.append(up_us)
    one_up_us, both_up_us = sorted(lifted_us)
    shown = [square for square in CENTRE if _put_down(line, trace, square, both_up_us)]
    if len(shown) != 2 or not _rest_stands(line, trace, kings, shown):
        return None
    if _put_down_between(line, trace, one_up_us, both_up_us) or _has_moved(line, trace, one_up_us):
        return None
    if any(_gone_before(line, trace, square, one_up_us) for square in CENTRE):
        return None
    light = [is_light(square) for square in shown]
    if light[0] != light[1]:
        return "1/2-1/2"
    return "1-0" if light[0] else "0-1"


def _put_down(line: Line, trace: Trace, square: Square, after_us: int) -> bool:
    switch = line.switch(square)
    after_us = max(after_us, line.used_us(switch))
    return trace.is_closed(switch) and trace.closed(switch, after_us) is not None


def _put_down_between(line: Line, trace: Trace, from_us: int, to_us: int) -> bool:
    """Whether a centre square closed while only one king was up: that was a move of his."""
    closings = (trace.closed(line.switch(square), from_us) for square in CENTRE)
    return any(closed_us is not None and closed_us < to_us for closed_us in closings)


def _has_moved(line: Line, trace: Trace, after_us: int) -> bool:
    """Whether somebody has rested outside the centre since a king was lifted: that was a move."""
    free = ~(line.expected | _switches(line, CENTRE)) & ALL
    return any(trace.stayed(switch, after_us, REST_US) is not None for switch in squares_in(free))


def _gone_before(line: Line, trace: Trace, square: Square, t_us: int) -> bool:
    """Whether a man had left his centre square before the kings: he was not in their way."""
    switch = line.switch(square)
    if not line.expected >> switch & 1:
        return False
    left_us = trace.opened(switch, line.used_us(switch), trace.t_us)
    return left_us is not None and left_us < t_us


def _rest_stands(line: Line, trace: Trace, kings: list[Square], shown: list[Square]) -> bool:
    centre = _switches(line, CENTRE)
    kings_home = occupancy_of(kings)
    kings_now = _switches(line, shown)
    outside = ~(centre | kings_home | kings_now)
    same_outside = not line.wrong(trace.now) & outside
    # In the centre men may have been taken off, but none may have been added.
    none_added = not trace.now & ~line.expected & ~kings_now & ~outside
    kings_gone = not trace.now & kings_home & ~kings_now
    return same_outside and none_added and kings_gone


def _switches(line: Line, squares: tuple[Square, ...] | list[Square]) -> Occupancy:
    return occupancy_of(line.switch(square) for square in squares)
