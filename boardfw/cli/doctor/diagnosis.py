"""What the doctor says of one thing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from boardfw.errors import BoardError


class State(Enum):
    """How it is with one thing."""

    PASSED = "passed"
    WARNED = "warned"
    """The board plays, but not as well as it could, or not for ever."""
    FAILED = "failed"
    """The board does not play, or not as its file says."""
    NOT_APPLICABLE = "not applicable"
    """There is nothing to look at here, or it could not be looked at."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line of the table."""

    name: str
    """Of what was looked at."""
    state: State
    found: str
    remedy: str = ""
    """Where it is not good."""


def passed(name: str, found: str) -> Diagnosis:
    """It is well."""
    return Diagnosis(name, State.PASSED, found)


def warned(name: str, found: str, remedy: str) -> Diagnosis:
    """It goes on, but should be mended."""
    return Diagnosis(name, State.WARNED, found, remedy)


def failed(name: str, found: str, remedy: str) -> Diagnosis:
    """It has to be mended."""
    return Diagnosis(name, State.FAILED, found, remedy)


def not_applicable(name: str, why: str) -> Diagnosis:
    """It cannot be well or ill here."""
    return Diagnosis(name, State.NOT_APPLICABLE, why)


def told(name: str, error: BoardError, remedy: str) -> Diagnosis:
    """What an error says, as a failure; ``remedy`` where it names none of its own."""
    found, own = parted(str(error))
    return failed(name, found, own or remedy)


def parted(message: str) -> tuple[str, str]:
    """What is wrong, and the remedy behind the semicolon with which errors begin it; or none."""
    found, _, remedy = message.partition("; ")
    return found, remedy
