"""A switch that tells nothing: what can be asked without it is, and it causes no error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardfw.game.events import Tick
from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind
from boardfw.learning.task import (
    All,
    Find,
    May,
    OneMove,
    Place,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.recording import Press, Scan
from boardfw.sensing.debounce import SETTLE_US
from boardfw.squares import BY_NAME, NAMES, Bitboard, Occupancy, Square, bitboard_of, squares_in
from tests.learning.champion import choice_of
from tests.learning.classroom import START, Classroom, exercise, move, squares
from tests.learning.courses import name
from tests.learning.lectures import Lecture, Watched
from tests.learning.samples import samples

SET_UP_US = 4_000_000
ENOUGH_US = 240_000_000
ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
ROOK = "7k/8/8/8/8/8/2R5/K7 w - - 0 1"
KNIGHT = "7k/8/8/8/8/8/8/KN6 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


class Knowing(Watched):
    """A tutor that knows some dead switches when it begins, as from an exercise before."""

    stuck: Bitboard = 0

    def take(self, event: Scan | Tick) -> None:
        if isinstance(event, Scan) and not event.t_us:
            self.tutor.session.stuck.known = Occupancy(self.stuck)
        super().take(event)


def lecture(one: Exercise, dead: Square, *, closed: bool) -> Lecture:
    """Careful hands at a board with one dead switch, which is known."""
    bit = 1 << dead
    watch = type("Knows", (Knowing,), {"stuck": bit})
    stuck_open, stuck_closed = (0, bit) if closed else (bit, 0)
    made = Lecture([one], "careful", 0, choice_of(one), watch, stuck_open, stuck_closed)
    made.rest(SET_UP_US)
    made.watched.tutor.handle(Press(made.now_us, "pause"))  # with few pieces this is needed
    return made


def cases(every: int) -> Iterator[tuple[Exercise, Square, bool]]:
    """Exercises, each with every switch that its answer needs, and some that it does not."""
    number = 0
    for one in samples():
        for square in squares_in(needed(one.task) | one.position.occupied):
            for closed in (False, True):
                number += 1
                if not number % every and not isinstance(one.task, Place):
                    yield one, square, closed


def needed(task: Task) -> Bitboard:
    """Squares on which an answer is given."""
    match task:
        case Find(asked):
            return bitboard_of(asked)
        case Touch(pieces) | Reach(_, pieces) | Stars(pieces):
            return pieces
        case All(moves) | OneMove(moves):
            return bitboard_of(one.target for one in moves)
    return 0


def trouble(one: Exercise, dead: Square, *, closed: bool) -> str:
    """What went wrong; empty: it was solved without an error, or left out."""
    made = lecture(one, dead, closed=closed)
    made.solve(ENOUGH_US)
    results = made.watched.tutor.results
    if not results:
        return "not solved"
    return f"{results[0].errors} errors" if results[0].errors else ""


def troubles(every: int) -> list[str]:
    """What went wrong with any of them."""
    found = []
    for one, square, closed in cases(every):
        if told := trouble(one, square, closed=closed):
            found.append(f"{name(one)}, {NAMES[square]} {closed=}: {told}")
    return found


def test_the_switches_that_tell_nothing_are_named_and_so_is_what_is_left_out() -> None:
    board = exercise(ROOK, Touch(squares("c2 h8")))
    alone = exercise(ROOK, Touch(squares("c2")))
    room = Classroom(board, alone, board, standing=squares("a1 h8"))
    assert room.kinds("9000") == []  # one of three pieces may still be on its way
    room.press("hint")
    assert room.told[-1].text.endswith("If it is there already, press pause.")
    room.press("pause")
    assert [told.text for told in room.told if told.kind is Kind.HINT][1:] == [
        "The board cannot see c2."
    ]
    assert room.kinds("-h8 800 +h8 2000") == ["solved"]  # the rook is not waited for
    assert room.kinds("3000") == ["skipped"]
    assert "cannot see c2. This exercise" in room.told[-2].text
    assert [result.was_asked for result in room.tutor.results] == [True, False]
    assert room.kinds("1000 -h8 800 +h8 2000") == ["solved"]


@pytest.mark.parametrize(
    ("fen", "task", "dead"),
    [
        (MATED, Verdict(State.MATE), "g1"),  # a draw would be both kings
        (MATED, Verdict(State.MATE), "g8"),
        (ROOK, May(BY_NAME["c2"], BY_NAME["d4"], is_allowed=False), "d4"),  # it may go there
    ],
)
def test_what_would_take_a_wrong_answer_for_the_right_one_is_left_out(
    fen: str, task: Task, dead: str
) -> None:
    asked = exercise(fen, task)
    room = Classroom(asked, standing=asked.position.occupied ^ squares(dead))
    room.wait(1000)
    room.press("pause")
    assert Kind.SKIPPED in [told.kind for told in room.told]


def test_a_contact_that_stutters_as_the_pieces_stand_is_no_dead_switch() -> None:
    board = exercise(ROOK, Touch(squares("c2")))
    room = Classroom(board, standing=squares("a1"))
    room.dance("500 +c2 300 +h8")  # the last piece
    before_ms = SETTLE_US // 1000 - 2
    room.wait(before_ms)
    room.feel(
        Scan(room.t_us, Occupancy(room.raw ^ squares("c2")))
    )  # as it settles the rook's contact opens
    room.wait(4)
    room.feel(Scan(room.t_us, Occupancy(room.raw)))
    room.wait(1000)
    assert room.phase.value == "asked"
    assert [told for told in room.told if told.kind in {Kind.HINT, Kind.SKIPPED}] == []


def test_a_switch_that_moves_again_counts_again() -> None:
    board = exercise(ROOK, Touch(squares("c2 h8")))
    room = Classroom(board, board, standing=squares("a1 h8"))
    room.dance("1000")
    room.press("pause")
    assert room.kinds("-h8 800 +h8 100 +c2 2000") == ["right"]
    assert room.kinds("-c2 800 +c2 2000") == ["solved"]
    room.dance("5000")
    assert room.phase.value == "asked"  # all pieces stand
    assert room.told[-2].text == "The board sees every square again."


@pytest.mark.parametrize("dead", ["a1", "e1"])
def test_pieces_are_set_up_on_a_dead_switch_when_the_learner_says_so(dead: str) -> None:
    task = Place(guided=True, proof=(squares("e1 e8"), squares("a1 h1")))
    room = Classroom(exercise(ROOKS, task), standing=0)
    others = [name for name in ("e1", "e8", "a1", "h1") if name != dead]
    assert room.kinds(" ".join(f"+{name} 300" for name in others) + " 3000") == []
    room.press("pause")
    assert [told.kind for told in room.told[-2:]] == [Kind.HINT, Kind.RIGHT]
    assert room.told[-2].text == f"The board cannot see {dead}."
    proved = "-e8 800 +e8 2000" if dead == "e1" else "-e1 800 +e1 2000 -e8 800 +e8 2000"
    assert room.kinds(proved)[-1] == "right"
    assert room.kinds("-h1 800 +h1 2000" + (" -a1 800 +a1 2000" if dead == "e1" else ""))[-1] == (
        "solved"
    )


def test_stars_are_reached_over_a_square_that_is_not_seen() -> None:
    room = Classroom(exercise(ROOK, Stars(squares("c6 f6"), 2)), standing=squares("a1 h8"))
    room.dance("1000")
    room.press("pause")
    assert room.kinds("+c6 3000") == ["right"]  # from c2
    assert room.kinds("-c6 +f6 1000") == ["solved"]


def test_a_piece_too_many_is_no_error() -> None:
    room = Classroom(exercise(START, OneMove((move(START, "e4"),))))
    said = room.dance("+e4 1000")
    assert said[-2].startswith("wrong: No piece has left its square.")
    assert room.kinds("-e4 1000 -e2 +e4 1000") == ["solved"]
    assert room.tutor.results[0].errors == 0


def test_no_star_is_fetched_by_a_piece_from_the_box() -> None:
    room = Classroom(exercise(KNIGHT, Stars(squares("c3 e4"), 2)))
    assert room.dance("+c3 3000")[0].startswith("wrong: No piece has left its square.")
    assert room.kinds("-c3 1000 -b1 300 +c3 1000 -c3 300 +e4 1000") == ["right", "solved"]
    assert room.tutor.results[0].errors == 0


@pytest.mark.slow
def test_no_dead_switch_causes_an_error_or_a_stop(full: bool) -> None:
    assert troubles(1 if full else 20) == []
