"""The journal: the entries written for each game as it happens.

Entries are only ever added. One that gives plies replaces what stood from there on, so a take-back
and an amendment are entries like any other, and what they replaced stays readable for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from boardfw.errors import NotationError
from boardfw.game import events
from boardfw.game.clock import format_control
from boardfw.game.events import Action, Asked, Mismatched
from boardfw.game.record import Record
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen
from boardfw.notation.unlawful import format_unlawful
from boardfw.rules import Move, Outcome
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.move import common
from boardfw.squares import names_of


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A game begins with this position; tags as in PGN."""

    fen: str
    tags: dict[str, str]
    control: str = ""
    """The time control, as its tag in PGN; empty for no clock."""


class Plies(msgspec.Struct, frozen=True, tag="plies", omit_defaults=True):
    """The game goes on like this after ``kept`` plies. Times are of the session's clock."""

    t_us: int
    kept: int
    moves: list[str]
    """In UCI, or as of ``UNLAWFUL``."""
    times_us: list[int]
    """When each of them became known."""
    turned: bool = False
    """Whether the board stands the other way round."""


class Pressed(msgspec.Struct, frozen=True, tag="pressed"):
    """How long the plies took that were pressed on the clock after the first ``kept``."""

    t_us: int
    kept: int
    took_us: list[int]


UNLAWFUL = "!"
"""Before a move that is against the rules and stands, spelt as of ``notation.unlawful``."""


class ClockAt(msgspec.Struct, frozen=True):
    """After the first ``kept`` presses these took as long as given; then the clocks were set."""

    kept: int
    took_us: list[int]
    left_us: tuple[int, int]
    """White's time and Black's."""
    periods: tuple[int, int]
    """Periods of byo-yomi that White and Black have left."""


class Ruled(msgspec.Struct, frozen=True, tag="ruled", omit_defaults=True):
    """An arbiter has decided: after the first ``kept`` plies the game goes on as in ``Plies``.

    The entry is complete in itself: reading it needs none of the rules by which it was made.
    """

    t_us: int
    who: str
    why: str
    what: str
    """The decision in words, with the plies that stood there before."""
    ply: int
    """The ply after which it is told; 0: before the first."""
    kept: int
    moves: list[str]
    times_us: list[int]
    clock: ClockAt | None = None
    """None if the game is played without a clock."""
    turned: bool = False


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    """No legal move explained the board: squares that lacked a piece, and that had an extra one."""

    t_us: int
    missing: list[str]
    extra: list[str]


class Questioned(msgspec.Struct, frozen=True, tag="asked"):
    """The players were asked which of these moves was made; in UCI."""

    t_us: int
    moves: list[str]


class Opposed(msgspec.Struct, frozen=True, tag="opposed"):
    """Who plays a side from now on without being at the board; ``side`` is empty for nobody."""

    side: str
    """``white`` or ``black``."""
    name: str
    """As of ``Chosen``."""


class Owing(msgspec.Struct, frozen=True, tag="owing", omit_defaults=True):
    """After the first ``kept`` plies that player has made this move; hands may have still to."""

    t_us: int
    kept: int
    move: str
    """In UCI."""
    offers_draw: bool = False


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game has ended like this; both texts are empty if it goes on after all."""

    t_us: int
    result: str
    termination: str


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """The program was restarted: the session's clock has begun again at 0."""


class Clocked(msgspec.Struct, frozen=True, tag="clocked"):
    """For a game from a file: what the clock showed after each ply, and how long the ply took.

    None: the file does not say.
    """

    left_ms: list[int | None]
    took_ms: list[int | None]


class Annotated(msgspec.Struct, frozen=True, tag="annotated"):
    """For a game from a file: its moves with comments, NAGs and variations, as PGN movetext."""

    movetext: str


class Tagged(msgspec.Struct, frozen=True, tag="tagged"):
    """Tags given to the game, at the board or later; an empty value removes the tag."""

    tags: dict[str, str]


