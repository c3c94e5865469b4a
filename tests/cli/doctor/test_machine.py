"""Each check of the machine under a board, passed, warned and failed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from boardfw.doctor.diagnosis import State
from boardfw.doctor.machine import Machine, User
from boardfw.errors import WiringError
from hardware.boards.board_file import find_wiring, format_wiring
from tests.cli.doctor.machines import (
    CONFIG_TXT,
    PI_5,
    ROOT,
    first,
    found,
    hertz,
    ill,
    machine_of,
    the,
)

WARNED, FAILED, PASSED = State.WARNED, State.FAILED, State.PASSED
FIFO = "/games/.lgd-nfy0"
CLOCK_OF_BUS = "/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency"
STRANGER = User("eve", 1001, frozenset({1001}))
NEW_MEMBER = {"/etc/group": "i2c:x:20:eve\nspi:x:21:pi,eve\ngpio:x:22:eve\n"}
MEMORY, CONFIG, TIMESYNC = (
    "/proc/meminfo", "/boot/firmware/config.txt", "/run/systemd/timesync/synchronized"
)  # fmt: skip


def text_without(*words: str) -> str:
    lines = CONFIG_TXT.splitlines()
    return "\n".join(line for line in lines if not any(word in line for word in words))


def refuse(_: str) -> Any:
    raise WiringError("GPIO by gpiod cannot be used: no permission; join the group gpio")


def test_a_good_machine_with_a_good_board_is_well(tmp_path: Path) -> None:
    diagnoses = found(machine_of(tmp_path))
    assert ill(diagnoses) == {}
    assert the(diagnoses, "groups").found == "pi is in i2c, spi, gpio"
    assert [each for each in diagnoses if each.state is State.NOT_APPLICABLE] == []


@pytest.mark.parametrize(
    ("files", "options", "name", "state", "words"),
    [
        ({}, {"user": ROOT}, "groups", PASSED, "root"),
        ({}, {"user": STRANGER}, "groups", WARNED, "usermod -aG i2c,spi,gpio eve"),
        (NEW_MEMBER, {"user": STRANGER}, "groups", WARNED, "log out and in"),
        ({"/etc/group": None}, {}, "groups", State.NOT_APPLICABLE, "no groups i2c"),
        ({"/dev/i2c-1": None}, {}, "I2C device", FAILED, "dtparam=i2c_arm=on"),
        ({}, {"locked": ("/dev/i2c-1",)}, "I2C device", FAILED, "usermod -aG i2c pi"),
        ({"/dev/spidev0.0": None}, {}, "LED device", FAILED, "dtparam=spi=on"),
        ({}, {"locked": ("/dev/spidev0.0",)}, "LED device", FAILED, "usermod -aG spi pi"),
        ({"/dev/gpiochip0": None}, {}, "GPIO device", FAILED, "no such device"),
        ({}, {"locked": ("/dev/gpiochip0",)}, "GPIO device", FAILED, "usermod -aG gpio pi"),
        ({"/dev/gpiochip4": ""}, {"locked": ("/dev/gpiochip0",)}, "GPIO device", PASSED, "chip4"),
        ({CLOCK_OF_BUS: hertz(400_000)}, {}, "bus speed", PASSED, "400000"),
        ({CLOCK_OF_BUS: hertz(100_000)}, {}, "bus speed", WARNED, "restart the Pi"),
        ({CONFIG: text_without("i2c")}, {}, "bus speed", WARNED, "100000 Hz"),
        ({CONFIG: CONFIG_TXT.replace("400000", "x")}, {}, "bus speed", WARNED, "baudrate=400000"),
        ({CLOCK_OF_BUS: hertz(200_000), CONFIG: ""}, {}, "bus speed", WARNED, "set bus.hz to"),
        ({CLOCK_OF_BUS: hertz(1_000_000), CONFIG: ""}, {}, "bus speed", FAILED, "can follow 4000"),
        ({CONFIG: None}, {}, "bus speed", WARNED, "neither"),
        ({CONFIG: None, "/boot/config.txt": CONFIG_TXT}, {}, "bus speed", PASSED, "400000"),
        ({}, {"pin_factory": refuse}, "pin factory", FAILED, "join the group gpio"),
        ({CONFIG: text_without("freq")}, {}, "core clock", WARNED, "core_freq_min=500"),
        ({CONFIG: CONFIG_TXT.replace("[pi4]", "[pi3]")}, {}, "core clock", WARNED, "core_freq=500"),
        ({CONFIG: CONFIG_TXT.replace("core", "#core")}, {}, "core clock", WARNED, "core_freq=500"),
        ({CONFIG: None}, {}, "core clock", WARNED, "core_freq=500"),
        ({"/proc/device-tree/model": PI_5}, {}, "core clock", PASSED, "steady"),
        ({MEMORY: "MemAvailable: 100000 kB"}, {}, "memory", WARNED, "97 MiB"),
        ({MEMORY: "MemAvailable: 20000 kB"}, {}, "memory", FAILED, "end other programs"),
        ({MEMORY: None}, {}, "memory", State.NOT_APPLICABLE, "does not say"),
        ({TIMESYNC: None}, {}, "clock", WARNED, "not synchronised"),
        ({}, {"now": lambda: datetime(1970, 1, 1, tzinfo=UTC)}, "clock", WARNED, "in the past"),
        ({}, {"free_bytes": lambda _: 50 << 20}, "disk", WARNED, "50 MiB"),
        ({}, {"free_bytes": lambda _: 4096}, "disk", FAILED, "make room"),
        ({}, {"locked": ("/games",)}, "disk", FAILED, "may not write"),
        ({}, {"environment": {"STATE_DIRECTORY": "/dev/null"}}, "disk", FAILED, "no directory"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_machine_is_told_with_its_remedy(
    files: dict[str, Any],
    options: dict[str, Any],
    name: str,
    state: State,
    words: str,
    tmp_path: Path,
) -> None:
    diagnosis = first(machine_of(tmp_path, files=files, **options), name)
    assert diagnosis.state is state
    assert words in f"{diagnosis.found} {diagnosis.remedy}"
    assert bool(diagnosis.remedy) == (state in (WARNED, FAILED))


@pytest.mark.parametrize(
    ("old", "new", "files", "options", "name", "state", "words"),
    [
        ("gpio = 10", "gpio = 18", {}, {}, "LED device", FAILED, "only root"),
        ("gpio = 10", "gpio = 18", {}, {"user": ROOT}, "LED device", PASSED, "PWM"),
        ('"auto"', '"rpi_ws281x"', {}, {}, "LED driver", WARNED, "no switch is read"),
        ('"auto"', '"rpi_ws281x"', {"/proc/device-tree/model": PI_5}, {}, "LED driver", FAILED,
         "does not run on a Raspberry Pi 5"),
        ('"auto"', '"rpi_ws281x"', {}, {"missing": ("rpi_ws281x",)}, "LED driver", FAILED,
         "make run LIBRARIES=ws281x"),
        ("gpio = 10", "gpio = 18", {"/sys/module/snd_bcm2835/refcnt": "0"}, {}, "sound", WARNED,
         "'blacklist snd_bcm2835'"),
        ("gpio = 10", "gpio = 18", {"/sys/module/vc4/refcnt": "0"}, {}, "sound", PASSED,
         "snd_bcm2835 is not loaded; PWM is free for GPIO 18"),
        ("gpio = 10", "gpio = 21 # 18", {"/sys/module/snd_soc_bcm2835_i2s/refcnt": "0"}, {},
         "sound", WARNED, "dtparam=i2s=on"),
        ('"auto"', '"spi"', {"/sys/module/snd_bcm2835/refcnt": "0"}, {}, "sound", PASSED,
         "neither PWM nor PCM"),
        ('"auto"', '"leds0"', {}, {}, "LED driver", FAILED, "set it to 'spi'"),
        ('"auto"', '"leds0"', {}, {}, "LED device", FAILED, "dtoverlay=ws2812-pio,gpio=10"),
        ('"auto"\nkind = "ws2812b"\ndevice = ""\ngpio = 10\ncolours = "GRB"',
         '"leds0"\nkind = "sk6812"\ndevice = ""\ngpio = 10\ncolours = "GRBW"',
         {}, {}, "LED device", FAILED, "num_leds=64,rgbw in config.txt"),
        ('"gpiod"', '"rpigpio"', {}, {}, "pin factory", FAILED, "sees no edges"),
        ('"gpiod"', '"rpigpio"', {"/dev/gpiomem": ""}, {"kernel": "6.1.21-v8+"}, "pin factory",
         PASSED, "rpigpio"),
        ('"gpiod"', '"rpigpio"', {"/proc/device-tree/model": PI_5}, {"kernel": "6.1.21"},
         "pin factory", FAILED, "knows no Raspberry Pi 5"),
        ('"gpiod"', '"lgpio"', {}, {"environment": {"LG_WD": "/nowhere"}}, "pin factory", WARNED,
         "LG_WD"),
        ('"gpiod"', '"lgpio"', {FIFO: ""}, {"locked": (FIFO,)}, "pin factory", WARNED, "other"),
        ('"gpiod"', '"lgpio"', {}, {}, "pin factory", PASSED, "lgpio can be used"),
        ('"gpiod"', '"lgpio"', {}, {"missing": ("lgpio",)}, "pin factory", WARNED,
         "gpiod takes its place"),
        ('"gpiod"', '"mock"', {}, {}, "pin factory", WARNED, "no line is real"),
        ("supply_ma = 2000", "supply_ma = 500", {}, {}, "LED budget", WARNED, "500 or less"),
    ],
)  # fmt: skip
def test_what_a_board_file_asks_of_a_machine_that_cannot_give_it(
    old: str,
    new: str,
    files: dict[str, Any],
    options: dict[str, Any],
    name: str,
    state: State,
    words: str,
    tmp_path: Path,
) -> None:
    text = format_wiring(find_wiring("reference"))
    if "18" in new:
        text = text.replace('"auto"', '"rpi_ws281x"')
    assert old in text
    (tmp_path / "own.toml").write_text(text.replace(old, new), encoding="utf-8")
    machine = machine_of(tmp_path, files=files, **options)
    diagnosis = first(machine, name, f"i2c:{tmp_path / 'own.toml'}")
    assert diagnosis.state is state
    assert words in f"{diagnosis.found} {diagnosis.remedy}"


def test_while_somebody_plays_nothing_is_taken_and_nothing_is_configured(tmp_path: Path) -> None:
    def taken(_: str) -> Any:
        return None  # a factory that gives nothing: taking a line from it fails

    line = "\0".join(("/opt/boardfw/bin/python", "/opt/boardfw/bin/boardfw", "run", ""))
    files: dict[str, str | bytes | None] = {"/proc/77/cmdline": line, "/proc/78/cmdline": "boardfw"}
    diagnoses = found(machine_of(tmp_path, files=files, pin_factory=taken))
    assert "process 77 plays" in the(diagnoses, "running game").found
    assert "game is running" in the(diagnoses, "switches").found
    assert "does not keep" in the(diagnoses, "chip 0x20").found  # and it was not given one


def test_a_machine_of_which_nothing_can_be_seen_is_examined_to_the_end(tmp_path: Path) -> None:
    machine = Machine(
        tmp_path / "nothing",
        may=lambda path, mode: False,
        why_not_imported=lambda module: "no",
        pin_factory=refuse,
    )
    states = ill(found(machine))
    assert {"I2C device", "LED device", "GPIO device", "pin factory", "disk"} <= {
        name for name, state in states.items() if state is FAILED
    }
