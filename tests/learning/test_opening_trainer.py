"""The trainer of openings: every due card asked once, whatever is answered."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Result
from boardfw.learning.source import UNKEPT
from boardfw.learning.task import Line, OneMove
from boardfw.learning.trainers.line_choice import lines
from boardfw.learning.trainers.opening_trainer import OpeningTrainer
from boardfw.learning.trainers.repertoire import Book
from boardfw.learning.trainers.sentences import card_of
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import BLACK, WHITE, Position
from tests.learning.books import KINGS_PAWN, book, made
from tests.learning.streams import is_asked, longest, plies_of, skipped, solved, stream
from tests.sizes import sized

BOOKS = [book(made(seed, 15, you)) for seed in range(4) for you in (WHITE, BLACK)]
books = st.integers(0, len(BOOKS) - 1)
"""By number: a whole book is no readable example."""


def asked(exercises: list[Exercise]) -> list[str]:
    return [one.key for one in exercises if one.key != UNKEPT]


def played(exercise: Exercise) -> list[Position]:
    """The positions that it leads through, without its own."""
    positions = [exercise.position]
    for move in solved(exercise).played:
        positions.append(positions[-1].play(move))
    return positions[1:]


def trained(text: str) -> list[Exercise]:
    found = book(text, WHITE)
    return [*stream(OpeningTrainer(found, found.cards))]


@given(books, st.randoms(use_true_random=False))
def test_every_due_card_is_asked_once_whatever_is_answered(
    number: int, chance: random.Random
) -> None:
    found = BOOKS[number]
    due = {card for card in found.cards if chance.random() < 0.6}

    def answer(exercise: Exercise) -> Result:
        if chance.random() < 0.1:
            return skipped(exercise, *exercise.position.legal_moves()[:1])
        choices = len(plies_of(exercise)[-1])
        return solved(exercise, choice=chance.randrange(choices))

    exercises = [*stream(OpeningTrainer(found, due), answer)]
    assert sorted(asked(exercises)) == sorted(due)
    for one in exercises:
        assert is_asked(one) == (one.key != UNKEPT)
        assert one.you == found.you


@pytest.mark.parametrize("found", BOOKS)
def test_no_book_move_is_refused(found: Book) -> None:
    for one in stream(OpeningTrainer(found, found.cards)):
        if one.key != UNKEPT:
            right = [entry.move for entry in found.right(one.key)]
            assert set(plies_of(one)[-1]) == set(right)
            assert card_of([one.position, *played(one)][-2]) == one.key


@pytest.mark.parametrize("found", BOOKS)
def test_lines_go_on_from_what_stands_or_from_earlier_in_the_line(found: Book) -> None:
    path: list[str] = []
    breaks = 0
    for one in stream(OpeningTrainer(found, found.cards)):
        start = card_of(one.position)
        if path and start != path[-1]:
            breaks += 1
            assert start in path
        path = [*path[: path.index(start)], start] if start in path else [start]
        path += [card_of(position) for position in played(one)]
    assert breaks + 1 == len(lines(found, set(found.cards)))


def test_the_opponent_moves_by_lights_and_you_answer() -> None:
    first, second, *_ = trained(KINGS_PAWN)
    assert isinstance(first.task, OneMove)
    assert first.words.say == "You are White. Play a move of your book. One move is right."
    assert isinstance(second.task, Line)
    assert second.task.you == WHITE
    assert len(second.task.plies) == 2
    assert second.words.say == (
        "You are White. Black plays 1...e5: make it, then answer. 2 moves are right."
    )


def test_from_line_to_line_only_the_tail_is_taken_back() -> None:
    *_, spanish, philidor = trained("1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *")
    assert spanish.words.solved.startswith("Your book has 3.Bb5.")
    assert philidor.words.solved.startswith("Your book has 3.d4.")
    assert philidor.position == spanish.position
    assert len(trained("1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *")) == 4


def test_a_card_that_is_not_due_is_shown() -> None:
    found = book("1. e4 e5 2. Nf3 Nc6 3. Bb5 {the Spanish} *", WHITE)
    exercises = [*stream(OpeningTrainer(found, found.cards[2:]))]
    shown = [one for one in exercises if not is_asked(one)]
    assert [one.words.say for one in shown] == [
        "White plays 1.e4: follow the lights.",
        "Black plays 1...e5: follow the lights.",
        "White plays 2.Nf3: follow the lights.",
    ]
    assert len(exercises) == 4
    assert exercises[-1].words.solved == ("Your book has 3.Bb5. This is Ruy Lopez. the Spanish")


def test_the_line_goes_on_from_the_move_that_was_played() -> None:
    found = book(KINGS_PAWN)
    trainer = OpeningTrainer(found, found.cards)
    first = trainer.next(None)
    assert first is not None
    second = trainer.next(solved(first))
    assert second is not None
    position = second.position.play(plies_of(second)[0][0])
    knight = parse_san(position, "Nc3")
    third = trainer.next(solved(second, choice=plies_of(second)[-1].index(knight)))
    assert third is not None
    assert third.position == position.play(knight)


def test_what_was_answered_at_once_is_counted() -> None:
    found = book("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", WHITE)
    trainer = OpeningTrainer(found, found.cards)
    answers = iter((0, 1, 0))
    exercises = [*stream(trainer, lambda one: solved(one, errors=next(answers)))]
    assert len(exercises) == 3
    assert trainer.closing() == "2 of 3 answers right at once."
    assert trainer.next(None) is None


@pytest.mark.parametrize(
    ("san", "text", "is_error"),
    [
        ("f4", "The book calls f4 a mistake. e5 is answered by a check", True),
        ("d4", "d4 is not in your book, though it has a name: Queen's Pawn Opening.", False),
        ("a4", "a4 is not in your book, though it has a name: Ware Opening.", False),
    ],
)
def test_what_the_book_says_of_a_move(san: str, text: str, *, is_error: bool) -> None:
    found = book("1. e4 {the best} (1. f4? {e5 is answered by a check}) 1... e5 2. Nf3 *", WHITE)
    exercise = OpeningTrainer(found, found.cards).next(None)
    assert exercise is not None
    remark = exercise.remarks[parse_san(Position.start(), san)]
    assert (remark.text, remark.is_error) == (text, is_error)


def test_a_move_without_a_name_is_an_error() -> None:
    found = book("1. e4 e5 2. Nf3 *", WHITE)
    trainer = OpeningTrainer(found, found.cards[1:])
    exercise = trainer.next(None)
    while exercise is not None and not is_asked(exercise):
        exercise = trainer.next(solved(exercise))
    position = parse_fen(found.cards[1])
    assert exercise is not None
    unnamed, remark = next(one for one in exercise.remarks.items() if one[1].is_error)
    assert remark.text == f"{format_san(position, unnamed)} is not in your book."


def test_sentences_are_short_whatever_the_author_wrote() -> None:
    long = "very " * 60
    exercises = trained(f"1. e4 {{{long}}} e5 {{{long}}} 2. Nf3 {{{long}}} Nc6 3. Bb5 *")
    assert longest(exercises) <= 140
    assert exercises[0].words.solved.endswith("very…")


def test_every_exercise_of_a_made_book_speaks_briefly() -> None:
    assert max(longest([*stream(OpeningTrainer(one, one.cards))]) for one in BOOKS) <= 140


@pytest.mark.both
def test_a_large_book_asks_each_card_once() -> None:
    found = book(made(9, sized(50, 120)))
    exercises = [*stream(OpeningTrainer(found, found.cards))]
    assert Counter(asked(exercises)) == Counter(found.cards)
