"""The scripts of the Debian package, run below another root. tests/release runs all of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from itertools import count
from pathlib import Path

import pytest

import host
import trial
from place import Place
from trial import OLD

ROOT = Path(__file__).parents[2]
CONFIG, LINK = "etc/boardfw/boardfw.toml", "usr/lib/boardfw-current"
UNITS = ("boardfw.service", "boardfw-web.service", "boardfw-web.socket")
COMMANDS = (
    *("systemctl", "deb-systemd-invoke", "py3compile", "systemd-sysusers", "modprobe", "udevadm"),
    "python3",
)
"""Commands that reach the machine itself; here they do nothing."""
TRIAL = "var/lib/boardfw-trial/trial.json"
PACKAGED, PACKED = "usr/lib/boardfw-trial", "as packed\n"
"""What the new version's package brings for its trial, and its settings."""
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
        command(tmp_path, name, "")
    (tmp_path / CONFIG).write_text("first\n")
    (tmp_path / LINK).symlink_to("boardfw")
    return tmp_path


def script(root: Path, name: str, *words: str, cut: int | None = None) -> int:
    """Run a script as dpkg does, below a root; return its exit status.

    ``cut``: so many of its commands are run, then the power fails.
    """
    text = (ROOT / f"debian/boardfw.{name}").read_text("utf-8")
    text = re.sub(r"(?m)(?<=[\s=])/(?=usr/|etc/|var/|run/)", f"{root}/", text)
    changed = {"PATH": f"{root}/bin:{os.environ['PATH']}", "TMPDIR": f"{root}/tmp"}
    if cut is not None:
        text = f"set -T; trap '[ $((ran++)) -lt {cut} ] || kill -KILL $$' DEBUG\n{text}"
    command = ["sh" if cut is None else "bash", "-c", text, name, *words]
    return subprocess.run(command, env=os.environ | changed, check=False).returncode


