"""The Debian package under a real systemd: installed, played on, upgraded, removed and purged."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from release.chroots import native
from release.deb import deb
from release.kept import CannotError
from tests.service.container import ROOT, SUITE, Machine, machine_with

pytestmark = pytest.mark.release

CONFIG, STATE = "/etc/boardfw/boardfw.toml", "/var/lib/boardfw"
PLACE = "/srv/deb"
INSTALL = f"dpkg --force-confdef --install {PLACE}/*.deb"
INSTALL_S = 1200
"""Some 1,700 files of Python are compiled then, on a machine that may be busy."""
OF_HAND = "/usr/local/lib/systemd/system/boardfw.service"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine on which nothing is installed yet; it sees the package."""
    named = os.environ.get("BOARDFW_DEB")
    try:
        package = ROOT / named if named else deb(SUITE, native())
    except CannotError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("deb")
    (folder / package.name).write_bytes(package.read_bytes())
    with machine_with({folder: PLACE}) as there:
        yield there


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
    asking = "from urllib.request import urlopen as o; print(o('http://127.0.0.1:8080').read())"
    assert "<html" in board.run(f'/usr/lib/boardfw/bin/python3 -c "{asking}"')


def test_an_upgrade_keeps_settings_and_goes_on(board: Machine) -> None:
    board.write(CONFIG, '[board]\nurl = "sim:?seed=7"\n')
    before = board.property("MainPID")
    board.run(INSTALL, INSTALL_S)
    assert board.property("ActiveState") == "active"
    assert board.property("MainPID") != before
    assert "sim:?seed=7: all switches can be read" in board.run("boardfw status")


def test_removed_it_leaves_settings_and_games_and_purged_nothing(board: Machine) -> None:
    board.run(f"mkdir -p {STATE}/games && touch {STATE}/games/mine.pgn")
    board.run("dpkg --remove boardfw")
    assert board.tried("systemctl is-active boardfw boardfw-web.socket").returncode != 0
    board.run(f"test -e {STATE}/games/mine.pgn -a -e {CONFIG}")
    assert board.tried("ls /usr/lib/boardfw /usr/bin/boardfw").stdout == ""
    board.run(INSTALL, INSTALL_S)
    assert "sim:?seed=7" in board.run("boardfw status")
    board.run("dpkg --purge boardfw")
    assert board.tried(f"ls {STATE} /etc/boardfw").stdout == ""
    elsewhere = " ".join(f"-not -path '/{at}/*'" for at in ("srv", "proc", "run", "sys", "var/log"))
    assert board.run(f"find / -xdev -name '*boardfw*' {elsewhere}") == ""
