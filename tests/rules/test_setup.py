"""Each fault of a set-up position is named with its squares and its remedy."""

from __future__ import annotations

import random
import re

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.recording import START_FEN
from boardfw.rules import Piece, Position
from boardfw.rules.board import placement_of
from boardfw.rules.perft import perft
from boardfw.rules.setup import UNREACHABLE, Fault, Setup, SetupError
from boardfw.squares import EVERY_SQUARE, Square, names_of
from tests.rules.walks import jumped_of
from tests.sizes import sized

FAULTS = [
    # Kings
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king: add it", ""),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king: add it", ""),
    ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "White has kings on a1 and e1: leave only one", "a1 e1"),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "the kings on d5 and e5 are next to each other", "d5 e5"),
    ("8/8/2n5/3kK3/8/8/8/8 w - - 0 1", "the kings on d5 and e5 are next to each other", "d5 e5"),
    # Pawns and numbers
    ("P3k3/8/8/8/8/8/8/4K2p w - - 0 1", "no pawn can stand on h1 and a8", "h1 a8"),
    (
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        "White has 9 pawns: take off 1",
        "a2 b2 c2 d2 e2 f2 g2 h2 a3",
    ),
    ("4k3/8/8/8/RRRRRRRR/NNNNNNNN/8/4K3 b - - 0 1", "White has 17 pieces: take off 1", None),
    (
        "4k3/8/8/8/8/8/QQQQQQQQ/QQ2K3 b - - 0 1",
        "10 queens: 9 of them must be promoted, but only 8 pawns are missing; take off 1",
        "a1 b1 a2 b2 c2 d2 e2 f2 g2 h2",
    ),
    (
        "4k3/8/8/8/8/B1B5/PPPPPPPP/4K3 w - - 0 1",
        "White has 2 bishops on dark squares: 1 of them must be promoted, but no pawn is missing",
        "a3 c3",
    ),
    (
        "qq1nk1nn/1ppppppp/8/8/8/8/8/4K3 w - - 0 1",
        "Black has 2 queens, 3 knights: 2 of them must be promoted, but only 1 pawn is missing",
        "a8 b8 d8 g8 h8",
    ),
    # Checks
    (
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        "White is to move and could capture the king on e8 from e1: let Black move first",
        "e1 e8",
    ),
    (
        "4k3/8/8/8/4r3/3n4/3p4/4K3 w - - 0 1",
        "the king on e1 is in check from d2, d3 and e4: no move gives check with more than two",
        "e1 d2 d3 e4",
    ),
    ("4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1", "from d2 and f2 at once", "e1 d2 f2"),
    ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "from d3 and f3 at once", "e1 d3 f3"),
    ("4k3/8/8/8/8/3n4/5p2/4K3 w - - 0 1", "from f2 and d3 at once", "e1 f2 d3"),
    ("4k3/8/8/r2K3r/8/8/8/8 w - - 0 1", "from a5 and h5 at once", "a5 d5 h5"),
    ("3k4/8/8/r2K4/8/3q4/8/8 w - - 0 1", "from d3 and a5 at once", "d3 a5 d5"),
    ("3k4/8/8/8/8/1b6/8/3K3r w - - 0 1", "from h1 and b3 at once", "d1 h1 b3"),
    ("4k3/3p1p2/4K3/8/8/8/8/8 w - - 0 1", "cannot be in check from d7 and f7", "e6 d7 f7"),
    ("4k3/3p4/4K3/8/8/8/8/8 w - - 0 1", "cannot be in check from d7: pawns there", "e6 d7"),
    ("4K3/8/8/8/8/4k3/3P4/8 b - - 0 1", "have not moved yet; move the king", "d2 e3"),
    # Rights to castle
    (
        "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
        "White cannot castle: the king is on e2, not on one of b1 to g1",
        "a1 h1 e2",
    ),
    ("k7/8/8/8/8/8/8/K6R w K - 0 1", "the king is on a1, not on one of b1 to g1", "a1 h1"),
    ("7k/8/8/8/8/8/8/K7 w a - 0 1", "Black cannot castle: the king is on h8", "a8 h8"),
    ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "White cannot castle with a1: White has no rook", "a1"),
    ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "White cannot castle with h1: White has no rook", "h1"),
    ("4k2R/8/8/8/8/8/8/4K2R b Kk - 0 1", "Black cannot castle with h8: Black has no rook", "h8"),
    (
        "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1",
        "White cannot have the right to castle with both a1 and b1, on one side of the king",
        "a1 b1 e1",
    ),
    (
        "4k3/8/8/8/8/8/8/4KRR1 w FG - 0 1",
        "White cannot have the right to castle with both f1 and g1, on one side of the king",
        "e1 f1 g1",
    ),
    # En passant
    ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "e3 is no en passant square when White is to", "e3"),
    ("4k3/8/8/8/8/8/8/4K3 b - e6 0 1", "Black is to move: it must lie on rank 3", "e6"),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can just have jumped e6", "e5 e6 e7"),
    ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "one on e5, and nothing on e6 and e7", "e5 e6 e7"),
    ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "no pawn can just have jumped e6", "e5 e6 e7"),
    (
        "4k3/8/8/1pP5/8/8/3n4/1K6 w - b6 0 1",
        "the king on b1 would already have been in check from d2",
        "b1 d2 b5",
    ),
    # A bishop checked along the line that the pawn now bars, and White was to move.
    ("7b/8/8/4pP2/8/8/1K6/4k3 w - e6 0 1", "in check from h8", "b2 e5 h8"),
    # The pawn gives check, but so did the bishop before the pawn came.
    ("4k1b1/8/8/3pP3/2K5/8/8/8 w - d6 0 1", "in check from g8", "c4 d5 g8"),
]


