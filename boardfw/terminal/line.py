"""Where squares, moves and commands are typed, and what explains them."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, Static

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

HELP = """\
Up and down show the rest of it, any other key closes it.

[b]The mouse[/b]
  click        lift the piece, or put the one in the hand there;
               on the other side's piece: take it (it goes to the box)
  drag         lift it, and put it where you let go
  right click  the man in the hand, or else the one there, into the box
  in the box   take that man up again

[b]The line[/b]
  new, undo    another game; the last ply taken back
  resign, draw    the side to move resigns (or: resign black); a draw
               is offered, and agreed when it is typed again
  names Ann - Bob    who plays; [b]clock 5+3[/b] with which time, or none
  e2           lift or drop there, like a click; [b]lift e2[/b] lifts one more
  Nf3 e2e4 O-O e8=N    the hands play it
  box, box N   the man in the hand into the box, a man out of it
  load FILE    the hands play a PGN; [b]load[/b] alone: a famous game
  setup        the hands set up the pieces that the board asks for
  hands KIND   careful, club, blitz, child or wooden hands
  press NAME   a button of the panel: pause, hint, answer_1 ...
  claim Nf3    a draw, with the move that brings it about
  ruling 12.Nf3 by NAME: WHY   the arbiter decides (docs/rulings.md)
  level white 2    how much the lights help, without a colour both:
               0 off, 1 rules, 2 what hangs, 3 a guard: docs/help.md
  date yes     the clock of this machine is right; or: date 2026-11-24
  letters      letters for the men, small ones are Black's; or figures
               again: White's are outlines, Black's are filled
  flip, quit

[b]The keys, while the line is empty[/b]
  space box    tab next man in hand    esc put back    q quit

Castle and capture in any order. A pawn that arrives is a queen; put
back twice (then again) for another man. Both kings lifted, then both
put on the centre: light squares White won, dark Black, one of each a
draw.
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
        self.cursor_blink = False  # each blink is a write over the line to whoever is far away

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
    """Explains everything, until a key or a click. ``also``: what this board has besides."""

    def __init__(self, also: str = "") -> None:
        super().__init__()
        self._text = HELP + also

    def compose(self) -> ComposeResult:
        """One page, which a small screen shows in parts."""
        yield Static(self._text, id="help")

    def on_key(self, event: events.Key) -> None:
        """Any key closes it that does not turn the page."""
        event.stop()
        if event.key in PAGE_DOWN:
            self.scroll_page_down(animate=False)
        elif event.key in PAGE_UP:
            self.scroll_page_up(animate=False)
        else:
            self._close()

    def on_click(self) -> None:
        """So does a click."""
        self._close()

    def _close(self) -> None:
        if self.is_current:  # keys that were typed quickly come here after the first has closed it
            self.dismiss()
