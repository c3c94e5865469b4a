"""A pupil at a desk: touches as in the dances, and what the desk's lights say meanwhile."""

from __future__ import annotations

from boardfw.game.events import Action, Tick
from boardfw.game.session import Session
from boardfw.lights.cue import WAYS, Cue
from boardfw.lights.scene import Scene, scene
from boardfw.notation.fen import parse_fen
from boardfw.ports import Pressed
from boardfw.recording import Press, Scan
from boardfw.shell.config import HelpSettings, LightSettings, PlayerHelp, Settings
from boardfw.shell.desk import Desk
from boardfw.squares import BY_NAME, Bitboard, Occupancy, names_of
from tests.lights.shown import squares_of

STEP_US = 200_000
REST_US = 800_000
FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Pupil:
    """Hands at a board whose players are helped so."""

    def __init__(
        self, fen: str = FIRST, *, white: PlayerHelp | None = None, black: PlayerHelp | None = None
    ) -> None:
        usual = PlayerHelp()
        both = HelpSettings(white=white or usual, black=black or usual)
        settings = Settings(lights=LightSettings(), help=both)
        start = parse_fen(fen)
        self._sit(Desk(Session(start), settings), start.occupied)

    def _sit(self, desk: Desk, standing: Bitboard) -> None:
        """Begin at this desk, with pieces on these squares."""
        self.desk = desk
        self.said: list[Action] = []
        self.t_us = 0
        self._standing = standing
        self._take(Scan(0, Occupancy(standing)))
        self.wait(1_000_000)

    def do(self, dance: str) -> None:
        """Touches 200 ms apart, such as ``-e2 +e4``; a number: so many milliseconds pass."""
        for token in dance.split():
            if token.isdigit():
                self.wait(int(token) * 1000)
                continue
            self.wait(STEP_US)
            self.touch(token)
        if not dance.rsplit(maxsplit=1)[-1].isdigit():
            self.wait(REST_US)

    def touch(self, token: str) -> None:
        """One touch, now."""
        bit = 1 << BY_NAME[token[1:]]
        assert bool(self._standing & bit) == (token[0] == "-"), token
        self._standing ^= bit
        self._take(Scan(self.t_us, Occupancy(self._standing)))

    def press(self, button: Pressed) -> None:
        """A button is pressed."""
        self._take(Press(self.t_us, button))

    def wait(self, duration_us: int) -> None:
        """Let time pass; the desk sees every instant it waits for."""
        until_us = self.t_us + duration_us
        while (due_us := self.desk.deadline_us) is not None and due_us < until_us:
            self._take(Tick(due_us))
        self.t_us = until_us
        self._take(Tick(until_us))

    @property
    def scene(self) -> Scene:
        """What the lights say now."""
        return scene(self.desk.view)

    def lit(self, cue: Cue) -> str:
        """The squares that say this, such as ``e3 e4``."""
        return " ".join(names_of(squares_of(self.scene, cue)))

    @property
    def line(self) -> str:
        """The squares along which a light runs, in its order."""
        return " ".join(filter(None, map(self.lit, WAYS)))

    def heard(self, kind: type[Action]) -> list[Action]:
        """Everything of one kind that was said."""
        return [action for action in self.said if type(action) is kind]

    @property
    def moves(self) -> str:
        """The record, in UCI."""
        return " ".join(move.uci() for move in self.desk.session.record.moves)

    def _take(self, event: Press | Scan | Tick) -> None:
        self.t_us = max(self.t_us, event.t_us)
        self.said += self.desk.take(event)
