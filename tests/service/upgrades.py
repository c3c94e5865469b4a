"""Upgrades of a board as its owner makes them, and what has to be there whatever becomes of one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shlex import quote

from tests.service.container import SOURCES, Machine, Shell, machine_with
from tests.service.emulated import disk_of, emulated
from tests.sizes import IS_FULL, is_set

IS_EMULATED = is_set("BOARDFW_EMULATED")
"""True for `make test-machine`."""
LOG = logging.getLogger(__name__)
CONFIG = "/etc/boardfw/boardfw.toml"
STATE = "/var/lib/boardfw-trial"
RECORD = "/var/lib/boardfw/games/boardfw.db"
MIGRATING = (
    f"import sqlite3; c = sqlite3.connect({RECORD!r}); c.execute('PRAGMA user_version = 99')"
)
LOSING = "c.execute('PRAGMA foreign_keys = 0'); c.execute('DELETE FROM games')"
GOOD = "good"
WATCHED_S, DIES_S = (30, 10) if IS_FULL or IS_EMULATED else (9, 3)
"""For how long a new version is watched, and how long some run that are broken."""
HURRYING = f"sed -i 's/^RUNS_S = .*/RUNS_S = {WATCHED_S}/'"
"""Of a watch.py, shortens the trial."""
BROKEN_LATER = f"broken after {DIES_S} s"
KINDS = {
    GOOD: "",
    "broken at start": "raise SystemExit(1)",
    BROKEN_LATER: f"import os, threading; threading.Timer({DIES_S}, os._exit, [1]).start()",
    "broken in its migration": f"{MIGRATING}; {LOSING}; c.commit(); raise SystemExit(1)",
}
"""Versions, and the lines of Python that are added to what ``boardfw run`` imports."""
FULL_DISK = "full disk"
POINTS = 10
ASKING = "from urllib.request import urlopen as o; print(o('http://127.0.0.1:8080').read())"
PATIENCE_S = 1800
TRIAL_ENDED = (
    "systemctl show --value --property=ActiveState boardfw-trial | grep -qx 'inactive\\|failed'"
)
FREE = "df --output=avail --block-size=1 / | tail -n 1"


OPT = "/opt/boardfw"
PROGRAM = "boardfw/cli/run_game.py"
"""What ``boardfw run`` imports."""
PARTS = "LICENSE Makefile README.md boardfw docs hardware pyproject.toml requirements systemd"
NAMING = "import environment; print(environment.name_of_new())"


def lay_sources(board: Machine, folder: str) -> None:
    """Lay the sources of a version, which is watched for a shorter time."""
    board.run(f"mkdir {folder} && cd {SOURCES} && cp -r {PARTS} {folder}")
    board.run(f"{HURRYING} {folder}/systemd/watch.py")


def lay_environment(board: Machine, folder: str) -> None:
    """Lay the environment of these sources, which differ from those in use by PROGRAM alone.

    It is a copy of the one in use: pip takes minutes, and puts nothing in use.
    """
    board.run(
        f"cd {folder} && name=$(cd systemd && python3 -B -c {quote(NAMING)})"
        f" && cp --archive --link $(readlink --canonicalize {OPT}/current) {OPT}/$name"
        f' && sed -i "1s|{OPT}/[^/]*/|{OPT}/$name/|" {OPT}/$name/bin/boardfw'
        f" && cp --remove-destination {PROGRAM} {OPT}/$name/lib/python3*/site-packages/boardfw/cli"
    )


def play_half_a_game(board: Machine) -> None:
    """Let a game be in the record, settings be their owner's, and the page be on."""
    board.write(CONFIG, '[board]\nurl = "sim:?seed=7"\n')
    board.write("/etc/boardfw/half.pgn", "1. e4 e5 2. Nf3 *\n")
    board.run("systemctl enable --now boardfw-web.socket")
    board.run(
        "systemctl stop boardfw && setpriv --reuid=boardfw --regid=boardfw --init-groups"
        f" boardfw run --speed max --play /etc/boardfw/half.pgn --record {RECORD}"
        " --pgn /var/lib/boardfw/games/half.pgn && systemctl start boardfw"
    )


