"""The vocabulary of the program: everything that comes in, and everything that is said.

Events come from the board and its panel; actions are what the session answers. Times are
microseconds of the session's clock. Squares in actions are squares of the game (if the board
has been turned round, they are already turned). The actions are, one to one, the lines of
``boardfw replay --events``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from boardfw.game.clock import ClockUse
from boardfw.game.rulings.decision import Decision
from boardfw.squares import Bitboard, Occupancy, Square


@dataclass(frozen=True, slots=True)
class Sample:
    """What one scan of all switches read, before any debouncing."""

    t_us: int
    occupancy: Occupancy
    since_us: int | None = None
    """Since when the board could not be read; what has changed may have changed ever since."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the panel was pressed; ``button`` is one of ``ports.BUTTONS``."""

    t_us: int
    button: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed and nothing else has happened."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """An arbiter (``who``) makes a decision about the game, with the reason (``why``)."""

    t_us: int
    who: str
    why: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class ClockChosen:
    """The players want to play with this clock; None for no clock.

    It counts for the current game if no ply has been played, else from the next one on.
    """

    t_us: int
    clock: ClockUse | None


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is said, and when."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Outage(Action):
    """The switches under ``squares`` cannot be read, and ``text`` says why and how to mend it.

    As an event and, unchanged, as an action. What happens meanwhile is seen afterwards.
    """

    squares: Occupancy
    text: str


@dataclass(frozen=True, slots=True)
class Restored(Action):
    """All switches can be read again; the next ``Sample`` says what has changed meanwhile."""


Event: TypeAlias = Sample | Press | Tick | Outage | Restored | Ruling | ClockChosen


@dataclass(frozen=True, slots=True)
class Lifted(Action):
    """A piece left its square (settled)."""

    square: Square


@dataclass(frozen=True, slots=True)
class Dropped(Action):
    """A piece stands on a square (settled)."""

    square: Square


@dataclass(frozen=True, slots=True)
class Moved(Action):
    """Ply ``ply`` (1 = the first of the game) is known; ``provisional``: rivals are alive."""

    ply: int
    uci: str
    san: str
    provisional: bool


@dataclass(frozen=True, slots=True)
class Amended(Action):
    """Ply ``ply`` is now another move; later plies stand unless amended too."""

    ply: int
    uci: str
    san: str


@dataclass(frozen=True, slots=True)
class TakenBack(Action):
    """The last ``plies`` plies were undone on the board; they stay in the record as history."""

    plies: int


@dataclass(frozen=True, slots=True)
class Finalised(Action):
    """From now on only a take-back can undo this ply: what cannot be unsent may be sent."""

    ply: int
    uci: str


@dataclass(frozen=True, slots=True)
class Checked(Action):
    """The king on ``square`` is in check."""

    square: Square


@dataclass(frozen=True, slots=True)
class Asked(Action):
    """More than one move explains the board equally well; ``candidates`` in UCI."""

    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mismatched(Action):
    """The board has stood for half a second as no legal move explains."""

    missing: Bitboard
    extra: Bitboard


@dataclass(frozen=True, slots=True)
class MismatchCleared(Action):
    """The board agrees with the game again."""


@dataclass(frozen=True, slots=True)
class Wanted(Action):
    """During set-up: ``piece`` (a letter of FEN) is wanted next, on each of ``squares``."""

    piece: str
    squares: Bitboard


@dataclass(frozen=True, slots=True)
class Misplaced(Action):
    """During set-up: a piece was put on ``square``, which should be empty."""

    square: Square


@dataclass(frozen=True, slots=True)
class Ready(Action):
    """All the wanted pieces stand: play begins, or goes on."""


@dataclass(frozen=True, slots=True)
class Stuck(Action):
    """The switch under ``square`` does not move, ``closed`` or open; play goes on around it."""

    square: Square
    closed: bool


@dataclass(frozen=True, slots=True)
class Unstuck(Action):
    """The switch under ``square`` was said to be stuck, and is not; or it is another square's.

    When the board is found to be turned round, what was said is withdrawn and said again.
    """

    square: Square


@dataclass(frozen=True, slots=True)
class Ended(Action):
    """The game is over. ``result`` as in PGN; ``termination`` as in the trace contract."""

    result: str
    termination: str


@dataclass(frozen=True, slots=True)
class Unwatched(Action):
    """The board was not watched since ``since_us``, and more than one ply was made meanwhile.

    What was played is guessed: plies of this game from there on are not final, and its switches
    are not suspected.
    """

    since_us: int


@dataclass(frozen=True, slots=True)
class Offered(Action):
    """A draw is offered by the button; pressed again before another ply, it agrees."""


@dataclass(frozen=True, slots=True)
class Claimed(Action):
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


@dataclass(frozen=True, slots=True)
class Ruled(Action):
    """The game is what an arbiter has decided; ``what`` says so in words.

    ``TakenBack``, ``Moved`` and ``Finalised`` before it say the same ply by ply.
    """

    who: str
    why: str
    what: str


@dataclass(frozen=True, slots=True)
class Unruled(Action):
    """A decision that is impossible, and why: nothing has changed."""

    text: str


@dataclass(frozen=True, slots=True)
class Doubted(Action):
    """Ply ``ply`` may have been a slip, and ``text`` asks; for two seconds nothing that cannot be
    taken back follows from it."""

    ply: int
    uci: str
    text: str


@dataclass(frozen=True, slots=True)
class HelpOffered(Action):
    """``player`` (white or black) has hardly used the help, and may try this level instead."""

    player: str
    level: int


@dataclass(frozen=True, slots=True)
class NewGame(Action):
    """A new game begins; the plies that follow are counted from 1 again."""
