"""The reader of touches: what stands, what was lifted and put back, which squares were visited."""

from __future__ import annotations

import pytest

from boardfw.learning.judge.touch import Visits
from boardfw.learning.judge.touches import (
    HELD_US,
    RIPE_US,
    STRAIGHT_US,
    TOUCHED_US,
    TRIES,
    WRONG_US,
    Touches,
)
from boardfw.squares import BY_NAME, Square
from tests.learning.classroom import squares

E2, E4, D2 = (BY_NAME[name] for name in ("e2", "e4", "d2"))
HOME = squares("e2 d2")


@pytest.fixture
def touches() -> Touches:
    return Touches(HOME, HOME, 0)


def put_back(touches: Touches, t_us: int, held_us: int, square: Square = E2) -> int:
    """Lift a piece and put it back; when."""
    touches.feed(t_us, square, closed=False)
    touches.feed(t_us + held_us, square, closed=True)
    return t_us + held_us


def test_what_is_gone_and_what_has_come_is_told_of_what_should_stand(touches: Touches) -> None:
    touches.feed(10, E2, closed=False)
    assert (touches.gone, touches.come) == (squares("e2"), 0)
    touches.feed(20, E4, closed=True)
    assert (touches.gone, touches.come) == (squares("e2"), squares("e4"))
    touches.expect(squares("e4 d2"))
    assert (touches.gone, touches.come) == (0, 0)


def test_a_dead_switch_reads_as_it_should_until_it_moves(touches: Touches) -> None:
    touches.ignore(squares("e4"))
    touches.expect(squares("e4 d2"))
    assert touches.seen == squares("e4 d2") | squares("e2")
    touches.feed(10, E4, closed=True)
    touches.feed(20, E4, closed=False)
    assert not touches.dead
    assert touches.gone == squares("e4")


def test_a_piece_held_for_long_enough_is_an_answer_once_it_has_ripened(touches: Touches) -> None:
    put_us = put_back(touches, 0, HELD_US)
    assert touches.ripening == squares("e2")
    assert touches.ripe(put_us + RIPE_US - 1) == []
    assert touches.ripe(put_us + RIPE_US) == [E2]
    assert touches.ripe(put_us + RIPE_US) == []
    assert not touches.ripening


def test_a_shorter_touch_is_none_and_is_remembered_as_short(touches: Touches) -> None:
    put_us = put_back(touches, 0, HELD_US - 1)
    assert (touches.ripening, touches.short_us) == (0, put_us)
    touches.feed(put_us + 10, D2, closed=False)
    assert touches.short_us is None


def test_an_answer_that_is_touched_again_ripens_anew_or_is_taken_back(touches: Touches) -> None:
    put_us = put_back(touches, 0, HELD_US)
    again_us = put_back(touches, put_us + 10, STRAIGHT_US - 1)
    assert touches.ripe(put_us + RIPE_US) == []
    assert touches.ripe(again_us + RIPE_US) == [E2]
    put_us = put_back(touches, again_us + RIPE_US, HELD_US)
    put_back(touches, put_us + 10, STRAIGHT_US)
    assert not touches.ripening


def test_what_is_forgotten_is_no_answer_but_is_still_away(touches: Touches) -> None:
    touches.feed(0, E2, closed=False)
    touches.forget()
    assert touches.lifted_us[E2] == 0
    put_back(touches, 10, HELD_US, D2)
    assert touches.touched_since(E2) == 0
    touches.feed(HELD_US + 10, E2, closed=True)
    assert touches.ripening == squares("d2")


def test_what_was_touched_while_a_piece_is_away_is_known(touches: Touches) -> None:
    put_back(touches, 0, 10, D2)
    touches.feed(20, E2, closed=False)
    assert touches.touched_since(E2) == 0
    put_back(touches, 30, 10, D2)
    assert touches.touched_since(E2) == squares("d2")


def test_a_piece_that_rests_on_a_wrong_square_is_told_once() -> None:
    visits = Visits(squares("e4"))
    visits.feed(0, E4, closed=True, right=0)
    assert visits.wrong(WRONG_US - 1) is None
    assert visits.wrong(WRONG_US) == E4
    assert visits.wrong(WRONG_US) is None


def test_many_short_tries_are_a_wrong_answer_and_a_right_one_between_them_is_not() -> None:
    def swept(right: int) -> Visits:
        visits = Visits(squares("e4"))
        for n in range(TRIES):
            visits.feed(2 * n * TOUCHED_US, E4, closed=True, right=0)
            visits.feed((2 * n + 1) * TOUCHED_US, E4, closed=False, right=0)
        if right:
            visits.feed(2 * TRIES * TOUCHED_US, D2, closed=True, right=right)
        visits.feed(2 * TRIES * TOUCHED_US, E4, closed=True, right=0)
        return visits

    assert swept(0).wrong(2 * TRIES * TOUCHED_US) == E4
    assert swept(squares("d2")).wrong(2 * TRIES * TOUCHED_US) is None
