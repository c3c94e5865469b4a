"""The typed words for games: new, undo, names, clock and so on, on simulated and real boards.

A word for which the panel has a button does the same as the button. Every answer is one line for
the user; None: the word is not one of these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Protocol

import msgspec

from boardfw.errors import BoardError, ConfigError, NotationError
from boardfw.game.clock import control_in_words
from boardfw.game.course import ANSWERS
from boardfw.game.events import ClockChosen, Event, Ruling, Tick
from boardfw.game.phase import GamePhase, Over
from boardfw.game.rulings.decision import parse_ruling
from boardfw.players.game_player import Player, pieces_on
from boardfw.ports import Button, Clock, Pressed
from boardfw.recording import Press
from boardfw.rules import WHITE
from boardfw.rules.board import COLOR_NAMES
from boardfw.services.play_words import parse_play
from boardfw.shell.away_seat import AwaySeat, Sitting
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import Names
from boardfw.shell.review_desk import ReviewDesk
from boardfw.shell.runtime import Listener
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.shell.web.qr_code import qr_lines
from boardfw.terminal.messages import choose_level, result_in_words
from boardfw.terminal.seat import Seat

SIDES = ("white", "black")
NAMES_HOW = "names: write both, like 'names Ann - Bob', or one, like 'white Ann'"
DATE_HOW = "write 'date yes' if it is right, or, for example, 'date 2026-11-24 20:15'"
DATE_FORMATS = ("%Y-%m-%d %H:%M", "%Y-%m-%d")
ASKS_DATE_S = 3.0
"""By then the system has said whether its clock is right, and the question may come."""
NO_PAGE = "this board has no page: docs/web.md tells how it gets one"
NO_DATES = "games get no date: record.dates is 'never' in the settings"
WORDS = (
    *("new", "undo", "takeback", "resign", "draw", "pause", "hint", "names", *SIDES),
    *("clock", "date", "ruling", "level", "play", "analyse", "skip", "page"),
)
"""The words for games, as they are typed."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What words can change outside the session."""

    names: Names = field(default_factory=Names)
    calendar: Calendar | None = None
    """None: games get no date."""
    press: Callable[[Pressed], None] | None = None
    """Presses a button of a board that is being recorded; None: send it as an event.
    """
    away: AwaySeat | None = None
    """The seat of a player who is not at the board; None: there is none."""


class Loop(Protocol):
    """The loop behind the screen: a ``shell.runtime.Runtime``, or one with a virtual clock."""

    @property
    def desk(self) -> Desk:
        """The session and its lights."""

    def listen(self, listener: Listener) -> None:
        """Pass every action of the session to this listener."""

    async def run(self) -> None:
        """Work until stopped."""

    def tell(self, event: Event) -> None:
        """Pass an event from elsewhere to the session."""

    def stop(self) -> None:
        """Let ``run`` return."""


