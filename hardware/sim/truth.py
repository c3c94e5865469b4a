"""What the switches really did, told with the gestures that moved them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from boardfw.squares import Occupancy, Switch
from hardware.sim.faults import Faults
from hardware.sim.gesture import Gesture
from hardware.sim.moving import HandMove

Scans = Sequence[tuple[int, Occupancy]]
GLIMPSE_US = 3_000
"""A square open for less was seen open by one scan only, like a disturbance on the wire."""
LOST_US = 100_000
"""A contact lost for longer may look like a piece that is lifted and put back."""


def told_truly(
    moves: Sequence[HandMove], gestures: Sequence[Gesture], scans: Scans, faults: Faults
) -> list[Gesture]:
    """The gestures, each with what came of it on this board.

    ``settled_us`` becomes the time of the last change of a square that the gesture touched, before
    another gesture touches it; captures whose square was not seen open for longer than a
    disturbance lasts get the tag ``never_open``, promotions over whose square a contact was lost
    ``contact_lost``.
    """
    latest_us = faults.bounce_us[1] + faults.late_us[1]
    next_touch: dict[Switch, int] = {}
    told: list[Gesture] = []
    for move, gesture in zip(reversed(moves), reversed(gestures), strict=True):
        settled_us = _settled_us(gesture, scans, latest_us, next_touch)
        until_us = next_touch.get(move.steps[0][1], gesture.end_us + faults.longest_us)
        happened = {
            "never_open": _never_opened(move, gesture, scans),
            "contact_lost": _has_lost_contact(move, gesture, scans, until_us),
        }
        tags = (*gesture.tags, *(tag for tag, is_so in happened.items() if is_so))
        told.append(replace(gesture, settled_us=settled_us, tags=tags))
        next_touch |= gesture.first_touches()
    return told[::-1]


def _settled_us(
    gesture: Gesture, scans: Scans, latest_us: int, next_touch: dict[Switch, int]
) -> int:
    begin = bisect_right(scans, gesture.landed_us, key=_time)
    end = bisect_right(scans, gesture.settled_us + latest_us, key=_time)
    settled_us = gesture.landed_us
    touched = gesture.first_touches()
    for (_, before), (t_us, after) in zip(scans[begin - 1 : end], scans[begin:end], strict=False):
        changed = before ^ after
        for square in touched:
            if changed >> square & 1 and t_us < next_touch.get(square, t_us + 1):
                settled_us = t_us
    return settled_us


def _never_opened(move: HandMove, gesture: Gesture, scans: Scans) -> bool:
    target = move.steps[0][1]
    if target not in move.removed:
        return False
    begin = bisect_left(scans, gesture.begin_us, key=_time)
    end = bisect_right(scans, gesture.landed_us, key=_time)
    times = zip(scans[begin:end], scans[begin + 1 : end + 1], strict=False)
    return all(
        occupancy >> target & 1 or next_us - t_us < GLIMPSE_US
        for (t_us, occupancy), (next_us, _) in times
    )


def _has_lost_contact(move: HandMove, gesture: Gesture, scans: Scans, until_us: int) -> bool:
    """True if a pawn's last square opened more often than a hand has lifted a piece there."""
    if move.promotion is None:
        return False
    target = move.steps[0][1]
    touches = [action for action in gesture.actions if action.square == target]
    came_us = next(action.until_us for action in touches if action.kind == "drop")
    lifted = sum(action.kind == "lift" and action.t_us >= came_us for action in touches)
    opened, open_us = 0, None
    begin = bisect_left(scans, came_us, key=_time)
    end = bisect_left(scans, until_us, key=_time)
    for t_us, occupancy in scans[begin:end]:
        if not occupancy >> target & 1:
            open_us = t_us if open_us is None else open_us
        elif open_us is not None:
            opened += t_us - open_us > LOST_US
            open_us = None
    return opened > lifted


def _time(scan: tuple[int, Occupancy]) -> int:
    return scan[0]
