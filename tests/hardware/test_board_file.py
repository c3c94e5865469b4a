"""A board file is read as its writer means it."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.squares import ALL_SWITCHES, EVERY_SWITCH, names_of, occupancy_of, switch_at
from hardware.boards.board_file import find_wiring, format_wiring, shipped_boards
from hardware.boards.led_rule import LedRule, all_rules, rule_of
from hardware.leds import open_leds
from hardware.spi import SpiStrip
from hardware.wiring import Bus, ChipKind, LedDriver, Leds, StripKind, Wiring
from tests.hardware.board_files import GOOD, loaded, wirings
from tests.sizes import sized


@pytest.mark.parametrize("name", ["matrix", "pcf8575", "reference", "simulator", "tca9555"])
def test_a_shipped_board_reads_every_square_once(name: str) -> None:
    wiring = find_wiring(name)
    squares = [square for chip in wiring.chips for square in chip.squares if square is not None]
    assert sorted(squares) == list(range(64))
    assert (
        wiring.leds.driver is LedDriver.NONE
        or occupancy_of(square for square in wiring.leds.squares if square is not None)
        == ALL_SWITCHES
    )


def test_five_boards_are_shipped_and_none_is_against_a_datasheet() -> None:
    warned = {name: bool(find_wiring(name).warnings) for name in shipped_boards()}
    assert warned == {
        "matrix": False, "pcf8575": False, "reference": False, "simulator": False, "tca9555": False
    }  # fmt: skip


def test_the_reference_board_is_five_mcp23017_with_14_inputs_at_most() -> None:
    wiring = find_wiring("reference")
    assert [chip.kind for chip in wiring.chips] == [ChipKind.MCP23017] * 5
    assert [chip.address for chip in wiring.chips] == [0x20, 0x21, 0x22, 0x23, 0x24]
    for chip in wiring.chips:
        assert chip.squares[7] is None
        assert chip.squares[15] is None
    assert wiring.bus == Bus("/dev/i2c-1", 400_000)
    assert (wiring.lines.interrupt, wiring.lines.reset) == (17, 27)
    assert wiring.leds == Leds(squares=LedRule().squares())


def test_a_board_is_found_by_its_bare_name_or_by_the_path_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "reference.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert find_wiring("reference").name == "reference board"
    assert find_wiring(str(path)).name == "mine"


def test_what_a_file_says_is_what_the_wiring_holds() -> None:
    wiring = loaded(GOOD.replace('closed = "low"', 'closed = "high"').replace('"spi"', '"leds0"')
                    .replace('device = "/dev/spidev0.0"\ngpio = 10', "gpio = 12"))  # fmt: skip
    assert wiring.name == "mine"
    assert wiring.supply_ma == 3_000
    assert [chip.closed_high for chip in wiring.chips] == [False, False, False, True, False]
    assert wiring.chips[1].kind is ChipKind.TCA9555
    assert wiring.chips[1].squares[:2] == (switch_at(0, 2), switch_at(1, 2))
    assert wiring.chips[2].squares[8:10] == (switch_at(0, 5), switch_at(1, 5))
    assert wiring.chips[4].squares[8:] == (None,) * 8
    assert (wiring.leds.driver, wiring.leds.device) == (LedDriver.KERNEL, "")
    assert wiring.lines.buttons == {"new_game": 5, "draw": 6}


def test_a_board_without_a_name_is_called_after_its_file() -> None:
    assert loaded(GOOD.replace('name = "mine"\n', "")).name == "board"


def test_all_that_may_be_left_out() -> None:
    chips = GOOD[GOOD.index("[[chips]]") : GOOD.index("[leds]")]
    wiring = loaded(chips)
    assert wiring == replace(Wiring("board", wiring.chips), leds=Leds(squares=LedRule().squares()))


@settings(max_examples=sized(10, 50))
@given(wirings())
def test_any_wiring_written_as_a_board_file_is_read_again(wiring: Wiring) -> None:
    assert loaded(format_wiring(wiring)) == wiring


def test_a_strip_of_four_lights_is_read_and_each_led_gets_its_colours() -> None:
    text = GOOD.replace('colours = "GRB"', 'kind = "sk6812"\ncolours = "GRBW"')
    wiring = loaded(text)
    assert (wiring.leds.kind, wiring.leds.colours) == (StripKind.SK6812, "GRBW")
    lights, said = open_leds(wiring.leds, "Raspberry Pi 4 Model B Rev 1.4")
    assert isinstance(lights.inner, SpiStrip)
    assert "SK6812" in said
    assert not wiring.warnings


@pytest.mark.parametrize("name", ["matrix", "pcf8575", "reference", "simulator", "tca9555"])
def test_a_shipped_board_names_the_kind_of_its_strip(name: str) -> None:
    text = (resources.files("hardware.boards") / f"{name}.toml").read_text("utf-8")
    assert '\nkind = "ws2812b"' in text[text.index("[leds]") :]


@pytest.mark.parametrize(
    ("driver", "kind", "warned"),
    [
        ("spi", "ws2812b-v5", ""),
        ("rpi_ws281x", "ws2812b", ""),
        ("rpi_ws281x", "ws2812b-v5", "high for 417 ns in a 0, where 220 to 380 are allowed"),
        ("rpi_ws281x", "sk6812", "high for 833 ns in a 1, where 450 to 750 are allowed"),
        ("leds0", "ws2812b-2020", ""),
        ("leds0", "sk6812", "high for 875 ns in a 1, where 450 to 750 are allowed"),
    ],
)
def test_a_driver_whose_signal_does_not_suit_the_strip_is_a_warning(
    driver: str, kind: str, warned: str
) -> None:
    text = GOOD.replace('driver = "spi"\ndevice = "/dev/spidev0.0"', f'driver = "{driver}"')
    warnings = loaded(text.replace("gpio = 10", f'gpio = 10\nkind = "{kind}"')).warnings
    assert len(warnings) == bool(warned)
    assert all(warned in line and "leds.driver 'spi' fits it" in line for line in warnings)


def test_a_board_of_63_switches_is_read_with_a_loud_warning() -> None:
    wiring = loaded(GOOD.replace('"e7"', '""'))
    assert names_of(wiring.dead) == ["e7"]
    (warning,) = wiring.warnings
    assert warning.startswith("no switch works under e7, by the board file: the board plays")
    assert "calibrate again" in warning


def test_a_dead_switch_may_be_listed_and_keep_its_input() -> None:
    wiring = loaded(f'dead = ["e7", "a1"]\n{GOOD}')
    assert names_of(wiring.dead) == ["a1", "e7"]
    assert wiring.chips == loaded(GOOD).chips
    assert len(wiring.warnings) == 1


def test_four_mcp23017_are_read_with_a_loud_warning() -> None:
    full = "".join(
        f'[[chips]]\nkind = "mcp23017"\naddress = {0x20 + number}\nallow_output_only_pins = true\n'
        + "".join(
            f"{key} = [{', '.join(repr(file + str(rank)) for file in 'abcdefgh')}]\n"
            for key, rank in (("a", 2 * number + 1), ("b", 2 * number + 2))
        )
        for number in range(4)
    )
    warnings = loaded(full).warnings
    assert len(warnings) == 4
    assert warnings[0].startswith("chip 0x20 reads h1 on GPA7, h2 on GPB7: ")
    assert "falsify it or hang the bus" in warnings[0]
    assert warnings[0].endswith("wire it to GPA0-6 or GPB0-6 of this or another chip")


# ------------------------------------------------------------------------------------- strips


def test_a_serpentine_runs_back_under_every_other_rank() -> None:
    names = LedRule().squares()
    assert names[:10] == (0, 1, 2, 3, 4, 5, 6, 7, 15, 14)
    assert LedRule(serpentine=False).squares()[:10] == tuple(range(10))


def test_the_first_led_is_in_the_corner_and_the_strip_runs_along_what_is_said() -> None:
    assert LedRule("h8", "files").squares()[:9] == (63, 55, 47, 39, 31, 23, 15, 7, 6)
    assert LedRule("a8", "ranks").squares()[:9] == (*range(56, 64), 55)


def test_two_passes_of_two_are_a_panel_of_sixteen_by_sixteen() -> None:
    squares = LedRule(per_square=2, passes=2).squares()
    assert len(squares) == 256
    assert squares[:4] == (0, 0, 1, 1)
    assert squares[14:18] == (7, 7, 7, 7)
    assert squares[30:34] == (0, 0, 8, 8)


@given(st.sampled_from(list(all_rules())))
def test_every_square_has_as_many_leds_as_the_rule_says(rule: LedRule) -> None:
    squares = rule.squares()
    assert {squares.count(square) for square in EVERY_SWITCH} == {rule.per_square * rule.passes}
    again = rule_of(squares)
    assert again is not None
    assert again.squares() == squares


@given(st.sampled_from(list(all_rules())))
def test_a_board_turned_by_a_quarter_over_its_strip_is_another_rule(rule: LedRule) -> None:
    turned = tuple(switch_at(square // 8, 7 - square % 8) for square in rule.squares())
    assert rule_of(turned) is not None
