"""First moves from our own table of openings: known ones, as far as a level knows them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from boardfw.game.opponent import Situation
from boardfw.notation.opening_names import name_of
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import Move, Position
from boardfw.services.book import BookPlayer, book_moves, plies_of
from boardfw.services.levels import LEVELS, Level
from boardfw.services.seat import Question, Thought

OWN_WORTH = 77.0


class Thinker:
    """Thinks of the first legal move, and is closed once."""

    def __init__(self) -> None:
        self.asked = 0
        self.closed = 0

    async def think(self, question: Question) -> Thought:
        self.asked += 1
        return Thought(question.position.legal_moves()[0], OWN_WORTH)

    async def close(self) -> None:
        self.closed += 1


def question(sans: str, seed: int = 0, start: Position | None = None) -> Question:
    start = start or Position.start()
    position, moves = start, list[Move]()
    for san in sans.split():
        moves.append(parse_san(position, san))
        position = position.play(moves[-1])
    situation = Situation(start, tuple(moves), position.turn)
    return Question(situation, position, None, random.Random(seed))


def answered(level: Level, asked: Question) -> Thought:
    found = asyncio.run(BookPlayer(Thinker(), level).think(asked))
    assert isinstance(found, Thought)
    return found


@pytest.mark.parametrize("sans", ["", "g4", "d4 d5", "e4 c5 Nf3 d6 d4 cxd4"])
def test_each_move_of_the_book_leads_to_a_named_position_that_has_named_replies(sans: str) -> None:
    position = question(sans).position
    moves = book_moves(position)
    assert moves
    for move, replies in moves:
        after = position.play(move)
        assert name_of(after)
        named = [reply for reply in after.legal_moves() if name_of(after.play(reply))]
        assert len(named) == replies > 0


@pytest.mark.slow
def test_what_is_much_played_is_the_likelier() -> None:
    start = Position.start()
    chosen = Counter(
        format_san(start, answered(LEVELS[4], question("", seed)).move) for seed in range(200)
    )
    assert {"e4", "d4", "Nf3", "c4"} <= {san for san, _ in chosen.most_common(5)}
    assert {"f3", "a3", "Nh3"}.isdisjoint(chosen)


def test_a_level_knows_so_many_plies_and_masters_think_for_themselves() -> None:
    assert [plies_of(level) for level in LEVELS] == [0, 4, 6, 8, 10, 12, 14, 16, 0, 0, 0]
    spanish = "e4 e5 Nf3 Nc6 Bb5 a6"
    for level in LEVELS:
        plies = plies_of(level)
        thought = answered(level, question(" ".join(spanish.split()[:4])))
        assert (thought.worth_cp == OWN_WORTH) is (plies <= 4)


def test_out_of_the_book_and_from_another_start_it_thinks() -> None:
    assert answered(LEVELS[6], question("a3 h6 Ra2")).worth_cp == OWN_WORTH
    other = question("", start=Position.start().play(parse_san(Position.start(), "e4")))
    assert answered(LEVELS[6], other).worth_cp == OWN_WORTH


def test_closing_closes_the_thinker() -> None:
    thinker = Thinker()
    asyncio.run(BookPlayer(thinker, LEVELS[3]).close())
    assert thinker.closed == 1
