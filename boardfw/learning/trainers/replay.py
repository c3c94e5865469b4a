"""A game as a stream: every ply is shown by lights, and made by the learner's hand."""

from __future__ import annotations

from boardfw.learning.exercise import Exercise
from boardfw.learning.lesson import Result
from boardfw.learning.trainers.showing import shown
from boardfw.notation.pgn import Game
from boardfw.rules import WHITE, Color


class ReplayTrainer:
    """The main line of a game; a ``Source``. What the game says of a ply is said after it."""

    def __init__(self, game: Game, you: Color = WHITE) -> None:
        """``you``: whose king is held for help."""
        self._plies = zip(game.positions(), game.mainline(), strict=False)
        self._before = game.text
        self._result = game.result
        self._you = you

    def next(self, _last: Result | None, /) -> Exercise | None:
        """The next ply, however the last one went."""
        ply = next(self._plies, None)
        if ply is None:
            return None
        position, node = ply
        before, self._before = self._before, ""
        return shown(position, node.move, self._you, before, node.text)

    def closing(self) -> str:
        """How the game ended."""
        return f"The game ended {self._result}." if self._result != "*" else "That was the game."
