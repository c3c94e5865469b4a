"""What the squares say for each thing that goes on at the table."""

from __future__ import annotations

from boardfw.game.phase import GamePhase
from boardfw.game.view import View
from boardfw.lights.cue import Cue
from boardfw.lights.patterns import HALVES, LETTERS
from boardfw.lights.scene import RESTING, Scene, scene
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import (
    BISHOP,
    KNIGHT,
    QUEEN,
    ROOK,
    Outcome,
    Position,
)
from boardfw.squares import BY_NAME, EVERY_SQUARE, NAMES, bitboard_of, half_turned, names_of
from tests.lights.shown import cues_of, squares_of

FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PASSING = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
CHECK = "rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 3"
TWO_PAWNS = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
PROMOTION = "1r4k1/P4ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
BLACK_PROMOTION = "6k1/8/8/8/8/8/p7/6K1 b - - 0 1"
FENS = (FIRST, PASSING, CASTLING, CHECK, TWO_PAWNS, PROMOTION, BLACK_PROMOTION)


def in_hand(fen: str, name: str) -> View:
    position = parse_fen(fen)
    origin = BY_NAME[name]
    moves = tuple(move for move in position.legal_moves() if move.origin == origin)
    return View(position, in_hand=origin, destinations=moves)


def said(view: View, cue: Cue) -> list[str]:
    return names_of(squares_of(scene(view), cue))


def test_a_board_on_which_nothing_goes_on_is_dark() -> None:
    assert scene(View(Position.start())) == RESTING
    assert all(RESTING[square] is Cue.RESTING for square in EVERY_SQUARE)


def test_a_knight_lifted_from_g1_lights_f3_and_h3_and_nothing_else() -> None:
    shown = scene(in_hand(FIRST, "g1"))
    bright = [NAMES[square] for square, cue in cues_of(shown).items() if cue.look.level > 0]
    assert sorted(bright) == ["f3", "h3"]
    assert shown[BY_NAME["g1"]] is Cue.ORIGIN


def test_en_passant_marks_the_way_and_the_captured() -> None:
    view = in_hand(PASSING, "e5")
    assert said(view, Cue.QUIET) == ["e6"]
    assert said(view, Cue.CAPTURE) == ["f6"]
    assert said(view, Cue.EN_PASSANT) == ["f5"]


def test_the_last_move_makes_room_for_a_hand_with_three_things_to_say() -> None:
    view = in_hand(PASSING, "e5")
    last = parse_uci(parse_fen(FIRST), "g1f3")
    shown = scene(view._replace(last_move=last))
    assert shown == scene(view)
    assert squares_of(scene(in_hand(PASSING, "a2")._replace(last_move=last)), Cue.LAST_MOVE)


def test_castling_is_told_apart_from_a_step_of_the_king() -> None:
    view = in_hand(CASTLING, "e1")
    assert said(view, Cue.CASTLING) == ["c1", "g1"]
    assert said(view, Cue.QUIET) == ["d1", "f1", "e2"]


def test_a_promotion_with_and_without_capture_lights_each_square_once() -> None:
    view = in_hand(PROMOTION, "a7")
    assert said(view, Cue.QUIET) == ["a8"]
    assert said(view, Cue.CAPTURE) == ["b8"]


def test_check_shows_king_and_checker_also_while_a_piece_is_in_the_hand() -> None:
    for view in (View(parse_fen(CHECK)), in_hand(CHECK, "c7")):
        assert said(view, Cue.CHECK) == ["e8"]
        assert said(view, Cue.CHECKER) == ["b5"]
    assert said(in_hand(CHECK, "c7"), Cue.QUIET) == ["c6"]


def test_the_last_move_shows_every_square_that_it_touched() -> None:
    before = parse_fen(CASTLING)
    move = parse_uci(before, "e1g1")
    after = before.play(move)
    sure = View(after, last_move=move)
    unsure = View(after, last_move=move, provisional=True)
    assert said(sure, Cue.LAST_MOVE) == ["e1", "f1", "g1", "h1"]
    assert said(unsure, Cue.LAST_MOVE_PROVISIONAL) == ["e1", "f1", "g1", "h1"]
    assert said(unsure, Cue.LAST_MOVE) == []


