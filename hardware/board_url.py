"""Board URLs, read in one place: which back-end they name, what it is told, and who records it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from boardfw.errors import WiringError

MOST_SPIES = 8
"""Most spies around a board: each is a call within the one before."""
SPY = "spy"


class Scheme(Enum):
    """What a board is."""

    SIM = "sim"
    SIM_I2C = "sim-i2c"
    """Simulated, behind a simulated bus and the real drivers."""
    I2C = "i2c"
    """A real one."""
    REPLAY = "replay"
    """A recording that is played back."""


@dataclass(frozen=True, slots=True)
class BoardUrl:
    """What a board URL names."""

    scheme: Scheme
    rest: str
    """The board, the file or the options."""
    spies: tuple[str, ...] = ()
    """The files to which the board is recorded, the outermost first."""

    def __str__(self) -> str:
        return f"{self.scheme.value}:{self.rest}"

    @property
    def is_simulated(self) -> bool:
        """True if simulated hands can play on the board."""
        return self.scheme in (Scheme.SIM, Scheme.SIM_I2C)

    @property
    def is_recorded(self) -> bool:
        """True if the board plays a recording back: no game is played there."""
        return self.scheme is Scheme.REPLAY

    @property
    def is_artificial(self) -> bool:
        """True if the board is simulated or recorded: its time may run at another speed."""
        return self.scheme is not Scheme.I2C

    @property
    def split(self) -> tuple[str, dict[str, str]]:
        """What stands before a question mark, and the options after it, ``key=value&key=value``.

        Raises WiringError for an option given twice.
        """
        name, _, text = self.rest.partition("?")
        given: dict[str, str] = {}
        for pair in filter(None, text.split("&")):
            key, _, value = pair.partition("=")
            if key in given:
                raise WiringError(f"'{self}': option {key!r} is given twice")
            given[key] = value
        return name, given

    def number(self, key: str, text: str) -> int:
        """A number of seeds or seconds. Raises WiringError."""
        if not (text.isascii() and text.isdigit() and len(text) <= 18):
            raise WiringError(f"'{self}': {key} must be a number of up to 18 digits, not {text!r}")
        return int(text)


def parse_url(text: str) -> BoardUrl:
    """What a board URL names. Raises WiringError for one that names no board."""
    if not text.isprintable():  # messages say it as it is
        raise WiringError(f"{text!r} names no board; leave out what cannot be printed")
    spies: list[str] = []
    rest = text
    while rest.startswith(f"{SPY}:"):
        path, comma, rest = rest.removeprefix(f"{SPY}:").partition(",")
        if not path or not comma:
            raise WiringError(f"'spy:{path}' needs a file and a board; write spy:FILE,URL")
        spies.append(path)
        if len(spies) > MOST_SPIES:
            raise WiringError(f"'spy:{spies[0]}': too many spies; one records it all")
    scheme, colon, rest = rest.partition(":")
    known = tuple(f"{name}:" for name in (*(one.value for one in Scheme), SPY))
    if f"{scheme}{colon}" not in known:
        raise WiringError(f"{text!r} names no board; {hint(f'{scheme.lower()}:', known)}")
    url = BoardUrl(Scheme(scheme), rest, tuple(spies))
    if url.is_recorded and not rest:
        raise WiringError("'replay:' names no file; write replay:FILE")
    if url.scheme is Scheme.I2C and not rest:
        raise WiringError("'i2c:' names no board; write i2c:reference, or i2c:FILE of your own")
    return url


def hint(word: str, known: tuple[str, ...]) -> str:
    """What may be written instead: the known word much like this one, or else all of them."""
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, known))}"
