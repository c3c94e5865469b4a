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
COMMANDS = ("systemctl", "py3compile", "systemd-sysusers", "modprobe", "udevadm", "python3")
"""Commands that reach the machine itself; here they do nothing."""
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
    for path in ("etc/boardfw", "run/systemd/system", "bin", "tmp"):
        (tmp_path / path).mkdir(parents=True)
    for name in COMMANDS:
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / CONFIG).write_text("first\n")
    (tmp_path / LINK).symlink_to("boardfw")
    return tmp_path


def script(root: Path, name: str, *words: str) -> int:
    """Run a script as dpkg does, below a root; return its exit status."""
    text = (ROOT / f"debian/boardfw.{name}").read_text("utf-8")
    text = re.sub(r"(?m)(?<=[\s=])/(?=usr/|etc/|var/|run/)", f"{root}/", text)
    changed = {"PATH": f"{root}/bin:{os.environ['PATH']}", "TMPDIR": f"{root}/tmp"}
    command = ["sh", "-c", text, name, *words]
    return subprocess.run(command, env=os.environ | changed, check=False).returncode


def unpacked(root: Path) -> None:
    """Run what dpkg runs before it replaces the files of a package."""
    assert script(root, "preinst", "upgrade", "1.0") == 0


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


@pytest.mark.parametrize("status", [0, 1])
def test_nothing_is_left_in_the_temporary_directory(root: Path, status: int) -> None:
    (root / "bin/python3").write_text(f"#!/bin/sh\nls {root}/tmp/*/etc/boardfw\nexit {status}\n")
    (root / "usr/lib/boardfw-trial/new").mkdir(parents=True)
    unpacked(root)
    assert script(root, "postinst", "configure", "1.0") == status
    assert list((root / "tmp").iterdir()) == []


@pytest.mark.parametrize("name", ["preinst", "postinst", "prerm", "postrm"])
def test_no_script_goes_round_the_policy_for_services(name: str) -> None:
    """As lintian sees it: deb-systemd-invoke starts and stops units, and asks policy-rc.d."""
    text = (ROOT / f"debian/boardfw.{name}").read_text("utf-8")
    assert set(re.findall(r"(?m)^\s*systemctl (.*)$", text)) <= {"daemon-reload"}
