"""The state of a task that is played: reached or spoiled, why, and where to go back."""

from __future__ import annotations

import pytest

from boardfw.learning.endings import best_move, value
from boardfw.learning.goals import Cause, Fate, Standing
from boardfw.learning.task import Goal, Play
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import BLACK, WHITE, Move, Position
from tests.learning.playing import (
    BATTLE,
    PAWN_HOME,
    QUEEN_MATE,
    START,
    TWO_ROOKS,
    progress,
    reached_from,
)


def played(fen: str, sans: str) -> tuple[Position, list[Move]]:
    start = position = parse_fen(fen)
    moves = []
    for san in sans.split():
        moves.append(parse_san(position, san))
        position = position.play(moves[-1])
    return start, moves


def standing(goal: Goal, fen: str, sans: str, you: int = WHITE, plies: int = 60) -> Standing:
    start, moves = played(fen, sans)
    return progress(Play(goal, you, plies), start, moves)


@pytest.mark.parametrize(
    ("fen", "sans", "fate", "cause", "back"),
    [
        (QUEEN_MATE, "Qd7", Fate.GOING, None, 1),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "Qg7#", Fate.REACHED, Cause.MATE, 1),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", Fate.SPOILED, Cause.STALEMATE, 0),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf2 Kg8 Qf7+ Kh8 Qa7", Fate.GOING, None, 5),
        ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "Rd1+ Ke4 Rd2 Ke3 Rd4", Fate.GOING, None, 4),
        ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "Ra4 Kc5 Rc4+ Kxc4", Fate.SPOILED, Cause.LOST_ROOK, 2),
        (TWO_ROOKS, "Rh4 Kd5 Rhb4 Kc5 Kb2 Kxb4", Fate.GOING, None, 6),
        ("4k3/8/8/8/8/8/8/q3K2R w - - 0 1", "Kf2 Qxh1", Fate.SPOILED, Cause.LOST_ROOK, 0),
    ],
)
def test_mate(fen: str, sans: str, fate: Fate, cause: Cause | None, back: int) -> None:
    assert standing(Goal.MATE, fen, sans) == Standing(fate, cause, back)


@pytest.mark.parametrize(
    ("fen", "sans", "fate", "cause", "back"),
    [
        (PAWN_HOME, "e4", Fate.GOING, None, 0),  # the pawn runs from its king: the win is gone
        (PAWN_HOME, "Kf2", Fate.GOING, None, 1),
        ("8/P7/8/8/8/8/7k/K7 w - - 0 1", "a8=Q", Fate.GOING, None, 1),
        ("8/P7/8/8/8/8/7k/K7 w - - 0 1", "a8=Q Kg3", Fate.REACHED, Cause.PROMOTED, 2),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f8=Q", Fate.SPOILED, Cause.STALEMATE, 0),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f8=N+", Fate.SPOILED, Cause.DEAD, 0),
        ("1k6/P7/1K6/8/8/8/8/8 b - - 0 1", "Ka8 Ka6", Fate.SPOILED, Cause.STALEMATE, 0),
        ("8/P1k5/8/8/8/8/8/K7 w - - 0 1", "Kb2 Kb7 Kc3 Kxa7", Fate.SPOILED, Cause.LOST_PAWN, 0),
        ("8/Pk6/8/8/8/8/8/K7 w - - 0 1", "a8=Q+ Kxa8", Fate.SPOILED, Cause.TAKEN_AT_ONCE, 0),
        ("8/Pk5P/8/8/8/8/8/K7 w - - 0 1", "a8=Q+ Kxa8", Fate.GOING, None, 2),
        ("k7/2P5/1K6/8/8/8/8/8 w - - 0 1", "c8=Q#", Fate.REACHED, Cause.MATE, 1),
    ],
)
def test_promote(fen: str, sans: str, fate: Fate, cause: Cause | None, back: int) -> None:
    assert standing(Goal.PROMOTE, fen, sans) == Standing(fate, cause, back)