@contextmanager
def machines(
    over: Sequence[Path], binds: Mapping[Path, str]
) -> Iterator[Callable[[], AbstractContextManager[Shell]]]:
    """Yield a function that starts a new machine of these layers: a container or an emulated PC."""
    if IS_EMULATED:
        with disk_of(over, binds) as disk:
            yield partial(emulated, disk)
    else:
        yield partial(machine_with, binds, over)


@dataclass(frozen=True)
class Upgrades:
    """Machines that begin alike, on each of which one upgrade is made."""

    started: Callable[[], AbstractContextManager[Shell]]
    """Starts one of them."""
    link: str
    """The path that leads to the program in use."""
    commands: Mapping[str, str]
    """How each kind of version is installed."""
    measured: dict[str, float] = field(default_factory=dict)
    """How long an upgrade takes, and how much of the disk."""

    def seen(self, board: Shell) -> dict[str, str]:
        """Return what an owner has: a board that plays, its games, its settings, its page."""
        board.run(f"until {TRIAL_ENDED}; do sleep 0.2; done", PATIENCE_S)
        return {
            "state": board.run("systemctl is-active boardfw boardfw-web.socket"),
            "plays": board.run("boardfw status >/dev/null && echo yes"),
            "games": board.run(f"boardfw games list --record {RECORD}"),
            "settings": board.run(f"cat {CONFIG}"),
            "page": board.run(f"{self.link}/bin/python3 -c {quote(ASKING)}"),
        }

    def make(self, kind: str, point: int | None) -> None:
        """Make an upgrade on a machine of its own, and report it."""
        if point is None:
            found = self.undisturbed(kind)
        else:
            found = self.without_room(point) if kind == FULL_DISK else self.killed(kind, point)
        LOG.info("%s %s: %s", kind, point, found)

    def undisturbed(self, kind: str) -> str:
        """Make an upgrade; return how it ended."""
        with self.started() as board:
            before, free = self.seen(board), int(board.run(FREE))
            began = time.monotonic()
            status = board.tried(self.commands[kind], PATIENCE_S).returncode
            self.measured[kind] = time.monotonic() - began
            self.measured[f"{kind}, bytes"] = free - int(board.run(FREE))
            assert self.seen(board) == before
            assert (status == 0) == (kind == GOOD)
        return f"ended with {status} in {self.measured[kind]:.0f} s"

    def killed(self, kind: str, point: int) -> str:
        """Cut the power in an upgrade; return where it was then."""
        after_s = self._measure(kind) * (point + 0.5) / POINTS
        with self.started() as board:
            before = self.seen(board)
            board.run(f"({self.commands[kind]}; echo over) >/tmp/said 2>&1 & sleep {after_s:.1f}")
            at = board.tried(f"cat {STATE}/trial.json").stdout.partition('"step": "')[2]
            at = at.partition('"')[0] or board.run("tail -n 1 /tmp/said").strip() or "nothing yet"
            board.lose_power()
            assert self.seen(board) == before, at
        return f"cut after {after_s:.0f} s, at: {at}"

    def without_room(self, point: int) -> str:
        """Make a good upgrade on a disk that has a part of the room for it; return how it ended."""
        self._measure(GOOD)
        room = int(self.measured[f"{GOOD}, bytes"] * point / POINTS)
        with self.started() as board:
            before = self.seen(board)
            board.run(f"fallocate --length $(($({FREE}) - {room})) /filling")
            status = board.tried(self.commands[GOOD], PATIENCE_S).returncode
            assert self.seen(board) == before
            board.run("rm /filling")
            assert self.seen(board) == before
        return f"{room / 1e6:.0f} MB were free, ended with {status}"

    def _measure(self, kind: str) -> float:
        if kind not in self.measured:
            self.undisturbed(kind)
        return self.measured[kind]


CELLS: list[tuple[str, int | None]] = [(GOOD, None)]
if IS_FULL:
    CELLS = [(kind, point) for kind in KINDS for point in (None, *range(POINTS))]
    CELLS += [(FULL_DISK, point) for point in range(POINTS)]
elif IS_EMULATED:
    CELLS = [(kind, POINTS // 2) for kind in (*KINDS, FULL_DISK)]
"""Kinds of upgrades, and where each is cut off, or how many tenths of its room are free."""
