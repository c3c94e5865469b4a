"""Figures for `make bench`: the memory of a board that plays for hours, with its web app.

The tables of the rules are filled before. They grow for weeks, up to a limit, and would hide a
leak.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from boardfw.services.web.roles import Role
from tests.bench.memory_limit import WHY_NOT, Group, can_limit, limit_of, limited
from tests.bench.page_load import Helper, helper, page_board
from tests.bench.test_bench_page import watch

pytestmark = [pytest.mark.bench, pytest.mark.skipif(not can_limit(), reason=WHY_NOT)]

SPEED = 4
"""Board time runs so many times as fast."""
HZ = 1.0
"""Edges in a second of board time: a ply every two to three seconds, hour after hour."""
BLOCK = 50
MINUTES, MINUTES_FULL = 4, 120
"""Of board time."""
POSITIONS = 150_000
LOOKS_ON = ("", "api/v1/state")
PLAYS = (*LOOKS_ON, "games", "api/v1/games", "api/v1/games.pgn", "api/v1/board/health")
READ = {Role.OWNER: PLAYS, Role.PLAYER: PLAYS, Role.SPECTATOR: LOOKS_ON}
"""The browsers, and what each asks for after each block."""


class Look(NamedTuple):
    """The board after a block: minutes of its time, and the memory of both processes in kB."""

    minutes: float
    board_kb: int
    web_kb: int


def test_bench_hours_of_play_with_three_viewers(tmp_path: Path, full: bool) -> None:
    minutes, looks = MINUTES_FULL if full else MINUTES, list[Look]()
    with ExitStack() as until_end:
        board_group, web_group = (
            until_end.enter_context(limited(name, limit_of(f"{name}.service")))
            for name in ("boardfw", "boardfw-web")
        )
        before_web = f"before-web={json.dumps(web_group.within)}"
        board = until_end.enter_context(
            page_board(
                tmp_path, "board", "apart", f"speed={SPEED}", before_web, before=board_group.within
            )
        )
        viewers = until_end.enter_context(helper(tmp_path / "viewers.log", "page_viewers"))
        print(f"\ntables filled: {board.ask('warm', positions=POSITIONS)['rss_kb']} kB")
        begun = {role: board.ask("begin", role=role.value, count=1) for role in READ}
        for role in READ:
            watch(viewers, board, role, 1)
        for at in play(board, viewers, begun, minutes):
            looks.append(at)
            print(
                f"{at.minutes:6.1f} min, board {at.board_kb} kB, web app {at.web_kb} kB", flush=True
            )
        report(looks, board_group, web_group)


def play(board: Helper, viewers: Helper, begun: dict[Role, Any], minutes: float) -> Iterator[Look]:
    """Let the board be played on until its clock shows so many minutes."""
    at = 0.0
    while at < minutes:
        played = board.ask("play", edges=BLOCK, hz=HZ * SPEED)
        viewers.ask("heard")
        for role, browser in begun.items():
            for path in READ[role]:
                read(browser, path)
        at = played["now_us"] / 60_000_000
        yield Look(at, played["rss_kb"], played["web_kb"])


def read(browser: Any, path: str) -> None:
    """Ask for a page as a browser does."""
    headers = {"Cookie": f"{browser['cookie']}={browser['tokens'][0]}"}
    request = urllib.request.Request(f"{browser['url']}/{path}", headers=headers)
    with urllib.request.urlopen(request) as answer:
        answer.read()


def report(looks: list[Look], board: Group, web: Group) -> None:
    """Print both processes by quarters of the time, and what their groups took."""
    for name, kb in (
        ("board", [look.board_kb for look in looks]),
        ("web app", [look.web_kb for look in looks]),
    ):
        quarters = [kb[min(len(kb) - 1, len(kb) * part // 4)] / 1024 for part in range(5)]
        told = ", ".join(f"{mb:.1f}" for mb in quarters)
        print(f"\n{name}: MB at 0, 1/4, 1/2, 3/4 and 1 of {looks[-1].minutes:.0f} min: {told}")
    for name, group in (("board", board), ("web app", web)):
        most = group.most_bytes / 1024 / 1024
        print(f"{name}: with its files at most {most:.1f} MB, killed {group.kills} times")
