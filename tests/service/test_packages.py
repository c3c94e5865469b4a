"""What has to be installed before pip: nothing that compiles, where all is ready-made."""

from __future__ import annotations

import importlib.util
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import packages

ROOT = Path(__file__).parents[2]
TOOLS = ["gcc", "python3-dev"]
NEW, OLD = (3, 13), (3, 11)


@pytest.mark.parametrize(
    ("machine", "python", "libraries", "wanted"),
    [
        ("x86_64", NEW, "run", []),
        ("aarch64", OLD, "pi", []),
        ("aarch64", NEW, "pi", []),
        ("armv7l", OLD, "pi", TOOLS),
        ("armv6l", NEW, "pi", TOOLS),
        ("aarch64", OLD, "lgpio", []),
        ("aarch64", NEW, "lgpio", [*TOOLS, "swig"]),
        ("armv7l", OLD, "lgpio", [*TOOLS, "swig"]),
        ("aarch64", OLD, "rpigpio", TOOLS),
        ("aarch64", NEW, "ws281x", TOOLS),
    ],
)
def test_a_machine_without_tools_gets_those_that_its_libraries_want(
    machine: str,
    python: tuple[int, int],
    libraries: str,
    wanted: list[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(sys, "version_info", (*python, 0))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    assert packages.missing(libraries) == wanted


def test_an_environment_cannot_be_made_without_python_3_venv(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert packages.missing("run") == ["python3-venv"]


@pytest.mark.parametrize("libraries", packages.CHOICES)
def test_what_can_be_chosen_is_locked(libraries: str) -> None:
    assert (ROOT / f"requirements/{libraries}.txt").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.11", "3.13"])
def test_a_raspberry_pi_of_64_bits_compiles_nothing(python: str, tmp_path: Path) -> None:
    """pip finds a ready-made file of each locked library, for Bookworm and for Trixie."""
    locked = (ROOT / "requirements/pi.txt").read_text("utf-8")
    assert "gpiod==" in locked
    every = tmp_path / "every.txt"
    every.write_text(re.sub(r" ;.*?(?= \\\n)", "", locked))  # markers are true there, not here
    platforms = [f"--platform={abi}_aarch64" for abi in ("manylinux2014", "manylinux_2_28")]
    target = [*platforms, "--platform=any", "--implementation=cp", f"--python-version={python}"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", f"--dest={tmp_path / 'wheels'}"]
    pip += ["--require-hashes", "--no-deps", "--only-binary=:all:", f"--requirement={every}"]
    told = subprocess.run([*pip, *target], capture_output=True, text=True, check=False)
    assert "No matching distribution" not in told.stderr, told.stderr
    if told.returncode:
        pytest.skip(f"needs PyPI: {told.stderr.splitlines()[-1:]}")
