"""Figures for `make bench`: games are brought in, found and written out, 10,000 of them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import Game, format_game, scan_file
from boardfw.rules import Move, Position

pytestmark = pytest.mark.bench

EVENINGS = Path(__file__).parents[1] / "cli" / "evenings.pgn"
GAMES = 10_000
WANTED_MS = 100
WANTED_A_SECOND = 1_000
WANTED_MB = 80
CHILD = """
import atexit, pathlib, sys
from boardfw.cli import main
status = pathlib.Path("/proc/self/status")
atexit.register(lambda: print(*[line for line in status.read_text().splitlines()
                                if line.startswith("VmHWM")], file=sys.stderr))
main()
"""
"""Not ``ru_maxrss``: that begins with what the process held that started this one."""
PLAYERS = ("Anna", "Ben", "Jürgen", "Zoë", "Morphy, Paul", "Carlsen, Magnus")
CODES = 100
"""So many openings, as they are spelt."""
BRANCHES = 12
"""Plies that chance plays after a game has left its model."""


def varied(count: int) -> Iterator[Game]:
    """Games that leave one of twenty real ones at some ply."""
    chance, models = Random(5), [game.moves for game in scan_file(EVENINGS)]
    for number in range(count):
        model = chance.choice(models)
        moves = list(model[: chance.randrange(len(model) - 30, len(model))])
        position = Position.start()
        for move in moves:
            position = position.play(move)
        moves += strayed(position, chance)
        white, black = chance.sample(PLAYERS, 2)
        day = f"{2000 + number % 26}.{1 + number % 12:02}.{1 + number % 28:02}"
        tags = {"Event": f"Evening {number}", "Date": day, "White": white, "Black": black}
        result = chance.choice(("1-0", "0-1", "1/2-1/2", "*"))
        opening = {"ECO": f"B{number % CODES:02}", "Opening": "Sicilian"}
        yield Game({**tags, **opening}, Position.start(), moves, result)


def strayed(position: Position, chance: Random) -> list[Move]:
    moves: list[Move] = []
    while len(moves) < BRANCHES and (legal := position.legal_moves()):
        moves.append(chance.choice(legal))
        position = position.play(moves[-1])
    return moves


def spent_s(work: Callable[[], object]) -> float:
    """Processor time, the least of three times."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def boardfw(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["games", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_bench_collection(tmp_path: Path) -> None:
    source, record, out = tmp_path / "in.pgn", tmp_path / "games.db", tmp_path / "out.pgn"
    with source.open("w", encoding="utf-8") as file:
        file.writelines(map(format_game, varied(GAMES)))
    began = time.process_time()
    boardfw("import", str(source), "--record", str(record))
    print(f"\nimported {GAMES / (time.process_time() - began):.0f} games a second; ", end="")
    print(f"the file has {record.stat().st_size / GAMES:.0f} bytes a game")
    model = next(islice(scan_file(source), 5000, None))
    deep = format_fen(list(model.positions())[40])
    for asked in (
        [],
        ["--player", "zoë"],
        ["--date", "2010-03..2012"],
        ["--result", "1/2"],
        ["--position", format_fen(Position.start())],
        ["--position", deep],
        ["--moves", "e4 c5 Nf3"],
        ["--opening", "sicilian"],
    ):
        command = ["list", *asked, "--record", str(record)]
        found = boardfw(*command).count("\n")
        took_ms = 1000 * spent_s(lambda command=command: boardfw(*command))  # type: ignore[misc]
        mark = "*" if took_ms > WANTED_MS else ""
        print(f"list {' '.join(asked):<80} {found:>6} games  {took_ms:5.0f} ms{mark}")
    export = ["export", "--all", "--out", str(out), "--force", "--record", str(record)]
    rate = GAMES / spent_s(lambda: boardfw(*export))
    print(f"exported {rate:.0f} games a second{'*' if rate < WANTED_A_SECOND else ''}")
    for name, command in (("list", ["list"]), ("export", export[:-2])):
        held_mb = memory_mb([*command, "--record", str(record)])
        print(f"memory of {name}: {held_mb:.0f} MB{'*' if held_mb > WANTED_MB else ''}")


def memory_mb(command: list[str]) -> float:
    """The most that a process held that did this."""
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, "games", *command], capture_output=True, text=True, check=True
    )
    return int(ran.stderr.split()[-2]) / 1024
