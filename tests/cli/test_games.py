"""``boardfw games``: what an owner types, and what comes of it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from boardfw.shell.store.record_writer import RunRecord
from tests.shell.store.test_game_store import E4_E5
from tests.sizes import sized

EVENINGS = Path(__file__).with_name("evenings.pgn")
OLD = Path(__file__).parents[1] / "shell/store/version-1.db"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


@pytest.fixture
def kept() -> Path:
    """Three games that were played here."""
    record = Path("games/boardfw.db")
    record.parent.mkdir()
    record.write_bytes(OLD.read_bytes())
    return record


def boardfw(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["games", *arguments])


def said(*arguments: str) -> str:
    result = boardfw(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: str) -> str:
    """The one line that is said of a mistake."""
    result = boardfw(*arguments)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    (line,) = result.output.splitlines()
    return line


def test_a_list_has_a_line_for_each_game(kept: Path) -> None:
    assert [" ".join(line.split()) for line in said("list").splitlines()] == [
        "1 2025-11-05 Anna - Ben 1-0 33 1.e4 e5 2.Nf3 d6 3.d4 Bg4 4.dxe5 Bxf3",
        "2 2025-11-05 Jürgen - Zoë 0-1 2 1...Ke7 2.e4",
        "3 2025-11-05 Anna - Ben * 3 1.e4 c5 2.Nf3",
    ]


def test_a_list_as_json_has_an_object_for_each_game(kept: Path) -> None:
    (game,) = map(json.loads, said("list", "--json", "--result", "0-1").splitlines())
    assert game == {
        "number": 2,
        "date": "2025-11-05",
        "white": "Jürgen",
        "black": "Zoë",
        "result": "0-1",
        "plies": 2,
        "first_moves": "1...Ke7 2.e4",
        "opening": "",
    }


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        (["--player", "jürg"], [2]),
        (["--date", "2025-11"], [1, 2, 3]),
        (["--date", "..2024"], []),
        (["--moves", "e4"], [1, 3]),
        (["--moves", "e2e4 c7c5"], [3]),
        (["--position", "8/4k3/8/8/8/8/4P3/4K3 w"], [2]),
        (["--result", "*", "--player", "anna"], [3]),
        (["--opening", "B90"], []),
    ],
)
def test_games_are_found_and_exported_alike(
    kept: Path, asked: list[str], numbers: list[int]
) -> None:
    result = boardfw("list", *asked)
    assert result.exit_code == 0
    assert [int(line.split()[0]) for line in result.stdout.splitlines()] == numbers
    if numbers:
        assert said("export", *asked) == said("export", *map(str, numbers))
    else:
        assert result.stderr == f"{kept.absolute()}: no matching games (3 in the database)\n"
        assert "nothing was written" in refused("export", *asked)


def test_long_names_are_shortened_and_the_columns_stay(kept: Path) -> None:
    said("tag", "1", f"White={'W' * 40}", f"Black={'B' * 40}")
    first, second, _ = said("list").splitlines()
    assert f"{'W' * 17}… - {'B' * 17}…" in first
    assert first.rindex("1-0") == second.rindex("0-1")


def test_a_game_is_shown_with_what_was_taken_back_and_the_board_at_its_end(kept: Path) -> None:
    text = said("show", "1")
    assert '[White "Anna"]\n' in text
    assert "2. Nf3 d6 {taken back: 3.d4} 3. d4" in text
    assert "\ncheckmate\n" in text
    assert "8  .  n  .  R  k  b  .  r" in text
    assert "1  :  .  K  .  :  .  :  ." in text
    assert "\x1b" not in text


def test_the_board_is_shown_after_any_ply(kept: Path) -> None:
    assert "after ply 1, 1.e4\n" in said("show", "1", "--ply", "1")
    assert "4  .  :  .  :  P  :  .  :" in said("show", "1", "--ply", "1")
    assert "1  R  N  B  Q  K  B  N  R" in said("show", "1", "--ply", "0")
    assert refused("show", "1", "--ply", "34") == "--ply 34: the plies of game 1 are 1 to 33"


def test_an_export_replaces_no_file_unless_it_is_told_to(kept: Path) -> None:
    result = boardfw("export", "1", "3", "--out", "some.pgn")
    assert (result.exit_code, result.stdout) == (0, "")
    assert Path("some.pgn").read_text("utf-8") == said("export", "1", "3")
    assert refused("export", "2", "--out", "some.pgn") == (
        "some.pgn: is there already; name another file, or add --force"
    )
    assert Path("some.pgn").read_text("utf-8") == said("export", "1", "3")
    said("export", "2", "--out", "some.pgn", "--force")
    assert Path("some.pgn").read_text("utf-8") == said("export", "2")
    before = kept.read_bytes()
    assert "is the database itself" in refused("export", "--all", "--force", "--out", str(kept))
    assert kept.read_bytes() == before
    assert "there is no game 4" in refused("export", "4", "--out", "other.pgn")
    assert not Path("other.pgn").exists()


@pytest.mark.parametrize(
    "given", [[], ["1", "--all"], ["1", "--player", "x"], ["--all", "--date", "2"]]
)
def test_an_export_says_which_games_it_wants_to_be_told(kept: Path, given: list[str]) -> None:
    assert refused("export", *given).startswith("which games? give either numbers, or filters")


def test_a_tag_is_set_and_taken_away(kept: Path) -> None:
    said("tag", "1", "White=Anna Berg", "Event=", "Annotator=x=y")
    text = said("export", "1")
    assert '[Event "?"]\n' in text
    assert '[White "Anna Berg"]\n' in text
    assert '[Annotator "x=y"]\n' in text
    said("tag", "1", "Annotator=")
    assert "Annotator" not in said("export", "1")
    assert "'White' is not a tag; write NAME=VALUE" in refused("tag", "1", "White")
    assert "the tag Result follows from the game" in refused("tag", "1", "Result=1-0")
    for given, told in (
        ("Whiet=Ann", "did you mean 'White'?"),
        ("black=Ann", "did you mean 'Black'?"),
        ("Date=yesterday", "write 2026.11.28"),
        ("BlackElo=strong", "a number"),
    ):
        assert told in refused("tag", "1", given)
    said("tag", "1", "Date=2026.??.??", "WhiteElo=1500", "Club=Lasker")
    assert "there is no game 9" in refused("tag", "9", "White=Anna")


def test_games_are_deleted_when_that_is_meant(kept: Path) -> None:
    assert refused("delete", "1") == (
        "this needs a confirmation, and there is no terminal to ask at; add --yes"
    )
    assert said("delete", "1", "3", "1", "--yes") == "deleted: 1 3\n"
    assert [line.split()[0] for line in said("list").splitlines()] == ["2"]
    assert "there is no game 1; 1 game is kept there, number 2" in refused("delete", "1", "--yes")


@pytest.mark.both
@pytest.mark.parametrize(("answer", "left"), [("", 3), ("y", 2), ("n", 3)][: sized(1, 3)])
def test_who_sits_at_a_terminal_is_asked(kept: Path, answer: str, left: int) -> None:
    ours, theirs = pty.openpty()
    asked = subprocess.Popen(
        [sys.executable, "-m", "boardfw", "games", "delete", "2"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    os.write(ours, f"{answer}\n".encode())
    out, _ = asked.communicate()
    os.close(ours)
    os.close(theirs)
    assert asked.returncode == 0
    assert "Jürgen - Zoë" in out.decode()
    assert "Delete for good? [y/N]" in out.decode()
    assert len(said("list").splitlines()) == left


@pytest.mark.slow
def test_who_has_seen_enough_is_not_bothered(kept: Path) -> None:
    for _ in range(8):  # more than a pipe holds
        said("import", str(EVENINGS), "--again")
    exporting = subprocess.Popen(
        [sys.executable, "-m", "boardfw", "games", "export", "--all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with exporting:
        assert exporting.stdout is not None
        assert exporting.stderr is not None
        exporting.stdout.readline()
        exporting.stdout.close()
        assert exporting.stderr.read() == b""
    assert exporting.returncode == 141


# --- beside a board that plays


@pytest.fixture
def played(kept: Path) -> Iterator[Path]:
    books = RunRecord(kept.absolute(), lambda: 1_762_340_400_000)
    books._store.add(E4_E5)
    yield kept
    books._store.add([E4_E5[0]._replace(game=1)])
    books.close()


def test_all_but_deleting_what_is_played_works_beside_a_board(played: Path) -> None:
    assert len(said("list").splitlines()) == 4
    assert "1. e4 e5 *" in said("show", "4")
    said("tag", "4", "White=Zoë")
    assert "20 games imported" in said("import", str(EVENINGS))
    assert "game 4 is being played, or was just now" in refused("delete", "4", "--yes")
    assert "deleted: 3 5" in said("delete", "3", "5", "--yes")


# --- what is not there


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["show", "1"],
        ["export", "--all"],
        ["tag", "1", "A=b"],
        ["rule", "1", "1.e4", "--who", "Ann", "--why", "so"],
        ["delete", "1"],
    ],
)
def test_where_no_game_was_kept_yet_a_line_says_so(command: list[str]) -> None:
    assert refused(*command).endswith(
        "games/boardfw.db: no games are kept there yet; play one, import some, or name another "
        "file with --record"
    )
    assert not Path("games").exists()
    RunRecord(Path("empty.db"), lambda: None).close()
    result = boardfw(*command, "--record", "empty.db")
    assert "no games are kept there yet" in result.output
    assert (result.exit_code, len(result.output.splitlines())) == (2 * (command != ["list"]), 1)


def test_the_database_of_the_configuration_is_meant(kept: Path) -> None:
    Path("boardfw.toml").write_text('[record]\ndatabase = "mine.db"\n')
    said("import", str(EVENINGS), "--config", "boardfw.toml")
    assert len(said("list", "--config", "boardfw.toml").splitlines()) == 20
    assert len(said("list", "--record", "mine.db").splitlines()) == 20
    assert len(said("list").splitlines()) == 3
    Path("boardfw.toml").write_text('[record]\ndatabase = ""\n')
    assert "keeps none; name one with --record" in refused("list", "--config", "boardfw.toml")
