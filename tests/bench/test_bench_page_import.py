"""Figures for `make bench`: how long a light waits while an owner imports games by the web app.

The board has the priority of its unit.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from boardfw.services.web.roles import Role
from tests.bench.live_board import spread_ms
from tests.bench.page_load import Notes, page_board, ratio

pytestmark = pytest.mark.bench

HZ = 5.0
BLOCK = 25
"""Edges without an import, then as many during imports."""
ROUNDS, ROUNDS_FULL = 4, 40
PLIES, PLIES_FULL = 2_000, 5_000
"""Of the one game that is imported."""
SHUTTLE = ("Nf3", "Nf6", "Ng1", "Ng8")


def test_bench_lights_while_a_long_game_is_imported(tmp_path: Path, full: bool) -> None:
    plies = PLIES_FULL if full else PLIES
    still, importing, imports = Notes(), Notes(), 0
    with page_board(tmp_path, "board", "service") as board:
        owner = board.ask("begin", role=Role.OWNER.value, count=1)
        games = numbered(plies)
        with ThreadPoolExecutor(1) as other:
            for _ in range(ROUNDS_FULL if full else ROUNDS):
                still.note(board.ask("play", edges=BLOCK, hz=HZ))
                board.tell("play", edges=BLOCK, hz=HZ)
                heard = other.submit(board.hear)
                while not heard.done():
                    assert send(owner, next(games))["kept"] == 1
                    imports += 1
                importing.note(heard.result())
    print(
        f"\n{imports} imports of a game of {plies} plies; edge to light meanwhile:\n"
        f"  {spread_ms(importing.answers)}\n  ... without: {spread_ms(still.answers)}\n"
        f"  ratio: {ratio(importing.answers, still.answers)}; late scans {importing.late}, "
        f"without {still.late}"
    )


def numbered(plies: int) -> Iterator[str]:
    """Games that differ, each so long."""
    moves = " ".join(SHUTTLE[ply % len(SHUTTLE)] for ply in range(plies))
    number = 0
    while True:
        number += 1
        yield f'[White "{number}"]\n[Result "*"]\n\n{moves} *\n'


def send(owner: Any, pgn: str) -> Any:
    """Import games as the page does; the answer."""
    headers = {
        "Cookie": f"{owner['cookie']}={owner['tokens'][0]}",
        "Content-Type": "application/json",
        "Origin": owner["url"],
        "X-Boardfw": "1",
    }
    body = json.dumps({"pgn": pgn}).encode()
    request = urllib.request.Request(f"{owner['url']}/api/v1/games", body, headers)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())
