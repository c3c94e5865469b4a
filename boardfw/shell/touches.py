"""What the switches did for a ply, and what each change was taken for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from boardfw.inference.evidence import Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.recording import Press, Recording, Scan
from boardfw.rules import Move, Position
from boardfw.rules.board import PIECE_NAMES
from boardfw.sensing.debounce import Blip, Debounce, Edge
from boardfw.sensing.health import LET_GO_US
from boardfw.squares import NAMES, Square, Switch

COUNTED = {
    Reason.LEFT: "leaves",
    Reason.ARRIVED: "arrives",
    Reason.EMPTIED: "is taken off",
    Reason.REMOVED: "is taken off",
    Reason.RESTORED: "comes back",
    Reason.CAME_LATE: "follows",
}
"""What the edges mean that a ply counts."""
CAPTURED_PIECES = frozenset({Reason.EMPTIED, Reason.REMOVED, Reason.RESTORED})
LATER, EARLIER = "of a later ply", "of the ply before"
PASSING = ("on the way", "and further")
PAIRS = {False: ("is lifted", "is put back"), True: ("a piece comes", "and goes again")}
"""What two changes of a switch mean that nothing counts: it opened first, or closed first."""
QUICK = {
    False: ("the contact lets go", "and holds again"),
    True: ("a magnet passes", "and is gone"),
}
"""The same, where no hand is so quick."""

Meanings = dict[tuple[Switch, int], str]
"""By switch and instant."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What a switch did; ``meaning`` is empty where it played no part."""

    t_us: int
    square: str
    did: str
    meaning: str = ""


def known_of(recording: Recording, settle_us: int) -> Iterator[Edge | Blip]:
    """Everything that the switches of a recording did, in the order in which it was known."""
    debounce: Debounce | None = None
    for entry in recording.entries:
        if isinstance(entry, Scan) and debounce is None:
            debounce = Debounce(entry.occupancy, settle_us)
        elif isinstance(entry, Scan) and debounce is not None:
            yield from debounce.feed(entry.t_us, entry.occupancy)
        elif debounce is not None and not isinstance(entry, Press):
            yield from debounce.advance(entry.t_us)
    if debounce is not None:
        yield from debounce.advance(recording.end_us + settle_us)


def touches(known: list[Edge | Blip], chain: list[Hypothesis]) -> Iterator[Touch]:
    """What the switches did for a ply, of what is ``known`` by now.

    ``chain``: the hypothesis before the ply, the one after it, and those after each later ply.
    """
    before, after, *_ = chain
    recent = list(_since(known, before, after))
    meanings = _paired(recent, before, after) | _counted(chain)
    for one in recent:
        meaning = meanings.get((one.switch, one.t_us), "")
        yield Touch(one.t_us, NAMES[before.orientation.square(one.switch)], did(one), meaning)


def did(known: Edge | Blip) -> str:
    """What a switch did, as ``opened``, ``closed for 3 ms``."""
    level = "closed" if known.closed else "opened"
    if isinstance(known, Edge):
        return level
    return f"{level} for {known.length_us / 1000:.0f} ms"


def _since(
    known: Iterable[Edge | Blip], before: Hypothesis, after: Hypothesis
) -> Iterator[Edge | Blip]:
    """What was done since the ply before."""
    counted = _used(after)  # a piece may have been lifted before the ply before was over
    begun_us = min(before.state.landed_us + 1, after.state.left_us)
    for one in known:
        if one.t_us >= begun_us or (one.switch, one.t_us) in counted:
            yield one


def _counted(chain: list[Hypothesis]) -> Meanings:
    """What the ply makes of the edges that it counts, and which ones a later ply does."""
    before, after, *later = chain
    meanings = dict.fromkeys(_used(before), EARLIER)
    for hypothesis in later:
        meanings |= dict.fromkeys(_used(hypothesis), LATER)
    for (switch, t_us), reason in _used(after).items():
        square = before.orientation.square(switch)
        meanings[switch, t_us] = _role(before.position, after.moves[-1], square, reason)
    return meanings


def _used(hypothesis: Hypothesis) -> dict[tuple[Switch, int], Reason]:
    """The edges that the last ply of a hypothesis counts, and for what."""
    return {
        (finding.switch, finding.t_us): finding.reason
        for finding in hypothesis.state.found
        if finding.switch is not None and finding.reason in COUNTED
    }


def _role(position: Position, move: Move, square: Square, reason: Reason) -> str:
    """What the piece on a square does when its switch changes for this reason."""
    for step in move.steps():
        if square in step and reason not in CAPTURED_PIECES:
            return f"the {_piece(position, step[0])} {COUNTED[reason]}"
    taken = COUNTED[Reason.REMOVED if reason is Reason.CAME_LATE else reason]
    return f"the {_piece(position, square)} {taken}"


def _paired(recent: list[Edge | Blip], before: Hypothesis, after: Hypothesis) -> Meanings:
    """What the other edges look like: a piece passing over, put back, or set down for a moment."""
    counted = _used(after)
    path = before.passed(after.moves[-1])
    edges = [one for one in recent if isinstance(one, Edge)]
    meanings: Meanings = {}
    for switch in {edge.switch for edge in edges}:
        own = [e for e in edges if e.switch == switch and (switch, e.t_us) not in counted]
        for first, second in pairwise(own):
            passes = first.closed and path >> switch & 1
            pairs = QUICK if second.t_us - first.t_us < LET_GO_US else PAIRS
            told = PASSING if passes else pairs[first.closed]
            if (switch, first.t_us) not in meanings:
                meanings[switch, first.t_us], meanings[switch, second.t_us] = told
    return meanings


def _piece(position: Position, square: Square) -> str:
    piece = position.piece_at(square)
    return "piece" if piece is None else PIECE_NAMES[piece.piece_type]
