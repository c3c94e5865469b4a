"""The simulated board as a physical thing: pieces, magnets, contacts, faults."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.squares import (
    NO_SWITCHES,
    START,
    SWITCH_BY_NAME,
    Occupancy,
    Switch,
    file_of,
    occupancy_of,
    rank_of,
)
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.faults import PRESETS, Faults, neighbours
from hardware.sim.gesture import HandAction
from hardware.sim.magnets import Point
from tests.patience import PATIENCE_S

E2, E3, E4 = (SWITCH_BY_NAME[name] for name in ("e2", "e3", "e4"))
IDEAL = PRESETS["none"]


def read_at(board: SimBoard, clock: VirtualClock, t_us: int) -> Occupancy:
    clock.advance_to(t_us)
    return board.sensor.read()


def test_pieces_stand_where_a_placement_says() -> None:
    assert pieces_of("8/8/8/8/8/8/p7/R1B4q w - - 0 1") == {8: "p", 0: "R", 2: "B", 7: "q"}


def test_a_piece_lifted_and_dropped_opens_and_closes_its_switches() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, faults=IDEAL)
    assert board.lift(E2) == "P"
    assert board.sensor.read() == START & ~(1 << E2)
    assert board.box == ["P"]
    board.drop(E4, "P")
    assert board.sensor.read() == START & ~(1 << E2) | 1 << E4
    assert board.box == []
    assert board.pieces[E4] == "P"


def test_no_piece_can_be_lifted_from_an_empty_square() -> None:
    board = SimBoard(VirtualClock(), faults=IDEAL)
    assert board.lift(E4) is None
    assert board.sensor.read() == START


def test_a_piece_pushed_off_its_square_goes_beside_the_board_and_the_switch_stays_closed() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "Q", E4: "p"})
    board.lift(E2)
    read_at(board, clock, 1_000_000)
    board.drop(E4, "Q")
    assert board.next_change_us() is None
    assert board.box == ["p"]
    assert board.pieces == {E4: "Q"}


def test_a_switch_bounces_for_some_milliseconds_and_then_rests() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "P"}, faults=Faults(bounce=1.0))
    board.lift(E2)
    edges = [(0, board.sensor.read())]
    while (due_us := board.next_change_us()) is not None:
        edges.append((due_us, read_at(board, clock, due_us)))
    assert [read for _, read in edges] == [n % 2 << E2 for n in range(len(edges))]
    assert edges[-1][1] == 0
    assert len(edges) in (3, 5, 7)
    assert edges[-1][0] <= 6_000


def test_a_reading_that_hangs_holds_up_only_its_reader() -> None:
    clock, order = VirtualClock(), list[str]()
    board = SimBoard(clock, faults=replace(IDEAL, hang_us=2_000))
    assert read_at(board, clock, 1_999) == START
    clock.advance_to(2_000)

    def read() -> None:
        board.sensor.read()
        order.append("read")

    reader = threading.Thread(target=read)
    reader.start()
    assert board.lift(E2) == "P"
    order.append("closed")
    board.close()
    reader.join(timeout=PATIENCE_S)
    assert order == ["closed", "read"]


def test_planned_actions_happen_when_the_clock_reaches_them() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "P"}, faults=IDEAL)
    board.schedule([HandAction(10, "lift", E2, "P"), HandAction(30, "drop", E4, "P")])
    assert [read_at(board, clock, t) for t in (9, 10, 29, 30)] == [1 << E2, 0, 0, 1 << E4]
    assert not board.busy


def test_taking_over_stops_the_hands_where_they_are_by_now() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "P"}, faults=IDEAL)
    board.schedule([HandAction(10, "lift", E2, "P"), HandAction(30, "drop", E4, "P")])
    clock.advance_to(20)
    board.cancel()
    assert board.box == ["P"], "lifted already, though the board was not read since"
    assert read_at(board, clock, 100) == 0


def test_lights_remember_their_frame_and_go_dark_at_the_end() -> None:
    board = SimBoard(VirtualClock())
    frame = Frame.of({E4: (9, 9, 9)})
    board.lights.show(frame)
    assert board.frame == frame
    board.close()
    assert board.frame == DARK


def test_buttons_are_told_once_and_in_order() -> None:
    board = SimBoard(VirtualClock())
    board.press("draw")
    board.press("hint")
    assert board.panel.presses() == ["draw", "hint"]
    assert board.panel.presses() == []
    with pytest.raises(ValueError, match="no button"):
        board.press("flush")


def test_a_bus_fails_for_as_many_reads_as_told_and_nothing_is_lost() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "P"}, faults=IDEAL)
    board._failures._left = 2
    board.lift(E2)
    for _ in range(2):
        with pytest.raises(BusError):
            board.sensor.read()
    assert board.sensor.read() == 0


def test_a_loose_cable_fails_in_bursts() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, faults=Faults(bus_error_hz=1.0, bus_error_reads=3), seed=1)
    bursts, run = [], 0
    for t_us in range(0, 20_000_000, 2_000):
        clock.advance_to(t_us)
        try:
            board.sensor.read()
        except BusError:
            run += 1
        else:
            bursts += [run] if run else []
            run = 0
    assert len(bursts) > 5
    assert all(run % 3 == 0 for run in bursts)


def test_a_glitch_lasts_one_scan_and_leaves_no_trace() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, faults=Faults(glitch_hz=5.0), seed=1)
    reads = [read_at(board, clock, t_us) for t_us in range(0, 10_000_000, 2_000)]
    wrong = [n for n, occupancy in enumerate(reads) if occupancy != START]
    assert wrong
    assert all((reads[n] ^ START).bit_count() == 1 for n in wrong)
    assert not any(reads[n] == reads[n + 1] for n in wrong if n + 1 < len(reads))


LOOSE = Faults(lost=100.0)  # certain, even for a piece nearly in the middle


def way_to(square: Switch, t_us: int, off: float) -> tuple[Point, ...]:
    """Straight down beside the middle of a square."""
    x, y = file_of(square) + off, float(rank_of(square))
    return (Point(t_us, x, y, 1.0), Point(t_us + 50_000, x, y, 0.0))


def test_a_piece_off_its_centre_loses_contact_for_a_while_and_gets_it_again() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={}, faults=LOOSE)
    board.schedule([HandAction(10, "drop", E4, "P", way_to(E4, 10, 0.2))])
    edges = [(0, board.sensor.read())]
    while (due_us := board.next_change_us()) is not None:
        read = read_at(board, clock, due_us)
        edges += [(due_us, read)] if read != edges[-1][1] else []
    assert edges.pop(0) == (0, NO_SWITCHES)
    assert [read for _, read in edges] == [n % 2 << E4 for n in range(1, len(edges) + 1)]
    assert len(edges) >= 3
    for (opens_us, _), (closes_us, _) in zip(edges[1::2], edges[2::2], strict=True):
        assert 20_000 <= closes_us - opens_us <= 400_000


def test_a_piece_in_the_middle_loses_no_contact() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={}, faults=LOOSE)
    board.schedule([HandAction(10, "drop", E4, "P", way_to(E4, 10, 0.0))])
    read_at(board, clock, 100_000)
    assert board.next_change_us() is None


def carried(path: list[tuple[int, float, float, float]]) -> tuple[Point, ...]:
    return tuple(Point(*point) for point in path)


def test_a_dragged_piece_closes_the_switches_on_its_path() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "R"}, faults=IDEAL)
    path = carried([(0, 4, 1, 0), (200_000, 4, 3, 0)])
    board.schedule(
        [
            HandAction(0, "lift", E2, "R", path),
            HandAction(200_000, "drop", E4, "R", ()),
        ]
    )
    seen = {0: 1 << E2}
    while (due_us := board.next_change_us()) is not None:
        seen[due_us] = read_at(board, clock, due_us)
    assert {1 << E2, 1 << E3, 1 << E4} <= set(seen.values())
    assert list(seen.values())[-1] == 1 << E4
    assert board.pieces == {E4: "R"}
    assert board.box == []


def test_passing_over_a_piece_changes_nothing_there() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "N", E3: "P"}, faults=IDEAL)
    path = carried([(0, 4, 1, 0), (200_000, 4, 3, 0)])
    board.schedule(
        [
            HandAction(0, "lift", E2, "N", path),
            HandAction(200_000, "drop", E4, "N", ()),
        ]
    )
    while (due_us := board.next_change_us()) is not None:
        assert read_at(board, clock, due_us) & 1 << E3


def test_a_piece_on_its_way_when_hands_are_stopped_is_felt_nowhere() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "R"}, faults=IDEAL)
    path = carried([(0, 4, 1, 0), (200_000, 4, 3, 0)])
    board.schedule(
        [
            HandAction(0, "lift", E2, "R", path),
            HandAction(200_000, "drop", E4, "R", ()),
        ]
    )
    read_at(board, clock, 100_000)
    board.cancel()
    assert board.sensor.read() == 0
    assert board.box == ["R"]
    board.drop(E3, "R")
    assert board.sensor.read() == 1 << E3
    assert board.next_change_us() is None


def test_a_missed_edge_is_seen_late_or_not_at_all() -> None:
    clock = VirtualClock()
    board = SimBoard(clock, pieces={E2: "P"}, faults=Faults(late=1.0))
    board.lift(E2)
    assert read_at(board, clock, 3_999) == 1 << E2
    board.drop(E2, "P")
    assert [read_at(board, clock, 4_000 + t) for t in range(0, 50_000, 500)] == [1 << E2] * 100


def test_a_corner_has_three_neighbours_and_the_middle_eight() -> None:
    assert neighbours(Switch(0)) == [1, 8, 9]
    assert neighbours(E4) == [19, 20, 21, 27, 29, 35, 36, 37]


TOUCHES = st.lists(
    st.tuples(st.integers(0, 60_000), st.sampled_from([E2, E3, E4])), min_size=1, max_size=12
)
ELECTRICS = st.sampled_from([*PRESETS.values(), Faults(1.0, spread=0.2, late=0.5)])


def touched(board: SimBoard, touches: list[tuple[Switch, Switch]]) -> None:
    """Schedule each square's piece to leave or come, one touch after the other."""
    t_us, standing = 0, set(board.pieces)
    for pause_us, square in touches:
        t_us += pause_us
        board.schedule([HandAction(t_us, "lift" if square in standing else "drop", square, "P")])
        standing ^= {square}


