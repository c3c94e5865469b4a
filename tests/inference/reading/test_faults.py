"""What the reader on trial makes of a board with faults."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardfw.inference.reading import FaultKind, ScanReader
from boardfw.rules import Position
from boardfw.squares import BY_NAME, NAMES, Occupancy
from tests.foreign_hands import board_faults
from tests.inference.reading.table import Table

OPENING = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 d7d6 c1g5 c8g4 h2h3 g4h5"


class FaultyTable(Table):
    """A board whose switches read something else than what is on their squares."""

    def __init__(self, read: Callable[[int], int], dead: int = 0) -> None:
        super().__init__()
        self.read_switches = read
        self.reader = ScanReader(self.start, Occupancy(read(self.occupied)), dead=Occupancy(dead))

    def flip(self, *squares: str) -> Table:
        for square in squares:
            self.occupied ^= 1 << BY_NAME[square]
        self.reader.feed(self.t_us, Occupancy(self.read_switches(self.occupied)))
        self._note()
        return self

    def play_really(self, text: str, every_ms: float = 300) -> FaultyTable:
        """Play these quiet moves and castlings, whatever the reader makes of them."""
        for uci in text.split():
            steps = [uci[:2], uci[2:]]
            if uci in ("e1g1", "e8g8"):
                steps += ["h" + uci[1], "f" + uci[1]]
            self.touch(" ".join(steps), every_ms).wait(900)
        return self

    @property
    def named(self) -> dict[FaultKind, list[str]]:
        """The squares of the faults that are named now, by kind."""
        return {
            fault.kind: [NAMES[n] for n in range(64) if fault.squares >> n & 1]
            for fault in self.reader.faults
        }


def bits(names: str) -> int:
    return sum(1 << BY_NAME[name] for name in names.split())


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("square", ["c4", "f3", "f1"])
def test_a_dead_switch_is_read_past_and_named(square: str, closed: bool) -> None:
    bit = bits(square)
    table = FaultyTable(lambda occupied: occupied | bit if closed else occupied & ~bit)
    table.play_really(OPENING).wait(3_000)
    assert table.moves == OPENING
    assert table.named in ({}, {FaultKind.DEAD: [square]})


def test_a_switch_that_is_known_to_be_dead_is_ignored() -> None:
    dead = bits("c4 e5")
    table = FaultyTable(lambda occupied: occupied & ~bits("c4") | bits("e5"), dead)
    table.play_really(OPENING).wait(3_000)
    assert table.moves == OPENING


def test_a_piece_on_a_dead_square_is_no_ply_before_its_reply() -> None:
    table = FaultyTable(lambda occupied: occupied & ~bits("c4"), bits("c4"))
    table.play_really("e2e4 e7e5").touch("f1 c4").wait(60_000)
    assert table.moves == "e2e4 e7e5"
    assert table.touch("b8 c6").wait(1_000).moves == "e2e4 e7e5 f1c4 b8c6"


def test_a_stray_piece_makes_no_fault_by_time_alone() -> None:
    table = FaultyTable(lambda occupied: occupied)
    table.play_really("e2e4 e7e5").touch("a4").wait(300_000)
    assert table.moves == "e2e4 e7e5"
    assert table.named == {}


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_a_row_that_is_lost_is_named_and_pauses_play(closed: bool) -> None:
    row, lost = board_faults.lines()[3], [False]

    def read(occupied: int) -> int:
        if not lost[0]:
            return occupied
        return occupied | row if closed else occupied & ~row

    table = FaultyTable(read)
    table.play_really("e2e4 a7a6 d2d4 b7b6 c2c4 h7h6")
    before = table.moves
    lost[0] = True
    table.flip().wait(20_000)
    assert FaultKind.LINE in table.named
    assert table.reader.is_paused
    table.touch("b1 c3 b8 c6").wait(5_000)
    assert table.moves == before


def test_a_row_that_comes_back_shows_what_was_played() -> None:
    row, lost = board_faults.lines()[3], [False]
    table = FaultyTable(lambda occupied: occupied & ~row if lost[0] else occupied)
    table.play_really("e2e4 e7e5 d2d4 a7a6 c2c4 h7h6")
    lost[0] = True
    table.flip().wait(5_000).touch("b1 c3").wait(2_000)
    lost[0] = False
    table.flip().wait(5_000)
    assert table.moves == "e2e4 e7e5 d2d4 a7a6 c2c4 h7h6 b1c3"
    assert not table.reader.is_paused
    assert table.named == {}


def test_mirrored_files_are_suspected_and_pause_play() -> None:
    def read(occupied: int) -> int:
        return sum(1 << board_faults.mirrored(n) for n in range(64) if occupied >> n & 1)

    table = FaultyTable(read)
    table.play_really(
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 d7d6 c1e3 c8e6 b1d2 d8d7 f1e1 a7a6 a2a3 h7h6"
    )
    assert set(table.named) == {FaultKind.MIRRORED}
    assert table.reader.is_paused


def test_a_ply_finished_in_a_short_gap_is_final_soon() -> None:
    table = Table().play("e2e4 e7e5").wait(5_000).touch("g1")
    table.occupied ^= bits("f3")
    table.reader.feed(table.t_us, Occupancy(table.occupied), since_us=table.t_us - 250_000)
    assert table.wait(3_000).finals == (3, 3)


def test_a_good_board_has_no_faults() -> None:
    table = Table(Position.start()).play(OPENING)
    table.touch("g1 h1 g1 h1 f3 f3 e5 e5", every_ms=400).wait(3_000)
    assert table.reader.faults == ()
    assert not table.reader.is_paused