def test_the_last_move_is_dark_until_it_is_on_the_disk() -> None:
    position = Position.start()
    moved = View(position, last_move=parse_uci(position, "e2e4"))
    assert said(moved, Cue.LAST_MOVE) == ["e2", "e4"]
    unkept = moved._replace(unkept=True)
    assert scene(unkept) == RESTING
    assert scene(unkept._replace(provisional=True)) == RESTING


def test_a_mismatch_shows_the_first_step_of_the_way_back_and_the_rest() -> None:
    step, second = (BY_NAME["g3"], BY_NAME["g1"]), (None, BY_NAME["a2"])
    view = View(
        Position.start(),
        missing=bitboard_of((BY_NAME["g1"], BY_NAME["a2"])),
        extra=bitboard_of((BY_NAME["g3"], BY_NAME["c4"])),
        repair=(step, second),
    )
    assert said(view, Cue.REPAIR_FROM) == ["g3"]
    assert said(view, Cue.REPAIR_TO) == ["g1"]
    assert said(view, Cue.MISSING) == ["a2"]
    assert said(view, Cue.EXTRA) == ["c4"]


def test_a_piece_from_the_box_and_a_piece_to_the_box() -> None:
    a2, g3 = BY_NAME["a2"], BY_NAME["g3"]
    from_box = View(Position.start(), missing=1 << a2, repair=((None, a2),))
    to_box = View(Position.start(), extra=1 << g3, repair=((g3, None),))
    assert cues_of(scene(from_box)) == {a2: Cue.REPAIR_TO}
    assert cues_of(scene(to_box)) == {g3: Cue.REPAIR_FROM}


def test_a_mismatch_hides_destinations_but_not_the_check_that_explains_it() -> None:
    view = in_hand(CHECK, "c7")
    wrong = View(
        view.position,
        in_hand=view.in_hand,
        destinations=view.destinations,
        missing=1 << BY_NAME["g8"],
        extra=1 << BY_NAME["g6"],
    )
    assert said(wrong, Cue.QUIET) == []
    assert said(wrong, Cue.CHECK) == ["e8"]


def test_a_question_lights_the_squares_on_which_the_answers_differ() -> None:
    position = parse_fen(TWO_PAWNS)
    answers = tuple(parse_uci(position, uci) for uci in ("e4d5", "e4f5"))
    assert said(View(position, candidates=answers), Cue.CANDIDATE) == ["d5", "f5"]


def test_a_question_what_a_pawn_became_lights_nothing_since_no_lift_can_answer_it() -> None:
    position = parse_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    answers = tuple(parse_uci(position, uci) for uci in ("a7a8n", "a7a8q"))
    assert said(View(position, candidates=answers), Cue.CANDIDATE) == []


def test_a_question_between_two_pieces_for_one_square_lights_the_pieces() -> None:
    position = parse_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    answers = tuple(parse_uci(position, uci) for uci in ("b1d2", "f3d2"))
    assert said(View(position, candidates=answers), Cue.CANDIDATE) == ["b1", "f3"]


def promotion(fen: str, uci: str, kind: int) -> View:
    before = parse_fen(fen)
    move = parse_uci(before, uci)
    return View(before.play(move), last_move=move, promotion=kind)


def test_each_promotion_shows_its_letter_alone() -> None:
    for kind, letter in ((QUEEN, "Q"), (KNIGHT, "N"), (ROOK, "R"), (BISHOP, "B")):
        shown = scene(promotion(PROMOTION, "a7b8" + letter.lower(), kind))
        assert shown == Scene(((Cue.LETTER, LETTERS[letter]),))


