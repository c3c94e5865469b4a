"""What the screen says in words."""

from __future__ import annotations

import re

from boardfw.game.events import (
    Amended,
    Claimed,
    Ended,
    Lifted,
    Misplaced,
    Moved,
    Ready,
    Stuck,
    TakenBack,
    Unstuck,
)
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.setup.placing import NextPieces
from boardfw.game.view import View
from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.notation.uci import parse_uci
from boardfw.rules import Move, Outcome, Piece, Position
from boardfw.squares import (
    BY_NAME,
    EVERY_SQUARE,
    START,
    SWITCH_BY_NAME,
    Bitboard,
    Square,
    bitboard_of,
)
from boardfw.terminal.drawn_board import pieces_on_simulated, promoted_pieces
from boardfw.terminal.messages import beginning_news, news, situation, wanted_in_words
from boardfw.terminal.panels import Scoresheet, columns

HOME = Position.start()
TWO_PAWNS = parse_fen("rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3")


def squares(names: str) -> Bitboard:
    return bitboard_of(BY_NAME[name] for name in names.split())


def game(start: Position, text: str) -> Record:
    record, moves, position = Record(start, 0), [], start
    for uci in text.split():
        moves.append(parse_uci(position, uci))
        position = position.play(moves[-1])
    Recorder(record).change(0, tuple(moves))
    return record


def played(text: str, start: Position = HOME) -> tuple[Move, ...]:
    return game(start, text).moves


def test_the_side_to_move_and_check() -> None:
    checked = parse_fen("4k3/8/8/8/8/8/8/K3R3 b - - 0 1")
    view = View(checked, standing=checked.occupied)
    (line,) = situation(view, Record(checked, 0))
    assert line.startswith("Black to move")
    assert "check" in line
    assert "check" not in situation(view._replace(position=HOME), Record(HOME, 0))[0]


def test_an_opponent_that_is_not_at_the_board_is_waited_for_and_its_move_named() -> None:
    record = Record(HOME, 0)
    assert situation(View(HOME, is_awaited=True), record)[0] == "White is thinking"
    (move,) = played("g1f3")
    assert situation(View(HOME, owed=move), record)[0] == "Make White's move: Nf3"
    wrong = View(HOME, owed=move, extra=1 << 30, repair=((Square(30), Square(12)),))
    assert "Nf3" not in situation(wrong, record)[0], "what stands wrong is put right first"


def test_stuck_switches_are_told_when_they_are_found_and_as_long_as_they_are() -> None:
    e4, record = BY_NAME["e4"], Record(HOME, 0)
    said = [news(one, record) for one in (Stuck(9, e4, False), Stuck(9, e4, True), Unstuck(9, e4))]
    assert all("e4" in text for text in said)
    assert len(set(said)) == 3
    view = View(HOME, standing=HOME.occupied, stuck=squares("e4 d5"))
    assert situation(view, record)[-1].endswith(": e4 d5")


def test_a_game_that_goes_on_is_told_with_its_last_ply() -> None:
    assert beginning_news(Record(HOME, 0)) == ""
    assert "2.Nf3: Black to move" in beginning_news(game(HOME, "e2e4 e7e5 g1f3"))


def test_a_disk_that_will_not_have_the_plies_is_told_for_as_long_as_it_lasts() -> None:
    full = "games.db: the disk is full; make room"
    view = View(HOME, standing=HOME.occupied, unkept=True, unwritten=full)
    assert situation(view, Record(HOME, 0))[-1] == full
    assert len(situation(view._replace(unwritten=""), Record(HOME, 0))) == 1


def test_a_piece_in_hand_is_named_and_so_is_one_that_cannot_move() -> None:
    view = View(HOME, standing=HOME.occupied & ~1, in_hand=BY_NAME["a1"])
    assert situation(view, Record(HOME, 0))[1] == "white rook a1 cannot move"


def test_every_step_of_a_repair_names_the_piece() -> None:
    steps = ((BY_NAME["g3"], BY_NAME["g1"]), (BY_NAME["e5"], None), (None, BY_NAME["d8"]))
    view = View(HOME, missing=squares("g1 d8"), extra=squares("g3 e5"), repair=steps)
    assert situation(view, Record(HOME, 0))[1:] == [
        "white knight g3 -> g1",
        "piece e5 -> box",
        "black queen box -> d8",
    ]


def test_a_long_repair_says_how_many_steps_are_left() -> None:
    steps = tuple((None, square) for square in EVERY_SQUARE[:8])
    told = situation(View(HOME, extra=1 << 30, repair=steps), Record(HOME, 0))
    assert len(told) - 2 + int(re.findall(r"\d+", told[-1])[0]) == len(steps)


def setting_up(letter: str, names: str, surplus: int = 0) -> list[str]:
    asked = NextPieces(Piece.of(letter), squares(names))
    view = View(HOME, phase=GamePhase.SETUP, wanted=squares(names), asked=asked, surplus=surplus)
    return situation(view, Record(HOME, 0))


