"""Which lines a session asks: each due card once, in the fewest lines, and little to take back."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardfw.learning.trainers.line_choice import Line, fewest_walks, line_from, lines
from boardfw.learning.trainers.repertoire import Book
from boardfw.learning.trainers.sentences import card_of
from boardfw.rules import Position
from tests.learning.books import KINGS_PAWN, book, hand_actions, made, take_back_actions

CARDS = 200
SMALL = [book(made(seed, 12)) for seed in range(8)]


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
    assert len(planned) == len(fewest_walks(found.starts, found.targets, due))


@pytest.mark.slow
def test_a_large_book(full: bool) -> None:
    for seed in range(20 if full else 3):
        found = book(made(seed, CARDS))
        assert len(found.cards) == CARDS
        due = set(random.Random(seed).sample(found.cards, CARDS - 30 * (seed % 5)))
        planned = lines(found, due)
        check(found, planned, due)


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


# --- the fewest walks through a graph, against every way of parting small ones

NODES = "abcdefgh"

graphs = st.fixed_dictionaries(
    {node: st.lists(st.sampled_from(NODES), max_size=3, unique=True) for node in NODES}
)


def closure(graph: dict[str, list[str]]) -> set[tuple[str, str]]:
    """The nodes that each node reaches, itself among them."""
    pairs = {(node, node) for node in graph} | {(a, b) for a in graph for b in graph[a]}
    for middle in graph:
        pairs |= {(a, b) for a in graph for b in graph if {(a, middle), (middle, b)} <= pairs}
    return pairs


def fewest(graph: dict[str, list[str]], starts: list[str], wanted: set[str]) -> int:
    """How many walks are needed: as many as there are nodes none of which reaches another."""
    pairs = closure(graph)
    due = [node for node in wanted if any((start, node) in pairs for start in starts)]
    return max(
        size
        for size in range(len(due) + 1)
        for some in combinations(due, size)
        if not any((a, b) in pairs or (b, a) in pairs for a, b in combinations(some, 2))
    )


@given(
    graphs,
    st.lists(st.sampled_from(NODES), min_size=1, unique=True),
    st.sets(st.sampled_from(NODES)),
)
@example({**{node: [] for node in NODES}, "a": ["b"], "b": ["a"]}, ["a"], {"a", "b"})
def test_all_wanted_nodes_are_passed_in_the_fewest_walks(
    graph: dict[str, list[str]], starts: list[str], wanted: set[str]
) -> None:
    walks = fewest_walks(starts, graph.__getitem__, wanted)
    pairs = closure(graph)
    reachable = {node for node in wanted if any((start, node) in pairs for start in starts)}
    assert len(walks) == fewest(graph, starts, wanted)
    assert reachable <= {node for walk in walks for node in walk}
    for number, walk in enumerate(walks):
        assert walk[0] in starts
        assert walk[-1] in wanted
        assert not any(walk[-1] in other for other in walks[:number] + walks[number + 1 :])
        assert all(there in graph[here] for here, there in pairwise(walk))


def test_a_long_line_is_one_walk() -> None:
    names = [str(number) for number in range(1200)]
    then = dict(pairwise(names))
    walks = fewest_walks(["0"], lambda name: [then[name]] if name in then else [], names)
    assert walks == [names]


def test_a_follower_may_have_to_follow_another_one() -> None:
    graph = {"s": ["a", "b"], "a": ["c", "d"], "b": ["c"], "c": [], "d": []}
    walks = fewest_walks(["s"], graph.__getitem__, "abcd")
    assert sorted(walks) == [["s", "a", "d"], ["s", "b", "c"]]
