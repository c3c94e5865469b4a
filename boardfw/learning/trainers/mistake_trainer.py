"""Your own mistakes: a game that was annotated shows them again, and asks for something better.

Read are the main lines of games in PGN: what is marked ? or ??, the variations beside it, and what
followed or could have followed. ``boardfw games analyse`` writes such games.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from boardfw.learning.course import Exercise, Remark, Words
from boardfw.learning.lesson import Result
from boardfw.learning.source import Counted
from boardfw.learning.task import OneMove
from boardfw.learning.trainers.repertoire import MISTAKES
from boardfw.learning.trainers.sentences import (
    card_of,
    narrower,
    nudge,
    numbered,
    sentences,
    shown,
)
from boardfw.notation.pgn import NULL, Game
from boardfw.notation.san import format_san
from boardfw.rules import Color, Move, Position
from boardfw.rules.board import COLOR_NAMES

KEY = "mistake "
"""Begins the keys under which answers are kept; the position's card follows."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turning point of a game."""

    position: Position
    move: Move
    better: tuple[Move, ...]
    """All that is known to be better, the best first."""
    reply: Move | None
    """What the move allowed, or else what followed; None: nothing did."""

    @property
    def key(self) -> str:
        """Under which answers are kept, in whatever game it was made."""
        return KEY + card_of(self.position)

    @property
    def you(self) -> Color:
        """The side that made it."""
        return self.position.turn


def mistakes_of(games: Iterable[Game], you: Color | None) -> list[Mistake]:
    """The mistakes of one colour, None: of both; those of which nothing better is known are none.

    A position in which several were made is asked once, about the last of them.
    """
    found: dict[str, Mistake] = {}
    for game in games:
        for mistake in _mistakes(game):
            if you in (None, mistake.you):
                found[mistake.key] = mistake
    return [*found.values()]


def _mistakes(game: Game) -> Iterator[Mistake]:
    spots = [game, *game.mainline()]
    for spot, node, position in zip(spots, game.mainline(), game.positions(), strict=False):
        others = [one for one in spot.children[1:] if not MISTAKES & {*one.nags}]
        better = tuple(dict.fromkeys(one.move for one in others if one.move is not NULL))
        if not MISTAKES & {*node.nags} or not better or node.move in better:
            continue
        replies = [one.move for one in (*node.children[1:2], *node.children[:1])]
        yield Mistake(position, node.move, better, next(iter(replies), None))


def ask(mistakes: Iterable[Mistake], due: Collection[str]) -> Counted:
    """Asks for a better move in those positions whose keys are due; a ``Source``."""
    exercises = (_exercise(one) for one in mistakes if one.key in due)
    return Counted(exercises, "{} of {} put right at once.", _is_right_at_once)


def _is_right_at_once(result: Result) -> bool:
    return result.is_solved and not result.errors and not result.helps


def _exercise(mistake: Mistake) -> Exercise:
    position, better = mistake.position, mistake.better
    count = f"{len(better)} moves are right." if len(better) > 1 else "One move is right."
    words = Words(
        say=sentences(
            f"You are {COLOR_NAMES[mistake.you]}.",
            f"You played {numbered(position, mistake.move)}. Find a better move.",
            count,
        ),
        hint1=nudge(better[0]),
        hint2=narrower(better[0]),
        solved=sentences(f"{_listed(position, better)} is better.", _allowed(mistake)),
    )
    again = Remark(sentences("That is what you played.", _allowed(mistake)), is_error=True)
    return Exercise(
        mistake.key,
        position,
        OneMove(better),
        words,
        you=mistake.you,
        remarks={mistake.move: again},
    )


def _listed(position: Position, moves: tuple[Move, ...]) -> str:
    first, *others = moves
    return " or ".join(
        [numbered(position, first), *(format_san(position, other) for other in others)]
    )


def _allowed(mistake: Mistake) -> str:
    if mistake.reply is None:
        return ""
    after = mistake.position.play_unchecked(mistake.move)
    return f"{format_san(mistake.position, mistake.move)} allowed {numbered(after, mistake.reply)}."


class Turns:
    """Shows turning points, one after the other: the move, what it allowed, what was better.

    A ``Source`` of plies that the lights show and a hand makes.
    """

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self._exercises = (one for mistake in mistakes for one in _turn(mistake))

    def next(self, _last: Result | None, /) -> Exercise | None:
        """The next ply, however the last one went."""
        return next(self._exercises, None)

    def closing(self) -> str:
        """Nothing of its own."""
        return ""


def _turn(mistake: Mistake) -> Iterator[Exercise]:
    position, you = mistake.position, mistake.you
    yield shown(position, mistake.move, you, "This was played.")
    if mistake.reply is not None:
        after = position.play_unchecked(mistake.move)
        yield shown(after, mistake.reply, you, "It allowed this.")
    yield shown(position, mistake.better[0], you, "This was better.")
