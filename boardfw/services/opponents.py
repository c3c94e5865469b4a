"""The opponents that this machine has, each put into its seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from boardfw.errors import ConfigError
from boardfw.game.opponent import Tell
from boardfw.services.book import BookPlayer
from boardfw.services.levels import FULL, LEVELS, Level, is_adaptive, level_of
from boardfw.services.manners import Manners
from boardfw.services.opponent_names import SEAT, is_opponent, parts_of
from boardfw.services.own_player import OwnPlayer
from boardfw.services.seat import Pace, Seat, Thinker
from boardfw.services.uci.program import find_program, hash_mb, memory_mb, usual_program

if TYPE_CHECKING:  # many boards never start an engine
    from boardfw.services.uci.conversation import Patience
    from boardfw.services.uci.engine_player import EnginePlayer

OWN = "own"
"""The name of our own player."""
INSTALL = "an engine is installed by: sudo apt install stockfish"
STRONGER = "a stronger opponent is installed by: sudo apt install stockfish"
RESIGNS_FROM = 5
"""The level from which an opponent resigns: who is weaker plays on, and learners want to mate."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which opponent is wanted."""

    name: str = ""
    """An engine's name or path, ``OWN`` for our own player, "" for the best that there is."""
    level: Level = FULL
    adapts: bool = False
    """Whether the level follows the player's results from game to game; it is that of now."""
    resigns: bool | None = None
    """None: as people of that level do."""
    draws: bool = True
    """Whether it offers draws and accepts them."""
    book: bool = True
    """Whether it plays the first moves from our table of openings, as far as its level knows it."""
    pace: Pace = field(default_factory=Pace)
    seed: int = 0
    threads: int = 1
    hash_mb: int | None = None
    """Megabytes; None: as the machine has memory."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Further options of the engine, by name; they go before those above."""
    patience: Patience | None = None
    """How long an engine may take; None: as usual."""

    @property
    def title(self) -> str:
        """How the player is called in a record of the game."""
        name = self._found.rpartition("/")[2]
        return (
            f"{'boardfw' if name == OWN else name}, level {self.level.number} ({self.level.name})"
        )

    @property
    def text(self) -> str:
        """What ``parse_wish`` reads back as this opponent, also when another is the usual one."""
        level = str(self.level.number) if self.level in LEVELS else self.level.name
        return f"{SEAT}:{self._found}?level={level}"

    @property
    def _found(self) -> str:
        """The name of the player who takes the seat."""
        return self.name or (usual_program() or Path(OWN)).name

    def engine_options(self) -> dict[str, str]:
        """What an engine is told once, at its start."""
        memory = hash_mb(memory_mb()) if self.hash_mb is None else self.hash_mb
        usual = {"Threads": str(self.threads), "Hash": str(memory), "Ponder": "false"}
        return usual | dict(self.options)


USUAL = Wish(level=level_of("3"))
"""Where nothing else is said: who plays here for the first time wins now and then."""


def parse_wish(text: str, usual: Wish = USUAL) -> Wish | None:
    """The opponent that a player's name asks for; None if the player is a person.

    ``engine``, ``engine:stockfish``, ``engine:own?level=club player``; what is left out is as of
    ``usual``. Raises ConfigError.
    """
    if not is_opponent(text):
        return None
    return wished(usual, *parts_of(text))


def wished(usual: Wish, name: str = "", level: str | None = None) -> Wish:
    """The usual opponent, with another name or level where one is given. Raises ConfigError."""
    if name in ("", usual.name.rpartition("/")[2]):
        name = usual.name
    if name and not is_there(name):
        raise ConfigError(missing(name))
    wish = replace(usual, name=name)
    return wish if level is None else at_level(wish, level)


def is_there(name: str) -> bool:
    """True if an opponent with this name, or a program at this path, can take the seat."""
    return name == OWN or (name != "" and find_program(name) is not None)


def at_level(wish: Wish, text: str) -> Wish:
    """The same opponent at a level in words, or ``levels.ADAPTIVE``. Raises ConfigError."""
    if is_adaptive(text):
        return replace(wish, adapts=True)
    return replace(wish, level=level_of(text), adapts=False)


def missing(name: str) -> str:
    """What is said where an engine that is named is not there."""
    return (
        f"engine {name!a}: there is no such program; install it, give its whole path, "
        f"or write '{OWN}' for the board's own player"
    )


class Seated(NamedTuple):
    """An opponent that was found, and what is to be said about it."""

    opponent: Seat
    text: str
    """One line for a person; empty: nothing is to be said."""


def seat(wish: Wish, tell: Tell) -> Seated:
    """The opponent that is wanted; to be called in a running loop, whose thread hears the answers.

    Raises ConfigError if the engine that is named is not there.
    """
    text, thinker = "", None
    if wish.name != OWN:
        program = find_program(wish.name) if wish.name else usual_program()
        if program is not None:
            command = (str(program),)
            thinker = engine_player(command, program.name, wish)
        elif wish.name:
            raise ConfigError(missing(wish.name))
        else:
            text = f"no engine is installed, the board's own player plays; {STRONGER}"
    return Seated(_seated(thinker or OwnPlayer(wish.level), wish, tell), text)


def engine_player(command: tuple[str, ...], name: str, wish: Wish) -> EnginePlayer:
    """An engine that is run by this command; it is started at once."""
    from boardfw.services.uci.engine import Engine
    from boardfw.services.uci.engine_player import EnginePlayer

    engine = Engine(command, name, options=wish.engine_options(), patience=wish.patience)
    return EnginePlayer(engine, wish.level)


def _seated(thinker: Thinker, wish: Wish, tell: Tell) -> Seat:
    usual = wish.level.number >= RESIGNS_FROM
    if wish.book:
        thinker = BookPlayer(thinker, wish.level)
    manners = Manners(usual if wish.resigns is None else wish.resigns, wish.draws)
    return Seat(thinker, tell, manners=manners, pace=wish.pace, seed=wish.seed)
