"""What the rules answer to a lesson's questions: by example, and as python-chess sees it."""

from __future__ import annotations

import chess
import pytest

from boardfw.errors import NotationError
from boardfw.learning import queries
from boardfw.learning.queries import may, reach, state
from boardfw.learning.task import State
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san
from boardfw.rules import Position
from boardfw.squares import BY_NAME, names_of
from tests.rules.walks import walk


def sans(fen: str, query: str) -> str:
    position = parse_fen(fen)
    return " ".join(sorted(format_san(position, m) for m in queries.moves(position, query)))


def squares(fen: str, query: str) -> str:
    return " ".join(names_of(queries.squares(parse_fen(fen), query)))


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
HANGING = "4k3/3p4/2n5/8/4Nb2/6P1/8/2R1K3 w - - 0 1"
MOVES = [
    ("7k/R7/8/8/8/8/1R6/K7 w - - 0 1", "mate", "Rb8#"),
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", "check", "Nd6+ Nf6+"),
    ("4k3/r7/2n5/1P1p4/4P1b1/5P2/8/R3K3 w - - 0 1", "capture", "Rxa7 bxc6 exd5 fxg4"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "en_passant", "exd6"),
    ("k1R5/b7/1n6/8/8/8/8/6K1 b - - 0 1", "legal", "Bb8 Kb7 Nxc8+"),
    (
        "4k3/8/2b5/8/4N3/6P1/8/R3K3 w - - 0 1",
        "safe",
        "Nc3 Nc5 Nd2 Nd6+ Nf2 Nf6+ Ng5",
    ),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "castle", "O-O O-O-O"),
    ("4k3/8/2q5/5b2/1r1N4/8/8/4K3 w - - 0 1", "best_capture", "Nxc6"),
    ("4k3/8/2p5/3r4/2B1P3/8/8/4K3 w - - 0 1", "best_capture", "exd5"),
    ("4k3/3p4/2n5/8/8/8/8/2R1K3 w - - 0 1", "best_capture", ""),  # five for three
    ("4k3/8/8/8/5p1p/6P1/8/4K3 b - - 0 1", "san:fxg3/hxg3", "fxg3 hxg3"),
]


@pytest.mark.parametrize(("fen", "query", "found"), MOVES)
def test_moves_are_found_by_query(fen: str, query: str, found: str) -> None:
    assert sans(fen, query) == found


def test_a_move_that_ends_the_game_leaves_nothing_to_lose() -> None:
    assert "Ra8#" in sans("6k1/5ppp/8/5n2/8/6N1/8/R5K1 w - - 0 1", "safe")


SQUARES = [
    ("4k3/8/2n5/1B6/8/4r3/8/4K3 w - - 0 1", "checkers", "e3"),
    ("4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1", "pinned", "f3"),
    ("4k3/8/2b5/8/4N3/6P1/8/R3K3 w - - 0 1", "attacked_own", "e4"),
    (HANGING, "hanging_enemy", "f4"),
    (HANGING, "attacked_own", "c1"),
    (START, "kind:Q", "d1 d8"),
    (START, "kind:N:b", "b8 g8"),
    (START, "squares:g1 b1 h8 b7", "b1 g1 b7 h8"),
    ("k7/8/8/2rnr3/3P4/7p/7B/7K w - - 0 1", "captures_of:d4", "c5 e5"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "captures_of:e5", "d5"),  # not where the pawn goes
    ("7k/8/8/8/8/8/8/K1B2B2 w - - 0 1", "comes_to:e4", "f1"),
    ("7k/8/8/8/8/8/2P5/K5B1 w - - 0 1", "comes_to:c5", "g1 c2"),
    ("7k/8/8/8/8/4p3/3pP3/K1B5 w - - 0 1", "comes_to:g5", "c1"),  # by taking d2
]


@pytest.mark.parametrize(("fen", "query", "found"), SQUARES)
def test_squares_are_found_by_query(fen: str, query: str, found: str) -> None:
    assert squares(fen, query) == found


@pytest.mark.parametrize(
    "query", ["mates", "mate:1", "san:", "san:Qh9", "san:e5", "kind:Q", "", ":", "san"]
)
def test_a_query_of_moves_that_means_nothing_is_refused(query: str) -> None:
    with pytest.raises(NotationError):
        queries.moves(Position.start(), query)


@pytest.mark.parametrize(
    "query", ["kind", "kind:", "kind:k", "kind:N:x", "kind:N:", "squares:i9", "comes_to:", "mate"]
)
def test_a_query_of_squares_that_means_nothing_is_refused(query: str) -> None:
    with pytest.raises(NotationError):
        queries.squares(Position.start(), query)


