"""Why a move is illegal: one reason, the same that python-chess leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count, pairwise

import chess
import pytest

from boardfw.notation.fen import parse_fen
from boardfw.rules import KING, PAWN, Position
from boardfw.rules.board import SIDE
from boardfw.rules.movegen import en_passant_moves
from boardfw.rules.reasons import Reason, Why, in_words, why_none, why_not
from boardfw.squares import BY_NAME, EVERY_SQUARE, NAMES, Bitboard, Square, names_of, squares_in
from tests.rules.refusals import Refusals
from tests.rules.scrambles import scramble
from tests.rules.troubles import trouble
from tests.rules.walks import jumped_of, position_of, walk
from tests.sizes import IS_FULL

PAIRS = [(origin, target) for origin in EVERY_SQUARE for target in EVERY_SQUARE]
MOVABLE = {
    Why.OWN_PIECE,
    Why.CASTLE_WAY_BLOCKED,
    Why.CASTLE_IN_CHECK,
    Why.CASTLE_THROUGH_CHECK,
    Why.CASTLE_INTO_CHECK,
    Why.EN_PASSANT_BARES_KING,
    Why.PAWN_TAKES_STRAIGHT,
    Why.EN_PASSANT_TOO_LATE,
    Why.BLOCKED,
    Why.KING_ATTACKED,
    Why.CHECK_NOT_ANSWERED,
    Why.PINNED,
}
"""Reasons that end when the pieces they name are removed."""


def told(fen: str, move: str, jumped: str | None = None) -> Reason | None:
    origin, target = BY_NAME[move[:2]], BY_NAME[move[2:]]
    return why_not(parse_fen(fen), origin, target, BY_NAME[jumped] if jumped else None)


def names(way: tuple[Square, ...]) -> str:
    return " ".join(NAMES[square] for square in way)


# ------------------------------------------------------------------------------- one of each kind

EACH = [
    ("wrong_piece", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a1a2", "e1", "a1", ""),
    ("wrong_piece", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e7", "e1", "e8", ""),
    ("king_taken", "4k3/4p3/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", "e8", "", ""),
    ("own_piece", "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "a1a2", "a2", "", ""),
    ("not_like_that", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1a2", "", "c2 b3", ""),
    ("blocked", "4k3/8/8/p7/p7/8/8/R3K3 w - - 0 1", "a1a8", "a4", "", ""),
    ("blocked", "4k2b/8/8/4P3/3P4/8/8/4K3 b - - 0 1", "h8a1", "e5", "", ""),
    ("pawn_takes_straight", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e3", "e3", "", ""),
    ("pawn_takes_straight", "4k3/8/8/8/4p3/4p3/4P3/4K3 w - - 0 1", "e2e4", "e4", "", ""),
    ("pawn_nothing_to_take", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2d3", "", "d3", ""),
    ("pawn_double_step", "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", "e3", "", ""),
    (
        *("pawn_double_step", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", ""),
        *("a2 b2 c2 d2 e2 f2 g2 h2", ""),
    ),
    ("en_passant_too_late", "4k3/8/8/1Pp5/8/8/8/4K3 w - - 0 2", "b5c6", "c5", "", ""),
    ("pinned", "4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1", "f3f1", "e4", "g2", "f3"),
    ("pinned", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2", "e7", "e1", "e6 e5 e4 e3 e2"),
    (
        "check_not_answered",
        "4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1",
        "a1a2",
        "e7",
        "e1",
        "e6 e5 e4 e3 e2",
    ),
    (
        *("check_not_answered", "4k3/8/4r3/8/8/3n4/P7/4K2B w - - 0 1", "a2a3", "d3 e6", "e1"),
        "e5 e4 e3 e2",
    ),
    ("king_attacked", "4k3/8/8/8/8/8/3r4/7K w - - 0 1", "h1h2", "d2", "h2", "e2 f2 g2"),
    ("king_attacked", "8/8/8/8/8/4k3/8/4K3 w - - 0 1", "e1e2", "e3", "e2", ""),
    ("king_attacked", "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "e1f1", "a1", "f1", "b1 c1 d1 e1"),
    ("castle_right_lost", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1", "a1 e1", "", ""),
    ("castle_right_lost", "r3k2r/8/8/8/8/8/8/4K3 b q - 0 1", "e8g8", "e8 h8", "", ""),
    ("castle_way_blocked", "4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "e1c1", "b1", "", ""),
    ("castle_in_check", "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1", "e1c1", "e4", "e1", "e3 e2"),
    (
        *("castle_through_check", "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "d8", "d1"),
        "d7 d6 d5 d4 d3 d2",
    ),
    (
        *("castle_into_check", "2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "c8", "c1"),
        "c7 c6 c5 c4 c3 c2",
    ),
    # In Chess960 the rook's path may be attacked, and the rook may have shielded the king.
    ("castle_way_blocked", "4k3/8/8/8/8/8/8/1RnKn3 w B - 0 1", "d1b1", "c1", "", ""),
    ("castle_into_check", "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", "d1b1", "a1", "c1", "b1"),
]


@pytest.mark.parametrize(("why", "fen", "move", "pieces", "squares", "ways"), EACH)
def test_every_kind_names_what_the_lights_show(
    why: str, fen: str, move: str, pieces: str, squares: str, ways: str
) -> None:
    reason = told(fen, move)
    assert reason is not None
    assert (reason.why.value, names_of(reason.pieces)) == (why, pieces.split())
    assert names_of(reason.squares) == squares.split()
    assert [names(way) for way in reason.ways] == ([ways] if ways else [])


def test_two_checks_have_two_lines() -> None:
    reason = told("4r1k1/8/8/8/7b/8/P7/4K3 w - - 0 1", "a2a3")
    assert reason is not None
    assert names_of(reason.pieces) == ["h4", "e8"]
    assert [names(way) for way in reason.ways] == ["g3 f2", "e7 e6 e5 e4 e3 e2"]


def test_en_passant_that_exposes_the_king_needs_the_last_move() -> None:
    """The position does not keep the square: no capture there is legal."""
    fen = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2"
    reason = told(fen, "e5d6", jumped="d6")
    assert reason is not None
    assert reason.why is Why.EN_PASSANT_BARES_KING
    assert (names_of(reason.pieces), names_of(reason.squares)) == (["h5"], ["d5", "e5"])
    unknown = told(fen, "e5d6")
    assert unknown is not None
    assert unknown.why is Why.EN_PASSANT_TOO_LATE


def test_a_right_to_castle_names_no_rook_that_is_gone() -> None:
    reason = told("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1")
    assert reason == Reason(Why.CASTLE_RIGHT_LOST, 1 << BY_NAME["e1"])


def test_what_is_legal_has_no_reason() -> None:
    castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert told(castling, "e1g1") is None
    assert told(castling, "e1h1") is None, "king takes rook is castling, too"
    assert told("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8") is None
    assert told("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6") is None


# ---------------------------------------------------------------------------- beside python-chess


def boards(first: int, number: int) -> Iterator[chess.Board]:
    """That many positions, of three kinds in turn."""
    of_games = games(first)
    for seed in range(first, first + number):
        yield (scramble(seed), trouble(seed), next(of_games))[seed % 3]


def games(first: int) -> Iterator[chess.Board]:
    """Every fourth position of random games."""
    for seed in count(first):
        start = chess.Board.from_chess960_pos(seed % 960) if seed % 3 else chess.Board()
        for ply, (_, _, board) in enumerate(walk(seed, 100, start)):
            if ply % 4 == 3:
                yield board.copy(stack=False)


def check(board: chess.Board) -> Counter[Why]:
    """Every pair of squares of one position."""
    position, refusals = position_of(board), Refusals(board)
    met: Counter[Why] = Counter()
    for origin, target in PAIRS:
        reason = why_not(position, origin, target, jumped_of(board))
        expected = refusals.told(origin, target)
        named = reason and (reason.why.value, reason.pieces)
        assert named == expected, f"{board.fen()} {NAMES[origin]}{NAMES[target]}"
        if reason is not None:
            met[reason.why] += 1
            if reason.why in MOVABLE and origin != target:
                check_removal(position, origin, target, jumped_of(board), reason)
    return met


def check_removal(
    position: Position, origin: Square, target: Square, jumped: Square | None, reason: Reason
) -> None:
    """Without the pieces it names the reason is gone, except for pieces behind them."""
    why = reason.why
    for _ in range(8):
        assert reason.pieces & position.occupied == reason.pieces != 0
        if reason.pieces & position.placement[KING]:
            return  # a king cannot be removed
        position = without(position, reason.pieces, jumped)
        after = why_not(position, origin, target, jumped)
        if after is None or after.why is not why:
            return
        reason = after
    raise AssertionError(f"{why} never ends")


def without(position: Position, pieces: Bitboard, jumped: Square | None) -> Position:
    placement = tuple(squares & ~pieces for squares in position.placement)
    turn, en_passant = position.turn, None
    if jumped is not None:
        pawn = 1 << (jumped + 8 if turn else jumped - 8)
        if placement[PAWN] & pawn and en_passant_moves(placement, turn, jumped):
            en_passant = jumped
    return Position(placement, turn, position.castling & placement[4], en_passant)


def check_all(first: int, number: int) -> Counter[Why]:
    met: Counter[Why] = Counter()
    for board in boards(first, number):
        met += check(board)
    return met


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 10])
def test_every_illegal_pair_has_the_reason_that_the_oracle_finds(first: int) -> None:
    check_all(first, 10)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4 if IS_FULL else 2))
def test_ten_thousand_positions_have_a_reason_for_every_illegal_pair(
    part: int, *, full: bool
) -> None:
    met = check_all(10_000 * part, 2_500 if full else 125)
    assert [why for why in Why if met[why] < (20 if full else 1)] == []


def test_paths_lead_from_a_named_piece_to_what_it_attacks() -> None:
    for board in boards(7, 20):
        position = position_of(board)
        for origin, target in PAIRS[::3]:
            reason = why_not(position, origin, target, jumped_of(board))
            for way in reason.ways if reason else ():
                assert reason is not None
                attacked = reason.squares | 1 << position.king(position.turn)
                assert near(way[0]) & reason.pieces
                assert near(way[-1]) & attacked
                assert all(near(one) >> other & 1 for one, other in pairwise(way))


def near(square: Square) -> Bitboard:
    return int(chess.SquareSet(chess.BB_KING_ATTACKS[square]))


def positions() -> list[Position]:
    return [position for seed in range(6) for position, _, _ in walk(seed, 60)]


def test_only_a_piece_without_a_legal_move_has_a_reason() -> None:
    told = 0
    for position in positions():
        movers = {move.origin for move in position.legal_moves()}
        for origin in squares_in(position.placement[SIDE[position.turn]]):
            reason = why_none(position, origin)
            assert (reason is None) == (origin in movers), (position, NAMES[origin])
            told += reason is not None
    assert told > 500


def test_all_that_holds_a_piece_is_named() -> None:
    position = parse_fen("k7/8/8/8/7P/1r6/7r/K7 w - - 0 1")
    reason = why_none(position, BY_NAME["a1"])
    assert reason is not None
    assert reason.why is Why.KING_ATTACKED
    assert names_of(reason.pieces) == ["h2", "b3"]
    assert names_of(reason.squares) == ["b1", "a2", "b2"]


def test_empty_squares_and_enemy_pieces_have_no_reason() -> None:
    position = Position.start()
    assert why_none(position, BY_NAME["e4"]) is None
    assert why_none(position, BY_NAME["e8"]) is None


@pytest.mark.slow
def test_every_reason_is_a_sentence_on_one_line_that_names_no_empty_list() -> None:
    for position in positions()[::40]:
        for origin in EVERY_SQUARE:
            for target in EVERY_SQUARE:
                reason = why_not(position, origin, target)
                if reason is not None:
                    said = in_words(position, reason, origin)
                    assert said
                    assert "no piece attack" not in said
                    assert "\n" not in said
                    assert not said.endswith(".")
