"""The Debian package under a real systemd: installed, played on, upgraded, removed and purged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

import pytest

from release.chroots import native
from release.deb import deb
from release.kept import CannotError
from tests.service.container import ROOT, SUITE, Machine, machine_with, prepared
from tests.service.upgrades import (
    ASKING,
    CELLS,
    CONFIG,
    GOOD,
    KINDS,
    RECORD,
    Upgrades,
    machines,
    play_half_a_game,
)

pytestmark = pytest.mark.release

STATE = "/var/lib/boardfw"
PLACE = "/srv/deb"
INSTALL = f"dpkg --force-confdef --install {PLACE}/boardfw.deb"
LINK, TRIAL = "/usr/lib/boardfw-current", "/var/lib/boardfw-trial/trial.json"
UNIT = "/usr/lib/systemd/system/boardfw.service"
PAGE_UNITS = "boardfw-web.socket boardfw-web.service"
INSTALL_S = 1200
"""Some 1,700 files of Python are compiled then, on a machine that may be busy."""
OF_HAND = "/usr/local/lib/systemd/system/boardfw.service"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the package is boardfw.deb."""
    named = os.environ.get("BOARDFW_DEB")
    try:
        built = ROOT / named if named else deb(SUITE, native())
    except CannotError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("deb")
    shutil.copy(built, folder / "boardfw.deb")
    return folder


@pytest.fixture(scope="module")
def board(package: Path) -> Iterator[Machine]:
    """A machine on which nothing is installed yet; it sees the package."""
    with machine_with({package: PLACE}) as there:
        yield there


@pytest.fixture
def playing(board: Machine) -> Machine:
    """The same with the package as it was built, its page on, and a simulated board that plays."""
    board.run(INSTALL, INSTALL_S)
    board.run("systemctl enable --now boardfw-web.socket && systemctl start boardfw")
    return board


def newer(package: Path, name: str, code: str) -> str:
    """Make a newer package with code added to the program; return the command to install it."""
    work = package / name
    subprocess.run(["dpkg-deb", "-R", package / "boardfw.deb", work], check=True)
    control = work / "DEBIAN/control"
    text = control.read_text("utf-8")
    control.write_text(re.sub(r"(?m)^(Version: .*)$", rf"\1+{name}", text), "utf-8")
    (program,) = work.glob("usr/lib/boardfw/lib/python3*/site-packages/boardfw/cli/run_game.py")
    program.write_text(f"{program.read_text('utf-8')}\n{code}\n", "utf-8")
    for unit in work.rglob("boardfw.service"):
        unit.write_text(f"{unit.read_text('utf-8')}# {name}\n", "utf-8")
    subprocess.run(["dpkg-deb", "-Znone", "-b", work, package / f"{name}.deb"], check=True)
    shutil.rmtree(work)
    return f"dpkg --force-confdef --install {PLACE}/{name}.deb"


def seen(board: Machine) -> dict[str, str]:
    """What an owner has: a board that plays, its games, its settings, its page."""
    board.run(f"while test -e {TRIAL}; do sleep 0.2; done", INSTALL_S)
    return {
        "state": board.run("systemctl is-active boardfw boardfw-web.socket"),
        "unit": board.run(f"cat {UNIT}"),
        "games": board.run(f"boardfw games list --record {RECORD}"),
        "settings": board.run(f"cat {CONFIG}"),
        "page": board.run(f"{LINK}/bin/python3 -c {quote(ASKING)}"),
    }


@pytest.fixture(scope="module")
def upgrades(package: Path) -> Iterator[Upgrades]:
    """Machines on which the package is installed, and newer ones for each of them."""
    commands = {
        kind: newer(package, f"v{at}", code) for at, (kind, code) in enumerate(KINDS.items())
    }

    def install(board: Machine) -> None:
        board.run(INSTALL, INSTALL_S)
        play_half_a_game(board)

    with (
        prepared({package: PLACE}, install) as over,
        machines(over, {package: PLACE}) as started,
    ):
        yield Upgrades(started, LINK, commands)


@pytest.mark.parametrize(("kind", "point"), CELLS)
def test_after_an_upgrade_the_board_plays_as_before(
    upgrades: Upgrades, kind: str, point: int | None
) -> None:
    upgrades.make(kind, point)


def locked_libraries(name: str) -> set[str]:
    text = Path(ROOT, f"requirements/{name}.txt").read_text("utf-8")
    return set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))


def test_it_wants_to_be_alone(board: Machine) -> None:
    board.run(f"mkdir -p $(dirname {OF_HAND}) && touch {OF_HAND}")
    refused = board.tried(INSTALL, INSTALL_S)
    assert refused.returncode != 0
    assert "first 'sudo make uninstall', which keeps settings and games" in refused.stderr
    board.run(f"rm {OF_HAND}")


