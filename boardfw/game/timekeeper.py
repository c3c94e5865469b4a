"""The timekeeper: keeps the chess clock of one game in step with its record.

A ply presses the clock at the instant at which its piece stood, however much later it is
recognised. All earlier states of the clock are kept, so a ply that becomes another one is pressed
again from the clock before it, and a take-back restores the clock as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from boardfw.game.clock import ChessClock, ClockUse
from boardfw.game.record import ClockSet, PlyTime
from boardfw.game.recorder import Recorder
from boardfw.inference import ReadGame
from boardfw.rules.board import Color
from boardfw.rules.move import common
from boardfw.squares import Bitboard

UNSETTLED_US = 100_000
"""A piece that arrived just before the flag fell may be known only this much later: no switch takes
longer to settle."""


class Pause(Enum):
    """Why both clocks stand still."""

    PLAYERS = auto()
    """The players have pressed the button; until they press it again, or play on."""
    OVER = auto()
    """The game has ended; until play goes on."""
    MISMATCH = auto()
    ASKED = auto()
    """A new game has been asked for."""
    OWED = auto()
    """The move of an opponent who is not at the board waits for the hands."""
    BLIND = auto()
    """The switches cannot be read, and the players have been told to wait."""


class Moment(NamedTuple):
    """The clock since an instant."""

    t_us: int
    clock: ChessClock
    took_us: int = 0
    """How long the move took that pressed it."""
    ruled: ClockSet | None = None
    """The setting, if an arbiter set the clock."""


class Lit(NamedTuple):
    """An opponent's move that has pressed the clock by being lit."""

    ply: int
    """Counted from 0."""
    t_us: int
    is_awaited: bool = True
    """Whether the hands have still to make it."""


