"""Whatever is given to a reader, its time grows with the length and no faster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from boardfw.errors import BoardError
from boardfw.notation.epd import parse_epd
from boardfw.notation.fen import parse_fen
from boardfw.recording import parse_trace
from boardfw.services.uci.commands import parse_command
from boardfw.services.uci.replies import parse_reply
from hardware.board_url import parse_url
from tests.growth import MOST_GROWTH, growth

KINGS = "4k3/8/8/8/8/8/8/4K3 w - -"
READERS: dict[str, tuple[Callable[[str], object], str, tuple[str, ...]]] = {
    "FEN": (parse_fen, "", ("8", "8/", " ", "k", "é", "1 ", "/")),
    "rights of a FEN": (parse_fen, "4k3/8/8/8/8/8/8/4K3 w ", ("K", "Kq", "a")),
    "EPD": (parse_epd, f"{KINGS} ", ("a", "a ", ";", "a 1; ", '"', 'a "', "bm Kd2; ", "pv Kd2 ")),
    "trace": (
        lambda text: parse_trace(text.encode(), "trace"),
        "",
        ("{", "[", '"', "a", "\n", "{}\n", '{"t":1}\n'),
    ),
    "board": (parse_url, "", ("a", "spy:a,", "spy:", "sim:", "&")),
    "options of a board": (lambda text: parse_url(text).split, "sim:?", ("&", "a=1&", "=")),
    "command of a program": (parse_command, "", ("a", " ", "go ", "position startpos moves ")),
    "moves from a program": (parse_command, "position startpos moves ", ("e2e4 ", "a", " ")),
    "reply of an engine": (parse_reply, "", ("a", " ", "info ", "option name ", "id ")),
    "line of an engine": (parse_reply, "info pv ", ("e2e4 ", "pv ", "score cp 1 ")),
}


@pytest.mark.parametrize(
    ("name", "piece"),
    [(name, piece) for name, (_, _, pieces) in READERS.items() for piece in pieces],
)
def test_time_grows_with_the_length_of_what_is_read(name: str, piece: str) -> None:
    parse, begin, _ = READERS[name]

    def read(text: str) -> None:
        with suppress(BoardError):
            parse(text)

    assert growth(read, lambda size: begin + piece * (size // len(piece))) < MOST_GROWTH
