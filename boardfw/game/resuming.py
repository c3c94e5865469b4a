"""A game that is taken up again after nobody could watch: the power was off, or the program.

Its plies are final, but for one that was asked about. Men may have been moved meanwhile, by
accident or as the next ply, and switches cannot tell the one from the other: so the lights lead the
men back, unless somebody says that what stands counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.game.course import Course
from boardfw.game.record import Record
from boardfw.game.table import Table
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that was cut off. Times of its record are before the session's 0."""

    record: Record
    turn: int = 0
    """As of ``Line``: which way round the board stood."""
    asked: tuple[Move, ...] = ()
    """Among these the players were to choose the last ply, and had not."""

    def lines(self, t_us: int, dead: Occupancy = 0) -> list[Line]:
        """The game as it was, at an instant; with each of the plies in question."""
        record, turn = self.record, self.turn
        if not self.asked:
            return [Line.told(record.start, record.moves, t_us, turn=turn, dead=dead)]
        before = record.moves[:-1]
        lasts = sorted(self.asked, key=lambda move: move != record.moves[-1])
        games = [(*before, last) for last in lasts]
        return [Line.told(record.start, game, t_us, turn=turn, dead=dead) for game in games]

    def course(self, t_us: int, standing: Occupancy, table: Table, dead: Occupancy = 0) -> Course:
        """The game as it goes on, the switches ``standing`` closed."""
        tracker = Tracker(self.lines(t_us, dead), Trace(t_us, standing))
        final = len(self.record.moves) - bool(self.asked)
        return Course(self.record, tracker, table, final=final)

    def played_on(self, t_us: int, standing: Occupancy, dead: Occupancy = 0) -> Course | None:
        """The game with the ply that was made unseen; None: no legal one shows what stands.

        Where several do they are rivals, and the board asks.
        """
        line = self.lines(t_us, dead)[0]
        lines = [line.played(move, line.ledger.copy()) for move in line.position.legal_moves()]
        shown = [line for line in lines if not line.wrong(standing)]
        if not shown:
            return None
        return Course(self.record, Tracker(shown, Trace(t_us, standing)), Table.PLAY)