@given(TOUCHES, ELECTRICS, st.integers(0, 99))
def test_reading_at_changes_only_is_reading_all_the_time(
    touches: list[tuple[Switch, Switch]], faults: Faults, seed: int
) -> None:
    faults = replace(faults, bus_error_hz=0.0)
    clocks = VirtualClock(), VirtualClock()
    often, seldom = (
        SimBoard(clock, pieces={E2: "P"}, faults=faults, seed=seed) for clock in clocks
    )
    touched(often, touches)
    touched(seldom, touches)
    last = read_at(seldom, clocks[1], 0)
    for t_us in range(0, 1_000_000, 500):
        while (due_us := seldom.next_change_us()) is not None and due_us <= t_us:
            last = read_at(seldom, clocks[1], due_us)
        assert read_at(often, clocks[0], t_us) == last


@given(TOUCHES, ELECTRICS, st.integers(0, 99))
def test_switches_come_to_rest_where_the_magnets_are(
    touches: list[tuple[Switch, Switch]], faults: Faults, seed: int
) -> None:
    clock = VirtualClock()
    faults = replace(faults, glitch_hz=0.0, bus_error_hz=0.0)
    board = SimBoard(clock, pieces={E2: "P"}, faults=faults, seed=seed)
    touched(board, touches)
    while (due_us := board.next_change_us()) is not None:
        clock.advance_to(due_us)
        board.sensor.read()
    assert board.sensor.read() == occupancy_of(board.pieces)
