"""The chronicle: one game as it was written down, read from the entries of its journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from boardfw.errors import NotationError
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.file_annotations import parse_annotations
from boardfw.game.journal import (
    UNLAWFUL,
    Annotated,
    Begun,
    Clocked,
    Entry,
    Opposed,
    Over,
    Owing,
    Plies,
    Pressed,
    Questioned,
    Resumed,
    Ruled,
    Tagged,
)
from boardfw.game.opponent import Chosen, Replied
from boardfw.game.record import ClockSet, PlyTime, Record
from boardfw.game.record import Ruled as Decided
from boardfw.game.recorder import Recorder
from boardfw.game.setup.planned_game import Unfinished
from boardfw.game.timekeeper import Timekeeper
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.notation.unlawful import parse_unlawful
from boardfw.rules import Move, Outcome, Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.squares import Orientation


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
    opponent: Chosen | None = None
    """Who played without being at the board when it was written last; None: nobody."""
    replied: Replied | None = None
    """That player's last move."""
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
        return Unfinished(
            record,
            orientation,
            self._open(),
            self.took_us,
            tags=self.tags,
            opponent=self.opponent,
            replied=self.replied,
        )

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
        elif isinstance(entry, Annotated):
            told.recorder.annotate(parse_annotations(told.record.start, entry.movetext))
        elif isinstance(entry, Opposed):
            told.opponent = _opponent(entry)
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
    elif isinstance(entry, Owing):
        before = _kept(record, entry.kept)
        move = parse_uci(positions[entry.kept], entry.move)
        told.replied = Replied((*before, move), entry.offers_draw)


def _opponent(entry: Opposed) -> Chosen | None:
    if not entry.side:
        return None
    names = [name.lower() for name in COLOR_NAMES]
    if entry.side not in names:
        raise NotationError(f"{entry.side!r} is no side")
    return Chosen(names.index(entry.side), entry.name)


def _kept(record: Record, plies: int) -> tuple[Move, ...]:
    """The first plies of a record. Raises NotationError if there are not so many."""
    if not 0 <= plies <= len(record.moves):
        raise NotationError(f"plies after {plies} of a game of {len(record.moves)}")
    return record.moves[:plies]


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
    return tuple(map(PlyTime.of_ms, entry.left_ms, entry.took_ms))


def _moves(record: Record, entry: Plies | Ruled, positions: list[Position]) -> tuple[Move, ...]:
    moves = list(_kept(record, entry.kept))
    if len(entry.times_us) != len(entry.moves):
        raise NotationError(f"{len(entry.times_us)} times of {len(entry.moves)} plies")
    del positions[entry.kept + 1 :]
    for uci in entry.moves:
        moves.append(_read(positions[-1], uci))
        positions.append(positions[-1].play_unchecked(moves[-1]))
    return tuple(moves)
