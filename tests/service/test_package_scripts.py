"""The scripts of the Debian package, run below another root. tests/release runs all of it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from trial import OLD

ROOT = Path(__file__).parents[2]
CONFIG, LINK = "etc/boardfw/boardfw.toml", "usr/lib/boardfw-current"
UNITS = ("boardfw.service", "boardfw-web.service", "boardfw-web.socket")
TRIAL = "var/lib/boardfw-trial/trial.json"
KEPT = f"{OLD.lstrip('/')}/{CONFIG}"
"""The settings that a new version which fails is followed by."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine in a directory, on which the service of an installed package runs."""
    for path in (
        "usr/lib/boardfw/bin/boardfw",
        *(f"usr/lib/systemd/system/{one}" for one in UNITS),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("#!first line\n")
    for path in ("etc/boardfw", "run/systemd/system", "bin"):
        (tmp_path / path).mkdir(parents=True)
    (tmp_path / "bin/systemctl").write_text("#!/bin/sh\n")
    (tmp_path / "bin/systemctl").chmod(0o755)
    (tmp_path / CONFIG).write_text("first\n")
    (tmp_path / LINK).symlink_to("boardfw")
    return tmp_path


def unpacked(root: Path) -> None:
    """Run what dpkg runs before it replaces the files of a package."""
    script = (ROOT / "debian/boardfw.preinst").read_text("utf-8")
    script = re.sub(r"(?m)(?<=[\s=])/(?=usr/|etc/|var/|run/)", f"{root}/", script)
    path = f"{root}/bin:{os.environ['PATH']}"
    command = ["sh", "-c", script, "preinst", "upgrade", "1.0"]
    subprocess.run(command, env=os.environ | {"PATH": path}, check=True)


def test_a_second_upgrade_keeps_the_settings_as_they_are_then(root: Path) -> None:
    unpacked(root)
    assert (root / KEPT).read_text() == "first\n"
    (root / TRIAL).unlink()  # that version failed, and the copy stays in use
    assert (root / LINK).readlink() == Path("boardfw.before")
    (root / CONFIG).write_text("edited since\n")
    unpacked(root)
    assert (root / KEPT).read_text() == "edited since\n"


def test_settings_of_a_version_whose_trial_has_not_ended_are_not_the_old_ones(root: Path) -> None:
    unpacked(root)
    (root / CONFIG).write_text("of the new version\n")
    unpacked(root)
    assert (root / KEPT).read_text() == "first\n"
