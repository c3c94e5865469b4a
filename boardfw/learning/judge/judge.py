"""What every judge is: fed with edges and plies, asked at every instant what was answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from boardfw.learning.judge.answer import Answer
from boardfw.learning.judge.surface import Surface
from boardfw.rules import Move, Piece
from boardfw.rules.board import Placement
from boardfw.squares import Occupancy, Square


class Marks(NamedTuple):
    """Squares by which lights can ask, answer or help."""

    asked: Occupancy = 0
    """Men who are asked about, or are to be moved."""
    put: Occupancy = 0
    """Where somebody is to be put."""
    stars: Occupancy = 0
    found: Occupancy = 0
    """What was answered rightly."""
    ripening: Occupancy = 0
    """Answers that do not count yet."""
    surplus: Occupancy = 0
    """Men who are to be taken off."""
    man: Piece | None = None
    """Who is to be put."""
    left: int = 0
    """So many answers are still to come, where lights may say so."""


class Judge(Protocol):
    """Judges one exercise. Squares are squares of the game, times those of the session."""

    surface: Surface
    """What stands, and which switches tell nothing."""

    @property
    def is_astray(self) -> bool:
        """Whether a wrong man has to go home first; nothing else is judged meanwhile."""

    @property
    def goes_home(self) -> bool:
        """Whether men have to stand again as they did, after a wrong answer or a right one."""

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""

    def follow(self, moves: Sequence[Move]) -> None:
        """The game that has been played since the exercise began is this one."""

    def judge(self, t_us: int) -> list[Answer]:
        """What counts as an answer by now, each told once."""

    def due_us(self, t_us: int) -> int | None:
        """When, after this instant, time alone may make an answer count; None: never."""

    def answering(self) -> Occupancy:
        """Squares of men who may be lifted as an answer, so that no king there asks for help."""

    def forget(self) -> None:
        """What has been touched until now is no answer: it asked for help."""

    def marks(self) -> Marks:
        """What lights may show that does not help."""

    def solution(self) -> Marks:
        """What lights show to whoever has given up: the next answer."""

    def men(self) -> Placement:
        """Who stands where, as far as answers have told; only of occupied squares is it true."""

    def home(self) -> Placement | None:
        """Who has to stand where again after a wrong answer; None: the wrong man just goes."""
