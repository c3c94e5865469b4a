"""The journal: the entries written for each game as it happens, and the game read from them again.

Entries are only ever added. One that gives plies replaces what stood from there on, so a take-back
and an amendment are entries like any other, and what they replaced stays readable for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import msgspec

from boardfw.errors import NotationError
from boardfw.game import events
from boardfw.game.clock import ClockUse, format_control, parse_control
from boardfw.game.events import Action, Asked, Mismatched
from boardfw.game.record import ClockSet, PlyTime, Record
from boardfw.game.record import Ruled as Decided
from boardfw.game.recorder import Recorder
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import Unfinished
from boardfw.game.timekeeper import Timekeeper
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.notation.unlawful import format_unlawful, parse_unlawful
from boardfw.rules import Move, Outcome, Position
from boardfw.rules.move import common
from boardfw.squares import Orientation, names_of


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


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game has ended like this; both texts are empty if it goes on after all."""

    t_us: int
    result: str
    termination: str


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """The program was restarted: the session's clock has begun again at 0."""


class Clocked(msgspec.Struct, frozen=True, tag="clocked"):
    """For a game from a file: what the clock showed after each ply, and how long the ply took."""

    left_ms: list[int]
    took_ms: list[int]


class Tagged(msgspec.Struct, frozen=True, tag="tagged"):
    """Tags given to the game, at the board or later; an empty value removes the tag."""

    tags: dict[str, str]


Entry: TypeAlias = (
    Begun | Plies | Pressed | Ruled | Shown | Questioned | Over | Resumed | Clocked | Tagged
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

    A game without plies is not written: it begins with its first ply.
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
        self._players = self._called()
        """The players' names of this game, as written down."""
        self.game = 0
        """The number of the game that is being played, as of ``Noted``."""
        self._noted: list[Noted] = []
        if resumed:
            self._note(Resumed())

    def take(self, session: Session, said: list[Action]) -> list[Noted]:
        """What is new, in its order. ``said``: the session's latest actions."""
        self._turned = session.hypothesis.orientation.is_turned
        for action in said:
            if isinstance(action, events.Ruled):
                self._note_ruling()
        self._compare(session.t_us)
        if session.record is not self._record:
            self._turn_over(session.record)
            self._compare(session.t_us)
        self._compare_players()
        for action in said if self._is_begun else ():
            self._remark(action)
        noted, self._noted = self._noted, []
        return noted

    def _turn_over(self, record: Record) -> None:
        """Another game is being played."""
        self.game += self._is_begun
        self._record, self._moves, self._outcome, self._is_begun = record, (), None, False
        self._took_us = ()

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


# --- reading a journal


@dataclass(slots=True)
class Chronicle:
    """One game as it was written down. Times of the record count from the game's first run."""

    record: Record
    tags: dict[str, str]
    turned: bool = False
    asked: tuple[str, ...] = ()
    """The choices for the last ply, in UCI, that were not answered."""
    took_us: tuple[int, ...] = ()
    """How long each ply took that was pressed on the clock."""
    now_us: int = 0
    """When the last entry was made, as times of the record count."""
    base_us: int = 0
    """When its run began."""
    recorder: Recorder = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.record)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.record.outcome is not None

    def timed(self) -> Record:
        """The record with what the clock said of each ply that was pressed."""
        if self.record.control is not None:
            Timekeeper(self.recorder, ClockUse(self.record.control), self.took_us)
        return self.record

    def unfinished(self) -> Unfinished:
        """The game for a session to resume, its last ply at time 0."""
        record = self.record
        last_us = record.times_us[-1] if record.times_us else 0
        self.recorder.shift(-last_us)
        orientation = Orientation.of(turned=self.turned)
        return Unfinished(record, orientation, self._open(), self.took_us, tags=self.tags)

    def _open(self) -> tuple[Move, ...]:
        record = self.record
        if not record.moves or record.moves[-1].uci() not in self.asked:
            return ()
        before = record.positions()[-2]
        return tuple(parse_uci(before, uci) for uci in self.asked)


