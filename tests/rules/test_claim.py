"""Draws that may be claimed: what supports them, and what an intended move may support."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import PAWN, Position
from boardfw.rules.claim import FIFTY, THREEFOLD, Claim, can_claim, claims
from boardfw.rules.dead_position import is_dead
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from tests.rules.boards import board, history
from tests.sizes import sized

ROUND = "Nf3 Nf6 Ng1 Ng8 "


def shuffled(text: str) -> tuple[Position, list[Key]]:
    return history(Position.start(), text)


def possible_claims(position: Position, earlier: Sequence[Key] = ()) -> tuple[Claim, ...]:
    """Everything that may be claimed: for the position itself, and with each move."""
    moves = (None, *position.legal_moves())
    return tuple(claim for move in moves for claim in claims(position, earlier, move))


def test_a_threefold_repetition_is_claimed_with_its_plies() -> None:
    position, earlier = shuffled(ROUND * 2)
    assert claims(position, earlier) == (Claim(THREEFOLD, None, (0, 4, 8)),)


def test_an_intended_move_supports_a_claim() -> None:
    position, earlier = shuffled(ROUND + "Nf3 Nf6 Ng1")
    home, elsewhere = parse_san(position, "Ng8"), parse_san(position, "Ne4")
    assert claims(position, earlier) == ()
    assert claims(position, earlier, home) == (Claim(THREEFOLD, home, (0, 4, 8)),)
    assert claims(position, earlier, elsewhere) == ()
    assert possible_claims(position, earlier) == (Claim(THREEFOLD, home, (0, 4, 8)),)
    assert can_claim(position, earlier)


def test_the_same_moves_to_another_position_support_nothing() -> None:
    position, earlier = shuffled("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 e6 Nf3 Ng8 Ng1")
    assert not can_claim(position, earlier)


def test_fifty_moves_are_claimed_with_their_span() -> None:
    position = board("8 .......k\n2 R.......\n1 K.......", clock=98)
    assert not can_claim(position)
    position, earlier = history(position, "Rb2 Kg8")
    assert claims(position, earlier) == (Claim(FIFTY, None, (-97, 2)),)


def test_the_fiftieth_move_may_be_intended() -> None:
    position = board("8 .......k\n4 P.......\n2 R...p...\n1 K.......", clock=99)
    quiet, capture = parse_san(position, "Rb2"), parse_san(position, "Rxe2")
    pawn = parse_san(position, "a5")
    assert claims(position) == ()
    assert claims(position, (), quiet) == (Claim(FIFTY, quiet, (-98, 1)),)
    assert claims(position, (), capture) == claims(position, (), pawn) == ()
    intended = {claim.move for claim in possible_claims(position)}
    quiets = {m for m in position.legal_moves() if m.piece_type != PAWN and m.captured is None}
    assert intended == quiets


def test_both_claims_at_once() -> None:
    start = board("8 .......k\n2 R.......\n1 K.......", clock=92)
    position, earlier = history(start, "Rb2 Kg8 Ra2 Kh8 " * 2)
    assert [claim.kind for claim in claims(position, earlier)] == [THREEFOLD, FIFTY]


@pytest.mark.parametrize(
    "diagram", ["8 ......k.\n7 .....ppp\n1 R...K...", "8 k.......\n6 .K......\n1 ..Q....."]
)
def test_an_intended_move_that_ends_the_game_supports_no_claim(diagram: str) -> None:
    position = board(diagram, clock=120)
    ends = [m for m in position.legal_moves() if not position.play(m).legal_moves()]
    assert ends
    assert all(claims(position, (), move) == () for move in ends)


def test_nothing_is_claimed_after_mate_or_stalemate() -> None:
    assert claims(board("7 ......Qk\n6 .....K..", "b", clock=100)) == ()
    assert not can_claim(board("8 k.......\n7 ..Q.....\n5 .K......", "b", clock=100))


def test_nothing_is_claimed_in_a_dead_position_nor_with_a_move_into_one() -> None:
    assert claims(board("8 .......k\n2 B.......\n1 K.......", clock=100)) == ()
    assert claims(board("8 .......k\n2 .q......\n1 K.......", clock=100)) == ()
    assert not can_claim(board("7 ..k.....\n5 .p..p..p\n4 .P..P..P\n2 ....K...", clock=120))


def test_an_illegal_intended_move_supports_no_claim() -> None:
    position = board("8 .......k\n2 R.......\n1 K.......", clock=120)
    theirs = board("8 .......k\n2 R.......\n1 K.......", "b").legal_moves()[0]
    assert claims(position, (), theirs) == ()


# --- against the oracle


def shuffling(dice: random.Random, start: str) -> Iterator[tuple[Position, list[Key], chess.Board]]:
    """Every position of a walk that likes to go back where it came from."""
    position, oracle = parse_fen(start), chess.Board(start)
    earlier: list[Key] = []
    for _ in range(220):
        yield position, earlier, oracle
        moves = position.legal_moves()
        if not moves:
            return
        quiet = [move for move in moves if move.piece_type != PAWN and move.captured is None]
        again = [move for move in quiet if position.play(move).key in earlier[-8:]]
        tempting = (again and dice.random() < 0.7 and again) or (dice.random() < 0.97 and quiet)
        move = dice.choice(tempting or moves)
        earlier.append(position.key)
        position = position.play(move)
        oracle.push_uci(move.uci())


STARTS = [
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/1p6/8/P7/4K2R w K - 0 1",
    "8/8/2k5/8/3R4/8/4K3/6r1 w - - 60 70",
    "6k1/5pp1/7p/8/8/7P/5PP1/R5K1 w - - 80 90",
    "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
]


def check_claims(seed: int, start: str) -> int:
    """Both say the same all along the walk; return how often something could be claimed."""
    claimable = 0
    for position, earlier, oracle in shuffling(random.Random(seed), start):
        found = possible_claims(position, earlier)
        kinds = {claim.kind for claim in found}
        if position.legal_moves() and not is_dead(position):
            assert (THREEFOLD in kinds) == oracle.can_claim_threefold_repetition()
            assert (FIFTY in kinds) == oracle.can_claim_fifty_moves()
        assert can_claim(position, earlier) == bool(found)
        stands = {claim.kind for claim in claims(position, earlier)}
        if position.legal_moves() and not is_dead(position):
            assert (FIFTY in stands) == oracle.is_fifty_moves()
            assert (THREEFOLD in stands) == oracle.is_repetition(3)
        claimable += bool(found)
        ends = outcome(position, earlier)
        theirs = oracle.outcome()
        if ends is None or ends.termination != "dead_position":
            assert (ends and ends.result) == (theirs and theirs.result())
        for claim in found:
            check_backing(claim, position, earlier)
    return claimable


def check_backing(claim: Claim, position: Position, earlier: list[Key]) -> None:
    keys = [*earlier, position.key]
    if claim.move is not None:
        assert claim.move in position.legal_moves()
        keys.append(position.play(claim.move).key)
    assert claim.plies[-1] == len(keys) - 1
    if claim.kind == THREEFOLD:
        assert len(claim.plies) >= 3
        assert [ply for ply, key in enumerate(keys) if key == keys[-1]] == list(claim.plies)
    else:
        assert claim.plies[1] - claim.plies[0] >= 99


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_walks_that_shuffle_agree_with_the_oracle(start: str) -> None:
    assert sum(check_claims(seed, start) for seed in range(3)) > 10


@settings(max_examples=sized(1, 6))
@given(st.integers(0, 1 << 32), st.sampled_from(STARTS))
def test_any_walk_that_shuffles_agrees_with_the_oracle(seed: int, start: str) -> None:
    check_claims(seed, start)
