"""What pip does not bring: the Debian packages with which Python makes environments and compiles.

``python3 systemd/packages.py run``, as ``make`` calls it, ends with 0 when they are there. Root
gets those that are not by apt, anybody else is told how.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

import host
from place import InstallError

PI = ("aarch64", "armv7l", "armv6l")
"""Machines for which the extra ``pi`` of pyproject.toml is."""
RUN, ON_PI = "run", "pi"
"""Files of requirements/: what every machine needs to play, and what a Raspberry Pi does."""
LGPIO, CHOICES = "lgpio", ("lgpio", "rpigpio", "ws281x")
"""Files with libraries that an owner may choose: other ways to the GPIOs, and strips on PWM."""
LAST_LGPIO = (3, 12)
"""The newest Python for which lgpio 0.2.2.0 is ready-made, for 64 bits."""


def libraries() -> str:
    """Which of the two this machine needs for a board of its own."""
    return ON_PI if platform.machine() in PI else RUN


def compiled(libraries: str) -> bool:
    """True if some of these libraries have to be compiled here.

    On 64 bits all that a Raspberry Pi needs is ready-made, on 32 bits msgspec and gpiod are not.
    """
    if libraries == LGPIO and sys.version_info[:2] <= LAST_LGPIO:
        return platform.machine() != "aarch64"
    return libraries in CHOICES or (libraries == ON_PI and platform.machine() != "aarch64")


def missing(libraries: str) -> list[str]:
    """Debian packages that have to be installed before these libraries can be."""
    there = {"python3-venv": importlib.util.find_spec("ensurepip") is not None}
    if compiled(libraries):
        there["gcc"] = shutil.which("gcc") is not None
        there["python3-dev"] = Path(sysconfig.get_path("include"), "Python.h").is_file()
        if libraries == LGPIO:
            there["swig"] = shutil.which("swig") is not None
    return [package for package, is_there in there.items() if not is_there]


def main() -> None:
    """The command line, as the Makefile writes it."""
    parser = argparse.ArgumentParser(description="See that the system has what pip needs.")
    parser.add_argument("libraries", choices=[RUN, ON_PI, *CHOICES])
    try:
        packages = missing(parser.parse_args().libraries)
        if packages and os.getuid() != 0:
            raise InstallError(f"first: sudo apt-get install {' '.join(packages)}")
        if packages:
            host.install_packages(packages)
    except InstallError as error:
        sys.exit(f"make: {error}")


if __name__ == "__main__":
    main()
