"""Configuration: a TOML file becomes frozen settings, or one line that says what to mend.

Every key has a default, so that no file at all is a good configuration. `docs/boardfw.toml`
explains each key; a test holds it to what stands here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from math import isnan
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import msgspec
from msgspec import Meta

from boardfw.errors import ConfigError
from boardfw.lights import palette
from boardfw.lights.palette import DEFAULT as LIGHTS
from boardfw.sensing.debounce import SETTLE_US

ONE_LINE: Final = r"^[^\x00-\x1f\x7f]*\Z"

# Each description completes the sentence "KEY must be ...".
Flag = Annotated[bool, Meta(description="true or false")]
BoardUrl = Annotated[
    str, Meta(pattern=r"^[a-z][a-z0-9-]*:", description="a board URL in quotes, such as 'sim:'")
]
ScanPeriod = Annotated[
    int, Meta(ge=500, le=100_000, description="a whole number of microseconds, 500 to 100000")
]
SettleTime = Annotated[
    int, Meta(ge=1, le=100_000, description="a whole number of microseconds, 1 to 100000")
]
Fraction = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Budget = Annotated[
    int, Meta(ge=64, le=20_000, description="a whole number of milliamperes, 64 to 20000")
]
Gamma = Annotated[float, Meta(ge=1, le=3, description="a number from 1 to 3")]
HelpLevel = Annotated[
    int, Meta(ge=0, le=1, description="0 (no help) or 1 (legal squares of a lifted man)")
]
HelpDelay = Annotated[
    int, Meta(ge=0, le=60_000, description="a whole number of milliseconds, 0 to 60000")
]
Directory = Annotated[
    str, Meta(pattern=ONE_LINE, min_length=1, description="a directory's name in quotes")
]
MaybeDirectory = Annotated[
    str, Meta(pattern=ONE_LINE, description="a directory's name in quotes, or '' for none")
]
# PGN allows 255 characters between the quotation marks of a tag.
Tag = Annotated[
    str,
    Meta(pattern=ONE_LINE, max_length=255, description="one line of text, at most 255 characters"),
]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One ``[section]`` of the file."""


class BoardSettings(Section, frozen=True, kw_only=True):
    """Which board is played on."""

    url: BoardUrl = "sim:"


class ScanSettings(Section, frozen=True, kw_only=True):
    """How often the switches are read."""

    period_us: ScanPeriod = 2_000  # a burst over five chips takes 1.0 ms at 400 kHz on a Pi 3


class SettleSettings(Section, frozen=True, kw_only=True):
    """How long a switch must rest before it is believed."""

    square_us: SettleTime = SETTLE_US


class LightSettings(Section, frozen=True, kw_only=True):
    """How the lights look, and how much they help."""

    brightness: Fraction = LIGHTS.brightness
    budget_ma: Budget = LIGHTS.budget_ma
    gamma: Gamma = LIGHTS.gamma
    mono: Flag = LIGHTS.mono
    help_level: HelpLevel = 1
    help_delay_ms: HelpDelay = 0

    def palette(self) -> palette.Settings:
        """What the lights need to know."""
        return palette.Settings(
            brightness=self.brightness, mono=self.mono, budget_ma=self.budget_ma, gamma=self.gamma
        )


class RecordSettings(Section, frozen=True, kw_only=True):
    """Where games and recordings of the switches are kept."""

    pgn: Directory = "games"
    trace: MaybeDirectory = ""


