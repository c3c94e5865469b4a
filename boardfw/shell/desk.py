"""The desk: a session with its lights. Anything that has events and a clock can drive it.

The live loop, the virtual one and the replay command all feed the same desk, so a recorded trace
passes through the very code that a board does.
"""

from __future__ import annotations

from typing import Protocol

from boardfw.frame import DARK, Frame
from boardfw.game.build_view import look, next_look_us
from boardfw.game.events import (
    Action,
    Advised,
    Amended,
    Ended,
    Event,
    Moved,
    NewGame,
    Ruled,
    TakenBack,
)
from boardfw.game.help_policy import HelpPolicy
from boardfw.game.opponent import Replied
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.lights import palette
from boardfw.lights.cue import Cue
from boardfw.lights.flash_limiter import FlashLimiter
from boardfw.lights.render import DIMMED, keeps_awake, next_change_us, render
from boardfw.lights.scene import Scene, composed, scene
from boardfw.ports import earliest
from boardfw.recording import Press, Scan
from boardfw.rules import Color
from boardfw.shell.config import Settings
from boardfw.shell.scanner import LateScans
from boardfw.squares import BY_NAME, Occupancy, bitboard_of

CORNERS = bitboard_of(BY_NAME[name] for name in ("a1", "a8", "h1", "h8"))


