"""The course of a calibration: what is learnt, whatever the wires, and how often one is asked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.squares import EVERY_SWITCH, Switch
from hardware.calibration.measures import STABLE_US
from hardware.calibration.procedure import DIAGONALS, FEW, Calibration, Clear, PutOn, Said, Sampled
from tests.hardware.calibration.person import Person
from tests.sizes import sized

PLAIN = {square: square for square in EVERY_SWITCH}
ORDER: tuple[Switch | None, ...] = EVERY_SWITCH
wires = st.permutations(range(70)).map(lambda inputs: inputs[:64])
strips = st.permutations(EVERY_SWITCH)


def calibrated(person: Person, *, quick: bool = False) -> Calibration:
    calibration = Calibration(PLAIN, ORDER, quick=quick)
    person.do_all(calibration)
    return calibration


@given(wires, strips)
@settings(max_examples=sized(5, 15))
def test_any_wiring_is_learnt(inputs: list[int], strip: list[Switch]) -> None:
    person = Person({s: 1 << inputs[s] for s in EVERY_SWITCH}, strip)
    calibration = calibrated(person)
    assert calibration.seen == person.closes
    assert calibration.lit == dict(enumerate(strip))
    # Some once more: chance may look like a misread name.
    assert 128 <= person.placements <= 129 + 2 * FEW


def test_a_board_that_is_wired_as_believed_takes_128_placements() -> None:
    person = Person({s: 1 << int(s) for s in EVERY_SWITCH}, ORDER)
    calibrated(person)
    assert person.placements == 128


def test_the_quick_way_asks_80_times_where_the_board_file_is_right() -> None:
    person = Person({s: 1 << int(s) for s in EVERY_SWITCH}, ORDER)
    calibration = calibrated(person, quick=True)
    assert calibration.seen == person.closes
    assert calibration.lit == PLAIN
    assert person.placements == 64 + len(DIAGONALS) == 80


@given(wires, strips)
@settings(max_examples=sized(5, 15))
def test_the_quick_way_too_learns_any_wiring(inputs: list[int], strip: list[Switch]) -> None:
    person = Person({s: 1 << inputs[s] for s in EVERY_SWITCH}, strip)
    calibration = calibrated(person, quick=True)
    assert calibration.seen == person.closes
    assert calibration.lit == dict(enumerate(strip))


@given(st.sampled_from(EVERY_SWITCH), st.sampled_from(EVERY_SWITCH), st.booleans())
@settings(max_examples=sized(5, 25))
def test_the_quick_way_learns_what_was_exchanged(one: Switch, other: Switch, leds: bool) -> None:
    inputs, strip = list(EVERY_SWITCH), list(EVERY_SWITCH)
    changed = strip if leds else inputs
    changed[one], changed[other] = changed[other], changed[one]
    person = Person({s: 1 << int(inputs[s]) for s in EVERY_SWITCH}, strip)
    calibration = calibrated(person, quick=True)
    assert calibration.seen == person.closes
    assert calibration.lit == dict(enumerate(strip))


def test_the_quick_way_sees_a_board_that_lies_the_other_way_round() -> None:
    person = Person({s: 1 << (s ^ 63) for s in EVERY_SWITCH}, EVERY_SWITCH[::-1])
    calibration = calibrated(person, quick=True)
    assert calibration.seen == person.closes
    assert calibration.lit == {led: led ^ 63 for led in EVERY_SWITCH}


@given(st.integers(1, 64), st.sampled_from(EVERY_SWITCH))
@settings(max_examples=sized(5, 25))
def test_a_piece_put_on_a_wrong_square_once_is_asked_for_again(at: int, square: Switch) -> None:
    person = Person({s: 1 << int(s) for s in EVERY_SWITCH}, ORDER, slips={at: square})
    calibration = calibrated(person)
    assert calibration.seen == person.closes
    assert calibration.lit == PLAIN


@given(st.sampled_from(EVERY_SWITCH), st.sampled_from(EVERY_SWITCH))
@settings(max_examples=sized(5, 25))
def test_two_names_that_were_exchanged_are_asked_for_again(one: Switch, other: Switch) -> None:
    slips = {int(one) + 1: other, int(other) + 1: one}
    person = Person({s: 1 << int(s) for s in EVERY_SWITCH}, ORDER, slips=slips)
    calibration = calibrated(person)
    assert calibration.seen == person.closes
    assert calibration.lit == PLAIN


@given(st.integers(65, 128), st.sampled_from(EVERY_SWITCH))
@settings(max_examples=sized(5, 25))
def test_a_piece_put_beside_the_light_once_is_asked_for_again(at: int, square: Switch) -> None:
    person = Person({s: 1 << int(s) for s in EVERY_SWITCH}, ORDER, slips={at: square})
    assert calibrated(person).lit == PLAIN


def test_a_light_over_a_dead_switch_is_named() -> None:
    person = Person({s: 1 << int(s) if s != 28 else 0 for s in EVERY_SWITCH}, ORDER)
    assert calibrated(person).lit == PLAIN


def test_a_light_over_a_shared_input_is_named() -> None:
    person = Person({s: 1 << (s if s != 28 else 3) for s in EVERY_SWITCH}, ORDER)
    assert calibrated(person).lit == PLAIN


def test_leds_that_are_believed_to_lie_together_are_lit_together_and_told_apart() -> None:
    believed = tuple(EVERY_SWITCH[led // 2] for led in range(128))
    shifted = tuple(EVERY_SWITCH[(led + 1) // 2 % 64] for led in range(128))
    calibration = Calibration(PLAIN, believed)
    person = Person({s: 1 << int(s) for s in EVERY_SWITCH}, shifted)
    person.do_all(calibration)
    assert calibration.lit == dict(enumerate(shifted))
    together = Person({s: 1 << int(s) for s in EVERY_SWITCH}, believed)
    together.do_all(Calibration(PLAIN, believed))
    assert together.placements == 128


def test_idle_leds_are_lit_only_where_a_square_has_no_light() -> None:
    believed = (None, *EVERY_SWITCH)
    right = Calibration(PLAIN, believed)
    Person({s: 1 << int(s) for s in EVERY_SWITCH}, believed).do_all(right)
    assert 0 not in right.lit
    wrong = Calibration(PLAIN, believed)
    Person({s: 1 << int(s) for s in EVERY_SWITCH}, (*EVERY_SWITCH, None)).do_all(wrong)
    assert wrong.lit == dict(enumerate((*EVERY_SWITCH, None)))


def test_what_is_closed_on_an_empty_board_is_asked_about_and_then_left_out() -> None:
    calibration = Calibration(PLAIN, ORDER)
    for t_us in (0, STABLE_US):
        calibration.take(Sampled(t_us, 1 << 9))
    requests = [calibration.request]
    calibration.take(Said(""))
    requests.append(calibration.request)
    assert requests == [Clear(1 << 9), PutOn(Switch(0))]
    assert calibration.stuck == 1 << 9


def test_enter_before_anything_is_read_says_nothing() -> None:
    calibration = Calibration(PLAIN, ORDER)
    calibration.take(Said(""))
    assert calibration.request == Clear(0)


def test_a_contact_that_was_lost_and_came_back_is_no_second_placement() -> None:
    calibration = Calibration(PLAIN, ORDER)
    t_us = 0
    for closed in (0, 1, 0, 1):
        for _ in range(2):
            t_us += STABLE_US
            calibration.take(Sampled(t_us, closed))
    assert calibration.request == PutOn(Switch(1), again=True)