@pytest.mark.parametrize(("fen", "text", "squares"), FAULTS)
def test_faults(fen: str, text: str, squares: str | None) -> None:
    setup = parse_setup(fen)
    problems = setup.problems()
    assert len(problems) == 1
    assert text in problems[0].text
    assert "\n" not in problems[0].text
    with pytest.raises(SetupError, match=re.escape(text)):
        setup.position()
    if squares is not None:
        assert names_of(problems[0].squares) == squares.split()


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(SetupError, match=r"no king.*no pawn") as caught:
        parse_setup("P7/8/8/8/8/8/8/4K3 w - - 0 1").position()
    assert len(caught.value.problems) == 2


def test_an_empty_board_lacks_both_kings() -> None:
    assert [problem.text[:5] for problem in Setup().problems()] == ["White", "Black"]


def test_a_sound_set_up_is_a_position() -> None:
    setup = parse_setup(START_FEN)
    assert setup.problems() == ()
    assert setup.position() == Position.start() == parse_fen(START_FEN)


def test_counters() -> None:
    start = parse_setup(START_FEN)
    with pytest.raises(SetupError, match="the halfmove clock is -1: write 0 or more"):
        start._replace(halfmove_clock=-1).position()
    with pytest.raises(SetupError, match="the move number is 0: write 1 or more"):
        start._replace(fullmove_number=0).position()
    assert start._replace(halfmove_clock=70).problems() == ()


def test_a_right_to_castle_from_the_middle_of_the_board() -> None:
    (problem,) = parse_setup(START_FEN)._replace(castling=1 << 28).problems()
    assert "no rook castles from e4" in problem.text
    assert names_of(problem.squares) == ["e4"]


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/QQQQQQQQ/Q3K3 b - - 0 1",
        "4k3/8/8/8/8/8/RRRRRRRR/RR2K3 b - - 0 1",
        "4k3/8/8/8/8/8/NNNNNNNN/N3K1N1 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 1",  # a clock that the double step should have stopped
        "1r1k2r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1",  # each side has a start of its own
    ],
)
def test_what_is_rare_but_possible(fen: str) -> None:
    assert parse_setup(fen).problems() == ()


DOUBLE_CHECKS = [
    ("k3r3/8/8/8/8/5n2/8/4K3 w - - 0 1", True),  # the knight came from e5
    ("k7/8/8/8/4r3/5n2/8/4K3 w - - 0 1", False),
    ("k3r3/8/8/8/8/8/3p4/4K3 w - - 0 1", True),  # the pawn took from e3
    ("k7/8/8/8/8/8/3pr3/4K3 w - - 0 1", False),
    ("k7/8/8/8/7b/8/8/4Kr2 w - - 0 1", True),  # the rook came from f2
    ("k7/8/8/8/7b/8/8/r3K3 w - - 0 1", False),
    ("k7/8/8/8/4r3/8/8/3qK3 w - - 0 1", True),  # a pawn took from e2 and became a queen
    ("k7/8/8/8/4r3/8/8/2q1K3 w - - 0 1", False),
    ("4R3/1B6/3P4/8/4k3/8/8/K7 b - - 0 1", True),  # from e5, and the pawn on d5 went too
    ("4R3/1B1p4/3P4/8/4k3/8/8/K7 b - - 0 1", False),  # no pawn can have come from d7
    ("4R3/1B6/3B4/8/4k3/8/8/K7 b - - 0 1", False),
    ("3BN3/8/5k2/8/8/8/8/4K3 b - - 0 1", True),  # a pawn stepped from e7 and became a knight
    # Before the rook came from f2, g1 gave no check: the piece captured on f1 was between.
    ("k7/8/8/8/7b/8/8/4Krr1 w - - 0 1", True),
]


