"""The coach of a run: an engine over real pipes answers what the session asks."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from boardfw.errors import ConfigError
from boardfw.frame import Frame
from boardfw.game.events import Advised, Answered, Event
from boardfw.game.help import Help
from boardfw.game.opponent import Stumbles
from boardfw.game.session import Session
from boardfw.lights.cue import Cue
from boardfw.services.analysis.analyst import Analyst
from boardfw.shell.coach_seat import CoachSeat
from boardfw.shell.config import HelpSettings, PlayerHelp, Settings
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.squares import START, SWITCH_BY_NAME
from hardware.clock import MonotonicClock, VirtualClock
from tests.patience import PATIENCE_S
from tests.services.analysis.analysts import scripted
from tests.services.uci.engines import running as running_on
from tests.shell.boards import ScriptedBoard, ScriptedLights
from tests.shell.pupil import Pupil

COACHED = PlayerHelp(level=4)
QUEEN = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1"


async def test_a_lift_is_answered_by_lights(tmp_path: Path) -> None:
    pupil = Pupil(QUEEN, white=COACHED)
    events: asyncio.Queue[Event] = asyncio.Queue()
    seat = CoachSeat(pupil.desk.help_policy.helps, VirtualClock(), lambda: scripted(tmp_path))
    seat.sit(events.put_nowait)
    pupil.do("-d1")
    seat.take(pupil.said, pupil.desk)
    event = await asyncio.wait_for(events.get(), PATIENCE_S)
    assert isinstance(event, Advised)
    pupil.desk.take(event)
    assert "d5" in pupil.lit(Cue.LOSING)
    assert "d3" in pupil.lit(Cue.GOOD)
    await seat.leave()


@pytest.mark.parametrize("level", [3, 4])
async def test_an_engine_is_started_only_for_who_has_a_coach(level: int) -> None:
    started = []

    def find() -> Analyst:
        started.append(1)
        raise ConfigError("no engine is installed")

    seat = CoachSeat((Help(level), Help(0)), VirtualClock(), find)
    told: list[Event] = []
    seat.sit(told.append)
    assert len(started) == len(told) == (level == 4)
    pupil = Pupil(white=COACHED)
    pupil.do("-g1 +g1 -g1")
    seat.take(pupil.said, pupil.desk)
    texts = [event.answer.text for event in told
             if isinstance(event, Answered) and isinstance(event.answer, Stumbles)]  # fmt: skip
    assert len(texts) == 1  # said once, whatever is asked
    assert "no engine" in texts[0]
    await seat.leave()


@pytest.mark.slow
def test_in_a_run_the_strip_shows_what_the_engine_thinks(tmp_path: Path) -> None:
    """The lights' thread sees blue on e3 or e4, which no help without a coach shows."""
    lifted = START & ~(1 << SWITCH_BY_NAME["e2"])
    board, is_blue = ScriptedBoard(lambda n: START if n < 20 else lifted), threading.Event()

    def show(frame: Frame) -> None:
        for name in ("e3", "e4"):
            red, _, blue = frame.pixels[3 * SWITCH_BY_NAME[name] :][:3]
            if blue and not red:
                is_blue.set()

    board.lights = ScriptedLights(show)

    async def play() -> None:
        desk = Desk(Session(), Settings(help=HelpSettings(white=COACHED)))
        runtime = Runtime(board, MonotonicClock(), desk)
        helps = desk.help_policy.helps
        runtime.coach = CoachSeat(helps, MonotonicClock(), lambda: scripted(tmp_path))
        running = asyncio.create_task(runtime.run())
        assert await asyncio.to_thread(is_blue.wait, PATIENCE_S)
        runtime.stop()
        await running

    asyncio.run(play())
    assert running_on(str(tmp_path)) == []