class Talk:
    """Understands words. ``player``: the hands of a simulated board; None: a real board."""

    def __init__(
        self, runtime: Loop, clock: Clock, player: Player | None, beside: Beside | None = None
    ) -> None:
        beside = beside or Beside()
        self.runtime = runtime
        self.clock = clock
        self.seat = Seat(runtime.desk, clock, player)
        self._desk = runtime.desk
        self._names = beside.names
        self._calendar = beside.calendar
        self._press = beside.press or self._tell_press
        self._away = beside.away
        self.seat.press = self._press
        self.page_link: Callable[[], str] | None = None
        """Makes a new address of the board's page; None: it has none."""
        self.page_picture: list[str] = []
        """The address that was told last as a QR code; empty: no other device could open it."""
        self._words: dict[str, Callable[[str], str]] = {
            "new": self._new,
            "undo": self._undo,
            "takeback": self._undo,
            "resign": self._resign,
            "draw": lambda _: self._play("draw"),
            "pause": lambda _: self._play("pause"),
            "hint": lambda _: self._hint(),
            "analyse": lambda _: self._analyse(),
            "skip": lambda _: self._skip(),
            "page": lambda _: self.page() or NO_PAGE,
            "names": self._both_names,
            "white": lambda name: self._name(White=name),
            "black": lambda name: self._name(Black=name),
            "clock": self._choose_clock,
            "date": self._date,
            "ruling": self._rule,
            "play": self._play_against,
            "level": lambda text: choose_level(self._desk, text),
            **{str(n + 1): partial(self._choose, button, n) for button, n in ANSWERS.items()},
        }

    def answer(self, text: str) -> str | None:
        """Do what a line says; returns the answer, empty where the board itself says enough."""
        word, _, rest = text.strip().partition(" ")
        if (word + rest).lower() == "takeback":
            word, rest = "takeback", ""
        act = self._words.get(word.lower())
        return None if act is None else act(rest.strip())

    def page(self) -> str:
        """Where the board's page is, for one more device; empty: there is none."""
        self.page_picture = []
        try:
            if self.page_link is None:
                return ""
            link = self.page_link()
            self.page_picture = qr_lines(link)
            return f"in a browser: {link}"
        except BoardError as error:
            return f"the page has no key now: {error}"

    def date_question(self) -> str:
        """The question whether the date is right; empty: no question is needed."""
        if self._calendar is None or not self._calendar.may_be_told:
            return ""
        shown = _moment(self._calendar.shown())
        return f"is it {shown}? Games get no date until you confirm it: {DATE_HOW}"

    # --- games

    @property
    def _is_asked(self) -> bool:
        return self._desk.session.course.is_asked

    def _new(self, _: str) -> str:
        if not self._is_asked:
            self._press("new_game")
        self.seat.follow()
        is_real = self.seat.board is None
        what = "set up the pieces" if is_real else "the simulator is setting up the pieces"
        return f"a new game: {what}; 'undo' goes back to this one"

    def _play_against(self, text: str) -> str:
        """``play stockfish white level 3 5+3``: a new game against this opponent."""
        if self._away is None:
            return "play: there is no opponent here but those at the board"
        try:
            asked = parse_play(text, self._away.usual)
        except ConfigError as error:
            return str(error)
        if asked.is_timed:
            clock = self._desk.settings.clock.pressed(asked.control)
            self._say(ClockChosen(self.clock.now_us(), clock))
        sitting = None
        against = "between two people"
        if asked.wish is not None:
            color = asked.color or WHITE
            try:
                sitting = self._away.adapted(Sitting(1 - color, asked.wish), self._desk)
            except BoardError as error:
                return str(error)
            against = f"against {sitting.wish.title}, you are {COLOR_NAMES[color]}"
        self._away.choose(sitting)
        return self._new("").replace("a new game", f"a new game {against}", 1)

    def _undo(self, _: str) -> str:
        record, phase = self._desk.session.record, self._desk.session.phase
        if self._is_asked:
            return self._go_back()
        if isinstance(phase, Over) and phase.is_decided:
            return (
                f"{result_in_words(*phase.outcome)}: this result stays; 'new' starts another game"
            )
        if not record.moves:
            return "there is no ply to take back"
        self._press("take_back")
        self.seat.follow()
        return ""

    def _go_back(self) -> str:
        """Continue the former game, once the simulator has set its pieces up again."""
        session = self._desk.session
        if self.seat.board is None:
            self._press("new_game")
        else:
            position, orientation = session.record.positions()[-1], session.game.orientation
            pieces = pieces_on(position, orientation)
            self.seat.set_up_pieces(pieces, then=lambda: self._press("new_game"))
        return "this game goes on"

    def _resign(self, text: str) -> str:
        """``resign white``; without a colour who is at the board, or else the side to move."""
        away = self._desk.session.away.side.color
        turn = self._desk.view.position.turn if away is None else 1 - away
        side = text.lower() or SIDES[turn]
        if side not in SIDES:
            return f"resign {text[:20]}: write 'resign', 'resign white' or 'resign black'"
        return self._play("resign_white" if side == SIDES[0] else "resign_black")

    def _play(self, button: Button) -> str:
        """Press a button that is about a game being played."""
        if self._desk.view.phase is not GamePhase.PLAY and button != "pause":
            return "no game is being played now; 'new' starts one"
        self._press(button)
        return ""

    def _choose(self, button: Pressed, index: int, _: str) -> str:
        """Answer the board's question, which move it was."""
        if index >= len(self._desk.view.candidates):
            return f"the board asks nothing that {index + 1} answers"
        self._press(button)
        return ""

    def _hint(self) -> str:
        return self._analyse() if self._may_look_back else self._play("hint")

    @property
    def _may_look_back(self) -> bool:
        desk = self._desk
        return isinstance(desk, ReviewDesk) and desk.may_look_back

    def _analyse(self) -> str:
        """Look back at the game that is over; once more: give that up."""
        if not self._may_look_back:
            return "no game is over; 'boardfw games analyse N' looks at earlier ones"
        self._press("hint")
        return ""

    def _skip(self) -> str:
        desk = self._desk
        if not (isinstance(desk, TaughtDesk) and desk.is_taught):
            return "there is nothing to skip"
        desk.skip()
        self._say(Tick(self.clock.now_us()))
        return ""

    def _rule(self, text: str) -> str:
        """An arbiter has typed a ruling; the session reports the outcome."""
        try:
            decision, who, why = parse_ruling(self._desk.session.record.start, text)
        except NotationError as error:
            return str(error)
        self._say(Ruling(self.clock.now_us(), who, why, decision))
        return ""

    # --- players and time

    def _both_names(self, text: str) -> str:
        if not text:
            return self._who_plays()
        white, dash, black = (part.strip() for part in text.partition(" - "))
        return self._name(White=white, Black=black) if dash and white and black else NAMES_HOW

    def _name(self, **players: str) -> str:
        if not all(players.values()):
            return NAMES_HOW
        white, black = players.get("White"), players.get("Black")
        try:
            self._desk.settings.with_players(white, black, None)
        except ConfigError as error:
            return str(error).lstrip("-")
        self._names.say(self._desk.session.record, players)
        self._say(Tick(self.clock.now_us()))  # the writers of the game notice the names now
        return self._who_plays()

    def _who_plays(self) -> str:
        tags = self._desk.settings.tags
        called = {"White": tags.white, "Black": tags.black} | self._names.last
        return f"White: {called['White']}, Black: {called['Black']}"

    def _choose_clock(self, text: str) -> str:
        record = self._desk.session.record
        if not text:
            control = record.control
            told = control_in_words(control) if control else "none; 'clock 5+3' chooses one"
            return f"clock: {told}"
        settings = msgspec.structs.replace(self._desk.settings.clock, control=text)
        try:
            use = settings.use()
        except NotationError as error:
            return str(error)
        self._say(ClockChosen(self.clock.now_us(), use))
        is_later = bool(record.moves) and record.outcome is None
        since = " from the next game on" if is_later or self._is_asked else ""
        return f"clock{since}: {control_in_words(use.control) if use else 'none'}"

    def _date(self, text: str) -> str:
        if self._calendar is None:
            return "games get no date here"
        if text and text.lower() != "yes":
            moment = _parsed(text, self._calendar.shown())
            if moment is None:
                return f"date {text[:20]}: {DATE_HOW}"
            believed = self._calendar.tell(moment)
        else:
            believed = self._calendar.tell() if text else self._calendar.now()
        if believed is not None:
            return f"the date: {_moment(believed.astimezone())}"
        return self.date_question() or NO_DATES

    # --- how it is said

    def _tell_press(self, button: Pressed) -> None:
        self._say(Press(self.clock.now_us(), button))

    def _say(self, event: Event) -> None:
        self.runtime.tell(Tick(event.t_us))  # whatever is due by now belongs to the game before
        self.runtime.tell(event)


def _moment(moment: datetime) -> str:
    return f"{moment:%A, %Y-%m-%d %H:%M}"


def _parsed(text: str, shown: datetime) -> datetime | None:
    """The moment of a text, where the board stands; a day alone has the time that is shown."""
    for form in DATE_FORMATS:
        try:
            moment = datetime.strptime(text, form)  # noqa: DTZ007 - as the board's own time
        except ValueError:
            continue
        if form == DATE_FORMATS[-1]:
            moment = moment.replace(hour=shown.hour, minute=shown.minute)
        return moment.astimezone()
    return None
