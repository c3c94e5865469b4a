"""Why a piece cannot move at all; and every reason has a sentence."""

from __future__ import annotations

from boardfw.notation.fen import parse_fen
from boardfw.rules import Position
from boardfw.rules.board import SIDE
from boardfw.rules.reasons import Why, in_words, why_none, why_not
from boardfw.squares import BY_NAME, NAMES, names_of, squares_in
from tests.rules.walks import walk


def positions() -> list[Position]:
    return [position for seed in range(6) for position, _, _ in walk(seed, 60)]


def test_only_a_piece_without_a_legal_move_has_a_reason() -> None:
    told = 0
    for position in positions():
        movers = {move.origin for move in position.legal_moves()}
        for origin in squares_in(position.placement[SIDE[position.turn]]):
            reason = why_none(position, origin)
            assert (reason is None) == (origin in movers), (position, NAMES[origin])
            told += reason is not None
    assert told > 500


def test_all_that_holds_a_piece_is_named() -> None:
    position = parse_fen("k7/8/8/8/7P/1r6/7r/K7 w - - 0 1")
    reason = why_none(position, BY_NAME["a1"])
    assert reason is not None
    assert reason.why is Why.KING_ATTACKED
    assert names_of(reason.pieces) == ["h2", "b3"]
    assert names_of(reason.squares) == ["b1", "a2", "b2"]


def test_empty_squares_and_enemy_pieces_have_no_reason() -> None:
    position = Position.start()
    assert why_none(position, BY_NAME["e4"]) is None
    assert why_none(position, BY_NAME["e8"]) is None


def test_every_reason_is_a_sentence_on_one_line_that_names_no_empty_list() -> None:
    for position in positions()[::40]:
        for origin in range(64):
            for target in range(64):
                reason = why_not(position, origin, target)
                if reason is not None:
                    said = in_words(position, reason, origin)
                    assert said
                    assert "no piece attack" not in said
                    assert "\n" not in said
                    assert not said.endswith(".")
