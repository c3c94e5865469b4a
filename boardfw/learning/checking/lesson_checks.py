"""What keeps a lesson from being taught: answers, reasons and ids that are not as the rules say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from boardfw.errors import NotationError
from boardfw.learning.checking.coverage import Statement, statement_faults
from boardfw.learning.checking.text_checks import literal_faults, sentence_faults
from boardfw.learning.course import Exercise
from boardfw.learning.reading.draft import Draft, DraftedExercise, Fault
from boardfw.learning.task import All, May, OneMove, Reach, Stars, Touch, Verdict
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Move, Position
from boardfw.rules.reasons import Why, why_not
from boardfw.squares import BY_NAME, EVERY_SQUARE, NAMES, names_of, squares_in

Written: TypeAlias = str | int | tuple[str, ...]

NONE = "none"
"""The answer where no square is one; the learner lifts the opponent's king."""


def answer_faults(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    """An answer that differs from that of the rules, or that cannot be given."""
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
    """Lifting the opponent's king means "none": it cannot be one of several answers as well."""
    exercise = drafted.written
    king = exercise.position.king(1 - exercise.you)
    if isinstance(exercise.task, Touch) and exercise.task.squares >> king & 1:
        what = f"lifting the king on {NAMES[king]} means 'none'; ask for other pieces"
        yield Fault(draft.document, (*drafted.place, "task"), what)


def _shown(written: Written) -> str:
    if isinstance(written, tuple):
        return f"[{', '.join(_shown(word) for word in written)}]"
    return f'"{written}"' if isinstance(written, str) else str(written)


def why_faults(draft: Draft, drafted: DraftedExercise) -> Iterator[Fault]:
    """A reason that no error has in this exercise, or in one of its variants."""
    wanted = drafted.sheet.why
    if wanted is None:
        return
    for exercise in drafted.made:
        there = reasons(exercise)
        if wanted not in there:
            names = ", ".join(sorted(f'"{why.value}"' for why in there)) or "none"
            where = f" in the variant {exercise.variant!r}" if exercise.variant else ""
            what = f"no error here has the reason {wanted.value!r}{where}; there is {names}"
            yield Fault(draft.document, (*drafted.place, "why"), what)
            return


def reasons(exercise: Exercise) -> set[Why]:
    """The reasons that an error may have: of the move in question, or of any path of the pieces."""
    position = exercise.position
    match exercise.task:
        case May(origin, target, False):
            ways = [(origin, target)]
        case Reach(origin, _):
            ways = [(origin, target) for target in EVERY_SQUARE]
        case _:
            own = squares_in(position.pieces(position.turn))
            ways = [(origin, target) for origin in own for target in EVERY_SQUARE]
    found = (why_not(position, origin, target, exercise.jumped) for origin, target in ways)
    return {reason.why for reason in found if reason is not None}


def double_faults(drafts: Sequence[Draft]) -> dict[int, Fault]:
    """By their numbers, the drafts whose id an earlier draft already has."""
    found: dict[int, Fault] = {}
    first: dict[str, Draft] = {}
    for number, draft in enumerate(drafts):
        if (other := first.setdefault(draft.sheet.id, draft)) is not draft:
            path = other.document.path
            what = f"lesson {draft.sheet.id!r} is in {path} already; give this one another id"
            found[number] = Fault(draft.document, ("id",), what)
    return found


def after_faults(
    draft: Draft, followers: Mapping[str, Collection[str]], known: Collection[str]
) -> Iterator[Fault]:
    """Lessons before this one that are not there, or that come after it themselves.

    ``followers``: the lessons that come after each; ``known``: ids of all lessons.
    """
    own = draft.sheet.id
    later = _all_after(own, followers)
    for item, id_ in enumerate(draft.sheet.after):
        place = ("after", item)
        if id_ not in known:
            what = f"there is no lesson {id_!r} to come after; write it, or remove it here"
            yield Fault(draft.document, place, what)
        if id_ in later:
            what = f"{own!r} and {id_!r} come after each other; remove one 'after'"
            yield Fault(draft.document, place, what)


def double_exercises(draft: Draft) -> Iterator[Fault]:
    """Exercises whose id an earlier one of the lesson already has."""
    earlier: set[str] = set()
    for number, sheet in enumerate(draft.sheet.exercise):
        if sheet.id in earlier:
            what = f"exercise {sheet.id!r} is there already; give this one another id"
            yield Fault(draft.document, ("exercise", number, "id"), what)
        earlier.add(sheet.id)


def _all_after(id_: str, followers: Mapping[str, Collection[str]]) -> dict[str, None]:
    """Return a lesson and all that come after it, at once or later."""
    found, waiting = {id_: None}, [id_]
    while waiting:
        new = [one for one in followers.get(waiting.pop(), ()) if one not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return found


def _followers(drafts: Iterable[Draft]) -> dict[str, set[str]]:
    """Return, for each lesson, those that come right after it."""
    found: dict[str, set[str]] = {}
    for draft in drafts:
        for before in draft.sheet.after:
            found.setdefault(before, set()).add(draft.sheet.id)
    return found


def examine(
    drafts: Sequence[Draft], statements: Mapping[int, Statement], unread: Collection[str] = ()
) -> list[tuple[Draft, list[Fault]]]:
    """Each draft with its faults; one without any may be taught.

    ``unread``: ids of lessons whose files could not be read.
    """
    doubles, followers = double_faults(drafts), _followers(drafts)
    known = {draft.sheet.id for draft in drafts}.union(unread)
    # Of a double nothing else can be said: the texts are the other one's.
    return [
        (
            draft,
            [doubles[number]]
            if number in doubles
            else [*after_faults(draft, followers, known), *_faults(draft, statements)],
        )
        for number, draft in enumerate(drafts)
    ]


def _faults(draft: Draft, statements: Mapping[int, Statement]) -> list[Fault]:
    found = [*double_exercises(draft), *statement_faults(draft, statements)]
    found += [*draft.faults, *sentence_faults(draft)]
    for exercise in draft.exercises:
        for faults in (answer_faults, why_faults, literal_faults):
            found += faults(draft, exercise)
    return found
