"""What evidence is worth: the reasons for and against a game, and every constant that weighs them.

Weights are in units of one settled edge that a ply explains. They order what is credible; they are
not measurements. An explained edge is worth more than a ply costs, and a ply that needs an edge
which never came loses more than its other edges earn. Times are in microseconds.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from boardfw.squares import Square

# --- what a ply earns and costs

EDGE = 1.0
"""A settled edge that a ply explains; each edge counts once."""
PLY = 0.6
"""Every ply costs this, so of two games that explain the same edges the shorter wins."""
TAKE_BACK = 1.0
"""Undoing a ply is rarer than making one."""
PENDING_EDGE = 1.0
"""An edge that is still to come: a second piece in the air, a captured piece not yet removed."""
OVERDUE = 1.0
"""The opponent has replied, and the edge has still not come."""
UNTOUCHED = 2.5
"""A piece was captured whose switch never opened: the capturing piece pushed it off."""
BLINKED = 0.7
"""The same, but the switch opened for less than it takes to settle."""
UNWATCHED = 0.7
"""A piece was captured whose switch was not seen to open, and the board could not be read for part
of that time."""
OUT_OF_ORDER = 3.0
"""A ply's pieces arrived before those of the ply before it. Only a late contact explains that;
without this cost a slide over several squares would be read as several plies."""
EARLY = 3.0
"""A piece was lifted before the opponent had begun the previous ply. It may instead have been
captured, or pushed away, in between."""
LOOSENED = 1.2
"""The same, but by less than a contact may be lost for: the piece stood and its switch opened."""
HASTY = 0.4
"""A piece was lifted before the previous ply had landed: possible, but not usual."""
FLEETING = 2.0
"""A piece leaves a square soon after arriving there: it is sliding, and this is no second ply."""

SNATCHED = 1.0
"""The captured piece had just arrived when it left. Fast players recapture like this, and a sliding
piece leaves like this, so the edge is no evidence."""
PASSED = 0.7
"""A piece was seen to pass over a square of its path. That explains two edges, but a piece put down
near the border of that square closes the switch as well."""
PAUSED = 0.7
"""The hands were off the board while the piece stood there, so it may have come to stay."""
BRIDGED = 1.0
"""A piece arrived on its capture before it left: its magnet bridged the border of two squares, for
no longer than seen on this board before. A piece adjusted just before its neighbour is lifted
looks the same."""
LINGERED = 2.0
"""The same, for longer than ever seen on this board. More likely the other piece was adjusted and
this one is in a hand; the reply decides. None of the edges counts for the capture, but it is more
likely than one whose square never opened."""
UNSEEN = 0.6
"""A piece came to or left a dead switch: the ply has one edge less to support it. The value is
chosen so that a piece lifted beside a dead switch is taken to be in a hand until it has been held
for a while."""
DEAD = 3.5
"""A switch is believed dead: rarer than an illegal move that stands, and than a pushed capture."""
IGNORED = 0.6
"""A reply was begun although something stood wrong: players would have corrected it."""
WORKED = 2.0
"""The switch has worked in this game, so it would have failed just now."""
REVIVED = 1.0
"""A switch that was believed dead has moved, so it is not dead."""

# --- what stands wrong at the moment

EXTRA = 1.8
"""A piece stands where the hypothesis has none. This costs more than a hypothesis pays in which the
piece moved there and stood still on its path."""
MISSING = 0.6
"""A piece that is not to move is not where the hypothesis has it."""
IN_HAND = 0.1
"""A piece of the side to move is in the air, as is usual before a move."""
HELD = 0.7
"""The same, with nothing else moving for half a second: it may have been put down."""
GONE = 2.8
"""A piece of either side has been away for so long that it may have captured instead."""
ABSENT = 4.0
"""A piece of either side left before the last ply began, so it is not being moved now."""

# --- what stood wrong with all hands off the board; paid for each square

STOOD = 1.2
"""A piece stood where the hypothesis has none. With EXTRA this outweighs a capture that only seemed
to happen because two pieces were adjusted at once."""
AWAY = 1.0
"""A piece that is not to move was away: it was captured earlier, or was never there."""
VANISHED = 2.0
"""A piece was away that had left before the last ply began."""
FLED = 3.0
"""The piece that had just arrived was away at once, and stands on no other square that it could
have gone to: it was sliding on, and pushed another piece off there."""
STILL = 0.5
"""Any of these, each time that the hands are off the board again and it is not corrected."""
KEPT = 0.3
"""A piece of the side to move was in a hand: possible, but not usual."""
ADJUSTED = 0.8
"""A piece was lifted and put back, and now everything stands as the hypothesis has it. That
explains two edges, but is worth less than those of a ply: contacts are lost by themselves too."""
IDLE = 1.5
"""The same, while the best hypothesis explained all that stood: no ply was in progress."""
RETURNED = 1.0
"""A piece that was away, and not merely in a hand, stands in its place again: it was adjusted."""

# --- what cannot be seen

OTHER_PIECE = 2.25
"""The pawn became another piece than a queen and no put-back chose it. This is less than a
hypothesis loses if a ply goes wrong that only that piece can make, but more than anything else."""
UNCHOSEN = 4.5
"""The pawn became another piece than the put-backs chose. A stop on a wrong square is more
usual."""
EXCUSED = 3.5
"""Another piece's ply is legal only because of that underpromotion. An overlooked check, or a stop
on the path, is more usual."""
TOUCHED = 1.9
"""Asked which piece was captured, a player lifts the piece that stands on that square now. This
outweighs that it is away, and keeps the other game near enough for the reply to confirm the
answer."""
TURNED = 2.0
"""The board was turned round for this game: nearly the evidence of a ply."""

# --- how near is near

EQUAL = 0.25
"""Scores that differ by less are equal: no single edge supports either game."""
LEAD = 0.5
"""What is final wins a tie, for each ply: half an edge is too little evidence to undo one."""
RIVAL = 2.0
"""A game behind the best one by no more than this is a rival: it is one unfinished or undone ply
behind."""
RIVAL_OF_FINAL = 3.0
"""The same for what cannot be unsent: two pieces adjusted at once look like a capture until the
hands are off the board."""

# --- times

OVERLAP_US = 100_000
"""How long a slide over a border lasts, until the board has shown one; then it is learnt. It only
decides how much a capture is believed before the reply."""
FLEETING_US = 250_000
"""A sliding piece stays on a square for less than this; a reply takes longer to be answered."""
GLANCE_US = 50_000
"""A switch closed for less than this had no piece on it: a neighbour passed by."""
REST_US = 500_000
"""Hands are off the board when nothing has changed for half a second."""
PATIENCE_US = 8_000_000
"""Longer than a hand hovers over the board with a piece; it matters for pushed captures only."""
PUT_BACK_US = 190_000
"""A piece that is lifted and put back is away for longer; a rocking one loses contact for less."""
LOOSE_US = 400_000
"""A piece off its centre may lose contact for this long, and be lifted before that is over."""
CHOICE_US = 4_000_000
"""A put-back later than this after the drop before it is an adjustment, not a choice."""


# --- reasons


class Reason(Enum):
    """Why a hypothesis is believed more, or less."""

    __hash__ = object.__hash__
    """Reasons are looked up at every finding, and an Enum's own hash is slow."""

    LEFT = auto()
    ARRIVED = auto()
    EMPTIED = auto()
    REMOVED = auto()
    RESTORED = auto()
    CAME_LATE = auto()
    BLINKED_LATE = auto()
    ANSWERED = auto()
    PLY = auto()
    TAKE_BACK = auto()
    TO_OPEN = auto()
    TO_CLOSE = auto()
    OVERDUE = auto()
    UNTOUCHED = auto()
    BLINKED = auto()
    UNWATCHED = auto()
    EARLY = auto()
    LOOSENED = auto()
    HASTY = auto()
    OUT_OF_ORDER = auto()
    FLEETING = auto()
    SNATCHED = auto()
    PASSED = auto()
    PAUSED = auto()
    BRIDGED = auto()
    LINGERED = auto()
    UNSEEN = auto()
    DEAD = auto()
    WORKED = auto()
    IGNORED = auto()
    REVIVED = auto()
    OTHER_PIECE = auto()
    UNCHOSEN = auto()
    EXCUSED = auto()
    STOOD = auto()
    AWAY = auto()
    VANISHED = auto()
    FLED = auto()
    STAYED = auto()
    STILL = auto()
    KEPT = auto()
    IDLE = auto()
    RETURNED = auto()
    ADJUSTED = auto()
    USED = auto()
    TAKEN = auto()
    AWAITED = auto()
    CROSSED = auto()
    RETAKEN = auto()


