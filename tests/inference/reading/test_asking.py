"""What no switch can tell is asked, and answered by a lift, by a button, or by later play."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boardfw.accuracy.games import random_game
from boardfw.notation.fen import parse_fen
from boardfw.rules import WHITE, Move, Position
from boardfw.squares import NAMES
from tests.inference.reading.table import Table, touches_of
from tests.sizes import sized

TWO_PAWNS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
THREE_PAWNS = "4k3/8/8/3p1p2/8/4N3/6p1/4K3 w - - 0 1"


def asked(fen: str = TWO_PAWNS, capturer: str = "e4", reply: str = "e8 e7") -> Table:
    """A piece has captured, no switch saw what, and the reply has landed."""
    return Table(parse_fen(fen)).touch(capturer).wait(2_000).touch(reply).wait(1_500)


def candidates(table: Table) -> list[str]:
    question = table.reader.question
    return [move.uci() for move in question.moves] if question else []


def test_what_was_captured_unseen_is_asked_once_and_stays_asked() -> None:
    table = asked()
    question = table.reader.question
    assert candidates(table) == ["e4d5", "e4f5"]
    assert table.finals == (0, 0), "nobody guesses"
    table.wait(300_000)
    assert table.reader.question is question


def test_every_credible_move_is_among_the_answers() -> None:
    assert candidates(asked(THREE_PAWNS, "e3", "e8 d8")) == ["e3d5", "e3f5", "e3g2"]


def test_the_board_asks_within_a_second() -> None:
    table = Table(parse_fen(TWO_PAWNS)).touch("e4 e8").touch("e7", every_ms=0)
    assert candidates(table.wait(900)) == ["e4d5", "e4f5"]


def test_nothing_is_asked_where_the_victim_was_seen() -> None:
    table = Table(parse_fen(TWO_PAWNS))
    for touches in ("e4 f5 f5", "e8 e7", "e1 e2"):
        table.touch(touches)
        for _ in range(40):
            assert not candidates(table.wait(100))


@pytest.mark.parametrize("captured", ["d5", "f5"])
@pytest.mark.parametrize("after_s", [0, 300])
def test_lifting_and_replacing_a_lit_piece_answers(captured: str, after_s: int) -> None:
    table = asked().wait(1_000 * after_s).touch(f"{captured} {captured}").wait(1_500)
    assert table.moves == f"e4{captured} e8e7"
    assert table.finals == (2, 2)
    assert not table.reader.question


@pytest.mark.parametrize(("index", "captured"), [(0, "d5"), (1, "f5")])
def test_a_button_answers_at_once(index: int, captured: str) -> None:
    table = asked()
    table.reader.answer(index)
    table.wait(0)
    assert table.moves == f"e4{captured} e8e7"
    assert table.finals[1] >= 1
    assert not table.reader.question


def test_an_answer_that_was_not_offered_decides_nothing() -> None:
    table = asked()
    table.reader.answer(2)
    assert candidates(table.wait(2_000)) == ["e4d5", "e4f5"]


@pytest.mark.parametrize(("before_ms", "after_ms"), [(0, 0), (600, 0), (0, 300), (600, 300)])
def test_a_button_answers_while_a_piece_is_in_the_hand(before_ms: int, after_ms: int) -> None:
    table = asked().touch("e1").wait(before_ms)
    table.reader.answer(1)
    table.wait(after_ms).touch("e2").wait(3_000)
    assert table.moves == "e4f5 e8e7 e1e2"
    assert table.finals == (3, 3)


# ------------------------------------------------------------------- hands that do not answer


def test_an_arm_that_brushes_three_squares_answers_nothing() -> None:
    table = asked().touch("d5 e7 f5 d5 e7 f5", every_ms=70).wait(3_000)
    assert candidates(table) == ["e4d5", "e4f5"]
    assert table.finals == (0, 0)


def test_an_arm_that_brushes_one_square_for_a_moment_answers_nothing() -> None:
    table = asked().touch("d5 d5", every_ms=90).wait(3_000)
    assert candidates(table) == ["e4d5", "e4f5"]


def test_a_child_that_touches_the_other_lit_piece_first_may_still_answer() -> None:
    table = asked().touch("f5 f5", every_ms=350).wait(200)
    assert candidates(table.touch("d5 d5", every_ms=350)) == ["e4d5", "e4f5"]
    table.wait(1_500)
    assert table.moves == "e4d5 e8e7"
    assert table.finals == (2, 2)


@pytest.mark.parametrize("other", ["e7 e7", "e7 d6 d6 e7", "e1 e1"])
def test_a_hand_that_touches_something_else_meanwhile_answers_nothing(other: str) -> None:
    table = asked().touch("f5").touch(other).touch("f5").wait(3_000)
    assert candidates(table) == ["e4d5", "e4f5"]


def test_a_player_who_lifts_a_lit_piece_to_move_it_and_thinks_again_answers_nothing() -> None:
    """White has captured on d5. Black is to move and has a pawn on f5 still."""
    table = asked().touch("e1 e2").wait(2_000).touch("f5").wait(1_000).touch("f5").wait(3_000)
    assert candidates(table) == ["e4d5", "e4f5"]
    assert table.finals[1] == 0
    assert table.touch("f5 f4").wait(4_000).moves == "e4d5 e8e7 e1e2 f5f4"


def test_a_piece_of_an_unlit_square_that_is_straightened_answers_nothing() -> None:
    table = asked().touch("e7 e7 e1 e1").wait(3_000)
    assert candidates(table) == ["e4d5", "e4f5"]


def test_a_hand_that_lifts_two_lit_pieces_answers_nothing() -> None:
    table = asked().touch("d5 f5 d5 f5", every_ms=400).wait(3_000)
    assert candidates(table) == ["e4d5", "e4f5"]


@pytest.mark.parametrize("capture", ["g4 f5 f5", "f5 g4 f5"])
def test_a_capture_on_a_lit_square_is_a_move_and_no_answer(capture: str) -> None:
    table = asked("4k3/8/8/3p1p2/4P1B1/8/8/4K3 w - - 0 1").touch(capture).wait(3_000)
    assert table.moves == "e4d5 e8e7 g4f5", "Black's pawn was still there"
    assert table.touch("e7 e8").wait(3_000).finals == (4, 4)


def test_a_lift_that_answers_is_no_capture_by_the_piece_that_moved_last() -> None:
    """Black's queen has captured on d7, and could have captured White's on f3 instead."""
    table = asked("4k3/3N1q2/8/8/8/5n1Q/6p1/K7 w - - 0 1", "h3", "f7 d7 d7")
    assert candidates(table) == ["h3f3", "h3g2"]
    assert table.touch("f3 f3").wait(2_500).moves == "h3f3 f7d7"
    assert table.finals[0] == 2
    assert table.finals[1] > 0, "the ply that was asked about"


@pytest.mark.parametrize("held_s", [1, 9, 300])
def test_a_held_piece_is_no_question(held_s: int) -> None:
    table = Table(parse_fen(TWO_PAWNS)).touch("e4").wait(1_000 * held_s)
    assert table.reader.question is None
    assert {move.uci() for move in table.reader.confirmable} == {"e4d5", "e4f5"}
    assert table.touch("e4").wait(3_000).moves == ""
    assert table.reader.confirmable == ()


def test_a_capture_that_slid_up_to_its_victim_is_confirmed_by_lift_and_replace() -> None:
    table = Table(parse_fen("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1"))
    table.touch("d1 d2 d2 d3 d3 d4 d4", every_ms=60).wait(20_000)
    assert table.moves == "d1d4", "it had stood there, and is in the hand again"
    assert [move.uci() for move in table.reader.confirmable] == ["d1d5"]
    assert table.touch("d5 d5").wait(3_000).moves == "d1d5"
    assert table.finals == (1, 1)


# ----------------------------------------------------------------------------------- the clock


def test_a_clock_ends_the_wait_for_a_capture_that_was_not_seen() -> None:
    table = Table(parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")).touch("e4").wait(2_000)
    table.reader.press_clock(WHITE)
    assert table.wait(3_000).moves == "e4d5"
    assert table.finals == (1, 1)


def test_a_clock_after_one_of_two_captures_asks_at_once() -> None:
    table = Table(parse_fen(TWO_PAWNS)).touch("e4").wait(2_000)
    table.reader.press_clock(WHITE)
    assert candidates(table.wait(300)) == ["e4d5", "e4f5"]
    assert table.touch("f5 f5").wait(2_000).moves == "e4f5"
    assert table.finals == (1, 1)


def test_a_clock_of_a_player_who_has_moved_changes_nothing() -> None:
    table = Table().play("e2e4").touch("e7")
    table.reader.press_clock(WHITE)
    table.wait(1_000)
    assert table.moves == "e2e4"
    assert table.touch("e5").wait(2_000).moves == "e2e4 e7e5"


# ------------------------------------------------------------------------------ play that goes on


@pytest.mark.parametrize(
    ("later", "captured"),
    [
        ("e1 e2, e7 f7, d5 d6", "d5"),  # White's pawn is on d5
        ("e1 e2, e7 f7, f5 f6", "f5"),
        ("e1 e2, d5 d4", "f5"),  # Black's pawn is still there
        ("e1 e2, f5 f4", "d5"),
        ("e1 d2, e7 d6, d2 c3, d6 d5 d5, c3 d2", "d5"),  # a king captures no piece of its own
    ],
)
def test_a_move_that_is_possible_in_one_game_only_answers(later: str, captured: str) -> None:
    table = asked()
    for touches in later.split(", "):
        assert candidates(table) == ["e4d5", "e4f5"]
        assert table.finals[1] == 0
        table.touch(touches).wait(1_500)
    assert table.moves.startswith(f"e4{captured} e8e7 ")
    assert table.wait(3_000).finals == (3 + later.count(","),) * 2
    assert not table.reader.question


def test_players_who_just_play_on_are_asked_until_the_end_and_may_answer_late() -> None:
    table = asked()
    for touches in ("e1 d2", "e7 d7", "d2 d3", "d7 c7", "d3 c3", "c7 b7", "c3 b3", "b7 a7"):
        table.touch(touches).wait(700)
        assert candidates(table) == ["e4d5", "e4f5"]
    assert len(table.moves.split()) == 10
    assert table.touch("d5 d5").wait(3_000).finals == (10, 10)
    assert table.moves.startswith("e4d5 e8e7 e1d2")


def test_two_doubtful_captures_are_asked_about_one_after_the_other() -> None:
    table = asked("4k3/8/3p4/2P1P3/2p1p3/3P4/8/4K3 w - - 0 1", "d3", "e8 d8")
    table.touch("e1 e2").wait(2_000).touch("d6").wait(2_000).touch("e2 e1").wait(2_000)
    assert candidates(table) == ["d3c4", "d3e4"]
    table.touch("d8 e8").wait(2_000).touch("e4 e4").wait(2_000)
    assert candidates(table) == ["d6c5", "d6e5"]
    table.touch("e1 e2").wait(2_000).touch("c5 c5").wait(3_000)
    assert table.moves == "d3e4 e8d8 e1e2 d6c5 e2e1 d8e8 e1e2"
    assert table.finals == (7, 7)


# ------------------------------------------------------------------------------ any legal position


def unseen_captures(position: Position) -> list[list[Move]]:
    """The captures of each piece that may capture several, none of them en passant."""
    by_origin: dict[int, list[Move]] = {}
    for move in position.legal_moves():
        if move.captured is not None and not move.is_en_passant and not move.promotion:
            by_origin.setdefault(move.origin, []).append(move)
    return [moves for moves in by_origin.values() if len(moves) > 1]


@pytest.mark.both
@settings(max_examples=sized(10, 100), deadline=None)
@given(seed=st.integers(0, 10_000), plies=st.integers(8, 60))
def test_the_truth_is_among_the_answers_and_a_lift_makes_it_final(seed: int, plies: int) -> None:
    position, random = Position.start(), Random(seed)
    for move in random_game(seed, plies):
        position = position.play_unchecked(move)
    captures = unseen_captures(position)
    assume(captures)
    played = random.choice(random.choice(captures))
    after = position.play_unchecked(played)
    # Where the reply lands, the first player must not seem to have moved with Black's piece lifted.
    reach = {move.target for move in position.legal_moves() if move.origin == played.origin}
    replies = [
        move for move in after.legal_moves() if not move.promotion and move.target not in reach
    ]
    assume(replies)
    reply = random.choice(replies)
    table = Table(position).touch(NAMES[played.origin]).wait(1_000)
    for touches in touches_of(after, reply.uci()):
        table.touch(touches)
    table.wait(2_500)
    game = f"{played.uci()} {reply.uci()}"
    if not candidates(table):
        assert table.moves == game, "the reply is possible in one game only"
        return
    assert played.uci() in candidates(table)
    lit = NAMES[played.target]
    table.touch(f"{lit} {lit}").wait(2_500)
    assert table.moves == game
    assert min(table.finals) > 0


@pytest.mark.both
@settings(max_examples=sized(5, 60), deadline=None)
@given(seed=st.integers(0, 10_000), answers=st.booleans())
def test_nothing_wrong_is_final_in_a_game_of_unseen_captures(seed: int, answers: bool) -> None:
    position, random = Position.start(), Random(seed)
    table, played = Table(), list[str]()
    for move in random_game(seed, 40):
        if move.promotion:
            break
        played.append(move.uci())
        is_unseen = move.captured is not None and not move.is_en_passant and random.random() < 0.5
        touches = [NAMES[move.origin]] if is_unseen else touches_of(position, move.uci())
        for touch in touches:
            table.touch(touch)
        table.wait(random.choice((500, 2_000)))
        position = position.play_unchecked(move)
        question = table.reader.question
        if question and answers and question.depth == len(played):
            lit = played[question.ply][2:]
            table.touch(f"{lit} {lit}").wait(2_000)
        final = table.finals[1]
        assert table.moves.split()[:final] == played[:final]
    question = table.reader.question
    if question and played[question.ply] in candidates(table):
        table.reader.answer(candidates(table).index(played[question.ply]))
