"""Whatever becomes of `sudo make install`, the board plays with its games, settings and page."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

import pytest

from tests.service.container import INSTALL, Machine, installed, prepared, sources
from tests.service.upgrades import (
    CELLS,
    KINDS,
    OPT,
    PROGRAM,
    Upgrades,
    lay_environment,
    lay_sources,
    machines,
    play_half_a_game,
)

pytestmark = pytest.mark.slow


def lay(board: Machine, number: int, code: str) -> str:
    """Lay a version with code added; return the command to install it."""
    sources = f"/srv/version{number}"
    lay_sources(board, sources)
    board.run(
        f"cd {sources} && printf '%s\\n' {quote(code)} '# {number}' >>{PROGRAM}"
        f" && echo '# {number}' >>systemd/boardfw.service"
    )
    lay_environment(board, sources)
    return f"cd {sources} && {INSTALL}"


@pytest.fixture(scope="module")
def upgrades() -> Iterator[Upgrades]:
    """Machines on which the service is installed."""
    commands: dict[str, str] = {}

    def lay_all(board: Machine) -> None:
        for number, (kind, code) in enumerate(KINDS.items()):
            commands[kind] = lay(board, number, code)
        play_half_a_game(board)

    with (
        prepared(sources(), lay_all, installed()) as over,
        machines(over, {}) as started,
    ):
        yield Upgrades(started, f"{OPT}/current", commands)


@pytest.mark.parametrize(("kind", "point"), CELLS)
def test_after_an_upgrade_the_board_plays_as_before(
    upgrades: Upgrades, kind: str, point: int | None
) -> None:
    upgrades.make(kind, point)
