"""The installed service under a real systemd: a game, a hang, mistakes, upgrades."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from tests.service.container import INSTALL, SOURCES, Machine, machine
from tests.service.upgrades import CONFIG, OPT, PROGRAM, RECORD, lay_environment, lay_sources

pytestmark = pytest.mark.slow

MATE = "1. f3 e5 2. g4 Qh4# 0-1"
GAMES = "/var/lib/boardfw/games"
RECORDING = "/etc/boardfw/game.trace.jsonl"
UNIT = "/usr/local/lib/systemd/system/boardfw.service"
SPOILING = "PRAGMA user_version = 99"


@pytest.fixture(scope="module")
def there() -> Iterator[Machine]:
    """A machine for all tests of this file that run in one process."""
    with machine() as one:
        yield one


@pytest.fixture
def board(there: Machine) -> Machine:
    """The same, whatever the test before left: installed from here, and a simulated board plays."""
    there.run(f"cd {SOURCES} && {INSTALL}")
    play_on(there, "sim:")
    there.run("systemctl reset-failed && systemctl restart boardfw")
    return there


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What simulated hands did to the switches in a short game."""
    folder = tmp_path_factory.mktemp("hands")
    (folder / "mate.pgn").write_text(f"{MATE}\n")
    options = {"--play": "mate.pgn", "--hands": "club", "--pgn": "out.pgn", "--trace": "trace"}
    options["--record"] = "games.db"
    words = [str(folder / w) if "." in w or w == "trace" else w for o in options.items() for w in o]
    assert CliRunner().invoke(main, ["run", *words]).exit_code == 0
    return (folder / "trace").read_text()


def play_on(board: Machine, url: str) -> None:
    """Let this be the board from the next start on."""
    board.write(CONFIG, f'[board]\nurl = "{url}"\n')


def newest_game(board: Machine) -> str:
    return board.run(f"cat $(ls -t {GAMES}/*.pgn | head -n 1)")


def test_what_is_installed_is_sound(board: Machine) -> None:
    verified = board.tried("systemd-analyze verify --man=no --root=/ boardfw.service")
    assert (verified.stdout, verified.stderr, verified.returncode) == ("", "", 0)
    rights = "systemd-analyze security --no-pager --offline=true --root=/ --threshold=6"
    board.run(f"{rights} boardfw.service")
    assert board.property("ActiveState") == "active"
    assert set(board.run("id -Gn boardfw").split()) == {"boardfw", "i2c", "spi", "gpio"}
    assert board.run("boardfw --version").startswith("boardfw, version ")


def test_to_install_again_changes_nothing(board: Machine) -> None:
    play_on(board, "sim:?seed=7")
    process = board.property("MainPID")
    said = board.run(f"cd {SOURCES} && {INSTALL}").splitlines()
    assert said == [f"kept {CONFIG}", "boardfw.service runs, and is up to date"]
    assert board.property("MainPID") == process
    assert "sim:?seed=7" in board.run(f"cat {CONFIG}")


def test_a_game_is_recorded_and_a_scan_that_hangs_is_ended(board: Machine, recording: str) -> None:
    board.write(RECORDING, recording)
    play_on(board, f"replay:{RECORDING}")
    before = board.now()
    board.run("systemctl restart boardfw")
    board.heard("2...Qh4#", before)
    board.heard("0-1 (checkmate)", before)

    board.run("id owner || { useradd owner && useradd guest; }")
    installing = board.run(f"cd {SOURCES} && SUDO_USER=owner {INSTALL}")
    assert "owner may read the games from the next login on (group boardfw)\n" in installing
    game = board.run(f"ls -t {GAMES}/*.pgn | head -n 1").strip()
    assert "Qh4# 0-1" in board.run(f"setpriv --reuid=owner --init-groups cat {game}")
    assert board.tried(f"setpriv --reuid=guest --init-groups cat {game}").returncode != 0

    before = board.now()
    play_on(board, "sim:?hang_s=1")
    board.run("systemctl restart boardfw")
    play_on(board, f"replay:{RECORDING}")  # which is what it comes back to by itself
    said = board.heard("0-1 (checkmate)", before)
    assert "boardfw.service: Watchdog timeout (limit 10s)!" in said
    assert any("hardware/sim/board.py" in line for line in said), "where did it hang?"
    assert said.count("2...Qh4#") == 1
    assert (board.property("ActiveState"), board.property("NRestarts")) == ("active", "1")
    assert "Qh4# 0-1" in newest_game(board)
    assert "Qh4# 0-1" in board.run(f"cat {game}")


def test_a_game_goes_on_after_a_scan_that_hung(board: Machine) -> None:
    record = f"{GAMES}/boardfw.db"
    board.write("/etc/boardfw/half.pgn", "1. e4 e5 2. Nf3 *\n")
    board.run("systemctl stop boardfw")
    board.run(
        "setpriv --reuid=boardfw --regid=boardfw --init-groups boardfw run --speed max"
        f" --play /etc/boardfw/half.pgn --record {record} --pgn {GAMES}/half.pgn"
    )
    before = board.now()
    play_on(board, "sim:?hang_s=1")
    board.run("systemctl restart boardfw")
    play_on(board, "sim:")
    board.heard("Watchdog timeout", before)
    board.heard("the game goes on after 2.Nf3: Black to move", board.now())
    # Whether the run that hung came to write that it went on depends on how busy the machine is.
    kept = "SELECT count(DISTINCT game) FROM entries"
    asking = f"import sqlite3; print(*sqlite3.connect({record!r}).execute({kept!r}))"
    assert board.run(f"{OPT}/current/bin/python -c {quote(asking)}") == "(1,)\n"


