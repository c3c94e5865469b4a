"""Move numbers: nobody needs them to read a game, but wrong ones show that moves are missing."""

from __future__ import annotations

from boardfw.notation.pgn.faults import FaultBook
from boardfw.rules.position import Position


class Numbers:
    """Compares the move numbers of a game with its moves; tells of the first that does not fit."""

    def __init__(self, report: FaultBook) -> None:
        self._report = report
        self._ahead = 0
        """How far the board's count is ahead of the text's: many a game that begins with a
        position is numbered from 1."""
        self._is_told = False

    def check(self, number: str, position: Position, line: int = 0, *, is_first: bool) -> None:
        """A number in front of the next move, or of the first; digits only."""
        due = str(position.fullmove_number - self._ahead)
        if self._is_told or number.lstrip("0") == due:
            return
        if is_first and number == "1":
            self._ahead = position.fullmove_number - 1
            return
        self._is_told = True
        self._report(
            f"number {number[:9]} stands where {due} is due; "
            "moves are missing or too many here, or the number is wrong",
            line,
        )
