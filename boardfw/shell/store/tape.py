"""What the switches do while a game is played, taken down as a trace that begins with it."""

from __future__ import annotations

import io
from typing import NamedTuple

from boardfw.game.course import Course
from boardfw.game.events import Event, Press, Sample
from boardfw.game.session import Session
from boardfw.game.table import Table
from boardfw.notation.fen import format_fen
from boardfw.ports import BUTTONS
from boardfw.recording import TraceWriter

MOST = 1_000_000
"""Characters between two plies; a board that is shaken for days is no game."""


class Taped(NamedTuple):
    """More of the trace of a game.

    ``game``: as of ``Noted``. ``first``: after so many plies the trace begins. It is a new one
    where ``text`` begins with its head. ``end``: its last line, until there is more.
    """

    game: int
    first: int
    text: str
    end: str


class Tape:
    """Listens to what a session is told. A trace begins anew where play begins or is taken up."""

    def __init__(self) -> None:
        self._course: Course | None = None
        self._stands: Sample | None = None
        self._text = io.StringIO()
        self._writer: TraceWriter | None = None
        self._first = 0
        self._began_us = 0

    def hear(self, event: Event, session: Session) -> None:
        """The session has taken an event."""
        if isinstance(event, Sample):
            self._stands = event
        if session.course is not self._course:
            self._begin(session)
        elif self._writer and self._text.tell() < MOST:
            self._write(self._writer, event)

    def cut(self, game: int, t_us: int) -> Taped:
        """What has been taken down since it was asked for last, until now."""
        text = self._text.getvalue()
        self._text.seek(0)
        self._text.truncate()
        end = f'{{"t":{t_us - self._began_us},"end":true}}\n'
        return Taped(game, self._first, text, end)

    def _begin(self, session: Session) -> None:
        self._course, self._writer = session.course, None
        self._text = io.StringIO()
        if session.table is Table.SETUP or self._stands is None:
            return
        record = session.record
        self._first, self._began_us = len(record.moves), session.t_us
        self._writer = TraceWriter(self._text, format_fen(record.positions()[-1]))
        self._writer.scan(session.t_us, self._stands.occupancy)

    def _write(self, writer: TraceWriter, event: Event) -> None:
        if isinstance(event, Sample):
            writer.scan(event.t_us, event.occupancy, event.since_us)
        elif isinstance(event, Press) and event.button in BUTTONS:
            writer.button(event.t_us, event.button)
