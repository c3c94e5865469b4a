"""A learner that answers what a trainer asks, as a tutor would report it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Result
from boardfw.learning.source import Source
from boardfw.learning.task import Line, OneMove
from boardfw.rules import Move

Answering = Callable[[Exercise], Result]


def plies_of(exercise: Exercise) -> tuple[tuple[Move, ...], ...]:
    """What is accepted at each ply."""
    task = exercise.task
    if isinstance(task, Line):
        return task.plies
    return (task.accepted,) if isinstance(task, OneMove) else ()


def is_asked(exercise: Exercise) -> bool:
    """Whether anything is to be found: the last ply is the learner's."""
    task = exercise.task
    return not isinstance(task, Line) or (len(task.plies) % 2 == 0) == (
        task.you != exercise.position.turn
    )


def solved(
    exercise: Exercise, *tried: Move, choice: int = 0, errors: int = -1, helps: int = 0
) -> Result:
    """Solved with this choice of the moves accepted last, after these tries."""
    *shown, last = plies_of(exercise) or ((),)
    played = (*(ply[0] for ply in shown), *last[choice : choice + 1])
    errors = len(tried) if errors < 0 else errors
    return Result(exercise, 0, 1, errors, helps, is_solved=True, played=played, tried=tried)


def skipped(exercise: Exercise, *tried: Move) -> Result:
    """Left for another time, whatever stands on the board."""
    return Result(exercise, 0, None, len(tried), 0, is_solved=False, played=tried, tried=tried)


def stream(source: Source, answer: Answering = solved) -> Iterator[Exercise]:
    """All exercises of a trainer, answered like this."""
    exercise = source.next(None)
    while exercise is not None:
        yield exercise
        exercise = source.next(answer(exercise))


def longest(exercises: Sequence[Exercise]) -> int:
    """Characters of the longest sentence."""
    words = [one.words for one in exercises]
    return max(len(text) for w in words for text in (w.say, w.hint1, w.hint2, w.solved))