def test_a_mistake_in_the_settings_is_said_once_and_waits_for_somebody(board: Machine) -> None:
    before = board.now()
    board.write(CONFIG, "[recrod]\n")
    assert board.tried("systemctl restart boardfw").returncode != 0
    states = [board.property(name) for name in ("ActiveState", "ExecMainStatus", "NRestarts")]
    assert states == ["failed", "2", "0"]
    board.heard(f"{CONFIG}:1: ", before)
    errors = board.run("journalctl -u boardfw -p err -o cat")
    assert f"{CONFIG}:1: unknown section 'recrod'" in errors

    play_on(board, "i2c:reference")  # and no bus is there: it may come
    before = board.now()
    board.tried("systemctl restart boardfw")
    board.heard("restart counter is at 1", before)
    play_on(board, "sim:")
    board.heard("plays on sim:", before)
    # It is heard a moment before it says that it is ready: what is starting is waited for.
    board.run("systemctl start boardfw")
    board.run("systemctl is-active boardfw")


def test_an_upgrade_loses_nothing_whether_it_succeeds_or_not(board: Machine) -> None:
    process, current = board.property("MainPID"), board.run(f"readlink {OPT}/current")
    sources = "/srv/newer"
    lay_sources(board, sources)

    had = board.run(f"ls -A {OPT}")
    board.run(f"sed -i 's/sha256:..../sha256:0000/' {sources}/requirements/run.txt")
    failed = board.tried(f"cd {sources} && {INSTALL}")
    assert failed.returncode != 0
    assert "make install: pip could not install the libraries" in failed.stderr
    assert board.property("MainPID") == process
    assert board.run(f"ls -A {OPT}") == had

    board.run(f"cp {SOURCES}/requirements/run.txt {sources}/requirements")
    migrating = f"import sqlite3; c = sqlite3.connect({RECORD!r}); c.execute({SPOILING!r})"
    bad = f"{migrating}; c.commit(); raise SystemExit(1)"
    board.run(f"echo {quote(bad)} >> {sources}/{PROGRAM}")
    lay_environment(board, sources)
    board.run(f"sed -i 's/^WatchdogSec=10$/WatchdogSec=11/' {sources}/systemd/boardfw.service")
    unit, kept = board.run(f"cat {UNIT}"), board.run(f"boardfw games list --record {RECORD}")
    owner = board.run(f"stat --format='%U %G %a' {RECORD}")
    failed = board.tried(f"cd {sources} && {INSTALL}")
    assert failed.returncode != 0
    assert "the new version does not run: boardfw.service does not start, or" in failed.stderr
    assert ", the old one runs again; look at: journalctl -u boardfw" in failed.stderr
    assert board.run(f"readlink {OPT}/current") == current
    assert board.run(f"cat {UNIT}") == unit
    assert board.property("WatchdogUSec") == "10s"
    assert board.run(f"boardfw games list --record {RECORD}") == kept
    assert board.run(f"stat --format='%U %G %a' {RECORD}") == owner
    board.run("systemctl is-active boardfw")

    board.run(f"cp {SOURCES}/{PROGRAM} {sources}/{PROGRAM}")
    board.run(f"echo '# newer' >> {sources}/{PROGRAM}")
    board.run("useradd --create-home builder")
    at_once = f"({INSTALL} >first && touch a) & (SUDO_USER=builder {INSTALL} >second && touch b)"
    board.run(f"cd {sources} && {{ {at_once}; }}; wait; test -e a -a -e b")
    said = board.run(f"cd {sources} && cat first second").splitlines()
    assert said.count("started boardfw.service") == 1
    newer = board.run(f"readlink {OPT}/current").strip()
    # The one before stays, and none of those that failed.
    assert set(board.run(f"ls -A {OPT}").split()) == {current.strip(), newer, "current"}
    assert set(board.run(f"find {OPT} ! -user root").split()) == set()
    board.run("systemctl is-active boardfw")
    assert board.property("WatchdogUSec") == "11s"


def test_it_goes_without_the_games_unless_they_are_to_go(board: Machine) -> None:
    board.run(f"touch {GAMES}/mine.pgn")  # whether one was played here hangs on other tests
    listing = f"ls {GAMES}/*.pgn {GAMES}/*.db"
    games = board.run(listing)
    uninstall = f"cd {SOURCES} && make --no-print-directory uninstall"
    said = board.run(uninstall)
    assert "stopped and disabled boardfw.service" in said
    assert board.run(listing) == games
    board.run(f"test -e {CONFIG}")
    assert (
        board.run(
            "find / -xdev -name '*boardfw*' -path '/*/lib/*' -not -path '/srv/*'"
            " -not -path '/var/*' -not -path '/proc/*'"
        )
        == ""
    )
    assert board.run(uninstall).splitlines()[-1] == "boardfw was not installed"
    board.run(f"{uninstall} PURGE=1")
    assert board.tried("ls /etc/boardfw /var/lib/boardfw").stdout == ""
    assert board.tried("id boardfw").returncode != 0
