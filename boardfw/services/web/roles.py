"""Who may see and do what: the roles, and the one table of their rights."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias


class Role(Enum):
    """What somebody at a page is to this board."""

    SPECTATOR = "spectator"
    PLAYER = "player"
    ARBITER = "arbiter"
    OWNER = "owner"


class Right(Enum):
    """What a request needs."""

    NOTHING = "nothing"
    """Open to anybody who can reach the board: what the way to a role needs."""
    WATCH = "watch"
    PLAY = "play"
    """Buttons of the table, the simulator's hand, lessons."""
    RULE = "rule"
    """Decisions of an arbiter."""
    OWN = "own"
    """Settings, devices, what deletes, what updates."""


Rights: TypeAlias = frozenset[Right]

RIGHTS: dict[Role | None, Rights] = {
    None: frozenset({Right.NOTHING}),
    Role.SPECTATOR: frozenset({Right.NOTHING, Right.WATCH}),
    Role.PLAYER: frozenset({Right.NOTHING, Right.WATCH, Right.PLAY}),
    Role.ARBITER: frozenset({Right.NOTHING, Right.WATCH, Right.PLAY, Right.RULE}),
    Role.OWNER: frozenset(Right),
}
"""None: somebody without a session."""


def may(role: Role | None, right: Right) -> bool:
    """Whether a role has a right."""
    return right in RIGHTS[role]
