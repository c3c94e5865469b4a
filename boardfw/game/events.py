"""The vocabulary of the program: everything that comes in, and everything that is said.

Events come from the board and its panel; actions are what the session answers. Times are
microseconds of the session's clock. Squares in actions are squares of the game (if the board
has been turned round, they are already turned). The actions are, one to one, the lines of
``boardfw replay --events``.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from boardfw.game.clock import ClockUse
from boardfw.game.coach import Advice
from boardfw.game.opponent import Answer, Chosen, Situation
from boardfw.game.rulings.decision import Decision
from boardfw.recording import Press, Scan
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, Occupancy, Square


class Tick(msgspec.Struct, frozen=True):
    """Time has passed and nothing else has happened."""

    t_us: int


class Ruling(msgspec.Struct, frozen=True):
    """An arbiter (``who``) makes a decision about the game, with the reason (``why``)."""

    t_us: int
    who: str
    why: str
    decision: Decision


class ClockChosen(msgspec.Struct, frozen=True):
    """The players want to play with this clock; None for no clock.

    It counts for the current game if no ply has been played, else from the next one on.
    """

    t_us: int
    clock: ClockUse | None


class Seated(msgspec.Struct, frozen=True):
    """An opponent that is not at the board plays from now on; None: nobody does.

    ``at_next``: from the next game on.
    """

    t_us: int
    chosen: Chosen | None
    at_next: bool = False


class GameGiven(msgspec.Struct, frozen=True):
    """A game that is kept elsewhere has come as far as this, and goes on from there.

    Its pieces are led to their squares, if they do not stand there.
    """

    t_us: int
    start: Position
    moves: tuple[Move, ...] = ()
    """Each legal after those before it."""
    is_new: bool = False
    """Whether the game before it stays a game of its own; else this one takes its place."""


class Answered(msgspec.Struct, frozen=True):
    """The opponent that is not at the board has answered."""

    t_us: int
    answer: Answer


class Advised(msgspec.Struct, frozen=True):
    """The coach is answered; there may be several answers, each better than the one before."""

    t_us: int
    advice: Advice


class Action(msgspec.Struct, frozen=True):
    """Something that is said, and when; the tag is its name in an events file."""

    t_us: int


class Outage(Action, frozen=True, tag="outage"):
    """The switches under ``squares`` cannot be read, and ``text`` says why and how to mend it.

    As an event and, unchanged, as an action. What happens meanwhile is seen afterwards.
    """

    squares: Occupancy
    text: str


class Restored(Action, frozen=True, tag="restored"):
    """All switches can be read again; the next ``Scan`` says what has changed meanwhile."""


Event: TypeAlias = (
    Scan
    | Press
    | Tick
    | Outage
    | Restored
    | Ruling
    | ClockChosen
    | Seated
    | GameGiven
    | Answered
    | Advised
)


class Lifted(Action, frozen=True, tag="lift"):
    """A piece left its square (settled)."""

    square: Square


class Dropped(Action, frozen=True, tag="drop"):
    """A piece stands on a square (settled)."""

    square: Square


class Moved(Action, frozen=True, tag="move"):
    """Ply ``ply`` (1 = the first of the game) is known; ``provisional``: rivals are alive."""

    ply: int
    uci: str
    san: str
    provisional: bool


class Amended(Action, frozen=True, tag="amend"):
    """Ply ``ply`` is now another move; later plies stand unless amended too."""

    ply: int
    uci: str
    san: str


class TakenBack(Action, frozen=True, tag="take_back"):
    """The last ``plies`` plies were undone on the board; they stay in the record as history."""

    plies: int


class Finalised(Action, frozen=True, tag="final"):
    """From now on only a take-back can undo this ply: what cannot be unsent may be sent."""

    ply: int
    uci: str


class Checked(Action, frozen=True, tag="check"):
    """The king on ``square`` is in check."""

    square: Square


class Asked(Action, frozen=True, tag="ask"):
    """More than one move explains the board equally well; ``candidates`` in UCI."""

    candidates: tuple[str, ...]


class Mismatched(Action, frozen=True, tag="mismatch"):
    """The board has stood for half a second as no legal move explains."""

    missing: Bitboard
    extra: Bitboard


class MismatchCleared(Action, frozen=True, tag="mismatch_cleared"):
    """The board agrees with the game again."""


class Wanted(Action, frozen=True, tag="wanted"):
    """During set-up: ``piece`` (a letter of FEN) is wanted next, on each of ``squares``."""

    piece: str
    squares: Bitboard


class Misplaced(Action, frozen=True, tag="misplaced"):
    """During set-up: a piece was put on ``square``, which should be empty."""

    square: Square


class Ready(Action, frozen=True, tag="ready"):
    """All the wanted pieces stand: play begins, or goes on."""


class Stuck(Action, frozen=True, tag="stuck"):
    """The switch under ``square`` does not move, ``closed`` or open; play goes on around it."""

    square: Square
    closed: bool


class Unstuck(Action, frozen=True, tag="unstuck"):
    """The switch under ``square`` was said to be stuck, and is not; or it is another square's.

    When the board is found to be turned round, what was said is withdrawn and said again.
    """

    square: Square


class Ended(Action, frozen=True, tag="result"):
    """The game is over. ``result`` as in PGN; ``termination`` as in the trace contract."""

    result: str
    termination: str


class Unwatched(Action, frozen=True, tag="unwatched"):
    """The board was not watched since ``since_us``, and more than one ply was made meanwhile.

    What was played is guessed: plies of this game from there on are not final, and its switches
    are not suspected.
    """

    since_us: int


class Offered(Action, frozen=True, tag="offer"):
    """A draw is offered by the button; pressed again before another ply, it agrees."""


class Claimed(Action, frozen=True, tag="claim"):
    """A draw was claimed by the button, and what backs that.

    ``kind``: the termination that the claim gives; empty if it has no basis, and play goes on.
    ``plies``: those after which the position on the board has stood, 0 = the start, the last one
    included. ``quiet``: plies since the last capture or pawn move. ``awaits_move``: the next ply
    may give the claim its basis; after it, another ``Claimed`` says whether it did.
    """

    kind: str
    plies: tuple[int, ...]
    quiet: int
    awaits_move: bool = False


class Ruled(Action, frozen=True, tag="ruling"):
    """The game is what an arbiter has decided; ``what`` says so in words.

    ``TakenBack``, ``Moved`` and ``Finalised`` before it say the same ply by ply.
    """

    who: str
    why: str
    what: str


class Unruled(Action, frozen=True, tag="no_ruling"):
    """A decision that is impossible, and why: nothing has changed."""

    text: str


class Doubted(Action, frozen=True, tag="doubt"):
    """Ply ``ply`` may have been a slip, and ``text`` asks; for two seconds nothing that cannot be
    taken back follows from it."""

    ply: int
    uci: str
    text: str


class HelpOffered(Action, frozen=True, tag="help_offer"):
    """``player`` (white or black) has hardly used the help, and may try this level instead."""

    player: str
    level: int


class Consulted(Action, frozen=True, tag="consulted"):
    """The opponent that is not at the board is asked this."""

    situation: Situation


class Released(Action, frozen=True, tag="released"):
    """The opponent that is not at the board need not answer any more."""


class Owed(Action, frozen=True, tag="owed"):
    """The opponent's move, which becomes ply ``ply`` when it has been made on the board."""

    ply: int
    uci: str
    san: str


class Picked(Action, frozen=True, tag="picked"):
    """The player at the board has chosen on it to play this side (white or black), before the
    first move: against an opponent of this level, from 1; None: against another person."""

    side: str
    level: int | None


class Notified(Action, frozen=True, tag="notice"):
    """What the opponent has to say beside its moves."""

    text: str


class CoachAsked(Action, frozen=True, tag="coach_asked"):
    """The coach wants to know the best move after ``plies`` plies, and what each move of the piece
    on ``square`` is worth, if one is in the hand; and no longer what it asked before."""

    plies: int
    square: Square | None


class CoachRests(Action, frozen=True, tag="coach_rests"):
    """The coach wants to know nothing more."""


class Given(Action, frozen=True, tag="given"):
    """The game is one that is kept elsewhere, and ``plies`` plies of it were played before."""

    plies: int


class NewGame(Action, frozen=True, tag="new_game"):
    """A new game begins; the plies that follow are counted from 1 again."""
