"""The journal: what is written down of each game as it happens.

Entries are only ever added. One that gives plies replaces what stood from there on, so a take-back
and an amendment are entries like any other, and what they replaced can be told for ever
(``chronicle.py``).
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
from boardfw.rules.move import common
from boardfw.squares import names_of


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A game begins with this position; tags as in PGN."""

    fen: str
    tags: dict[str, str]
    control: str = ""
    """The time control, as its tag in PGN; empty: no clock."""


class Plies(msgspec.Struct, frozen=True, tag="plies", omit_defaults=True):
    """After the first ``kept`` plies the game goes on so. Times are of the session's clock."""

    t_us: int
    kept: int
    moves: list[str]
    """In UCI, or as of ``UNLAWFUL``."""
    times_us: list[int]
    """When each of them became known."""
    turned: bool = False
    """The board stands the other way round."""


class Pressed(msgspec.Struct, frozen=True, tag="pressed"):
    """After the first ``kept`` plies that were pressed on the clock, these took so long."""

    t_us: int
    kept: int
    took_us: list[int]


UNLAWFUL = "!"
"""Before a move that is against the rules and stands, spelt as of ``notation.unlawful``."""


class ClockAt(msgspec.Struct, frozen=True):
    """After the first ``kept`` presses these took so long; then the clocks were set."""

    kept: int
    took_us: list[int]
    left_us: tuple[int, int]
    """White's time and Black's."""
    periods: tuple[int, int]
    """Of byo-yomi that they have left."""


class Ruled(msgspec.Struct, frozen=True, tag="ruled", omit_defaults=True):
    """An arbiter has decided: after the first ``kept`` plies the game goes on so, as of ``Plies``.

    It is whole in itself: nobody has to know the rules by which it was made.
    """

    t_us: int
    who: str
    why: str
    what: str
    """The decision in words, with the plies that stood there before."""
    ply: int
    """After this one it is told; 0: before the first."""
    kept: int
    moves: list[str]
    times_us: list[int]
    clock: ClockAt | None = None
    """None: the game is played without."""
    turned: bool = False


class Shown(msgspec.Struct, frozen=True, tag="shown"):
    """The board stood as no legal move explains: squares without their man, and with one."""

    t_us: int
    missing: list[str]
    extra: list[str]


class Questioned(msgspec.Struct, frozen=True, tag="asked"):
    """The players were asked which of these moves was made; in UCI."""

    t_us: int
    moves: list[str]


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game has ended so; both empty: it goes on after all."""

    t_us: int
    result: str
    termination: str


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """The program was started anew: the session's clock has begun again at 0."""


class Clocked(msgspec.Struct, frozen=True, tag="clocked"):
    """Of a game from a file: what the clock showed after each ply, and how long the ply took."""

    left_ms: list[int]
    took_ms: list[int]


class Tagged(msgspec.Struct, frozen=True, tag="tagged"):
    """Somebody says so of the game, at the board or later; an empty value removes the tag."""

    tags: dict[str, str]


Entry: TypeAlias = (
    Begun | Plies | Pressed | Ruled | Shown | Questioned | Over | Resumed | Clocked | Tagged
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def to_json(entry: Entry) -> bytes:
    """One entry as it is kept."""
    return _encoder.encode(entry)


def from_json(text: bytes) -> Entry:
    """The entry that was kept so. Raises NotationError where it is none."""
    try:
        entry: Entry = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise NotationError(f"no entry of a journal: {error}") from error
    return entry


class Noted(NamedTuple):
    """An entry and its game: the number of games that were begun before it in this run."""

    game: int
    entry: Entry


class Journal:
    """Looks at a session after each event and answers what is to be written down.

    A game without a ply was none: it begins with its first one.
    """

    def __init__(self, session: Session, tags: Mapping[str, str], *, resumed: bool = False) -> None:
        """``tags``: read whenever a game begins.

        ``resumed``: the session's first game has been begun in an earlier run.
        """
        self._tags = tags
        self._record = session.record
        self._moves: tuple[Move, ...] = session.record.moves if resumed else ()
        self._took_us = _took_us(session.record) if resumed else []
        self._outcome: Outcome | None = None
        self._is_begun = resumed
        self._players = self._called()
        """What the players of this game are called, as was written down."""
        self._number = 0
        self._noted: list[Noted] = []
        if resumed:
            self._note(Resumed())

    @property
    def game(self) -> int:
        """The number of the game that is being played, as of ``Noted``."""
        return self._number

    def take(self, session: Session, said: list[Action]) -> list[Noted]:
        """What is new, in its order. ``said``: what the session has just answered."""
        for action in said:
            if isinstance(action, events.Ruled):
                self._note_ruling(turned=bool(session.line.turn))
        self._compare(session.t_us, turned=bool(session.line.turn))
        if session.record is not self._record:
            self._turn_over(session.record)
            self._compare(session.t_us, turned=bool(session.line.turn))
        self._compare_players()
        for action in said if self._is_begun else ():
            self._remark(action)
        noted, self._noted = self._noted, []
        return noted

    def _turn_over(self, record: Record) -> None:
        """Another game is being played."""
        self._number += self._is_begun
        self._record, self._moves, self._outcome, self._is_begun = record, (), None, False
        self._took_us = []

    def _compare(self, t_us: int, *, turned: bool) -> None:
        record = self._record
        if record.moves != self._moves:
            self._begin()
            kept = common(self._moves, record.moves)
            moves = [_spelt(record, ply) for ply in range(kept, len(record.moves))]
            self._note(Plies(t_us, kept, moves, list(record.times_us[kept:]), turned))
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
        """Somebody may have said at the board who plays."""
        if self._is_begun and (called := self._called()) != self._players:
            self._note(Tagged(called))
            self._players = called

    def _note_ruling(self, *, turned: bool) -> None:
        self._begin()
        record = self._record
        took_us = _took_us(record)
        self._note(ruled_entry(record, self._moves, self._took_us, took_us, turned=turned))
        self._moves, self._took_us = record.moves, took_us

    def _compare_times(self, t_us: int) -> None:
        took_us = _took_us(self._record)
        if self._is_begun and took_us != self._took_us:
            kept = common(self._took_us, took_us)
            self._note(Pressed(t_us, kept, took_us[kept:]))
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
        self._noted.append(Noted(self._number, entry))


def ruled_entry(
    record: Record,
    before: Sequence[Move],
    took_us: Sequence[int],
    taken_us: Sequence[int],
    *,
    base_us: int = 0,
    turned: bool = False,
) -> Ruled:
    """What is written down of a record's last ruling.

    ``before``: its moves before that; ``took_us``: how long each ply that was pressed had taken
    then, ``taken_us``: now; ``base_us``: what the record's times count more than the session's.
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


def _took_us(record: Record) -> list[int]:
    return [time.took_us for time in record.ply_times]
