"""Any text is read or refused in one line, and quickly."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation.descriptive import format_descriptive, parse_descriptive
from boardfw.notation.fen import format_fen, parse_fen, parse_setup
from boardfw.notation.long import format_long, parse_long
from boardfw.notation.san import format_san, format_short, parse_san
from boardfw.notation.uci import format_uci, parse_uci
from boardfw.recording import START_FEN
from boardfw.rules import Move, Position
from tests.sizes import sized

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = [
    parse_fen(fen)
    for fen in (
        START_FEN,
        KIWIPETE,
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    )
]
PARSERS = (parse_san, parse_long, parse_descriptive, parse_uci)
WRITERS = (format_san, format_short, format_long, format_descriptive, lambda _, m: format_uci(m))

MOVE_SIGNS = "abcdefghNBRQKPxXO0o-=+#!?/().12345678 ♘½…$chmate:"
FEN_SIGNS = "rnbqkpRNBQKP12345678/wb-KQkqAHah 0"


@st.composite
def damaged(draw: st.DrawFn, texts: st.SearchStrategy[str], signs: str) -> str:
    """A sound text with a few characters replaced, added or lost."""
    letters = list(draw(texts))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(letters)))
        letters[at : at + draw(st.integers(0, 2))] = draw(st.text(signs, max_size=2))
    return "".join(letters)


@st.composite
def written_moves(draw: st.DrawFn) -> tuple[Position, str]:
    """A position, and a legal move of it in some notation."""
    position = draw(st.sampled_from(POSITIONS))
    moves = position.legal_moves() or POSITIONS[0].legal_moves()
    base = position if position.legal_moves() else POSITIONS[0]
    return position, draw(st.sampled_from(WRITERS))(base, draw(st.sampled_from(moves)))


def fault_of(read: Callable[[], object]) -> str | None:
    """What a reader complained of, or None; any exception but its own goes through."""
    try:
        read()
    except NotationError as error:
        return str(error)
    return None


def is_told(fault: str | None) -> bool:
    """Whether a reader was content or has said in one line why not."""
    return fault is None or len(fault.splitlines()) == 1


FENS = st.sampled_from([format_fen(position) for position in POSITIONS])


@given(st.text() | st.text(FEN_SIGNS, max_size=60) | damaged(FENS, FEN_SIGNS))
@settings(max_examples=sized(40, 200))
def test_fen(text: str) -> None:
    def read() -> None:
        parse_setup(text).problems()
        position = parse_fen(text)
        assert parse_fen(format_fen(position)) == position
        position.legal_moves()

    assert is_told(fault_of(read))


def check_move(parse: Callable[[Position, str], Move], position: Position, text: str) -> None:
    assert parse(position, text) in position.legal_moves()


@given(st.sampled_from(POSITIONS), st.text(MOVE_SIGNS, max_size=14) | st.text(max_size=30))
@settings(max_examples=sized(60, 300))
def test_moves(position: Position, text: str) -> None:
    for parse in PARSERS:
        assert is_told(fault_of(partial(check_move, parse, position, text)))


@given(written_moves(), st.data())
@settings(max_examples=sized(60, 300))
def test_moves_in_any_notation_damaged(written: tuple[Position, str], data: st.DataObject) -> None:
    position, sound = written
    text = data.draw(damaged(st.just(sound), MOVE_SIGNS))
    for parse in PARSERS:
        assert is_told(fault_of(partial(check_move, parse, position, text)))
