"""Lines of a session: each due card once, in the fewest lines, and little to take back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.learning.trainers.line_choice import (
    Line,
    hand_actions,
    line_from,
    lines,
    take_back_actions,
)
from boardfw.learning.trainers.repertoire import Book
from boardfw.learning.trainers.sentences import card_of
from boardfw.rules import Position
from tests.learning.books import KINGS_PAWN, book, made

CARDS = 200
SMALL = [book(made(seed, 12)) for seed in range(8)]


def fewest(found: Book, due: set[str]) -> int:
    """Due cards, less as many of them as can each be followed by another one of its own."""
    beyond = {card: _beyond(found, card) & due - {card} for card in due}
    follows: dict[str, str] = {}

    def place(card: str, tried: set[str]) -> bool:
        for other in beyond[card] - tried:
            tried.add(other)
            if other not in follows or place(follows[other], tried):
                follows[other] = card
                return True
        return False

    return len(due) - sum(place(card, set()) for card in due)


def _beyond(found: Book, card: str) -> set[str]:
    reached: set[str] = set()
    waiting = [card]
    while waiting:
        for target in found.targets(waiting.pop()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def asked(planned: list[Line]) -> list[str]:
    return [ply.card for line in planned for ply in line if ply.is_asked]


def check(found: Book, planned: list[Line], due: set[str]) -> None:
    assert sorted(asked(planned)) == sorted(due)
    for line in planned:
        assert line[0].card in found.starts
        assert line[-1].is_asked
        position = line[0].position
        for ply in line:
            assert (ply.position, ply.card) == (position, card_of(position))
            assert ply.move in [entry.move for entry in found.right(ply.card)]
            position = position.play(ply.move)


@given(st.integers(0, len(SMALL) - 1), st.randoms(use_true_random=False))
def test_every_due_card_is_asked_once_in_the_fewest_lines(
    number: int, chance: random.Random
) -> None:
    found = SMALL[number]
    due = {card for card in found.cards if chance.random() < 0.5}
    planned = lines(found, due)
    check(found, planned, due)
    assert len(planned) == fewest(found, due)


@pytest.mark.slow
def test_a_large_book(full: bool) -> None:
    for seed in range(20 if full else 3):
        found = book(made(seed, CARDS))
        assert len(found.cards) == CARDS
        due = set(random.Random(seed).sample(found.cards, CARDS - 30 * (seed % 5)))
        planned = lines(found, due)
        check(found, planned, due)
        assert len(planned) <= 1.1 * fewest(found, due)


@pytest.mark.slow
def test_the_order_saves_what_has_to_be_taken_back(full: bool) -> None:
    chance = random.Random(5)
    for seed in range(20 if full else 3):
        found = book(made(seed, CARDS))
        planned = lines(found, set(found.cards))
        mixed = [*planned]
        chance.shuffle(mixed)
        ours, theirs = take_back_actions(planned), take_back_actions(mixed)
        assert ours <= 0.6 * theirs


def test_only_the_tail_is_taken_back() -> None:
    found = book("1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *", 0)
    planned = lines(found, set(found.cards))
    assert [len(line) for line in planned] == [5, 5]
    assert take_back_actions(planned) == 2
    assert hand_actions(planned) == 5 + 2 + 2


def test_a_card_that_is_not_due_is_passed_unasked() -> None:
    found = book(KINGS_PAWN)
    last = found.cards[2]
    (line,) = lines(found, {last})
    assert [ply.is_asked for ply in line] == [False] * (len(line) - 1) + [True]


def test_what_shares_most_with_what_was_played_comes_first() -> None:
    found = book("1. e4 e5 (1... c5 2. Nf3) (1... e6 2. d4 d5 (2... c5 3. d5) 3. Nc3) 2. Nf3 *", 0)
    french = next(line for line in lines(found, set(found.cards)) if len(line) == 5)
    path = [ply.card for ply in french]
    due = set(found.cards) - set(path)
    planned = lines(found, due, path)
    assert [len(line) for line in planned] == [5, 3, 3]
    assert [ply.card for ply in planned[0]][:4] == path[:4]


def test_a_line_goes_on_from_a_position_of_the_book() -> None:
    found = book(KINGS_PAWN)
    due = set(found.cards)
    first = lines(found, due)[0]
    here = first[2].position
    assert line_from(found, due, here)[0].position == here
    assert line_from(found, set(), here) == ()
    assert line_from(found, due, Position.start().play(Position.start().legal_moves()[0])) == ()


def test_positions_that_come_again_do_not_lead_round_for_ever() -> None:
    found = book("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Nf3 *", 0)
    planned = lines(found, set(found.cards))
    check(found, planned, set(found.cards))
    assert len(planned) == 1


def test_due_cards_that_no_book_has_are_passed_over() -> None:
    assert lines(book(KINGS_PAWN), {"8/8/8/8/8/8/8/8 w - -"}) == []
