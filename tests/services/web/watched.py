"""Games that simulated hands play, as a page's feed hears of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from boardfw.accuracy.games import random_game
from boardfw.game.events import Action
from boardfw.services.web.fold import State
from boardfw.services.web.state import as_json
from boardfw.shell.config import ClockSettings, HelpSettings, Settings
from boardfw.shell.replay import Replay
from boardfw.shell.web.picture import Painter, Seen, events_of, see
from tests.hands import hands_play

Step = tuple[State, list[dict[str, Any]]]
"""How the board was, and what was said before."""
TAGS = {"White": "Ann", "Black": "Bob"}


def settings_of(*, rated: bool = False, clock: str = "none") -> Settings:
    return msgspec.structs.replace(
        Settings(), help=HelpSettings(rated=rated), clock=ClockSettings(control=clock)
    )


@lru_cache(maxsize=16)
def game(
    seed: int, kind: str, plies: int = 12, *, rated: bool = False, clock: str = "none"
) -> tuple[Step, ...]:
    """Each instant of a game at which anything was said or seen."""
    settings = settings_of(rated=rated, clock=clock)
    seen: list[tuple[Seen, list[dict[str, Any]]]] = []

    def hear(said: list[Action]) -> None:
        record = replay.desk.session.record
        now = see(replay.desk, TAGS, None)
        if said or not seen or now.view is not seen[-1][0].view:
            seen.append((now, events_of(said, record.ply_times)))

    recording = hands_play(random_game(seed, plies), kind, seed).recording()
    replay = Replay(recording, settings, hear=hear)
    replay.play()
    painter = Painter("b7", settings.lights.palette())
    return tuple((as_json(painter.paint(now)), events) for now, events in seen)