# --------------------------------------------------------------------------------------- answers

REACHED = [
    ("7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1", "d5", 10),
    ("1k6/8/8/8/3Q4/8/8/7K w - - 0 1", "d4", 27),
    ("4k3/p7/4p3/8/7P/8/2P5/4K3 w - - 0 1", "c2", 2),
    ("4k3/8/8/8/8/2n5/2P5/4K3 w - - 0 1", "c2", 0),
    ("8/8/8/k2r3R/8/8/8/4K3 w - - 0 1", "e1", 3),
    ("4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1", "f3", 0),
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7", 1),  # four promotions, one square
]


@pytest.mark.parametrize(("fen", "square", "count"), REACHED)
def test_a_piece_reaches_the_squares_it_may_go_to(fen: str, square: str, count: int) -> None:
    assert reach(parse_fen(fen), BY_NAME[square]).bit_count() == count


def test_castling_is_no_step_of_the_king() -> None:
    position = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert names_of(reach(position, position.king(position.turn))) == ["d1", "f1", "d2", "e2", "f2"]


MAY = [
    ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", False, True),
    ("2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", False, False),
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", False, True),
    ("4k3/3p4/2n5/8/8/8/8/2R1K3 w - - 0 1", "c1c6", False, True),
    ("4k3/3p4/2n5/8/8/8/8/2R1K3 w - - 0 1", "c1c6", True, False),
    ("4k3/3p4/2r5/8/4B3/8/8/4K3 w - - 0 1", "e4c6", True, True),
    ("4k3/3p4/2r5/8/4B3/8/8/4K3 w - - 0 1", "e4e8", True, False),  # not legal at all
]


@pytest.mark.parametrize(("fen", "move", "by_exchange", "allowed"), MAY)
def test_what_may_be_played_is_known(fen: str, move: str, by_exchange: bool, allowed: bool) -> None:
    origin, target = BY_NAME[move[:2]], BY_NAME[move[2:]]
    assert may(parse_fen(fen), origin, target, by_exchange=by_exchange) is allowed


STATES = [
    ("R2k4/8/8/5B2/8/8/2Q5/4R1K1 b - - 0 1", State.MATE),
    ("R2k4/8/8/8/8/8/2Q5/4R1K1 b - - 0 1", State.GOES_ON),
    ("4R3/8/7B/4b3/4k1P1/8/8/3Q3K b - - 0 1", State.DRAW),
    ("8/8/4k3/8/8/4KB2/8/8 w - - 0 1", State.DRAW),
    ("7k/8/8/8/8/8/R7/K7 w - - 100 80", State.CLAIM),
    ("7k/8/8/8/8/8/R7/K7 w - - 99 80", State.GOES_ON),  # the board must show it
]


@pytest.mark.parametrize(("fen", "expected"), STATES)
def test_it_is_known_how_a_game_stands(fen: str, expected: State) -> None:
    assert state(parse_fen(fen)) is expected


def test_a_third_time_is_a_claim() -> None:
    position = Position.start()
    assert state(position, [position.key]) is State.GOES_ON
    assert state(position, [position.key] * 2) is State.GOES_ON  # nothing was played between
    later = parse_fen(START.replace("0 1", "8 5"))
    assert state(later, [*[position.key, *["other"] * 3] * 2]) is State.CLAIM  # type: ignore[list-item]


# ----------------------------------------------------------------------------------- the oracle


def test_queries_agree_with_the_oracle() -> None:
    for position, _, board in walk(seed=7, plies=150):
        legal = list(board.legal_moves)

        def ucis(query: str, position: Position = position) -> set[str]:
            return {move.uci() for move in queries.moves(position, query)}

        def names(found: list[chess.Move]) -> set[str]:
            return {move.uci() for move in found}

        assert ucis("legal") == names(legal)
        assert ucis("check") == names([m for m in legal if board.gives_check(m)])
        assert ucis("capture") == names([m for m in legal if board.is_capture(m)])
        assert ucis("castle") == names([m for m in legal if board.is_castling(m)])
        assert ucis("en_passant") == names([m for m in legal if board.is_en_passant(m)])
        pinned = [s for s in chess.SQUARES if board.color_at(s) == board.turn]
        pinned = [s for s in pinned if board.is_pinned(board.turn, s)]
        assert names_of(queries.squares(position, "pinned")) == list(map(chess.square_name, pinned))
        assert queries.squares(position, "checkers") == int(board.checkers())