class Timekeeper:
    """The chess clock of one game."""

    def __init__(
        self, recorder: Recorder, use: ClockUse, took_us: Sequence[int] = (), t_us: int = 0
    ) -> None:
        """``took_us``: how long the plies took that were pressed before the game was cut off.

        It goes on at ``t_us``, but its clock only when a player says so, or plays on.
        """
        self.use = use
        self._recorder = recorder
        record = recorder.record
        self._moments = [Moment(record.started_us, ChessClock.of(use.control, record.start.turn))]
        self._landed_us: list[int] = []
        """When the piece of each ply stood, or when it was lit, where that presses the clock."""
        self._lit: Lit | None = None
        """The opponent's move that has pressed the clock by being lit; None: none has."""
        self._held: set[Pause] = set()
        self._take_up(t_us, took_us, record.clock_sets)

    def _take_up(self, t_us: int, took_us: Sequence[int], sets: Sequence[ClockSet]) -> None:
        """Press and set the clock again as it was pressed and set before."""
        if not (took_us or sets):
            return
        pressed_us = t_us - sum(took_us)
        self._set(pressed_us, sets)
        for took in took_us:
            pressed_us += took
            self._press(pressed_us, is_past=True)
            self._landed_us.append(pressed_us)
            self._set(pressed_us, sets)
        self.stop(t_us, Pause.PLAYERS)

    def _set(self, t_us: int, sets: Sequence[ClockSet]) -> None:
        """Set the clock as arbiters did when it had been pressed as often as now."""
        for one in sets:
            clock = self.clock
            if one.presses == clock.presses:
                clock = clock.set_to(one.left_us, one.periods, t_us)
                self._enter(Moment(t_us, clock, ruled=one))

    @property
    def clock(self) -> ChessClock:
        """The clock as it stands."""
        return self._moments[-1].clock

    def flag_due_us(self, rested_us: int) -> int | None:
        """When it is certain that no piece arrived before the flag fell; None: it does not fall.

        ``rested_us``: when the hands will have been off the board for a while.
        """
        flag_us = self.clock.flag_us
        return None if flag_us is None else max(flag_us + UNSETTLED_US, rested_us)

    # --- what the hands do

    def follow(self, t_us: int, game: ReadGame, final: int, taken_to: int | None) -> None:
        """Follow the record, which is what ``game`` says now.

        ``final``: how many of its first plies stay. ``taken_to``: how many plies were left by a
        take-back; None if there was none.
        """
        if taken_to is not None:
            # A final ply is undone only when the board has shown that for a while.
            home_us = game.landed_us if game.took_back else t_us
            self._take_back(taken_to, home_us)
        if self.use.by_button:
            return
        kept = min(final, len(self._landed_us))
        landed_us = self._landed_us[:kept] + self._landings(game, kept)
        if self._lit is not None:
            landed_us[self._lit.ply : self._lit.ply + 1] = [self._lit.t_us]
            if self._lit.is_awaited and len(game.moves) > self._lit.ply:
                self._lit = self._lit._replace(is_awaited=False)
                self.resume(t_us, Pause.PLAYERS)  # who makes it plays on
        same = common(self._landed_us, landed_us)
        self._landed_us = landed_us
        for ply in range(same, len(landed_us)):
            self._rewind(ply, landed_us[ply])
            self._press(landed_us[ply])

    def _landings(self, game: ReadGame, since: int) -> list[int]:
        """When the pieces of a game's plies stood, from index ``since`` on."""
        landed_us: list[int] = []
        for before, after in game.plies_since(since):
            # After a take-back it has the time of that; the ply landed as it did before.
            before_us = self._landed_us[len(before.moves) :] if after.took_back else []
            landed_us.append(before_us[0] if before_us else after.landed_us)
        return landed_us[::-1]

    def _take_back(self, plies: int, t_us: int) -> None:
        """Restore the clock as it was when this many plies had been made."""
        del self._landed_us[plies:]
        if self._lit is not None and plies <= self._lit.ply:
            self._lit = None
        if self._moments[-1].clock.presses < plies:
            return  # the clock has not been pressed that far
        self._rewind(plies)
        begun_us, clock, *_ = self._moments[-1]
        self._play_on()
        self._enter(Moment(t_us, clock.pause(begun_us).go_on(t_us)))

    def _rewind(self, plies: int, t_us: int | None = None) -> None:
        """Forget the clock's states since an instant, or since the ply after these began."""
        while len(self._moments) > 1:
            before, last = self._moments[-2:]
            begun = before.clock.presses == plies and (t_us is None or last.t_us > t_us)
            if last.clock.presses <= plies and (not begun or last.ruled):
                return
            self._moments.pop()

    # --- what players say by buttons, and what stops the time

    def press(self, t_us: int, color: Color) -> None:
        """Handle a player's button of the clock."""
        clock = self.clock
        if color != clock.turn and not clock.has_begun:
            self._begin(t_us)
        elif color == clock.turn and self.use.by_button:
            self._press(t_us)

    def press_pause(self, t_us: int) -> None:
        """Handle the button that stops both clocks, and pressed again starts them."""
        if Pause.PLAYERS in self._held:
            self.resume(t_us, Pause.PLAYERS)
        else:
            self.stop(t_us, Pause.PLAYERS)

    def stop(self, t_us: int, why: Pause) -> None:
        """Let both clocks stand still, for this reason too."""
        if why not in self._held:
            self._held.add(why)
            self._go_on(t_us)

    def resume(self, t_us: int, why: Pause) -> None:
        """This reason is gone; the clock runs again unless there is another."""
        if why in self._held:
            self._held.remove(why)
            self._go_on(t_us)

    def note_mismatch(self, t_us: int, squares: Bitboard) -> None:
        """Take note of the squares on which something stands wrong; 0 if nothing does."""
        if self.use.pauses_on_mismatch:
            (self.stop if squares else self.resume)(t_us, Pause.MISMATCH)

    def wait_for_hands(self, t_us: int, ply: int | None) -> None:
        """Take note which ply is an opponent's move that is lit and still to be made; None: none.

        The plies are counted from 0.
        """
        if not self.use.runs_while_owed:
            (self.resume if ply is None else self.stop)(t_us, Pause.OWED)
        elif ply is not None and not self._is_lit(ply) and not self.use.by_button:
            self._lit = Lit(ply, t_us)
            self._landed_us[ply:] = [t_us]
            if self.clock.presses <= ply:
                self._press(t_us, plays_on=False)

    # --- how it is done

    def _is_lit(self, ply: int) -> bool:
        return self._lit is not None and self._lit.ply >= ply

    def _go_on(self, t_us: int) -> None:
        """The reasons to stand still have changed; a flag that has fallen stays down."""
        clock = self.clock
        if clock.flag_fallen(t_us) is None:
            self._enter(Moment(t_us, clock.go_on(t_us)))

    def _begin(self, t_us: int) -> None:
        """Start the clock of the side to move before its first move; what was before is void."""
        clock = self.clock
        ruled = next((one.ruled for one in self._moments[::-1] if one.ruled), None)
        self._play_on()
        self._moments = [Moment(t_us, clock.press(1 - clock.turn, t_us), ruled=ruled)]

    def _press(self, t_us: int, *, is_past: bool = False, plays_on: bool = True) -> None:
        """Press the clock for the side to move; ``plays_on``: which ends a pause."""
        clock = self.clock
        pressed = clock.press(clock.turn, t_us, is_past=is_past)
        if pressed.presses > clock.presses:
            if plays_on:
                self._play_on()
            self._enter(Moment(t_us, pressed, clock.elapsed_us(t_us)))

    def _play_on(self) -> None:
        self._held -= {Pause.PLAYERS, Pause.OVER}

    def _enter(self, moment: Moment) -> None:
        if self._held:
            moment = moment._replace(clock=moment.clock.pause(moment.t_us))
        self._moments.append(moment)
        sets = (one.ruled for one in self._moments if one.ruled)
        self._recorder.note_clock(self._ply_times(), sets)

    def _ply_times(self) -> Iterator[PlyTime]:
        plies = 0
        for t_us, clock, took_us, _ in self._moments:
            if clock.presses > plies:
                plies = clock.presses
                yield PlyTime(clock.remaining_us(1 - clock.turn, t_us), took_us)
