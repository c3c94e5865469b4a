"""Which switch might be dead, when the board at rest makes no sense otherwise.

A switch that is stuck hides one end of a man's way: he comes from nowhere, or goes nowhere. Or a
switch reads wrong by itself, and nobody has been there at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.inference.gesture import comes_to_the_centre
from boardfw.inference.line import Line
from boardfw.inference.weights import DEAD, EDGE, PLY, UNSEEN
from boardfw.rules.move import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, occupancy_of, squares_in

FEW = 3
"""So many switches do not fail at once: with more of them wrong, something else is the matter."""

HIDDEN = 2 * EDGE - PLY - UNSEEN - DEAD
"""What a ply of which one end is hidden earns at the most, less the price of the dead switch."""


def hidden_plies(line: Line, trace: Trace) -> Iterator[tuple[Move, Occupancy]]:
    """Legal moves of which one end would have been hidden by these switches, were they dead."""
    wrong = line.wrong(trace.now)
    own = line.own
    told = wrong & (trace.now | own) | _put_back(line)
    if not told or wrong.bit_count() > 2 * FEW or comes_to_the_centre(line, trace):
        return
    squares, stands = line.switches(told), line.switches(trace.now)
    for move in line.position.legal_moves():
        if not move.touched & squares and (move.victim is None or not squares >> move.victim & 1):
            continue  # nearly always
        left = reached = 0
        for origin, target in move.steps():
            left |= 1 << origin
            reached |= 1 << target
        silent = line.switches(left & ~reached & stands | reached & ~stands)
        if silent.bit_count() == 1 and _is_mute(line, trace, silent.bit_length() - 1):
            yield move, silent


def _put_back(line: Line) -> Occupancy:
    """Switches whose men were put back since the last ply: or somebody came to take them."""
    ledger = line.ledger
    return occupancy_of(
        one.switch
        for one in (*ledger.adjusted.values(), *ledger.put_back)
        if one.stood_us > ledger.landed_us
    )


def wrong_readings(line: Line, trace: Trace) -> Iterator[Occupancy]:
    """Switches that may be wrong by themselves, while the game goes on around them.

    Those that still owe an edge after the reply, and have never moved, are among them.
    """
    lasting = (line.wrong(trace.now) & line.lasting) | (line.overdue & ~trace.moved)
    if lasting and lasting.bit_count() <= FEW and not comes_to_the_centre(line, trace):
        yield from (1 << switch for switch in squares_in(lasting))


def _is_mute(line: Line, trace: Trace, switch: Square) -> bool:
    """Whether nothing has been heard of a switch since the line last made use of it."""
    last_us = trace.last_edge_us(switch)
    return last_us is None or last_us <= line.used_us(switch)
