"""Engines over real pipes: whatever they do, the game gets its answer or is told why not."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardfw.game.opponent import Gone, Plays, Stumbles
from boardfw.rules.chess960 import start_position
from boardfw.services.uci import engine
from boardfw.services.uci.conversation import Patience
from boardfw.services.uci.engine import NICENESS, Engine
from tests.patience import PATIENCE_S
from tests.services.uci.engines import PATIENT, SHORT, Table, expected, needs_proc, played, running
from tests.sizes import sized

BEGIN = played()
LATER = played("e2e4", "e7e5")

pytestmark = needs_proc


async def test_it_answers_and_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "QUIT_S", PATIENCE_S)
    table = Table(tmp_path, "good")
    for situation in (BEGIN, LATER):
        table.seat.ask(situation)
        answer = await table.answer()
        assert isinstance(answer, Plays)
        assert answer.to is situation
        assert answer.move.uci() == expected(situation)
    await table.seat.close()
    assert table.running() == []
    told = table.told()
    assert told[-1] == "quit"
    assert [line for line in told if line.startswith("position")] == [
        "position startpos",
        "position startpos moves e2e4 e7e5",
    ]


async def test_it_runs_in_a_group_of_its_own_and_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    niceness = max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0) + 1)
    monkeypatch.setattr(engine, "NICENESS", niceness)
    table = Table(tmp_path, "thinks")
    table.seat.ask(BEGIN)
    await table.until_told("go")
    (pid,) = table.running()
    assert os.getpgid(pid) == os.getsid(pid) == pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == niceness
    await table.seat.close()


async def test_it_never_runs_in_real_time(tmp_path: Path) -> None:
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except OSError:
        pytest.skip("needs the right to run in real time")
    try:
        table = Table(tmp_path, "thinks")
        table.seat.ask(BEGIN)
        await table.until_told("go")
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    (pid,) = table.running()
    assert os.sched_getscheduler(pid) == os.SCHED_OTHER
    await table.seat.close()


ONCE = [
    "dies",
    "dies-at-start",
    "illegal",
    "garbage",
    "no-move",
    "hangs",
    "closes-output",
    "floods",
]


@pytest.mark.both
@pytest.mark.parametrize("behaviour", ONCE[:: sized(4, 1)])
async def test_what_fails_once_is_started_again_and_asked_again(
    tmp_path: Path, behaviour: str
) -> None:
    table = Table(tmp_path, behaviour, "good", patience=SHORT if behaviour == "hangs" else None)
    table.seat.ask(LATER)
    stumble, answer = await table.answer(), await table.answer()
    assert isinstance(stumble, Stumbles)
    assert isinstance(answer, Plays)
    assert answer.to is stumble.to is LATER
    assert answer.move.uci() == expected(LATER)
    await table.seat.close()
    assert table.running() == []


@pytest.mark.both
@pytest.mark.parametrize("behaviour", ONCE[:: sized(len(ONCE), 1)])
async def test_what_fails_twice_is_gone(tmp_path: Path, behaviour: str) -> None:
    table = Table(tmp_path, behaviour, patience=SHORT if behaviour == "hangs" else None)
    table.seat.ask(LATER)
    stumble, gone = await table.answer(), await table.answer()
    assert isinstance(stumble, Stumbles)
    assert isinstance(gone, Gone)
    assert gone.text.isprintable()
    await table.seat.close()
    assert table.running() == []
    assert table.answers.empty()


@pytest.mark.parametrize(
    ("behaviour", "patience"),
    [
        ("mute", replace(PATIENT, start_us=100_000)),
        ("stranger", replace(PATIENT, start_us=300_000)),
        ("never-ready", replace(PATIENT, ready_us=100_000)),
    ],
)
async def test_one_that_never_gets_ready_is_gone(
    tmp_path: Path, behaviour: str, patience: Patience
) -> None:
    table = Table(tmp_path, behaviour, patience=patience)
    table.seat.ask(LATER)
    assert isinstance(await table.answer(), Stumbles)
    assert isinstance(await table.answer(), Gone)
    await table.seat.close()
    assert table.running() == []


async def test_why_it_ended_is_said_in_its_own_last_words(tmp_path: Path) -> None:
    table = Table(tmp_path, "dies-at-start")
    table.seat.ask(BEGIN)
    stumble = await table.answer()
    assert isinstance(stumble, Stumbles)
    assert "no such network" in stumble.text
    await table.seat.close()


@pytest.mark.parametrize("behaviour", ["half-lines", "long-lines", "noisy-errors", "thinks"])
async def test_what_is_only_odd_is_no_failure(tmp_path: Path, behaviour: str) -> None:
    """``thinks`` answers only when its time is over and it is told to stop."""
    patience = replace(PATIENT, grace_us=1000) if behaviour == "thinks" else None
    table = Table(tmp_path, behaviour, patience=patience)
    table.seat.ask(LATER)
    answer = await table.answer()
    assert isinstance(answer, Plays)
    assert answer.move.uci() == expected(LATER)
    await table.seat.close()


@pytest.mark.parametrize("behaviour", ["thinks", "answers-twice", "good"])
async def test_an_old_answer_is_never_taken_for_a_new_one(tmp_path: Path, behaviour: str) -> None:
    table = Table(tmp_path, behaviour, patience=replace(PATIENT, grace_us=1000))
    assert expected(BEGIN) != expected(LATER)
    for withdrawn in (False, True):
        table.seat.ask(BEGIN)
        await table.until_told("go")
        if withdrawn:
            table.seat.cancel()
        while not table.answers.empty():  # the engine was quicker
            table.answers.get_nowait()
        table.seat.ask(LATER)
        answer = await table.answer()
        assert isinstance(answer, Plays)
        assert answer.to is LATER
        assert answer.move.uci() == expected(LATER)
    assert table.answers.empty()
    await table.seat.close()


async def test_many_changes_of_mind_leave_one_answer(tmp_path: Path) -> None:
    table = Table(tmp_path, "answers-twice", patience=replace(PATIENT, grace_us=1000))
    chance = random.Random(1)
    for _ in range(200):
        table.seat.ask(chance.choice((BEGIN, LATER)))
        if chance.random() < 0.3:
            table.seat.cancel()
        if chance.random() < 0.5:
            await asyncio.sleep(0)
    table.seat.cancel()
    table.seat.ask(LATER)
    answer = await table.answer()
    assert isinstance(answer, Plays)
    assert answer.move.uci() == expected(LATER)
    assert table.answers.empty()
    await table.seat.close()
    assert table.running() == []


async def test_asked_again_about_the_same_turn_it_goes_on_thinking(tmp_path: Path) -> None:
    table = Table(tmp_path, "thinks", patience=replace(PATIENT, grace_us=1000))
    table.seat.ask(LATER)
    await table.until_told("go")
    offered = played("e2e4", "e7e5")
    table.seat.ask(offered)
    answer = await table.answer()
    assert answer.to is offered
    assert sum(line.startswith("go") for line in table.told()) == 1
    await table.seat.close()


@pytest.mark.parametrize("when", ["at once", "starting", "thinking", "hung", "stopped"])
async def test_closing_leaves_nothing(tmp_path: Path, when: str) -> None:
    behaviour = {"starting": "mute", "hung": "hangs"}.get(when, "thinks")
    table = Table(tmp_path, behaviour)
    table.seat.ask(BEGIN)
    if when == "starting":
        await table.until_told("uci")
    elif when != "at once":
        await table.until_told("go")
    if when == "stopped":
        (pid,) = table.running()
        os.kill(pid, signal.SIGSTOP)
    await table.seat.close()
    assert table.running() == []
    assert table.answers.empty()


async def test_closing_leaves_nothing_when_it_is_cut_short(tmp_path: Path) -> None:
    table = Table(tmp_path, "never-quits")
    table.seat.ask(BEGIN)
    await table.answer()
    closing = asyncio.create_task(table.seat.close())
    await table.until_told("quit")
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await table.seat.close()
    assert table.running() == []


@pytest.mark.slow
def test_a_loop_that_ends_waits_for_the_end_of_what_it_has_killed(tmp_path: Path) -> None:
    async def leave() -> None:
        for number in range(8):
            folder = tmp_path / str(number)
            folder.mkdir()
            table = Table(folder, "never-quits")
            table.seat.ask(BEGIN)
            await table.answer()
            closing.append(asyncio.create_task(table.seat.close()))
            await table.until_told("quit")

    closing: list[asyncio.Task[None]] = []
    asyncio.run(leave())  # which cancels what goes on, as at the end of the program
    assert closing[-1].cancelled()
    assert running(str(tmp_path)) == []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        gc.collect()
    assert not warned  # a process that nobody has collected


@pytest.mark.parametrize("behaviour", ["never-quits", "has-children"])
async def test_closing_ends_what_does_not_end_itself(tmp_path: Path, behaviour: str) -> None:
    table = Table(tmp_path, behaviour)
    table.seat.ask(BEGIN)
    if behaviour == "has-children":
        await table.until_told("go")
        await table.until_running(2)
    else:
        await table.answer()
    await table.seat.close()
    assert table.running() == []


@pytest.mark.slow
async def test_killed_between_moves_it_is_back_for_the_next(tmp_path: Path) -> None:
    table = Table(tmp_path, "good")
    for situation in (BEGIN, LATER) * 5:
        table.seat.ask(situation)
        answer = await table.answer()
        if isinstance(answer, Stumbles):
            answer = await table.answer()
        assert isinstance(answer, Plays)
        assert answer.move.uci() == expected(situation)
        for pid in table.running():
            os.kill(pid, signal.SIGKILL)
    await table.seat.close()
    assert table.running() == []


@pytest.mark.slow
async def test_the_loop_goes_round_while_an_engine_floods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, real = 0, Engine.hear

    def hear(*arguments: Any) -> None:
        nonlocal heard
        heard += 1
        real(*arguments)

    monkeypatch.setattr(Engine, "hear", hear)
    table = Table(tmp_path, "floods")
    table.seat.ask(BEGIN)
    most = before = 0
    while table.answers.empty():
        await asyncio.sleep(0)
        most, before = max(most, heard - before), heard
    assert heard > 1000
    assert most < 100, "lines at once"
    await table.seat.close()


async def test_what_is_withdrawn_is_no_longer_thought_about(tmp_path: Path) -> None:
    table = Table(tmp_path, "thinks", patience=replace(PATIENT, grace_us=10**9))
    table.seat.ask(BEGIN)
    await table.until_told("go")
    table.seat.cancel()
    await table.until_told("stop")
    await table.seat.close()
    assert table.answers.empty()


async def test_a_program_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    program = str(tmp_path / "nothing")
    table = Table(tmp_path, "good", program=program)
    table.seat.ask(BEGIN)
    gone = await table.answer()
    assert isinstance(gone, Gone)
    assert program in gone.text
    await table.seat.close()


async def test_a_whole_game_of_chess960(tmp_path: Path) -> None:
    table = Table(tmp_path, "good")
    start = start_position(7)
    situation = played(start=start)
    for _ in range(60):
        if not situation.position.legal_moves():
            break
        table.seat.ask(situation)
        answer = await table.answer()
        assert isinstance(answer, Plays)
        moves = (*situation.moves, answer.move)
        situation = type(situation)(start, moves, 1 - situation.color)
    assert len(situation.moves) > 20
    await table.seat.close()
