"""Simulated hands that play whole games at the board against who is not there.

They make the moves that are owed, choose their own, set up pieces, put right what went wrong, and
answer what the board asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from boardfw.game.build_view import look
from boardfw.game.course import ANSWERS
from boardfw.game.events import Action, Asked, Event
from boardfw.game.phase import Playing, SettingUp
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.players.game_player import Player, pieces_on
from boardfw.ports import Clock
from boardfw.recording import Press
from boardfw.rules import QUEEN, Move, Position
from boardfw.squares import switches_in
from hardware.sim.board import SimBoard
from hardware.sim.hand_profiles import HandProfile

Mind = Callable[[Position], Move]
SETTLED_US = 1_500_000
"""After a gesture hands wait for so long: the board may still find out what it was."""
PATIENCE_US = 30_000_000
"""A move that was not recorded after this time is made again."""


class Guest:
    """Hands of one kind, whose moves ``mind`` chooses."""

    def __init__(
        self,
        board: SimBoard,
        clock: Clock,
        mind: Mind,
        kind: str | HandProfile = "club",
        seed: int = 1,
    ) -> None:
        self._board = board
        self._clock = clock
        self._mind = mind
        self._player = Player(board, kind, seed)
        self._free_us = 0
        """When the last gesture has settled."""
        self._made: tuple[Position, Move] | None = None
        """The move made last, and where; None: another thing was done since."""
        self._made_us = 0

    def hear(self, said: Iterable[Action]) -> Iterator[Event]:
        """As ``shell.program_seat.Guest.hear``."""
        for action in said:
            if isinstance(action, Asked) and self._made:
                move = self._made[1].uci()
                choice = action.candidates.index(move) if move in action.candidates else 0
                buttons = [button for button, number in ANSWERS.items() if number == choice]
                yield from (Press(self._clock.now_us(), button) for button in buttons)

    def keep_up(self, session: Session, *, is_asked: bool) -> None:
        """As ``shell.program_seat.Guest.keep_up``."""
        now_us = self._clock.now_us()
        if self._board.busy or self._player.is_playing(now_us):
            self._free_us = now_us + SETTLED_US
        elif now_us >= self._free_us:
            self._act(session, now_us, is_asked=is_asked)

    def _act(self, session: Session, now_us: int, *, is_asked: bool) -> None:
        phase, view = session.phase, look(session)
        if isinstance(phase, SettingUp):
            placing = phase.placing
            wanted, stands = pieces_on(placing.position, placing.orientation), self._board.pieces
            if stands == wanted:  # but the board takes some for others, as its lights show
                doubted = set(switches_in(placing.orientation.switches(view.surplus)))
                wanted = {at: piece for at, piece in wanted.items() if at not in doubted}
            if stands != wanted:
                self._player.set_up(wanted, now_us)
            return
        if view.repair:
            self._repair(view, now_us)
        elif isinstance(phase, Playing):
            move = view.owed
            if move is None and is_asked and not view.is_awaited:
                move = self._choice(view.position)
            if move is not None:
                self._play(view, move, now_us)

    def _choice(self, position: Position) -> Move:
        """One move for each position, however often it is asked for."""
        if self._made and self._made[0] == position:
            return self._made[1]
        return self._mind(position)

    def _play(self, view: View, move: Move, now_us: int) -> None:
        made = (view.position, move)
        if made == self._made and now_us < self._made_us + PATIENCE_US:
            return
        self._made, self._made_us = made, now_us
        self._player.play_one(view.position, move, now_us, view.orientation)

    def _repair(self, view: View, now_us: int) -> None:
        """Set up what the game says, piece by piece."""
        self._player.set_up(pieces_on(view.position, view.orientation), now_us)


def without_choice(position: Position) -> list[Move]:
    """Legal moves that hands can make without seeing lights: pawns become queens."""
    return [move for move in position.legal_moves() if move.promotion in (0, QUEEN)]
