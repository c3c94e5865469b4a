"""What is said of the wires, and the file that comes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.squares import EVERY_SWITCH, NAMES, SWITCH_BY_NAME, Switch, distance, names_of
from hardware.boards.board_file import find_wiring
from hardware.calibration.conclusions import Findings, conclude
from hardware.calibration.inputs import Inputs, pins_of, places_of
from hardware.calibration.procedure import Calibration
from hardware.wiring import Wiring
from tests.sizes import sized

WIRING = find_wiring("reference")
PINS = pins_of(WIRING.chips)
PLACES = places_of(WIRING.chips, PINS)
RIGHT = {square: 1 << number for square, number in PLACES.items()}
STRIP = dict(enumerate(WIRING.leds.squares))
E4, E5, G7 = (SWITCH_BY_NAME[name] for name in ("e4", "e5", "g7"))
FREE = next(n for n in range(len(PINS)) if n not in PLACES.values())


def found(
    seen: Mapping[Switch, Inputs] | None = None,
    lit: Mapping[int, Switch | None] | None = None,
    stuck: Inputs = 0,
) -> Findings:
    learnt = Calibration(PLACES, WIRING.leds.squares)
    learnt.seen, learnt.lit = {**RIGHT, **(seen or {})}, {**STRIP, **(lit or {})}
    learnt.stuck = stuck
    return conclude(WIRING, PINS, learnt)


def told(findings: Findings) -> list[str]:
    return [fault.text for fault in findings.faults]


def names(findings: Findings, *places: str) -> bool:
    """Whether one fault was found, and its sentence names these squares and pins."""
    (text,) = told(findings)
    return all(place in text for place in places)


def test_the_reference_board_offers_its_70_legal_inputs() -> None:
    assert len(PINS) == 70
    assert not any(pin.name.endswith(("GPA7", "GPB7")) for pin in PINS)


def test_a_board_that_is_as_its_file_says_gives_the_same_file() -> None:
    assert found() == Findings(WIRING, (), ())


def test_two_exchanged_wires_are_named_and_the_file_has_them() -> None:
    findings = found({E4: RIGHT[G7], G7: RIGHT[E4]})
    assert names(findings, "e4 is on 0x23 GPA6, g7 on 0x21 GPB4")
    assert findings.wiring is not None
    places = places_of(findings.wiring.chips, PINS)
    assert (places[E4], places[G7]) == (PLACES[G7], PLACES[E4])


def dead(findings: Findings) -> list[str]:
    assert findings.wiring is not None
    return names_of(findings.wiring.dead)


def test_a_missing_wire_is_named_with_its_pin_and_its_square_is_dead_in_the_file() -> None:
    findings = found({E4: 0})
    assert dead(findings) == ["e4"]
    assert findings.wiring is not None
    assert findings.wiring.chips == WIRING.chips  # where it will be read once it is repaired
    assert names(findings, "e4", "0x21 GPB4")


def test_a_board_is_refused_where_more_switches_are_dead_than_it_can_play_without() -> None:
    three = dict.fromkeys(EVERY_SWITCH[24:27], 0)
    assert dead(found(three)) == ["a4", "b4", "c4"]
    assert found({**three, E4: 0}).wiring is None


def test_two_squares_on_one_input_are_named_with_a_pin_that_is_free() -> None:
    findings = found({E4: RIGHT[G7]})
    assert dead(findings) == ["e4", "g7"]
    assert findings.wiring is not None
    assert PLACES[G7] not in places_of(findings.wiring.chips, PINS).values()
    assert names(findings, "e4", "g7", "0x23 GPA6", "0x21 GPB4")


@pytest.mark.parametrize("other", [E5, G7])
def test_wires_that_touch_are_named(other: Switch) -> None:
    both = RIGHT[E4] | RIGHT[other]
    findings = found({E4: both, other: both})
    assert dead(findings) == sorted(("e4", NAMES[other]), key=NAMES.index)
    assert names(findings, "0x21 GPB4", PINS[PLACES[other]].name)


def test_one_piece_that_closes_two_inputs_is_named_and_the_file_keeps_the_one_it_had() -> None:
    findings = found({E4: RIGHT[E4] | 1 << FREE})
    assert findings.wiring == WIRING
    assert names(findings, "e4 closes 0x21 GPB4 and 0x24 GPA4")


def test_a_magnet_that_reaches_its_neighbour_is_no_fault_of_the_wires() -> None:
    findings = found({E4: RIGHT[E4] | RIGHT[E5]})
    assert findings.wiring == WIRING
    assert not findings.faults


def test_an_input_that_also_closes_far_away_is_named() -> None:
    findings = found({E4: RIGHT[E4] | RIGHT[G7]})
    assert dead(findings) == ["e4"]
    assert names(findings, "e4 and g7", "0x21 GPB4 and 0x23 GPA6")


def test_a_stuck_input_is_named_with_the_square_that_it_should_read() -> None:
    findings = found({E4: 0}, stuck=RIGHT[E4])
    assert dead(findings) == ["e4"]
    assert findings.wiring is not None
    assert E4 not in places_of(findings.wiring.chips, PINS)
    assert told(findings)[0].startswith("0x21 GPB4 (e4 in the board file) reads closed")


def test_an_input_that_sticks_on_the_way_is_named_and_spoils_no_other_square() -> None:
    seen = {square: inputs | 1 << FREE for square, inputs in RIGHT.items() if square > 20}
    findings = found(seen)
    assert findings.wiring == WIRING
    assert told(findings)[0].startswith(f"{PINS[FREE].name} reads closed")


def test_a_dark_led_is_named_and_its_place_inferred() -> None:
    findings = found(lit={12: None})
    assert findings.wiring == WIRING
    assert told(findings)[0].startswith("LED 13 of the strip (d2 in the board file) stays dark")


def test_a_strip_that_ends_early_is_one_fault() -> None:
    findings = found(lit=dict.fromkeys(range(40, 64)))
    (text,) = told(findings)
    assert text.startswith("the strip is dark from LED 41 on; look at the data line between LED 40")


def test_two_leds_under_one_square_leave_another_without() -> None:
    findings = found(lit={12: STRIP[13]})
    assert findings.wiring is None
    assert any(text.startswith("no LED lights d2") for text in told(findings))


@given(st.permutations(range(70)), st.permutations(EVERY_SWITCH))
@settings(max_examples=sized(5, 15))
def test_any_wiring_becomes_a_file_that_says_it(inputs: Sequence[int], strip: list[Switch]) -> None:
    findings = found({s: 1 << inputs[s] for s in EVERY_SWITCH}, dict(enumerate(strip)))
    assert findings.wiring is not None
    assert learnt(findings.wiring) == dict(enumerate(inputs[:64]))
    assert findings.wiring.leds.squares == tuple(strip)


@given(
    st.dictionaries(st.sampled_from(range(64)), st.integers(0, (1 << 70) - 1), max_size=6),
    st.dictionaries(st.sampled_from(range(64)), st.none() | st.sampled_from(range(64)), max_size=4),
)
@settings(max_examples=sized(20, 100))
def test_whatever_closes_there_is_a_right_file_or_a_fault(
    seen: Mapping[Switch, Inputs], lit: Mapping[int, Switch | None]
) -> None:
    findings = found(seen, lit)
    assert findings.wiring is not None or findings.faults
    assert all("\n" not in text for text in told(findings))
    if findings.wiring is not None:
        places = learnt(findings.wiring)
        everything = {**RIGHT, **seen}
        for square, closed in everything.items():
            if findings.wiring.dead >> square & 1:
                own = places.get(square)
                assert own is None or not any(seen >> own & 1 for seen in everything.values())
                continue
            assert closed >> places[square] & 1
            strangers = [s for s in EVERY_SWITCH if distance(s, square) > 1]
            assert not any(closed >> places[other] & 1 for other in strangers if other in places)


def learnt(wiring: Wiring) -> dict[Switch, int]:
    """Numbers among PINS by square, whichever chips the file has left out."""
    number = {pin.name: n for n, pin in enumerate(PINS)}
    pins = pins_of(wiring.chips)
    return {s: number[pins[n].name] for s, n in places_of(wiring.chips, pins).items()}
