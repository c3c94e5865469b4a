"""A repertoire out of PGN: what is a card, what is right, and what cannot be a book."""

from __future__ import annotations

import io

import chess
import chess.pgn
import pytest

from boardfw.errors import NotationError
from boardfw.learning.trainers.repertoire import Book, read_book
from boardfw.learning.trainers.sentences import card_of
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import BLACK, WHITE, Position
from tests.learning.books import KINGS_PAWN, book, made


def after(text: str) -> Position:
    position = Position.start()
    for word in text.split():
        position = position.play(parse_san(position, word))
    return position


def right(found: Book, text: str) -> list[str]:
    position = after(text)
    return [format_san(position, entry.move) for entry in found.right(card_of(position))]


def test_all_moves_of_yours_are_right_but_those_called_mistakes() -> None:
    found = book(KINGS_PAWN)
    assert found.you == WHITE
    assert right(found, "e4 e5") == ["Nf3", "Nc3"]
    assert right(found, "e4 c5") == ["Nf3", "f4"]
    assert right(found, "e4 c5 Nf3 d6") == ["d4"]


def test_what_only_a_mistake_leads_to_is_not_in_the_book() -> None:
    found = book("1. e4 e5 2. Qh5? (2. Nf3 Nc6 3. Bb5) Nc6 3. Bc4 Nf6 4. Qxf7# *", WHITE)
    assert card_of(after("e4 e5 Qh5 Nc6")) not in found.cards
    place = found.places[card_of(after("e4 e5"))]
    assert [entry.is_mistake for entry in place.entries] == [True, False]


def test_a_mistake_is_one_wherever_the_text_says_so() -> None:
    found = book("1. e4 e5 2. f4 *\n\n1. e4 e5 2. f4?? (2. Nf3) *", WHITE)
    assert right(found, "e4 e5") == ["Nf3"]


def test_mistakes_of_the_opponent_are_answered() -> None:
    found = book("1. e4 f6?? 2. d4 *", WHITE)
    assert right(found, "e4") == ["f6"]
    assert right(found, "e4 f6") == ["d4"]


def test_positions_that_are_reached_in_two_ways_are_one_card_with_all_their_moves() -> None:
    found = book("1. d4 d5 2. c4 e6 3. Nc3 *\n\n1. c4 e6 2. d4 d5 3. Nf3 *", WHITE)
    assert right(found, "d4 d5 c4 e6") == ["Nc3", "Nf3"]
    assert len(found.cards) == 4


def test_en_passant_and_castling_make_another_card_only_where_they_matter() -> None:
    assert card_of(after("e4")).endswith(" KQkq -")
    assert card_of(after("Nf3 Nf6 Rg1 Ng8 Rh1 Nf6 Ng1 Ng8")) != card_of(Position.start())
    assert card_of(after("e4 a6 e5 d5")).endswith(" d6")


def test_black_is_asked_in_positions_with_black_to_move() -> None:
    found = book(KINGS_PAWN.replace('"White"', '"Black"'))
    assert found.you == BLACK
    assert right(found, "e4") == ["e5", "c5"]
    assert all(parse_fen(card).turn == BLACK for card in found.cards)


def test_the_given_colour_decides_and_games_for_the_other_one_are_left_out() -> None:
    both = (
        '[Repertoire "White"]\n\n1. e4 e5 2. Nf3 *\n\n[Repertoire "Black"]\n\n1. d4 d5 2. c4 e6 *'
    )
    assert right(book(both, BLACK), "d4") == ["d5"]
    assert card_of(Position.start()) in book(both, BLACK).places
    assert right(book(both, BLACK), "e4") == []


def test_comments_are_kept_without_their_data() -> None:
    found = book(KINGS_PAWN)
    assert found.places[card_of(after("e4 e5"))].entries[0].said == "attacks e5"
    assert found.places[card_of(after("e4 e5 Nf3 Nc6"))].entries[0].said == "four knights"


def test_threats_after_a_null_move_are_no_lines() -> None:
    found = book("1. e4 e5 2. Nf3 d6 (2... -- 3. Nxe5) 3. d4 *", WHITE)
    assert sum(len(place.entries) for place in found.places.values()) == 5


def test_a_book_may_begin_anywhere() -> None:
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    found = book(f'[SetUp "1"]\n[FEN "{start}"]\n\n1. e4 Kd7 2. Kf2 *', WHITE)
    assert [*found.starts] == [card_of(parse_fen(start))]


@pytest.mark.parametrize("you", [WHITE, BLACK])
def test_the_oracle_finds_the_same_cards_and_moves(you: int) -> None:
    text = made(3, 60, you)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    theirs: dict[str, set[str]] = {}
    waiting: list[chess.pgn.GameNode] = [game]
    while waiting:
        node = waiting.pop()
        waiting += node.variations
        if node.variations and node.turn() == (you == WHITE):
            moves = {child.move.uci() for child in node.variations}
            theirs[node.board().epd()] = theirs.get(node.board().epd(), set()) | moves
    found = book(text)
    assert {card: {e.move.uci() for e in found.right(card)} for card in found.cards} == theirs


@pytest.mark.parametrize(
    ("text", "you", "told"),
    [
        ("", WHITE, "book.pgn:1: the book is empty"),
        ('[Event "x"]\n\n*', WHITE, "book.pgn:1: the book is empty"),
        ("1. e5 e5 *", WHITE, "book.pgn:1: move 1. e5: not legal here"),
        ("1. e4 e5 *", None, "book.pgn:1: which side is this repertoire for? Give --as white"),
        ('\n[Repertoire "Withe"]\n\n1. e4 *', None, "book.pgn:2: 'Withe' is no colour; write"),
        ("1. e4 *", BLACK, "book.pgn:1: no move of Black's is to be learnt here"),
        ("1. e4? e5 2. Nf3 *", WHITE, "book.pgn:1: no move of White's is to be learnt here"),
        (
            '[Repertoire "White"]\n\n1. e4 *\n\n[Repertoire "Black"]\n\n1. e4 e5 *',
            None,
            "book.pgn:1: games for White and for Black",
        ),
    ],
)
def test_what_is_no_book_is_told_in_one_line(text: str, you: int | None, told: str) -> None:
    with pytest.raises(NotationError) as error:
        book(text, you)
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


def test_faults_name_their_file_and_the_moves_before_them_count() -> None:
    texts = {"one.pgn": "1. e4 e5 2. Nf3 *", "two.pgn": "1. d4\nd5 2. c4 Zz 3. Nc3 *"}
    found = read_book(texts, WHITE)
    told = [str(fault) for fault in found.faults]
    assert told[0].startswith("two.pgn:2: at move 2... 'Zz' is neither a move nor a sign")
    assert all(one.startswith("two.pgn:2: ") for one in told)
    assert right(found, "d4 d5") == ["c4"]
