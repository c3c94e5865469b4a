"""A ply that nobody has to find: the lights show it, and the learner's hand makes it."""

from __future__ import annotations

from boardfw.learning.exercise import Exercise, Words
from boardfw.learning.task import Line
from boardfw.learning.trainers.cards import UNKEPT
from boardfw.learning.trainers.sentences import LONGEST, plays, sentences
from boardfw.rules import Color, Move, Position


def shown(
    position: Position, move: Move, you: Color, before: str = "", after: str = ""
) -> Exercise:
    """The exercise of making this move as it is shown, whoever's turn it is.

    ``you``: whom the stream is for; ``before`` and ``after``: what is said besides.
    """
    said = f"{plays(position, move)}: follow the lights."
    before = sentences(before, at_most=LONGEST - len(said) - 1)
    # The task asks whoever is not to move, so that this ply is shown, not asked for.
    task = Line(((move,),), you=1 - position.turn)
    words = Words(say=sentences(before, said), solved=sentences(after))
    return Exercise(UNKEPT, position, task, words, you=you)
