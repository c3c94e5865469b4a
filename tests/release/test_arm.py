"""What the documents tell a Raspberry Pi's owner to type, typed in Debians of its kind.

Programs are those of a Raspberry Pi, emulated one by one; the kernel is this machine's. So what is
compiled is compiled, and all of Python runs as there; no bus, no pin and no light is seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from release.chroots import Chroot, chroot, debian
from release.deb import sources
from release.kept import CannotError

pytestmark = pytest.mark.release

SAMPLE = (("arm64", "trixie"), ("armhf", "bookworm"))
ALL = (*SAMPLE, ("arm64", "bookworm"), ("armhf", "trixie"))
KINDS = ALL if os.environ.get("BOARDFW_FULL") else SAMPLE
PATIENCE_S = 3 * 3600
TESTING = ("pytest", "pytest-asyncio", "hypothesis", "chess")
"""Libraries with which tests/hardware runs; linters are for other machines."""
OWN = "--ignore-glob='*/test_hand*'"
"""Hands are arithmetic of ours, the same on each kind of machine, and take most of the time."""


@pytest.fixture(scope="module", params=KINDS, ids="-".join)
def there(request: pytest.FixtureRequest) -> Iterator[Chroot]:
    """A Debian with what docs/build/config.md has installed, and a clone in it."""
    architecture, suite = request.param
    try:
        root = debian(suite, architecture)
    except CannotError as error:
        pytest.skip(str(error))
    with sources() as copy, chroot(root, {copy: "/src"}) as there:
        # As a user has it: what is made in it is theirs, and stays while this module runs.
        typed(there, "cp -a /src /srv/boardfw")
        yield there


def typed(there: Chroot, *lines: str) -> str:
    return there.run("\n".join(lines), PATIENCE_S)


def test_a_game_is_played_from_a_clone(there: Chroot) -> None:
    said = typed(there, "cd /srv/boardfw", "make run LIBRARIES=pi </dev/null")
    assert re.search(r"1\.\S+", said)
    assert "1-0" in said or "0-1" in said or "1/2" in said
    assert typed(there, "cd /srv/boardfw", PRESENT.replace("PYTHON", ".venv/bin/python")) == ""


PRESENT = "PYTHON -c 'import gpiod, gpiozero, smbus2'"


def test_drivers_do_what_their_tests_say(there: Chroot) -> None:
    wanted = "|".join(TESTING)
    needs = "iniconfig|packaging|pluggy|pygments|sortedcontainers|typing-extensions|attrs"
    # One library of requirements/ is one line that is none of the others' and those behind it.
    some = f"awk '/^[a-z]/ {{ on = /^({wanted}|{needs})==/ }} on' requirements/dev.txt >/srv/some"
    locked = "--quiet --require-hashes --no-deps --no-build-isolation --use-pep517"
    said = typed(
        there,
        "cd /srv/boardfw",
        f"{some}.txt",
        f".venv/bin/python -m pip install {locked} --requirement /srv/some.txt",
        f".venv/bin/python -m pytest -q -p no:cacheprovider tests/hardware {OWN} 2>&1 | tail -n 15",
    )
    assert re.search(r"^\d+ passed", said, re.MULTILINE), said
    assert "failed" not in said, said


def test_the_wheel_brings_what_a_raspberry_pi_needs(there: Chroot) -> None:
    typed(
        there,
        "cd /srv/boardfw",
        ".venv/bin/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /srv/w .",
        "python3 -m venv /srv/of-wheel",
        '/srv/of-wheel/bin/pip --quiet install "$(ls /srv/w/boardfw-*.whl)[pi]"',
        PRESENT.replace("PYTHON", "/srv/of-wheel/bin/python"),
    )


def test_it_is_installed_and_removed(there: Chroot) -> None:
    said = typed(there, "cd /srv/boardfw", "make --no-print-directory install")
    assert "systemd does not run here" in said
    assert "boardfw, version" in typed(there, "boardfw --version")
    assert "boardfw is not running" in typed(there, "boardfw status || true")
    typed(there, PRESENT.replace("PYTHON", "/opt/boardfw/current/bin/python"))
    typed(there, "cd /srv/boardfw", "make --no-print-directory uninstall PURGE=1")
    assert typed(there, "ls -d /opt/boardfw /usr/local/bin/boardfw 2>/dev/null || true") == ""
