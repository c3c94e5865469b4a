"""The line mode for terminals that cannot draw, and the screen's input line with its help.

Both understand the same words. In line mode, events on the board are printed elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import ClassVar, TextIO

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from boardfw.squares import FILES, Orientation, Switch, square_at
from boardfw.terminal.messages import situation
from boardfw.terminal.talk import ASKS_DATE_S, WORDS, Talk

LOOK_S = 0.05
COLUMNS = 79
LINE_HELP = f"""\
type a move (e4, Nf3, e7e8n) to have it played, or a square to lift or drop a piece there;
board shows the pieces; setup, load FILE, box, claim, quit, and {", ".join(WORDS)};
see docs/panel.md"""
WELCOME = "this terminal writes lines only: type moves, board, help or quit"


class Typed:
    """The dialogue in line mode, until the user types quit or ends the input."""

    def __init__(self, talk: Talk, write: Callable[[str], object] = print) -> None:
        self._runtime = talk.runtime
        self._clock = talk.clock
        self._write = write
        self._seat = talk.seat
        self._talk = talk

    def begin(self) -> None:
        """Write the welcome."""
        self._say(WELCOME)

    def ask_date(self) -> None:
        """Ask for the date, if it is not known."""
        self._say(self._talk.date_question())

    def obey(self, line: str) -> None:
        """Do what a line says, and write the answer."""
        text = line.strip()
        acts = {"quit": self._runtime.stop, "q": self._runtime.stop}
        acts |= {"help": lambda: self._say(LINE_HELP), "?": lambda: self._say(LINE_HELP)}
        acts["board"] = lambda: self._say(self._board())
        act = acts.get(text.lower())
        if act is not None:
            act()
        elif text:
            told = self._talk.answer(text)
            self._say(self._seat.obey(text) if told is None else told)

    def keep_up(self) -> None:
        """Let the hands go on; to be called some twenty times a second."""
        self._say(self._seat.keep_up())

    async def read(self, source: TextIO) -> None:
        """Obey what is typed until cancelled; the end of the input stops the board."""
        loop = asyncio.get_running_loop()
        loop.add_reader(source, self._take, source)
        try:
            self.begin()
            loop.call_later(ASKS_DATE_S, self.ask_date)
            while True:
                await asyncio.sleep(LOOK_S)
                self.keep_up()
        finally:
            loop.remove_reader(source)

    def _take(self, source: TextIO) -> None:
        line = source.readline()
        if line:
            self.obey(line)
        else:
            asyncio.get_running_loop().remove_reader(source)
            self._runtime.stop()

    def _board(self) -> str:
        desk, is_simulated = self._runtime.desk, self._seat.board is not None
        view, now_us = desk.view, self._clock.now_us()
        said = situation(view, desk.session.record, now_us, is_simulated=is_simulated)
        return "\n".join([*drawn(self._seat.pieces, view.orientation), *said])

    def _say(self, text: str) -> None:
        for line in text.splitlines():
            self._write(fill(line, COLUMNS))


def drawn(pieces: Mapping[Switch, str], orientation: Orientation) -> list[str]:
    """The pieces as letters from White's side."""
    rows = []
    for rank in range(7, -1, -1):
        switches = (orientation.switch(square_at(file, rank)) for file in range(len(FILES)))
        rows.append(f"{rank + 1} {' '.join(pieces.get(switch, '.') for switch in switches)}")
    return [*rows, f"  {' '.join(FILES)}"]


_KEYS = (
    ("click/drag", "lift drop"),
    ("space", "box"),
    ("tab", "other"),
    ("esc", "back"),
    ("?", "help"),
    ("q", "quit"),
)
KEYS = Text.assemble(
    *(part for key, act in _KEYS for part in ((f" {key} ", "reverse"), f" {act} ")), no_wrap=True
)
"""The last line of the screen: at most 79 columns."""

