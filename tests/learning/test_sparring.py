"""The partner without an engine plays on, legally and always alike, and is no fool."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.learning.endings import best_move, value
from boardfw.learning.sparring import fastest, moves_to_promote, reply
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import BLACK, KING, PAWN, QUEEN, ROOK, WHITE, Piece, Position
from boardfw.rules.board import placement_of
from boardfw.rules.outcome import mates, outcome
from boardfw.squares import BY_NAME, EVERY_SQUARE, Square, distance
from tests.rules.walks import walk
from tests.sizes import sized


def again(position: Position) -> Position:
    """The same position, which remembers nothing."""
    return Position(*position.key, position.halfmove_clock, position.fullmove_number)


@settings(max_examples=sized(5, 20))
@given(st.integers(0, 10_000))
def test_it_answers_with_a_legal_move_and_always_with_the_same(seed: int) -> None:
    for position, _, _ in walk(seed, 40):
        if position.legal_moves():
            move = reply(position)
            assert move in position.legal_moves()
            assert reply(again(position)) is move


def test_a_game_that_is_over_has_no_answer() -> None:
    with pytest.raises(LookupError):
        reply(parse_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))


@pytest.mark.parametrize(
    ("fen", "sans"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", {"Ra8#"}),  # mates
        ("4k3/8/8/8/q7/8/8/3QK3 w - - 0 1", {"Qxa4+"}),  # takes what hangs
        ("4k3/8/2p5/3r4/2B1P3/8/8/4K3 w - - 0 1", {"exd5"}),  # with the cheapest piece
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", {"bxa8=Q+"}),
        ("8/8/8/3k4/3R4/8/8/K6R b - - 0 1", {"Kxd4"}),  # the king takes an unguarded rook
        ("8/1k6/8/2R5/8/8/8/K6R b - - 0 1", {"Kb6"}),  # and attacks one
        ("8/P6k/8/8/8/8/p6K/8 w - - 0 1", {"a8=Q", "a8=R"}),  # the race
        ("5k2/8/7P/1P6/8/p7/8/1K6 w - - 0 1", {"b6"}),  # the pawn that cannot be caught
        ("8/3k4/8/7P/8/p7/8/3K4 w - - 0 1", {"Kc1", "Kc2"}),  # to run is too slow, so catch
    ],
)
def test_it_sees_what_is_near(fen: str, sans: set[str]) -> None:
    position = parse_fen(fen)
    assert format_san(position, reply(position)) in sans


def test_it_does_not_walk_into_a_mate() -> None:
    position = parse_fen("6k1/5ppp/8/1R6/N7/5r2/1n6/6K1 b - - 0 1")
    grabs = position.play(parse_san(position, "Nxa4"))
    assert mates(grabs)
    assert not mates(position.play(reply(position)))


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4B3/4Q3/7k/8/2K5 w - - 0 1",
        "8/8/8/8/8/K5Q1/8/kB6 w - - 0 1",
        "8/8/1K6/8/8/8/2R1R3/3k4 w - - 0 1",
        "8/8/8/3Q4/5k1K/8/5B2/8 w - - 0 1",
    ],
)
def test_it_does_not_go_to_the_middle_where_that_is_stalemate(fen: str) -> None:
    position = parse_fen(fen)
    assert outcome(position.play(reply(position))) is None


def test_it_follows_the_tables_on_either_side() -> None:
    for turn in "wb":
        position = parse_fen(f"4k3/8/8/8/8/8/4P3/4K3 {turn} - - 0 1")
        assert value(position)
        assert reply(position) is best_move(position)


def can_be_captured_free(position: Position, kind: int) -> bool:
    """Whether the side to move may capture an undefended piece of this type."""
    enemy = 1 - position.turn
    pieces = position.pieces_of(kind, enemy)
    return any(
        move.captured is not None
        and pieces >> move.captured & 1
        and not position.play(move).attackers(move.target, enemy)
        for move in position.legal_moves()
    )


def test_it_seldom_leaves_a_queen_to_be_captured() -> None:
    """In games against chance."""
    chance, left, played = random.Random(1), 0, 0
    for _ in range(12):
        position = Position.start()
        for _ in range(30):
            if outcome(position) is None:
                position = position.play(reply(position))
                left += can_be_captured_free(position, QUEEN)
                played += 1
            if outcome(position) is None:
                position = position.play(chance.choice(position.legal_moves()))
    assert played > 150
    assert left <= played // 50


def test_it_beats_chance() -> None:
    """Against random moves it has won, or is a rook ahead, in nearly every game."""
    chance = random.Random(2)
    won = 0
    for game in range(10):
        position, partner = Position.start(), game % 2
        while outcome(position) is None and position.fullmove_number < 40:
            mine = position.turn == partner
            move = reply(position) if mine else chance.choice(position.legal_moves())
            position = position.play(move)
        mated = not position.legal_moves() and position.is_check() and position.turn != partner
        rich = position.pieces_of(ROOK, partner) | position.pieces_of(QUEEN, partner)
        poor = position.pieces_of(ROOK, 1 - partner) | position.pieces_of(QUEEN, 1 - partner)
        won += mated or rich.bit_count() > poor.bit_count()
    assert won >= 9


def test_it_does_not_go_to_and_fro_for_ever() -> None:
    """Against itself, with no plan on either side."""
    position, met = Position.start(), []
    for _ in range(80):
        met.append(position.key)
        position = position.play(reply(position))
    assert len(set(met)) > 70


# ------------------------------------------------------------------------------------ passed pawns


def test_a_pawn_at_home_may_make_two_steps() -> None:
    assert moves_to_promote(WHITE, BY_NAME["a2"]) == 5
    assert moves_to_promote(BLACK, BY_NAME["a7"]) == 5
    assert moves_to_promote(WHITE, BY_NAME["a6"]) == 2


@pytest.mark.parametrize("turn", [WHITE, BLACK])
def test_a_pawn_runs_free_only_if_the_table_wins(turn: int) -> None:
    """The square before the pawn is no guess: the king outside is too late, whatever it does."""
    chance, seen = random.Random(3), 0
    while seen < 150:
        third, king, lone = (
            EVERY_SQUARE[number]
            for number in (chance.randrange(8, 56), chance.randrange(64), chance.randrange(64))
        )
        position = pawn_ending(third, king, lone, turn)
        if position is None:
            continue
        left = fastest(position, WHITE)
        if left is not None:
            seen += 1
            known = value(position)
            assert known
            assert known.is_won, position


def pawn_ending(third: Square, king: Square, lone: Square, turn: int) -> Position | None:
    """A white pawn and the kings on these squares, if they may stand so."""
    pieces = {third: Piece(PAWN, WHITE), king: Piece(KING, WHITE), lone: Piece(KING, BLACK)}
    position = Position(placement_of(pieces), turn)
    other = Position(position.placement, 1 - turn)
    near = len(pieces) < 3 or distance(king, lone) < 2
    return None if near or other.is_check() else position
