"""Trainers on one game: guess one side's moves, or replay all of them as the lights show."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.learning.course import Exercise, Words
from boardfw.learning.lesson import Result
from boardfw.learning.source import GIVEN_UP
from boardfw.learning.task import OneMove
from boardfw.learning.trainers.sentences import card_of, narrower, nudge, numbered, sentences, shown
from boardfw.notation.pgn import Game, Node
from boardfw.rules import WHITE, Color, Position
from boardfw.rules.board import COLOR_NAMES

MOST = 3
"""Points for the move that was played, at the first try."""


class GuessTrainer:
    """A game of which you guess one side; the other side's plies are shown. A ``Source``."""

    def __init__(self, game: Game, you: Color) -> None:
        self._plies: Iterator[tuple[Position, Node]] = zip(
            game.positions(), game.mainline(), strict=False
        )
        self._you = you
        self._is_guessed = False
        """Whether this ply is to be guessed."""
        self.points = self._most = 0

    def next(self, last: Result | None, /) -> Exercise | None:
        """The next ply, to be guessed or only to be made."""
        if last is not None and self._is_guessed:
            self.points += _points(last)
            self._most += MOST
        self._is_guessed = False
        ply = next(self._plies, None)
        if ply is None:
            return None
        position, node = ply
        if position.turn != self._you:
            return shown(position, node.move, self._you, after=node.text)
        self._is_guessed = True
        return self._exercise(position, node)

    def closing(self) -> str:
        """The score."""
        return f"{self.points} of {self._most} points as {COLOR_NAMES[self._you]}."

    def _exercise(self, position: Position, node: Node) -> Exercise:
        words = Words(
            say=f"You are {COLOR_NAMES[self._you]}. Guess the move that was played.",
            hint1=nudge(node.move),
            hint2=narrower(node.move),
            solved=sentences(f"{numbered(position, node.move)} was played.", node.text),
        )
        key, task = f"guess {card_of(position)}", OneMove((node.move,))
        return Exercise(key, position, task, words, you=self._you)


def _points(last: Result) -> int:
    """Of two tries the second counts half; 0 for a later one, and for a move that was shown."""
    is_found = last.is_solved and max(last.errors, last.helps) < GIVEN_UP
    tries = len(last.tried) + 1
    return MOST // tries if is_found and tries <= 2 else 0


class ReplayTrainer:
    """The main line of a game; a ``Source``. What the game says of a ply is said after it."""

    def __init__(self, game: Game, you: Color = WHITE) -> None:
        """``you``: the colour whose king is held for help."""
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
