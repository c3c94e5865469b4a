"""A ruled game in the file: cut off at any moment, it goes on as it was ruled."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Event, Ruling
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.rulings.decision import parse_decision
from boardfw.game.session import Session
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.record_writer import RunRecord
from tests.dances import Table
from tests.game.clocked import shown

RULINGS = ("2.Nc3", "illegal 2...e8e6", "clocks 4:00 3:00", "drop 2...")


class Kept(Table):
    """A table whose games go into a file, an entry for each event."""

    def __init__(self, path: Path) -> None:
        self.books: RunRecord | None = None
        self._path = path
        super().__init__(clock=ClockUse(parse_control("300+3")))

    def take(self, event: Event) -> None:
        if self.books is None:
            self.books = RunRecord(self._path, lambda: None)
            self.books.begin(self.session, {"White": "Anna"})
        said = len(self.actions)
        super().take(event)
        self.books.take(self.session, self.actions[said:])

    def rule(self, text: str) -> None:
        decision = parse_decision(self.session.record.start, text)
        self.take(Ruling(self.t_us, "Berg", "so", decision))


def after_a_power_cut(table: Kept, path: Path) -> Table:
    """The game as it goes on. A power cut closes nothing before the file is read."""
    store = Store(path, lambda: None)
    game = store.take_up()
    assert game is not None
    store.close()
    assert table.books is not None
    table.books.close()
    return Table(unfinished=game.unfinished())


def told(record: Record) -> list[object]:
    return [record.moves, record.illegal, record.outcome, [one.told for one in record.rulings]]


@pytest.mark.parametrize("made", range(len(RULINGS) + 1))
def test_the_power_fails_after_a_ruling(tmp_path: Path, made: int) -> None:
    path = tmp_path / "games.db"
    table = Kept(path)
    table.move("e2e4 c7c5 g1f3")
    for text in RULINGS[:made]:
        table.rule(text)
    clocks = shown(table) if made else None
    again = after_a_power_cut(table, path)
    assert told(again.session.record) == told(table.session.record)
    assert len(again.session.record.rulings) == made
    assert again.session.phase.kind is GamePhase.PLAY
    if clocks:
        assert shown(again) == clocks


def test_clocks_set_before_the_first_move_stay_so_when_the_power_fails(tmp_path: Path) -> None:
    table = Kept(tmp_path / "games.db")
    table.rule("clocks 2:00 5:00")
    again = after_a_power_cut(table, tmp_path / "games.db")
    assert again.session.phase.kind is GamePhase.PLAY
    assert shown(again) == [120_000, 300_000]
    again.move("e2e4 e7e5")
    assert again.moves == "e2e4 e7e5"


def test_it_is_one_game_however_often_it_is_ruled_on_and_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    table = Kept(path)
    table.move("e2e4 c7c5 g1f3")
    table.rule("2.Nc3")
    assert table.books is not None
    table.books.close()
    books = RunRecord(path, lambda: None)
    unfinished = books.take_up()
    assert unfinished is not None
    session = Session(unfinished=unfinished)
    books.begin(session, {})
    books.close()
    store = Store(path, lambda: None)
    (games,) = store._connection.execute("SELECT count(*) FROM games").fetchone()
    store.close()
    assert games == 1