def test_the_letter_is_upright_for_the_promoting_player() -> None:
    shown = scene(promotion(BLACK_PROMOTION, "a2a1q", QUEEN))
    assert squares_of(shown, Cue.LETTER) == half_turned(LETTERS["Q"])


def test_the_letters_differ_from_each_other_in_many_lights() -> None:
    letters = list(LETTERS.values())
    for number, one in enumerate(letters):
        for other in letters[:number]:
            assert (one ^ other).bit_count() >= 6


def test_the_letter_stays_while_the_new_piece_is_lifted_and_goes_for_a_reply() -> None:
    view = promotion(PROMOTION, "a7a8q", QUEEN)
    assert view.last_move is not None
    lifted = View(
        view.position, last_move=view.last_move, promotion=QUEEN, in_hand=view.last_move.target
    )
    assert said(lifted, Cue.LETTER)
    reply = BY_NAME["b8"]
    moves = tuple(move for move in view.position.legal_moves() if move.origin == reply)
    replying = View(
        view.position, last_move=view.last_move, promotion=QUEEN, in_hand=reply, destinations=moves
    )
    assert said(replying, Cue.LETTER) == []
    assert said(replying, Cue.CAPTURE) == ["a8"]


def ended(result: str, termination: str = "resignation") -> Scene:
    view = View(Position.start(), phase=GamePhase.OVER, outcome=Outcome(result, termination))
    return scene(view)


def test_the_three_ends_of_a_game_light_different_squares() -> None:
    white, black, draw = (
        cues_of(ended(result, "kings")).keys() for result in ("1-0", "0-1", "1/2-1/2")
    )
    assert bitboard_of(white) == HALVES[0]
    assert bitboard_of(black) == HALVES[1]
    assert len(draw ^ white) >= 16
    assert len(draw ^ black) >= 16


def test_the_kings_show_the_winner() -> None:
    e1, e8 = BY_NAME["e1"], BY_NAME["e8"]
    assert ended("1-0")[e1] is ended("0-1")[e8] is Cue.WINNERS_KING
    assert ended("1-0")[e8] is ended("0-1")[e1] is Cue.LOSERS_KING
    assert ended("1/2-1/2")[e1] is ended("1/2-1/2")[e8] is Cue.DRAWN_KING


def test_a_game_broken_off_shows_no_result() -> None:
    assert ended("*", "abandoned") == RESTING


STUCK = View(
    Position.start(), standing=Position.start().occupied, stuck=bitboard_of([BY_NAME["a7"]])
)


def test_a_stuck_switch_glows_beside_the_last_move_and_the_check() -> None:
    assert said(STUCK, Cue.STUCK) == ["a7"]
    moved = STUCK._replace(last_move=parse_uci(parse_fen(FIRST), "e2e4"))
    assert said(moved, Cue.STUCK) == ["a7"]
    assert said(moved, Cue.LAST_MOVE) == ["e2", "e4"]


def test_a_stuck_switch_says_nothing_while_a_piece_is_in_a_hand() -> None:
    lifted = STUCK._replace(standing=STUCK.standing & ~(1 << BY_NAME["e7"]))
    assert scene(lifted) == RESTING
    held = in_hand(FIRST, "g1")
    assert scene(held._replace(stuck=STUCK.stuck)) == scene(held)


def test_a_stuck_switch_hides_nothing_that_matters_more() -> None:
    position = parse_fen(TWO_PAWNS)
    answers = tuple(parse_uci(position, uci) for uci in ("e4d5", "e4f5"))
    for view in (
        View(position, standing=position.occupied, candidates=answers),
        View(position, standing=position.occupied, extra=1 << BY_NAME["d5"]),
        View(position, standing=position.occupied, last_move=answers[0]),
        View(position, standing=position.occupied, outcome=Outcome("1-0", "resignation")),
        View(
            position, standing=position.occupied, phase=GamePhase.SETUP, surplus=1 << BY_NAME["d5"]
        ),
    ):
        assert scene(view._replace(stuck=1 << BY_NAME["d5"])) == scene(view)
