"""Whatever a reader is given, it reads it or says why not in one line."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.pgn import format_game, read_games
from boardfw.notation.san import parse_san
from boardfw.notation.uci import parse_uci
from boardfw.recording import START_FEN
from boardfw.rules import Position

WORDS = [
    *("1.", "1...", "e4", "e5", "Nf3", "O-O", "exd5", "e8=Q", "$1", "!", "{", "}", "(", ")", ";"),
    *("\n", "%", "*", "1-0", "1/2-1/2", '[White "A"]', '[FEN "', '"]', "[", "]", "\\", "\ufeff"),
    *(START_FEN, "8/8/8/8/8/8/8/8 w - - 0 1", "\x00", "½-½", "…", "0", "-"),
]
PGN = st.lists(st.sampled_from(WORDS) | st.text(max_size=3)).map(" ".join) | st.text()
MOVES = st.text("abcdefghNBRQKPxXO0o-=+#!?/().12345678 ", max_size=12) | st.text(max_size=30)
FEN_FIELD = st.text("rnbqkpRNBQKP12345678/wb-KQkq 0", max_size=60)


@st.composite
def broken_fens(draw: st.DrawFn) -> str:
    """A sound FEN with a few characters replaced."""
    letters = list(START_FEN)
    for _ in range(draw(st.integers(1, 4))):
        letters[draw(st.integers(0, len(letters) - 1))] = draw(
            st.sampled_from("rnbqkpRNBQKP12345678/wb- ")
        )
    return "".join(letters)


def fault_of(read: Callable[[], object]) -> str | None:
    """What a reader complained of, or None; any exception but its own goes through."""
    try:
        read()
    except NotationError as error:
        return str(error)
    return None


def is_one_line(text: str) -> bool:
    return len(text.splitlines()) == 1


@given(st.text() | FEN_FIELD | broken_fens())
@settings(max_examples=400)
def test_fen(text: str) -> None:
    def read() -> None:
        position = parse_fen(text)
        assert parse_fen(format_fen(position)) == position
        position.legal_moves()

    fault = fault_of(read)
    assert fault is None or is_one_line(fault)


@given(MOVES)
@settings(max_examples=300)
def test_moves(text: str) -> None:
    start = Position.start()
    for parse in (parse_san, parse_uci):
        fault = fault_of(partial(parse, start, text))
        assert fault is None or is_one_line(fault)


@given(PGN)
@settings(max_examples=400)
def test_pgn(text: str) -> None:
    def read() -> None:
        for game in read_games(text, "x.pgn"):
            (again,) = read_games(format_game(game))
            assert (again.start, again.moves) == (game.start, game.moves)

    fault = fault_of(read)
    assert fault is None or (is_one_line(fault) and fault.startswith("x.pgn:"))
