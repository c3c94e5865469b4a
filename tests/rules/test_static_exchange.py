"""Attackers, defenders and exchanges: checked against python-chess and against a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import chess
import pytest

from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import Position
from boardfw.rules.outcome import mates
from boardfw.rules.static_exchange import contact, contacts, pins_of, static_exchange
from boardfw.squares import BY_NAME, Bitboard, Square, names_of
from tests.rules.brute import try_all
from tests.rules.scrambles import scramble
from tests.rules.walks import oracle_uci, position_of, walk


def lost(fen: str, square: str) -> int:
    return contacts(parse_fen(fen))[BY_NAME[square]].loss


# ---------------------------------------------------------------------------------- by example

EXCHANGES = [
    (-2, "4k3/3p4/2n5/8/8/8/8/2R1K3 w - - 0 1", "Rxc6"),  # 3 for 5
    (2, "4k3/3p4/2r5/8/4B3/8/8/4K3 w - - 0 1", "Bxc6"),  # 5 for 3
    (5, "4k3/8/2p5/3r4/2B1P3/8/8/4K3 w - - 0 1", "exd5"),  # with the less valuable piece
    (2, "4k3/8/2p5/3r4/2B5/8/8/4K3 w - - 0 1", "Bxd5"),
    (-3, "4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "Ne5"),  # to be captured
    (0, "4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "Ne5"),
    (1, "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5"),  # the second rook is behind
    (-4, "3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5"),
    (1, "4k3/8/8/8/3p4/8/3R4/4K3 w - - 0 1", "Rxd4"),
    (8, "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q"),
    (-1, "1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q"),
    (11, "1n4k1/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=Q+"),
    (1, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6"),
]


@pytest.mark.parametrize(("won", "fen", "san"), EXCHANGES)
def test_an_exchange_is_counted_out(won: int, fen: str, san: str) -> None:
    position = parse_fen(fen)
    assert static_exchange(position, parse_san(position, san)) == won


def test_a_piece_behind_another_on_its_line_joins_in() -> None:
    position = parse_fen("3rk3/3r4/8/3p4/8/1B6/B2R4/3QK3 w - - 0 1")
    known, behind = contact(position, BY_NAME["d5"])
    assert (names_of(known.attackers), names_of(known.defenders)) == (["d2", "b3"], ["d7"])
    assert names_of(behind) == ["d1", "a2", "d8"]


def test_a_pinned_piece_defends_only_along_its_line() -> None:
    guarded = "4k3/4n3/8/3r4/8/1B6/8/4K3 w - - 0 1"
    assert lost(guarded, "d5") == 2
    assert lost("4k3/4n3/8/3r4/8/1B6/8/4RK2 w - - 0 1", "d5") == 5
    assert lost("4k3/8/4r3/8/4R3/8/4R3/4K3 w - - 0 1", "e6") == 5, "nothing defends the pinned rook"


def test_a_pin_ends_when_the_pinning_piece_captures() -> None:
    assert lost("4k3/4n3/8/3p4/4Q3/8/8/4K3 w - - 0 1", "d5") == 0
    assert lost("4k3/4n3/8/3p4/4Q3/1B6/8/4K3 w - - 0 1", "d5") == 1, (
        "the bishop takes, the pin stays"
    )


def test_a_king_defends_only_against_the_last_attacker() -> None:
    assert lost("8/8/3k4/3r4/8/1B6/8/4K3 w - - 0 1", "d5") == 2
    assert lost("8/8/3k4/3r4/8/1B6/B7/4K3 w - - 0 1", "d5") == 5


def test_an_empty_square_is_refused() -> None:
    with pytest.raises(LookupError, match="a4 is empty"):
        contact(Position.start(), BY_NAME["a4"])


# ---------------------------------------------------------------------------- beside python-chess


def boards(seed: int) -> Iterator[chess.Board]:
    for _, _, board in islice(walk(seed, 80), 6, None, 4):
        yield board.copy(stack=False)
    yield from (scramble(seed + n) for n in range(10))


@pytest.mark.parametrize("seed", range(500, 508))
def test_attackers_and_defenders_are_those_of_the_oracle(seed: int) -> None:
    for board in boards(seed):
        known = contacts(position_of(board))
        attacked = set()
        for square, piece in board.piece_map().items():
            attackers, defenders = (
                board.attackers(c, square) for c in (not piece.color, piece.color)
            )
            if attackers and piece.piece_type != chess.KING:
                attacked.add(square)
                assert known[Square(square)].attackers == int(attackers)
                assert known[Square(square)].defenders == int(defenders)
        assert known.keys() == attacked


@pytest.mark.parametrize("seed", range(500, 508))
def test_pins_are_those_of_the_oracle(seed: int) -> None:
    for board in boards(seed):
        found = {pin.piece: pin for pin in pins_of(position_of(board).placement)}
        for color in chess.COLORS:
            for square in chess.scan_forward(board.occupied_co[color]):
                pin = found.pop(1 << square, None)
                assert (pin is not None) == board.is_pinned(color, square)
                if pin:
                    assert pin.line == int(board.pin(color, square))
                    assert pin.pinner & pin.line & board.occupied_co[not color]
        assert not found


@pytest.mark.parametrize("seed", range(500, 504))
def test_x_ray_pieces_are_found_by_taking_off_those_in_front(seed: int) -> None:
    for board in boards(seed):
        position = position_of(board)
        for square in board.piece_map():
            occupied = expected = all_looking(board, square, board.occupied)
            while expected:
                expected = all_looking(board, square, board.occupied & ~occupied)
                occupied |= expected
            known, behind = contact(position, Square(square))
            assert behind == occupied & ~(known.attackers | known.defenders)


def all_looking(board: chess.Board, square: int, occupied: Bitboard) -> Bitboard:
    left = chess.SquareSet(occupied)
    both = (board.attackers(color, square, left) for color in chess.COLORS)
    return sum(int(pieces) for pieces in both) & occupied


@pytest.mark.parametrize("seed", range(500, 508))
def test_mates_in_one_are_those_of_the_oracle(seed: int) -> None:
    for board in boards(seed):
        found = {oracle_uci(move, board) for move in mates(position_of(board))}
        expected = set()
        for move in board.legal_moves:
            board.push(move)
            if board.is_checkmate():
                expected.add(move)
            board.pop()
        assert found == {board.uci(move) for move in expected}


# -------------------------------------------------------------------- beside a search of captures


def agreement(seen: Iterable[chess.Board]) -> Counter[tuple[bool, bool]]:
    """How often (a check was met on the way, the loss is what the search finds)."""
    counted: Counter[tuple[bool, bool]] = Counter()
    for board in seen:
        position = position_of(board)
        for square, known in contacts(position).items():
            asked = position
            if position.pieces(position.turn) >> square & 1:
                if position.is_check():
                    continue  # the enemy cannot be to move
                asked = Position(position.placement, 1 - position.turn)
            tried = try_all(asked, square)
            counted[tried.met_check, tried.won == known.loss] += 1
    return counted


def check_agreement(seeds: range) -> None:
    """Checks are not looked at; without them only a pin by two pieces on a line can deceive."""
    counted = agreement(board for seed in seeds for board in boards(seed))
    assert counted[False, False] <= counted[False, True] / 500
    assert counted[True, False] <= counted[True, True] / 5


@pytest.mark.slow
def test_what_is_lost_is_what_a_search_of_all_captures_finds() -> None:
    check_agreement(range(520, 540))


@pytest.mark.slow
def test_what_is_lost_in_many_positions(*, full: bool) -> None:
    check_agreement(range(1_000, 2_000 if full else 1_100))
