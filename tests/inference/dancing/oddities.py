"""Plans tamed to a few odd things: what a dance is made of, and how much of it may be strange.

A ply is plain when its pieces are lifted and put down, in any order and as fast as hands are, and a
promoted piece is chosen by put-backs. All else is odd: a ply begun before the last one has landed,
a slide, stops on wrong squares, a piece pushed off or swapped by one hand, a late adjustment, plies
taken back, pieces touched and put back, an illegal move, and every noise. What is done in one go
counts once: up to two stops on one path, three plies taken back, two pieces touched.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.inference.dancing.plans import PLANS, Episode, Plan, Play

MOST = 2
"""Odd things in one dance of up to thirty plies."""
PLAIN: dict[str, Any] = {
    "detours": (),
    "slide": None,
    "pushed": False,
    "swap_ms": 0,
    "late_ms": 0,
}
"""What a plain ply has not."""
SOON_MS = 10


def tamed(plan: Plan, first: int, most: int = MOST) -> Plan:
    """The plan with at most so many odd things, looked for from an episode on, and round."""
    left, kept = most, dict[int, Episode]()
    noises_first = bool(first % 2)
    noises = plan.noises[:most] if noises_first else ()
    left -= len(noises)
    numbers = range(len(plan.episodes))
    for n in (*numbers[first % len(numbers) :], *numbers[: first % len(numbers)]):
        episode = plan.episodes[n]
        if isinstance(episode, Play):
            kept[n], left = _tamed(episode, left)
        elif left:
            kept[n], left = episode, left - 1
    episodes = tuple(kept[n] for n in sorted(kept))
    return replace(plan, episodes=episodes, noises=noises if noises_first else plan.noises[:left])


def _tamed(play: Play, left: int) -> tuple[Play, int]:
    """The ply with at most so many odd things, and how many more there may be."""
    for name, plain in PLAIN.items():
        if getattr(play, name) == plain:
            continue
        if left:
            left -= 1
        else:
            play = replace(play, **{name: plain})
    if play.wait_ms >= 0:
        return play, left
    return (play, left - 1) if left else (replace(play, wait_ms=SOON_MS), 0)


TAME_PLANS = st.builds(tamed, PLANS, st.integers(0, 29))