def test_setting_up_names_the_next_pieces_and_their_squares() -> None:
    assert setting_up("Q", "d1")[1] == "white queen to d1"
    assert setting_up("P", "a2 b2 c2")[1] == "white pawns to a2, b2 and c2"
    assert setting_up("K", "e1", surplus=squares("e4 h5"))[2] == "take off e4 h5"
    many = setting_up("K", "e1", surplus=int(START))[2].split()
    assert len(BY_NAME.keys() & many) + int(many[-2]) == 32
    done = View(HOME, phase=GamePhase.SETUP, surplus=squares("e4"))
    assert situation(done, Record(HOME, 0))[1] == "take off e4"


def test_a_position_that_cannot_be_is_told_with_its_problems() -> None:
    problems = parse_setup("P7/8/8/8/8/8/8/4K3 w - - 0 1").problems()
    view = View(HOME, phase=GamePhase.SETUP, problems=problems)
    told = situation(view, Record(HOME, 0))
    assert [problem.text for problem in problems] == told[1:-1]
    assert "'new'" in told[-1]


def test_what_happens_during_set_up_is_news() -> None:
    after_e4 = game(HOME, "e2e4")
    assert "e4" in news(Misplaced(0, BY_NAME["e4"]), after_e4)
    assert news(Ready(0), Record(HOME, 0)).endswith("White to move")
    assert news(Ready(0), after_e4).endswith("Black to move")
    assert wanted_in_words(Piece.of("b"), squares("c8 f8")) == "black bishops to c8 and f8"


def test_a_question_shows_its_candidates_in_san_with_the_buttons_numbers() -> None:
    candidates = played("e4d5", TWO_PAWNS) + played("e4f5", TWO_PAWNS)
    view = View(TWO_PAWNS.play(candidates[0]), candidates=candidates)
    assert situation(view, game(TWO_PAWNS, "e4d5"))[1] == "1 exd5   2 exf5"


def test_the_end_is_told_with_result_and_reason() -> None:
    view = View(HOME, phase=GamePhase.OVER, outcome=Outcome("1/2-1/2", "fifty_moves"))
    told = situation(view, Record(HOME, 0))[0]
    assert told.startswith("1/2-1/2")
    assert "fifty-move rule" in told


def test_only_what_nothing_else_shows_is_news() -> None:
    record = game(HOME, "e2e4 e7e5")
    assert news(TakenBack(0, 2), record).startswith("2 plies")
    assert news(Amended(0, 1, "d2d4", "d4"), record).endswith("ply 1 was d4")
    assert news(Amended(0, 2, "e7e5", "e5"), record) == "", "the last ply may still slide on"
    assert news(Ended(0, "0-1", "time"), record) == "", "the situation says it as long as it is so"
    assert news(Lifted(0, EVERY_SQUARE[1]), record) == ""
    assert news(Moved(0, 1, "e2e4", "e4", False), record) == ""


def test_a_claim_is_told_with_what_backs_it() -> None:
    record = game(HOME, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    right, wrong = "threefold_repetition", ""
    assert "correct: this position occurred at the start, after 2...Ng8, and again now" in (
        news(Claimed(0, right, (0, 4, 8), 8), record)
    )
    refused = news(Claimed(0, wrong, (3, 7), 7), record)
    assert "wrong: the position has occurred twice, 7 plies" in refused
    assert "next move" in news(Claimed(0, wrong, (3, 7), 7, awaits_move=True), record)
    assert "correct: 100 plies" in news(Claimed(0, "fifty_moves", (100,), 100), record)


def test_the_score_sheet_has_two_columns_marks_what_is_open_and_ends_with_the_result() -> None:
    assert columns(["e4", "e5", "Nf3"], HOME, "", provisional=True) == [
        " 1. e4      e5",
        " 2. Nf3…",
    ]
    black = parse_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 31")
    assert columns(["Kd8", "Kd1"], black, "1/2-1/2", provisional=False) == [
        "31. ...     Kd8",
        "32. Kd1",
        "    1/2-1/2",
    ]


def test_the_score_sheet_follows_amendments_and_other_games() -> None:
    sheet = Scoresheet()
    record = game(HOME, "e2e4 e7e5 g1f3")
    assert sheet.follow(record) == ["e4", "e5", "Nf3"]
    Recorder(record).change(0, played("e2e4 c7c5"))
    assert sheet.follow(record) == ["e4", "c5"]
    assert sheet.follow(game(TWO_PAWNS, "e4d5")) == ["exd5"]


def test_a_pawn_that_was_promoted_is_drawn_as_what_it_became_wherever_it_goes() -> None:
    start = parse_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    moves = played("a7a8n h7h6 a8b6", start)
    position = start
    for move in moves:
        position = position.play(move)
    assert promoted_pieces(moves) == squares("b6")
    b6, h6, a1 = (SWITCH_BY_NAME[name] for name in ("b6", "h6", "a1"))
    pieces = {b6: "P", h6: "k", a1: "K"}
    seen = pieces_on_simulated(pieces, View(position), promoted_pieces(moves))
    assert seen == {**pieces, b6: "N"}


def test_a_captured_promoted_piece_leaves_no_mark() -> None:
    start = parse_fen("1r6/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert promoted_pieces(played("a7a8q b8a8", start)) == 0
