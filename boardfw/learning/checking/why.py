"""The reason that an author expects of an error, held against those that the rules give."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.learning.exercise import Exercise
from boardfw.learning.reading import Draft, DraftedExercise, Fault
from boardfw.learning.task import May, Reach
from boardfw.rules.reasons import Why, why_not
from boardfw.squares import squares_in


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
    """The reasons that an error may have: of the move in question, or of any way of the men."""
    position = exercise.position
    match exercise.task:
        case May(origin, target, False):
            ways = [(origin, target)]
        case Reach(origin, _):
            ways = [(origin, target) for target in range(64)]
        case _:
            own = squares_in(position.men(position.turn))
            ways = [(origin, target) for origin in own for target in range(64)]
    found = (why_not(position, origin, target, exercise.jumped) for origin, target in ways)
    return {reason.why for reason in found if reason is not None}
