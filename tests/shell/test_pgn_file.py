"""The file of the games: whole at every moment, with the names of their openings."""

from __future__ import annotations

import io
import logging
import os
import re
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.notation.pgn import read_games
from boardfw.notation.san import parse_san
from boardfw.rules import Outcome, Position
from boardfw.shell.config import Settings
from boardfw.shell.dates import undated
from boardfw.shell.pgn_file import Pgn, PgnFile
from tests.patience import PATIENCE_S


def record(moves: str, start: Position | None = None) -> Record:
    kept = Record(start or Position.start(), 0)
    position, played = kept.start, []
    for word in moves.split():
        played.append(parse_san(position, word))
        position = position.play(played[-1])
    Recorder(kept).change(1, tuple(played))
    return kept


def pgn(*games: Record) -> str:
    return Pgn(Settings(), undated).text(games)


def test_the_tags_are_read_back_by_us_and_by_the_oracle() -> None:
    text = pgn(record("d4 Nf6 c4 g6 Nc3 d5"))
    (ours,) = read_games(text.splitlines())
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    for tags in (ours.tags, theirs.headers):
        assert (tags["ECO"], tags["Opening"]) == ("D80", "Grünfeld Defence")
        assert [*tags][7:] == ["ECO", "Opening"], "after the roster, in order"


def test_a_game_without_a_name_has_no_tags_of_an_opening() -> None:
    assert "[ECO" not in pgn(record(""))
    assert "[Opening" not in pgn(record(""))


def test_the_name_follows_what_is_taken_back() -> None:
    kept = record("e4 c5")
    assert "Sicilian Defence" in pgn(kept)
    Recorder(kept).change(2, kept.moves[:1])
    assert '[Opening "King\'s Pawn Opening"]' in pgn(kept)
    Recorder(kept).change(3, ())
    assert "[Opening" not in pgn(kept)


def test_a_game_from_another_start_is_named_where_it_comes_to_a_named_position() -> None:
    start = record("d4 d5").positions()[-1]
    text = pgn(record("c4", start))
    assert [line.split()[0] for line in text.splitlines()[7:11]] == [
        "[ECO",
        "[FEN",
        "[Opening",
        "[SetUp",
    ]
    assert '[Opening "Queen\'s Gambit"]' in text


def test_each_game_of_a_session_has_its_own_name() -> None:
    first = record("e4 e6")
    first.outcome = Outcome("1-0", "resignation")
    text = pgn(first, record("c4"))
    names = [game.tags["Opening"] for game in read_games(text.splitlines())]
    assert names == ["French Defence", "English Opening"]


def test_a_game_that_goes_on_after_all_is_written_once() -> None:
    first, second = record("e4 e5"), record("d4")
    words = Pgn(Settings(), undated)
    assert words.text([first, second]).count("[Event") == 2
    Recorder(first).change(3, first.moves[:1])
    assert words.text([first]) == pgn(first)


def test_the_file_of_the_games_is_whole_at_every_moment(tmp_path: Path) -> None:
    game = '[Event "{}"]\n[Result "*"]\n\n1. e4 e5 *\n\n'
    texts = [tuple(game.format(n) for n in range(count)) for count in range(1, 101)]
    path = tmp_path / "games.pgn"
    pgn = PgnFile(path)
    pgn.start()
    seen = set()
    for text in texts:
        pgn.put(text)
        if path.exists():
            seen.add(path.read_text())
    pgn.stop()
    assert path.read_text() == "".join(texts[-1])
    assert seen <= {"".join(text) for text in texts}
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


GAMES = st.lists(st.text("ab 1\n♜", max_size=40), max_size=4).map(tuple)


@given(st.lists(st.tuples(GAMES, st.sampled_from(["", "gone", "other", "longer"])), max_size=12))
def test_whatever_becomes_of_the_games_the_file_has_them(
    steps: list[tuple[tuple[str, ...], str]],
) -> None:
    with TemporaryDirectory() as folder:
        pgn = PgnFile(Path(folder) / "games.pgn")
        for texts, mishap in steps:
            pgn.write(texts)
            # Line feeds at the end of a PGN mean nothing, and are gone after the stop.
            assert pgn.path.read_text().rstrip("\n") == "".join(texts).rstrip("\n")
            if mishap == "gone":
                pgn.path.unlink()
            elif mishap == "other":
                (pgn.path.with_name("other")).write_text("of somebody else")
                pgn.path.with_name("other").replace(pgn.path)
            elif mishap == "longer":
                with pgn.path.open("a") as file:
                    file.write("of somebody else")
        if steps:
            pgn.write(steps[-1][0])
            pgn.start()
            pgn.stop()
            assert pgn.path.read_text() == "".join(steps[-1][0])


