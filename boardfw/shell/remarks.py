"""What the board said of each ply while it was played: when it was sure, and what changed it.

A ply may be said, amended, taken back, asked for and made final. Each remark keeps its time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Finalised,
    MismatchCleared,
    Mismatched,
    Moved,
    Stuck,
    Unstuck,
)
from boardfw.game.record import Record
from boardfw.notation.san import format_san
from boardfw.squares import NAMES, names_of

CHANGES = 3
"""Changes of switches told as what changed the board's mind; the last ones matter."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that the board said about a ply."""

    t_us: int
    event: str
    text: str


class Remarks:
    """Everything that was said of the plies of one game."""

    def __init__(self) -> None:
        self._of: dict[int, list[Remark]] = {}

    def of(self, ply: int) -> list[Remark]:
        """What was said of a ply, in order."""
        return self._of.get(ply, [])

    def since_us(self, ply: int) -> int:
        """When something was said of a ply last; -1: nothing yet."""
        said = self._of.get(ply)
        return said[-1].t_us if said else -1

    def hear_ply(self, action: Moved | Amended, changed: Iterable[str]) -> None:
        """A ply is this move now; ``changed``: what the switches did since the last word of it."""
        if isinstance(action, Moved):
            doubt = ", provisional" if action.provisional else ""
            self._note(action.ply, Remark(action.t_us, "move", f"said: {action.san}{doubt}"))
            return
        told = ", ".join([*changed][-CHANGES:]) or "nothing else moved"
        self._note(action.ply, Remark(action.t_us, "amend", f"amended to: {action.san}, as {told}"))

    def hear_taken_back(self, t_us: int, ply: int, san: str) -> None:
        """A ply was undone on the board."""
        self._note(ply, Remark(t_us, "take_back", f"taken back: {san}"))

    def hear(self, action: Action, record: Record, sans: list[str]) -> None:
        """Note whatever else is said of a ply; ``sans``: the plies as they were said."""
        t_us, last = action.t_us, len(sans)
        match action:
            case Finalised(ply=ply):
                self._note(ply, Remark(t_us, "final", f"final: {sans[ply - 1]}"))
            case Asked(candidates=candidates):
                ply, names = _question(record, candidates)
                self._note(ply, Remark(t_us, "ask", f"asked: {' or '.join(names)}?"))
            case Mismatched(missing=missing, extra=extra):
                text = f"stands wrong: missing {_list(missing)}, too many {_list(extra)}"
                self._note(last + 1, Remark(t_us, "mismatch", text))
            case MismatchCleared():
                self._note(last + 1, Remark(t_us, "mismatch_cleared", "stands right again"))
            case Stuck(square=square, closed=closed):
                verb = "open" if closed else "close"
                text = f"found out: the switch of {NAMES[square]} does not {verb}"
                self._note(last, Remark(t_us, "stuck", text))
            case Unstuck(square=square):
                text = f"found out: the switch of {NAMES[square]} works"
                self._note(last, Remark(t_us, "unstuck", text))

    def _note(self, ply: int, said: Remark) -> None:
        self._of.setdefault(ply, []).append(said)


def _question(record: Record, candidates: tuple[str, ...]) -> tuple[int, Iterable[str]]:
    """The ply that is asked for, the last one that could be all of these moves, and their SAN."""
    positions = record.positions()
    for ply in range(len(record.moves), 0, -1):
        position = positions[ply - 1]
        legal = {move.uci(): move for move in position.legal_moves()}
        if legal.keys() >= set(candidates):
            return ply, [format_san(position, legal[uci]) for uci in candidates]
    return len(record.moves), candidates


def _list(squares: int) -> str:
    return " ".join(names_of(squares)) or "nothing"
