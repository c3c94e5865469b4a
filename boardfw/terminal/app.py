"""The terminal board: draws the session twenty times a second and passes clicks and keys on."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import ClassVar, Final, Literal

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.driver import Driver
from textual.events import Resize
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from boardfw.game.events import Action, Misplaced, Owed
from boardfw.game.view import View
from boardfw.notation.pgn import MainLine
from boardfw.rules import Move
from boardfw.squares import Square, Switch
from boardfw.terminal.drawn_board import ZOOMS, Squares, zoom_for
from boardfw.terminal.driver import ScreenLog, one_line
from boardfw.terminal.messages import beginning_news, choice_seconds, news, situation
from boardfw.terminal.paint import paint_for
from boardfw.terminal.panels import (
    RUNNING,
    Message,
    Moves,
    Situation,
    Switches,
    Tray,
    clock_words,
    legend,
)
from boardfw.terminal.talk import ASKS_DATE_S, Talk
from boardfw.terminal.typing_line import KEYS, Help, Line, QrCode

LOOK_HZ = 20
"""Fast enough for an even blink of 400 ms; a Pi Zero still has time for the board."""
BESIDE = 38
"""Columns to the right of the board."""
AROUND = 7
"""Lines above and below it."""
TOO_SMALL = "window too small"
BOX: Final = "box"
"""The box, as origin or target of a dragged piece."""
BROKEN = 1
"""Exit status when the board broke down."""


class TerminalBoard(App[None]):
    """The board in a terminal. ``fault``: the error in one line, for after the screen is closed."""

    CSS_PATH = "board.tcss"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "Line"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", priority=True),
        Binding("ctrl+q", "leave", priority=True),
    ]

    def __init__(self, talk: Talk, pgn_path: Path) -> None:
        super().__init__()
        self.fault = ""
        self.talk = talk
        self.seat = talk.seat
        self._runtime = talk.runtime
        self._clock = talk.clock
        self._game: MainLine | None = None
        self._pgn_path = pgn_path
        self._seen: tuple[View, tuple[Move, ...], int | None] | None = None
        self._misplaced: tuple[Square, str] | None = None
        """Where a piece was put that does not belong there, and the message; None: nowhere."""
        self._headline = ""
        self._dragged_from: Switch | Literal["box"] | None = None
        """Origin of the piece that the mouse drags; None: no piece is dragged."""
        self._reports = ScreenLog(self.say)
        letters = os.environ.get("TERM") == "linux"  # the console's own font has no chess figures
        self._squares = Squares(letters=letters)
        self._tray = Tray(letters=letters)
        self._moves = Moves()
        self._situation = Situation()
        self._switches = Switches()
        self._head = Static(id="head", markup=False)
        self._opening = Static(id="opening", markup=False)
        self._message = Message()
        self._keys = Static(KEYS, id="keys")
        self._makes_room = (self._opening, self._keys)
        """Widgets that a message of two lines, and then of three, replaces."""

    def get_driver_class(self) -> type[Driver]:
        """A driver that outlives the terminal, where terminals come and go."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":
            return usual
        from boardfw.terminal.driver import DetachableDriver

        return DetachableDriver

    def play(self, game: MainLine | None) -> None:
        """Let the hands play this game once the board runs."""
        self._game = game

    # --- the screen

    def compose(self) -> ComposeResult:
        """Board to the left, text to the right; hand, opening and input line below."""
        yield self._head
        with Horizontal(id="middle"):
            yield self._squares
            with Vertical(id="beside"):
                yield self._situation
                with Horizontal(id="lower"):
                    yield self._moves
                    yield self._switches
        yield self._tray
        yield self._opening
        yield self._message
        yield Line()
        yield self._keys

    def on_mount(self) -> None:
        """Start the board and the regular redrawing."""
        self._squares.paint = self._tray.paint = paint_for(
            self.console.color_system, has_colours=not self.no_color
        )
        self._runtime.listen(self._hear)
        self._reports.take_over(asyncio.get_running_loop())
        if not self.is_headless:
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self.action_leave)
        self.run_worker(self._work(), exit_on_error=False)
        news = beginning_news(self._runtime.desk.session.record)
        self.say("; ".join(filter(None, (news, self.talk.page()))))
        if self._game is not None:
            self.seat.watch(self._game)
        self.look()
        self.set_interval(1 / LOOK_HZ, self.look)
        self.set_timer(ASKS_DATE_S, self.ask_date)

    def on_unmount(self) -> None:
        """Restore the log's former handlers."""
        self._reports.give_back()

    def on_resize(self, event: Resize) -> None:
        """Draw the board as large as fits; say so if not even the smallest size fits."""
        width, height = event.size.width - BESIDE, event.size.height - AROUND
        self._squares.fit(zoom_for(width, height))
        least = ZOOMS[-1].board
        if width < least.width or height < least.height:
            wanted = f"{least.width + BESIDE} by {least.height + AROUND}"
            self._write(f"{TOO_SMALL}: {wanted} at least, 80 by 24 for all of it")
        else:
            self._write("" if self._message.text.startswith(TOO_SMALL) else self._message.text)

    def look(self) -> None:
        """Draw whatever has changed."""
        self.say(self.seat.keep_up())
        desk = self._runtime.desk
        view, frame = desk.view, desk.frame(self._clock.now_us())
        self._squares.show(frame, self.seat.pieces, view.orientation)
        session = desk.session
        settled = session.standing
        raw = settled if desk.occupancy is None else desk.occupancy
        self._switches.show(settled, raw, session.stuck.known, view.orientation)
        self._tray.show(self.seat.held, self.seat.box)
        self._write_head()
        # The record may change later than the view, so both are compared.
        seen = view, session.record.moves, choice_seconds(view, self._clock.now_us())
        if seen != self._seen:
            self._seen = seen
            self._forget_misplaced(view)
            self._tell(view)

    def say(self, text: str) -> None:
        """Show a message, until the next."""
        if text:
            self._write(text)

    def ask_date(self) -> None:
        """Ask whether the date is right, below what stands there: it may be a link to be copied."""
        if question := self.talk.date_question():
            self.say("\n".join(filter(None, (self._message.text, question))))

    # --- what the widgets report

    def on_squares_touched(self, event: Squares.Touched) -> None:
        """A square was clicked, or a piece is being dragged from it."""
        held = len(self.seat.held)
        self._answer(self.seat.touch(event.square, aside=event.aside))
        self._dragged_from = event.square if len(self.seat.held) > held else None

    def on_squares_let_go(self, event: Squares.LetGo) -> None:
        """A piece that was dragged to another square is put down there."""
        if self._drops(event.square):
            self._answer(self.seat.touch(event.square))

    def on_tray_wanted(self, event: Tray.Wanted) -> None:
        """A piece in the box was clicked."""
        held = len(self.seat.held)
        self._answer(self.seat.take(event.label))
        self._dragged_from = BOX if len(self.seat.held) > held else None

    def on_tray_let_go(self) -> None:
        """A piece that was dragged beside the board goes into the box."""
        if self._drops(BOX):
            self.action_box()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A line was typed."""
        event.input.clear()
        text = event.value.strip()
        act = {"quit": self.action_leave, "q": self.action_leave, "help": self.action_help}
        act |= {"flip": self._squares.flip, "letters": self.action_letters}
        if text.lower() in act:
            act[text.lower()]()
        elif text:
            self._write("")  # an answer of the board stays
            told = self.talk.answer(text)
            self.say(self.seat.obey(text) if told is None else told)
            if text.lower() == "page" and self.talk.page_picture:
                self.push_screen(QrCode(self.talk.page_picture, told or ""))
            self.look()

    def action_box(self) -> None:
        """Put the piece in the hand into the box."""
        self._answer(self.seat.put_into_box())

    def action_put_back(self) -> None:
        """Put the piece in the hand back where it came from."""
        self._answer(self.seat.put_back())

    def action_turn_over(self) -> None:
        """Make another piece in the hand the next to put down."""
        self._answer(self.seat.turn_over())

    def action_letters(self) -> None:
        """Letters instead of figures, and back."""
        self._squares.letters = self._tray.letters = not self._squares.letters
        self._squares.refresh()

    def action_help(self) -> None:
        """Explain everything."""
        self.push_screen(Help())

    def action_leave(self) -> None:
        """Stop the board; the screen closes when it has."""
        self._runtime.stop()

    # --- how it is done

    def _write(self, text: str) -> None:
        """Show this message; a long one replaces the lines around it."""
        lines = self._message.show(text, self.size.width)
        for more, widget in enumerate(self._makes_room, 2):
            widget.display = lines < more

    def _drops(self, where: Switch | Literal["box"]) -> bool:
        """Whether a piece was dragged from elsewhere to this square, or to the box."""
        origin, self._dragged_from = self._dragged_from, None
        return origin is not None and origin != where

    async def _work(self) -> None:
        await self._runtime.run()
        self.exit()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The board broke down: close the screen, and leave one line."""
        error = event.worker.error
        if event.state is WorkerState.ERROR and error is not None:
            self.fault = one_line(error)
            self.exit(return_code=BROKEN)

    def _write_head(self) -> None:
        clock = self._runtime.desk.view.clock
        times = [clock_words(clock, self._clock.now_us())] if clock else []
        head = "  ·  ".join([*times, self.seat.mover, str(self._pgn_path)])
        if head != self._headline:
            self._headline = head
            text = Text.assemble((" boardfw ", "bold reverse"), "  ", head, no_wrap=True)
            text.highlight_regex(rf"{RUNNING}\w+ \S+", "bold rgb(255,255,255)")
            self._head.update(text, layout=False)

    def _answer(self, text: str) -> None:
        self._write(text)
        self.look()

    def _hear(self, action: Action) -> None:
        if isinstance(action, Owed):
            return  # the situation says so, as long as it is true
        text = news(action, self._runtime.desk.session.record)
        self.say(text)
        if isinstance(action, Misplaced):
            self._misplaced = action.square, text

    def _forget_misplaced(self, view: View) -> None:
        """A piece that was put right, or is not asked about any more, needs no message."""
        if self._misplaced is None or view.surplus >> self._misplaced[0] & 1:
            return
        if self._message.text == self._misplaced[1]:
            self._write("")
        self._misplaced = None

    def _tell(self, view: View) -> None:
        desk, now_us = self._runtime.desk, self._clock.now_us()
        cues = [cue for cue, _ in desk.scene.lit]
        lights = legend(cues, desk.settings.lights.palette(), self._squares.paint)
        is_simulated = self.seat.board is not None
        said = situation(view, desk.session.record, now_us, is_simulated=is_simulated)
        self._situation.show(said, lights)
        self._moves.show(desk.session.record, provisional=view.provisional and not view.outcome)
        self._opening.update(" ".join(self._moves.opening or ()), layout=False)
