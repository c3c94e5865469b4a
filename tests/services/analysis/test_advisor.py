"""Advice comes soon and gets better; what is asked no longer is not answered."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from random import Random

import pytest

from boardfw.game.coach import Advice, CoachQuestion, MoveClass
from boardfw.notation.fen import parse_fen
from boardfw.rules import Move, Position
from boardfw.services.analysis.advisor import ROUNDS, Advisor, class_of, find_advisor
from boardfw.services.analysis.analyst import Analyst
from boardfw.services.analysis.judgement import Judgement
from boardfw.services.seat import Pace
from boardfw.squares import BY_NAME, NAMES
from tests.patience import PATIENCE_S
from tests.services.analysis.analysts import scripted
from tests.services.uci.real_engines import needs

QUEEN = parse_fen("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1")
"""It may take the pawn on d5 and be taken; on d4 and d3 nothing happens to it."""


class Asker:
    """Who asks, and what it hears."""

    def __init__(self, analyst: Analyst) -> None:
        self.answers: asyncio.Queue[Advice] = asyncio.Queue()
        self.troubles: asyncio.Queue[str] = asyncio.Queue()
        self.advisor = Advisor(analyst, self.answers.put_nowait, self.troubles.put_nowait)

    async def answer(self) -> Advice:
        return await asyncio.wait_for(self.answers.get(), PATIENCE_S)


def held(position: Position, name: str | None, *moves: Move) -> CoachQuestion:
    return CoachQuestion(position, moves, None if name is None else BY_NAME[name])


def test_the_classes_have_the_limits_of_the_judgements() -> None:
    assert class_of(0) is MoveClass.GOOD
    assert class_of(Judgement.INACCURACY.least) is MoveClass.DOUBTFUL
    assert class_of(Judgement.MISTAKE.least) is MoveClass.DOUBTFUL
    assert class_of(Judgement.BLUNDER.least) is MoveClass.LOSING


async def test_every_move_of_the_piece_has_a_class_and_throwing_it_away_is_losing(
    tmp_path: Path,
) -> None:
    asker = Asker(scripted(tmp_path))
    asker.advisor.ask(held(QUEEN, "d1"))
    for _ in ROUNDS:
        advice = await asker.answer()
        own = [move for move in QUEEN.legal_moves() if move.origin == BY_NAME["d1"]]
        assert set(advice.classes) == set(own)
        classes = {NAMES[move.target]: one for move, one in advice.classes.items()}
        assert classes["d5"] is MoveClass.LOSING
        assert classes["d3"] is MoveClass.GOOD
    await asyncio.sleep(0)
    assert asker.answers.empty()  # after the last round the processor rests
    await asker.advisor.close()


async def test_between_two_answers_the_engine_rests_as_its_share_says(tmp_path: Path) -> None:
    rests = list[float]()
    times = count(step=100_000)  # each round seems to take a tenth of a second

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    answers: asyncio.Queue[Advice] = asyncio.Queue()
    pace = Pace(now_us=lambda: next(times), sleep=rest)
    advisor = Advisor(scripted(tmp_path), answers.put_nowait, pytest.fail, 0.2, pace)
    advisor.ask(held(QUEEN, "d1"))
    for _ in ROUNDS:
        await asyncio.wait_for(answers.get(), PATIENCE_S)
    assert rests == [pytest.approx(0.4)] * (len(ROUNDS) - 1)
    await advisor.close()


async def test_a_piece_whose_moves_all_leave_something_hanging_has_no_good_one(
    tmp_path: Path,
) -> None:
    start = parse_fen("4k3/8/8/3r4/8/8/P7/3QK3 w - - 0 1")  # the queen is attacked, and attacks
    asker = Asker(scripted(tmp_path))
    asker.advisor.ask(held(start, "a2"))
    advice = await asker.answer()
    assert set(advice.classes.values()) == {MoveClass.LOSING}
    assert advice.best.origin == BY_NAME["d1"]
    await asker.advisor.close()


async def test_what_is_asked_anew_is_answered_and_nothing_else(tmp_path: Path) -> None:
    asker = Asker(scripted(tmp_path))
    asker.advisor.ask(held(QUEEN, "d1"))
    wanted = held(QUEEN, None)
    asker.advisor.ask(wanted)
    advice = await asker.answer()
    assert advice.to == wanted
    assert advice.classes == {}
    assert advice.best in QUEEN.legal_moves()
    asker.advisor.ask(None)
    await asyncio.sleep(0)
    while not asker.answers.empty():
        assert asker.answers.get_nowait().to == wanted
    await asker.advisor.close()


async def test_an_engine_that_does_not_answer_is_told_of(tmp_path: Path) -> None:
    asker = Asker(scripted(tmp_path, "no-move"))
    asker.advisor.ask(held(QUEEN, "d1"))
    assert "Scripted" in await asyncio.wait_for(asker.troubles.get(), PATIENCE_S)
    await asker.advisor.close()


@pytest.mark.slow
@needs("stockfish")
async def test_the_first_answer_has_classes_in_any_position(*, full: bool) -> None:
    """In positions of random games; ``make bench`` measures how soon it comes."""
    asker, chance = Asker(find_advisor()), Random(22)
    asker.advisor.ask(held(QUEEN, None))
    await asker.answer()  # it has been loaded
    for _ in range(200 if full else 20):
        position, moves = Position.start(), list[Move]()
        for _ in range(chance.randrange(4, 50)):
            if len(position.legal_moves()) < 2:
                break
            moves.append(chance.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if not position.legal_moves():
            continue
        origin = chance.choice(position.legal_moves()).origin
        question = CoachQuestion(Position.start(), tuple(moves), origin)
        asker.advisor.ask(question)
        while (advice := await asker.answer()).to != question:
            pass
        assert advice.classes
    await asker.advisor.close()
