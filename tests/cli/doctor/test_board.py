"""The board itself: chips that are missing, strange or unsteady, and lines that are stuck."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from boardfw.doctor.diagnosis import State
from hardware.sim.i2c.faults import BusFaults, Fault, FaultKind
from hardware.sim.i2c.mcp23017 import SimMcp23017
from hardware.sim.i2c.tca9555 import SimPcf8575, SimTca9555
from tests.cli.doctor.machines import chips_of, found, ill, machine_of, the
from tests.i2c import set_inputs

SECOND_US = 1_000_000
NOT_YET_US = 200_000
"""By then the chips have been looked at and are being scanned."""


@pytest.mark.parametrize("name", ["reference", "tca9555", "pcf8575", "matrix"])
def test_every_shipped_board_is_well(name: str, tmp_path: Path) -> None:
    diagnoses = found(machine_of(tmp_path, chips=chips_of(name)), f"i2c:{name}")
    assert ill(diagnoses) == {}
    assert "ms each; 0 switches closed" in the(diagnoses, "switches").found


def test_a_chip_that_is_not_there_fails_and_the_others_do_not(tmp_path: Path) -> None:
    chips = chips_of()
    del chips[2]
    diagnoses = found(machine_of(tmp_path, chips=chips))
    assert ill(diagnoses) == {"chip 0x22": State.FAILED, "switches": State.FAILED}
    assert "no acknowledgement" in the(diagnoses, "chip 0x22").found
    assert "address pins" in the(diagnoses, "chip 0x22").remedy
    assert "no acknowledgement of 0x22" in the(diagnoses, "switches").found


def test_a_chip_at_another_address_is_looked_for_there(tmp_path: Path) -> None:
    chips = [*chips_of()[:4], SimMcp23017(0x26)]
    diagnoses = found(machine_of(tmp_path, chips=chips))
    assert "0x26 answers instead" in the(diagnoses, "chip 0x24").remedy
    assert "0x26 answers, and is not in the board file" in the(diagnoses, "other chips").found


def test_a_chip_too_many_is_a_warning(tmp_path: Path) -> None:
    diagnoses = found(machine_of(tmp_path, chips=[*chips_of(), SimPcf8575(0x27)]))
    assert ill(diagnoses) == {"other chips": State.WARNED}


def test_a_bus_with_a_chip_at_each_address_is_not_held_low(tmp_path: Path) -> None:
    others = [SimPcf8575(address) for address in (0x25, 0x26, 0x27)]
    diagnoses = found(machine_of(tmp_path, chips=[*chips_of(), *others]))
    assert ill(diagnoses) == {"other chips": State.WARNED}
    assert "0x25, 0x26, 0x27 answers" in the(diagnoses, "other chips").found


def test_a_chip_of_another_kind_fails(tmp_path: Path) -> None:
    chips = [SimTca9555(0x20), *chips_of()[1:]]
    diagnosis = the(found(machine_of(tmp_path, chips=chips)), "chip 0x20")
    assert diagnosis.state is State.FAILED
    assert "was written" in diagnosis.found


def test_a_chip_that_answers_now_and_then_is_a_warning(tmp_path: Path) -> None:
    faults = BusFaults([Fault(FaultKind.NACK, address=0x21)])
    diagnosis = the(found(machine_of(tmp_path, faults=faults)), "chip 0x21")
    assert diagnosis.state is State.WARNED
    assert "answers at last" in diagnosis.found


def test_data_held_low_is_told_from_a_chip_everywhere(tmp_path: Path) -> None:
    faults = BusFaults([Fault(FaultKind.STUCK_SDA)])
    diagnoses = found(machine_of(tmp_path, chips=[], faults=faults))
    assert "SDA is held low" in the(diagnoses, "other chips").found
    assert the(diagnoses, "switches").state is State.FAILED


@pytest.mark.parametrize(
    ("fault", "state", "words"),
    [
        (Fault(FaultKind.NACK, NOT_YET_US, address=0x21), State.WARNED, "of 0x21: 1, retries: 1"),
        (
            Fault(FaultKind.GONE, NOT_YET_US, span_us=SECOND_US // 2, address=0x23),
            State.WARNED,
            "outages",
        ),
        (
            Fault(FaultKind.BROWN_OUT, NOT_YET_US, address=0x24),
            State.WARNED,
            "by chip 0x24: 1",
        ),
        (Fault(FaultKind.GONE, NOT_YET_US, address=0x23), State.FAILED, "at the end /dev/i2c-1"),
    ],
)
def test_what_goes_wrong_while_the_switches_are_read_is_counted(
    fault: Fault, state: State, words: str, tmp_path: Path
) -> None:
    diagnoses = found(machine_of(tmp_path, faults=BusFaults([fault])))
    assert ill(diagnoses) == {"switches": state}
    assert words in the(diagnoses, "switches").found
    assert the(diagnoses, "switches").remedy


@pytest.mark.parametrize("bits", [0x01, 0xFF])
def test_readings_of_a_pcf8575_that_differ_from_those_around_them_are_a_warning(
    bits: int, tmp_path: Path
) -> None:
    """The chip has nothing to read back, so only repeated readings tell."""
    fault = Fault(FaultKind.WRONG_DATA, NOT_YET_US, address=0x21, bits=bits)
    machine = machine_of(tmp_path, chips=chips_of("pcf8575"), faults=BusFaults([fault]))
    diagnoses = found(machine, "i2c:pcf8575")
    assert ill(diagnoses) == {"switches": State.WARNED}
    switches = the(diagnoses, "switches")
    assert "changed and came back: a3" in switches.found
    assert "a PCF8575 has no registers" in switches.remedy


def test_a_piece_that_is_put_down_meanwhile_is_no_warning(tmp_path: Path) -> None:
    chips = chips_of("pcf8575")
    machine = machine_of(tmp_path, chips=chips)

    def wait(wait_us: int) -> None:
        machine.wait_us(wait_us)
        if machine.clock.now_us() > NOT_YET_US:
            set_inputs(chips[1].pins, 0xFFFE)

    diagnoses = found(replace(machine, wait_us=wait), "i2c:pcf8575")
    assert ill(diagnoses) == {}
    assert "1 switches closed" in the(diagnoses, "switches").found


def test_an_interrupt_line_that_stays_low_fails(tmp_path: Path) -> None:
    diagnoses = found(machine_of(tmp_path, low=17))
    assert ill(diagnoses) == {"INT line": State.FAILED}
    assert "short" in the(diagnoses, "INT line").remedy


def test_a_line_that_somebody_holds_is_a_warning(tmp_path: Path) -> None:
    machine = machine_of(tmp_path)
    from hardware.boards.board_file import find_wiring
    from hardware.gpio import Gpio

    holder = Gpio(find_wiring("reference").lines, machine.pin_factory)
    holder.open()
    diagnosis = the(found(machine), "INT line")
    holder.close()
    assert diagnosis.state is State.WARNED
    assert "already in use" in diagnosis.found


def test_wiring_against_a_datasheet_is_a_warning(tmp_path: Path) -> None:
    text = board_of_four()
    (tmp_path / "four.toml").write_text(text, encoding="utf-8")
    machine = machine_of(tmp_path, chips=chips_of()[:4])
    diagnoses = found(machine, f"i2c:{tmp_path / 'four.toml'}")
    warnings = [each for each in diagnoses if each.name == "wiring"]
    assert [each.state for each in warnings] == [State.PASSED, *4 * [State.WARNED]]


def board_of_four() -> str:
    """Four MCP23017 with all 16 pins in use."""
    lines = []
    for number in range(4):
        ports = [[f"{file}{2 * number + at}" for file in "abcdefgh"] for at in (1, 2)]
        lines += ["[[chips]]", 'kind = "mcp23017"', f"address = {0x20 + number:#x}"]
        lines += ["allow_output_only_pins = true", f"a = {ports[0]}", f"b = {ports[1]}"]
    return "\n".join(lines)