class Desk:
    """Takes events; answers what is said, what is lit, and when it wants to be asked again."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.session = session
        self.settings = settings
        self.help_policy = HelpPolicy(settings.helps())
        """Which player is helped, and with what."""
        self.help_policy.is_rated = settings.help.rated
        self.late = LateScans()
        """Scans that came late; the scan thread notes them."""
        self._notices: tuple[str, ...] = ()
        self._is_kept, self._trouble, self._damage = True, "", ""
        self._kept_reply: Replied | None = session.away.replied
        """The last move of an opponent that is on the disk; None if there is none."""
        self._good_bye: int | None = None
        self._is_knocked = False
        """Whether somebody asks for the board's page now."""
        self.view: View = self._look()
        self._scene: Scene = self._draw()
        self._limiter = FlashLimiter()
        self._dimming = settings.lights.dimming()
        self._palettes = {level: settings.lights.palette(level) for level in (1.0, DIMMED)}
        self._awake_us = 0
        """When the board was last touched, or the lights had something new to say."""
        self.occupancy: Occupancy | None = None
        """What the last scan read, before debouncing; None before the first one."""
        self._look_us: int | None = None
        """When the view is another one though nothing happens."""

    def take(self, event: Event) -> list[Action]:
        """Let the session handle an event; the lights follow."""
        said = self.session.handle(event)
        self._touched(event)
        is_due = self._look_us is not None and self._look_us <= self.session.t_us
        if said or is_due or self.session.has_heeded:
            said += self._teach()
            said += self._coach(event)
        return said

    def _coach(self, event: Event) -> list[Action]:
        """Look, and let the coach ask about what is seen."""
        policy, t_us = self.help_policy, self.session.t_us
        said: list[Action] = []
        if isinstance(event, Advised):
            policy.coach.hear(event.advice)
        elif isinstance(event, Press) and event.button == "hint":
            said += policy.want_hint(t_us, self.session, self.view)
        self._see()
        return said + policy.consult(t_us, self.session, self.view)

    def finish(self) -> list[Action]:
        """The board is watched no longer."""
        said = self.session.finish()
        self._see()
        return said

    def help(self, color: Color, level: int) -> str:
        """Let a player be helped at this level from now on; why not, or empty."""
        told = self.help_policy.choose(color, level)
        self._see()
        return told

    def confirm(self, *, kept: bool, trouble: str = "", damage: str = "") -> None:
        """Whether all plies are on the disk: the light that confirms the last one waits for it.

        So does an opponent's move: once lit it is its move, whatever becomes of the power.

        ``trouble``: why they cannot be written and how to mend it, if so. ``damage``: a line on
        damaged earlier games.
        """
        if kept or trouble:
            self._kept_reply = self.session.away.replied
        if (kept, trouble, damage) != (self._is_kept, self._trouble, self._damage):
            self._is_kept, self._trouble, self._damage = kept, trouble, damage
            self._see()

    def heed_late_scans(self) -> None:
        """Let the screen say whether the board is watched closely enough."""
        if self.late.notices != self._notices:
            self._notices = self.late.notices
            self._see()

    def show_knock(self, *, is_knocked: bool) -> None:
        """Let the corners say that somebody asks for the board's page, or no more."""
        self._is_knocked = is_knocked
        self._show(self.view)

    def say_good_bye(self, step: int) -> None:
        """The board is being shut down; let this step of its good-bye be shown."""
        self._good_bye = step
        self._see()

    @property
    def scene(self) -> Scene:
        """What the lights say now."""
        return self._scene

    def frame(self, t_us: int) -> Frame:
        """What the lights show at an instant; instants do not go back."""
        lights = self._lights(t_us)
        planned = DARK if lights is None else render(self._scene, t_us, lights)
        return self._limiter.show(t_us, planned)

    def next_frame_us(self, t_us: int) -> int | None:
        """When the lights next change by themselves; None: they stand still."""
        lights = self._lights(t_us)
        moves_us = None if lights is None else next_change_us(self._scene, t_us, lights)
        dims_us = None if keeps_awake(self.view) else self._dims_us(t_us)
        return earliest(moves_us, dims_us, self._limiter.due_us)

    @property
    def is_calm(self) -> bool:
        """Whether each piece stands where the game has it: no hand holds one."""
        return self.view.standing == self.view.position.occupied

    @property
    def deadline_us(self) -> int | None:
        """When the session wants a Tick if nothing happens before."""
        session = self.session
        return earliest(session.deadline_us, self._look_us, after_us=session.t_us)

    def _teach(self) -> list[Action]:
        """Show the help policy what was played; what it doubts does not become final yet."""
        said = self.help_policy.follow(self.session)
        self.session.wait_for(self.help_policy.deadline_us(self.session.t_us))
        return said

    def _see(self) -> None:
        view = self._look()
        self.help_policy.note(view)
        self._look_us = next_look_us(self.session, self.help_policy, view)
        if view != self.view:
            self._show(view)

    def _show(self, view: View) -> None:
        self.view = view
        shown, self._scene = self._scene, self._draw()
        if self._is_knocked:
            self._scene = composed(
                [(Cue.KNOCKS, CORNERS), *self._scene.lit], self._scene.orientation
            )
        if self._scene != shown:
            self._awake_us = max(self._awake_us, self.session.t_us)

    def _draw(self) -> Scene:
        """What the lights say now."""
        return scene(self.view)

    def _touched(self, event: Event) -> None:
        if self._is_touch(event):
            self._awake_us = max(self._awake_us, event.t_us)

    def _is_touch(self, event: Event) -> bool:
        """Whether a hand is at the board; a scan that reads the same as before shows none."""
        if not isinstance(event, Scan):
            return isinstance(event, Press)
        last, self.occupancy = self.occupancy, event.occupancy
        return event.occupancy != last

    def _lights(self, t_us: int) -> palette.Settings | None:
        """How the lights look at an instant; None: they are out."""
        is_awake = keeps_awake(self.view)
        level = 1.0 if is_awake else self._dimming.level(t_us - self._awake_us)
        return self._palettes.get(level)

    def _dims_us(self, t_us: int) -> int | None:
        idle_us = self._dimming.next_change_us(t_us - self._awake_us)
        return None if idle_us is None else self._awake_us + idle_us

    def _look(self) -> View:
        return self._marked(look(self.session, self.help_policy))

    def _marked(self, view: View) -> View:
        """The same, with what is known of the disk, of late scans, and of the end."""
        notes = (*self._notices, *filter(None, [self._damage]))
        if self._is_kept and self._good_bye is None and not notes:
            return view
        if view.owed and not self._is_kept and self.session.away.replied != self._kept_reply:
            view = view._replace(owed=None, is_awaited=True)
        return view._replace(
            unkept=not self._is_kept,
            unwritten=self._trouble,
            notes=notes,
            good_bye=self._good_bye,
        )


RECORDED = (Moved, Amended, TakenBack, Ended, Ruled, NewGame)
"""Actions after which the PGN is another one."""


class Follower(Protocol):
    """What follows the games of a run: writes them, copies them, reports them.

    All calls come from the loop's thread and return at once.
    """

    def start(self, desk: Desk) -> None:
        """The run begins."""

    def take(self, said: list[Action]) -> None:
        """The session has taken an event, and said this."""

    def stop(self) -> None:
        """The run is over; wait for what is still to be done."""


def is_another_game(said: list[Action]) -> bool:
    """Whether the games are others than they were before this was said."""
    return any(isinstance(action, RECORDED) for action in said)
