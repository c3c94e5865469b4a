"""One recording through the reader that is on trial, told as the actions of a game."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from boardfw.game.events import Action, Asked, Finalised, Moved, TakenBack
from boardfw.inference.reading import Fault, Question, ScanReader
from boardfw.notation.fen import parse_fen
from boardfw.recording import End, Recording, Scan
from tests.readings import Reading, reading_of

ANSWER_US = 3_000_000
"""Players who answer press the button so long after the question."""
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
    questions: list[Question] = field(default_factory=list)
    """Everything that was asked, once more whenever the candidates changed."""
    cost_us: int = 0
    record: list[str] = field(default_factory=list)
    faults: dict[int, Fault] = field(default_factory=dict)
    """The faults of the board that were ever named, by their squares."""


class _Told:
    """Notes what changes from one reading to the next."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._final = [0, 0]

    def note(self, read: Reading, t_us: int) -> None:
        record = self._trial.record
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
        self._note_final(read, t_us, same, actions)
        if actions:
            self._trial.said.append(actions)

    def note_question(self, question: Question, t_us: int) -> None:
        self._trial.questions.append(question)
        self._trial.said.append([Asked(t_us, tuple(move.uci() for move in question.moves))])

    def _note_final(self, read: Reading, t_us: int, same: int, actions: list[Action]) -> None:
        for at in range(2):
            self._final[at] = min(self._final[at], same)
            plies = sum(ply.final_for > at for ply in read.plies)
            for ply in range(self._final[at], plies):
                final = Finalised(t_us, ply + 1, read.moves[ply].uci())
                actions.append(final) if at else self._trial.engine.append(final)
            self._final[at] = max(self._final[at], plies)


def read_recording(recording: Recording, answers: Sequence[str] = ()) -> Trial:
    """Read a recording as a board would have, and tell what was said when.

    ``answers``: the moves of the game, for players who answer questions by a button; none do
    without.
    """
    trial = Trial()
    told = _Told(trial)
    entries = [entry for entry in recording.entries if isinstance(entry, Scan | End)]
    first = next(entry for entry in entries if isinstance(entry, Scan))
    reader = ScanReader(parse_fen(recording.start_fen), first.occupancy, dead=recording.dead)
    last_game, last_final, asked = reader.game, reader.final, None
    began_ns, telling_ns = time.process_time_ns(), 0
    for t_us in _steps(reader, entries):
        question = reader.question
        for fault in reader.faults:
            trial.faults.setdefault(fault.squares, fault)
        if answers and question is not None and t_us - question.since_us > ANSWER_US:
            _answer(reader, question, answers)
        if reader.game is last_game and reader.final == last_final and question is asked:
            continue
        before_ns = time.process_time_ns()
        if question is not asked and question is not None:
            told.note_question(question, t_us)
        last_game, last_final, asked = reader.game, reader.final, question
        told.note(reading_of(reader), t_us)
        telling_ns += time.process_time_ns() - before_ns
    trial.cost_us = (time.process_time_ns() - began_ns - telling_ns) // 1000
    return trial


def _answer(reader: ScanReader, asked: Question, answers: Sequence[str]) -> None:
    names = [move.uci() for move in asked.moves]
    played = "".join(answers[asked.ply : asked.ply + 1])
    if played in names:
        reader.answer(names.index(played))


def _steps(reader: ScanReader, entries: list[Scan | End]) -> Iterator[int]:
    """Feed the reader one thing after the other; yield the times at which it may have spoken."""
    for entry in entries[1:]:
        yield from _wait(reader, entry.t_us)
        if isinstance(entry, Scan):
            reader.feed(entry.t_us, entry.occupancy, entry.since_us)
        else:
            reader.pass_time(entry.t_us)
        yield entry.t_us
    if not isinstance(entries[-1], End):
        yield from _wait(reader, entries[-1].t_us + KNOWN_US)


def _wait(reader: ScanReader, until_us: int) -> Iterator[int]:
    while (due_us := reader.deadline_us) is not None and due_us < until_us:
        reader.pass_time(due_us)
        yield due_us
