"""What evidence is worth: the reasons for and against a game, and every constant that weighs them.

Weights are in units of one settled edge that a ply explains. They order what is credible; they are
not measurements. An explained edge is worth more than a ply costs, and a ply that needs an edge
which never came loses more than its other edges earn. Times are in microseconds.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from boardfw.squares import Switch

EDGE = 1.0
"""A settled edge that a ply explains; each edge counts once."""
PENDING_EDGE = 1.0
"""An edge that is still to come costs this until it has come."""
TURNED = 2.0
"""The board was turned round for this game: nearly the evidence of a ply."""

ODD = True
"""After such a finding a ply is not clear."""


class Reason(Enum):
    """Why a hypothesis is believed more, or less: points, words, and whether that is odd.

    ``{}`` in the words stands for the square that the finding is about.
    """

    __hash__ = object.__hash__
    """Reasons are looked up at every finding, and an Enum's own hash is slow."""

    points: float
    """What each finding adds to a hypothesis's score, in settled edges."""
    text: str
    is_odd: bool

    def __init__(self, points: float, text: str, is_odd: bool = False) -> None:
        self.points, self.text, self.is_odd = points, text, is_odd

    # What a ply earns, and what it costs.

    LEFT = EDGE, "a piece left {}"
    ARRIVED = EDGE, "a piece came to {} after that"
    EMPTIED = EDGE, "the piece captured on {} had left before"
    REMOVED = EDGE, "the piece captured on {} has left"
    RESTORED = EDGE, "the piece captured on {} is back"
    PLY = -0.6, "the price of any ply"
    """Of two games that explain the same edges the shorter wins."""
    TAKE_BACK = -1.0, "the price of any ply undone"
    """Undoing a ply is rarer than making one."""
    TO_OPEN = -PENDING_EDGE, "a piece has still to leave {}", ODD
    """A captured piece that was not yet removed, or the second piece of a ply."""
    TO_CLOSE = -PENDING_EDGE, "a piece has still to come to {}", ODD
    CAME_LATE = PENDING_EDGE + EDGE, "{} has followed late"
    """The charge is refunded, and the edge counts."""
    OVERDUE = -1.0, "the reply came while {} was still awaited", ODD
    """The opponent has replied, and the edge has still not come."""
    UNTOUCHED = -2.5, "the piece captured on {} was never seen to leave", ODD
    """A piece was captured whose switch never opened: the capturing piece pushed it off."""
    PUSHED = -0.7, "the piece captured on {} was never seen to leave, but no other move was owed"
    """The same, where an opponent that is not at the board has named the move."""
    BLINKED = -0.7, "the piece captured on {} was gone for an instant only", ODD
    """The same, but the switch opened for less than it takes to settle."""
    BLINKED_LATE = 1.8, "the piece captured on {} was gone for an instant after all"
    """What was charged as UNTOUCHED was only BLINKED."""
    UNWATCHED = -0.7, "the piece captured on {} may have left while the board was unreadable", ODD
    """A piece was captured whose switch was not seen to open, and the board could not be read for
    part of that time."""
    ANSWERED = 1.9, "asked, a player lifted the piece on {}"
    """Asked which piece was captured, a player lifts the piece that stands on that square now. This
    outweighs that it is away, and keeps the other game near enough for the reply to confirm the
    answer."""
    CHOSEN = 0.0, "asked, a player chose this move"
    UNANSWERED = -1.9, "what was lifted on {} was another piece, which is no answer"
    """What ANSWERED earned is taken back."""
    OUT_OF_ORDER = -3.0, "it was over before the previous ply was", ODD
    """A ply's pieces arrived before those of the ply before it. Only a late contact explains that;
    without this cost a slide over several squares would be read as several plies."""
    EARLY = -3.0, "the piece was lifted before the previous ply had begun", ODD
    """A piece was lifted before the opponent had begun the previous ply. It may instead have been
    captured, or pushed away, in between."""
    LOOSENED = -1.2, "the piece lost contact before the previous ply had begun", ODD
    """The same, but by less than a contact may be lost for: the piece stood and its switch
    opened."""
    HASTY = -0.4, "the piece was lifted before the previous ply was over", ODD
    """A piece was lifted before the previous ply had landed: possible, but not usual."""
    RUSHED = -1.6, "the piece was lifted before the previous ply was over, as is rare here", ODD
    """The same, where these players have hardly ever done so."""
    FLEETING = -2.0, "the piece had just come to {}: it was sliding on", ODD
    """A piece leaves a square soon after arriving there: it is sliding, and this is no second
    ply."""
    SNATCHED = -1.0, "the piece captured on {} had just arrived", ODD
    """The captured piece had just arrived when it left. Fast players recapture like this, and a
    sliding piece leaves like this, so the edge is no evidence."""
    PASSED = 0.7, "a piece passed over {} on its path"
    """A piece was seen to pass over a square of its path. That explains two edges, but a piece put
    down near the border of that square closes the switch as well."""
    PAUSED = -0.7, "the hands were off the board while it was on {}"
    """The hands were off the board while the piece stood there, so it may have come to stay."""
    BRIDGED = -1.0, "a piece came to {} before it had left: over the border", ODD
    """A piece arrived on its capture before it left: its magnet bridged the border of two squares,
    for no longer than seen on this board before. A piece adjusted just before its neighbour is
    lifted looks the same."""
    LINGERED = -2.0, "a piece came to {} long before it had left, as none has done before", ODD
    """The same, for longer than ever seen on this board. More likely the other piece was adjusted
    and this one is in a hand; the reply decides. None of the edges counts for the capture, but it
    is more likely than one whose square never opened."""
    APART = -1.2, "the two pieces were lifted long after each other, as has hardly been done here"
    """A capture whose pieces left further apart in time than these players' captures do. One of
    them may have been lifted for something else."""
    IGNORED = -0.6, "{} stood wrong, and play went on all the same"
    """A reply was begun although something stood wrong: players would have corrected it."""

    # What is said of switches.

    UNSEEN = -0.6, "{} tells nothing: its switch is stuck", ODD
    """A piece came to or left a dead switch: the ply has one edge less to support it. The value is
    chosen so that a piece lifted beside a dead switch is taken to be in a hand until it has been
    held for a while."""
    DEAD = -4.0, "the switch of {} has to be stuck"
    """Rarer than an illegal move that stands, and than a pushed capture."""
    WORKED = -2.0, "the switch of {} did work before"
    """The switch has worked in this game, so it would have failed just now."""
    REVIVED = -1.0, "the switch of {} moved, though believed to be stuck"
    """A switch that was believed dead has moved, so it is not dead."""

    # What a pawn became, which cannot be seen.

    OTHER_PIECE = -2.25, "a pawn becomes a queen where no put-backs choose another piece", ODD
    """The pawn became another piece than a queen and no put-back chose it. This is less than a
    hypothesis loses if a ply goes wrong that only that piece can make, but more than anything
    else."""
    UNCHOSEN = -4.5, "the put-backs chose another piece", ODD
    """The pawn became another piece than the put-backs chose. A stop on a wrong square is more
    usual."""
    LOOSE_CHOICE = -0.2, "one of the put-backs that chose may have been a lost contact", ODD
    """The pawn became what was chosen if a contact was lost for a moment. This is less than
    ``EQUAL``: it is as credible as that somebody was quick, and asked about until plies tell."""
    EXCUSED = -3.5, "legal only because the pawn became another piece than was chosen"
    """Another piece's ply is legal only because of that underpromotion. An overlooked check, or a
    stop on the path, is more usual."""

    # What stands wrong at the moment; it is not paid, but counted anew at each look.

    EXTRA = -1.8, "an extra piece stands on {}"
    """This costs more than a hypothesis pays in which the piece moved there and stood still on its
    path."""
    MISSING = -0.6, "the piece of {} is away, and its side is not to move"
    IN_HAND = -0.1, "the piece of {} is in a hand"
    """A piece of the side to move is in the air, as is usual before a move."""
    HELD = -0.7, "the piece of {} is held in a hand"
    """The same, with nothing else moving for half a second: it may have been put down."""
    GONE = -2.8, "the piece of {} has been away for long"
    """A piece of either side may have captured instead by now."""
    ABSENT = -4.0, "the piece of {} had gone before the last ply"
    """A piece of either side left before the last ply began, so it is not being moved now."""

    # What stood wrong with all hands off the board; paid once for each square and rest.

    STOOD = -1.2, "an extra piece stood on {} with all hands off"
    """A piece stood where the hypothesis has none. With EXTRA this outweighs a capture that only
    seemed to happen because two pieces were adjusted at once."""
    CROSSED = 1.2, "a piece rested on {} on its path"
    """What STOOD cost is refunded."""
    AWAY = -1.0, "the piece of {} was away with all hands off"
    """A piece that is not to move was away: it was captured earlier, or was never there."""
    TAKEN = 1.0, "{} was empty because its piece was captured"
    """What AWAY cost is refunded."""
    VANISHED = -2.0, "the piece of {} had gone before, with all hands off"
    """A piece was away that had left before the last ply began."""
    FLED = -3.0, "the piece that had just come to {} was gone, with all hands off"
    """The piece that had just arrived was away at once, and stands on no other square that it could
    have gone to: it was sliding on, and pushed another piece off there."""
    STAYED = 3.0, "the piece that had come to {} is back"
    """What FLED cost is refunded."""
    ANOTHER = -3.0, "the piece that came to {} was another one"
    """What STAYED has refunded is charged again."""
    RETAKEN = 3.0, "the piece that had just come to {} was captured"
    """What FLED cost is refunded."""
    STILL = -0.5, "{} still stood wrong, and was not corrected"
    """Any of these, each time that the hands are off the board again and it is not corrected."""
    AWAITED = 0.5, "{} stayed empty while the capturing piece was on its path"
    """What STILL cost is refunded."""
    KEPT = -0.3, "the piece of {} was kept in a hand for a while"
    """A piece of the side to move was in a hand: possible, but not usual."""
    IDLE = -1.5, "the piece of {} was in a hand, though another game explained all that stood"
    """The same, while the best hypothesis explained all that stood: no ply was in progress."""
    RETURNED = 1.0, "the piece of {} is back"
    """A piece that was away, and not merely in a hand, stands in its place again: it was
    adjusted."""
    ADJUSTED = 0.8, "the piece of {} was put back"
    """A piece was lifted and put back, and now everything stands as the hypothesis has it. That
    explains two edges, but is worth less than those of a ply: contacts are lost by themselves
    too."""
    USED = -0.8, "{} was touched by this ply, and not to put its piece back"
    """What ADJUSTED earned is taken back."""
    ROCKED = 0.5, "the piece of {} lost contact for a moment"
    """It is back too soon to have been put back, or another piece took its place at once."""
    UNROCKED = -0.5, "{} was touched by this ply, and lost no contact by itself"
    """What ROCKED earned is taken back."""


class Finding(NamedTuple):
    """One reason, and where and when it was found; ``switch`` is None for a whole ply."""

    reason: Reason
    switch: Switch | None = None
    t_us: int = 0


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
GRASP_US = 100_000
"""No hand lets go of a piece and takes it up again within this, even if it need not look."""
RARELY = 16
"""What has not happened once in so many plies is rare."""
GLANCE_US = 50_000
"""A switch closed for less than this had no piece on it: a neighbour passed by."""
REST_US = 500_000
"""Hands are off the board when nothing has changed for half a second."""
PATIENCE_US = 8_000_000
"""Longer than a hand hovers over the board with a piece; it matters for pushed captures only."""
CARRIED_US = 2_000_000
"""Nobody thinks with a piece in the hand that has only to be put where the opponent wants it."""
PUT_BACK_US = 190_000
"""A piece that is lifted and put back is away for longer; a rocking one loses contact for less."""
LOOSE_US = 400_000
"""A piece off its centre may lose contact for this long, and be lifted before that is over."""
CHOICE_US = 4_000_000
"""A put-back later than this after the drop before it is an adjustment, not a choice."""
