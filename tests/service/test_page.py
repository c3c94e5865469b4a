"""The board's page as a unit of its own, under a real systemd: what it has, and what it has not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from shlex import quote
from typing import Any

import pytest

from tests.service.container import INSTALL, SOURCES, Machine, machine

pytestmark = pytest.mark.slow

PAGE, SOCKET = "boardfw-web.service", "boardfw-web.socket"
ADDRESS = "http://127.0.0.1:8080"
PYTHON = "/opt/boardfw/current/bin/python"
RECORD = "/var/lib/boardfw/games/boardfw.db"
ASK = """
import json, sys, urllib.error, urllib.request
method, path, body, cookie = sys.argv[1:]
headers = {"Origin": "ADDRESS", "X-Boardfw": "1", "Content-Type": "application/json"}
headers |= {"Cookie": cookie} if cookie else {}
sent = body.encode() if body else None
asked = urllib.request.Request("ADDRESS" + path, sent, headers, method=method)
try:
    answer = urllib.request.urlopen(asked, timeout=60)
except urllib.error.HTTPError as error:
    answer = error
print(json.dumps([answer.status, answer.headers["Set-Cookie"], answer.read().decode()]))
""".replace("ADDRESS", ADDRESS)
OUT = """
import socket
try:
    socket.create_connection(("192.0.2.1", 80), timeout=5)
except OSError as error:
    print(error.strerror)
"""
KNOCK = """
import socket
asked = socket.socket(socket.AF_UNIX)
asked.connect("/run/boardfw/core.sock")
print(asked.makefile().readline())
"""
# The checkout, which only tests show to the machine, is left out.
# As a process of the unit: where it can write a file, which sockets it reaches, and what it gets
# for a system call that it may not make.
PROBE = """
import json, os, socket, stat, tempfile
writable, sockets = [], []
for place, folders, files in os.walk("/"):
    folders[:] = [one for one in folders if os.path.join(place, one) not in LEFT_OUT]
    try:
        tempfile.TemporaryFile(dir=place).close()
        writable.append(place)
    except OSError:
        pass
    for one in (os.path.join(place, file) for file in files):
        try:
            is_socket = stat.S_ISSOCK(os.lstat(one).st_mode)
        except OSError:
            continue
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM) if is_socket else ():
            with socket.socket(socket.AF_UNIX, kind) as asking:
                try:
                    asking.connect(one)
                    sockets.append(one)
                except OSError:
                    pass
try:
    os.sched_setaffinity(0, {0})
    call = "allowed"
except OSError as error:
    call = error.strerror
