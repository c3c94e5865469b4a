"""The board as an engine: what a program says, what is played, and what goes out."""

from __future__ import annotations

from random import Random

import chess
import pytest

from boardfw.game.opponent import Plays, RefusesDraw, Situation
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, WHITE, Move, Outcome, Position
from boardfw.services.board_engine import BoardEngine, Effect, Game, Give, Leave, Say
from tests.services.analysis.analysts import moves_of
from tests.services.board_games import BoardGame

START = Position.start()


def engine(*lines: str) -> BoardEngine:
    made = BoardEngine("boardfw", "the tests")
    for line in lines:
        made.hear(line)
    return made


def said(effects: list[Effect]) -> list[str]:
    return [effect.line for effect in effects if isinstance(effect, Say)]


def game(*words: str, final: int | None = None, outcome: Outcome | None = None) -> Game:
    moves = moves_of(START, *words)
    return Game(START, moves, len(moves) if final is None else final, outcome)


def best(effects: list[Effect]) -> list[str]:
    return [line for line in said(effects) if line.startswith("bestmove")]


def test_it_introduces_itself() -> None:
    lines = said(engine().hear("uci"))
    assert lines[0].startswith("id name boardfw")
    assert any("UCI_Chess960" in line for line in lines)
    assert lines[-1] == "uciok"


def test_isready_is_answered_at_once_whatever_is_asked() -> None:
    one = engine("position startpos")
    assert said(one.hear("isready")) == ["readyok"]
    one.hear("go infinite")
    assert said(one.hear("isready")) == ["readyok"]


def test_white_at_the_board_moves_first_and_only_a_final_ply_goes_out() -> None:
    one = engine("position startpos")
    assert one.hear("go wtime 1000 btime 1000") == [Give(START, (), BLACK)]
    assert one.follow(game()) == []
    assert one.follow(game("e2e4", final=0)) == []
    assert best(one.follow(game("e2e4"))) == ["bestmove e2e4"]
    assert one.follow(game("e2e4")) == []  # once


def test_the_programs_moves_are_passed_on_as_an_opponents() -> None:
    one = engine("position startpos moves e2e4")
    assert one.hear("go") == [Give(START, (), WHITE)]
    one.follow(game())
    asked = Situation(START, (), WHITE)
    (e4,) = moves_of(START, "e2e4")
    assert one.consult(asked) == [Plays(asked, e4)]
    assert best(one.follow(game("e2e4", "e7e5"))) == ["bestmove e7e5"]
    later = Situation(START, moves_of(START, "e2e4", "e7e5"), WHITE)
    assert one.consult(later) == []
    one.hear("position startpos moves e2e4 e7e5 g1f3")
    assert one.hear("go") == [Plays(later, moves_of(START, "e2e4", "e7e5", "g1f3")[-1])]


@pytest.mark.parametrize(
    "line",
    ["position startpos moves e2e4 e7e5 g1f3", "position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"],
)
def test_a_game_that_is_not_the_one_on_the_board_is_given(line: str) -> None:
    one = engine("position startpos moves d2d4")
    one.hear("go")
    one.follow(game("d2d4", "d7d5"))
    one.hear(line)
    (given,) = one.hear("go")
    assert isinstance(given, Give)
    assert one.follow(Game(given.start, given.moves, len(given.moves))) == []


def test_the_same_moves_after_ucinewgame_are_another_game() -> None:
    one = engine("position startpos")
    one.hear("go")
    one.follow(game("e2e4"))
    one.hear("ucinewgame")
    assert one.hear("go") == [Give(START, (), BLACK)]


def test_another_move_of_the_program_than_it_made_before_is_given_anew() -> None:
    one = engine("position startpos moves e2e4")
    one.hear("go")
    one.follow(game())
    one.consult(Situation(START, (), WHITE))
    one.hear("stop")
    one.hear("position startpos moves d2d4")
    assert one.hear("go") == [Give(START, (), WHITE)]


def test_stop_is_always_answered_once_and_never_with_a_move_that_nobody_made() -> None:
    one = engine("position startpos")
    assert one.hear("stop") == []
    one.hear("go infinite")
    one.follow(game())
    assert best(one.hear("stop")) == ["bestmove 0000"]
    assert one.hear("stop") == []
    one.hear("go")
    one.follow(game("e2e4", final=0))
    assert best(one.hear("stop")) == ["bestmove e2e4"]


@pytest.mark.parametrize(("go", "end"), [("go infinite", "stop"), ("go ponder", "ponderhit")])
def test_an_answer_waits_for_who_thinks_without_end(go: str, end: str) -> None:
    one = engine("position startpos")
    one.hear(go)
    assert one.follow(game("e2e4")) == []
    assert best(one.hear(end)) == ["bestmove e2e4"]


def test_where_the_game_is_over_there_is_no_move() -> None:
    one = engine("position startpos moves f2f3 e7e5 g2g4 d8h4")
    assert said(one.hear("go")) == ["bestmove (none)"]


