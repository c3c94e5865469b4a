"""A new game as a page wishes it: players, clock, help and start, through what words use, too."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import msgspec

from boardfw.errors import BoardError, NotationError
from boardfw.game.clock import ClockUse
from boardfw.game.events import Action, ClockChosen, Event, GameGiven, Given, NewGame, Tick
from boardfw.notation.fen import parse_fen
from boardfw.phrase import Phrase
from boardfw.ports import Clock, Pressed
from boardfw.rules import BLACK, WHITE, Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.chess960 import STARTS, start_position
from boardfw.rules.outcome import outcome
from boardfw.services.levels import LEVELS
from boardfw.services.opponents import OWN, at_level, is_there
from boardfw.services.uci.program import usual_program
from boardfw.services.web.api import GameChoices, GameWish, LevelInfo, OpponentWish
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.state import Side
from boardfw.shell.away_seat import AwaySeat, Sitting
from boardfw.shell.config import Settings
from boardfw.shell.dates import EARLIEST, LATEST, Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import SIDES, Names
from boardfw.shell.taught_desk import ENDS, TaughtDesk

CLOCKS = ("none", "3+2", "5+3", "10", "15+10", "90+30")
"""Those that a page offers; any other may be written."""


def _soon(then: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_soon(then)


@dataclass(slots=True)
class Controls:
    """What the pages can do in a run; all in the thread of the board's loop."""

    tell: Callable[[Event], None] = lambda _: None
    """Brings an event to the session."""
    press: Callable[[Pressed], None] = lambda _: None
    names: Names = field(default_factory=Names)
    away: AwaySeat | None = None
    """The seat of a player who is not at the board; None: there is none."""
    follow: Callable[[], None] = lambda: None
    """Lets simulated hands set up what the board asks for."""
    is_demo: Callable[[], bool] = lambda: False
    """Whether simulated hands play a game by themselves: it gives way to whatever is begun."""
    calendar: Calendar | None = None
    """Knows the date, or may be told it; None: games get none."""
    game_number: Callable[[], int | None] = lambda: None
    """The number in the collection of the game that is played; None: it has none yet."""
    when_lit: Callable[[Callable[[], None]], None] = _soon
    """Calls something once the lights show what was taken last."""


def checked_names(settings: Settings, white: str | None, black: str | None) -> dict[str, str]:
    """The names that are given, as tags. Raises RefusedError where one cannot be kept."""
    given = {"White": white, "Black": black}
    called = {side: name.strip() for side, name in given.items() if name and name.strip()}
    try:
        settings.with_players(called.get("White"), called.get("Black"), None)
    except BoardError as error:
        raise RefusedError(422, str(error).lstrip("-"), where="white, black") from None
    return called


def _wish_of(sitting: Sitting) -> OpponentWish:
    """An opponent as a page would choose it."""
    side: Side = "w" if sitting.color == WHITE else "b"
    name = sitting.wish.name.rpartition("/")[2]
    return OpponentWish(side=side, level=sitting.wish.level.number, engine=name)


