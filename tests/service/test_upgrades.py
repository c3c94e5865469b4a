"""Whatever becomes of `sudo make install`, the board plays with its games, settings and page."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

import pytest

from tests.service.container import PIP, ROOT, SOURCES, WHEELS, Machine, prepared, wheels
from tests.service.upgrades import CELLS, KINDS, Upgrades, play_half_a_game

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("upgrades")]  # they share a machine

OPT = "/opt/boardfw"
PARTS = "LICENSE Makefile README.md boardfw docs hardware pyproject.toml requirements systemd"
INSTALL = f"make --no-print-directory install {PIP}"
NAMING = "import environment; print(environment.name_of_new())"


def lay(board: Machine, number: int, code: str) -> str:
    """Lay the sources of a version, and its environment; return the command to install it.

    The environment is the one in use with code added: pip takes minutes, and puts nothing in use.
    """
    sources = f"/srv/version{number}"
    program = "boardfw/cli/run_game.py"
    board.run(
        f"mkdir {sources} && cd {SOURCES} && cp -r {PARTS} {sources} && cd {sources}"
        f" && printf '%s\\n' {quote(code)} '# {number}' >>{program}"
        f" && echo '# {number}' >>systemd/boardfw.service"
        f" && name=$(cd systemd && python3 -B -c {quote(NAMING)})"
        f" && cp --archive --link $(readlink --canonicalize {OPT}/current) {OPT}/$name"
        f' && sed -i "1s|{OPT}/[^/]*/|{OPT}/$name/|" {OPT}/$name/bin/boardfw'
        f" && cp --remove-destination {program} {OPT}/$name/lib/python3*/site-packages/boardfw/cli"
    )
    return f"cd {sources} && {INSTALL}"


@pytest.fixture(scope="module")
def upgrades() -> Iterator[Upgrades]:
    """Machines on which the service is installed."""
    binds = {ROOT: SOURCES, wheels(): WHEELS}
    commands: dict[str, str] = {}

    def install(board: Machine) -> None:
        board.run(f"cd {SOURCES} && {INSTALL}", 3600)
        for number, (kind, code) in enumerate(KINDS.items()):
            commands[kind] = lay(board, number, code)
        play_half_a_game(board)

    with prepared(binds, install) as over:
        yield Upgrades(binds, over, f"{OPT}/current", commands)


@pytest.mark.parametrize(("kind", "point"), CELLS)
def test_after_an_upgrade_the_board_plays_as_before(
    upgrades: Upgrades, kind: str, point: int | None
) -> None:
    upgrades.make(kind, point)
