"""What an author wrote as the answer, held against what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from boardfw.errors import NotationError
from boardfw.learning.exercise import Exercise
from boardfw.learning.reading import Draft, DraftedExercise, Fault
from boardfw.learning.task import All, May, OneMove, Reach, Stars, Touch, Verdict
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Move, Position
from boardfw.squares import BY_NAME, NAMES, names_of

Written: TypeAlias = str | int | tuple[str, ...]

NONE = "none"
"""The answer where no square is one; it is shown by the opponent's king."""


def answer_faults(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    """An answer that is not the rules', or that nobody could give."""
    right, written = answer_of(drafted.written), drafted.sheet.answer
    place = (*drafted.place, "answer")
    if right is None and written is not None:
        what = f"a {drafted.written.type!r} task has no answer to be written; remove it"
        yield Fault(draft.document, place, what)
    elif right is not None and not _agree(drafted.written.position, written, right):
        said = "is missing" if written is None else f"is {_shown(written)}"
        what = f"'answer' {said}, the rules say {_shown(right)}; write that, or mend the exercise"
        yield Fault(draft.document, place, what)
    yield from _gesture_faults(draft, drafted)


def answer_of(exercise: Exercise) -> Written | None:
    """The answer as lessons write it; None for tasks that show what they ask for."""
    match exercise.task:
        case Touch(squares) | Reach(_, squares):
            return tuple(names_of(squares)) or NONE
        case Stars(_, par):
            return par
        case OneMove(accepted) | All(accepted):
            return tuple(format_san(exercise.position, move) for move in accepted)
        case May(_, _, is_allowed):
            return "do" if is_allowed else "put_back"
        case Verdict(state):
            return state.value
        case _:
            return None


def _agree(position: Position, written: Written | None, right: Written) -> bool:
    if not isinstance(written, tuple) or not isinstance(right, tuple):
        return written == right
    if all(name in BY_NAME for name in right):
        return sorted(written) == sorted(right)
    return _moves(position, written) == _moves(position, right)


def _moves(position: Position, sans: tuple[str, ...]) -> list[Move] | None:
    try:
        found = [parse_san(position, san) for san in sans]
    except NotationError:
        return None
    return sorted(found, key=hash)


def _gesture_faults(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    """To lift the opponent's king means "none": it cannot be one of several answers as well."""
    exercise = drafted.written
    king = exercise.position.king(1 - exercise.you)
    if isinstance(exercise.task, Touch) and exercise.task.squares >> king & 1:
        what = f"the king on {NAMES[king]} means 'none' when he is lifted; ask for other men"
        yield Fault(draft.document, (*drafted.place, "task"), what)


def _shown(written: Written) -> str:
    if isinstance(written, tuple):
        return f"[{', '.join(_shown(word) for word in written)}]"
    return f'"{written}"' if isinstance(written, str) else str(written)