class NewGames:
    """Begins games."""

    def __init__(self, desk: Desk, clock: Clock, controls: Controls) -> None:
        self._desk = desk
        self._clock = clock
        self._controls = controls
        self._called: dict[str, str] = {}
        """How the players of the next game are called."""

    def hear(self, said: list[Action]) -> None:
        """The session has said this."""
        if self._called and any(isinstance(action, NewGame | Given) for action in said):
            self._call()

    def choices(self) -> GameChoices:
        """What a new game may be."""
        desk = self._desk
        tags = desk.settings.tags
        called = {"White": tags.white, "Black": tags.black} | self._controls.names.last
        sitting = self._controls.away.chosen if self._controls.away else None
        if sitting is not None:
            called[SIDES[sitting.color]] = "?"  # it is called as its level is
        helps = desk.help_policy.helps
        return GameChoices(
            levels=[LevelInfo(number=one.number, name=one.name) for one in LEVELS],
            clocks=list(CLOCKS),
            opponents=list(self._engines()),
            help=(helps[WHITE].level, helps[BLACK].level),
            white=called["White"],
            black=called["Black"],
            rated=desk.help_policy.is_rated,
            opponent=None if sitting is None else _wish_of(sitting),
            asks_date=self._controls.calendar is not None and self._controls.calendar.is_doubted,
        )

    def begin(self, wish: GameWish) -> str:
        """Let another game begin. Raises RefusedError; then nothing has changed."""
        start = self._start(wish)
        use = self._clock_use(wish)
        sitting = self._sitting(wish)
        called = self._names(wish)
        self._date(wish)
        is_asked = self._desk.session.course.is_asked
        is_taught = isinstance(self._desk, TaughtDesk) and self._desk.is_taught
        if is_taught or (self._controls.is_demo() and not is_asked):
            self._controls.press(ENDS)  # and so a new game is asked for
            is_asked = True
        self._say(ClockChosen(self._clock.now_us(), use))
        told = self._help(wish)
        if self._controls.away:
            self._controls.away.choose(sitting)
        self._called = called
        if start is not None:
            self._say(GameGiven(self._clock.now_us(), start, is_new=True))
        elif not is_asked:
            self._controls.press("new_game")
        self._controls.follow()
        return told

    # --- what is wished

    def _start(self, wish: GameWish) -> Position | None:
        """The position to begin from; None: the usual one."""
        if wish.start == "usual":
            return None
        record, is_asked = self._desk.session.record, self._desk.session.course.is_asked
        gives_way = is_asked or self._controls.is_demo()
        if record.moves and record.outcome is None and not gives_way:
            raise RefusedError(
                409, "a game is being played", where="start", remedy="end it first, by a result"
            )
        if wish.start == "960":
            number = random.randrange(STARTS) if wish.number is None else wish.number
            return start_position(number)
        try:
            position = parse_fen(wish.fen)
        except NotationError as error:
            raise RefusedError(
                422, "no game can start like this", where="fen", remedy=str(error)
            ) from None
        if outcome(position):
            raise RefusedError(422, "the game is over in this position", where="fen")
        return position

    def _clock_use(self, wish: GameWish) -> ClockUse | None:
        control = wish.clock or "none"
        try:
            return msgspec.structs.replace(self._desk.settings.clock, control=control).use()
        except NotationError as error:
            raise RefusedError(422, str(error), where="clock") from None

    def _engines(self) -> dict[str, str]:
        """Return the opponents that a page may name, each with the name that starts it.

        A page sends a name of this list and nothing else. What a name starts is decided on the
        board's side: by the settings, the command line or the terminal.
        """
        away = self._controls.away
        if away is None:
            return {}
        usual = usual_program()
        chosen = [away.usual, *([away.chosen.wish] if away.chosen else [])]
        engines: dict[str, str] = {}
        for name in (*(wish.name for wish in chosen), usual.name if usual else "", OWN):
            if is_there(name):
                engines.setdefault(name.rpartition("/")[2], name)
        return engines

    def _sitting(self, wish: GameWish) -> Sitting | None:
        if wish.opponent is None:
            return None
        if self._controls.away is None:
            raise RefusedError(422, "nobody can sit down", where="opponent")
        engines = self._engines() | {"": self._controls.away.usual.name}
        if wish.opponent.engine not in engines:
            remedy = Phrase("choose one of: {0}", ", ".join(name for name in engines if name))
            raise RefusedError(
                422, "the board has no such opponent", where="opponent.engine", remedy=remedy
            )
        color = WHITE if wish.opponent.side == "w" else BLACK
        named = replace(self._controls.away.usual, name=engines[wish.opponent.engine])
        return Sitting(color, at_level(named, str(wish.opponent.level)))

    def _names(self, wish: GameWish) -> dict[str, str]:
        return checked_names(self._desk.settings, wish.white, wish.black)

    def _help(self, wish: GameWish) -> str:
        if wish.help is None:
            return ""
        told = []
        for color in (WHITE, BLACK):
            if self._desk.help_policy.helps[color].level == wish.help[color]:
                continue
            if refused := self._desk.help(color, wish.help[color]):
                told.append(f"{COLOR_NAMES[color]}: {refused}")
        return "; ".join(told)

    def _date(self, wish: GameWish) -> None:
        """Who plays vouches for the date, where nothing else does."""
        calendar = self._controls.calendar
        if wish.now is None or calendar is None or not calendar.is_doubted:
            return
        if wish.now.tzinfo is None or not EARLIEST <= wish.now < LATEST:
            remedy = f"from {EARLIEST:%Y} to {LATEST:%Y}, with its time zone"
            raise RefusedError(422, "that cannot be the date", where="now", remedy=remedy)
        calendar.tell(wish.now)

    # --- how it is said

    def _call(self) -> None:
        self._controls.names.say(self._desk.session.record, self._called)
        self._called = {}
        self._say(Tick(self._clock.now_us()))  # the writers of the game notice the names now

    def _say(self, event: Event) -> None:
        self._controls.tell(Tick(event.t_us))  # what is due by now belongs to the game before
        self._controls.tell(event)
