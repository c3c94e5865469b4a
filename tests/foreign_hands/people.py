"""Kinds of players: how they move, how fast, on which board, and how often they do what else.

All shares are guesses by the author, from clubs, schools and kitchens, unless a source is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.foreign_hands.hand import Manner
from tests.foreign_hands.switches import HALL, LYING, STRONG, UPRIGHT, WORN, Board

Shares = Mapping[str, float]
USUAL_CAPTURES: Shares = {"victim first": 5, "one hand": 4, "two hands": 1}


@dataclass(frozen=True, slots=True)
class Person:
    """One kind of players."""

    about: str
    manner: Manner = field(default_factory=Manner)
    board: Board = UPRIGHT
    think_s: tuple[float, float] = (1.0, 8.0)
    """Shortest and longest time from one move to the next; negative: before it has ended."""
    captures: Shares = field(default_factory=lambda: dict(USUAL_CAPTURES))
    """Weights of the ways to capture, of `moves.CAPTURES`."""
    rook_first: float = 0.1
    """Share of castlings that begin with the rook."""
    two_handed_castling: float = 0.05
    habits: Shares = field(default_factory=dict)
    """How often something of `besides.HABITS` happens before a ply."""
    presses_clock: bool = False
    parks: float = 0.0
    """Share of captured pieces that are put on an empty square of the board for a while."""
    endings: Shares = field(default_factory=lambda: {"stop": 1})
    """Weights of what follows the last ply, of `afterwards.ENDINGS`."""


CLUB_HABITS: Shares = {"adjust": 0.03, "long think": 0.05, "hover": 0.02}
HABITS_OF_ALL = (
    *("adjust", "adjust several", "another piece", "border", "bump", "hold", "hover"),
    *("illegal try", "long think", "nudge", "ring", "second thoughts", "sleeve", "take back"),
    "topple",
)

KINDS: Mapping[str, Person] = {
    "careful": Person(
        "lifts high, takes the captured piece off first, puts pieces in the middle",
        Manner(slowness=1.3, height_mm=70, aim_mm=1.5, slides=0.0),
        captures={"victim first": 1},
        rook_first=0.0,
        two_handed_castling=0.0,
    ),
    "club": Person(
        "plays 15 minutes a game: slides some moves, captures in any order, adjusts pieces",
        Manner(slides=0.2, height_mm=45),
        habits=CLUB_HABITS,
        endings={"stop": 2, "kings": 1},
    ),
    "clock": Person(
        "presses a clock after each move, and captures without much care",
        Manner(slides=0.3, height_mm=30, aim_mm=3.5),
        captures={"push": 1, "one hand": 1, "victim first": 1},
        habits=CLUB_HABITS,
        presses_clock=True,
    ),
    "dragger": Person(
        "drags nearly everything over the squares and pushes captured pieces off",
        Manner(slowness=1.2, slides=0.9, height_mm=18, aim_mm=4),
        captures={"push": 3, "victim first": 1, "one hand": 1},
        habits={"adjust": 0.05},
    ),
    "two hands": Person(
        "captures and castles with both hands at once",
        captures={"two hands": 1},
        two_handed_castling=0.8,
    ),
    "bullet": Person(
        "0.15 s a move, both players at once, low and imprecise",
        Manner(slowness=0.35, height_mm=18, aim_mm=4.5, slides=0.3),
        think_s=(-0.06, 0.12),
        captures={"one hand": 3, "push": 2, "two hands": 1},
    ),
    "blitz": Person(
        "three minutes a game: the reply begins while the hand of the other still lets go",
        Manner(slowness=0.6, height_mm=25, aim_mm=4, slides=0.3),
        think_s=(-0.1, 2.0),
        captures={"one hand": 5, "push": 1, "two hands": 1, "victim first": 1},
        habits={"adjust": 0.03},
    ),
    "postal": Person(
        "minutes for a move, pieces are moved about meanwhile and put back",
        Manner(slowness=1.5, aim_mm=2),
        think_s=(60, 600),
        habits={"hover": 0.1, "adjust": 0.1},
    ),
    "holder": Person(
        "lifts a piece and thinks with it in the hand, for 8 to 300 s",
        habits={"hold": 0.15, "hover": 0.03},
    ),
    "fidget": Person(
        "adjusts pieces of both sides, several at once, and shoves others",
        habits={"adjust": 0.25, "adjust several": 0.08, "nudge": 0.1, "hover": 0.08},
    ),
    "changer": Person(
        "puts a piece down and then plays something else; takes moves back",
        habits={"second thoughts": 0.1, "another piece": 0.06, "take back": 0.04},
    ),
    "child": Person(
        "tries squares that are not allowed, forgets whose move it is, knocks pieces over",
        Manner(slowness=1.4, height_mm=35, aim_mm=5, slides=0.4),
        captures={"victim first": 3, "one hand": 2, "push": 1},
        rook_first=0.4,
        habits={"illegal try": 0.05, "second thoughts": 0.05, "topple": 0.03, "adjust": 0.05},
    ),
    "clumsy": Person(
        "bumps the table and topples pieces, which are put up again",
        habits={"bump": 0.06, "topple": 0.06, "adjust": 0.05},
    ),
    "jeweller": Person(
        "wears a magnetic clasp and a wide sleeve, rests the hand on the edge, brushes pieces",
        habits={"ring": 0.1, "sleeve": 0.1},
    ),
    "parker": Person(
        "puts captured pieces on empty squares at the edge, and clears them away later",
        parks=0.5,
    ),
    "elder": Person(
        "trembles with 5 Hz, slow, rests on borders, slides much",
        Manner(slowness=2.0, height_mm=30, aim_mm=4, slides=0.5, tremor_mm=2.0, tremor_hz=5.0),
        captures={"victim first": 3, "push": 1},
        habits={"border": 0.1, "adjust": 0.05},
    ),
    "anyone": Person(
        "does a little of everything, but parks nothing on the board",
        Manner(slides=0.2, height_mm=40, aim_mm=3),
        captures={"victim first": 4, "one hand": 4, "two hands": 1, "push": 1},
        rook_first=0.2,
        habits=dict.fromkeys(HABITS_OF_ALL, 0.012),
        endings={"stop": 1, "kings": 1, "analysis": 1},
    ),
    "strong": Person(
        "club hands on a board whose magnets reach to the borders of their squares",
        Manner(slides=0.2, height_mm=45),
        STRONG,
        habits=CLUB_HABITS,
    ),
    "lying": Person(
        "club hands on a board of lying reeds: a dead zone, and a second zone behind it",
        Manner(slides=0.2, height_mm=45, aim_mm=1.5),
        LYING,
        habits=CLUB_HABITS,
    ),
    "worn": Person(
        "club hands on old reeds that bounce for 6 ms",
        Manner(slides=0.2, height_mm=45),
        WORN,
        habits=CLUB_HABITS,
    ),
    "hall": Person(
        "club hands on halls that are read 50 times a second",
        Manner(slides=0.2, height_mm=45),
        HALL,
        habits=CLUB_HABITS,
    ),
    "analyst": Person(
        "ends a game by the kings, looks at it again with both hands, sets up and plays another",
        endings={"analysis": 1},
        habits=CLUB_HABITS,
    ),
}
