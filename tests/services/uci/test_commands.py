"""What engines are told: legal, as the protocol writes it, and read back as it was meant."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation.fen import format_fen
from boardfw.rules import Move, Position
from boardfw.rules.chess960 import start_position
from boardfw.services.uci.commands import (
    PLAIN,
    Command,
    Debug,
    Go,
    SetOption,
    SetPosition,
    format_command,
    needs_chess960,
    parse_command,
)
from boardfw.services.uci.replies import Nonsense

WORD = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=8)
NAME = st.lists(WORD.filter(lambda word: word != "value"), min_size=1, max_size=4).map(" ".join)
VALUE = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
MAYBE = st.none() | st.integers(-(10**9), 10**9)
MOVE = st.from_regex(r"[a-h][1-8][a-h][1-8][nbrq]?", fullmatch=True)
GOES = st.builds(
    Go,
    searchmoves=st.lists(MOVE, max_size=4).map(tuple),
    ponder=st.booleans(),
    wtime=MAYBE,
    btime=MAYBE,
    winc=MAYBE,
    binc=MAYBE,
    movestogo=MAYBE,
    depth=MAYBE,
    nodes=MAYBE,
    mate=MAYBE,
    movetime=MAYBE,
    infinite=st.booleans(),
)


@st.composite
def games(draw: st.DrawFn) -> SetPosition:
    """A random game of Chess960 or standard chess, or one from the middle of it."""
    chess960 = draw(st.booleans())
    number = draw(st.integers(0, 959)) if chess960 else 518
    chance = random.Random(draw(st.integers(0, 10**6)))
    start = position = start_position(number)
    moves: list[Move] = []
    skipped = draw(st.integers(0, 10))
    for ply in range(draw(st.integers(0, 60))):
        legal = position.legal_moves()
        if not legal:
            break
        castling = [move for move in legal if move.is_castling]
        moves.append(chance.choice(castling or legal))
        position = position.play(moves[-1])
        if ply < skipped:
            start, moves = position, []
    return SetPosition(start, tuple(moves), chess960)


COMMANDS: st.SearchStrategy[Command] = (
    st.sampled_from(list(PLAIN.values()))
    | st.builds(Debug, st.booleans())
    | st.builds(SetOption, NAME, st.none() | VALUE)
    | GOES
)


@given(COMMANDS)
def test_what_is_written_is_read_back(command: Command) -> None:
    assert parse_command(format_command(command)) == command


@given(games())
def test_a_game_is_read_back(game: SetPosition) -> None:
    assert parse_command(format_command(game), chess960=game.chess960) == game


@given(games())
def test_another_program_reads_the_same_game(game: SetPosition) -> None:
    words = format_command(game).split()
    place = words.index("moves") if "moves" in words else len(words)
    fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:place])
    board = chess.Board(fen, chess960=game.chess960)
    for word in words[place + 1 :]:
        board.push(board.parse_uci(word))
    shredder = board.fen(en_passant="legal", shredder=game.chess960)
    assert format_fen(game.position, shredder=game.chess960) == shredder


KEYWORDS = st.sampled_from(
    """position startpos fen moves e2e4 e1g1 go wtime searchmoves -1 99999999999999999999999
    infinite setoption name value debug on w KQkq - 0 8/8/8/8/8/8/8/8""".split()  # noqa: SIM905
)


@given(st.text(max_size=60) | st.lists(KEYWORDS, max_size=12).map(" ".join))
def test_no_line_is_an_accident(line: str) -> None:
    command = parse_command(line)
    assert isinstance(command, Nonsense) or parse_command(format_command(command)) == command


@pytest.mark.parametrize(
    "line",
    [
        "",
        "position startpos moves e2e5",
        "position startpos e2e4",
        "position fen nonsense",
        "position here",
        "go depth",
        "go depth deep",
        "dance",
        "setoption Hash",
    ],
)
def test_nonsense(line: str) -> None:
    assert isinstance(parse_command(line), Nonsense)


def test_castling_in_chess960_is_king_takes_rook() -> None:
    castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    game = parse_command(f"position fen {castles} moves e1h1 e8a8", chess960=True)
    assert isinstance(game, SetPosition)
    assert all(move.is_castling for move in game.moves)
    assert format_command(game).endswith("w HAha - 0 1 moves e1h1 e8a8")
    plain = SetPosition(game.start, game.moves)
    assert format_command(plain).endswith("w KQkq - 0 1 moves e1g1 e8c8")


def test_only_a_start_that_standard_chess_cannot_castle_from_needs_chess960() -> None:
    usual = {number for number in range(960) if not needs_chess960(start_position(number))}
    assert 518 in usual
    for number in usual:
        assert start_position(number).king(0) == Position.start().king(0)
    assert 500 < 960 - len(usual) < 960
