"""Traces beside the record: of every game that is kept, so much and no more."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random

import pytest

from boardfw.game.events import Event
from boardfw.game.setup.planned_game import Unfinished
from boardfw.recording import Scan, read_trace
from boardfw.rules import Move, Position
from boardfw.shell.collection.collection import Collection
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.shell.store.game_traces import MOST, tapes_beside, tapes_of
from boardfw.shell.store.record_writer import RunRecord
from boardfw.squares import Occupancy
from tests.dances import Table
from tests.game.test_game_start import PLAYED, SET_UP
from tests.sizes import sized

PLENTY = 1_000_000


class Taped(Table):
    """A table whose games go into a file, and what the switches do beside it."""

    def __init__(
        self, path: Path, most: int = PLENTY, *, unfinished: Unfinished | None = None
    ) -> None:
        self.books = RunRecord(path, lambda: None, most)
        self._is_begun = False
        super().__init__(unfinished=unfinished, bounce=True)

    @classmethod
    def again(cls, path: Path) -> Taped:
        """The board is switched on."""
        books = RunRecord(path, lambda: None)
        unfinished = books.take_up()
        books.close()
        return cls(path, unfinished=unfinished)

    def take(self, event: Event) -> None:
        if not self._is_begun:
            self.books.take_up()
            self.books.begin(self.session, {})
            self._is_begun = True
        said = len(self.actions)
        super().take(event)
        self.books.hear(event, self.session)
        self.books.take(self.session, self.actions[said:])


def kept(path: Path) -> int:
    """Plies of the last game."""
    table = Taped.again(path)
    table.books.close()
    return len(table.session.record.moves)


def explained(path: Path) -> list[str]:
    """The games that a trace tells, in UCI."""
    recording = read_trace(path)
    assert recording.complete
    replay = Replay(recording, Settings())
    replay.play()
    games = replay.desk.session.games
    return [" ".join(move.uci() for move in game.moves) for game in games if game.moves]


def at_random(plies: int, seed: int) -> str:
    position, choice = Position.start(), Random(seed)
    moves: list[Move] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(choice.choice(legal))
        position = position.play(moves[-1])
    return " ".join(move.uci() for move in moves)


@pytest.mark.both
@pytest.mark.parametrize("seed", range(sized(3, 6)))
def test_a_trace_tells_the_game_that_is_kept_whenever_it_is_looked_at(
    tmp_path: Path, seed: int
) -> None:
    path = tmp_path / "games.db"
    table = Taped(path)
    moves = at_random(16, seed).split()
    for n, move in enumerate(moves, 1):
        table.move(move)
        if n % 5 == 0 or n == len(moves):
            (trace,) = tapes_of(path, 1).values()
            assert explained(trace) == [table.moves]
    table.books.close()


@pytest.mark.parametrize("turned", [False, True])
def test_each_game_of_a_run_has_a_trace_of_its_own(tmp_path: Path, turned: bool) -> None:
    path = tmp_path / "games.db"
    table = Taped(path)
    table.move(PLAYED)
    table.play(SET_UP)
    table.turned = turned
    table.play("-d2 +d4 -d7 +d5 -g1 +f3")
    table.books.close()
    assert [explained(*tapes_of(path, n).values()) for n in (1, 2)] == [
        [PLAYED],
        ["d2d4 d7d5 g1f3"],
    ]


def test_a_game_that_was_cut_off_has_a_trace_for_each_evening(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    table = Taped(path)
    table.move("e2e4 c7c5 g1f3")
    table.books.close()
    table = Taped.again(path)
    table.move("d7d6 d2d4")
    table.books.close()
    first, second = tapes_of(path, 1).items()
    assert (first[0], second[0]) == (1, 4)
    assert explained(first[1]) == ["e2e4 c7c5 g1f3"]
    assert explained(second[1]) == ["d7d6 d2d4"]


def test_the_oldest_make_room(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    table = Taped(path, most=3_000)
    for _ in range(4):
        table.move("e2e4 e7e5 g1f3 b8c6 f1b5")
        table.play("-f3 -b5 -c6 -e5 -e4 +g1 +f1 +b8 +e7 +e2")
    table.books.close()
    assert [bool(tapes_of(path, n)) for n in (1, 2, 3, 4)] == [False, False, False, True]
    sizes = [file.stat().st_size for file in tapes_beside(path).iterdir()]
    assert sum(sizes) <= 3_000


def test_a_game_that_is_too_long_is_left_out_and_kept_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    table = Taped(path, most=500)
    table.move("e2e4 e7e5 g1f3 b8c6 f1b5")
    table.books.close()
    assert list(tapes_beside(path).iterdir()) == []
    assert kept(path) == 5


def test_none_are_made_where_none_are_planned(tmp_path: Path) -> None:
    table = Taped(tmp_path / "games.db", most=0)
    table.move("e2e4")
    table.books.close()
    assert not tapes_beside(tmp_path / "games.db").exists()


def test_a_place_that_cannot_be_costs_the_trace_and_no_ply(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.db"
    tapes_beside(path).write_text("in the way")
    table = Taped(path)
    with caplog.at_level(logging.WARNING):
        table.move("e2e4 e7e5")
    table.books.close()
    assert [m for m in caplog.messages if "games are kept without" in m] == [
        f"{tapes_beside(path)}: File exists; games are kept without"
    ]
    assert kept(path) == 2


def test_a_board_that_is_shaken_for_days_fills_no_memory(tmp_path: Path) -> None:
    table = Taped(tmp_path / "games.db")
    table.move("e2e4")
    for _ in range(2 * MOST // 100):
        table.books.hear(_shaken(table), table.session)
    assert len(table.books._tape.cut(0, 0).text) <= MOST + 100
    table.books.close()


def _shaken(table: Table) -> Event:
    table.t_us += 2_000
    table._raw ^= 1
    return Scan(table.t_us, Occupancy(table._raw))


def test_a_game_that_is_deleted_takes_its_traces_with_it(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    table = Taped(path)
    table.move(PLAYED)
    table.play(SET_UP)
    table.move("d2d4")
    table.books.close()
    collection = Collection.to_write(path)
    collection.delete([1])
    collection.close()
    assert not tapes_of(path, 1)
    assert tapes_of(path, 2)
