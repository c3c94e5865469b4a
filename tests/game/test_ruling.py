"""What an arbiter types, and what a game is after it."""

from __future__ import annotations

import io

import chess.pgn
import pytest

from boardfw.errors import NotationError
from boardfw.game.clock import parse_control
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.rulings.arbiter import enter
from boardfw.game.rulings.decision import ClocksSet, Replaced, given, parse_decision, parse_ruling
from boardfw.game.rulings.ruling import judge
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import format_game
from boardfw.notation.san import numbered_san
from boardfw.notation.uci import parse_uci
from boardfw.rules import Outcome, Position

SPANISH = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
BLACK_FIRST = parse_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 9")


def played(ucis: str, start: Position | None = None) -> Record:
    record = Record(start or Position.start(), 0)
    position, moves = record.start, []
    for n, uci in enumerate(ucis.split(), 1):
        moves.append(parse_uci(position, uci))
        position = position.play(moves[-1])
        Recorder(record).change(n * 1_000, tuple(moves))
    return record


def ruled(record: Record, *texts: str) -> Record:
    for text in texts:
        decision = parse_decision(record.start, text)
        enter(99_000, judge(record, decision), "Berg", "both say so", Recorder(record), None)
    return record


def line(record: Record) -> str:
    return numbered_san(record.start, record.moves)


def refused(record: Record, text: str) -> str:
    before = (record.moves, record.times_us, record.rulings[:])
    with pytest.raises(NotationError) as error:
        ruled(record, text)
    assert (record.moves, record.times_us, record.rulings) == before
    told = str(error.value)
    assert "\n" not in told
    return told


def read(record: Record) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(format_game(record.to_pgn({}))))
    assert game is not None
    assert game.errors == []
    return game


# --- what is typed


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("2.Nf3", Replaced(3, 1, ("Nf3",))),
        ("2. Nf3 Nc6", Replaced(3, 2, ("Nf3", "Nc6"))),
        ("2.Nf3 Nc6 3.Bb5", Replaced(3, 3, ("Nf3", "Nc6", "Bb5"))),
        ("2...Nc6", Replaced(4, 1, ("Nc6",))),
        ("2… Nc6", Replaced(4, 1, ("Nc6",))),
        ("4 b8c6", Replaced(4, 1, ("b8c6",))),
        ("insert 2.Nf3 Nc6", Replaced(3, 0, ("Nf3", "Nc6"))),
        ("drop 2...", Replaced(4, None)),
        ("drop 2. to 2...", Replaced(3, 2)),
        ("drop 3 to 5", Replaced(3, 3)),
        ("illegal 2.e1e3", Replaced(3, 1, ("e1e3",), False)),
        ("clocks 1:20:00 58:10", ClocksSet((4_800_000_000, 3_490_000_000))),
        ("clocks - 0:30", ClocksSet((None, 30_000_000))),
    ],
)
def test_what_is_typed_is_understood(text: str, decision: object) -> None:
    assert parse_decision(Position.start(), text) == decision


@pytest.mark.parametrize(("text", "ply"), [("9...Ke7", 1), ("10.e4", 2), ("10...Kd6", 3)])
def test_move_numbers_are_those_of_the_game(text: str, ply: int) -> None:
    decision = parse_decision(BLACK_FIRST, text)
    assert isinstance(decision, Replaced)
    assert decision.first == ply


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'' is not a ruling; write for example '12.Nf3'"),
        ("Nf3", "'Nf3' is not a ruling"),
        ("12.", "'12.': which move?"),
        ("2.Nf3 Nc6 4.Bb5", "'4.Bb5': expected 3."),
        ("2.Nf3 3.Bb5", "'3.Bb5': expected 2..."),
        ("drop", "'' is not a ruling"),
        ("drop 12.Nf3", "'12.Nf3': write for example 'drop 12...'"),
        ("drop 12. to 3.", "'12. to 3.' ends before it begins"),
        ("clocks 1:20:00", "write White's time and Black's"),
        ("clocks - -", "write White's time and Black's"),
        ("clocks 1:20:00 never", "'never' is not a time"),
        ("clocks 1:20:61 0:10", "'1:20:61' is not a time"),
        ("clocks 1:60:00 0:10", "'1:60:00' is not a time"),
    ],
)
def test_what_is_mistyped_is_told(text: str, told: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_decision(Position.start(), text)
    assert told in str(error.value)


def test_a_ruling_has_who_and_why() -> None:
    text = "2.Nf3 by Ann  Berg: read by both: yes"
    decision, who, why = parse_ruling(Position.start(), text)
    assert decision == Replaced(3, 1, ("Nf3",))
    assert (who, why) == ("Ann Berg", "read by both: yes")


@pytest.mark.parametrize("text", ["2.Nf3", "2.Nf3 by Berg", "2.Nf3: why", "2.Nf3 by : why"])
def test_without_who_and_why_there_is_no_ruling(text: str) -> None:
    with pytest.raises(NotationError, match="who"):
        parse_ruling(Position.start(), text)


@pytest.mark.parametrize("text", ["", "  ", "a {b", "[%clk 0:00:01]", "bell\a"])
def test_what_no_comment_can_hold_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="why"):
        given("why", text)


