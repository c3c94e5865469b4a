"""The vocabulary of the lights: every thing that one square can say, in one table."""

from __future__ import annotations

from enum import Enum, IntEnum, unique
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
    REASON_PIECE = 29
    REASON_SQUARE = 30
    WAY_0 = 31
    WAY_1 = 32
    WAY_2 = 33
    WAY_3 = 34
    WAY_4 = 35
    WAY_5 = 36
    THIS_ONE = 37
    PUT_HERE = 38
    DONE = 39
    WRONG = 40
    STAR_0 = 41
    STAR_1 = 42
    DANGER = 43
    HANGS = 44
    REALLY = 45
    WHO_MOVES = 46
    RIPENING = 47
    FOUND = 48
    AREA = 49
    COUNTER = 50
    QUESTION = 51
    ATTACKER = 52
    GUARD = 53
    LEVEL = 54


WAYS = (Cue.WAY_0, Cue.WAY_1, Cue.WAY_2, Cue.WAY_3, Cue.WAY_4, Cue.WAY_5)
"""A path of squares along which a light runs, beginning beside the piece that attacks along it.

No path between two pieces is longer.
"""
STARS = (Cue.STAR_0, Cue.STAR_1)
"""Stars on dark and on light squares, so that neighbours do not twinkle together."""


class Place(Enum):
    """Where a cue can appear; it tells apart cues that look alike in one colour."""

    ANY = "anywhere"
    PIECE = "under a piece"
    EMPTY = "on an empty square"


class Meaning(NamedTuple):
    """``idea``: cues that share an idea count once towards the limit of ideas shown at a time."""

    idea: str
    sentence: str
    place: Place = Place.ANY


MEANINGS: dict[Cue, Meaning] = {
    Cue.RESTING: Meaning("", "Nothing to say."),
    Cue.ORIGIN: Meaning("", "The piece in your hand came from here."),
    Cue.QUIET: Meaning("quiet", "You may go here.", Place.EMPTY),
    Cue.CAPTURE: Meaning("capture", "You may capture here."),
    Cue.EN_PASSANT: Meaning("en passant", "This pawn is captured en passant."),
    Cue.CASTLING: Meaning("castling", "Put the king here to castle."),
    Cue.CHECK: Meaning("check", "This king is in check."),
    Cue.CHECKER: Meaning("checker", "This piece is giving check."),
    Cue.LAST_MOVE: Meaning("last move", "The last move."),
    Cue.LAST_MOVE_PROVISIONAL: Meaning("last move", "Last move (not yet certain)."),
    Cue.REPAIR_FROM: Meaning("too much", "Take this piece off first."),
    Cue.REPAIR_TO: Meaning("missing", "Put it here.", Place.EMPTY),
    Cue.MISSING: Meaning("missing", "A piece is missing here.", Place.EMPTY),
    Cue.EXTRA: Meaning("too much", "This piece should not be here."),
    Cue.CANDIDATE: Meaning("question", "Was it here? Lift this piece to say yes."),
    Cue.WANTED: Meaning("missing", "Place it here."),
    Cue.SURPLUS: Meaning("too much", "Take this piece off."),
    Cue.LETTER: Meaning("promotion", "The pawn becomes: Q, N, R or B."),
    Cue.WINNERS_HALF: Meaning("won", "The half of the board of the winner."),
    Cue.WINNERS_KING: Meaning("winner", "The king that won."),
    Cue.LOSERS_KING: Meaning("loser", "The king that lost."),
    Cue.DRAWN: Meaning("drawn", "Equals sign: a draw."),
    Cue.DRAWN_KING: Meaning("drawn king", "The kings share the point."),
    Cue.STUCK: Meaning("stuck", "The switch here is stuck; play goes on."),
    Cue.BLIND: Meaning("blind", "The switch here cannot be read; wait until it can."),
    Cue.GOOD_BYE: Meaning("good-bye", "Good-bye: when all is dark, all is saved."),
    Cue.WHITES_LETTER: Meaning("letter", "Next: the white piece shown."),
    Cue.BLACKS_LETTER: Meaning("letter", "Next: the black piece shown (dark)."),
    Cue.FAULTY: Meaning("faulty", "No game can start like this."),
    Cue.REASON_PIECE: Meaning("reason", "This piece is the reason.", Place.PIECE),
    Cue.REASON_SQUARE: Meaning("reason", "This square shows why not."),
    **dict.fromkeys(WAYS, Meaning("reason", "This is its path.")),
    Cue.THIS_ONE: Meaning("this one", "This piece."),
    Cue.PUT_HERE: Meaning("put here", "Put that piece here."),
    Cue.DONE: Meaning("done", "Right."),
    Cue.WRONG: Meaning("wrong", "Not here."),
    **dict.fromkeys(STARS, Meaning("star", "A star: collect it.")),
    Cue.DANGER: Meaning("quiet", "You may go here, but would lose the piece."),
    Cue.HANGS: Meaning("hangs", "Your piece here can be won.", Place.PIECE),
    Cue.REALLY: Meaning("really", "Really? Take it back, or leave it."),
    Cue.WHO_MOVES: Meaning("who moves", "This king's side is to move.", Place.PIECE),
    Cue.RIPENING: Meaning("ripening", "Leave it there to answer."),
    Cue.FOUND: Meaning("found", "Found already."),
    Cue.AREA: Meaning("area", "Look here."),
    Cue.COUNTER: Meaning("counter", "The number of answers left."),
    Cue.QUESTION: Meaning("asked", "The question is about this square."),
    Cue.ATTACKER: Meaning("attacker", "It attacks the piece in your hand.", Place.PIECE),
    Cue.LEVEL: Meaning("level", "The level of your opponent: as many squares."),
    Cue.GUARD: Meaning("guard", "It defends the piece in your hand.", Place.PIECE),
}
"""The meaning of every cue, for legends, screens and speech."""