@pytest.mark.parametrize(
    ("letter", "homes"), [("N", (1, 6)), ("R", (0, 7)), ("Q", (3,)), ("B", (2, 5))]
)
def test_with_all_pawns_no_piece_more_than_at_the_start(
    letter: str, homes: tuple[int, ...]
) -> None:
    pieces = {square: Piece.of("P") for square in EVERY_SQUARE[8:16]}
    pieces |= {EVERY_SQUARE[4]: Piece.of("K"), EVERY_SQUARE[60]: Piece.of("k")}
    pieces |= {EVERY_SQUARE[home]: Piece.of(letter) for home in homes}
    assert not Setup(placement_of(pieces)).problems()
    assert Setup(placement_of(pieces)).position().placement == placement_of(pieces)
    for square in EVERY_SQUARE[16:18]:  # a dark one and a light one
        crowded = Setup(placement_of(pieces | {square: Piece.of(letter)}))
        assert [p.text for p in crowded.problems() if "must be promoted" in p.text]
        with pytest.raises(SetupError):
            crowded.position()


@pytest.mark.parametrize(("fen", "is_possible"), DOUBLE_CHECKS)
def test_double_checks_are_judged_by_the_last_move(fen: str, is_possible: bool) -> None:
    faults = [problem.text for problem in parse_setup(fen).problems()]
    assert (faults == []) == is_possible
    assert all("no single move gives check" in text for text in faults)


# ------------------------------------------------------------------- what no game can reach

BEYOND = [
    # Nine pawns; a composition with nine queens and eighteen pieces; checks that no move gives.
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", Fault.TOO_MANY),
    ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KBN w - - 0 1", Fault.TOO_MANY),
    ("4k3/8/8/8/4r3/3n4/3p4/4K3 w - - 0 1", Fault.IMPOSSIBLE_CHECK),
    ("4k3/3p4/4K3/8/8/8/8/8 w - - 0 1", Fault.IMPOSSIBLE_CHECK),
    ("4k1b1/8/8/3pP3/2K5/8/8/8 w - d6 0 1", Fault.EN_PASSANT_CHECK),
]


@pytest.mark.parametrize(("fen", "fault"), BEYOND)
def test_a_position_that_no_game_can_reach_is_played_where_its_problem_is_named(
    fen: str, fault: Fault
) -> None:
    setup = parse_setup(fen)
    for others in ((), UNREACHABLE - {fault}):
        with pytest.raises(SetupError):
            setup.position(ignore=others)
    told: list[str] = []
    position = setup.position(ignore=[fault.value], tell=told.append)
    assert position == parse_fen(fen, ignore={fault})
    assert told[0].startswith(f"ignored ({fault}): ")
    assert told[0].endswith(setup.problems()[0].text)
    assert perft(position, 3) == leaves(chess.Board(fen), 3)


def leaves(board: chess.Board, depth: int) -> int:
    if not depth:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += leaves(board, depth - 1)
        board.pop()
    return count


@given(st.integers(0, 2**32))
@settings(max_examples=sized(12, 60), deadline=None)
def test_moves_of_crowds_that_no_game_can_reach_are_those_of_the_oracle(seed: int) -> None:
    chance = random.Random(seed)
    boards = (crowd(chance) for _ in range(2000))
    board = next(board for board in boards if is_only_unreachable(setup_of(board)))
    position = setup_of(board).position(ignore=UNREACHABLE)
    assert {m.uci() for m in position.legal_moves()} == {m.uci() for m in board.legal_moves}
    assert position.is_checkmate() == board.is_checkmate()


def crowd(chance: random.Random) -> chess.Board:
    """A random placement of the kings and up to forty other pieces."""
    board = chess.Board(None)
    board.turn = chance.random() < 0.5
    squares = chance.sample(range(64), chance.randrange(12, 42))
    for place, square in enumerate(squares):
        letters = "QRBNPqrbnp" if 8 <= square < 56 else "QRBNqrbn"
        letter = "Kk"[place] if place < 2 else chance.choice(letters)
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board


def is_only_unreachable(setup: Setup) -> bool:
    """Whether there are problems, and all of them can be ignored."""
    faults = {problem.fault for problem in setup.problems()}
    return bool(faults) and faults <= UNREACHABLE


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", Fault.KINGS),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", Fault.KINGS),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", Fault.STRANDED_PAWNS),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", Fault.KING_EN_PRISE),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", Fault.CASTLING),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Fault.EN_PASSANT),
    ],
)
def test_what_breaks_the_rules_of_moving_cannot_be_ignored(fen: str, fault: Fault) -> None:
    setup = parse_setup(fen)
    assert {problem.fault for problem in setup.problems()} == {fault}
    with pytest.raises(SetupError):
        setup.position(ignore=UNREACHABLE)
    with pytest.raises(ValueError, match=f"'{fault}' is not a problem that can be ignored; write"):
        setup.position(ignore=[fault])


