"""The simulated board: pieces with magnets on squares with switches, a box beside them.

Pieces are one-letter labels, and to the board one is like another: it knows no chess. Hands act at
once (``lift``, ``drop``) or are given a plan (``schedule``) that the board carries out as its clock
passes the times in it. The scan thread reads while another thread moves pieces, hence the lock.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.ports import Clock, LedMatrix, Panel, Signal, SquareSensor, earliest
from boardfw.recording import START_FEN
from boardfw.squares import Occupancy, Switch, switch_at
from hardware.sim.gesture import HandAction, HandPlan
from hardware.strip import MemoryMatrix, MemoryPanel

from .faults import PRESETS, BusFailures, Faults
from .field import Field
from .switches import Switches


def pieces_of(placement: str) -> dict[Switch, str]:
    """Pieces by square, from the first field of a FEN (or the whole): rank 8 first, a to h."""
    pieces: dict[Switch, str] = {}
    for row, text in enumerate(placement.split(" ", 1)[0].split("/")):
        square = switch_at(0, 7 - row)
        for letter in text:
            if letter.isdigit():
                square += int(letter)
            else:
                pieces[square] = letter
                square += 1
    return pieces


class SimBoard:
    """A Board made of arithmetic; without ``pieces``, the usual 32 stand on it.

    ``beside``: labels of the pieces in the box.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        pieces: Mapping[Switch, str] | None = None,
        beside: Iterable[str] = (),
        faults: Faults = PRESETS["reed"],
        seed: int = 0,
    ) -> None:
        self.matrix = MemoryMatrix()
        self.buttons = MemoryPanel()
        """What fingers press; others may put a panel of their own in its place."""
        self.sensor: SquareSensor = self
        self.lights: LedMatrix = self.matrix
        self.panel: Panel = self.buttons
        self.wake: Signal | None = None
        self._clock = clock
        self._lock = threading.RLock()
        self._switches = Switches(faults, seed, clock.now_us())
        self._field = Field(self._switches, faults, seed)
        self._failures = BusFailures(faults, Random(f"{seed} bus"), clock.now_us())
        self._pieces: dict[Switch, str] = {}
        # Counts may be negative: a new queen comes from nowhere.
        self._beside: Counter[str] = Counter()
        self._plan = HandPlan()
        self._hangs_at_us = None if faults.hang_us is None else clock.now_us() + faults.hang_us
        self._closing = threading.Event()
        self.arrange(pieces_of(START_FEN) if pieces is None else pieces)
        self._beside.update(beside)

    @property
    def pieces(self) -> dict[Switch, str]:
        """What stands where now (a copy)."""
        with self._lock:
            self._catch_up()
            return dict(self._pieces)

    @property
    def box(self) -> list[str]:
        """Labels of the pieces in a hand or beside the board, in alphabetical order."""
        with self._lock:
            self._catch_up()
            return sorted(self._beside.elements())

    @property
    def frame(self) -> Frame:
        """What the lights show."""
        return self.matrix.frame

    def press(self, name: str) -> None:
        """Press a button of the panel. Raises ValueError if the panel does not have it."""
        self.buttons.press(name)

    @property
    def busy(self) -> bool:
        """True if planned actions are still to come."""
        with self._lock:
            self._catch_up()
            return self._plan.is_pending

    def arrange(self, pieces: Mapping[Switch, str]) -> None:
        """Put exactly these pieces on the board, as if they had always stood there."""
        with self._lock:
            self.cancel()
            self._pieces = dict(pieces)
            self._beside.clear()
            self._field.arrange(pieces)

    def lift(self, square: Switch) -> str | None:
        """Take a piece off its square; its label, or None if the square is empty."""
        with self._lock:
            self._catch_up()
            piece = self._pieces.get(square)
            if piece is not None:
                self._do(HandAction(self._clock.now_us(), "lift", square, piece))
            return piece

    def drop(self, square: Switch, label: str) -> None:
        """Put a piece on a square; a piece there is pushed off, and the switch stays closed."""
        with self._lock:
            self._catch_up()
            self._do(HandAction(self._clock.now_us(), "drop", square, label))

    def schedule(self, actions: Iterable[HandAction]) -> None:
        """Let hands do this when the clock reaches each action's time."""
        with self._lock:
            self._plan.add(actions)

    def hold(self) -> None:
        """Let hands finish what they have begun, and begin nothing else until ``release``."""
        with self._lock:
            self._catch_up()
            self._plan.hold()

    def release(self, after_us: int) -> None:
        """Let hands go on after ``after_us`` at the earliest."""
        with self._lock:
            self._plan.release(self._clock.now_us() + after_us)

    def cancel(self) -> None:
        """Forget every planned action whose time has not come yet; those before it are done.

        A piece on its way then is in the hand that cancelled, and no switch feels it.
        """
        with self._lock:
            self._catch_up()
            self._plan = HandPlan()
            self._field.settle(self._clock.now_us())

    def read(self) -> Occupancy:
        """One scan of the switches at the clock's time. Raises BusError."""
        if self._hangs_at_us is not None and self._clock.now_us() >= self._hangs_at_us:
            self._closing.wait()  # without the lock: only the reader hangs
        with self._lock:
            closed = self.closed()
            if self._failures.fails(self._clock.now_us()):
                raise BusError("simulated bus: no acknowledgement from the switches")
            return closed

    def closed(self) -> Occupancy:
        """The switches that are closed at the clock's time, even while reading them fails."""
        with self._lock:
            self._catch_up()
            return self._switches.read(self._clock.now_us())

    def next_change_us(self) -> int | None:
        """When a reading may next differ if nothing else is done; None: never."""
        with self._lock:
            return earliest(self._next_us(), self._switches.next_change_us())

    def close(self) -> None:
        """The lights go dark and the hands stop; a reading that hangs comes back."""
        self._closing.set()
        self.cancel()
        self.lights.show(DARK)

    def _catch_up(self) -> None:
        now_us = self._clock.now_us()
        while (next_us := self._next_us()) is not None and next_us <= now_us:
            if self._plan.next_us == next_us:
                self._do(self._plan.pop())
            else:
                self._field.cross()

    def _next_us(self) -> int | None:
        """When a hand acts next, or a moving piece comes to a switch or leaves it."""
        return earliest(self._plan.next_us, self._field.next_us())

    def _do(self, action: HandAction) -> None:
        t_us, square, label = action.t_us, action.square, action.label
        stood = self._pieces.pop(square, None)
        if stood is not None:
            self._beside[stood] += 1
        if action.kind == "lift":
            if stood is not None:
                self._field.lift(t_us, square, stood, action.path)
            return
        self._pieces[square] = label
        self._beside[label] -= 1
        self._field.drop(t_us, square, label, action.path)
