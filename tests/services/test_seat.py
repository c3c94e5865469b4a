"""The promises of an opponent, whatever thinks behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace

import pytest

from boardfw.game.opponent import (
    AcceptsDraw,
    Answer,
    Gone,
    Plays,
    RefusesDraw,
    Resigns,
    Situation,
    Stumbles,
)
from boardfw.notation.fen import parse_fen
from boardfw.services.manners import Manners
from boardfw.services.seat import Failure, Pace, Question, Seat, Thought
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE, played

BEGIN, LATER = played(), played("e2e4", "e7e5")


class Thinker:
    """Finds what it is told to find, when it is let."""

    def __init__(self, *worth_or_failure: float | Failure) -> None:
        self.found = list(worth_or_failure)
        self.questions: list[Question] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.is_closed = False

    async def think(self, question: Question) -> Thought | Failure:
        self.questions.append(question)
        await self.may_answer.wait()
        found = self.found.pop(0) if len(self.found) > 1 else self.found[0]
        if isinstance(found, Failure):
            return found
        return Thought(question.position.legal_moves()[0], found)

    async def close(self) -> None:
        self.is_closed = True


class Chair:
    """A seat and its answers."""

    def __init__(self, thinker: Thinker, pace: Pace = AT_ONCE) -> None:
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self.seat = Seat(thinker, self.answers.put_nowait, pace=pace)

    async def ask(self, situation: Situation) -> Answer:
        self.seat.ask(situation)
        return await asyncio.wait_for(self.answers.get(), PATIENCE_S)


async def settled() -> None:
    """Let everything that can go on in the loop go on."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_question_one_answer() -> None:
    chair = Chair(Thinker(0.0))
    answer = await chair.ask(LATER)
    assert answer == Plays(LATER, LATER.position.legal_moves()[0])
    await settled()
    assert chair.answers.empty()
    await chair.seat.close()


@pytest.mark.parametrize("ready", [False, True])
async def test_what_is_withdrawn_is_not_answered(*, ready: bool) -> None:
    thinker = Thinker(0.0)
    chair = Chair(thinker)
    thinker.may_answer.clear()
    chair.seat.ask(LATER)
    await settled()
    if ready:
        thinker.may_answer.set()  # the answer is there, and not told yet
    chair.seat.cancel()
    await settled()
    assert chair.answers.empty()
    thinker.may_answer.set()
    assert (await chair.ask(BEGIN)).to is BEGIN
    await chair.seat.close()
    assert thinker.is_closed
    assert chair.answers.empty()


async def test_nothing_is_told_within_a_call() -> None:
    chair = Chair(Thinker(0.0))
    chair.seat.ask(LATER)
    assert chair.answers.empty()
    await chair.seat.close()


async def test_what_breaks_once_is_asked_again_and_what_breaks_twice_is_gone() -> None:
    chair = Chair(Thinker(Failure("it fell"), 0.0))
    assert isinstance(await chair.ask(LATER), Stumbles)
    assert isinstance(await chair.answers.get(), Plays)
    chair = Chair(Thinker(Failure("it fell")))
    assert isinstance(await chair.ask(LATER), Stumbles)
    gone = await chair.answers.get()
    assert isinstance(gone, Gone)
    assert gone.text.startswith("it fell, ")
    chair = Chair(Thinker(Failure("there is none", is_final=True)))
    assert await chair.ask(LATER) == Gone(LATER, "there is none")


async def test_who_answers_from_within_an_answer_is_heard() -> None:
    thinker = Thinker(Failure("it fell"), 0.0)
    answers: list[Answer] = []

    def tell(answer: Answer) -> None:
        answers.append(answer)
        if isinstance(answer, Stumbles):
            seat.ask(BEGIN)

    seat = Seat(thinker, tell, pace=AT_ONCE)
    seat.ask(LATER)
    await settled()
    assert [type(answer) for answer in answers] == [Stumbles, Plays]
    assert answers[-1].to is BEGIN
    await seat.close()


async def test_an_answer_comes_after_a_persons_pause_and_not_before() -> None:
    pauses: list[float] = []
    may_come = asyncio.Event()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await may_come.wait()

    chair = Chair(Thinker(0.0), Pace(now_us=lambda: 0, sleep=sleep))
    asked = replace(LATER, times=None)
    chair.seat.ask(asked)
    await settled()
    assert len(pauses) == 1
    assert 0.5 <= pauses[0] <= 20
    assert chair.answers.empty()
    may_come.set()
    assert isinstance(await chair.answers.get(), Plays)
    await chair.seat.close()


