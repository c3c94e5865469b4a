"""What evidence is worth: every constant by which games are compared, in one place.

Weights are in units of one settled edge that a ply explains. They are orders of credibility, not
measurements: an edge explained is worth more than a ply costs, and a ply that needs an edge which
never came loses more than its other edges earn. Times are microseconds of hands and magnets.
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
"""An edge that is still to come: a second man in the air, a taken man not yet removed."""
OVERDUE = 1.0
"""The opponent has replied, and it has still not come."""
UNTOUCHED = 2.5
"""A man was taken whose switch never opened: pushed off by the taker."""
BLINKED = 0.7
"""The same, but the switch opened for less than it takes to settle."""
UNWATCHED = 0.7
"""A man was taken whose switch was not seen to open, and for some of that time the board could
not be read."""
OUT_OF_ORDER = 3.0
"""A ply's men arrived before those of the ply before it: only a late contact can have done that,
while a man who slides over several squares would else be read as several plies."""
EARLY = 3.0
"""A man was lifted before the opponent had even begun the ply before his: he may as well have
been taken off, or pushed away, in between."""
LOOSENED = 1.2
"""The same by less than a contact may be lost for: the piece stood, and its switch let go."""
HASTY = 0.4
"""A man was lifted before the ply before his had landed: it happens, but less often than not."""
FLEETING = 2.0
"""A man moves on from where he has hardly arrived: he is sliding, it is no second ply."""

SNATCHED = 1.0
"""The man taken had hardly arrived when he left: quick hands retake so, and who slides on leaves
so; the edge says nothing."""
PASSED = 0.7
"""A man was seen to pass over a square of his way: two edges told, but a man put down near its
border closes it as well."""
PAUSED = 0.7
"""The hands were off the board while it stood there: then it may as well have come to stay."""
BRIDGED = 1.0
"""A piece arrived on its capture before it left: its magnet was over the border of two squares, for
no longer than on this board before. It may; but a piece adjusted just before its neighbour is
lifted looks the same."""
LINGERED = 2.0
"""The same for longer than was ever seen on this board: more likely the other piece was adjusted,
and this one is in a hand; the reply will tell. None of the edges counts for the capture, but it is
likelier than one whose square never opened."""
UNSEEN = 0.6
"""A man came to a dead switch, or left one: an edge less speaks for the ply. It is just so much
that a man who is lifted beside a dead switch is in a hand, until he has been held for a while."""
DEAD = 3.5
"""A switch is believed dead: seldomer than an illegal move that stands, and than a pushed man."""
IGNORED = 0.6
"""A reply was begun although something stood wrong: players would have put it right."""
WORKED = 2.0
"""The switch has worked in this game: it would have died just now."""
REVIVED = 1.0
"""A switch that was believed dead has moved: so it was not."""

# --- what stands wrong at the moment

EXTRA = 1.8
"""A man stands where the line has none: more than it costs the game in which he went there that he
has stood still on his way."""
MISSING = 0.6
"""A man who is not to move is not where the line has him."""
IN_HAND = 0.1
"""A man of the side to move is in the air: what else should happen before a move."""
HELD = 0.7
"""The same, with nothing else moving for half a second: he may as well have been put down."""
GONE = 2.8
"""A man of either side has been away for so long that he may rather have taken somebody."""
ABSENT = 4.0
"""A man of either side left before the last ply had begun: nobody is moving him now."""

# --- what has stood wrong with all hands off the board; paid for each square

STOOD = 1.2
"""A man stood where the line has none: together with EXTRA this outweighs a capture that two men
adjusted at once have feigned."""
AWAY = 1.0
"""A man was gone who is not to move: he has been taken first, or he was never there."""
VANISHED = 2.0
"""A man was gone who had left before the last ply began."""
FLED = 3.0
"""The man who had just come was gone at once, and is on no other square that he could have gone to:
he was sliding on, and somebody was pushed off there."""
STILL = 0.5
"""Any of these, each time that the hands are off the board again and have not put it right."""
KEPT = 0.3
"""A man of the side to move was in a hand: it happens, but less often than not."""
ADJUSTED = 0.8
"""A man was lifted and put back, and now everything stands as the game has it: two edges told,
but less than those of a ply, since contacts are lost by themselves too."""
IDLE = 1.5
"""The same, while the best game told all that stood: nobody was in the middle of a ply."""
RETURNED = 1.0
"""A man who was gone, and not merely in a hand, stands in his place again: he was adjusted."""

# --- what cannot be seen

OTHER_PIECE = 2.25
"""The pawn became another man than a queen, and nobody has said so: less than a ply goes wrong by
that only he can make, more than anything else."""
UNCHOSEN = 4.5
"""The pawn became another man than the one whom put-backs have chosen: a stop on a wrong square is
more usual."""
EXCUSED = 3.5
"""Somebody else's ply is legal only because of that: a check overlooked, or a stop on the way, is
more usual than a lesser man whom nobody has shown."""
TOUCHED = 1.9
"""Asked which man was taken, somebody lifts the man who stands on that square now: it outweighs
that he is away, and leaves the other game near enough for the reply to confirm the answer."""
TURNED = 2.0
"""The board was turned round for this game: nearly a ply's evidence."""

# --- how near is near

EQUAL = 0.25
"""Credits that differ by less than this are equal: no single edge speaks for either game."""
LEAD = 0.5
"""What is final wins a tie: half an edge is no evidence for undoing a ply. For each ply."""
RIVAL = 2.0
"""A game behind the best one by no more is nearly as credible, a rival and not a mere memory: it is
one ply that is not over, or undone, behind."""
RIVAL_OF_FINAL = 3.0
"""The same for what cannot be unsent: two men adjusted at once look like a capture until the hands
are off the board."""

# --- times

OVERLAP_US = 100_000
"""What a slide over a border is taken to last on a board where none was seen yet; from the first
one on it is learnt. It decides how much a capture is believed before the reply, and no more."""
FLEETING_US = 250_000
"""A sliding man stays on a square for less than this; a reply takes longer to be answered."""
GLANCE_US = 50_000
"""Nobody has stood on a square whose switch was closed for less: a neighbour went by."""
REST_US = 500_000
"""Hands are off the board when nothing has changed for half a second."""
PATIENCE_US = 8_000_000
"""Longer than a hand hovers over the board with a man in it; it matters for pushed men only."""
PUT_BACK_US = 190_000
"""Who is lifted and put back is away for longer: a man who rocks loses contact for less."""
LOOSE_US = 400_000
"""A piece off its centre may lose contact for so long, and be lifted before that is over."""
CHOICE_US = 4_000_000
"""A put-back later than this after the drop before it is adjusting, not choosing."""


# FROM finding.py: What credit is made of: a finding for each thing that speaks for or against a line.


class Reason(Enum):
    """Why a line is believed more, or less."""

    __hash__ = object.__hash__
    """Reasons are looked up at every finding, and an Enum's own hash is that of its name."""

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
"""What each reason adds to a line's credit, in settled edges."""


class Finding(NamedTuple):
    """One reason, and where and when it was found; ``switch`` None: it is about the whole ply."""

    reason: Reason
    switch: Square | None = None
    t_us: int = 0

    @property
    def points(self) -> float:
        """What it adds to the credit."""
        return WORTH[self.reason]
