"""What the hypothesis library draws: a plan of a dance, in numbers that know no board.

A number that chooses something (move, piece, square) is taken modulo as many as there are when
the plan is danced, so that any part of a plan can be left out and the rest still means something.
Times are milliseconds and shrink towards ``CALM_MS``; everything else shrinks to what is plainest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hypothesis import strategies as st

CALM_MS = 300
FAST_MS = 150
QUICKEST_MS = 40
"""Less than any hand needs to carry a piece."""
PUT_BACK_MS = 200
"""A piece that rocks when it is put down loses contact for less: that is no put-back."""
STOOD_MS = 60
"""A piece lifted again sooner was not put down: a neighbour closes a switch for less."""
ANSWERED_MS = 260
"""A standing piece is not lifted again sooner: a reply takes longer. One that is slid on stays for
less, by more than a contact chatters."""
BRIDGED_MS = 110
"""A piece slid to the next square may close its switch this long before its own opens."""
LONGEST_STOP_MS = 650
"""A longer rest on the path may be a final stop: the ply may be sent."""

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",  # both castle
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # much to take
    "4k3/2p1p1p1/8/1P1P1P1P/1p1p1p1p/8/2P1P1P1/4K3 w - - 0 1",  # taking in passing
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",  # promotions, with and without taking
    "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1",  # one pawn, two possible captures
    "2r2rk1/1b3ppp/p3p3/1p1nP3/3N4/1P4P1/PB3P1P/2RR2K1 w - - 0 1",  # exchanges
    "8/5k2/3p4/1p1P1p2/1P1P1P2/8/4K3/8 w - - 0 1",  # kings that walk
    "6k1/5ppp/8/8/8/8/5PPP/3QR1K1 w - - 0 1",  # mates at hand
    "rk2r3/pppbnppp/3p4/4p3/4P3/3P4/PPPBNPPP/RK2R3 w EAea - 0 1",  # castles in Chess960
)


def ms(least: int, most: int) -> st.SearchStrategy[int]:
    """Milliseconds, shrinking towards calm."""
    calm = min(max(CALM_MS, least), most)
    above = most - calm
    away = st.integers(0, most - least)
    return away.map(lambda n: calm + n if n <= above else calm - (n - above))


def pause(least: int, most: int) -> st.SearchStrategy[int]:
    """Milliseconds between two touches: often calm, often quick."""
    quick = ms(least, min(max(FAST_MS, least), most))
    return st.one_of(ms(CALM_MS, CALM_MS), quick, ms(least, most))


CHOICE = st.integers(0, 255)
BEATS = st.lists(pause(QUICKEST_MS, 1200), min_size=1, max_size=4).map(tuple)
"""Times between the touches of one episode, over and over."""


@dataclass(frozen=True)
class Slide:
    """A piece keeps to the board on the last stretch of its path."""

    path: int
    dwells_ms: tuple[int, ...]
    """How long it stands on each free square."""
    border_ms: int
    """For so long both switches are closed at a border; negative: for so long neither is."""


@dataclass(frozen=True)
class Detour:
    """A piece stands on a wrong square first, whether the rules allow it or not."""

    square: int
    dwell_ms: int


@dataclass(frozen=True)
class Play:
    """A legal ply, and how it is done."""

    liking: int
    """0: any move; 1: a capture; 2: castling, en passant, a promotion; where there is one."""
    move: int
    wait_ms: int
    """From the last touch before; negative: the piece is lifted before the last one has landed."""
    beats: tuple[int, ...]
    order: int = 0
    """Of the touches of several pieces."""
    detours: tuple[Detour, ...] = ()
    slide: Slide | None = None
    swap_ms: int = 0
    """How long a captured piece's switch is open when swapped by one hand; 0: no such swap."""
    pushed: bool = False
    """The captured piece is pushed off: its switch never opens."""
    put_backs: tuple[tuple[int, int], ...] = ()
    """(standing, in the air) before each time that a promoted piece is put down again."""
    late_ms: int = 0
    """How long after that it is adjusted; 0: it is not."""


@dataclass(frozen=True)
class TakeBack:
    """Plies are undone, the last mover first."""

    plies: int
    wait_ms: int
    beats: tuple[int, ...]
    order: int = 0


