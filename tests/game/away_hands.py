"""Games that simulated hands of every kind play against an opponent that is not at the board.

The hands make their own moves when it is their turn, and the opponent's when it is shown; with all
that hands do on the way. The opponent answers with the moves of a game, after any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from boardfw.game.build_view import look
from boardfw.game.course import ANSWERS
from boardfw.game.events import (
    Action,
    Answered,
    Asked,
    Consulted,
    Event,
    Finalised,
    Released,
    Seated,
    Tick,
)
from boardfw.game.opponent import Chosen, Plays, Situation
from boardfw.game.session import Session
from boardfw.players.game_player import hand_move, pieces_on
from boardfw.ports import Pressed, earliest
from boardfw.recording import Press, Scan
from boardfw.rules import Color, Move, Position
from boardfw.squares import Square
from hardware.clock import VirtualClock
from hardware.sim.answering import put_back
from hardware.sim.board import SimBoard
from hardware.sim.gesture import HandAction
from hardware.sim.hand_profiles import person
from hardware.sim.hands import Hands

SCAN_US = 2_000
PATIENCE_US = 90_000_000
"""A game in which nothing has gone on for so long hangs."""
AFTERWARDS_US = 40_000_000
THINKS_US = 4_000_000
CARRY_US = 400_000
SETTLED_US = 1_500_000


class HangsError(AssertionError):
    """The game does not go on."""


@dataclass
class AwayGame:
    """One game on a simulated board, in virtual time."""

    start: Position
    moves: Sequence[Move]
    color: Color
    """The side of the opponent."""
    kind: str
    seed: int
    said: list[Action] = field(default_factory=list)

    def __post_init__(self) -> None:
        hands = person(self.kind, self.seed)
        self.clock = VirtualClock()
        self.board = SimBoard(
            self.clock, pieces=pieces_on(self.start), faults=hands.board, seed=self.seed
        )
        self.hands = Hands(hands, self.seed)
        self.session = Session(self.start)
        self._random = Random(f"{self.kind} {self.seed} opponent")
        self._due: tuple[int, Situation] | None = None
        """When the opponent answers what."""
        self._free_us = 1_000_000
        """When the hands may begin the next move."""
        self._went_on_us = 0
        self._press_us: tuple[int, Pressed] | None = None
        self._made = 0
        self._lifts: Square | None = None
        """The piece to be lifted as an answer."""

    def play(self) -> None:
        """Play the whole game. Raises HangsError."""
        self._take(Scan(0, self.board.read()))
        self._take(Seated(0, Chosen(self.color)))
        while len(self.recorded) < len(self.moves) or not self._is_quiet:
            self._go_on()
        end_us = self.clock.now_us() + AFTERWARDS_US
        while (due := self.session.deadline_us) is not None and due < end_us:
            self._take(Tick(due))
        self.said += self.session.finish()

    @property
    def recorded(self) -> tuple[Move, ...]:
        return self.session.record.moves

    @property
    def finals(self) -> list[tuple[int, str]]:
        return [(one.ply, one.uci) for one in self.said if isinstance(one, Finalised)]

    @property
    def _is_quiet(self) -> bool:
        return not self.board.busy and self.clock.now_us() >= self._free_us

    def _go_on(self) -> None:
        """Go on to the next instant at which anything happens."""
        now_us = self.clock.now_us()
        if now_us - self._went_on_us > PATIENCE_US:
            raise HangsError(f"nothing goes on after ply {len(self.recorded)}")
        if self._is_quiet and self._act(now_us):
            self._went_on_us = now_us
        change_us = self.board.next_change_us()
        scan_us = None if change_us is None else max(change_us, now_us + 1)
        due_us = earliest(
            None if scan_us is None else -(-scan_us // SCAN_US) * SCAN_US,
            self.session.deadline_us,
            self._due and self._due[0],
            self._press_us and self._press_us[0],
            max(self._free_us, now_us + 500_000),
            after_us=now_us,
        )
        assert due_us is not None
        self.clock.advance_to(due_us)
        if scan_us is not None and due_us >= scan_us:
            self._take(Scan(due_us, self.board.read()))
        elif self._due and self._due[0] <= due_us:
            (_, situation), self._due = self._due, None
            self._take(Answered(due_us, Plays(situation, self.moves[len(situation.moves)])))
        elif self._press_us and self._press_us[0] <= due_us:
            (_, button), self._press_us = self._press_us, None
            self._take(Press(due_us, button))
        else:
            self._take(Tick(due_us))

    def _act(self, now_us: int) -> bool:
        """Let the hands do what the board asks for, or make the next move; whether they do."""
        view, ply = look(self.session), len(self.recorded)
        switch = self.session.game.orientation.switch
        if view.repair and None not in view.repair[0]:
            origin, target = (switch(square) for square in view.repair[0] if square is not None)
            label = self.board.pieces.get(origin)
            if label is not None and target not in self.board.pieces:
                drop_us = now_us + CARRY_US
                self.board.schedule(
                    [
                        HandAction(now_us, "lift", origin, label),
                        HandAction(drop_us, "drop", target, label),
                    ]
                )
                self._free_us = drop_us + SETTLED_US
                return True
        if self._lifts is not None:
            gesture = self.hands.do(
                partial(put_back, squares=[switch(self._lifts)]), now_us, self.board.pieces
            )
            self.board.schedule(gesture.actions)
            self._lifts, self._free_us = None, gesture.settled_us + SETTLED_US
            return True
        owed = view.owed
        position = self.session.game.position
        is_mine = position.turn != self.color and ply < len(self.moves)
        if self.recorded != tuple(self.moves[:ply]) or not (owed or is_mine):
            return False
        if self._made > ply and now_us - self._went_on_us < PATIENCE_US / 2:
            return False  # it has been made, and is not recorded yet
        self._made = ply + 1
        move = owed or self.moves[ply]
        plan = hand_move(position, move, self.session.game.orientation)
        gesture = self.hands.play(plan, now_us, self.board.pieces)
        self.board.schedule(gesture.actions)
        self._free_us = gesture.settled_us + self.hands.think_us()
        return True

    def _take(self, event: Event) -> None:
        said = self.session.handle(event)
        self.said += said
        for one in said:
            if isinstance(one, Consulted) and len(one.situation.moves) < len(self.moves):
                think_us = int(self._random.expovariate(1 / THINKS_US))
                self._due = (one.t_us + think_us, one.situation)
            elif isinstance(one, Released):
                self._due = None
            elif isinstance(one, Asked):
                self._answer(one)

    def _answer(self, asked: Asked) -> None:
        """Press the button of the move that was made, or lift its piece if there is no button."""
        plies = len(self.recorded)
        made = {move.uci(): move.target for move in self.moves[max(plies - 2, 0) : plies + 1]}
        known = [uci for uci in asked.candidates if uci in made]
        if not known:
            return
        button = next(
            (b for b, n in ANSWERS.items() if asked.candidates.index(known[0]) == n), None
        )
        if button is None:
            self._lifts = made[known[0]]
        else:
            self._press_us = (asked.t_us + 1_500_000, button)
