"""A level that follows a player finds the player's strength, by bounded steps."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.adaptive import (
    FULL_ELO,
    QUICK_STEP,
    EngineGame,
    elo_of,
    level_at,
    rating,
)
from boardfw.services.levels import FULL, LEAST_ELO, LEVELS
from boardfw.services.opponent_names import SEAT
from boardfw.services.opponents import OWN, Wish
from boardfw.services.own_player import STRONGEST_ELO

STRONG = "stockfish"
TEXTS = [f"{SEAT}:{name}?level={level}" for name in (STRONG, OWN) for level in ("1", "7", "11")]
GAMES = st.lists(
    st.builds(EngineGame, st.sampled_from([*TEXTS, f"{SEAT}:{STRONG}?level=Elo 1350"]),
              st.sampled_from([0.0, 0.5, 1.0]))
)  # fmt: skip
HALF_A_LEVEL = 100
POINTS = (0.0, 0.5, 1.0)
MANY = 160


def ratings(strength: float, name: str, seed: int, games: int = MANY) -> list[float]:
    """What a player of this strength is rated after each game, of which none is drawn."""
    chance, played, found = random.Random(seed), list[EngineGame](), list[float]()
    for _ in range(games):
        level = level_at(rating(played))
        opponent = Wish(name, level, adapts=True).text
        against = min(level.elo or FULL_ELO, STRONGEST_ELO if name == OWN else FULL_ELO)
        wins = chance.random() < 1 / (1 + 10 ** ((against - strength) / 400))
        played = [*played, EngineGame(opponent, float(wins))]
        found.append(rating(played))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("strength", [400, 600, 1000, 1500, 2000, 2500])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_level_comes_near_a_players_strength_and_stays_there(strength: int, seed: int) -> None:
    found = ratings(strength, STRONG, seed)
    later = found[50:]
    assert abs(sum(later) / len(later) - strength) < HALF_A_LEVEL
    near = [one for one in later if abs(one - strength) < 2 * HALF_A_LEVEL]
    assert len(near) >= 0.8 * len(later)


@pytest.mark.slow
@pytest.mark.parametrize("strength", [STRONGEST_ELO, STRONGEST_ELO + 200])
@pytest.mark.parametrize("seed", [1, 2])
def test_our_own_player_is_not_taken_for_more_than_it_is(strength: int, seed: int) -> None:
    later = ratings(strength, OWN, seed)[50:]
    assert abs(sum(later) / len(later) - strength) < HALF_A_LEVEL


@given(GAMES, st.sampled_from(TEXTS))
def test_a_game_moves_it_by_a_step_and_never_the_wrong_way(
    games: list[EngineGame], opponent: str
) -> None:
    before = rating(games)
    lost, drawn, won = (rating([*games, EngineGame(opponent, points)]) for points in POINTS)
    assert lost <= before <= won
    assert lost <= drawn <= won
    assert won - before <= QUICK_STEP
    assert before - lost <= QUICK_STEP
    assert lost >= LEAST_ELO
    assert won <= FULL_ELO


@given(GAMES, st.sampled_from(["", "Ann", f"{SEAT}:x", f"{SEAT}:x?level=no", "server:me?level=3"]))
def test_who_plays_at_no_level_says_nothing(games: list[EngineGame], opponent: str) -> None:
    for at in range(len(games) + 1):
        more = [*games[:at], EngineGame(opponent, 1), *games[at:]]
        assert rating(more) == rating(games)


def test_levels_are_read_back_from_what_a_game_keeps() -> None:
    for weak, strong in pairwise(LEVELS):
        told = [elo_of(Wish(STRONG, level).text) for level in (weak, strong)]
        assert None not in told
        assert told[0] < told[1]  # type: ignore[operator]
    assert level_at(FULL_ELO) == FULL


@given(st.floats(LEAST_ELO, FULL_ELO))
def test_the_level_at_a_rating_is_as_strong_as_that(elo: float) -> None:
    told = elo_of(Wish(STRONG, level_at(elo)).text)
    assert told is not None
    assert abs(told - elo) <= 5
