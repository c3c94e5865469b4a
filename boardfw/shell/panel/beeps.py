"""Beeps: what the buzzer says, in rhythms alone, since most buzzers know one tone only."""

from __future__ import annotations

from enum import Enum, unique

from boardfw.game.events import Action, Asked, Doubted, Ended, Mismatched, Moved, NewGame, Outage


@unique
class Beep(Enum):
    """How each beep sounds: milliseconds of sound, silence, sound ..."""

    HEARD = (15,)
    PLY = (40,)
    QUESTION = (60, 90, 60)
    ILLEGAL = (400,)
    BLIND = (400, 150, 400)
    FLAG = (250, 120, 250, 120, 250)
    OVER = (60, 90, 60, 90, 250)
    NEW_GAME = (250, 90, 60)
    READY = (60, 90, 250)
    GOOD_BYE = (250, 90, 60, 90, 60)


TROUBLE = frozenset({Beep.QUESTION, Beep.ILLEGAL, Beep.BLIND, Beep.FLAG})
"""What is said where the owner wants to hear of trouble alone."""

_ANSWERS: dict[type[Action], Beep] = {
    Moved: Beep.PLY,
    Asked: Beep.QUESTION,
    Doubted: Beep.QUESTION,
    Mismatched: Beep.ILLEGAL,
    Outage: Beep.BLIND,
    Ended: Beep.OVER,
    NewGame: Beep.NEW_GAME,
}


def beep_of(action: Action) -> Beep | None:
    """What answers an action; None: nothing is to be heard."""
    if isinstance(action, Ended) and action.termination == "time":
        return Beep.FLAG
    return _ANSWERS.get(type(action))


def is_wanted(beep: Beep, wish: str) -> bool:
    """Whether the owner wants to hear it; ``wish`` as in the settings."""
    return wish == "all" or (wish == "trouble" and beep in TROUBLE)
