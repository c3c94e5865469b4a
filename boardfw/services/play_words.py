"""What is typed to choose a game: ``play stockfish white level 3 5+3``."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.errors import ConfigError, NotationError
from boardfw.game.clock import TimeControl, parse_control
from boardfw.rules import BLACK, WHITE, Color
from boardfw.services.levels import ADAPTIVE, is_adaptive, level_of
from boardfw.services.opponent_names import SEAT
from boardfw.services.opponents import USUAL, Wish, wished

HOW = (
    "write 'play engine', 'play stockfish white level 3 5+3' (you are White), 'play adaptive', "
    "'play own level 1' or 'play person'"
)
PERSONS = ("person", "people", "human")
COLORS: dict[str, Color] = {"white": WHITE, "black": BLACK}
LEVEL = "level"
NO_CLOCK = "none"
LEVEL_WORDS = 4
"""No level's name has more."""


@dataclass(slots=True)
class Play:
    """The game that is wanted."""

    wish: Wish | None = None
    """The opponent that is not at the board; None: both players are."""
    color: Color | None = None
    """The side of the player at the board; None: it was not said."""
    level: str | None = None
    """In words, as a level can be written; None: it was not said."""
    control: TimeControl | None = None
    """None: without a clock, or as it is."""
    is_timed: bool = False
    """Whether something was said about the clock."""


def parse_play(text: str, usual: Wish = USUAL) -> Play:
    """What is typed behind the word ``play``, in any order but for the opponent, which is first.

    What is not said of it is as of ``usual``. Raises ConfigError, one line.
    """
    words = text.split()
    if not words:
        raise ConfigError(f"play: {HOW}")
    begins_with_name = words[0].lower() not in (*COLORS, LEVEL, ADAPTIVE)
    name = words.pop(0) if begins_with_name else SEAT
    asked = Play()
    while words:
        _read(words, asked)
    if name.lower() not in PERSONS:
        named = "" if name.lower() == SEAT else name
        asked.wish = wished(usual, named, asked.level)
    elif asked.color is not None or asked.level is not None:
        raise ConfigError("play person: two people at the board need no colour and no level")
    return asked


def _read(words: list[str], asked: Play) -> None:
    """Take the next words off, and note what they say. Raises ConfigError."""
    word = words.pop(0)
    if word.lower() in COLORS:
        _once(asked.color is None, word)
        asked.color = COLORS[word.lower()]
    elif word.lower() in (LEVEL, ADAPTIVE):
        _once(asked.level is None, word)
        asked.level = _level(words if word.lower() == LEVEL else [ADAPTIVE])
    else:
        control = _control(word)
        _once(not asked.is_timed, word)
        asked.control, asked.is_timed = control, True


def _once(is_new: bool, word: str) -> None:
    if not is_new:
        raise ConfigError(f"play: {word[:20]!a}: that was said before; {HOW}")


def _level(words: list[str]) -> str:
    """The level that the next words name, as many of them as make sense. Raises ConfigError."""
    for count in range(min(LEVEL_WORDS, len(words)), 1, -1):
        text = " ".join(words[:count])
        try:
            level_of(text)
        except ConfigError:
            continue
        del words[:count]
        return text
    text = words.pop(0) if words else ""
    if not is_adaptive(text):
        level_of(text)
    return text


def _control(word: str) -> TimeControl | None:
    if word.lower() == NO_CLOCK:
        return None
    try:
        return parse_control(word, in_minutes=True)
    except NotationError:
        told = f"{word[:20]!a} is no colour, level or time"
        raise ConfigError(f"play: {told}; {HOW}") from None
