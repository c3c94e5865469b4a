"""A new version on trial under a real systemd, also where the power fails: a board plays then."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from shlex import quote

import pytest

from tests.service.container import INSTALL, SOURCES, Machine, machine
from tests.service.upgrades import (
    ASKING,
    BROKEN_LATER,
    CONFIG,
    DIES_S,
    GOOD,
    HURRYING,
    KINDS,
    OPT,
    RECORD,
    STATE,
    play_half_a_game,
)

pytestmark = pytest.mark.slow

LINK = f"{OPT}/current"
UNIT = "/usr/local/lib/systemd/system/boardfw.service"
TRIAL = "python3 -E -s -B /usr/local/lib/boardfw/trial.py"
BROKEN = {
    **{kind: code for kind, code in KINDS.items() if kind != GOOD},
    "by itself": f"import os, threading; threading.Timer({DIES_S}, os._exit, [0]).start()",
}
"""Lines of Python that are added to what ``boardfw run`` imports."""


@pytest.fixture(scope="module")
def board() -> Iterator[Machine]:
    """A machine with the service, its page, and a game."""
    with machine() as there:
        there.run(f"cd {SOURCES} && {INSTALL} WEB=1")
        there.run(f"{HURRYING} /usr/local/lib/boardfw/watch.py")
        play_half_a_game(there)
        yield there


NUMBERS = count(1)


def made(board: Machine, code: str) -> str:
    """Lay a version that is as the one in use, with code added; return the command to try it."""
    old, units = board.run(f"readlink {LINK}").strip(), str(Path(UNIT).parent)
    name = f"version{next(NUMBERS)}"
    new, before = f"/tmp/{name}", f"{STATE}/old"
    board.run(
        f"rm -rf {before} && mkdir -p {new}{units} {before}{units}"
        f" && cp --archive --link {OPT}/{old} {OPT}/{name} && cd {OPT}/{name}"
        f" && sed -i '1s|{OPT}/[^/]*/|{OPT}/{name}/|' bin/boardfw"
        f" && for file in lib/python3*/site-packages/boardfw/cli/run_game.py; do"
        f" cp $file new; echo {quote(code)} >>new; mv new $file; done && cd {units}"
        f" && cp boardfw.service boardfw-web.* {before}{units}"
        f" && cp boardfw.service boardfw-web.* {new}{units} && echo '# {name}' >>{new}{UNIT}"
    )
    return f"{TRIAL} {LINK} {old} {name} --files {new}"


def seen(board: Machine) -> dict[str, str]:
    """What an owner has: a board that plays, its games, its settings, its page."""
    board.run(f"while test -e {STATE}/trial.json; do sleep 0.2; done")
    return {
        "state": board.run("systemctl is-active boardfw boardfw-web.socket"),
        "program": board.run(f"readlink {LINK}"),
        "unit": board.run(f"cat {UNIT}"),
        "games": board.run(f"boardfw games list --record {RECORD}"),
        "settings": board.run(f"cat {CONFIG}"),
        "page": board.run(f"{LINK}/bin/python -c {quote(ASKING)}"),
    }


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_version_leaves_everything_as_it_was(board: Machine, kind: str) -> None:
    before = seen(board)
    tried = board.tried(made(board, BROKEN[kind]))
    assert tried.returncode != 0
    assert "the new version does not run: " in tried.stderr
    assert ", the old one runs again; look at: journalctl -u boardfw" in tried.stderr
    assert seen(board) == before


def test_a_good_version_stays(board: Machine) -> None:
    before = seen(board)
    board.run(made(board, ""))
    after = seen(board)
    assert after["unit"] == f"{before['unit']}# {after['program']}"
    assert after | {"program": "", "unit": ""} == before | {"program": "", "unit": ""}


POINTS = ('"switching"', '"watching"', '"failed": 1', '"failed": 2', '"returning"')
REACHED = {
    GOOD: POINTS[1],
    "broken at start": POINTS[1],
    BROKEN_LATER: POINTS[2],
    "by itself": POINTS[1],
    "broken in its migration": POINTS[2],
}
"""Where the power fails without FULL=1."""


@pytest.mark.parametrize("kind", [GOOD, *BROKEN])
def test_after_a_power_cut_in_its_trial_the_machine_comes_back_playing(
    board: Machine, kind: str, *, full: bool
) -> None:
    for point in POINTS if full else (REACHED[kind],):
        before = seen(board)
        trying = made(board, BROKEN.get(kind, ""))
        reached = f"grep -qs {quote(point)} {STATE}/trial.json"
        board.run(
            f"{trying} >/tmp/said 2>&1 & trying=$!;"
            f" until {reached} || ! kill -0 $trying 2>/dev/null; do sleep 0.02; done"
        )
        board.lose_power()
        after = seen(board)
        if kind != GOOD:
            assert after == before, point
        assert after["games"] == before["games"]
        assert after["page"] == before["page"]


def test_a_disk_that_is_full_leaves_everything_as_it_was(board: Machine) -> None:
    before = seen(board)
    trying = made(board, "")
    games = str(Path(RECORD).parent)
    # As large as the games are now, so there is no room for their copy.
    board.run(
        f"systemctl stop boardfw && cp --archive {games} /tmp/games"
        f" && size=$(du -sk {games} | cut -f1)k"
        f" && mount -t tmpfs -o size=$size,uid=boardfw,gid=boardfw games {games}"
        f" && cp --archive /tmp/games/. {games} && systemctl start boardfw"
    )
    tried = board.tried(trying)
    assert "boardfw.db: cannot be copied to " in tried.stderr
    assert seen(board) == before
    board.run(f"systemctl stop boardfw && umount {games} && systemctl start boardfw")
