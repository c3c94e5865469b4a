"""A knock is done by touching the squares that were named, in their order, and by nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.web.knock import (
    KNOWN_MS,
    LASTS_MS,
    SQUARES,
    TRIES,
    Knock,
    KnockState,
    can_knock,
)
from boardfw.services.web.pairing import Pairing
from boardfw.services.web.sessions import InMemory, Sessions
from boardfw.squares import ALL, BY_NAME, START, Square

START_BITS = int(START)
EMPTY = range(16, 48)


def first_ones(squares: Sequence[Square], count: int) -> Sequence[Square]:
    """In place of chance: c3, f6, a5, h4."""
    named = [BY_NAME[name] for name in ("c3", "f6", "a5", "h4")]
    assert set(named) <= set(squares)
    return named[:count]


def knocked(touches: Iterable[int], every_ms: int = 100) -> Knock:
    """Each of these squares gets a piece, which is taken off again."""
    knock, t_ms = Knock(0, START_BITS, first_ones), 0
    for square in touches:
        for standing in (START_BITS ^ (1 << square), START_BITS):
            t_ms += every_ms
            knock.see(t_ms, standing)
    return knock


RIGHT = [BY_NAME[name] for name in ("c3", "f6", "a5", "h4")]


def test_the_squares_in_their_order_are_the_knock() -> None:
    for count in range(SQUARES):
        knock = knocked(RIGHT[:count])
        assert (knock.state(1000), knock.seen) == (KnockState.WAITING, count)
    assert knocked(RIGHT).state(1000) is KnockState.DONE


def test_a_piece_that_still_stands_is_not_enough() -> None:
    knock = knocked(RIGHT[:3])
    knock.see(2000, START_BITS | 1 << RIGHT[3])
    assert knock.state(2000) is KnockState.WAITING


def test_pieces_of_the_game_may_be_used() -> None:
    lifted = START_BITS & ~(1 << BY_NAME["e2"])
    knock = Knock(0, START_BITS, first_ones)
    for square in RIGHT:
        for standing in (lifted, lifted | 1 << square, lifted):
            knock.see(100, standing)
    knock.see(100, START_BITS)
    assert knock.state(100) is KnockState.DONE


@given(st.lists(st.sampled_from(EMPTY), max_size=30))
def test_nothing_else_is(touches: list[int]) -> None:
    """What was touched last has to be the four, and before them at most two wrong ones."""
    told = [one for at, one in enumerate(touches) if at == 0 or touches[at - 1] != one]
    if knocked(touches).state(5000) is KnockState.DONE:
        ends = [at for at in range(len(told)) if told[at : at + 4] == RIGHT]
        assert ends
        assert len([one for one in told[: ends[0]] if one not in RIGHT]) < TRIES


@given(st.lists(st.sampled_from([one for one in EMPTY if one not in RIGHT]), min_size=TRIES))
def test_wrong_squares_end_it(touches: list[int]) -> None:
    told = [one for at, one in enumerate(touches) if at == 0 or touches[at - 1] != one]
    knock = knocked([*touches, *RIGHT])
    assert (knock.state(5000) is KnockState.FAILED) == (len(touches) >= TRIES)
    assert told


def test_it_ends_with_its_time() -> None:
    knock = knocked(RIGHT, every_ms=LASTS_MS // 8)
    assert knock.state(LASTS_MS) is KnockState.FAILED
    assert knock.left_ms(LASTS_MS - 7) == 7


def test_only_empty_squares_are_named() -> None:
    def last_ones(squares: Sequence[Square], count: int) -> Sequence[Square]:
        assert all(not START_BITS >> square & 1 for square in squares)
        return squares[-count:]

    assert Knock(0, START_BITS, last_ones).squares == ["e6", "f6", "g6", "h6"]
    assert can_knock(START_BITS)
    assert not can_knock(ALL & ~0b111)


def test_the_board_shows_a_knock_until_it_has_run_out_of_time() -> None:
    now_s, shown = [0.0], list[bool]()
    pairing = Pairing(Sessions(InMemory(), lambda: 0), lambda: now_s[0])
    pairing.show = shown.append
    state = {"phase": "setup", "game": {"plies": []}, "blind": [], "occ": f"{START_BITS:016x}"}
    pairing.ask(state, "a phone", "192.0.2.1")
    assert shown == [True]
    now_s[0] = LASTS_MS / 1000
    pairing.look()
    pairing.look()
    assert shown == [True, False]
    now_s[0] += KNOWN_MS / 1000
    pairing.look()
    assert not pairing.is_asked


def test_the_board_shows_a_knock_from_its_question_until_it_is_done() -> None:
    now_s, shown = [0.0], list[bool]()
    pairing = Pairing(Sessions(InMemory(), lambda: 0), lambda: now_s[0])
    pairing.show = shown.append
    state = {"phase": "setup", "game": {"plies": []}, "blind": [], "occ": f"{START_BITS:016x}"}
    knock, _ = pairing.ask(state, "a phone", "192.0.2.1")
    for name in knock.squares:
        assert shown == [True]
        now_s[0] += 1
        for standing in (START_BITS | 1 << BY_NAME[name], START_BITS):
            pairing.see(standing)
    assert shown == [True, False]