# --- what the game is then


@pytest.mark.parametrize(
    ("text", "then", "what"),
    [
        ("3.Bc4", "1.e4 e5 2.Nf3 Nc6 3.Bc4 a6", "3.Bc4 instead of 3.Bb5"),
        ("2...Nf6", "1.e4 e5 2.Nf3 Nf6 3.Bb5 a6", "2...Nf6 instead of 2...Nc6"),
        ("insert 4.O-O Nf6", "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O Nf6", "4.O-O Nf6 added"),
        ("4.O-O", "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O", "4.O-O added"),
        ("3...Nf6 4.O-O", "1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.O-O", "3...Nf6 4.O-O instead of 3...a6"),
        ("drop 3.", "1.e4 e5 2.Nf3 Nc6", "3.Bb5 a6 dropped"),
        ("drop 2. to 2...", "1.e4 e5 2.Bb5 a6", "2.Nf3 Nc6 dropped"),
        ("insert 1.d4 d5", "1.d4 d5 2.e4 e5 3.Nf3 Nc6 4.Bb5 a6", "1.d4 d5 added"),
    ],
)
def test_moves_are_corrected_put_in_and_dropped(text: str, then: str, what: str) -> None:
    record = ruled(played(SPANISH), text)
    assert line(record) == then
    (told,) = record.rulings
    assert (told.who, told.why, told.what) == ("Berg", "both say so", what)
    assert len(record.times_us) == len(record.moves)
    assert [move.uci() for move in read(record).mainline_moves()] == [
        move.uci() for move in record.moves
    ]


def test_later_plies_mean_what_the_same_hands_mean_there() -> None:
    record = ruled(played("e2e4 a7a6 e4e5 d7d5 e5d6"), "2...d6")
    assert line(record) == "1.e4 a6 2.e5 d6 3.exd6"
    assert not record.moves[-1].is_en_passant


def test_times_stay_with_their_plies() -> None:
    record = ruled(played(SPANISH), "3.Bc4")
    assert record.times_us == (1_000, 2_000, 3_000, 4_000, 99_000, 6_000)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1.d4", "after that 3.Bb5, as recorded, is no legal move; say what was played there too"),
        ("insert 2.d4", "after that 2...Nf3, as recorded, is no legal move"),
        ("3.Bh6", "Bh6: not legal here"),
        ("3.Bb5", "3.Bb5 is already recorded"),
        ("9.Nf3", "ply 17 (9.) is not in the game: it has 6 plies, up to 3..."),
        ("drop 4.", "ply 7 (4.) is not in the game"),
        ("0.Nf3", "the game begins with 1.: nothing is before it"),
        ("illegal 3.Bb5", "Bb5: legal; leave out 'illegal'"),
        ("illegal 3.Bb6", "an illegal move is written by its squares"),
        ("illegal 3.e7e6", "there is no piece of the side to move on e7"),
        ("illegal 3.e1e2", "e1e2: legal; leave out 'illegal'"),
        ("illegal 3.e1d1", "a piece of the same side on d1 cannot be captured"),
        ("illegal 3.d1e8", "a king on e8 cannot be captured"),
        ("illegal 3.e1e5 e1e2", "there is no piece of the side to move on e1"),
        ("illegal 3.b1b4x", "an illegal move is written by its squares"),
        ("illegal 3.b1a4xh5", "there is no piece to capture on h5"),
        ("illegal 3.e1c6xd7", "this would capture two pieces"),
        ("illegal 3.b1b3q", "the piece on b1 is a knight, not a pawn"),
        ("illegal 3.O-O", "other pieces are on the squares that king and rook would move to"),
        ("clocks 1:00 1:00", "the game is played without a clock"),
    ],
)
def test_an_impossible_ruling_is_told_in_one_sentence_and_changes_nothing(
    text: str, told: str
) -> None:
    assert told in refused(played(SPANISH), text)