def command(root: Path, name: str, text: str) -> None:
    """Let a command be these lines of the shell."""
    (root / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
    (root / "bin" / name).chmod(0o755)


def unpacked(root: Path) -> None:
    """Run what dpkg runs before it replaces the files of a package."""
    assert script(root, "preinst", "upgrade", "1.0") == 0


def configured(root: Path) -> None:
    """Run what dpkg runs once the files of the new version are there."""
    (root / PACKAGED / "new").mkdir(parents=True, exist_ok=True)
    (root / PACKAGED / "boardfw.toml").write_text(PACKED)
    assert script(root, "postinst", "configure", "1.0") == 0


def test_a_second_upgrade_keeps_the_settings_as_they_are_then(root: Path) -> None:
    unpacked(root)
    assert (root / KEPT).read_text() == "first\n"
    (root / TRIAL).unlink()  # that version failed, and the copy stays in use
    assert (root / LINK).readlink() == Path("boardfw.before")
    (root / CONFIG).write_text("edited since\n")
    unpacked(root)
    assert (root / KEPT).read_text() == "edited since\n"


@pytest.mark.slow
def test_after_a_power_cut_at_any_command_before_unpacking_a_whole_program_is_in_use(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("stop", "restart", "take_over"):
        monkeypatch.setattr(host, name, lambda: True)
    for cut in count():
        there = tmp_path_factory.mktemp("cut") / "root"
        shutil.copytree(root, there, symlinks=True)
        status = script(there, "preinst", "upgrade", "1.0", cut=cut)
        # The next start of the machine: what lies below a root there is below / for the unit.
        if (there / TRIAL).exists():
            (there / TRIAL).write_text((there / TRIAL).read_text().replace(f"{there}/", "/"))
        trial.run(Place(there))
        assert (there / LINK / "bin/boardfw").is_file(), f"after {cut} commands"
        assert (there / CONFIG).read_text() == "first\n"
        assert not (there / TRIAL).exists()
        if status == 0:
            break
    assert cut > 20


def test_settings_of_a_version_whose_trial_has_not_ended_are_not_the_old_ones(root: Path) -> None:
    unpacked(root)
    (root / CONFIG).write_text("of the new version\n")
    unpacked(root)
    assert (root / KEPT).read_text() == "first\n"


def test_settings_that_cannot_be_copied_whole_leave_the_copy_as_it_was(root: Path) -> None:
    unpacked(root)
    (root / TRIAL).unlink()
    (root / CONFIG).write_text("edited since\n")
    # As on a full disk: the file is there, and its text is not.
    command(root, "cp", 'for last; do :; done; : >"$last"; exit 1')
    assert script(root, "preinst", "upgrade", "1.0") != 0
    assert (root / KEPT).read_text() == "first\n"


def test_settings_that_were_deleted_do_not_stop_an_upgrade(root: Path) -> None:
    (root / CONFIG).unlink()
    unpacked(root)
    configured(root)
    assert not (root / KEPT).exists()
    (root / TRIAL).unlink()
    (root / CONFIG).write_text("written again\n")
    configured(root)
    assert (root / KEPT).read_text() == "written again\n"
    (root / CONFIG).unlink()
    unpacked(root)
    assert not (root / KEPT).exists()


@pytest.mark.parametrize(
    ("settings", "kept"), [("edited since\n", "edited since\n"), (PACKED, "first\n")]
)
def test_a_package_that_is_configured_again_keeps_the_settings_of_the_old_version(
    root: Path, settings: str, kept: str
) -> None:
    """Those that dpkg laid itself are the new version's."""
    unpacked(root)
    (root / TRIAL).unlink()  # a power cut ended the upgrade, and the old version plays
    (root / CONFIG).write_text(settings)
    configured(root)
    assert (root / KEPT).read_text() == kept


@pytest.mark.parametrize("has_failed", [True, False])
def test_a_service_that_failed_is_started_and_one_that_was_stopped_is_not(
    root: Path, *, has_failed: bool
) -> None:
    command(root, "systemctl", f'[ "$2" != is-failed ] || exit {0 if has_failed else 1}')
    command(root, "deb-systemd-invoke", f'echo "$*" >>{root}/invoked')
    configured(root)
    invoked = (root / "invoked").read_text().splitlines()
    assert invoked[0] == "try-restart boardfw.service boardfw-web.service"
    assert invoked[1:] == ["start boardfw.service", "start boardfw-web.service"] * has_failed


@pytest.mark.parametrize("status", [0, 1])
def test_nothing_is_left_in_the_temporary_directory(root: Path, status: int) -> None:
    command(root, "python3", f"ls {root}/tmp/*/etc/boardfw; exit {status}")
    (root / PACKAGED / "new").mkdir(parents=True)
    unpacked(root)
    assert script(root, "postinst", "configure", "1.0") == status
    assert list((root / "tmp").iterdir()) == []


def test_a_package_that_was_removed_and_is_installed_again_starts(root: Path) -> None:
    command(root, "deb-systemd-invoke", f'echo "$1" >>{root}/asked')
    assert script(root, "postrm", "remove") == 0
    assert script(root, "preinst", "install", "1.0") == 0
    (root / PACKAGED).mkdir(parents=True)
    assert script(root, "postinst", "configure", "1.0") == 0
    assert (root / LINK).readlink() == Path("boardfw")
    assert (root / "asked").read_text() == "start\n"


def test_what_python_compiled_goes_with_the_package(root: Path) -> None:
    for home in ("usr/lib/boardfw", PACKAGED):
        (root / home / "__pycache__").mkdir(parents=True)
        (root / home / "__pycache__/one.pyc").touch()
    assert script(root, "prerm", "remove") == 0
    assert not list(root.rglob("__pycache__"))


@pytest.mark.parametrize("name", ["preinst", "postinst", "prerm", "postrm"])
def test_no_script_goes_round_the_policy_for_services(name: str) -> None:
    """As lintian sees it: deb-systemd-invoke starts and stops units, and asks policy-rc.d."""
    text = (ROOT / f"debian/boardfw.{name}").read_text("utf-8")
    assert set(re.findall(r"(?m)^\s*systemctl (.*)$", text)) <= {"daemon-reload"}
