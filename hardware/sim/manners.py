"""How different people move men: times in milliseconds, habits as weights, mishaps as chances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

Range = tuple[int, int]
Habit = Mapping[str, int]

CAPTURES: Habit = {"attacker_first": 5, "victim_first": 4, "two_hands": 1, "swap": 2, "push": 0}
TWO_MEN: Habit = {"first_first": 8, "second_first": 1, "both_in_air": 1}
ASIDE: Habit = {"before": 2, "during": 2, "after": 6}
EXCHANGES: Habit = {"standing": 2, "exchange": 4, "direct": 4}


@dataclass(frozen=True, slots=True)
class Manner:
    """One kind of hands."""

    think_ms: Range
    carry_ms: Range  # from the lift to the drop
    pause_ms: Range  # between two touches of one gesture
    slide: float = 0.1  # chance that a man is dragged along its line rather than carried
    pass_ms: Range = (40, 160)  # on a square that a dragged man passes
    captures: Habit = field(default_factory=lambda: CAPTURES)
    swap_ms: Range = (5, 60)  # a victim's square between two men of one hand
    two_men: Habit = field(default_factory=lambda: TWO_MEN)
    two_men_pause: float = 0.1  # chance that the second man waits
    aside: Habit = field(default_factory=lambda: ASIDE)
    exchanges: Habit = field(default_factory=lambda: EXCHANGES)
    overlap: float = 0.0  # chance that a reply begins while the move still ends
    overlap_us: Range = (-60_000, 6_000)  # from that end; a drop bounces out in 6 ms
    hesitate: float = 0.03
    adjust: float = 0.03
    nudge: float = 0.02  # the man that landed is pushed straight
    wrong_square: float = 0.0
    illegal: float = 0.0
    take_back: float = 0.0
    knock: float = 0.0
    faults: str = "reed"  # the board they play on where none is named: one of faults.PRESETS


CLUB = Manner(
    think_ms=(900, 9_000), carry_ms=(250, 800), pause_ms=(150, 700), overlap=0.02, knock=0.002
)

MANNERS: dict[str, Manner] = {
    "careful": Manner(
        think_ms=(2_000, 14_000),
        carry_ms=(450, 1_100),
        pause_ms=(300, 900),
        slide=0.02,
        captures={**CAPTURES, "swap": 0, "two_hands": 0},
        two_men={**TWO_MEN, "second_first": 0, "both_in_air": 0},
        adjust=0.05,
    ),
    "club": CLUB,
    "blitz": Manner(
        think_ms=(120, 1_600),
        carry_ms=(80, 280),
        pause_ms=(25, 140),
        slide=0.25,
        pass_ms=(30, 90),
        captures={"attacker_first": 4, "victim_first": 2, "two_hands": 2, "swap": 6, "push": 1},
        two_men={"first_first": 5, "second_first": 2, "both_in_air": 4},
        overlap=0.25,
        hesitate=0.02,
        nudge=0.08,
        knock=0.004,
    ),
    "child": Manner(
        think_ms=(1_200, 10_000),
        carry_ms=(300, 1_300),
        pause_ms=(200, 1_200),
        slide=0.3,
        pass_ms=(50, 250),
        captures={**CAPTURES, "push": 1},
        two_men={"first_first": 5, "second_first": 3, "both_in_air": 2},
        two_men_pause=0.4,
        hesitate=0.1,
        adjust=0.04,
        nudge=0.08,
        wrong_square=0.08,
        illegal=0.05,
        take_back=0.05,
        knock=0.03,
    ),
    # Club players at a board whose contacts are poor.
    "wooden": replace(CLUB, nudge=0.06, adjust=0.05, faults="wooden"),
}

BETWEEN_PUT_BACKS_MS: Range = (250, 1_000)  # each further one counts within 4 s of the last drop
HOLD_MS: Range = (300, 1_800)  # a man held over the board, or stood up again after a fall
REST_MS: Range = (700, 2_500)  # a wrong position looked at before it is put right
NUDGE_MS: Range = (20, 250)
TWO_HANDS_MS: Range = (0, 80)
PUSH_US: Range = (500, 4_000)  # where a pushed victim's switch opens at all
EXCHANGE_MS: Range = (400, 2_500)  # finding the new man beside the board
TWO_MEN_PAUSE_MS: Range = (600, 3_000)
