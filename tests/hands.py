"""Whole games played by simulated hands, and what a session makes of them."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.accuracy.games import random_game
from boardfw.notation.fen import format_fen
from boardfw.players.game_player import hand_moves
from boardfw.rules import Move, Position
from hardware.sim.board import pieces_of
from hardware.sim.record import Simulated, simulate
from tests.dances import Table

KINDS = ("careful", "club", "blitz", "child", "wooden")


@dataclass(frozen=True)
class Played:
    """A game that simulated hands played, and the table at which it was watched."""

    moves: str
    table: Table

    @property
    def is_right(self) -> bool:
        """Whether the record is the game, to the last ply."""
        return self.table.moves == self.moves and len(self.table.session.games) == 1

    @property
    def amended(self) -> int:
        """Plies that were told otherwise first."""
        return sum(word.startswith("amend") for word in self.table.told)


def hands_play(moves: list[Move], kind: str, seed: int, start: Position | None = None) -> Simulated:
    """What the switches read while these hands play these moves."""
    begin = start or Position.start()
    return simulate(list(hand_moves(begin, moves)), kind, seed, pieces_of(format_fen(begin)))


def watched(simulated: Simulated, start: Position | None = None) -> Table:
    """A session that has watched it all."""
    (_, standing), *scans = simulated.scans
    fen = None if start is None else format_fen(start)
    table = Table(fen, standing=standing, first_us=0)
    for t_us, occupancy in scans:
        table.scan(t_us, occupancy)
    table.wait(simulated.end_us - table.t_us)
    table.finish()
    return table


def play(seed: int, kind: str, plies: int, start: Position | None = None) -> Played:
    """A random game, played by hands and watched."""
    moves = random_game(seed, plies, start)
    table = watched(hands_play(moves, kind, seed, start), start)
    return Played(" ".join(move.uci() for move in moves), table)
