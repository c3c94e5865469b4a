"""The vocabulary of the lights: every thing that one square can say, in one table."""

from __future__ import annotations

from enum import IntEnum, unique
from typing import NamedTuple


@unique
class Cue(IntEnum):
    """What the light of one square means."""

    RESTING = 0
    ORIGIN = 1
    QUIET = 2
    CAPTURE = 3
    EN_PASSANT = 4
    CASTLING = 5
    CHECK = 6
    CHECKER = 7
    LAST_MOVE = 8
    LAST_MOVE_PROVISIONAL = 9
    REPAIR_FROM = 10
    REPAIR_TO = 11
    MISSING = 12
    EXTRA = 13
    CANDIDATE = 14
    WANTED = 15
    SURPLUS = 16
    LETTER = 17
    WINNERS_HALF = 18
    WINNERS_KING = 19
    LOSERS_KING = 20
    DRAWN = 21
    DRAWN_KING = 22
    STUCK = 23
    BLIND = 24
    GOOD_BYE = 25
    WHITES_LETTER = 26
    BLACKS_LETTER = 27
    FAULTY = 28


class Meaning(NamedTuple):
    """``idea``: cues of one idea count once in the limit of ideas at a time."""

    idea: str
    sentence: str


MEANINGS: dict[Cue, Meaning] = {
    Cue.RESTING: Meaning("", "Nothing to say."),
    Cue.ORIGIN: Meaning("", "The man in your hand came from here."),
    Cue.QUIET: Meaning("quiet", "You may go here."),
    Cue.CAPTURE: Meaning("capture", "You may take here."),
    Cue.EN_PASSANT: Meaning("en passant", "This pawn is taken in passing."),
    Cue.CASTLING: Meaning("castling", "Put the king here to castle."),
    Cue.CHECK: Meaning("check", "This king is in check."),
    Cue.CHECKER: Meaning("checker", "This man gives the check."),
    Cue.LAST_MOVE: Meaning("last move", "The last move."),
    Cue.LAST_MOVE_PROVISIONAL: Meaning("last move", "The last move, as far as can be seen yet."),
    Cue.REPAIR_FROM: Meaning("too much", "Take this man off first."),
    Cue.REPAIR_TO: Meaning("missing", "Put it here."),
    Cue.MISSING: Meaning("missing", "A man is missing here."),
    Cue.EXTRA: Meaning("too much", "This man should not be here."),
    Cue.CANDIDATE: Meaning("question", "Was it here? Lift this man to say so."),
    Cue.WANTED: Meaning("missing", "Put the man of the letter here."),
    Cue.SURPLUS: Meaning("too much", "Take this man off."),
    Cue.LETTER: Meaning("promotion", "What the pawn becomes: Q, N, R or B."),
    Cue.WINNERS_HALF: Meaning("won", "The half of the side that won."),
    Cue.WINNERS_KING: Meaning("winner", "The king that won."),
    Cue.LOSERS_KING: Meaning("loser", "The king that lost."),
    Cue.DRAWN: Meaning("drawn", "The sign of equality: a draw."),
    Cue.DRAWN_KING: Meaning("drawn king", "The kings share the point."),
    Cue.STUCK: Meaning("stuck", "The switch here is stuck; play goes on."),
    Cue.BLIND: Meaning("blind", "The switch here cannot be read; wait until it can."),
    Cue.GOOD_BYE: Meaning("good-bye", "Good-bye; once all is dark, all is kept."),
    Cue.WHITES_LETTER: Meaning("letter", "White's man of this letter is next."),
    Cue.BLACKS_LETTER: Meaning("letter", "Black's man of the dark letter is next."),
    Cue.FAULTY: Meaning("faulty", "This cannot stand so."),
}
"""What every cue says, for legends, screens and speech."""
