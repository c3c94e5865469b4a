"""How a game ends: by the rules, by the kings shown in the centre, or by a button."""

from __future__ import annotations

from boardfw.game.record import Record
from boardfw.inference.gesture import kings_result
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.rules import Outcome
from boardfw.rules.board import BLACK, WHITE
from boardfw.rules.claim import claims
from boardfw.rules.ending import resigned
from boardfw.rules.outcome import DRAW, outcome
from boardfw.rules.position import Key

AUTOMATIC = frozenset(
    {
        "checkmate",
        "stalemate",
        "insufficient_material",
        "dead_position",
        "fivefold_repetition",
        "seventyfive_moves",
    }
)
"""Ends that the rules decide; they are undone when their last ply is. All others people decide."""
RESIGNATIONS = {"resign_white": WHITE, "resign_black": BLACK}


def shown_by_kings(tracker: Tracker, stood: Line) -> tuple[Line, Outcome] | None:
    """The game whose result the kings show, and that result.

    Of several the one that ``stood`` before the kings were touched, else the most credible: a king
    who is slid to the centre may look like one who moves there.
    """
    for line in sorted(tracker.lines, key=lambda line: line.moves != stood.moves):
        result = None if line.owed else kings_result(line, tracker.trace)
        if result is not None:
            return line, Outcome(result, "kings")
    return None


def automatic_end(line: Line) -> Outcome | None:
    """The end that the rules put to this game without anybody's claim."""
    return outcome(line.position, _earlier(line))


def end_by_button(button: str, record: Record, line: Line) -> Outcome | None:
    """The end that a button puts to the game; None: it does not end it."""
    if button in RESIGNATIONS:
        return resigned(RESIGNATIONS[button], line.position)
    if button == "draw":
        return record.draw_offered(len(line.moves))
    if button == "claim":
        claimed = claims(line.position, _earlier(line))
        return Outcome(DRAW, claimed[0].kind) if claimed else None
    return None


def _earlier(line: Line) -> list[Key]:
    """Repetition keys of the positions that may have come again in the last, oldest first."""
    keys: list[Key] = []
    ancestor = line.parent
    while ancestor is not None and len(keys) < line.position.halfmove_clock:
        keys.append(ancestor.position.key)
        ancestor = ancestor.parent
    return keys[::-1]
