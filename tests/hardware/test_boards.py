"""What every back-end promises, and how one is named."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from boardfw.errors import TraceError, WiringError
from boardfw.frame import DARK, Frame
from boardfw.ports import Board
from boardfw.recording import End, Press, Scan, TraceWriter, read_trace
from boardfw.squares import START, Occupancy, Switch, occupancy_of, switches_in
from hardware import innermost, lights_ma, open_board
from hardware.clock import MonotonicClock, VirtualClock
from hardware.i2c_board import I2cBoard
from hardware.replay import ReplayBoard
from hardware.sim.board import SimBoard
from hardware.spy import SpyBoard
from hardware.strip import MemoryMatrix

BARE_KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
BARE_KINGS_OCCUPANCY = 1 << 4 | 1 << 60


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Two scans apart by a press, from a position of its own."""
    path = tmp_path / "short.trace.jsonl"
    writer = TraceWriter(path, BARE_KINGS)
    writer.scan(0, Occupancy(BARE_KINGS_OCCUPANCY))
    writer.button(500, "pause")
    writer.button(900, "draw")
    writer.scan(900, Occupancy(1 << 60))
    writer.end(4_000)
    return path


@pytest.fixture(
    params=["sim:", "sim:?seed=3&faults=wooden", "replay:{trace}", "spy:{out},sim:", "two spies"]
)
def board(request: pytest.FixtureRequest, trace: Path, tmp_path: Path) -> Iterator[Board]:
    """One board of every back-end, and spies around them."""
    url = str(request.param).replace("two spies", "spy:{out},spy:{out}2,replay:{trace}")
    opened = open_board(url.format(trace=trace, out=tmp_path / "out"), clock=VirtualClock())
    yield opened
    opened.close()


def test_a_scan_is_a_set_of_64_squares(board: Board) -> None:
    occupancy = board.sensor.read()
    assert type(occupancy) is Occupancy
    assert 0 < int(occupancy) < 1 << 64


def test_a_board_left_alone_at_one_instant_reads_the_same_twice(board: Board) -> None:
    assert board.sensor.read() == board.sensor.read()


@pytest.mark.parametrize("frame", [DARK, Frame(b"\xff" * 192), Frame.of({Switch(0): (1, 2, 3)})])
def test_any_frame_is_shown(board: Board, frame: Frame) -> None:
    board.lights.show(frame)
    assert lit(board) == frame


def test_no_button_is_pressed_by_itself(board: Board) -> None:
    assert board.panel.presses() == []


def test_a_board_may_be_closed_twice(board: Board) -> None:
    board.lights.show(Frame(b"\xff" * 192))
    board.close()
    board.close()
    assert lit(board) == DARK


def test_a_board_whose_lines_cannot_be_released_releases_its_bus(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = open_board("sim-i2c:reference", clock=VirtualClock())
    assert isinstance(board, I2cBoard)
    released: list[str] = []

    def fail() -> None:
        raise OSError("no such line")

    monkeypatch.setattr(board.gpio, "close", fail)
    monkeypatch.setattr(board.bus, "close", lambda: released.append("bus"))
    with pytest.raises(OSError, match="no such line"):
        board.close()
    assert released == ["bus"]


def lit(board: Board) -> Frame:
    """What the lights of a board without lamps show, whatever stands around it."""
    matrix = innermost(board).lights
    assert isinstance(matrix, MemoryMatrix)
    return matrix.frame


# ------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("", "there are 'sim:', 'sim-i2c:', 'i2c:', 'replay:', 'spy:'"),
        ("usb:", "there are 'sim:', 'sim-i2c:', 'i2c:', 'replay:', 'spy:'"),
        ("sim", "mean 'sim:'"),
        ("SIM:", "mean 'sim:'"),
        ("simm:", "mean 'sim:'"),
        ("replya:x", "mean 'replay:'"),
        ("spi:x,sim:", "mean 'spy:'"),
        ("sim:seed=7", "question mark"),
        ("sim:?seeds=7", "mean 'seed'"),
        ("sim:?x=7", "there are 'seed', 'faults', 'stuck_open', 'stuck_closed', 'pieces'"),
        ("sim:?seed=-1", "seed must be"),
        ("sim:?seed=1&seed=2", "twice"),
        ("sim:?faults=woden", "mean 'wooden'"),
        ("sim:?faults=bad", "there are 'none', 'reed', 'wooden', 'cable'"),
        ("sim:?stuck_open=e9", "'e9'"),
        ("replay:", "replay:FILE"),
        ("spy:out.jsonl", "spy:FILE,URL"),
        ("spy:,sim:", "spy:FILE,URL"),
    ],
)
def test_a_url_that_names_no_board_says_what_would(url: str, what: str) -> None:
    with pytest.raises(WiringError) as refused:
        open_board(url, clock=VirtualClock())
    assert what in str(refused.value)


def test_a_spy_on_a_board_that_cannot_be_opened_begins_no_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(TraceError):
        open_board(f"spy:{out},replay:{tmp_path / 'none'}", clock=VirtualClock())
    assert not out.exists()