SCREEN_HELP = """\
Up and down show the rest of it, any other key closes it.

[b]The mouse[/b]
  click        lift the piece, or put the one in the hand there;
               on the other side's piece: capture it (into the box)
  drag         lift it, and put it where you let go
  right click  the piece in the hand, or else the one there, into the box
  in the box   take that piece up again

[b]The line[/b]
  new, undo    another game; the last ply taken back
  resign, draw    the side to move resigns (or: resign black); a draw
               is offered, and agreed when it is typed again
  play engine    a new game: play stockfish white level 3 5+3 (you are
               White), play own level 1, play person: docs/opponents.md
  analyse      when a game is over: where it turned, replayed with lights
               (skip: the next one, new: enough of it)
  page         where a browser finds this board, and the key to it
  names Ann - Bob    who plays; [b]clock 5+3[/b] with which time, or none
  e2           lift or drop there, like a click; [b]lift e2[/b] lifts one more
  Nf3 e2e4 O-O e8=N    the hands play it
  box, box N   the piece in the hand into the box, or a piece out of it
  load FILE    the hands play a PGN; [b]load[/b] alone: a famous game
  setup        the simulator sets up the pieces
  hands KIND   careful, club, blitz, child or wooden hands
  1, 2 ...     which move it was, when the board asks
  press NAME   a button of the panel: pause, hint, take_back ...
  claim Nf3    a draw, with the move that brings it about
  ruling 12.Nf3 by NAME: WHY   the arbiter decides (docs/rulings.md)
  level white 2    how much the lights help, without a colour both:
               0 off, 1 rules, 2 what hangs, 3 doubts: docs/help.md
  date yes     the clock of this machine is right; or: date 2026-11-24
  letters      letters for the pieces, small ones are Black's; or figures
               again: White's are outlines, Black's are filled
  flip, quit

[b]The keys, while the line is empty[/b]
  space box    tab next piece in hand    esc put back    q quit

Castle and capture in any order. A pawn that arrives becomes a queen;
lift and replace it twice (then again) for another piece. Lift both
kings and put them on the centre to end the game: light squares White
won, dark Black, one of each a draw.
"""

ON_EMPTY = {"space": "box", "tab": "turn_over", "escape": "put_back"}
"""Keys that are actions while nothing is typed."""
CHARACTERS = {"?": "help", "q": "leave"}
PAGE_DOWN = ("down", "pagedown", "end")
PAGE_UP = ("up", "pageup", "home")
"""Keys that show the rest of the help."""


class Line(Input):
    """One line of input; while it is empty some keys act at once."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "nothing", show=False)]

    def __init__(self) -> None:
        super().__init__(placeholder="e2, Nf3, new, undo, resign, help ...", compact=True)
        self.cursor_blink = False  # each blink would be sent over a remote connection

    async def _on_key(self, event: events.Key) -> None:
        name = ON_EMPTY.get(event.key) or CHARACTERS.get(event.character or "")
        if name is not None and not self.value:
            event.stop()
            event.prevent_default()
            await self.app.run_action(name)
        elif event.key == "escape":
            event.stop()
            self.clear()
        else:
            await super()._on_key(event)


class Help(ModalScreen[None]):
    """The help page, until a key or a click. ``also``: help that this board adds."""

    def __init__(self, also: str = "") -> None:
        super().__init__()
        self._text = SCREEN_HELP + also

    def compose(self) -> ComposeResult:
        """One page; a small screen scrolls it."""
        yield Static(self._text, id="help")

    def on_key(self, event: events.Key) -> None:
        """Keys that scroll do so; any other key closes the page."""
        event.stop()
        if event.key in PAGE_DOWN:
            self.scroll_page_down(animate=False)
        elif event.key in PAGE_UP:
            self.scroll_page_up(animate=False)
        else:
            self._close()

    def on_click(self) -> None:
        """A click closes the page."""
        self._close()

    def _close(self) -> None:
        if self.is_current:  # keys typed quickly may arrive after the page was closed
            self.dismiss()


class QrCode(Help):
    """A QR code with its address, until a key or a click."""

    def __init__(self, lines: Sequence[str], told: str) -> None:
        super().__init__()
        # Black on white whatever the terminal has: some phones cannot read it the other way round.
        code = Text("\n".join(lines), style="black on bright_white", justify="left")
        self._code = Text("\n\n").join([code, Text(told)])

    def compose(self) -> ComposeResult:
        """The code, and below it the address for those who type it."""
        yield Static(self._code, id="help")