def test_installed_it_plays(board: Machine) -> None:
    board.run(INSTALL, INSTALL_S)
    assert board.property("ActiveState") == "active"
    assert set(board.run("id -Gn boardfw").split()) == {"boardfw", "i2c", "spi", "gpio"}
    status = board.run("boardfw status")
    assert re.match(r"boardfw \d+\.\d+\.\d+ plays", status)
    assert "sim:: all switches can be read" in status
    units = "boardfw.service boardfw-web.socket"
    verified = board.tried(f"systemd-analyze verify --man=no --root=/ {units}")
    assert (verified.stdout, verified.stderr, verified.returncode) == ("", "", 0)
    board.run("useradd --create-home --home-dir /srv/guest guest")
    played = board.run(
        "cd ~guest && setpriv --reuid=guest --regid=guest --clear-groups env HOME=$PWD"
        " boardfw run --play famous --hands club --speed max --pgn famous.pgn && cat famous.pgn"
    )
    assert re.search(r"^1\. \S+ \S+ 2\. ", played, re.MULTILINE)
    assert board.run("find /usr/lib/boardfw ! -user root") == ""
    assert board.run("find /usr/lib/boardfw -name '*.pyc' | head -n 1") != ""


def test_each_library_that_it_brings_has_its_licence(board: Machine) -> None:
    text = board.run("cat /usr/share/doc/boardfw/copyright")
    said = set(re.findall(r"^Comment: (\S+) \d", text, re.MULTILINE))
    assert said == locked_libraries("run") - {"setuptools"}


def test_the_page_is_there_when_it_is_asked_for(board: Machine) -> None:
    assert board.tried("systemctl is-enabled boardfw-web.socket").stdout.strip() == "disabled"
    board.run("systemctl enable --now boardfw-web.socket")
    assert "<html" in board.run(f"{LINK}/bin/python3 -c {quote(ASKING)}")


def test_an_upgrade_keeps_settings_and_page_and_goes_on(playing: Machine, package: Path) -> None:
    board = playing
    board.write(CONFIG, '[board]\nurl = "sim:?seed=7"\n')
    before, had = board.property("MainPID"), seen(board)
    board.run(newer(package, "good", ""), INSTALL_S)
    assert board.property("MainPID") != before
    assert "sim:?seed=7: all switches can be read" in board.run("boardfw status")
    assert seen(board) | {"unit": ""} == had | {"unit": ""}
    assert board.run(f"readlink {LINK}") == "boardfw\n"
    assert board.run(f"tail -n 1 {UNIT}") == "# good\n"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != GOOD])
def test_a_broken_version_leaves_the_old_one_playing(
    playing: Machine, package: Path, kind: str
) -> None:
    board, had = playing, seen(playing)
    told = board.tried(newer(package, f"broken{[*KINDS].index(kind)}", KINDS[kind]), INSTALL_S)
    assert told.returncode != 0
    assert "the new version does not run: " in told.stderr
    assert ", the old one runs again; look at: journalctl -u boardfw" in told.stderr
    assert seen(board) == had
    assert board.run(f"readlink {LINK}") == "boardfw.before\n"
    board.run("systemctl is-active boardfw")


@pytest.mark.parametrize("point", ["unpacking", "switching", "watching"])
def test_after_a_power_cut_in_an_upgrade_the_board_plays(
    playing: Machine, package: Path, point: str
) -> None:
    board, had = playing, seen(playing)
    install = newer(package, f"cut{point}", "")
    board.run(
        f"({install}) >/tmp/said 2>&1 & installing=$!;"
        f" until grep -qs {point} {TRIAL} || ! kill -0 $installing 2>/dev/null; do :; done",
        INSTALL_S,
    )
    board.lose_power()
    assert seen(board) | {"unit": ""} == had | {"unit": ""}
    board.run("dpkg --configure --force-confdef -a || true", INSTALL_S)
    board.run(install, INSTALL_S)
    assert seen(board) | {"unit": ""} == had | {"unit": ""}
    assert board.run(f"readlink {LINK}") == "boardfw\n"


def test_removed_it_leaves_settings_and_games_and_purged_nothing(playing: Machine) -> None:
    board = playing
    assert "<html" in board.run(f"{LINK}/bin/python3 -c {quote(ASKING)}")  # all of it runs
    settings = board.run(f"cat {CONFIG}")
    board.run(f"mkdir -p {STATE}/games && touch {STATE}/games/mine.pgn")
    board.run("dpkg --remove boardfw")
    active = board.tried(f"systemctl is-active boardfw {PAGE_UNITS}").stdout.split()
    assert active == ["inactive"] * 3
    assert "refused" in board.tried(f"python3 -c {quote(ASKING)}").stderr
    board.run(f"test -e {STATE}/games/mine.pgn -a -e {CONFIG}")
    assert board.tried("find /usr/lib/boardfw* /usr/bin/boardfw").stdout == ""
    board.run(INSTALL, INSTALL_S)
    assert board.run(f"cat {CONFIG}") == settings
    # The page was on, and is so again.
    assert "<html" in board.run(f"{LINK}/bin/python3 -c {quote(ASKING)}")
    board.run("dpkg --purge boardfw")
    active = board.tried(f"systemctl is-active boardfw {PAGE_UNITS}").stdout.split()
    assert active == ["inactive"] * 3
    assert "refused" in board.tried(f"python3 -c {quote(ASKING)}").stderr
    assert board.tried(f"ls {STATE} /etc/boardfw").stdout == ""
    elsewhere = " ".join(f"-not -path '/{at}/*'" for at in ("srv", "proc", "run", "sys", "var/log"))
    assert board.run(f"find / -xdev -name '*boardfw*' {elsewhere}") == ""