ROOK_STANDS = "4k3/8/8/8/8/8/1p6/R3K3 w - - 0 1"
RUNNERS = "8/P6k/8/8/8/8/p6K/8 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "sans", "fate", "cause", "back"),
    [
        (BATTLE, "e4 e5", Fate.GOING, None, 2),
        (RUNNERS, "a8=Q", Fate.GOING, None, 1),
        (RUNNERS, "a8=Q a1=Q", Fate.REACHED, Cause.PROMOTED, 2),
        (RUNNERS, "Kg3 a1=Q Kf4", Fate.SPOILED, Cause.PROMOTED_FIRST, 2),
        ("8/7k/8/8/8/8/p1K4P/8 w - - 0 1", "Kb2 a1=Q+ Kxa1", Fate.REACHED, Cause.PAWNS_TAKEN, 3),
        ("8/8/8/8/6k1/p7/K6P/8 w - - 0 1", "Kb1 Kh3 Ka2 Kxh2", Fate.SPOILED, Cause.LOST_PAWN, 2),
        ("4k3/8/8/8/8/8/p7/R3K3 w - - 0 1", "Rxa2", Fate.REACHED, Cause.PAWNS_TAKEN, 1),
        (ROOK_STANDS, "Ke2 bxa1=Q Kf2", Fate.SPOILED, Cause.PROMOTED_FIRST, 0),
    ],
)
def test_race(fen: str, sans: str, fate: Fate, cause: Cause | None, back: int) -> None:
    assert standing(Goal.RACE, fen, sans) == Standing(fate, cause, back)


def test_hold() -> None:
    draw = "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"
    assert standing(Goal.HOLD, draw, "Kf8", BLACK) == Standing(Fate.GOING, None, 0)
    held = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"
    assert standing(Goal.HOLD, held, "Kd3 Kd5 e4+ Ke5", BLACK, 4).cause is Cause.HELD
    lost = standing(Goal.HOLD, held, "Kd3 Kf4 Kd4 Kg3", BLACK, 4)
    assert lost == Standing(Fate.SPOILED, Cause.LOST, 1)
    ran = standing(Goal.HOLD, "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q Kg6", BLACK)
    assert ran == Standing(Fate.SPOILED, Cause.PROMOTED_FIRST, 0)
    stalemate = standing(Goal.HOLD, "4k3/4P3/8/4K3/8/8/8/8 w - - 0 1", "Ke6", BLACK)
    assert stalemate == Standing(Fate.REACHED, Cause.STALEMATE, 1)


def test_game() -> None:
    fool = "f3 e5 g4 Qh4#"
    assert standing(Goal.GAME, START, fool) == Standing(Fate.REACHED, Cause.MATED, 4)
    assert standing(Goal.GAME, START, fool, BLACK) == Standing(Fate.REACHED, Cause.MATE, 4)
    knights = "Nf3 Nf6 Ng1 Ng8 " * 4
    assert standing(Goal.GAME, START, knights).cause is Cause.REPETITION
    assert standing(Goal.GAME, START, "e4", plies=1).cause is Cause.TOO_LONG


def test_after_too_many_plies_the_task_goes_back_to_where_they_sufficed() -> None:
    """Six plies are played well; of those beyond the shortest path too many are then wasted."""
    start = position = parse_fen(QUEEN_MATE)
    known = value(start)
    assert known
    assert known.plies
    task, moves = Play(Goal.MATE, WHITE, known.plies + 4), list[Move]()
    for ply in range(task.plies):
        legal = position.legal_moves()
        slow = max(legal, key=lambda move: lasts(position.play(move)))
        fast = best_move(position) if ply % 2 == 0 else slow
        moves.append(fast if ply < 6 else slow)
        position = position.play(moves[-1])
    found = progress(task, start, moves)
    assert (found.fate, found.cause) == (Fate.SPOILED, Cause.TOO_LONG)
    assert found.back >= 6
    assert reached_from(task, start, moves[: found.back])


def lasts(position: Position) -> int:
    """Plies to mate; a draw cannot waste time."""
    known = value(position)
    return known.plies if known and known.plies else 0


def test_a_pawn_that_is_too_slow_restarts() -> None:
    """The table counts plies to mate; how many a promotion takes it does not say."""
    found = standing(Goal.PROMOTE, PAWN_HOME, "Kf2 Kf7 Kf3 Kf6", plies=4)
    assert found == Standing(Fate.SPOILED, Cause.TOO_LONG, 0)


def test_the_last_ply_of_all_may_promote() -> None:
    for plies in (1, 2):
        found = standing(Goal.PROMOTE, "8/P7/8/8/8/8/7k/K7 w - - 0 1", "a8=Q", plies=plies)
        assert found.fate is Fate.GOING
        found = standing(Goal.PROMOTE, "8/P7/8/8/8/8/7k/K7 w - - 0 1", "a8=Q Kg3", plies=plies)
        assert found.cause is Cause.PROMOTED
