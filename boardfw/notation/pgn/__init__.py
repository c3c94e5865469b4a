"""PGN: whole games as text, read and written.

``read_games`` and ``read_file`` give trees, ``scan_games`` and ``scan_file`` main lines in less
time, ``format_game`` writes. All of them process files of any size one game at a time.
"""

from boardfw.notation.pgn.builders import Builder, MainLine
from boardfw.notation.pgn.faults import Fault
from boardfw.notation.pgn.notes import Arrow, Evaluation, Mark
from boardfw.notation.pgn.reader import (
    Encoding,
    build_games,
    encoding_of,
    file_lines,
    read_file,
    read_games,
    scan_file,
    scan_games,
)
from boardfw.notation.pgn.tree import NULL, Game, Node, Spot, after
from boardfw.notation.pgn.writer import format_game, format_movetext

__all__ = [
    "NULL",
    "Arrow",
    "Builder",
    "Encoding",
    "Evaluation",
    "Fault",
    "Game",
    "MainLine",
    "Mark",
    "Node",
    "Spot",
    "after",
    "build_games",
    "encoding_of",
    "file_lines",
    "format_game",
    "format_movetext",
    "read_file",
    "read_games",
    "scan_file",
    "scan_games",
]
