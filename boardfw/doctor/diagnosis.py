"""What the doctor says about one thing, and all of it as a table of 80 columns or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap

import msgspec

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
    sample: tuple[str, ...] = ()
    """What was read, line by line; for a report only."""


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


WIDTH = 80
GAP = "  "
WORDS = {
    State.PASSED: "passed",
    State.WARNED: "WARNED",
    State.FAILED: "FAILED",
    State.NOT_APPLICABLE: "-",
}
"""What is not good catches the eye, without colours."""
ARROW = "-> "
"""Before a remedy."""


def as_table(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    """The lines: name, state, what was found, and below it the remedy; at last the sum."""
    first = max(len(diagnosis.name) for diagnosis in diagnoses)
    second = max(map(len, WORDS.values()))
    width = WIDTH - first - second - 2 * len(GAP)
    for diagnosis in diagnoses:
        heads = iter([f"{diagnosis.name:{first}}{GAP}{WORDS[diagnosis.state]:{second}}{GAP}"])
        for text in _texts(diagnosis, width):
            yield (next(heads, " " * (WIDTH - width)) + text).rstrip()
    yield ""
    yield _sum(diagnoses)


def _texts(diagnosis: Diagnosis, width: int) -> Iterator[str]:
    found = plain(diagnosis.found)
    if diagnosis.state is State.NOT_APPLICABLE and not found.startswith("not examined"):
        found = f"not applicable: {found}"
    yield from wrap(found, width) or [""]
    if diagnosis.remedy:
        hanging = " " * len(ARROW)
        yield from wrap(
            plain(diagnosis.remedy), width, initial_indent=ARROW, subsequent_indent=hanging
        )


def plain(text: str) -> str:
    """Names of files may hold anything; what would steer a terminal is written as it is escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _sum(diagnoses: Sequence[Diagnosis]) -> str:
    counts = Counter(diagnosis.state for diagnosis in diagnoses)
    states = (State.PASSED, State.WARNED, State.FAILED)
    return ", ".join(f"{counts[state]} {state.value}" for state in states)


def as_json(diagnoses: Sequence[Diagnosis]) -> str:
    """One object: ``findings``, a list of ``name``, ``state``, ``found``, ``remedy``."""
    findings = [
        {
            "name": diagnosis.name,
            "state": diagnosis.state.value,
            "found": plain(diagnosis.found),
            "remedy": plain(diagnosis.remedy),
        }
        for diagnosis in diagnoses
    ]
    return msgspec.json.format(msgspec.json.encode({"findings": findings}), indent=1).decode()
