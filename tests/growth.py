"""How the time of a reader grows with its input, also measured on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf, log2
from typing import TypeVar

T = TypeVar("T")

MOST_GROWTH = 1.5
"""Exponent of a reader that passes: 1 is linear time, 2 is quadratic time. Over four doublings a
linear reader may seem four times slower, or a quadratic one four times faster, than it is."""
_DOUBLINGS = 4
_SMALLEST, _LARGEST = 256, 1 << 18
_ENOUGH_S = 0.003
"""Least processor time of the smaller input, far more than the clock's step. It is also four times
that of the smallest one, so that what a call costs at any size does not hide the growth."""
_STEP_S = 1e-6


def growth(read: Callable[[T], object], sized: Callable[[int], T]) -> float:
    """Return the exponent by which the time of ``read`` grows while its input is doubled.

    ``sized`` makes an input of about so many characters. A result that is too high is measured
    twice more, and the lowest one counts.
    """
    read(sized(_SMALLEST))  # what is made once is made now
    enough_s = max(_ENOUGH_S, 4 * _seconds(read, sized(_SMALLEST)))
    size, taken_s = _SMALLEST, 0.0
    while size < _LARGEST and taken_s < enough_s:
        size *= 2
        taken_s = _seconds(read, sized(size))
    found = inf
    for _ in range(3):
        taken_s = max(taken_s, _ENOUGH_S)
        found = min(found, log2(_seconds(read, sized(size << _DOUBLINGS)) / taken_s) / _DOUBLINGS)
        if found < MOST_GROWTH:
            break
        taken_s = _seconds(read, sized(size))
    return found


def _seconds(read: Callable[[T], object], given: T) -> float:
    """Return the processor time of a call."""
    begun = time.process_time()
    read(given)
    return max(time.process_time() - begun, _STEP_S)
