"""Which of the session's actions a page is told, and what it is told of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardfw.game.events import (
    Action,
    Amended,
    CoachAsked,
    CoachRests,
    Consulted,
    Moved,
    Released,
)
from boardfw.game.record import PlyTime
from boardfw.shell.replay import event_of

BETWEEN_OURSELVES = (Consulted, Released, CoachAsked, CoachRests)
"""What the session says to an engine, which is nobody else's concern."""


def events_of(said: Iterable[Action], ply_times: tuple[PlyTime, ...]) -> list[dict[str, Any]]:
    """The actions as an events file tells them; plies with what the mover's clock showed, in ms."""
    return [_told(one, ply_times) for one in said if not isinstance(one, BETWEEN_OURSELVES)]


def _told(action: Action, ply_times: tuple[PlyTime, ...]) -> dict[str, Any]:
    told = {key: _plain(value) for key, value in event_of(action).items()}
    if isinstance(action, Moved | Amended):
        at = action.ply - 1
        told["clk"] = ply_times[at].left_us // 1000 if at < len(ply_times) else None
    return told


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
