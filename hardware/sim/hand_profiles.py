"""How different people move pieces: times in milliseconds, habits as weights, mishaps as chances.

Which figures have a source and which are guesses is told in docs/hands.md. All data, no code: a
new person is one more entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

from hardware.sim.faults import PRESETS, Faults, Range, scaled_range
from hardware.sim.magnets import HYSTERESIS

Habit = Mapping[str, int]
Span = tuple[float, float]

CAPTURES: Habit = {"attacker_first": 5, "captured_first": 4, "two_hands": 1, "swap": 2, "push": 0}
TWO_PIECES: Habit = {"first_first": 8, "second_first": 1, "both_in_air": 1}
ASIDE: Habit = {"before": 2, "during": 2, "after": 6}
EXCHANGES: Habit = {"standing": 2, "exchange": 4, "direct": 4}

LIKELIEST = 0.7
"""No chance is scaled beyond this unless it is larger to begin with."""
PUT_BACK_MS = (200, 1_500)
"""Put-backs stay long enough to be seen, and within the 4 s in which each counts."""

ADJUSTED_MS = 540
"""A piece straightened in this time is off its square for less than 0.6 s, rocking included."""
PASSED_MS = 250
"""A piece that rests longer on a square it passes has shown a move there."""


@dataclass(frozen=True, slots=True)
class HandProfile:
    """One kind of hands. Lengths are in squares."""

    name: str
    think_ms: Range
    carry_ms: Range  # from the lift to the drop
    pause_ms: Range  # between two touches of one gesture
    board: Faults = PRESETS["reed"]  # the one they play on if no other is named

    # movements of the hand
    raise_ms: Range = (90, 300)  # straight up, or down, on one square
    height: Span = (0.5, 1.2)  # of a carried piece over the board
    off_centre: float = 0.07  # from the middle of the square, one sigma
    rock: float = 0.15  # chance that a piece set down rocks
    swing: Span = (0.05, 0.2)  # of its foot while it rocks
    slide: float = 0.1  # chance that a piece is dragged rather than carried
    slide_leap: float = 0.01  # the same for a piece that goes between the others
    pass_ms: Range = (40, 160)  # on a square that a dragged piece passes
    slide_pause: float = 0.03  # chance that it stops on one of them
    slide_rest_ms: Range = (80, 500)
    border_rest: float = 0.0  # chance that it stops over the border of two squares
    border_rest_ms: Range = (100, 1_500)
    tremor: Span = (0.0, 0.0)  # how far a hand trembles about its path near the board

    # habits
    captures: Habit = field(default_factory=lambda: CAPTURES)
    swap_ms: Range = (5, 60)  # the captured piece's switch is open between two pieces of one hand
    two_pieces: Habit = field(default_factory=lambda: TWO_PIECES)
    two_pieces_pause: float = 0.1  # chance that the second piece waits
    two_pieces_pause_ms: Range = (600, 3_000)
    two_hands_ms: Range = (0, 80)  # between the touches of two hands
    aside: Habit = field(default_factory=lambda: ASIDE)
    exchanges: Habit = field(default_factory=lambda: EXCHANGES)
    exchange_ms: Range = (400, 5_000)  # the pawn stands while the new piece is found
    put_back_ms: Range = (250, 1_000)
    overlap: float = 0.0  # chance that a reply begins while the move still ends
    overlap_us: Range = (-60_000, 6_000)  # from that end; a drop bounces out in 6 ms
    follow_us: Range = (10_000, 60_000)  # the quickest other hand on the same piece

    # mishaps
    hesitate: float = 0.03
    hold_ms: Range = (300, 1_800)  # a piece held over the board, or stood up again after a fall
    adjust: float = 0.03
    adjust_ms: Range = (250, 800)  # another piece lifted and put straight
    nudge: float = 0.02  # the piece that landed is pushed straight
    nudge_ms: Range = (40, 300)
    wrong_square: float = 0.0
    illegal: float = 0.0
    rest_ms: Range = (700, 2_500)  # a wrong position looked at before it is put right
    take_back: float = 0.0  # one to three plies, and the same again
    instead: float = 0.0  # other plies first, all taken back
    knock: float = 0.0

    # of some worlds only (worlds.py)
    long_hold: float = 0.0  # chance that a lifted piece stays in the hand for very long
    long_hold_ms: Range = (8_000, 300_000)
    park: float = 0.0  # chance that a captured piece is put on an empty square for a while
    brush: float = 0.0  # chance that a sleeve shoves pieces aside, which are put straight

    def scaled(
        self, *, times: float = 1.0, chances: float = 1.0, bounce: float = 1.0
    ) -> HandProfile:
        """The same person, all times and all chances multiplied; of the board ``bounce`` times.

        Weights of habits and lengths stay. The chances of the board are multiplied as well.
        """
        changes: dict[str, Any] = {}
        for known in fields(self):
            value = getattr(self, known.name)
            if known.name.endswith(("_ms", "_us")):
                changes[known.name] = scaled_range(value, times)
            elif isinstance(value, float) and known.name != "off_centre":
                changes[known.name] = min(value * chances, max(value, LIKELIEST))
        low, high = changes["put_back_ms"]
        changes["put_back_ms"] = (max(low, PUT_BACK_MS[0]), min(high, PUT_BACK_MS[1]))
        board = self.board.scaled(times=bounce, chances=chances)
        return replace(self, **changes, board=board)

    def attentive(self) -> HandProfile:
        """The same person at a lesson: no piece is held up, and no square shown, by mistake.

        They still straighten other pieces, push, slide, and lift a piece before moving it; they do
        nothing that a board would have to call a wrong answer.
        """
        return replace(
            self,
            wrong_square=0.0,
            illegal=0.0,
            take_back=0.0,
            instead=0.0,
            knock=0.0,
            long_hold=0.0,
            park=0.0,
            brush=0.0,
            two_pieces={**self.two_pieces, "second_first": 0},
            adjust_ms=_at_most(ADJUSTED_MS, self.adjust_ms),
            slide_rest_ms=_at_most(PASSED_MS, self.slide_rest_ms),
            pass_ms=_at_most(PASSED_MS, self.pass_ms),
            border_rest=0.0,
        )


def _at_most(limit_ms: int, range_ms: Range) -> Range:
    return min(range_ms[0], limit_ms), min(range_ms[1], limit_ms)


CLUB = HandProfile(
    "club",
    think_ms=(900, 9_000),
    carry_ms=(250, 800),
    pause_ms=(150, 700),
    overlap=0.02,
    take_back=0.002,
    instead=0.002,
    knock=0.002,
)
CHILD = HandProfile(
    "child",
    think_ms=(1_200, 10_000),
    carry_ms=(300, 1_300),
    pause_ms=(200, 1_200),
    raise_ms=(120, 500),
    height=(0.25, 1.3),
    off_centre=0.11,
    rock=0.35,
    swing=(0.05, 0.35),
    slide=0.3,
    slide_leap=0.06,
    pass_ms=(50, 250),
    slide_pause=0.12,
    captures={**CAPTURES, "push": 1},
    two_pieces={"first_first": 5, "second_first": 3, "both_in_air": 2},
    two_pieces_pause=0.4,
    hesitate=0.1,
    adjust=0.04,
    adjust_ms=(300, 1_300),
    nudge=0.08,
    wrong_square=0.08,
    illegal=0.05,
    take_back=0.03,
    instead=0.03,
    knock=0.03,
)

HAND_PROFILES: dict[str, HandProfile] = {
    "careful": HandProfile(
        "careful",
        think_ms=(2_000, 14_000),
        carry_ms=(450, 1_100),
        pause_ms=(300, 900),
        height=(0.7, 1.3),
        off_centre=0.04,
        rock=0.05,
        slide=0.02,
        slide_leap=0.0,
        slide_pause=0.0,
        captures={**CAPTURES, "swap": 0, "two_hands": 0},
        two_pieces={**TWO_PIECES, "second_first": 0, "both_in_air": 0},
        adjust=0.05,
        adjust_ms=(450, 1_100),
    ),
    "club": CLUB,
    "blitz": HandProfile(
        "blitz",
        think_ms=(120, 1_600),
        carry_ms=(80, 280),
        pause_ms=(25, 140),
        raise_ms=(50, 130),
        height=(0.3, 0.9),
        off_centre=0.1,
        rock=0.3,
        swing=(0.05, 0.3),
        slide=0.25,
        slide_leap=0.04,
        pass_ms=(30, 90),
        captures={"attacker_first": 4, "captured_first": 2, "two_hands": 2, "swap": 6, "push": 1},
        two_pieces={"first_first": 5, "second_first": 2, "both_in_air": 4},
        overlap=0.25,
        hesitate=0.02,
        adjust_ms=(80, 280),
        nudge=0.08,
        illegal=0.004,
        take_back=0.004,
        instead=0.004,
        knock=0.004,
    ),
    "child": CHILD,
    # Club players at an old board with weak magnets and poor contacts.
    "wooden": replace(CLUB, name="wooden", nudge=0.06, adjust=0.05, board=PRESETS["wooden"]),
    # Slow hands that slide what can be slid, and rest meanwhile, over borders as well.
    "elder": replace(
        CLUB,
        name="elder",
        think_ms=(3_000, 16_000),
        carry_ms=(800, 4_000),
        pause_ms=(500, 1_500),
        raise_ms=(250, 700),
        off_centre=0.08,
        slide=0.5,
        slide_leap=0.05,
        pass_ms=(150, 1_500),
        slide_pause=0.1,
        border_rest=0.3,
        overlap=0.0,
        captures={**CAPTURES, "swap": 0, "two_hands": 0},
        adjust_ms=(600, 1_500),
    ),
    # Club players at a board with strong magnets: a slid piece keeps two switches closed.
    "hot": replace(CLUB, name="hot", slide=0.3, board=PRESETS["strong"]),
    # Careful hands at a board whose magnets are hardly felt.
    "weak": replace(CLUB, name="weak", off_centre=0.04, overlap=0.0, board=PRESETS["weak"]),
    # Hands that tremble.
    "tremor": replace(
        CLUB,
        name="tremor",
        carry_ms=(400, 1_800),
        raise_ms=(150, 500),
        slide=0.2,
        tremor=(0.03, 0.12),
        overlap=0.0,
        captures={**CAPTURES, "swap": 0},
    ),
}
"""The usual kinds."""

BREAKERS: dict[str, HandProfile] = {
    # Big slow hands that set pieces down crookedly and far off the middle.
    "heavy": replace(
        CHILD,
        name="heavy",
        carry_ms=(600, 2_200),
        pause_ms=(400, 1_800),
        raise_ms=(250, 900),
        height=(0.15, 0.7),
        off_centre=0.16,
        rock=0.9,
        swing=(0.15, 0.5),
        adjust_ms=(600, 2_200),
        nudge=0.25,
        illegal=0.01,
        wrong_square=0.02,
        board=PRESETS["wooden"],
    ),
    # Touches everything: adjusts before nearly every move, lifts pieces and puts them back.
    "nervous": replace(
        CLUB,
        name="nervous",
        hesitate=0.35,
        hold_ms=(150, 1_200),
        adjust=0.5,
        nudge=0.35,
        two_pieces_pause=0.5,
        take_back=0.02,
        instead=0.04,
        rock=0.4,
    ),
    # Never lifts a piece that can be pushed.
    "dragger": replace(
        CLUB,
        name="dragger",
        height=(0.1, 0.4),
        off_centre=0.12,
        slide=0.95,
        slide_leap=0.8,
        pass_ms=(30, 400),
        slide_pause=0.15,
        captures={"attacker_first": 1, "captured_first": 3, "two_hands": 1, "swap": 1, "push": 4},
        overlap=0.1,
    ),
}
"""Hands unlike the usual ones, for breaking things; there is no promise that they are read."""

PACES: dict[str, HandProfile] = {
    # Some 0.15 s a move, both players at once; 0.3 s is thought about a capture.
    "bullet": replace(
        HAND_PROFILES["blitz"],
        name="bullet",
        think_ms=(10, 120),
        carry_ms=(60, 140),
        pause_ms=(10, 60),
        raise_ms=(30, 70),
        pass_ms=(25, 50),
        exchange_ms=(200, 700),
        two_pieces_pause=0.0,
        overlap=0.4,
        hesitate=0.0,
        adjust=0.01,
        nudge=0.03,
        illegal=0.0,
        instead=0.0,
        take_back=0.0,
    ),
    # Minutes a move; hands lie on the board meanwhile, lift pieces and put them straight.
    "postal": replace(
        HAND_PROFILES["careful"],
        name="postal",
        think_ms=(60_000, 600_000),
        hesitate=0.3,
        hold_ms=(500, 20_000),
        adjust=0.3,
        long_hold=0.05,
    ),
}
"""Far quicker and far slower than the usual ones."""

ANY = "any"
"""A person and a board made up at random: every figure is drawn again for each game."""


def person(kind: str, seed: int) -> HandProfile:
    """The hands of this kind; ``any`` is another person, at another board, for each seed."""
    return random_profile(Random(f"{ANY} {seed}")) if kind == ANY else EVERYBODY[kind]


def random_profile(random: Random) -> HandProfile:
    """Hands, a board and contacts drawn from the whole range; all figures are guesses."""
    base = HAND_PROFILES[random.choice(("careful", "club", "child", "elder", "tremor"))]
    pace = random.uniform(0.5, 1.6)
    board = Faults(
        bounce=random.uniform(0.2, 0.9),
        reach=random.uniform(0.30, 0.60),
        hysteresis=_spread_about(random.uniform(*HYSTERESIS)),
        spread=random.uniform(0.0, 0.10),
        lost=random.uniform(0.0, 0.5),
        late=random.choice((0.0, 0.0, 0.02)),
        glitch_hz=random.choice((0.0, 0.0, 0.15)),
    )
    trembles = random.random() < 0.3
    return replace(
        base.scaled(times=pace),
        name=ANY,
        board=board,
        off_centre=random.uniform(0.03, 0.11),
        rock=random.uniform(0.0, 0.4),
        slide=random.uniform(0.0, 0.6),
        border_rest=random.uniform(0.0, 0.4),
        tremor=(0.02, random.uniform(0.03, 0.12)) if trembles else (0.0, 0.0),
    )


def _spread_about(usual: float) -> Span:
    low, high = HYSTERESIS
    return max(low, usual - 0.04), min(high, usual + 0.04)


EVERYBODY: dict[str, HandProfile] = {**HAND_PROFILES, **BREAKERS, **PACES}
