"""Our own player needs no engine, plays legal chess at three strengths, and blocks nothing."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from itertools import pairwise

import pytest

from boardfw.game.opponent import Plays, Situation
from boardfw.learning.sparring import reply
from boardfw.rules import Move, Position
from boardfw.rules.material import WORTH
from boardfw.rules.outcome import mates, outcome
from boardfw.rules.position import Key
from boardfw.services import own_player
from boardfw.services.levels import FULL, LEVELS
from boardfw.services.opponents import OWN, Wish, seat
from boardfw.services.own_player import STRENGTHS, Strength, move_of, strength_of
from boardfw.services.seat import Question, Thought
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE, played
from tests.sizes import sized

LONGEST = 200


Hands = Callable[[Position, random.Random], Move]


def hands_of(strength: Strength) -> Hands:
    """Those of our own player."""

    def move(position: Position, chance: random.Random) -> Move:
        question = Question(Situation(position, (), position.turn), position, None, chance)
        return move_of(question, strength.errors).move

    return move


def grabbing(position: Position, chance: random.Random) -> Move:
    """A beginner's: they mate if they see it, else capture the most that they can."""

    def gain(move: Move) -> float:
        captured = position.piece_at(move.captured) if move.captured is not None else None
        return WORTH[move.promotion] + (WORTH[captured.piece_type] if captured else 0)

    mating = mates(position)
    moves = list(position.legal_moves())
    chance.shuffle(moves)
    return mating[0] if mating else max(moves, key=gain)


def game(white: Hands, black: Hands, seed: int) -> float:
    """What White makes of a game, 0 to 1; one that is too long is a draw."""
    position = Position.start()
    earlier: list[Key] = []
    for ply in range(LONGEST):
        if ended := outcome(position, earlier):
            return {"1-0": 1.0, "0-1": 0.0}.get(ended.result, 0.5)
        move = (white, black)[position.turn](position, random.Random(f"{seed} {ply}"))
        assert move in position.legal_moves()
        earlier.append(position.key)
        position = position.play(move)
    return 0.5


def share(one: Hands, other: Hands) -> float:
    """The share of all points that the one makes in some games with each colour."""
    seeds = range(sized(2, 8))
    return sum(game(one, other, seed) + 1 - game(other, one, seed) for seed in seeds) / (
        2 * len(seeds)
    )


@pytest.mark.slow
def test_the_three_strengths_are_in_order() -> None:
    for weak, strong in pairwise(STRENGTHS):
        assert share(hands_of(strong), hands_of(weak)) > 9 / 16


@pytest.mark.slow
def test_a_beginner_has_a_chance_against_the_weakest_and_none_against_the_strongest() -> None:
    assert share(grabbing, hands_of(STRENGTHS[0])) > 1 / 3
    assert share(grabbing, hands_of(STRENGTHS[-1])) < 1 / 4


def test_each_level_has_one_of_them_and_the_strongest_is_the_lessons_partner() -> None:
    strengths = [strength_of(level) for level in LEVELS]
    assert set(strengths) == set(STRENGTHS)
    assert [STRENGTHS.index(one) for one in strengths] == sorted(map(STRENGTHS.index, strengths))
    assert strengths[-1] == STRENGTHS[-1]
    position = Position.start()
    question = Question(played(), position, None, random.Random(1))
    assert move_of(question, STRENGTHS[-1].errors).move is reply(position)


async def test_it_thinks_in_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, has_begun = threading.Event(), asyncio.Event()
    loop, threads = asyncio.get_running_loop(), []

    def slow(question: Question, errors: object) -> Thought:
        threads.append(threading.current_thread())
        loop.call_soon_threadsafe(has_begun.set)
        assert may_go_on.wait(PATIENCE_S)
        return Thought(question.position.legal_moves()[0], 0)

    monkeypatch.setattr(own_player, "move_of", slow)
    answers: asyncio.Queue[object] = asyncio.Queue()
    seated = seat(Wish(OWN, FULL, pace=AT_ONCE), answers.put_nowait)
    seated.opponent.ask(played())
    await asyncio.wait_for(has_begun.wait(), PATIENCE_S)  # the loop goes round while it thinks
    assert answers.empty()
    later = played("e2e4", "e7e5")
    seated.opponent.ask(later)
    may_go_on.set()
    answer = await asyncio.wait_for(answers.get(), PATIENCE_S)
    assert isinstance(answer, Plays)
    assert answer.to is later
    assert threading.current_thread() not in threads
    await seated.opponent.close()
    assert answers.empty()