async def test_thinking_for_longer_than_the_pause_adds_none() -> None:
    t_us = 0

    def now_us() -> int:
        nonlocal t_us
        t_us += 60_000_000
        return t_us

    def sleep(_: float) -> Awaitable[None]:
        raise AssertionError("it thought long enough")

    chair = Chair(Thinker(0.0), Pace(now_us=now_us, sleep=sleep))
    assert isinstance(await chair.ask(LATER), Plays)


async def test_a_draw_offered_outside_of_its_turn_is_answered_without_a_move() -> None:
    chair = Chair(Thinker(-300.0, 300.0))
    offered = replace(played("e2e4", color=0), draw_offered=True)
    await chair.ask(BEGIN)
    assert await chair.ask(offered) == AcceptsDraw(offered)
    await chair.ask(BEGIN)
    assert await chair.ask(offered) == RefusesDraw(offered)


async def test_a_draw_offered_in_its_turn_is_refused_by_a_move() -> None:
    chair = Chair(Thinker(300.0, -300.0))
    offered = replace(LATER, draw_offered=True)
    assert isinstance(await chair.ask(offered), Plays)
    assert await chair.ask(offered) == AcceptsDraw(offered)


async def test_it_resigns_what_is_lost_and_forgets_what_was_taken_back() -> None:
    chair = Chair(Thinker(-2000.0))
    words = ("e2e4", "e7e5", "g1f3", "b8c6")
    assert isinstance(await chair.ask(played()), Plays)
    assert isinstance(await chair.ask(played(*words[:2])), Plays)
    assert isinstance(await chair.ask(played(*words[:2])), Plays)
    assert isinstance(await chair.ask(played(*words)), Resigns)
    assert isinstance(await chair.ask(played()), Plays)


async def test_what_it_does_beside_moving_can_be_switched_off() -> None:
    answers: list[Answer] = []
    seat = Seat(Thinker(-2000.0), answers.append, manners=Manners(resigns=False), pace=AT_ONCE)
    for words in ((), ("e2e4", "e7e5"), ("e2e4", "e7e5", "g1f3", "b8c6")):
        seat.ask(played(*words))
        await settled()
    assert all(isinstance(answer, Plays) for answer in answers)
    assert len(answers) == 3


MATED = played("f2f3", "e7e5", "g2g4", "d8h4")
STALEMATE = played(start=parse_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))


@pytest.mark.parametrize("situation", [MATED, STALEMATE, played("e2e4", color=0)])
async def test_what_has_no_answer_is_not_asked(situation: Situation) -> None:
    with pytest.raises(ValueError, match="nothing to answer"):
        Chair(Thinker(0.0)).seat.ask(situation)


@pytest.mark.parametrize("seeds", [(1, 1), (1, 2)])
async def test_the_same_seed_makes_the_same_choices(seeds: tuple[int, int]) -> None:
    chances = []
    for seed in seeds:
        thinker, answers = Thinker(0.0), asyncio.Queue[Answer]()
        seat = Seat(thinker, answers.put_nowait, pace=AT_ONCE, seed=seed)
        seat.ask(LATER)
        await answers.get()
        chances.append(thinker.questions[0].chance.random())
    assert (chances[0] == chances[1]) == (seeds[0] == seeds[1])


async def test_a_fault_in_the_program_does_not_pass_in_silence() -> None:
    faults: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: faults.append(context["exception"]))
    seat = Seat(Thinker(0.0), lambda _: 1 / 0, pace=AT_ONCE)  # type: ignore[arg-type]
    seat.ask(LATER)
    await settled()
    assert [type(fault) for fault in faults] == [ZeroDivisionError]
    await seat.close()


async def test_closing_that_is_cut_short_is_cut_short_and_closes_all_the_same() -> None:
    thinker = Thinker(0.0)
    thinker.may_answer.clear()
    chair = Chair(thinker)
    chair.seat.ask(LATER)
    await settled()
    closing = asyncio.create_task(chair.seat.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert thinker.is_closed
