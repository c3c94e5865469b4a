"""What has become of a task that is played: reached or spoiled, why, and where to go back."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.learning.endings import best_attack, best_defence, value
from boardfw.learning.goals import in_reach, progress
from boardfw.learning.sparring import reply
from boardfw.learning.standing import Cause, Fate, Standing
from boardfw.learning.task import Goal, Play
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import BLACK, PAWN, WHITE, Move, Position
from tests.rules.walks import oracle_uci, position_of

QUEEN_MATE = "8/8/8/4k3/8/8/8/3QK3 w - - 0 1"
ROOK_MATE = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"
TWO_ROOKS = "8/8/8/4k3/8/8/8/KR5R w - - 0 1"
PAWN_HOME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
PAWN_RUNS = "8/8/8/8/7k/8/P7/K7 w - - 0 1"
BATTLE = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
ROOK_RACE = "4k3/ppppp3/8/8/8/8/8/R3K3 w - - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
COURSE = [
    (QUEEN_MATE, Goal.MATE),
    (ROOK_MATE, Goal.MATE),
    (TWO_ROOKS, Goal.MATE),
    (PAWN_HOME, Goal.PROMOTE),
    (PAWN_RUNS, Goal.PROMOTE),
    (BATTLE, Goal.RACE),
    (ROOK_RACE, Goal.RACE),
    (PAWN_HOME, Goal.HOLD),
    (START, Goal.GAME),
]


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


def test_who_is_too_slow_goes_back_to_where_the_plies_sufficed() -> None:
    """Six plies are played well; of those beyond the shortest way too many are then wasted."""
    start = position = parse_fen(QUEEN_MATE)
    known = value(start)
    assert known
    assert known.plies
    task, moves = Play(Goal.MATE, WHITE, known.plies + 4), list[Move]()
    for ply in range(task.plies):
        legal = position.legal_moves()
        slow = max(legal, key=lambda move: lasts(position.play(move)))
        fast = best_attack(position) if ply % 2 == 0 else slow
        moves.append(fast if ply < 6 else slow)
        position = position.play(moves[-1])
    found = progress(task, start, moves)
    assert (found.fate, found.cause) == (Fate.SPOILED, Cause.TOO_LONG)
    assert found.back >= 6
    assert reached_from(task, start, moves[: found.back])


def lasts(position: Position) -> int:
    """Plies to mate; a draw is no way to waste time."""
    known = value(position)
    return known.plies if known and known.plies else 0


def test_who_is_too_slow_with_a_pawn_begins_anew() -> None:
    """The table counts plies to mate; how many a promotion takes it does not say."""
    found = standing(Goal.PROMOTE, PAWN_HOME, "Kf2 Kf7 Kf3 Kf6", plies=4)
    assert found == Standing(Fate.SPOILED, Cause.TOO_LONG, 0)


def test_the_last_ply_of_all_may_promote() -> None:
    for plies in (1, 2):
        found = standing(Goal.PROMOTE, "8/P7/8/8/8/8/7k/K7 w - - 0 1", "a8=Q", plies=plies)
        assert found.fate is Fate.GOING
        found = standing(Goal.PROMOTE, "8/P7/8/8/8/8/7k/K7 w - - 0 1", "a8=Q Kg3", plies=plies)
        assert found.cause is Cause.PROMOTED


# ----------------------------------------------------------------------------------- whatever comes


@st.composite
def plays(draw: st.DrawFn) -> tuple[Play, Position, list[Move]]:
    """A task of the course, and moves that are good or bad by chance on either side."""
    fen, goal = draw(st.sampled_from(COURSE))
    start = position = parse_fen(fen)
    task = Play(goal, draw(st.sampled_from((WHITE, BLACK))), draw(st.integers(20, 60)))
    wild = draw(st.sampled_from((0.0, 0.1, 0.5, 1.0)))
    moves: list[Move] = []
    for _ in range(draw(st.integers(0, 64))):
        legal = position.legal_moves()
        if not legal:
            break
        by_chance = draw(st.floats(0, 1)) < wild
        moves.append(draw(st.sampled_from(legal)) if by_chance else reply(position))
        position = position.play(moves[-1])
    return task, start, moves


def boards(start: Position, moves: list[Move]) -> list[chess.Board]:
    """The oracle's board after each ply."""
    men = {s: man for s in range(64) if (man := start.piece_at(s))}
    board = chess.Board(None)
    for square, man in men.items():
        board.set_piece_at(square, chess.Piece(man.kind, man.color == WHITE))
    board.turn, board.castling_rights = start.turn == WHITE, start.castling
    found = [board.copy()]
    for move in moves:
        board.push_uci(oracle_uci(move, board))
        found.append(board.copy())
    return found


