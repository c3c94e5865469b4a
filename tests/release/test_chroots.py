"""What a failed command means: tests may skip for what a machine lacks, for nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from release.chroots import Chroot
from release.kept import CannotError, FailedError

OFFLINE = "after connection broken by 'NewConnectionError('<HTTPSConnection object at 0x7f>: -3')'"

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="needs root, to mount a layer")


@pytest.fixture
def there(tmp_path: Path) -> Chroot:
    (tmp_path / "bookworm").mkdir()
    return Chroot(tmp_path / "bookworm", tmp_path, {})


def test_a_command_that_fails_is_a_failure_with_its_last_lines(there: Chroot) -> None:
    with pytest.raises(FailedError, match="in bookworm:\ndebian/rules: no such target"):
        there.outside("echo debian/rules: no such target; exit 2")


def test_a_command_without_an_end_is_a_failure(there: Chroot) -> None:
    with pytest.raises(FailedError, match="in bookworm: no end in 0 s"):
        there.outside("sleep 600", patience_s=0.2)


def test_without_the_network_the_reason_names_it(there: Chroot) -> None:
    with pytest.raises(CannotError, match="needs the network, for the libraries: connection broke"):
        there.outside(f'echo "WARNING: Retrying {OFFLINE}"; exit 2')
