"""Which Raspberry Pi this is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.model import core_clock_lines, is_pi5, read_model

PI_4_LINES = ("core_freq=500", "core_freq_min=500")


def test_the_kernel_ends_the_name_with_a_zero_byte(tmp_path: Path) -> None:
    file = tmp_path / "model"
    file.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    assert read_model(file) == "Raspberry Pi 4 Model B Rev 1.4"


def test_elsewhere_there_is_no_model(tmp_path: Path) -> None:
    assert read_model(tmp_path / "model") == ""


@pytest.mark.parametrize(
    ("model", "pi5", "lines"),
    [
        ("Raspberry Pi Model B Plus Rev 1.2", False, ()),
        ("Raspberry Pi Zero W Rev 1.1", False, ()),
        ("Raspberry Pi 2 Model B Rev 1.1", False, ()),
        ("Raspberry Pi Zero 2 W Rev 1.0", False, ("core_freq=250",)),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", False, ("core_freq=250",)),
        ("Raspberry Pi Compute Module 3 Plus Rev 1.0", False, ("core_freq=250",)),
        ("Raspberry Pi 4 Model B Rev 1.4", False, PI_4_LINES),
        ("Raspberry Pi 400 Rev 1.0", False, PI_4_LINES),
        ("Raspberry Pi Compute Module 4 Rev 1.0", False, PI_4_LINES),
        ("Raspberry Pi 5 Model B Rev 1.0", True, ()),
        ("Raspberry Pi 500 Rev 1.0", True, ()),
        ("Raspberry Pi Compute Module 5 Rev 1.0", True, ()),
        ("", False, ()),
    ],
)
def test_what_the_models_need(model: str, pi5: bool, lines: tuple[str, ...]) -> None:
    assert is_pi5(model) is pi5
    assert core_clock_lines(model) == lines
