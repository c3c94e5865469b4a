"""The vocabulary of the lights: every thing that one square can say, in one table."""

from __future__ import annotations

from enum import IntEnum


class Cue(IntEnum):
    """What the light of one square means; the first has number 0."""

    idea: str
    """Cues that share an idea count once towards the limit of ideas shown at a time."""
    sentence: str
    """The meaning, for legends, screens and speech."""

    def __new__(cls, idea: str, sentence: str) -> Cue:
        """The next number, since cues may have the same words."""
        cue = int.__new__(cls, len(cls.__members__))
        cue._value_ = int(cue)
        cue.idea, cue.sentence = idea, sentence
        return cue

    RESTING = "", "Nothing to say."
    ORIGIN = "", "The piece in your hand came from here."
    QUIET = "quiet", "You may go here."
    CAPTURE = "capture", "You may capture here."
    EN_PASSANT = "en passant", "This pawn is captured en passant."
    CASTLING = "castling", "Put the king here to castle."
    CHECK = "check", "This king is in check."
    CHECKER = "checker", "This piece is giving check."
    LAST_MOVE = "last move", "The last move."
    LAST_MOVE_PROVISIONAL = "last move", "Last move (not yet certain)."
    REPAIR_FROM = "too much", "Take this piece off first."
    REPAIR_TO = "missing", "Put it here."
    MISSING = "missing", "A piece is missing here."
    EXTRA = "too much", "This piece should not be here."
    CANDIDATE = "question", "Was it here? Lift this piece to say yes."
    WANTED = "missing", "Place it here."
    SURPLUS = "too much", "Take this piece off."
    LETTER = "promotion", "The pawn becomes: Q, N, R or B."
    WINNERS_HALF = "won", "The half of the board of the winner."
    WINNERS_KING = "winner", "The king that won."
    LOSERS_KING = "loser", "The king that lost."
    DRAWN = "drawn", "Equals sign: a draw."
    DRAWN_KING = "drawn king", "The kings share the point."
    STUCK = "stuck", "The switch here is stuck; play goes on."
    BLIND = "blind", "The switch here cannot be read; wait until it can."
    GOOD_BYE = "good-bye", "Good-bye: when all is dark, all is saved."
    WHITES_LETTER = "letter", "Next: the white piece shown."
    BLACKS_LETTER = "letter", "Next: the black piece shown (dark)."
    FAULTY = "faulty", "No game can start like this."
    REASON_PIECE = "reason", "This piece is the reason."
    REASON_SQUARE = "reason", "This square shows why not."
    WAY_0 = "reason", "This is its path."
    WAY_1 = "reason", "This is its path."
    WAY_2 = "reason", "This is its path."
    WAY_3 = "reason", "This is its path."
    WAY_4 = "reason", "This is its path."
    WAY_5 = "reason", "This is its path."
    THIS_ONE = "this one", "This piece."
    PUT_HERE = "put here", "Put that piece here."
    DONE = "done", "Right."
    WRONG = "wrong", "Not here."
    STAR_0 = "star", "A star: collect it."
    STAR_1 = "star", "A star: collect it."
    DANGER = "quiet", "You may go here, but would lose the piece."
    HANGS = "hangs", "Your piece here can be won."
    REALLY = "really", "Really? Take it back, or leave it."
    WHO_MOVES = "who moves", "This king's side is to move."
    RIPENING = "ripening", "Leave it there to answer."
    FOUND = "found", "Found already."
    AREA = "area", "Look here."
    COUNTER = "counter", "The number of answers left."
    QUESTION = "asked", "The question is about this square."
    ATTACKER = "attacker", "It attacks the piece in your hand."
    GUARD = "guard", "It defends the piece in your hand."


WAYS = (Cue.WAY_0, Cue.WAY_1, Cue.WAY_2, Cue.WAY_3, Cue.WAY_4, Cue.WAY_5)
"""A path of squares along which a light runs, beginning beside the piece that attacks along it.

No path between two pieces is longer.
"""
STARS = (Cue.STAR_0, Cue.STAR_1)
"""Stars on dark and on light squares, so that neighbours do not twinkle together."""
