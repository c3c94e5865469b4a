"""``boardfw run --from``: any position, by FEN, by number, of the record; mistakes in a line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.errors import ConfigError
from boardfw.game.events import Ready, Wanted
from boardfw.game.journal import Begun, Noted, Opposed, Over, Owing, Plies
from boardfw.game.opponent import Chosen
from boardfw.game.phase import GamePhase
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import numbered_san
from boardfw.recording import START_FEN
from boardfw.rules import BLACK, WHITE
from boardfw.rules.chess960 import start_position
from boardfw.shell.config import BoardSettings, ClockSettings, Settings
from boardfw.shell.store.game_store import Store, wall_ms
from boardfw.squares import EVERY_SWITCH, START, occupancy_of
from hardware import simulated
from hardware.sim.board import pieces_of
from tests.cli.runs import moves_of, run

ENDING = "8/5pk1/6p1/8/8/1P3R2/r5PP/7K w - - 0 40"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
PAWN_ON_8 = "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to start from."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


@pytest.fixture
def record(folder: Path) -> Path:
    """A database with a game that is over and one of Chess960 that is over, too."""
    store = Store(folder / "games.db", wall_ms)
    store.add(
        [
            Noted(0, Begun(START_FEN, {})),
            Noted(0, Plies(9, 0, ["e2e4", "e7e5", "g1f3"], [1, 2, 3])),
            Noted(0, Over(10, "1-0", "resignation")),
            Noted(1, Begun(format_fen(start_position(0)), {})),
            Noted(1, Plies(9, 0, ["e2e4"], [1])),
            Noted(1, Over(10, "1/2-1/2", "agreement")),
        ]
    )
    store.close()
    return store.path


# ------------------------------------------------------------------------------------ what it names


@pytest.mark.parametrize(
    ("start", "fen"),
    [
        (None, START_FEN),
        ("start", START_FEN),
        (ENDING, ENDING),
        ("8/5pk1/6p1/8/8/1P3R2/r5PP/7K w", ENDING.replace("40", "1")),
        ("960:0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"),
        ("960:518", START_FEN),
        ("960:959", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1"),
        ("game:1:0", START_FEN),
        ("game:1:2", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        ("game:1", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
        ("game:2", "bbqnnrkr/pppppppp/8/8/4P3/8/PPPP1PPP/BBQNNRKR b KQkq - 0 1"),
    ],
)
def test_the_game_begins_where_it_says_and_the_pieces_stand_there(
    record: Path, start: str | None, fen: str
) -> None:
    begun = run(start, record=record)
    assert begun.start == parse_fen(fen)
    sim = simulated(begun.opened.board)
    assert sim is not None
    assert sim.pieces == pieces_of(fen)
    begun.close()


@pytest.mark.parametrize(
    ("start", "line"),
    [
        (
            "strat",
            "--from: 'strat' is not a start; write start, a FEN in quotes, 960:518 or game:7:30",
        ),
        ("960:960", "--from: Chess960 start 960: there are 960; choose one from 0 to 959"),
        ("960:1:2", "--from: '960:1:2' is not a start"),
        ("8/8/8 w", "--from: FEN, pieces '8/8/8': 3 ranks where 8 are needed"),
        ("4k3/8/8/8/8/8/8/8 w", "White has no king: add it"),
        (PAWN_ON_8, "no pawn can stand on a8: move it or take it off"),
        ("4k3/8/8/8/8/8/4R3/4K3 w", "White is to move and could capture the king on e8 from e2"),
        (MATED, "the game is over here (Black won by checkmate)"),
        (
            "game:7",
            "--from: games.db holds no game 7 that can be read; "
            "2 games are kept there, from 1 to 2",
        ),
        ("game:1:4", "--from: game:1:4: game 1 has 3 plies; name one from 0 to 3"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_nothing_is_written(
    record: Path, start: str, line: str
) -> None:
    before = sorted(record.parent.iterdir())
    told = CliRunner().invoke(main, ["run", "--record", record.name, "--from", start])
    assert told.exit_code == 2
    assert line in told.output
    assert len(told.output.splitlines()) == 1
    assert sorted(record.parent.iterdir()) == before


def test_an_en_passant_square_that_is_dropped_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fen = "4k3/8/8/3p4/8/8/8/4K2Q w - d6 0 2"
    run(fen, record=folder / "games.db").close()
    told = "--from: the en passant square d6 is dropped: no pawn may capture there\n"
    assert capsys.readouterr().err == told
    run(fen.replace("d6", "-"), record=folder / "others.db").close()
    assert not capsys.readouterr().err


def test_the_settings_may_say_where_games_begin(record: Path) -> None:
    settings = Settings(board=BoardSettings(start="960:0"))
    for start, fen in ((None, format_fen(start_position(0))), ("start", START_FEN)):
        begun = run(start, record=record, settings=settings)
        assert begun.start == parse_fen(fen)
        begun.play("e4" if start else "f4")
    again = run(None, record=record, settings=settings)
    assert again.game == "1.e4", "what was cut off goes on, wherever it began"
    again.close()


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("strat", "'strat' is not a start; write start, a FEN in quotes"),
        ("game:1:4", "game:1:4: game 1 has 3 plies"),
        (PAWN_ON_8, "no pawn can stand on a8"),
    ],
)
def test_a_mistake_of_the_settings_is_told_with_its_line(
    record: Path, start: str, line: str
) -> None:
    Path("board.toml").write_text(f'# a board\n[board]\nstart = "{start}"\n')
    command = ["run", "--record", record.name, "--config", "board.toml"]
    told = CliRunner().invoke(main, command)
    assert told.exit_code == 2
    assert told.output.startswith("board.toml:3: 'board.start': ")
    assert line in told.output
    assert len(told.output.splitlines()) == 1


def test_a_game_that_hands_play_has_a_start_of_its_own(folder: Path) -> None:
    Path("board.toml").write_text('[board]\nstart = "960:0"\n')
    command = ["run", "--play", "famous", "--config", "board.toml"]
    told = CliRunner().invoke(main, command)
    assert told.exit_code == 0, told.output


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (["--play", "famous"], "--play has a start of its own"),
        (["--board", "replay:x"], "a recording has a start of its own"),
        (["--record", "none.db"], "--from: game:1: there is no none.db"),
    ],
)
def test_what_does_not_go_with_it_is_told(folder: Path, more: list[str], line: str) -> None:
    told = CliRunner().invoke(main, ["run", "--from", "game:1", *more])
    assert told.exit_code == 2
    assert line in told.output
    assert not list(folder.iterdir())


# ------------------------------------------------------------------------------- setting pieces up


@pytest.mark.parametrize("start", [ENDING, "960:0"])
def test_pieces_in_the_box_are_asked_for_and_then_the_game_begins(folder: Path, start: str) -> None:
    begun = run(start, "sim:?pieces=box")
    sim = simulated(begun.opened.board)
    assert sim is not None
    assert sim.pieces == {}
    assert Counter(sim.box) >= Counter(pieces_of(format_fen(begun.start)).values())
    assert len(sim.box) == 32, "a whole set"
    position = begun.start
    san = "Rf6" if start == ENDING else "e4"
    begun.play(san)
    assert isinstance(begun.said[0], Wanted)
    assert [type(action) for action in begun.said].count(Ready) == 1
    assert begun.game == numbered_san(position, moves_of(position, san))


def test_who_is_not_needed_lies_beside_the_board_and_can_be_put_up_later(folder: Path) -> None:
    begun = run(ENDING)
    sim = simulated(begun.opened.board)
    begun.close()
    assert sim is not None
    assert Counter(sim.box) + Counter(sim.pieces.values()) == Counter(pieces_of(START_FEN).values())


def test_the_usual_pieces_may_stand_first_and_who_is_needed_more_is_in_the_box(
    folder: Path,
) -> None:
    begun = run("8/QQ6/8/4k3/8/8/8/4K3 w", "sim:?pieces=start")
    sim = simulated(begun.opened.board)
    assert sim is not None
    assert sim.box == ["Q"]
    view = begun.opened.desk.view
    assert begun.opened.desk.session.phase.kind is GamePhase.SETUP
    assert view.wanted.bit_count() == 4
    begun.play("Qaa8")
    assert begun.game == "1.Qaa8"
    assert occupancy_of(sim.pieces) != START


# --------------------------------------------------------------------------------- what was cut off


@pytest.mark.parametrize(("start", "plies"), [(ENDING, "Rf6 Ra1"), ("960:0", "f4 f5 Nf3")])
def test_a_game_that_was_cut_off_goes_on_but_not_with_another_start(
    folder: Path, start: str, plies: str
) -> None:
    first = run(start)
    first.play(plies)
    for again in (None, start):
        begun = run(again)
        assert begun.game == first.game
        assert begun.start == first.start
        begun.close()
    other = run("960:1")
    assert other.game == ""
    assert other.start == start_position(1)
    other.close()


def test_a_castling_of_chess960_goes_on_after_a_power_cut(folder: Path) -> None:
    run("960:96").play("f4 f5 Ng3 Ng6 O-O")
    begun = run(None, "sim:?pieces=box")
    begun.play("O-O d4")
    assert begun.game.endswith("O-O O-O 4.d4")


# -------------------------------------------------------------------------------- what cannot be so


def test_somebody_at_a_screen_is_shown_what_cannot_be(folder: Path) -> None:
    begun = run(PAWN_ON_8, is_watched=True)
    desk = begun.opened.desk
    assert [problem.squares for problem in desk.view.problems] == [1 << 56]
    sim = simulated(begun.opened.board)
    assert sim is not None
    assert sim.pieces == pieces_of(PAWN_ON_8)
    assert [square for square in EVERY_SWITCH if any(desk.frame(0)[square])] == [56]
    begun.close()
    with pytest.raises(ConfigError, match="no pawn can stand on a8"):
        run(PAWN_ON_8)


# --------------------------------------------------------------- of an opponent that is not there


@pytest.mark.parametrize(
    ("opponent", "control", "goes_on"),
    [
        (None, "none", True),
        (Chosen(WHITE, "engine:own?level=1"), "none", True),
        (Chosen(BLACK, "engine:own?level=1"), "none", False),
        (Chosen(WHITE, "engine:own?level=2"), "none", False),
        (None, "5+3", False),
    ],
)
def test_before_its_first_ply_only_a_game_as_it_is_wished_goes_on(
    folder: Path, opponent: Chosen | None, control: str, goes_on: bool
) -> None:
    store = Store(folder / "games.db", wall_ms)
    opposed = Noted(0, Opposed("white", "engine:own?level=1"))
    store.add([Noted(0, Begun(START_FEN, {})), opposed, Noted(0, Owing(9, 0, "d2d4"))])
    store.close()
    settings = Settings(clock=ClockSettings(control=control))
    begun = run(None, record=store.path, settings=settings, opponent=opponent)
    away = begun.opened.desk.session.away
    begun.close()
    assert (away.replied is not None) is goes_on
    assert (away.chosen is not None) is goes_on