@dataclass(frozen=True)
class Adjust:
    """Pieces of any side are touched and put back, one or two at once."""

    pieces: tuple[int, ...]
    wait_ms: int
    beats: tuple[int, ...]


@dataclass(frozen=True)
class Illegal:
    """A piece of any side is put, or captures, where it may not, and returns."""

    piece: int
    square: int
    wait_ms: int
    stood_ms: int
    beats: tuple[int, ...]
    takes: bool = False


Episode: TypeAlias = Play | TakeBack | Adjust | Illegal


@dataclass(frozen=True)
class Noise:
    """A switch reads what is not so, near a touch of the dance."""

    kind: str
    """glitch: one scan is wrong; lost: no contact under a piece; near: a neighbour closes."""
    touch: int
    after_ms: int
    square: int
    for_ms: int


@dataclass(frozen=True)
class Plan:
    """A dance to be danced."""

    start: int
    episodes: tuple[Episode, ...]
    noises: tuple[Noise, ...]
    bounce: tuple[int, ...]
    """Times between the flips after a contact's first one; an even number of flips."""
    period_ms: int


WAIT = pause(10, 3000)
SLIDES = st.builds(
    Slide,
    CHOICE,
    st.lists(pause(20, LONGEST_STOP_MS), min_size=1, max_size=3).map(tuple),
    st.one_of(st.just(10), st.integers(-60, 60)),
)
DETOURS = st.lists(st.builds(Detour, CHOICE, pause(30, 2500)), max_size=2).map(tuple)
PUT_BACKS = st.one_of(
    st.just(()),
    st.lists(st.tuples(pause(STOOD_MS, 1500), pause(PUT_BACK_MS, 1500)), max_size=5).map(tuple),
)
PLAYS = st.builds(
    Play,
    st.sampled_from([0, 1, 2]),
    CHOICE,
    st.one_of(WAIT, st.integers(-400, -1).map(lambda n: -401 - n)),
    BEATS,
    CHOICE,
    st.one_of(st.just(()), DETOURS),
    st.one_of(st.none(), SLIDES),
    st.one_of(st.just(0), st.integers(5, 60).map(lambda n: 65 - n)),
    st.sampled_from([False, False, True]),
    PUT_BACKS,
    st.one_of(st.just(0), st.just(0), st.integers(4100, 6000)),
)
TAKE_BACKS = st.builds(TakeBack, st.integers(1, 3), WAIT, BEATS, CHOICE)
ADJUSTS = st.builds(Adjust, st.lists(CHOICE, min_size=1, max_size=2).map(tuple), WAIT, BEATS)
ILLEGALS = st.builds(Illegal, CHOICE, CHOICE, WAIT, pause(30, 4000), BEATS, st.booleans())
OTHERS: st.SearchStrategy[Episode] = st.one_of(TAKE_BACKS, ADJUSTS, ILLEGALS)
# Plies are what it is about; one_of alone would choose among all kinds alike.
EPISODES = st.integers(0, 9).flatmap(lambda n: PLAYS if n < 7 else OTHERS)
DANCES = st.one_of(
    st.lists(EPISODES, min_size=1, max_size=10), st.lists(EPISODES, min_size=10, max_size=30)
)
GLITCHES = st.builds(Noise, st.just("glitch"), CHOICE, st.integers(-50, 400), CHOICE, st.just(0))
LOSSES = st.builds(
    Noise, st.just("lost"), CHOICE, st.integers(-50, 400), CHOICE, st.integers(20, 400)
)
NEIGHBOURS = st.builds(
    Noise, st.just("near"), CHOICE, st.integers(-20, 10), CHOICE, st.integers(2, 30)
)
BOUNCES = st.sampled_from([(), (1, 1), (2, 1), (1, 3), (3, 3), (1, 1, 1, 1), (1, 2, 1, 2)])


PLANS = st.builds(
    Plan,
    st.integers(0, len(POSITIONS) - 1),
    DANCES.map(tuple),
    st.lists(st.one_of(GLITCHES, NEIGHBOURS, LOSSES), max_size=5).map(tuple),
    BOUNCES,
    st.sampled_from([1, 2, 4]),
)