def test_all_that_is_not_ignored_is_reported_and_nothing_else() -> None:
    setup = parse_setup("4k3/8/8/8/4r3/P2n4/PPPpPPPP/4K3 w - - 0 1")
    assert len(setup.problems()) == 1
    crowded = parse_setup("4k3/8/8/8/4r3/P2n4/PPPpPPPP/P3K3 w - - 0 1")
    with pytest.raises(SetupError) as caught:
        crowded.position(ignore=UNREACHABLE)
    assert [problem.fault for problem in caught.value.problems] == [Fault.STRANDED_PAWNS]


@pytest.mark.parametrize(
    ("fen", "told"),
    [
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", ["square d6 is dropped: no pawn may capture there"]),
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", ["square d6 is dropped: no pawn may capture there"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", []),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2", []),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", ["square is dropped: no pawn can just have jumped e6"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", ["square is dropped: e3 is no en passant square"]),
    ],
)
def test_an_en_passant_square_that_is_dropped_is_reported(fen: str, told: list[str]) -> None:
    heard: list[str] = []
    parse_fen(fen, tell=heard.append)
    assert len(heard) == len(told)
    for line, part in zip(heard, told, strict=True):
        assert line.startswith(f"the en passant {part}")
        assert "\n" not in line


# ---------------------------------------------------------------------------- against the oracle


@given(st.integers(0, 2**32), st.integers(0, 959) | st.just(518))
@settings(max_examples=sized(6, 30), deadline=None)
def test_no_position_of_a_game_has_a_problem(seed: int, number: int) -> None:
    chance = random.Random(seed)
    board = chess.Board.from_chess960_pos(number)
    for _ in range(80):
        setup = parse_setup(board.fen(en_passant="fen"))
        assert setup.problems() == ()
        assert setup.position() == parse_fen(board.fen())
        moves = list(board.legal_moves)
        if not moves:
            return
        checks = [move for move in moves if board.gives_check(move)]
        board.push(chance.choice(checks or moves))


@st.composite
def scrambles(draw: st.DrawFn) -> chess.Board:
    """A random placement, mostly sliders; rights and en passant at random."""
    board = chess.Board(None, chess960=True)
    squares = st.lists(st.integers(0, 63), min_size=2, max_size=12, unique=True)
    letters = ["K", "k"]
    for square in draw(squares):
        letter = letters.pop() if letters else draw(st.sampled_from("QRBNPPqrbnpp"))
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = draw(st.booleans())
    rooks = board.pieces(chess.ROOK, chess.WHITE) | board.pieces(chess.ROOK, chess.BLACK)
    for rook in rooks:
        if draw(st.booleans()):
            board.castling_rights |= chess.BB_SQUARES[rook]
    steps = [s for s in range(16, 48) if board.piece_type_at(s ^ 8) == chess.PAWN]
    board.ep_square = draw(st.none() | st.sampled_from(steps)) if steps else None
    return board


def setup_of(board: chess.Board) -> Setup:
    pieces = {Square(s): Piece.of(piece.symbol()) for s, piece in board.piece_map().items()}
    turn = 0 if board.turn else 1
    return Setup(placement_of(pieces), turn, int(board.castling_rights), jumped_of(board))


STRICTER = (
    "must be promoted",  # the oracle does not count promotions
    "pawns there have not moved yet",  # nor where a checking pawn came from
    "no single move gives check",  # it knows only two pieces on one line of the king
    "would already have been in check",  # it does not look behind a pawn that gives check itself
    "where it may have started",  # it lets a king in the corner keep one right
)


@given(scrambles())
@settings(max_examples=sized(80, 400), deadline=None)
def test_what_the_oracle_refuses_is_refused_and_more_only_for_a_reason(board: chess.Board) -> None:
    problems = setup_of(board).problems()
    if board.status() != chess.STATUS_VALID:
        assert problems
    assert all(any(s in text for s in STRICTER) for text, *_ in problems if board.is_valid())


@given(scrambles())
@settings(max_examples=sized(40, 200), deadline=None)
def test_no_move_leads_from_a_legal_position_to_a_problem(board: chess.Board) -> None:
    if setup_of(board).problems():
        return
    for move in list(board.legal_moves):
        board.push(move)
        assert setup_of(board).problems() == (), (board.root().fen(), move.uci())
        board.pop()
