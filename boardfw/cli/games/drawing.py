"""A position in lines of text; in colour where the screen has any."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from boardfw.rules import Position
from boardfw.squares import FILES, is_light, square_at
from boardfw.terminal.paint import DARK_SQUARE, LIGHT_SQUARE, ManyColours, style

EMPTY = {False: ":", True: "."}
"""A dark square and a light one, where only letters can be told apart."""


def drawn(position: Position) -> Text:
    """The board with White below; capital letters are White's men."""
    text = Text()
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ")
        for file in range(8):
            square = square_at(file, rank)
            man = position.piece_at(square)
            paper = LIGHT_SQUARE if is_light(square) else DARK_SQUARE
            if man is None:
                text.append(f" {EMPTY[is_light(square)]} ", style(paper, paper))
            else:
                ink: Style = ManyColours().man(man.color == 1)
                text.append(f" {man.letter} ", ink)
        text.append("\n")
    text.append(f"   {'  '.join(FILES)}")
    return text