def test_who_resigns_at_the_board_makes_no_move() -> None:
    one = engine("position startpos moves e2e4")
    one.hear("go")
    resigned = game("e2e4", outcome=Outcome("1-0", "resignation"))
    told = said(one.follow(resigned))
    assert told[-1] == "bestmove 0000"
    assert "resignation" in told[0]


def test_a_mate_at_the_board_is_a_move() -> None:
    one = engine("position startpos moves f2f3 e7e5 g2g4")
    one.hear("go")
    mated = game("f2f3", "e7e5", "g2g4", "d8h4", outcome=Outcome("0-1", "checkmate"))
    assert best(one.follow(mated)) == ["bestmove d8h4"]


def test_what_was_told_stands() -> None:
    one = engine("position startpos")
    one.hear("go")
    one.follow(game("e2e4"))
    assert one.follow(game("d2d4")) == [Give(START, moves_of(START, "e2e4"), BLACK)]


def test_castling_is_written_as_the_program_wants_it() -> None:
    start = parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    castling = next(move for move in start.legal_moves() if move.rook_step)
    for value, word in (("false", "e1g1"), ("true", "e1h1")):
        one = engine(f"setoption name UCI_Chess960 value {value}")
        one.hear("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        one.hear("go")
        assert best(one.follow(Game(start, (castling,), 1))) == [f"bestmove {word}"]


def test_a_draw_cannot_be_offered_to_a_program_and_is_refused() -> None:
    one = engine("position startpos moves e2e4")
    one.hear("go")
    offer = Situation(START, moves_of(START, "e2e4"), WHITE, draw_offered=True)
    assert RefusesDraw(offer) in one.consult(offer)


@pytest.mark.parametrize(
    "line", ["", "hello", "debug on", "position", "position fen x", "position startpos moves e2e5",
             "go wtime x", "setoption", "setoption name Hash value 1", "register later", "\0" * 99],
)  # fmt: skip
def test_nonsense_is_survived(line: str) -> None:
    one = engine(line, "position startpos")
    assert not best(one.hear(line))
    assert one.hear("go") == [Give(START, (), BLACK)]


def test_quit_lets_the_board_go() -> None:
    assert engine().hear("quit") == [Leave()]


# ---------------------------------------------------------------------- through simulated hands


@pytest.mark.parametrize("kind", ["careful", "hot", "child"])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_game_by_hands_goes_its_way(kind: str, seed: int) -> None:
    play(BoardGame(kind, seed), START, plies=16, seed=seed)


def play(board: BoardGame, start: Position, plies: int, seed: int, luck: int | None = None) -> None:
    """Play a game of moves by chance; the program has White where the seed is odd."""
    chance, position, moves = Random(seed if luck is None else luck), start, list[Move]()
    while len(moves) < plies and position.legal_moves():
        if (len(moves) + seed) % 2 == 0:
            move = parse_uci(position, board.answer(start, moves))
        else:
            move = chance.choice(position.legal_moves())
        moves.append(move)
        position = position.play(move)
    record = board.desk.session.record
    assert record.moves == tuple(moves)[: len(record.moves)]
    assert len(moves) - len(record.moves) <= 1  # a last move of the program is not asked about


def test_a_piece_that_was_slid_over_two_squares_to_a_capture_is_asked_about_at_last() -> None:
    play(BoardGame("any", 3), START, plies=40, seed=3, luck=4)


def test_a_piece_that_the_board_takes_for_another_is_shown_to_it_anew() -> None:
    play(BoardGame("child", 68), START, plies=12, seed=68, luck=477)


def test_one_game_after_the_other_and_one_that_begins_in_the_middle() -> None:
    board = BoardGame("careful", 3)
    play(board, START, 5, 0)
    board.tell("ucinewgame")
    play(board, START, 4, 1)
    board.tell("ucinewgame")
    ending = parse_fen("8/5k2/8/8/8/2R5/4P3/4K3 w - - 0 1")
    play(board, ending, 6, 0)
    assert board.board.pieces.keys()  # hands have set it up
    assert len(board.board.pieces) <= 4


def test_a_game_that_is_given_up_answers_nothing_any_more() -> None:
    board = BoardGame("careful", 4)
    board.answer(START, [])
    for line in ("ucinewgame", "position startpos", "go"):
        board.seat.hear(line)
    board.seat.take([], board.desk)  # before the session has heard of the new game
    assert board.read() == []


def test_chess960_from_the_first_move_to_castling() -> None:
    start = parse_fen("4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1")
    board = BoardGame("careful", 1, pieces=start)
    board.tell("setoption name UCI_Chess960 value true")
    castling = next(move for move in start.legal_moves() if move.rook_step)
    word = board.answer(start, [castling], chess960=True)
    assert chess.Move.from_uci(word)
    assert board.desk.session.record.moves[0] is castling


def test_who_takes_back_what_was_told_is_led_to_put_it_again() -> None:
    board = BoardGame("careful", 5)
    word = board.answer(START, [])
    session = board.desk.session
    said_before = len(session.record.moves)
    board.press("take_back")
    board.wait(10_000_000)
    assert len(session.record.moves) == said_before == 1
    assert session.record.moves[0].uci() == word
    reply = session.game.position.legal_moves()[0]
    assert board.answer(START, [session.record.moves[0], reply])
