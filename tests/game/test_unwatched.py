"""What happened in an unwatched gap is no instant change, no certainty and no fault of a switch."""

from __future__ import annotations

import pytest

from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Action, Event, Finalised, Stuck, Tick, Unwatched
from boardfw.game.session import Session
from boardfw.recording import Scan
from boardfw.rules import Position
from boardfw.squares import START, SWITCH_BY_NAME, Occupancy

MS = 1_000
S = 1_000_000


class Board:
    """A session, and switches that are read every 2 ms but for gaps."""

    def __init__(self, clock: str | None = None) -> None:
        use = None if clock is None else ClockUse(parse_control(clock))
        self.session = Session(Position.start(), clock=use)
        self.said: list[Action] = []
        self._standing: Occupancy = START
        self._t_us = 0
        self._take(Scan(0, START))
        self.wait(1_000)

    def _take(self, event: Event) -> None:
        while (due_us := self.session.deadline_us) is not None and due_us < event.t_us:
            if isinstance(event, Scan) and event.since_us is not None and due_us > event.since_us:
                break  # the time was not told either
            self.said += self.session.handle(Tick(due_us))
        self.said += self.session.handle(event)

    def wait(self, ms: int) -> None:
        self._t_us += ms * MS
        self._take(Tick(self._t_us))

    def _touch(self, touches: str) -> None:
        for touch in touches.split():
            self._standing ^= 1 << SWITCH_BY_NAME[touch[1:]]
            assert bool(self._standing >> SWITCH_BY_NAME[touch[1:]] & 1) == (touch[0] == "+")

    def play(self, touches: str) -> None:
        """These touches, 200 ms apart, and 800 ms of rest."""
        for touch in touches.split():
            self._touch(touch)
            self._t_us += 200 * MS
            self._take(Scan(self._t_us, self._standing))
        self.wait(800)

    def hide(self, touches: str, ms: int) -> None:
        """These touches in a gap of so many milliseconds, and 800 ms of rest."""
        since_us = self._t_us
        self._touch(touches)
        self._t_us += ms * MS
        self._take(Scan(self._t_us, self._standing, since_us))
        self.wait(800)

    @property
    def moves(self) -> str:
        return " ".join(move.uci() for move in self.session.record.moves)

    def heard(self, kind: type[Action]) -> list[Action]:
        return [one for one in self.said if isinstance(one, kind)]


@pytest.mark.parametrize("ms", [26, 300, 5_000])
@pytest.mark.parametrize(
    ("touches", "played"),
    [("-e2 +e4", "e2e4"), ("-e2", ""), ("", "")],
)
def test_one_ply_or_a_piece_in_the_hand_is_as_if_it_had_been_seen(
    touches: str, played: str, ms: int
) -> None:
    board = Board()
    board.hide(touches, ms)
    board.wait(5_000)
    assert board.moves == played
    assert board.heard(Unwatched) == []
    assert len(board.heard(Finalised)) == len(played.split())


def test_two_plies_are_found_and_said_to_be_a_guess() -> None:
    board = Board()
    board.hide("-e2 +e4 -e7 +e5", 2_000)
    board.play("-g1 +f3")
    board.wait(30_000)
    assert board.moves == "e2e4 e7e5 g1f3"
    assert board.heard(Unwatched) == [Unwatched(3 * S, S)]


def test_what_was_seen_before_is_final_and_nothing_after_a_guess_is() -> None:
    board = Board()
    board.play("-d2 +d4")
    board.wait(3_000)
    # In another order, or by other pieces, the board would look the same.
    board.hide("-g8 +f6 -g1 +f3 -b8 +c6 -b1 +c3", 4_000)
    for touches in ("-e7 +e6", "-e2 +e3", "-f8 +e7", "-f1 +e2"):
        board.play(touches)
    board.wait(30_000)
    assert board.moves.startswith("d2d4 ")
    assert [one.ply for one in board.heard(Finalised) if isinstance(one, Finalised)] == [1]


def test_no_switch_is_called_stuck_for_what_was_not_seen() -> None:
    """A pawn left g7 and a bishop came: its switch was closed before and is closed after."""
    board = Board()
    for touches in ("-e2 +e4", "-d7 +d6", "-d2 +d4", "-g8 +f6", "-b1 +c3"):
        board.play(touches)
    board.hide("-g7 +g6 -c1 +e3 -f8 +g7", 5_000)
    for touches in ("-d1 +d2", "-c7 +c6", "-f2 +f3", "-b7 +b5", "-g1 +e2", "-b8 +d7"):
        board.play(touches)
    board.wait(10_000)
    assert board.heard(Stuck) == []
    assert board.heard(Unwatched)


def test_no_players_time_runs_while_the_board_is_not_watched() -> None:
    board = Board("300")
    board.play("-e2 +e4")
    before = board.session.course.clock
    assert before is not None
    left_us = before.remaining_us(1, board.session.t_us)
    board.hide("", 4_000)
    after = board.session.course.clock
    assert after is not None
    assert after.remaining_us(1, board.session.t_us) == left_us - 800 * MS