def test_a_ply_late_in_the_evening_costs_what_the_first_one_did(tmp_path: Path) -> None:
    pgn = PgnFile(tmp_path / "games.pgn")
    over = tuple(f'[Event "{n}"]\n\n{"1. e4 e5 " * 100}*\n\n' for n in range(900))
    pgn.write(over)
    before = written()
    for plies in range(100):
        pgn.write((*over, f'[Event "900"]\n\n{"1. e4 e5 " * plies}*\n\n'))
    assert written() - before < 100 * 100
    assert pgn.path.read_text().startswith("".join(over))


def written() -> int:
    """Bytes that this process has handed to the system."""
    found = re.search(r"^wchar: (\d+)$", Path("/proc/self/io").read_text(), re.MULTILINE)
    assert found
    return int(found[1])


HEAD = '[Event "?"]\n[Result "*"]\n\n'


def test_a_game_that_goes_on_after_a_restart_goes_on_in_its_file(tmp_path: Path) -> None:
    over = HEAD.replace("*", "1-0") + "1. f3 e5 2. g4 Qh4# 0-1\n\n"
    first = PgnFile(tmp_path, lambda: "undated")
    first.write((over, f"{HEAD}1. e4 *\n\n"))
    for plies in ("1. e4", "1. e4 e5", "1. e4 e5 2. Nf3"):  # a kill may come before the file is
        again = PgnFile(tmp_path, lambda: "undated", goes_on=True)
        again.write((f"{HEAD}{plies} *\n\n",))
        again.write((f"{HEAD}{plies} 1-0\n\n", f"{HEAD}1. d4 *\n\n"))
        again.write((f"{HEAD}{plies} *\n\n",))
        assert [file.name for file in tmp_path.iterdir()] == ["undated.pgn"]
        assert again.path.read_text().rstrip() == f"{over}{HEAD}{plies} *"


@pytest.mark.parametrize("plies", ["1. d4 *", "1. e4 c5 2. d4 *", "1. e4 e5 2. Nf3 1-0"])
def test_no_other_game_is_written_over(tmp_path: Path, plies: str) -> None:
    first = PgnFile(tmp_path, lambda: "undated")
    first.write((f"{HEAD}{plies}\n\n",))
    (tmp_path / "older.pgn").write_text(f"{HEAD}1. e4 e5 *\n\n")
    os.utime(tmp_path / "older.pgn", (0, 0))
    again = PgnFile(tmp_path, lambda: "undated", goes_on=True)
    again.write((f"{HEAD}1. e4 e5 2. Nf3 *\n\n",))
    assert again.path.name == "undated-2.pgn"
    assert first.path.read_text() == f"{HEAD}{plies}\n\n"


def test_what_a_full_disk_refused_is_told_once_and_written_in_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = threading.Event()

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.set()

    log = logging.getLogger("boardfw.shell.outbox")
    handler = Told()
    log.addHandler(handler)
    (tmp_path / "later").touch()  # it is no directory yet
    pgn = PgnFile(tmp_path / "later" / "games.pgn")
    pgn.start()
    pgn.put(("first",))
    assert told.wait(PATIENCE_S)
    pgn.put(("last",))
    (tmp_path / "later").unlink()
    pgn.stop()
    log.removeHandler(handler)
    assert pgn.path.read_text() == "last"
    assert [r.levelname for r in caplog.records] in (["ERROR"], ["ERROR", "WARNING"])


def test_a_file_that_can_never_be_written_does_not_hang(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "none").touch()
    pgn = PgnFile(tmp_path / "none" / "games.pgn")
    pgn.start()
    pgn.put(("text",))
    pgn.stop()
    assert len(caplog.records) == 1