WORTH: dict[Reason, float] = {
    Reason.LEFT: EDGE,
    Reason.ARRIVED: EDGE,
    Reason.EMPTIED: EDGE,
    Reason.REMOVED: EDGE,
    Reason.RESTORED: EDGE,
    Reason.CAME_LATE: PENDING_EDGE + EDGE,
    Reason.BLINKED_LATE: UNTOUCHED - BLINKED,
    Reason.ANSWERED: TOUCHED,
    Reason.PLY: -PLY,
    Reason.TAKE_BACK: -TAKE_BACK,
    Reason.TO_OPEN: -PENDING_EDGE,
    Reason.TO_CLOSE: -PENDING_EDGE,
    Reason.OVERDUE: -OVERDUE,
    Reason.UNTOUCHED: -UNTOUCHED,
    Reason.BLINKED: -BLINKED,
    Reason.UNWATCHED: -UNWATCHED,
    Reason.EARLY: -EARLY,
    Reason.LOOSENED: -LOOSENED,
    Reason.HASTY: -HASTY,
    Reason.OUT_OF_ORDER: -OUT_OF_ORDER,
    Reason.FLEETING: -FLEETING,
    Reason.SNATCHED: -SNATCHED,
    Reason.PASSED: PASSED,
    Reason.PAUSED: -PAUSED,
    Reason.BRIDGED: -BRIDGED,
    Reason.LINGERED: -LINGERED,
    Reason.UNSEEN: -UNSEEN,
    Reason.DEAD: -DEAD,
    Reason.WORKED: -WORKED,
    Reason.IGNORED: -IGNORED,
    Reason.REVIVED: -REVIVED,
    Reason.OTHER_PIECE: -OTHER_PIECE,
    Reason.UNCHOSEN: -UNCHOSEN,
    Reason.EXCUSED: -EXCUSED,
    Reason.STOOD: -STOOD,
    Reason.AWAY: -AWAY,
    Reason.VANISHED: -VANISHED,
    Reason.FLED: -FLED,
    Reason.STAYED: FLED,
    Reason.STILL: -STILL,
    Reason.KEPT: -KEPT,
    Reason.IDLE: -IDLE,
    Reason.RETURNED: RETURNED,
    Reason.ADJUSTED: ADJUSTED,
    Reason.USED: -ADJUSTED,
    Reason.TAKEN: AWAY,
    Reason.AWAITED: STILL,
    Reason.CROSSED: STOOD,
    Reason.RETAKEN: FLED,
}
"""What each reason adds to a hypothesis's score, in settled edges."""


class Finding(NamedTuple):
    """One reason, and where and when it was found; ``switch`` is None for a whole ply."""

    reason: Reason
    switch: Square | None = None
    t_us: int = 0

    @property
    def points(self) -> float:
        """What the finding adds to the score."""
        return WORTH[self.reason]
