"""Draws docs/pictures/terminal.svg: the terminal board with a piece in the hand.

Run ``make docs``. Hands play the first moves of the built-in game on the
simulated board, in virtual time; then a knight is lifted by a click.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import escape, unescape
from pathlib import Path

from textual.pilot import Pilot

from boardfw.game.session import Session
from boardfw.players.game_player import FAMOUS, Player, read_game
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.squares import SWITCH_BY_NAME
from boardfw.terminal.app import TerminalBoard
from boardfw.terminal.drawn_board import Squares
from boardfw.terminal.paint import ManyColours
from boardfw.terminal.talk import Talk
from docs.drawing.pages import write
from docs.drawing.still import Still
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard

DOCS = Path(__file__).resolve().parent
PICTURE = DOCS / "pictures" / "terminal.svg"
SIZE = (80, 24)
PLIES = 18  # Black has just played ...b5, which a knight may take
LIFTED = "c3"


BRIGHT_US = 1_000_000  # a pulse swells once a second
CELL = 12.2  # width of one column in rich's pictures, in their units
NO_BREAK = "\N{NO-BREAK SPACE}"
BLANKS = f" {NO_BREAK}"
TEXT = re.compile(
    r'(?P<head><text [^>]*?)x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)" textLength="[\d.]+"'
    r"(?P<tail>[^>]*)>(?P<words>[^<]*)</text>"
)


async def screen() -> str:
    """The SVG text of the screen at that moment."""
    clock = VirtualClock()
    board = SimBoard(clock)
    game = read_game(FAMOUS)
    still = Still(board, clock, Desk(Session(), Settings()))
    talk = Talk(still, clock, Player(board, "club", seed=1))
    app = TerminalBoard(talk, Path("games/opera.pgn"))
    player = Player(board, "careful", seed=1)
    player.begin(game.start, game.moves[:PLIES], clock.now_us())
    player.play_all()
    while board.busy:
        still.go_on(1_000_000)
    still.go_on(5_000_000)

    async def lift(pilot: Pilot[None], squares: Squares) -> None:
        await pilot.click(squares, offset=squares.centre_of(SWITCH_BY_NAME[LIFTED]))

    return await screen_of(app, still, clock, lift)


async def screen_of(
    app: TerminalBoard,
    still: Still,
    clock: VirtualClock,
    act: Callable[[Pilot[None], Squares], Awaitable[None]],
) -> str:
    """The SVG text of a screen after an act, when what pulses is bright."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.set_focus(None)
        squares = app.query_one(Squares)
        squares.paint = ManyColours()  # whatever the terminal that draws the picture can show
        await act(pilot, squares)
        still.go_on(BRIGHT_US - clock.now_us() % BRIGHT_US)
        app.look()
        app.refresh()
        squares.refresh()
        await pilot.pause()
        return tidied(app.export_screenshot(title="boardfw", simplify=True))


def tidied(svg: str) -> str:
    """The picture without fonts from elsewhere, each text where its first letter stands.

    Not every viewer keeps blanks at the beginning of a text.
    """
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: Fira Code", "font-family: DejaVu Sans Mono, Menlo, Consolas", svg)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = TEXT.sub(_shifted, svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def _shifted(text: re.Match[str]) -> str:
    words = unescape(text["words"])
    blanks = len(words) - len(words.lstrip(BLANKS))
    words = words.strip(BLANKS)
    if not words:
        return ""
    x, length = float(text["x"]) + blanks * CELL, len(words) * CELL
    shown = escape(words).replace(" ", NO_BREAK)
    place = f'x="{x:.1f}" y="{text["y"]}" textLength="{length:.1f}"'
    return f"{text['head']}{place}{text['tail']}>{shown}</text>"


if __name__ == "__main__":
    write({PICTURE: asyncio.run(screen())})
