"""What a session with a repertoire costs: lines, hand actions, and the time to plan them."""

from __future__ import annotations

import random
import time

import pytest

from boardfw.learning.trainers.line_choice import lines
from tests.learning.books import book, hand_actions, made, take_back_actions

pytestmark = pytest.mark.bench

CARDS = 200
BOOKS = 5


def test_lines_of_a_session() -> None:
    print(f"\n{'':8}{'lines':>8}{'taken back':>12}{'mixed':>10}{'hands':>8}{'mixed':>10}{'ms':>8}")
    for seed in range(BOOKS):
        found = book(made(seed, CARDS))
        begun = time.process_time()
        planned = lines(found, set(found.cards))
        took_ms = (time.process_time() - begun) * 1000
        mixed = [*planned]
        random.Random(seed).shuffle(mixed)
        print(
            f"book {seed:3}{len(planned):8}{take_back_actions(planned):12}"
            f"{take_back_actions(mixed):10}{hand_actions(planned):8}{hand_actions(mixed):10}"
            f"{took_ms:8.0f}"
        )
        assert take_back_actions(planned) <= 0.6 * take_back_actions(mixed)