Entry: TypeAlias = (
    Begun
    | Plies
    | Pressed
    | Ruled
    | Shown
    | Questioned
    | Opposed
    | Owing
    | Over
    | Resumed
    | Clocked
    | Annotated
    | Tagged
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def to_json(entry: Entry) -> bytes:
    """One entry as it is stored."""
    return _encoder.encode(entry)


def from_json(text: bytes) -> Entry:
    """The entry of a stored text. Raises NotationError if it is not an entry."""
    try:
        entry: Entry = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise NotationError(f"no entry of a journal: {error}") from error
    return entry


class Noted(NamedTuple):
    """An entry and its game: how many games were begun before it in this run."""

    game: int
    entry: Entry


class Journal:
    """Looks at a session after each event and returns what is to be written down.

    A game is not written until it has a ply, be it one that an opponent has still to be made.
    """

    def __init__(self, session: Session, tags: Mapping[str, str], *, resumed: bool = False) -> None:
        """``tags``: read whenever a game begins.

        ``resumed``: whether the session's first game was begun in an earlier run.
        """
        self._tags = tags
        self._record = session.record
        self._moves: tuple[Move, ...] = session.record.moves if resumed else ()
        self._took_us = session.record.took_us if resumed else ()
        self._outcome: Outcome | None = None
        self._turned = False
        self._is_begun = resumed
        self._opponent = session.away.chosen if resumed else None
        self._replied = session.away.replied if resumed else None
        self._players = self._called()
        """The players' names of this game, as written down."""
        self.game = 0
        """The number of the game that is being played, as of ``Noted``."""
        self._noted: list[Noted] = []
        if resumed:
            self._note(Resumed())

    def take(self, session: Session, said: list[Action]) -> list[Noted]:
        """What is new, in its order. ``said``: the session's latest actions."""
        self._turned = session.game.orientation.is_turned
        for action in said:
            if isinstance(action, events.Ruled):
                self._note_ruling()
        self._compare(session.t_us)
        if session.record is not self._record:
            self._turn_over(session.record)
            self._compare(session.t_us)
        self._compare_opponent(session)
        self._compare_players()
        for action in said if self._is_begun else ():
            self._remark(action)
        noted, self._noted = self._noted, []
        return noted

    def _turn_over(self, record: Record) -> None:
        """Another game is being played."""
        self.game += self._is_begun
        self._record, self._moves, self._outcome, self._is_begun = record, (), None, False
        self._took_us, self._opponent, self._replied = (), None, None

    def _compare(self, t_us: int) -> None:
        record = self._record
        if record.moves != self._moves:
            self._begin()
            kept = common(self._moves, record.moves)
            moves = [_spelt(record, ply) for ply in range(kept, len(record.moves))]
            self._note(Plies(t_us, kept, moves, list(record.times_us[kept:]), self._turned))
            self._moves = record.moves
        self._compare_times(t_us)
        if record.outcome != self._outcome:
            self._begin()
            ended = record.outcome
            told = ("", "") if ended is None else (ended.result, ended.termination)
            self._note(Over(t_us, *told))
            self._outcome = ended

    def _called(self) -> dict[str, str]:
        return {side: self._tags.get(side, "?") for side in ("White", "Black")}

    def _compare_players(self) -> None:
        """Note changed player names: they may have been entered at the board."""
        if self._is_begun and (called := self._called()) != self._players:
            self._note(Tagged(called))
            self._players = called

    def _compare_opponent(self, session: Session) -> None:
        """Note who is not at the board, and what that player has answered."""
        replied, chosen = session.away.replied, session.away.chosen
        if replied:
            self._begin()
        if self._is_begun and chosen != self._opponent:
            side, name = (COLOR_NAMES[chosen.color].lower(), chosen.name) if chosen else ("", "")
            self._note(Opposed(side, name))
            self._opponent = chosen
        if replied and replied != self._replied:
            *before, move = replied.game
            self._note(Owing(session.t_us, len(before), move.uci(), replied.offers_draw))
            self._replied = replied

    def _note_ruling(self) -> None:
        self._begin()
        record = self._record
        took_us = self._took_us
        self._note(ruled_entry(record, self._moves, took_us, record.took_us, turned=self._turned))
        self._moves, self._took_us = record.moves, record.took_us

    def _compare_times(self, t_us: int) -> None:
        took_us = self._record.took_us
        if self._is_begun and took_us != self._took_us:
            kept = common(self._took_us, took_us)
            self._note(Pressed(t_us, kept, list(took_us[kept:])))
            self._took_us = took_us

    def _begin(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            control = self._record.control
            spelt = "" if control is None else format_control(control)
            self._note(Begun(format_fen(self._record.start), dict(self._tags), spelt))
            self._players = self._called()

    def _remark(self, action: Action) -> None:
        if isinstance(action, Mismatched):
            missing, extra = names_of(action.missing), names_of(action.extra)
            self._note(Shown(action.t_us, missing, extra))
        elif isinstance(action, Asked):
            self._note(Questioned(action.t_us, list(action.candidates)))

    def _note(self, entry: Entry) -> None:
        self._noted.append(Noted(self.game, entry))


def ruled_entry(
    record: Record,
    before: Sequence[Move],
    took_us: Sequence[int],
    taken_us: Sequence[int],
    *,
    base_us: int = 0,
    turned: bool = False,
) -> Ruled:
    """The entry for a record's last ruling.

    ``before``: its moves before that; ``took_us``, ``taken_us``: how long each ply that was pressed
    took before and takes now; ``base_us``: what the record's times count more than the session's.
    """
    ruled, kept = record.rulings[-1], common(before, record.moves)
    moves = [_spelt(record, ply) for ply in range(kept, len(record.moves))]
    times_us = [t_us - base_us for t_us in record.times_us[kept:]]
    clock = None
    if record.control is not None:
        pressed, last = common(took_us, taken_us), record.clock_sets[-1]
        clock = ClockAt(pressed, list(taken_us[pressed:]), last.left_us, last.periods)
    words = ruled.who, ruled.why, ruled.what
    return Ruled(ruled.t_us - base_us, *words, ruled.ply, kept, moves, times_us, clock, turned)


def _spelt(record: Record, ply: int) -> str:
    move = record.moves[ply]
    return f"{UNLAWFUL}{format_unlawful(move)}" if ply in record.illegal else move.uci()
