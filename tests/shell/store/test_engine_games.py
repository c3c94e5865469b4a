"""Which games say how strong a player is: those that were finished against an engine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Entry, Noted, Opposed, Over, Plies, Tagged
from boardfw.notation.fen import format_fen
from boardfw.recording import START_FEN
from boardfw.rules.chess960 import start_position
from boardfw.services.adaptive import EngineGame, level_at, rating
from boardfw.shell.store.database import open_database
from boardfw.shell.store.engine_games import engine_games, level_for
from boardfw.shell.store.game_store import Store, add_entry, new_game

ENGINE = "engine:stockfish?level=7"
NEWCOMER = level_at(rating(()))
BEGUN = Begun(START_FEN, {"White": "Anna", "Black": "stockfish"})
PLIES = Plies(1_000, 0, ["e2e4", "e7e5"], [900, 950])
OPPOSED = Opposed("black", ENGINE)
FIRST: list[Entry] = [BEGUN, PLIES, OPPOSED]
WON, LOST, DRAWN = (Over(2_000, result, "x") for result in ("1-0", "0-1", "1/2-1/2"))
GOES_ON = Over(3_000, "", "")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def played(path: Path, *games: Iterable[Entry]) -> None:
    store = Store(path, lambda: None)
    store.add([Noted(number, entry) for number, game in enumerate(games) for entry in game])
    store.close()


def found(path: Path, player: str = "Anna") -> list[EngineGame]:
    connection = open_database(path)
    try:
        return engine_games(connection, player)
    finally:
        connection.close()


def test_what_was_finished_counts_in_its_order(path: Path) -> None:
    ends: list[Entry] = [WON, LOST, DRAWN]
    played(path, *([*FIRST, one] for one in ends))
    assert found(path) == [EngineGame(ENGINE, points) for points in (1, 0, 0.5)]
    assert found(path, " anna ") == found(path)
    assert level_for(path, "Anna") == level_at(rating(found(path)))
    assert level_for(path, "Anna") != NEWCOMER


def test_who_plays_black_wins_for_black(path: Path) -> None:
    white: list[Entry] = [
        Begun(START_FEN, {"Black": "Anna"}),
        PLIES,
        Opposed("white", ENGINE),
        LOST,
    ]
    played(path, white)
    assert found(path) == [EngineGame(ENGINE, 1)]


@pytest.mark.parametrize(
    "game",
    [
        [BEGUN, PLIES, OPPOSED],
        [BEGUN, PLIES, OPPOSED, WON, GOES_ON],
        [BEGUN, PLIES, WON],
        [BEGUN, PLIES, OPPOSED, Opposed("", ""), WON],
        [BEGUN, PLIES, OPPOSED, WON, Tagged({"White": "Ben"})],
        [Begun(START_FEN, {}), PLIES, OPPOSED, WON],
        [Begun(START_FEN.replace("RNBQ", "RNB1"), BEGUN.tags), PLIES, OPPOSED, LOST],
    ],
    ids=["cut off", "taken back", "two people", "left alone", "of another", "nameless", "odds"],
)
def test_no_other_game_changes_a_level(path: Path, game: list[Entry]) -> None:
    played(path, [BEGUN, PLIES, OPPOSED, LOST], game)
    assert found(path) == [EngineGame(ENGINE, 0)]


def test_who_has_no_name_is_a_player_as_well(path: Path) -> None:
    played(path, [Begun(START_FEN, {"White": "?"}), PLIES, OPPOSED, WON])
    assert found(path, "?") == found(path, "") == [EngineGame(ENGINE, 1)]
    assert level_for(path, "Anna") == NEWCOMER


def test_chess960_counts(path: Path) -> None:
    played(path, [Begun(format_fen(start_position(7)), BEGUN.tags), OPPOSED, WON])
    assert found(path) == [EngineGame(ENGINE, 1)]


def test_a_game_from_a_file_is_nobodys_result(path: Path) -> None:
    connection = open_database(path)
    number = new_game(connection, imported_as=1)
    for entry in (BEGUN, PLIES, OPPOSED, WON):
        add_entry(connection, number, None, entry)
    connection.commit()
    connection.close()
    assert found(path) == []


def test_a_damaged_game_says_nothing_and_the_others_do(path: Path) -> None:
    played(path, [BEGUN, OPPOSED, WON], [BEGUN, OPPOSED, LOST])
    connection = open_database(path)
    connection.execute(
        "UPDATE entries SET entry = CAST(replace(CAST(entry AS TEXT), '1-0', '0-1') AS BLOB)"
    )
    connection.commit()
    connection.close()
    assert found(path) == [EngineGame(ENGINE, 0)]


def test_without_games_everybody_is_a_newcomer(path: Path) -> None:
    assert level_for(None, "Anna") == level_for(path, "Anna") == NEWCOMER
    assert not path.exists()
    path.write_text("no games")
    with pytest.raises(BoardError):
        level_for(path, "Anna")