# --- against the rules


def test_a_move_against_the_rules_stands_and_the_game_goes_on_behind_it() -> None:
    record = ruled(played(SPANISH), "illegal 4.e1e3")
    assert record.illegal == {6}
    assert line(record).endswith("3.Bb5 a6 4.Ke3")
    assert record.rulings[-1].what == "4.Ke3 added, against the rules"
    ruled(record, "4...Nf6")
    game = read(record)
    assert game.board().fen() == "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/4KN2/PPPP1PPP/RNBQ3R b kq - 1 4"
    assert [move.uci() for move in game.mainline_moves()] == ["g8f6"]
    text = " ".join(format_game(record.to_pgn({})).split())
    assert (
        "{played before: 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ke3; against the rules: 4.Ke3} "
        "{4.Ke3 added, against the rules, by Berg: both say so}" in text
    )


def test_a_check_overlooked_stands_with_what_was_answered() -> None:
    record = played("e2e4 e7e5 d1h5 b8c6 h5f7")
    assert "cannot stand" in refused(record, "illegal 3...a7a6")
    ruled(record, "illegal 3...a7a6 d2d3 e8f7")
    assert line(record) == "1.e4 e5 2.Qh5 Nc6 3.Qxf7+ a6 4.d3 Kxf7"
    assert [move.uci() for move in read(record).mainline_moves()] == ["e8f7"]


def test_a_game_with_a_captured_king_is_refused() -> None:
    record = played("e2e4 e7e5 d1h5 b8c6 h5f7")
    assert "a king on e8 cannot be captured" in refused(record, "illegal 3...a7a6 f7e8")


@pytest.mark.parametrize(
    ("fen", "text", "then"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "r3k2r/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "O-O-O", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6xd5", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1h8", "3rk2R/8/8/8/8/8/8/4K3 b - - 1 1"),
    ],
)
def test_whatever_hands_do_can_be_said(fen: str, text: str, then: str) -> None:
    record = ruled(played("", parse_fen(fen)), f"illegal 1.{text}")
    assert read(record).board().fen() == then


def test_what_was_against_the_rules_may_be_corrected_later() -> None:
    record = ruled(played(SPANISH), "illegal 4.e1e3", "4.O-O")
    assert record.illegal == frozenset()
    assert read(record).board().fen() == chess.STARTING_FEN
    assert len(record.rulings) == 2


def test_it_stays_against_the_rules_where_something_before_it_is_corrected() -> None:
    record = ruled(played(SPANISH), "illegal 4.e1e3", "3.Bc4")
    assert record.illegal == {6}
    assert line(record) == "1.e4 e5 2.Nf3 Nc6 3.Bc4 a6 4.Ke3"
    ruled(record, "insert 2.a3 h6")
    assert record.illegal == {8}


# --- the end of a game


def test_what_the_rules_decided_follows_from_the_moves() -> None:
    record = played("f2f3 e7e5 g2g4 d8h4")
    record.outcome = Outcome("0-1", "checkmate")
    assert ruled(record, "2...Qg5").outcome is None
    assert ruled(record, "2...Qh4").outcome == ("0-1", "checkmate")


def test_what_people_decided_stays() -> None:
    record = played(SPANISH)
    record.outcome = Outcome("1-0", "resignation")
    assert ruled(record, "3.Bc4").outcome == ("1-0", "resignation")


def test_clocks_are_set_while_the_game_goes_on_or_was_lost_by_them() -> None:
    record = played(SPANISH)
    record.control = parse_control("300")
    record.outcome = Outcome("1-0", "resignation")
    assert "the game has ended" in refused(record, "clocks 1:00 2:00")
    record.outcome = Outcome("1-0", "time")
    judged = judge(record, parse_decision(record.start, "clocks 1:00 -"))
    assert judged.outcome is None
    assert judged.what == "White's clock set to 0:01:00"


def test_what_replaces_a_ply_against_the_rules_is_lawful() -> None:
    record = ruled(played("e2e4 e7e5"), "illegal 2.e1e3")
    lawful = parse_uci(record.positions()[2], "e1e2")
    Recorder(record).change(99_999, (*record.moves[:2], lawful))
    assert record.illegal == frozenset()