def chronicle(entries: Iterable[Entry]) -> Chronicle:
    """Read a game. Raises NotationError if the entries do not form one."""
    told: Chronicle | None = None
    positions: list[Position] = []
    for entry in entries:
        if isinstance(entry, Begun):
            control = parse_control(entry.control) if entry.control else None
            positions = [parse_fen(entry.fen)]
            told = Chronicle(Record(positions[0], 0, control=control), dict(entry.tags))
        elif told is None:
            raise NotationError("the journal of a game does not begin with its beginning")
        elif isinstance(entry, Resumed):
            told.base_us = told.now_us
        elif isinstance(entry, Clocked):
            told.recorder.note_clock(_ply_times(entry), ())
        elif isinstance(entry, Tagged):
            told.tags = {name: tag for name, tag in (told.tags | entry.tags).items() if tag}
        else:
            told.now_us = told.base_us + entry.t_us
            _take(told, entry, positions)
    if told is None:
        raise NotationError("the journal of a game is empty")
    return told


def _take(told: Chronicle, entry: Entry, positions: list[Position]) -> None:
    """Apply an entry; ``positions``: those of the record's plies, the start first, kept in step."""
    record = told.record
    if isinstance(entry, Plies):
        moves = _moves(record, entry, positions)
        told.recorder.change(told.now_us, moves, _times(told, entry))
        told.turned, told.asked = entry.turned, ()
    elif isinstance(entry, Ruled):
        _rule(told, entry, positions)
    elif isinstance(entry, Over):
        ended = Outcome(entry.result, entry.termination) if entry.result else None
        told.recorder.end(ended)
    elif isinstance(entry, Questioned):
        told.asked = tuple(entry.moves)
    elif isinstance(entry, Pressed):
        _press(told, entry.kept, entry.took_us)


def _rule(told: Chronicle, entry: Ruled, positions: list[Position]) -> None:
    record = told.record
    moves = _moves(record, entry, positions)
    against = {entry.kept + n for n, text in enumerate(entry.moves) if text.startswith(UNLAWFUL)}
    illegal = {ply for ply in record.illegal if ply < entry.kept} | against
    ruled = Decided(told.now_us, entry.ply, entry.who, entry.why, entry.what)
    told.recorder.rule(ruled, moves, _times(told, entry), illegal)
    told.turned, told.asked = entry.turned, ()
    if entry.clock is not None:
        _press(told, entry.clock.kept, entry.clock.took_us)
        last = ClockSet(len(told.took_us), entry.clock.left_us, entry.clock.periods)
        told.recorder.set_clock(entry.clock.kept, last)


def _press(told: Chronicle, kept: int, took_us: list[int]) -> None:
    """Forget what was set after a changed press, as the clock itself does."""
    told.recorder.forget_presses(kept)
    told.took_us = (*told.took_us[:kept], *took_us)


def _times(told: Chronicle, entry: Plies | Ruled) -> tuple[int, ...]:
    times = (told.base_us + t_us for t_us in entry.times_us)
    return (*told.record.times_us[: entry.kept], *times)


def _read(position: Position, text: str) -> Move:
    if text.startswith(UNLAWFUL):
        return parse_unlawful(position, text.removeprefix(UNLAWFUL))
    return parse_uci(position, text)


def _ply_times(entry: Clocked) -> tuple[PlyTime, ...]:
    if len(entry.left_ms) != len(entry.took_ms):
        raise NotationError(
            f"{len(entry.left_ms)} times of the clock, {len(entry.took_ms)} of plies"
        )
    pairs = zip(entry.left_ms, entry.took_ms, strict=True)
    return tuple(PlyTime(left_ms * 1000, took_ms * 1000) for left_ms, took_ms in pairs)


def _moves(record: Record, entry: Plies | Ruled, positions: list[Position]) -> tuple[Move, ...]:
    is_there = 0 <= entry.kept <= len(record.moves)
    if not is_there or len(entry.times_us) != len(entry.moves):
        raise NotationError(f"plies after {entry.kept} of a game of {len(record.moves)}")
    moves = list(record.moves[: entry.kept])
    del positions[entry.kept + 1 :]
    for uci in entry.moves:
        moves.append(_read(positions[-1], uci))
        positions.append(positions[-1].play_unchecked(moves[-1]))
    return tuple(moves)