class TagSettings(Section, frozen=True, kw_only=True):
    """What the PGN says about a game beside its moves; "?" is PGN's word for unknown."""

    event: Tag = "Casual game"
    site: Tag = "?"
    round: Tag = "-"
    white: Tag = "?"
    black: Tag = "?"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the owner of a board may choose."""

    board: BoardSettings = BoardSettings()
    scan: ScanSettings = ScanSettings()
    settle: SettleSettings = SettleSettings()
    lights: LightSettings = LightSettings()
    record: RecordSettings = RecordSettings()
    tags: TagSettings = TagSettings()


SECTIONS: Final[dict[str, type[Section]]] = get_type_hints(Settings)
KEYS: Final[dict[str, Any]] = {
    f"{name}.{key}": hint
    for name, section in SECTIONS.items()
    for key, hint in get_type_hints(section, include_extras=True).items()
}
"""Every key, dotted, with its annotated type."""


def load_config(path: Path | None = None) -> Settings:
    """Settings of a file; without a file, the defaults.

    Raises ConfigError, one line that begins with ``FILE:LINE:``, for the first thing that is
    wrong in it.
    """
    if path is None:
        return Settings()
    text = _text(path)
    document = _parse(path, text)
    for trouble_path, trouble in _troubles(document):
        raise ConfigError(f"{path}:{line_of(text, trouble_path)}: {trouble}")
    return msgspec.convert(document, Settings)


def place_in(file: Path, path: tuple[str, ...]) -> str:
    """``FILE:LINE`` of a key of a file that was read, for what only its use shows to be wrong."""
    return f"{file}:{line_of(_text(file), path)}"


def line_of(text: str, path: tuple[str, ...]) -> int:
    """Line, from 1, on which the statement begins that gives this key or section its value.

    The parser tells no lines, so it is asked for longer and longer beginnings of the file: the
    first one that holds the key ends with its statement, and the last one before it that could
    be read at all ends where that statement begins.
    """
    lines = text.splitlines(keepends=True)
    begins = 0
    for count in range(1, len(lines) + 1):
        try:
            document = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if _holds(document, path):
            break
        begins = count
    return begins + 1


def _holds(document: object, path: tuple[str, ...]) -> bool:
    for key in path:
        if not isinstance(document, dict) or key not in document:
            return False
        document = document[key]
    return True


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        return raw.decode("utf-8-sig")  # some editors put a byte order mark before the text
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: not UTF-8; save the file as UTF-8 text") from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{path}:1: nested too deeply; settings are plain values") from error
    except ValueError as error:  # broken TOML, and numbers too long for Python
        place = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        what = str(error)[: place.start()] if place else re.sub(r" \(at end.*\)$", "", str(error))
        line = int(place[1]) if place else max(1, len(text.splitlines()))
        spot = f" at column {place[2]}" if place else ""
        raise ConfigError(f"{path}:{line}: not TOML: {what}{spot}") from error


def _troubles(document: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong, in the order of the file: (path of the culprit, what to do about it)."""
    for name, section in document.items():
        if name not in SECTIONS:
            yield (name,), _unknown(name, section)
        elif not isinstance(section, dict):
            yield (name,), f"{name!r} is a section; write [{name}] and its keys on lines below it"
        else:
            yield from _troubles_of_section(name, section)


def _troubles_of_section(
    name: str, section: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], str]]:
    for key, value in section.items():
        dotted = f"{name}.{key}"
        if dotted not in KEYS:
            yield (name, key), _unknown_key(dotted)
        elif not _fits(value, KEYS[dotted]):
            wanted = KEYS[dotted].__metadata__[0].description
            yield (name, key), f"{dotted!r} must be {wanted}, not {_shown(value)}"


def _fits(value: object, hint: Any) -> bool:
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return not (isinstance(value, float) and isnan(value))  # nan slips through every range


def _unknown(name: str, value: object) -> str:
    if not isinstance(value, dict):
        return _unknown_key(name)
    near = get_close_matches(name, SECTIONS, n=1)
    hint = f"did you mean [{near[0]}]?" if near else f"there are {', '.join(SECTIONS)}"
    return f"unknown section {name!r}; {hint}"


def _unknown_key(dotted: str) -> str:
    section, _, key = dotted.rpartition(".")
    near = get_close_matches(dotted, KEYS, n=1) if section else []
    near = near or [name for name in KEYS if name.endswith(f".{key}")]
    near = near or get_close_matches(key, [name.partition(".")[2] for name in KEYS], n=1)
    if near:
        nearest = near[0] if "." in near[0] else next(n for n in KEYS if n.endswith(f".{near[0]}"))
        return f"unknown key {dotted!r}; did you mean {nearest!r}?"
    known = [name for name in KEYS if name.startswith(f"{section}.")] or list(SECTIONS)
    return f"unknown key {dotted!r}; there are {', '.join(known)}"


def _shown(value: object) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 40 else f"{text[:37]}..."