print(json.dumps({"writable": writable, "sockets": sockets, "call": call}))
""".replace("LEFT_OUT", str(("/proc", "/sys", SOURCES)))


@pytest.fixture(scope="module")
def there() -> Iterator[Machine]:
    """A machine for all tests of this file that run in one process."""
    with machine() as one:
        yield one


@pytest.fixture
def bare(there: Machine) -> Machine:
    """The same with nothing installed, whatever the test before left; pip need not run again."""
    environment = there.run("readlink --canonicalize /opt/boardfw/current").strip()
    there.run(f"cp --archive {environment} /srv/kept")
    there.run(f"cd {SOURCES} && make --no-print-directory uninstall PURGE=1")
    there.run(f"mkdir /opt/boardfw && mv /srv/kept {environment}")
    return there


@pytest.fixture
def board(there: Machine) -> Machine:
    """The same with board and page running."""
    there.run(f"cd {SOURCES} && {INSTALL} WEB=1 && systemctl start boardfw")
    return there


def python(board: Machine, code: str, *words: str, before: str = "") -> str:
    given = " ".join(map(quote, words))
    return board.run(f"{before} {PYTHON} -c {quote(code)} {given}")


def ask(board: Machine, method: str, path: str, body: Any = None, cookie: str = "") -> Any:
    """Status, cookie and JSON of an answer; a browser in there, which waits for the page."""
    sent = "" if body is None else json.dumps(body)
    status, given, text = json.loads(python(board, ASK, method, path, sent, cookie))
    return status, (given or "").partition(";")[0], json.loads(text)


def of_page(board: Machine, name: str) -> str:
    return board.run(f"systemctl show --value --property={name} {PAGE}").strip()


def test_nothing_is_served_unless_it_is_asked_for(bare: Machine) -> None:
    bare.run(f"cd {SOURCES} && {INSTALL}")
    assert bare.tried(f"systemctl is-enabled {SOCKET}").stdout == "disabled\n"
    assert bare.tried(f"systemctl is-active {SOCKET}").stdout == "inactive\n"
    said = bare.run(f"cd {SOURCES} && {INSTALL} WEB=1").splitlines()
    assert any(line.startswith(f"enabled {SOCKET}") for line in said)
    assert bare.run(f"systemctl is-enabled {SOCKET}") == "enabled\n"
    assert of_page(bare, "ActiveState") == "inactive"  # nobody has come yet
    rights = "systemd-analyze security --no-pager --offline=true --root=/ --threshold"
    bare.run(f"{rights}=6 boardfw.service && {rights}=2 {PAGE}")


def test_a_browser_plays_on_a_board_that_is_apart(board: Machine) -> None:
    assert ask(board, "GET", "/api/v1/session")[2]["claimed"] is False
    as_board = "setpriv --reuid=boardfw --regid=boardfw --init-groups"
    link = board.run(f"{as_board} boardfw pair --record {RECORD}")
    code = {"code": link.strip().rpartition("#")[2], "name": "a browser"}
    status, cookie, session = ask(board, "POST", "/api/v1/pair", code)
    assert (status, session["role"]) == (200, "owner")
    for act in ({"lift": "e2"}, {"drop": "e4"}):
        status, _, told = ask(board, "POST", "/api/v1/hand", act, cookie)
        assert (status, told["text"]) == (200, "")
    before = board.property("MainPID"), board.property("NRestarts")
    for _ in range(5):
        killed = of_page(board, "MainPID")
        board.run(f"kill -9 {killed}")
        status, _, state = ask(board, "GET", "/api/v1/state", cookie=cookie)
        assert (status, [ply[0] for ply in state["game"]["plies"]]) == (200, ["e2e4"])
        assert of_page(board, "MainPID") != killed
    assert (board.property("MainPID"), board.property("NRestarts")) == before

    board.run("systemctl stop boardfw")
    status, _, told = ask(board, "GET", "/api/v1/state", cookie=cookie)
    assert (status, bool(told["remedy"])) == (503, True)
    assert of_page(board, "ActiveState") == "active"
    board.run("systemctl start boardfw")
    status, _, state = ask(board, "GET", "/api/v1/state", cookie=cookie)
    assert (status, [ply[0] for ply in state["game"]["plies"]]) == (200, ["e2e4"])


def test_the_page_has_no_way_out_no_device_and_no_game(board: Machine) -> None:
    assert ask(board, "GET", "/api/v1/session")[0] == 200  # from now on it runs
    process = of_page(board, "MainPID")
    assert board.run(f"stat --format=%U /proc/{process}").strip() == "boardfw-web"
    inside = f"nsenter --target={process} --net --mount"
    assert python(board, OUT, before=inside).strip() == "Network is unreachable"
    devices = board.run(f"{inside} ls /dev").split()
    assert not [name for name in devices if name.startswith(("i2c", "spi", "gpio", "mem", "sd"))]
    as_page = f"{inside} setpriv --reuid=boardfw-web --regid=boardfw-web --clear-groups"
    assert board.tried(f"{as_page} ls /var/lib/boardfw").returncode != 0
    assert board.tried(f"{as_page} touch /etc/x /run/boardfw/x /opt/boardfw/x").returncode != 0
    # The board itself hears nobody but this user.
    assert "hello" in python(board, KNOCK, before=as_page)
    board.run("useradd guest")
    assert "403" in python(board, KNOCK, before="setpriv --reuid=guest --clear-groups")
    leader = board.property("MainPID")
    out = python(board, OUT, before=f"nsenter --target={leader} --net")
    assert out.strip() == "Network is unreachable"


def probed(board: Machine, unit: str) -> dict[str, Any]:
    """What a process of this unit finds, which systemd starts just before the unit's own."""
    folder = f"/run/systemd/system/{unit}.d"
    board.write("/etc/boardfw/probe.py", PROBE)
    board.run(f"mkdir -p {folder}")
    board.write(f"{folder}/probe.conf", f"[Service]\nExecStartPre={PYTHON} /etc/boardfw/probe.py\n")
    board.run(f"systemctl daemon-reload && systemctl restart {unit}")
    board.run(f"rm -r {folder} /etc/boardfw/probe.py && systemctl daemon-reload")
    said = board.run(f"journalctl --unit={unit} --output=cat --grep='^.\"writable' --lines=1")
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.parametrize("unit", ["boardfw.service", PAGE])
def test_a_unit_writes_and_asks_only_where_the_document_says(board: Machine, unit: str) -> None:
    board.run(f"systemctl start {SOCKET}")
    found = probed(board, unit)
    own = {"/var/lib/boardfw", "/run/boardfw"} if unit != PAGE else set()
    places = {one for one in found["writable"] if not one.startswith("/var/lib/boardfw/")}
    assert places == {"/tmp", "/var/tmp"} | own  # both of them are its own
    assert ("/run/dbus/system_bus_socket" in found["sockets"]) == (unit != PAGE)
    assert found["call"] == "Operation not permitted"
    board.run(f"systemctl is-active {unit}")


def test_the_page_goes_with_the_board(board: Machine) -> None:
    said = board.run(f"cd {SOURCES} && make --no-print-directory uninstall PURGE=1")
    assert f"removed /usr/local/lib/systemd/system/{SOCKET}" in said
    assert board.tried(f"systemctl is-active {SOCKET} {PAGE}").stdout == "inactive\n" * 2
    assert board.tried("id boardfw-web").returncode != 0
