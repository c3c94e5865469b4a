"""The light language in one table: every thing that one square can say, and how it looks."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple

from boardfw.lights.patterns import (
    BLINK,
    BREATH,
    GLOW,
    HEARTBEAT,
    KNOCK,
    LEAN,
    PULSE,
    RISE,
    RUNS,
    SIGN,
    STEADY,
    SWAY,
    TWICE,
    TWINKLES,
    WINK,
    Rhythm,
)


class Hue(Enum):
    """The four hues that stay apart for colour-blind eyes, as linear light 0..255.

    With the three kinds of dichromatic vision simulated after Machado, Oliveira and Fernandes
    (2009), the nearest pair is 39 apart in CIE Lab. Green, cyan or violet would come within 8
    to 13 of one of these, so they are not used.
    """

    WHITE = (200, 200, 200)
    BLUE = (0, 80, 255)
    AMBER = (255, 110, 0)
    RED = (200, 0, 40)


WHITE, BLUE, AMBER, RED = Hue


class Look(NamedTuple):
    """``level``: lightness 0..1 as the eye sees it, before rhythm and brightness."""

    hue: Hue
    level: float
    rhythm: Rhythm
    other: Hue | None = None
    """Comes up as the first hue goes down; in one colour it is dark, and the rhythm tells."""


class Cue(IntEnum):
    """What the light of one square means; the first has number 0."""

    idea: str
    """Cues that share an idea count once towards the limit of ideas shown at a time."""
    sentence: str
    """The meaning, for legends, screens and speech."""
    look: Look

    def __new__(cls, idea: str, sentence: str, look: Look) -> Cue:
        """The next number, since cues may have the same words."""
        cue = int.__new__(cls, len(cls.__members__))
        cue._value_ = int(cue)
        cue.idea, cue.sentence, cue.look = idea, sentence, look
        return cue

    RESTING = "", "Nothing to say.", Look(WHITE, 0.0, STEADY)
    ORIGIN = "", "The piece in your hand came from here.", Look(WHITE, 0.0, STEADY)
    QUIET = "quiet", "You may go here.", Look(WHITE, 0.55, STEADY)
    CAPTURE = "capture", "You may capture here.", Look(AMBER, 1.0, PULSE)
    EN_PASSANT = "en passant", "This pawn is captured en passant.", Look(AMBER, 0.8, BLINK)
    CASTLING = "castling", "Put the king here to castle.", Look(BLUE, 1.0, WINK)
    CHECK = "check", "This king is in check.", Look(RED, 1.0, HEARTBEAT)
    CHECKER = "checker", "This piece is giving check.", Look(RED, 0.9, STEADY)
    LAST_MOVE = "last move", "The last move.", Look(WHITE, 0.25, STEADY)
    LAST_MOVE_PROVISIONAL = "last move", "Last move (not yet certain).", Look(WHITE, 0.35, BREATH)
    REPAIR_FROM = "too much", "Take this piece off first.", Look(RED, 1.0, BLINK)
    REPAIR_TO = "missing", "Put it here.", Look(BLUE, 1.0, STEADY)
    MISSING = "missing", "A piece is missing here.", Look(BLUE, 0.5, STEADY)
    EXTRA = "too much", "This piece should not be here.", Look(RED, 0.6, PULSE)
    CANDIDATE = "question", "Was it here? Lift this piece to say yes.", Look(BLUE, 1.0, BREATH)
    WANTED = "missing", "Place it here.", Look(BLUE, 1.0, WINK)
    SURPLUS = "too much", "Take this piece off.", Look(RED, 0.9, PULSE)
    LETTER = "promotion", "The pawn becomes: Q, N, R or B.", Look(WHITE, 0.7, STEADY)
    WINNERS_HALF = "won", "The half of the board of the winner.", Look(WHITE, 0.35, STEADY)
    WINNERS_KING = "winner", "The king that won.", Look(WHITE, 1.0, BREATH)
    LOSERS_KING = "loser", "The king that lost.", Look(RED, 0.8, STEADY)
    DRAWN = "drawn", "Equals sign: a draw.", Look(BLUE, 0.5, STEADY)
    DRAWN_KING = "drawn king", "The kings share the point.", Look(WHITE, 1.0, BREATH)
    STUCK = "stuck", "The switch here is stuck; play goes on.", Look(AMBER, 0.4, GLOW)
    BLIND = "blind", "The switch here cannot be read; wait until it can.", Look(AMBER, 0.6, BREATH)
    GOOD_BYE = "good-bye", "Good-bye: when all is dark, all is saved.", Look(WHITE, 0.6, STEADY)
    WHITES_LETTER = "letter", "Next: the white piece shown.", Look(WHITE, 0.7, SIGN)
    BLACKS_LETTER = "letter", "Next: the black piece shown (dark).", Look(WHITE, 0.45, SIGN)
    FAULTY = "faulty", "No game can start like this.", Look(RED, 1.0, BREATH)
    REASON_PIECE = "reason", "This piece is the reason.", Look(RED, 0.66, STEADY)
    REASON_SQUARE = "reason", "This square shows why not.", Look(RED, 1.0, PULSE)
    WAY_0 = "reason", "This is its path.", Look(AMBER, 0.8, RUNS[0])
    WAY_1 = "reason", "This is its path.", Look(AMBER, 0.8, RUNS[1])
    WAY_2 = "reason", "This is its path.", Look(AMBER, 0.8, RUNS[2])
    WAY_3 = "reason", "This is its path.", Look(AMBER, 0.8, RUNS[3])
    WAY_4 = "reason", "This is its path.", Look(AMBER, 0.8, RUNS[4])
    WAY_5 = "reason", "This is its path.", Look(AMBER, 0.8, RUNS[5])
    THIS_ONE = "this one", "This piece.", Look(BLUE, 1.0, BREATH)
    PUT_HERE = "put here", "Put that piece here.", Look(BLUE, 1.0, STEADY)
    DONE = "done", "Right.", Look(WHITE, 0.8, STEADY)
    WRONG = "wrong", "Not here.", Look(RED, 1.0, TWICE)
    STAR_0 = "star", "A star: collect it.", Look(AMBER, 0.9, TWINKLES[0])
    STAR_1 = "star", "A star: collect it.", Look(AMBER, 0.9, TWINKLES[1])
    DANGER = "quiet", "You may go here, but would lose the piece.", Look(AMBER, 0.9, LEAN, RED)
    HANGS = "hangs", "Your piece here can be won.", Look(AMBER, 0.9, KNOCK)
    REALLY = "really", "Really? Take it back, or leave it.", Look(RED, 1.0, SWAY, BLUE)
    WHO_MOVES = "who moves", "This king's side is to move.", Look(WHITE, 1.0, BREATH)
    RIPENING = "ripening", "Leave it there to answer.", Look(WHITE, 0.8, RISE)
    FOUND = "found", "Found already.", Look(WHITE, 0.42, STEADY)
    # Faint: steady, it would be FOUND in one colour.
    AREA = "area", "Look here.", Look(WHITE, 0.35, SIGN)
    COUNTER = "counter", "The number of answers left.", Look(BLUE, 0.66, STEADY)
    QUESTION = "asked", "The question is about this square.", Look(BLUE, 0.9, PULSE)
    ATTACKER = "attacker", "It attacks the piece in your hand.", Look(RED, 0.66, STEADY)
    GUARD = "guard", "It defends the piece in your hand.", Look(BLUE, 0.6, PULSE)
    LEVEL = "level", "The level of your opponent: as many squares.", Look(WHITE, 0.5, STEADY)
    GOOD = "good", "A good move.", Look(BLUE, 1.0, PULSE)
    DOUBTFUL = "doubtful", "There is better.", Look(AMBER, 0.9, WINK)
    LOSING = "losing", "This would lose much.", Look(RED, 1.0, TWICE)
    LOOKED_AT = "looked at", "So much of the game has been looked at.", Look(BLUE, 0.66, STEADY)
    KNOCKS = "knocks", "Somebody asks for the page of this board.", Look(WHITE, 1.0, KNOCK)


WAYS = (Cue.WAY_0, Cue.WAY_1, Cue.WAY_2, Cue.WAY_3, Cue.WAY_4, Cue.WAY_5)
"""A path of squares along which a light runs, beginning beside the piece that attacks along it.

No path between two pieces is longer.
"""
STARS = (Cue.STAR_0, Cue.STAR_1)
"""Stars on dark and on light squares, so that neighbours do not twinkle together."""
