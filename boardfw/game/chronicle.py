"""The game that the entries of a journal tell, taken one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from boardfw.errors import NotationError
from boardfw.game.clock import parse_control
from boardfw.game.journal import (
    UNLAWFUL,
    Begun,
    Clocked,
    Entry,
    Over,
    Plies,
    Pressed,
    Questioned,
    Resumed,
    Ruled,
    Tagged,
)
from boardfw.game.record import ClockSet, PlyTime, Record, with_set
from boardfw.game.record import Ruled as Decided
from boardfw.game.resuming import Unfinished
from boardfw.game.timekeeper import ClockUse, Timekeeper
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.notation.unlawful import parse_unlawful
from boardfw.rules import Move, Outcome, Position
from boardfw.squares import HALF_TURN


@dataclass(slots=True)
class Chronicle:
    """One game as it was written down. Times of the record count from the game's first run."""

    record: Record
    tags: dict[str, str]
    turned: bool = False
    asked: tuple[str, ...] = ()
    """Moves among which the players were to choose the last ply, and had not; in UCI."""
    took_us: tuple[int, ...] = ()
    """How long each ply took that was pressed on the clock."""
    now_us: int = 0
    """When the last entry was made, as times of the record count."""
    base_us: int = 0
    """When its run began."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.record.outcome is not None

    def timed(self) -> Record:
        """The record with what the clock said of each ply that was pressed."""
        if self.record.control is not None:
            Timekeeper(self.record, ClockUse(self.record.control), self.took_us)
        return self.record

    def unfinished(self) -> Unfinished:
        """The game as a session takes it up: its last ply at 0."""
        record = self.record
        last_us = record.times_us[-1] if record.times_us else 0
        record.times_us = tuple(t_us - last_us for t_us in record.times_us)
        record.started_us -= last_us
        record.history = [replace(one, t_us=one.t_us - last_us) for one in record.history]
        record.rulings = [replace(one, t_us=one.t_us - last_us) for one in record.rulings]
        turn = HALF_TURN if self.turned else 0
        return Unfinished(record, turn, self._open(), self.took_us, tags=self.tags)

    def _open(self) -> tuple[Move, ...]:
        record = self.record
        if not record.moves or record.moves[-1].uci() not in self.asked:
            return ()
        before = record.positions()[-2]
        return tuple(parse_uci(before, uci) for uci in self.asked)


def chronicle(entries: Iterable[Entry]) -> Chronicle:
    """Read a game. Raises NotationError where the entries tell none."""
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
            told.record.ply_times = _ply_times(entry)
        elif isinstance(entry, Tagged):
            told.tags = {name: tag for name, tag in (told.tags | entry.tags).items() if tag}
        else:
            told.now_us = told.base_us + entry.t_us
            _take(told, entry, positions)
    if told is None:
        raise NotationError("the journal of a game is empty")
    return told


def _take(told: Chronicle, entry: Entry, positions: list[Position]) -> None:
    """``positions``: those of the record's plies, the start first; they follow it."""
    record = told.record
    if isinstance(entry, Plies):
        moves = _moves(record, entry, positions)
        record.change(told.now_us, moves)
        record.times_us = _times(told, entry)
        told.turned, told.asked = entry.turned, ()
    elif isinstance(entry, Ruled):
        _rule(told, entry, positions)
    elif isinstance(entry, Over):
        ended = Outcome(entry.result, entry.termination) if entry.result else None
        record.outcome = ended
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
    record.rule(ruled, moves, _times(told, entry), frozenset(illegal))
    told.turned, told.asked = entry.turned, ()
    if entry.clock is not None:
        _press(told, entry.clock.kept, entry.clock.took_us)
        last = ClockSet(len(told.took_us), entry.clock.left_us, entry.clock.periods)
        record.clock_sets = with_set(record.clock_sets, entry.clock.kept, last)


def _press(told: Chronicle, kept: int, took_us: list[int]) -> None:
    """What was set behind what was pressed otherwise is forgotten, as by the clock itself."""
    record = told.record
    record.clock_sets = tuple(one for one in record.clock_sets if one.presses <= kept)
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