@settings(max_examples=40)
@given(plays())
def test_what_is_decided_stays_so(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    final = progress(task, start, moves)
    for ply in range(len(moves)):
        found = progress(task, start, moves[:ply])
        if found.fate is not Fate.GOING:
            assert final == found
            break
    assert (final.cause is None) == (final.fate is Fate.GOING)


@settings(max_examples=40)
@given(plays())
def test_the_way_back_leads_to_who_learns(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    found = progress(task, start, moves)
    assert 0 <= found.back <= len(moves)
    if found.fate is Fate.SPOILED:
        position = boards(start, moves)[found.back]
        assert found.back == 0 or position.turn == (task.you == WHITE)
        assert progress(task, start, moves[: found.back]).fate is Fate.GOING or found.back == 0


@settings(max_examples=40)
@given(plays())
def test_nothing_is_reached_but_by_the_real_thing(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    found = progress(task, start, moves)
    if found.fate is not Fate.REACHED:
        return
    board = boards(start, moves)[found.back]
    if found.cause is Cause.MATE:
        assert board.is_checkmate()
        assert board.turn != (task.you == WHITE)
    elif found.cause is Cause.PROMOTED:
        man = board.piece_at(moves[found.back - 2].target)
        assert moves[found.back - 2].promotion
        assert man is not None
        assert man.color == (task.you == WHITE)
    elif found.cause is Cause.PAWNS_TAKEN:
        assert not board.pieces(chess.PAWN, task.you != WHITE)
    elif found.cause is Cause.HELD:
        assert found.back == task.plies
        assert not board.is_checkmate()
    else:
        assert board.is_game_over()
        assert task.goal in (Goal.HOLD, Goal.GAME)


def reached_from(task: Play, start: Position, moves: list[Move]) -> bool:
    """Whether perfect play of both reaches the goal from here."""
    position, moves = start, [*moves]
    for move in moves:
        position = position.play(move)
    while (found := progress(task, start, moves)).fate is Fate.GOING:
        known = value(position)
        assert known
        attack = known.stronger == position.turn
        moves.append(best_attack(position) if attack else best_defence(position))
        position = position.play(moves[-1])
    return found.fate is Fate.REACHED


@settings(max_examples=40)
@given(st.sampled_from([(QUEEN_MATE, 30), (ROOK_MATE, 40)]), st.data())
def test_from_where_one_goes_back_the_mate_is_still_there(
    ending: tuple[str, int], data: st.DataObject
) -> None:
    fen, plies = ending
    start = position = parse_fen(fen)
    task, moves = Play(Goal.MATE, WHITE, plies), list[Move]()
    while progress(task, start, moves).fate is Fate.GOING:
        legal = position.legal_moves()
        mine = position.turn == WHITE
        moves.append(data.draw(st.sampled_from(legal)) if mine else best_defence(position))
        position = position.play(moves[-1])
    found = progress(task, start, moves)
    assert found.fate is Fate.REACHED or reached_from(task, start, moves[: found.back])


@settings(max_examples=40)
@given(st.data())
def test_a_win_that_slipped_away_is_known_at_once(data: st.DataObject) -> None:
    """By the table: the pawn still stands, but it will not get through."""
    start = position = parse_fen(PAWN_HOME)
    task, moves = Play(Goal.PROMOTE, WHITE, 200), list[Move]()
    slipped_at = None
    while progress(task, start, moves).fate is Fate.GOING and len(moves) < 40:
        found = progress(task, start, moves)
        if found.back < len(moves):
            slipped_at = found.back
            assert in_reach(task, position, len(moves)) is False
            break
        legal = position.legal_moves()
        mine = position.turn == WHITE
        moves.append(data.draw(st.sampled_from(legal)) if mine else best_defence(position))
        position = position.play(moves[-1])
    if slipped_at is not None:
        assert slipped_at == len(moves) - 1
        assert position.men_of(PAWN, WHITE)
        assert reached_from(task, start, moves[:slipped_at])


@pytest.mark.parametrize(("fen", "goal"), [c for c in COURSE[:5] if c[0] != TWO_ROOKS])
def test_who_follows_the_tables_reaches_what_the_course_asks(fen: str, goal: Goal) -> None:
    assert reached_from(Play(goal, WHITE, 60), parse_fen(fen), [])


@settings(max_examples=30)
@given(plays())
def test_colours_make_no_difference(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    there = position = position_of(boards(start, moves)[0].mirror())
    other = []
    for move in moves:
        found = position.find(move.origin ^ 56, move.target ^ 56, move.promotion)
        assert found
        other.append(found)
        position = position.play(found)
    assert progress(replace(task, you=1 - task.you), there, other) == progress(task, start, moves)
