"""``boardfw uci``: puts a board and a program that speaks UCI together."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from boardfw import __version__
from boardfw.cli.journal import log_to
from boardfw.cli.run_game import until_signal
from boardfw.cli.run_setup import board_named, give_meaning, naming_board
from boardfw.errors import ConfigError
from boardfw.game.opponent import Situation
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import KnownSetup
from boardfw.players.guest import Guest, without_choice
from boardfw.ports import Clock
from boardfw.recording import START_FEN
from boardfw.rules import Move, Position
from boardfw.services.board_engine import BoardEngine
from boardfw.services.levels import level_of
from boardfw.services.own_player import move_of, strength_of
from boardfw.services.seat import Question
from boardfw.shell.config import load_config
from boardfw.shell.desk import Desk
from boardfw.shell.program_seat import ProgramSeat
from boardfw.shell.runtime import Runtime
from hardware import dead_switches, innermost, lights_ma, open_board, simulated
from hardware.clock import MonotonicClock, PacedClock
from hardware.sim.hand_profiles import HAND_PROFILES


def serve(
    url: str | None, hands: str, level: str, speed: float, seed: int, config: Path | None
) -> int:
    """Play for the program that speaks on the standard input. Raises BoardError."""
    settings = load_config(config)
    if hands not in HAND_PROFILES:
        raise ConfigError(f"--hands: no hands {hands!r}; there are {', '.join(HAND_PROFILES)}")
    errors = strength_of(level_of(level)).errors
    text, parsed = board_named(url, settings, config)
    if parsed.is_recorded:
        raise ConfigError(f"--board {text}: a recording does not play; name a board")
    is_paced = speed > 1 and parsed.is_artificial
    clock: Clock = PacedClock(speed) if is_paced else MonotonicClock()
    log_to(sys.stderr)
    with naming_board(url, config):
        board = open_board(text, clock=clock, start_fen=START_FEN)
    give_meaning(innermost(board), settings, clock)
    stood = KnownSetup(stuck=dead_switches(board))
    session = Session(settle_us=settings.settle.square_us, stood=stood)
    desk = Desk(session, settings.with_budget(lights_ma(board, settings.lights.budget_ma)))
    runtime = Runtime(board, clock, desk, speed=speed if is_paced else 1)
    sim, chance = simulated(board), random.Random(seed)
    desk.late.is_told = sim is None

    def mind(position: Position) -> Move:
        question = Question(Situation(position, (), position.turn), position, None, chance)
        chosen, known = move_of(question, errors).move, without_choice(position)
        return chosen if chosen in known else chance.choice(known)

    runtime.away = ProgramSeat(
        BoardEngine(f"boardfw {__version__}", "the boardfw authors"),
        clock,
        _lines(),
        _say,
        runtime.stop,
        None if sim is None else Guest(sim, clock, mind, hands, seed),
    )
    try:
        asyncio.run(until_signal(runtime))
    finally:
        board.close()
    return 0


def _lines() -> Iterator[str]:
    """The lines of the standard input, whatever bytes they are."""
    stream = sys.stdin.buffer
    # Not buffered: a thread that waits in there would hold a lock when the program ends.
    raw = getattr(stream, "raw", stream)
    while line := raw.readline(MOST):
        yield line.decode("utf-8", "replace").rstrip("\r\n")


MOST = 1 << 20
"""Bytes of a line that are read at once; a game of a thousand plies is 5 kB."""


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