def test_a_spy_that_cannot_write_lets_go_of_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[SimBoard] = []

    def close(board: SimBoard) -> None:
        closed.append(board)

    monkeypatch.setattr(SimBoard, "close", close)
    with pytest.raises(TraceError, match="cannot be written"):
        open_board(f"spy:{tmp_path / 'none' / 'out.jsonl'},sim:", clock=VirtualClock())
    assert len(closed) == 1


def test_a_simulated_board_starts_as_it_is_told() -> None:
    usual = open_board("sim:", clock=VirtualClock())
    kings = open_board("sim:", clock=VirtualClock(), start_fen=BARE_KINGS)
    assert usual.sensor.read() == START
    assert kings.sensor.read() == BARE_KINGS_OCCUPANCY
    assert isinstance(kings, SimBoard)
    assert kings.pieces == {4: "K", 60: "k"}


def test_stuck_switches_read_stuck() -> None:
    board = open_board("sim:?stuck_open=e2,a1&stuck_closed=e4", clock=VirtualClock())
    assert board.sensor.read() == occupancy_of(
        [*set(switches_in(START)) - {Switch(0), Switch(12)}, Switch(28)]
    )


# ------------------------------------------------------------------------ replay, spy


def test_a_replayed_board_reads_and_presses_at_the_recorded_times(trace: Path) -> None:
    clock = VirtualClock(10_000)  # a recording begins when the board is opened
    board = open_board(f"replay:{trace}", clock=clock)
    assert isinstance(board, ReplayBoard)
    seen = []
    while (due_us := board.next_change_us()) is not None:
        clock.advance_to(due_us)
        seen.append((due_us, board.sensor.read(), board.panel.presses()))
    assert seen == [
        (10_500, Occupancy(BARE_KINGS_OCCUPANCY), ["pause"]),
        (10_900, 1 << Switch(60), ["draw"]),
        (14_000, 1 << Switch(60), []),
    ]
    assert not board.busy


def test_what_a_spy_records_of_a_replay_is_the_recording(trace: Path, tmp_path: Path) -> None:
    clock = VirtualClock(77)
    copy = tmp_path / "copy.trace.jsonl"
    board = open_board(f"spy:{copy},replay:{trace}", clock=clock)
    replayed = innermost(board)
    assert isinstance(replayed, ReplayBoard)
    board.sensor.read()
    while (due_us := replayed.next_change_us()) is not None:
        clock.advance_to(due_us)
        board.panel.presses()
        board.sensor.read()
    board.close()
    assert read_trace(copy) == read_trace(trace)


def test_a_spy_records_what_happens_to_a_simulated_board(tmp_path: Path) -> None:
    clock = VirtualClock()
    out = tmp_path / "out.trace.jsonl"
    board = open_board(f"spy:{out},sim:?faults=none", clock=clock, start_fen=BARE_KINGS)
    simulated = innermost(board)
    assert isinstance(board, SpyBoard)
    assert isinstance(simulated, SimBoard)
    board.sensor.read()
    clock.advance_to(1_000)
    simulated.lift(Switch(4))
    simulated.press("resign_white")
    board.sensor.read()
    board.panel.presses()
    clock.advance_to(2_000)
    board.close()
    recording = read_trace(out)
    assert recording.start_fen == BARE_KINGS
    assert recording.entries == [
        Scan(0, Occupancy(BARE_KINGS_OCCUPANCY)),
        Scan(1_000, Occupancy(1 << 60)),
        Press(1_000, "resign_white"),
        End(2_000),
    ]


# ------------------------------------------------------------------------------ clocks


def test_a_virtual_clock_moves_only_forward_and_only_when_moved() -> None:
    clock = VirtualClock()
    clock.advance_to(5)
    clock.advance_to(3)
    assert clock.now_us() == 5


def test_a_faster_clock_is_ahead_of_the_machines() -> None:
    slow, fast = MonotonicClock(), MonotonicClock(speed=1_000_000)
    assert 0 <= slow.now_us() <= fast.now_us()


def test_a_clock_must_go_forward() -> None:
    with pytest.raises(ValueError, match="speed"):
        MonotonicClock(speed=0)


# ---------------------------------------------------------------------------- current


@pytest.mark.parametrize(
    ("url", "wanted_ma", "given_ma"),
    [("sim:", 5_000, 5_000), ("sim-i2c:", 1_000, 1_000), ("sim-i2c:", 5_000, 2_000)],
)
def test_lights_draw_no_more_than_the_supply_gives(url: str, wanted_ma: int, given_ma: int) -> None:
    board = open_board(url, clock=VirtualClock())
    assert lights_ma(board, wanted_ma) == given_ma
    board.close()


def test_a_strip_of_two_leds_a_square_is_half_as_bright(tmp_path: Path) -> None:
    text = files("hardware").joinpath("boards", "reference.toml").read_text("utf-8")
    path = tmp_path / "two.toml"
    path.write_text(text.replace("[leds]\n", "[leds]\nper_square = 2\n"), "utf-8")
    board = open_board(f"sim-i2c:{path}", clock=VirtualClock())
    assert lights_ma(board, 1_000) == 500
    board.close()
