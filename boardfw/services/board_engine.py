"""The board as a UCI engine: a program asks for moves, and who plays at the board answers.

Sans-IO: lines go in, and what is to be done comes out. The program's moves are an opponent's that
is not at the board; what is played here goes out when it is final, since it cannot be unsent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from boardfw.game.opponent import Plays, RefusesDraw, Situation
from boardfw.notation.uci import format_uci
from boardfw.rules import BLACK, WHITE, Color, Move, Outcome, Position
from boardfw.services.uci.commands import (
    IS_READY,
    NEW_GAME,
    PONDER_HIT,
    QUIT,
    STOP,
    UCI,
    Go,
    Plain,
    SetOption,
    SetPosition,
    parse_command,
)
from boardfw.services.uci.options import Option
from boardfw.services.uci.replies import (
    BestMove,
    Identity,
    Info,
    Nonsense,
    ReadyOk,
    UciOk,
    format_reply,
)

CHESS960 = Option("UCI_Chess960", "check", "false")
NOBODY_MOVES = "0000"
"""UCI's null move: the answer to ``stop`` while nobody has moved. It is no legal move, so that no
program takes it for the player's."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line for the program."""

    line: str


@dataclass(frozen=True, slots=True)
class Give:
    """The game on the board becomes this one, and the program plays that colour."""

    start: Position
    moves: tuple[Move, ...]
    color: Color


@dataclass(frozen=True, slots=True)
class Leave:
    """The program needs the board no longer."""


Effect: TypeAlias = Say | Give | Leave | Plays | RefusesDraw


@dataclass(frozen=True, slots=True)
class Game:
    """The game as it stands on the board."""

    start: Position
    moves: tuple[Move, ...]
    final: int
    """So many plies are final."""
    outcome: Outcome | None = None


class BoardEngine:
    """One program's conversation with the board; ``name`` is what the board calls itself."""

    def __init__(self, name: str, author: str) -> None:
        self._about = (Identity("name", name), Identity("author", author))
        self._chess960 = False
        self._position = SetPosition(Position.start())
        self._go: Go | None = None
        """What is asked and not answered; None: nothing."""
        self._is_new = True
        """Whether the game of the program is another one than that on the board."""
        self._color: Color | None = None
        self._asked: Situation | None = None
        """What the session asks of the opponent; None: nothing."""
        self._game: Game | None = None
        """As it stands on the board; None: it is not yet the one that was given."""
        self._given: tuple[Move, ...] = ()
        """The game up to the program's move that was last passed on."""
        self._sent: tuple[Move, ...] = ()
        """The game up to the move that was last told, which stands: it cannot be unsent."""

    @property
    def is_asked(self) -> bool:
        """Whether the program waits for a move."""
        return self._go is not None

    # --- what the program says

    def hear(self, line: str) -> list[Effect]:
        """The program has said a line."""
        command = parse_command(line, chess960=self._chess960)
        match command:
            case Go():
                return self._begin(command)
            case SetPosition():
                self._position = command
            case SetOption(name=name, value=value) if name.lower() == CHESS960.name.lower():
                self._chess960 = (value or "").lower() == "true"
            case Nonsense() if command.text.strip().startswith(("position", "go")):
                return [_note(command.why)]
            case Plain():
                return self._plain(command)
            case _:
                pass  # of no use here, or unknown: the protocol wants it ignored
        return []

    def _plain(self, command: Plain) -> list[Effect]:
        """A command of one word."""
        if command == UCI:
            replies = (*self._about, CHESS960, UciOk())
            return [_said(reply) for reply in replies]
        if command == IS_READY:
            return [_said(ReadyOk())]
        if command == NEW_GAME:
            self._is_new = True
        elif command == STOP:
            return self._stop()
        elif command == PONDER_HIT and self._go:
            self._go = Go()
            return self._answer()
        elif command == QUIT:
            return [Leave()]
        return []

    def _begin(self, go: Go) -> list[Effect]:
        """A move is asked for."""
        position = self._position.position
        if not position.legal_moves():
            return [_said(BestMove(None))]
        self._go = go
        start, moves = self._position.start, self._position.moves
        color = BLACK if position.turn == WHITE else WHITE
        if color == self._color and self._goes_on(start, moves):
            return self._answer()
        before = moves[:-1]
        self._is_new, self._sent = False, ()
        return [self._give(start, before, color)]

    def _give(self, start: Position, moves: tuple[Move, ...], color: Color) -> Give:
        self._color, self._asked, self._game, self._given = color, None, None, ()
        return Give(start, moves, color)

    def _goes_on(self, start: Position, moves: tuple[Move, ...]) -> bool:
        """Whether the program's game is that on the board, which may lack its last move."""
        game = self._game
        if self._is_new or game is None or game.start != start or game.outcome is not None:
            return False
        is_another = len(self._given) == len(moves) and self._given != moves
        is_before = game.moves == moves[:-1] and not is_another
        return is_before or game.moves[: len(moves)] == moves

    def _stop(self) -> list[Effect]:
        """An answer is owed at once, whether somebody has moved or not."""
        if self._go is None:
            return []
        self._go = None
        if move := self._played():
            self._sent = (*self._position.moves, move)
            return [_best(move, chess960=self._position.chess960)]
        return [_note("nobody has moved yet"), _said(BestMove(NOBODY_MOVES))]

    # --- what happens on the board

    def follow(self, game: Game) -> list[Effect]:
        """The game on the board stands so; not to be told between a ``Give`` and its effect."""
        self._game, color, sent = game, self._color, self._sent
        if sent and color is not None and game.moves[: len(sent)] != sent:
            return [self._give(game.start, sent, color)]
        return self._answer()

    def consult(self, situation: Situation | None) -> list[Effect]:
        """The session asks the opponent this; None: nothing any more."""
        self._asked = situation
        if situation is not None and not situation.wants_move:
            self._asked = None
            return [_note("the player offers a draw"), RefusesDraw(situation)]
        return self._answer()

    def _answer(self) -> list[Effect]:
        """Pass on what is known on either side and not told on the other."""
        if self._go is None:
            return []
        start, moves, asked = self._position.start, self._position.moves, self._asked
        if asked and moves and asked.start == start and asked.moves == moves[:-1]:
            self._asked, self._given = None, moves
            return [Plays(asked, moves[-1])]
        game = self._game
        if game is None or self._go.infinite or self._go.ponder:  # until it is told to stop
            return []
        if (move := self._played()) and game.final > len(moves):
            self._go, self._sent = None, (*moves, move)
            return [_best(move, chess960=self._position.chess960)]
        if game.outcome is not None and game.moves == moves:
            self._go, ended = None, game.outcome
            why = f"the game was ended at the board: {ended.result}, {ended.termination}"
            return [_note(why), _said(BestMove(NOBODY_MOVES))]
        return []

    def _played(self) -> Move | None:
        """What was played at the board after the program's moves; None if nothing."""
        game, start, moves = self._game, self._position.start, self._position.moves
        if game is None or self._is_new or game.start != start or len(game.moves) <= len(moves):
            return None
        return game.moves[len(moves)] if game.moves[: len(moves)] == moves else None


def _said(reply: Identity | Option | UciOk | ReadyOk | BestMove | Info) -> Say:
    return Say(format_reply(reply))


def _note(text: str) -> Say:
    return _said(Info(string=text))


def _best(move: Move, *, chess960: bool) -> Say:
    return _said(BestMove(format_uci(move, chess960=chess960)))
