"""A game that is over is looked back at: asked for by a button, found by an engine over pipes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from boardfw.errors import ConfigError
from boardfw.game.events import Event, NewGame, Notified
from boardfw.game.phase import Over
from boardfw.game.session import Session
from boardfw.learning.source import InOrder
from boardfw.learning.tutor import Tutor
from boardfw.lights.cue import Cue
from boardfw.lights.scene import Scene
from boardfw.rules import Position
from boardfw.services.analysis.analyst import Analyst
from boardfw.services.web.state import Lesson
from boardfw.shell.config import HelpSettings, LightSettings, Settings
from boardfw.shell.review_desk import ReviewDesk
from boardfw.shell.review_seat import ReviewSeat
from boardfw.shell.web.picture import see
from hardware.clock import VirtualClock
from tests.patience import PATIENCE_S
from tests.services.analysis.analysts import scripted
from tests.services.uci.engines import running
from tests.shell.pupil import Pupil

FOOLS_MATE = "-f2 +f3 800 -e7 +e5 800 -g2 +g4 800 -d8 +h4 800"
BEFORE_THE_MISTAKE = "-h4 +d8 800 -g4 +g2 800"
HOME = "-e5 +e7 800 -f3 +f2 800"


async def until_running(folder: Path, processes: int) -> None:
    """Wait until the engine has so many processes."""
    async with asyncio.timeout(PATIENCE_S):
        while len(running(str(folder))) != processes:  # noqa: ASYNC110
            await asyncio.sleep(0.001)  # nothing tells when another process has started or ended


class Players(Pupil):
    """Two players at a desk that can look back, and who finds the turning points for them."""

    def __init__(
        self,
        folder: Path,
        *behaviours: str,
        settings: Settings | None = None,
        is_there: bool = True,
    ) -> None:
        self._folder, self._behaviours = folder, behaviours
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self.looking = ReviewDesk(Session(), settings or Settings())
        self.seat = ReviewSeat(self.looking, VirtualClock(), self._find, lambda: is_there)
        self.seat.sit(self.events.put_nowait)
        self._sit(self.looking, Position.start().occupied)

    def _find(self) -> Analyst:
        if self._behaviours == ("none",):
            raise ConfigError("no engine is installed")
        return scripted(self._folder, *self._behaviours)

    @property
    def scene(self) -> Scene:
        return self.desk.scene

    def play(self, dance: str) -> None:
        """Touches, of which the seat is told."""
        before = len(self.said)
        self.do(dance)
        self.seat.take(self.said[before:], self.desk)

    def ask(self) -> None:
        """The button is pressed."""
        self.press("hint")
        self.seat.take([], self.desk)

    async def until_shown(self) -> None:
        """Wait for the turning points."""
        while not self.looking.is_taught:
            await self.hear()

    async def hear(self) -> None:
        """Take the next event from elsewhere."""
        event = await asyncio.wait_for(self.events.get(), PATIENCE_S)
        self.said += self.desk.take(event)
        self.seat.take([], self.desk)

    def hear_all(self) -> None:
        """Take what has come."""
        while not self.events.empty():
            self.said += self.desk.take(self.events.get_nowait())

    @property
    def texts(self) -> list[str]:
        """What was told in words."""
        return [one.text for one in self.said if isinstance(one, Notified)]


async def test_the_turning_points_of_a_game_are_replayed_with_lights(tmp_path: Path) -> None:
    players = Players(tmp_path)
    players.play(FOOLS_MATE)
    record = players.desk.session.record
    assert record.outcome is not None
    players.ask()
    assert players.lit(Cue.LOOKED_AT) == "a4"  # it has been heard, and something is done
    await players.until_shown()
    players.hear_all()
    assert not players.lit(Cue.LOOKED_AT)
    players.play(BEFORE_THE_MISTAKE)
    assert (players.lit(Cue.THIS_ONE), players.lit(Cue.PUT_HERE)) == ("g2", "g4")
    players.play("-g2 +g4 1000")
    assert (players.lit(Cue.THIS_ONE), players.lit(Cue.PUT_HERE)) == ("d8", "h4")
    players.play("-d8 +h4 1000")
    players.play(BEFORE_THE_MISTAKE)
    origin, target = players.lit(Cue.THIS_ONE), players.lit(Cue.PUT_HERE)
    assert (origin, target) != ("g2", "g4")  # this was better
    assert players.looking.is_taught
    players.play(f"-{origin} +{target} 1000")
    assert not players.looking.is_taught
    assert players.desk.session.record is record  # nothing of it was play
    assert len(record.moves) == 4
    players.play(f"-{target} +{origin} {HOME} 2000")
    assert players.heard(NewGame)
    assert (record.outcome.result, len(record.moves)) == ("0-1", 4)
    assert running(str(tmp_path)) == []  # the engine was needed no longer
    await players.seat.leave()


async def test_a_page_goes_on_to_see_who_played_the_game_and_not_in_a_lesson(
    tmp_path: Path,
) -> None:
    asked = Lesson(title="", text="", say="", hints_left=0, done=0, of=0)
    names = {"White": "Ann", "Black": "Bob"}
    players = Players(tmp_path)
    players.play(FOOLS_MATE)
    players.ask()
    await players.until_shown()
    assert see(players.looking, names, None, asked).tags == names
    players.looking.teach(lambda stood: Tutor(InOrder([]), stood=stood))
    assert see(players.looking, names, None, asked).tags == {}
    await players.seat.leave()


async def test_the_button_for_a_new_game_ends_it(tmp_path: Path) -> None:
    players = Players(tmp_path)
    players.play(FOOLS_MATE)
    players.ask()
    await players.until_shown()
    players.play(BEFORE_THE_MISTAKE)
    players.press("new_game")
    assert not players.looking.is_taught
    players.play(f"{HOME} 2000")
    assert players.heard(NewGame)
    assert [len(game.moves) for game in players.desk.session.games] == [4, 0]
    await players.seat.leave()


async def test_pressed_again_before_it_is_found_it_is_given_up(tmp_path: Path) -> None:
    players = Players(tmp_path, "thinks")
    players.play(FOOLS_MATE)
    players.ask()
    await until_running(tmp_path, 1)
    players.ask()
    assert not players.lit(Cue.LOOKED_AT)
    await until_running(tmp_path, 0)
    await players.seat.leave()


async def test_a_new_game_is_not_kept_waiting(tmp_path: Path) -> None:
    players = Players(tmp_path, "thinks")
    players.play(FOOLS_MATE)
    players.ask()
    await until_running(tmp_path, 1)
    players.play(f"{BEFORE_THE_MISTAKE} {HOME} 3000")
    assert players.heard(NewGame)
    assert players.looking.wanted is None
    await until_running(tmp_path, 0)
    await players.seat.leave()


@pytest.mark.slow
async def test_the_game_stays_over_though_its_last_ply_seems_to_be_undone(tmp_path: Path) -> None:
    players = Players(tmp_path)
    players.play(FOOLS_MATE)
    record = players.desk.session.record
    ended = record.outcome
    players.ask()
    await players.until_shown()
    players.play(BEFORE_THE_MISTAKE)
    players.play("-g2 +g4 1000")  # all stands as before the mate
    for _ in range(2):
        players.looking.skip()
        players.wait(1_000_000)
    assert not players.looking.is_taught
    players.play("-d8 +f6 8000")
    assert (record.outcome, len(record.moves)) == (ended, 4)
    assert players.desk.session.record is record
    await players.seat.leave()


@pytest.mark.parametrize(("behaviour", "word"), [("none", "no engine"), ("no-move", "Scripted")])
async def test_why_nothing_can_be_shown_is_told(tmp_path: Path, behaviour: str, word: str) -> None:
    players = Players(tmp_path, behaviour)
    players.play(FOOLS_MATE)
    players.hear_all()
    players.ask()
    while players.looking.wanted is not None:
        await players.hear()
    players.hear_all()
    assert word in players.texts[-1]
    assert isinstance(players.desk.session.phase, Over)
    await players.seat.leave()


async def test_a_game_without_turning_points_says_so(tmp_path: Path) -> None:
    players = Players(tmp_path)
    players.play("-e2 +e4 800 -e7 +e5 800")
    players.press("resign_white")
    players.ask()
    while players.looking.wanted is not None:
        await players.hear()
    players.hear_all()
    assert not players.looking.is_taught
    assert players.texts
    await players.seat.leave()


async def test_while_a_game_is_played_the_button_asks_for_no_such_thing(tmp_path: Path) -> None:
    players = Players(tmp_path)
    players.play("-e2 +e4 800")
    players.ask()
    assert players.looking.wanted is None
    await players.seat.leave()


RATED = Settings(help=HelpSettings(rated=True))
UNHELPED = Settings(lights=LightSettings(help_level=0))


@pytest.mark.parametrize(
    ("settings", "is_there", "offers"),
    [(None, True, 1), (None, False, 0), (RATED, True, 0), (UNHELPED, True, 0)],
)
async def test_it_is_offered_where_it_can_be_had_and_never_begins_by_itself(
    tmp_path: Path, settings: Settings | None, is_there: bool, offers: int
) -> None:
    players = Players(tmp_path, settings=settings, is_there=is_there)
    players.play(FOOLS_MATE)
    players.hear_all()
    assert len(players.texts) == offers
    assert players.looking.wanted is None
    assert running(str(tmp_path)) == []
    await players.seat.leave()
