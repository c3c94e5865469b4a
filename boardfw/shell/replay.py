"""Recorded traces through the code of a live board, in virtual time, and their events files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from boardfw.errors import NotationError, TraceError
from boardfw.frame import DARK, Frame
from boardfw.game.events import Action, Event, Tick
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import KnownSetup
from boardfw.notation.fen import parse_fen
from boardfw.phrase import Phrase
from boardfw.ports import earliest
from boardfw.recording import SUFFIX, End, Entry, Recording, Scan, read_trace
from boardfw.rules import Position
from boardfw.shell.config import Settings
from boardfw.shell.dates import undated
from boardfw.shell.desk import Desk
from boardfw.shell.files import place_of_own, write_all
from boardfw.shell.pgn_file import Pgn
from boardfw.shell.places import is_our_pgn
from boardfw.squares import NAMES, names_of


def event_of(action: Action) -> dict[str, Any]:
    """The action as an events file tells it."""
    told: dict[str, Any] = {"t": action.t_us, "event": action.__struct_config__.tag}
    for name in action.__struct_fields__[1:]:
        value = getattr(action, name)
        told[name] = str(value) if isinstance(value, Phrase) else value
    if told.get("square") is not None:
        told["square"] = NAMES[told["square"]]
    for squares in ("missing", "extra", "squares"):
        if squares in told:
            told[squares] = names_of(told[squares])
    return told


def event_line(action: Action) -> str:
    """The same as one line, newline included."""
    return msgspec.json.encode(event_of(action)).decode() + "\n"


def frame_line(t_us: int, frame: Frame) -> str:
    """The frame as one line of a frames file, newline included."""
    return f'{{"t":{t_us},"rgb":"{frame.hex()}"}}\n'


class Replay:
    """One trace being played: what was said and what was lit, as lines of the contract's files.

    ``hear`` is told after every event what was said, which mostly is nothing.
    """

    def __init__(
        self,
        recording: Recording,
        settings: Settings,
        *,
        frames: bool = False,
        hear: Callable[[list[Action]], None] | None = None,
    ) -> None:
        start = start_of(recording, "trace")
        self.desk = Desk(
            Session(
                start,
                settings.settle.square_us,
                clock=settings.clock.use(),
                stood=KnownSetup(stuck=recording.dead),
            ),
            settings,
        )
        self.desk.help_policy.lock()  # what is past needs no other help
        self.frames: list[str] = []
        self._recording = recording
        self._with_frames = frames
        self._hear = hear
        self._shown = DARK
        self._said: list[Action] = []

    def play(self) -> None:
        """Play the whole trace."""
        for entry in self._recording.entries:
            self._pass_time(_known_until_us(entry))
            self._take(Tick(entry.t_us) if isinstance(entry, End) else entry)
        self._say(self.desk.finish())
        self._show(self.desk.session.t_us)

    @property
    def events(self) -> list[str]:
        """What was said, a line for each."""
        return [event_line(action) for action in self._said]

    def pgn(self) -> str:
        """The games as they stand."""
        return Pgn(self.desk.settings, undated).text(self.desk.session.games)

    def _pass_time(self, until_us: int) -> None:
        """Let everything happen that time alone brings about before an instant."""
        now_us = self.desk.session.t_us
        while True:
            tick_us = self.desk.deadline_us
            due = earliest(tick_us, self.desk.next_frame_us(now_us) if self._with_frames else None)
            if due is None or due >= until_us:
                return
            now_us = due
            if due == tick_us:
                self._take(Tick(due))
            else:
                self._show(due)

    def _take(self, event: Event) -> None:
        self._say(self.desk.take(event))
        self._show(event.t_us)

    def _say(self, said: list[Action]) -> None:
        self._said += said
        if self._hear:
            self._hear(said)

    def _show(self, t_us: int) -> None:
        if not self._with_frames:
            return
        frame = self.desk.frame(t_us)
        if frame != self._shown or not self.frames:
            self._shown = frame
            self.frames.append(frame_line(t_us, frame))


def load(path: Path) -> Recording:
    """The recording in a file. Raises TraceError, also where its ``start_fen`` is none."""
    recording = read_trace(path)
    start_of(recording, str(path))
    return recording


def start_of(recording: Recording, name: str) -> Position:
    """Where the game of a recording starts; ``name`` stands for FILE in a TraceError."""
    try:
        return parse_fen(recording.start_fen)
    except NotationError as error:
        raise TraceError(f"{name}:1: start_fen: {error}") from error


def stem_of(path: Path) -> str:
    """What the files of a trace are named after."""
    return path.name.removesuffix(SUFFIX)


def replay_file(
    path: Path, out: Path, settings: Settings, *, events: bool, frames: bool, force: bool
) -> list[str]:
    """Play one trace into ``out``; its warnings. Raises BoardError; then nothing is written.

    ``force``: files of the same names may be anybody's.
    """
    recording = load(path)
    stem = stem_of(path)
    pgn = place_of_own(out / f"{stem}.pgn", is_our_pgn, force=force)
    lines = {
        kind: place_of_own(out / f"{stem}.{kind}.jsonl", _is_of_time, force=force)
        for kind, is_asked in (("events", events), ("frames", frames))
        if is_asked
    }
    replay = Replay(recording, settings, frames=frames)
    replay.play()
    files: dict[Path, str | list[str]] = {pgn: replay.pgn()}
    files |= {place: getattr(replay, kind) for kind, place in lines.items()}
    write_all(files)
    return recording.warnings


def _is_of_time(text: str) -> bool:
    """Whether it begins with a line of ours that says what was at a time."""
    return text.startswith('{"t":')


def _known_until_us(entry: Entry) -> int:
    """Up to when the switches are known to have been as the line before says."""
    since_us = entry.since_us if isinstance(entry, Scan) else None
    return entry.t_us if since_us is None else since_us
