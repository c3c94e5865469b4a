"""What the lights still show of the last answer: a wrong square, its reason, a wave."""

from __future__ import annotations

from boardfw.learning.judge.answer import Answer, Right, Solved, Wrong
from boardfw.learning.judge.times import first_after
from boardfw.rules import Move
from boardfw.rules.reasons import Reason
from boardfw.squares import Occupancy, Square

FLASHES_US = 1_200_000
"""Two flashes 0.4 s apart, and a moment."""
REASON_US = 4_000_000
"""A reason stays so long, and longer until the wrong man is home."""
RING_US = 90_000
"""The wave comes a king's step further in so long."""
RINGS = 7
"""As far as the wave of a solved exercise comes; of one answer among several only the first."""


class Shown:
    """The last answer, at every instant after it."""

    def __init__(self) -> None:
        self._answer: Answer | None = None

    def take(self, answer: Answer) -> None:
        """This has just been answered."""
        self._answer = answer

    def wrong(self, t_us: int) -> Occupancy:
        """The squares that say no."""
        answer = self._answer
        if not isinstance(answer, Wrong) or t_us - answer.t_us >= FLASHES_US:
            return 0
        return answer.squares

    def reason(self, t_us: int, *, astray: bool) -> Reason | None:
        """Why they do."""
        answer = self._answer
        if not isinstance(answer, Wrong) or (not astray and t_us - answer.t_us >= REASON_US):
            return None
        return answer.reason

    def reply(self, t_us: int, *, astray: bool) -> Move | None:
        """The move of the other side that shows what is wrong."""
        answer = self._answer
        if not isinstance(answer, Wrong) or (not astray and t_us - answer.t_us >= REASON_US):
            return None
        return answer.reply

    def wave(self, t_us: int) -> tuple[Square, int] | None:
        """From where, and how far, the light of a right answer has come."""
        answer = self._answer
        if not isinstance(answer, Right | Solved):
            return None
        ring = (t_us - answer.t_us) // RING_US
        most = 0 if isinstance(answer, Right) else RINGS
        return (answer.square, ring) if ring <= most else None

    def due_us(self, t_us: int) -> int | None:
        """When the lights of it change."""
        answer = self._answer
        if isinstance(answer, Wrong):
            return first_after(t_us, answer.t_us + FLASHES_US, answer.t_us + REASON_US)
        if not isinstance(answer, Right | Solved):
            return None
        ring = (t_us - answer.t_us) // RING_US
        return answer.t_us + (ring + 1) * RING_US if ring <= RINGS else None
