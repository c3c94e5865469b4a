"""One recording through the reader that is on trial, told as the actions of a game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from boardfw.game.events import Action, Finalised, Moved, TakenBack
from boardfw.inference.reading import Fault, Interpretation, Reader
from boardfw.notation.fen import parse_fen
from boardfw.recording import End, Recording, Scan
from boardfw.squares import Bitboard

KNOWN_US = 50_000
"""After a recording that was cut off, its last touches still settle."""


@dataclass(slots=True)
class Trial:
    """What the reader said of a recording, and how much processor time it took."""

    said: list[list[Action]] = field(default_factory=list)
    engine: list[Finalised] = field(default_factory=list)
    """What was final for an engine; what is said is final for a server."""
    announced: list[tuple[Finalised, float]] = field(default_factory=list)
    """Each ply when it was announced, and the probability that it had then."""
    cost_us: int = 0
    record: list[str] = field(default_factory=list)
    faults: dict[int, Fault] = field(default_factory=dict)
    """The faults of the board that were ever named, by their squares."""


class _Told:
    """Notes what changes from one interpretation to the next."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._final = [0, 0]

    def note(self, read: Interpretation) -> None:
        record, t_us = self._trial.record, read.t_us
        moves = [move.uci() for move in read.moves]
        same = 0
        while same < min(len(moves), len(record)) and moves[same] == record[same]:
            same += 1
        actions: list[Action] = []
        if same < len(record):
            actions.append(TakenBack(t_us, len(record) - same))
        for ply in range(same, len(moves)):
            actions.append(Moved(t_us, ply + 1, moves[ply], "", provisional=True))
            announced = Finalised(t_us, ply + 1, moves[ply])
            self._trial.announced.append((announced, 1 - min(1.0, read.plies[ply].doubt)))
        record[same:] = moves[same:]
        self._note_final(read, same, actions)
        if actions:
            self._trial.said.append(actions)

    def _note_final(self, read: Interpretation, same: int, actions: list[Action]) -> None:
        for at in range(2):
            self._final[at] = min(self._final[at], same)
            plies = sum(ply.final_for > at for ply in read.plies)
            for ply in range(self._final[at], plies):
                final = Finalised(read.t_us, ply + 1, read.moves[ply].uci())
                actions.append(final) if at else self._trial.engine.append(final)
            self._final[at] = max(self._final[at], plies)


def read_recording(recording: Recording) -> Trial:
    """Read a recording as a board would have, and tell what was said when."""
    trial = Trial()
    told = _Told(trial)
    entries = [entry for entry in recording.entries if isinstance(entry, Scan | End)]
    first = next(entry for entry in entries if isinstance(entry, Scan))
    reader = Reader(parse_fen(recording.start_fen), first.occupancy, dead=Bitboard(recording.dead))
    last_game, last_final = reader.game, reader.final
    began_ns, telling_ns = time.process_time_ns(), 0
    for _ in _steps(reader, entries):
        for fault in reader.faults:
            trial.faults.setdefault(fault.squares, fault)
        if reader.game is last_game and reader.final == last_final:
            continue
        last_game, last_final = reader.game, reader.final
        before_ns = time.process_time_ns()
        told.note(reader.interpretation())
        telling_ns += time.process_time_ns() - before_ns
    trial.cost_us = (time.process_time_ns() - began_ns - telling_ns) // 1000
    return trial


def _steps(reader: Reader, entries: list[Scan | End]) -> Iterator[None]:
    """Feed the reader one thing after the other; between them something may have been said."""
    for entry in entries[1:]:
        yield from _wait(reader, entry.t_us)
        if isinstance(entry, Scan):
            reader.feed(entry.t_us, entry.occupancy, entry.since_us)
        else:
            reader.pass_time(entry.t_us)
        yield
    if not isinstance(entries[-1], End):
        yield from _wait(reader, entries[-1].t_us + KNOWN_US)


def _wait(reader: Reader, until_us: int) -> Iterator[None]:
    while (due_us := reader.deadline_us) is not None and due_us < until_us:
        reader.pass_time(due_us)
        yield
